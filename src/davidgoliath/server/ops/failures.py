"""When something goes wrong that nobody at the table can help: what is logged, what people hear, how long to wait.

The log gets no message of an error (see `logs`). People hear that nothing was stored, and not where the database is.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from davidgoliath.rules import ReasonCode, Refusal
from davidgoliath.server.ops import observer
from davidgoliath.server.ops.logs import note
from davidgoliath.server.table.events import EventReason

LOG: Final = logging.getLogger(__name__)
SHORTEST_REST: Final = 0.25
LONGEST_REST: Final = 5.0


class FailureReason(ReasonCode):
    """What people hear of a failure."""

    NOT_STORED = "not_stored"
    PERHAPS_STORED = "perhaps_stored"
    TABLE_DAMAGED = "table_damaged"


class StoreFailure(ReasonCode):
    """Why a store can't do, or not now, what is right in itself."""

    STORE_CLOSED = "store_closed"
    STORE_FULL = "store_full"
    STORE_BUSY = "store_busy"
    STORE_READ_ONLY = "store_read_only"
    STORE_AWAY = "store_away"
    STORE_TROUBLE = "store_trouble"

    STORE_NO_ADDRESS = "store_no_address"
    STORE_NO_FOLDER = "store_no_folder"
    STORE_NO_ACCESS = "store_no_access"
    STORE_TWO_NAMES = "store_two_names"
    STORE_NOT_OURS = "store_not_ours"
    STORE_NEWER = "store_newer"
    STORE_DAMAGED = "store_damaged"
    STORE_FOREIGN_LOG = "store_foreign_log"
    STORE_POOLED = "store_pooled"
    STORE_NOT_DURABLE = "store_not_durable"


def is_of_store(refusal: Refusal) -> bool:
    """Whether the store has failed: then there was nothing wrong with what was wanted."""
    return isinstance(refusal.reason, StoreFailure)


def for_people(refusal: Refusal) -> Refusal:
    """A refusal as people may hear it."""
    if not is_of_store(refusal):
        return refusal
    report(refusal)
    is_away = refusal.reason is StoreFailure.STORE_AWAY
    return Refusal(FailureReason.PERHAPS_STORED if is_away else FailureReason.NOT_STORED)


def report(error: BaseException) -> None:
    """Tells the operator."""
    if isinstance(error, Refusal):
        note(LOG, logging.ERROR, "refused", reason=error.reason)
    else:
        observer.failed()
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
        refusal = Refusal(EventReason.EVENTS_NEWER if is_newer(error) else FailureReason.TABLE_DAMAGED)
        _say_once(table, refusal.reason)
        raise refusal from None


def is_newer(error: Exception) -> bool:
    """Whether an event is of a later build."""
    return isinstance(error, Refusal) and error.reason is EventReason.EVENTS_NEWER


@lru_cache(maxsize=1000)
def _say_once(table: str, reason: ReasonCode) -> None:
    level = logging.WARNING if reason is EventReason.EVENTS_NEWER else logging.ERROR
    note(LOG, level, "unreadable", table=table, reason=reason)


class Backoff:
    """Exponential backoff: a pause after a failure, twice as long after each, until something succeeds.

    >>> now = [0.0]
    >>> backoff = Backoff(lambda: now[0])
    >>> backoff.begin()
    >>> backoff.begin()
    >>> now[0] = 0.1
    >>> backoff.left
    0.4
    >>> backoff.end()
    >>> backoff.left
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
