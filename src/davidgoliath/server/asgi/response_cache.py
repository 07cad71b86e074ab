"""Answers that took work: kept by all that they depend on, and each made once, however many ask for it.

They are made in other threads, few at a time, and whoever wants many waits until everybody else has had a turn.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Final

from davidgoliath.server.ops.threads import beside

MOST_BYTES: Final = 16 * 2**20
PLACES: Final = 2


class Turns:
    """So many at once; those who wait are called by owner, one after another, and then again."""

    def __init__(self, places: int = PLACES) -> None:
        self._free = places
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def turn(self, owner: Hashable) -> AsyncIterator[None]:
        if self._free:
            self._free -= 1
        else:
            called = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(owner, deque()).append(called)
            await called
        try:
            yield
        finally:
            self._call_next()

    def _call_next(self) -> None:
        while self._waiting:
            owner = next(iter(self._waiting))
            own = self._waiting.pop(owner)
            called = own.popleft()
            if own:
                self._waiting[owner] = own
            if not called.done():  # or they have gone
                called.set_result(None)
                return
        self._free += 1


class ResponseCache:
    """Holds so many bytes; what nobody has asked for longest goes first."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._made: dict[Hashable, asyncio.Task[bytes]] = {}
        self._turns = Turns()

    def __contains__(self, key: Hashable) -> bool:
        """Whether it needs no work any more, or somebody else has asked for it already."""
        return key in self._kept or key in self._made

    async def get(self, key: Hashable, owner: Hashable, make: Callable[[], bytes]) -> bytes:
        """What `make` makes in another thread, now or before."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._made:
            self._made[key] = asyncio.create_task(self._make(key, owner, make))
        return await asyncio.shield(self._made[key])

    async def make(self, owner: Hashable, make: Callable[[], bytes]) -> bytes:
        """What isn't to be kept, but made in turn as everything else."""
        async with self._turns.turn(owner):
            return await beside(make)

    async def _make(self, key: Hashable, owner: Hashable, make: Callable[[], bytes]) -> bytes:
        try:
            value = await self.make(owner, make)
        finally:
            del self._made[key]
        self._kept[key] = value
        self._size += len(value)
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])
        return value
