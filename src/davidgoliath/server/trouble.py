"""When something goes wrong that nobody at the table can help: what is logged, what people hear, how long to wait.

The log gets no message of an error (see `logs`). People hear that nothing was stored, and not where the database is.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from davidgoliath.rules import Refusal
from davidgoliath.server.logs import note
from davidgoliath.server.metrics import ERRORS

LOG: Final = logging.getLogger(__name__)
SHORTEST_REST: Final = 0.25
LONGEST_REST: Final = 5.0


def is_of_store(refusal: Refusal) -> bool:
    """Whether the store has failed: then there was nothing wrong with what was wanted."""
    return str(refusal.reason).startswith("store_")


def for_people(refusal: Refusal) -> Refusal:
    """A refusal as people may hear it."""
    if not is_of_store(refusal):
        return refusal
    report(refusal)
    return Refusal("perhaps_stored") if refusal.reason == "store_away" else Refusal("not_stored")


def report(error: BaseException) -> None:
    """Tells the operator."""
    if isinstance(error, Refusal):
        note(LOG, logging.ERROR, "refused", reason=error.reason)
    else:
        ERRORS.inc()
        note(LOG, logging.ERROR, "failed", error)


@contextmanager
def reading(table: str) -> Iterator[None]:
    """Meanwhile a table is folded from what is stored. If that fails, this table is refused, and nothing else is.

    It may be of a newer build, which runs beside this one, or damaged. The operator is told, once for each table.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever is stored there; its message may hold a card
        refusal = Refusal("events_newer") if is_newer(error) else Refusal("table_damaged")
        _say_once(table, str(refusal.reason))
        raise refusal from None


def is_newer(error: Exception) -> bool:
    """Whether an event is of a later build."""
    return isinstance(error, Refusal) and error.reason == "events_newer"


@lru_cache(maxsize=1000)
def _say_once(table: str, reason: str) -> None:
    note(LOG, logging.WARNING if reason == "events_newer" else logging.ERROR, "unreadable", table=table, reason=reason)


class Rest:
    """A pause after a failure, twice as long after each, until something succeeds.

    >>> now = [0.0]
    >>> rest = Rest(lambda: now[0])
    >>> rest.begin()
    >>> rest.begin()
    >>> now[0] = 0.1
    >>> rest.left
    0.4
    >>> rest.end()
    >>> rest.left
    0.0
    """

    __slots__ = ("_clock", "_length", "_until")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._length = self._until = 0.0

    def begin(self) -> None:
        self._length = min(LONGEST_REST, 2 * self._length or SHORTEST_REST)
        self._until = self._clock() + self._length

    def end(self) -> None:
        self._length = self._until = 0.0

    @property
    def left(self) -> float:
        return max(0.0, self._until - self._clock())
