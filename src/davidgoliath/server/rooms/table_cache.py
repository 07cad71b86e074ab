"""What this server knows of tables that it has read: a table is folded once, and not for each who asks.

To fold takes some 20 microseconds for each event. Many are folded in another thread, few tables at a time and with
rests, in which everyone else has their turn. What came of it is kept (an LRU cache) when the last visitor has gone:
whoever comes next reads only what has happened since.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from davidgoliath.server.ops.failures import reading
from davidgoliath.server.ops.threads import beside
from davidgoliath.server.rooms.history import History, Step, steps
from davidgoliath.server.store.contract import Store, Stored
from davidgoliath.server.table.events import decode
from davidgoliath.server.table.table import Table

MOST_KEPT: Final = 50_000
"""Events of all tables together where nobody is, of about 200 bytes each."""
FEW: Final = 64
"""So many events are folded at once, on the loop."""
STINT: Final = 0.002
REST: Final = 0.0002
"""How many seconds another thread works, and then rests."""
MOST_FOLDS: Final = 2

Made = TypeVar("Made")


class TableCache:
    """Of one server."""

    def __init__(self, store: Store, most: int = MOST_KEPT) -> None:
        self._store, self._most = store, most
        self._kept: OrderedDict[str, History] = OrderedDict()
        self._events = 0
        self._folds = asyncio.Semaphore(MOST_FOLDS)

    async def recall(self, name: str) -> History | None:
        """What has happened at a table, if there is such a one.

        What was kept is compared first: the table may be gone, or the database another.
        """
        history = self._take(name)
        stored = await self._store.events(name, history.table.seq - 1 if history else 0)
        if history and not (stored and _is_same(name, history, stored[0])):
            history, stored = None, await self._store.events(name)
        if not stored:
            return None
        new = stored[1:] if history else stored
        async with self._folds:
            return await _apart(lambda: _read(name, history, new), len(new))

    def _take(self, name: str) -> History | None:
        history = self._kept.pop(name, None)
        self._events -= history.table.seq if history else 0
        return history

    def keep(self, name: str, history: History) -> None:
        """Nobody is at a table any more. If too much is kept, the tables go that nobody has asked for longest."""
        self._take(name)
        self._kept[name] = history
        self._events += history.table.seq
        while self._events > self._most:
            self._take(next(iter(self._kept)))


async def folded(name: str, stored: Sequence[Stored]) -> Table:
    """A table as it stands after all its events."""
    return (await _apart(lambda: _read(name, None, stored), len(stored))).table


async def ahead(name: str, table: Table, stored: Sequence[Stored]) -> list[Step]:
    """What others have stored, and what it does to a table."""

    def read() -> list[Step]:
        with reading(name):
            return list(_steps(table, stored))

    return await _apart(read, len(stored))


async def _apart(work: Callable[[], Made], events: int) -> Made:
    return work() if events <= FEW else await beside(work)


def _is_same(name: str, history: History, last: Stored) -> bool:
    with reading(name):
        return decode(last.body, last.version) == history.last


def _read(name: str, history: History | None, stored: Sequence[Stored]) -> History:
    with reading(name):
        taken = _steps(history.table if history else None, stored)
        history = history or History(next(taken))
        for step in taken:
            history.add(step)
        history.write()
        return history


def _steps(table: Table | None, stored: Sequence[Stored]) -> Iterator[Step]:
    begun = time.perf_counter()
    for step in steps(table, stored):
        yield step
        if time.perf_counter() > begun + STINT:
            time.sleep(REST)  # a thread that only computes would let the others wait longer for each of their turns
            begun = time.perf_counter()
