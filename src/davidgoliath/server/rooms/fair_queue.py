"""Who thinks next: a few threads, and those who wait for one. Whoever has many tables waits for each of them in turn.

The turn goes round by owner (round robin). A place in a lane is held for a time that was known before, however soon the
thought is over. So a hand shows neither in how long its own bot takes nor in how long others wait behind it.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from davidgoliath.match.spans import rest_of
from davidgoliath.server.ops.threads import make_pool

T = TypeVar("T")


class FairQueue:
    """So many places, each with a thread, or with what does work elsewhere."""

    def __init__(self, places: int, name: str, pool: Executor | None = None) -> None:
        self.places = places
        self._pool = pool or make_pool(places, name)
        self._free = places
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}
        """Whose turn comes next, by owner: the first one's first, and then the owner goes to the end."""
        self._here: Counter[Hashable] = Counter()
        self._held: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        """How many think, or wait until they can."""
        return self._here.total()

    def crowd(self, owner: Hashable) -> float:
        """How many share a place, as it seems to this owner: as many as owners are here, times the owner's own.

        So nobody else's bots think less because somebody has a hundred tables.
        """
        return len(self._here) * self._here[owner] / self.places

    async def run(
        self, owner: Hashable, begin: Callable[[], tuple[float, Callable[[], T]]], *, at_once: bool = False
    ) -> T:
        """Waits for a place, asks what is to be done there and for how long, and returns when that time has passed; or
        `at_once` when it is done, while its place stays held.

        What takes longer than it should ends with the next multiple of its time. Whoever is cancelled leaves the queue;
        a place that is held already stays held.
        """
        self._here[owner] += 1
        try:
            await self._turn(owner)
        except asyncio.CancelledError:
            self._leave(owner)
            raise
        seconds, work = begin()
        done = self._done(work)
        held = asyncio.create_task(self._hold(owner, seconds, done))
        self._held.add(held)
        held.add_done_callback(self._ended)
        return await asyncio.shield(done if at_once else held)

    @asynccontextmanager
    async def place(self, owner: Hashable) -> AsyncIterator[Callable[[Callable[[], T]], Awaitable[T]]]:
        """A place for as long as it is needed. Gives what does work there."""
        self._here[owner] += 1
        try:
            await self._turn(owner)
        except asyncio.CancelledError:
            self._leave(owner)
            raise
        try:
            yield self._done
        finally:
            self._leave(owner)
            self._pass_on()

    async def _turn(self, owner: Hashable) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._pass_on()
            raise

    def _ended(self, held: asyncio.Task[Any]) -> None:
        self._held.discard(held)
        if not held.cancelled():
            held.exception()  # it belongs to whoever waits, if anybody still does

    async def _hold(self, owner: Hashable, seconds: float, work: Awaitable[T]) -> T:
        clock = asyncio.get_running_loop()
        begun = clock.time()
        try:
            try:
                return await work
            finally:
                await asyncio.sleep(rest_of(seconds, clock.time() - begun))
        finally:
            self._leave(owner)
            self._pass_on()

    def _done(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """What work gives. (A browser's event loop has no executors, and would do it at once.)"""
        return asyncio.wrap_future(self._pool.submit(work))

    def _leave(self, owner: Hashable) -> None:
        self._here[owner] -= 1
        if not self._here[owner]:
            del self._here[owner]

    def _pass_on(self) -> None:
        """The place goes to whoever is next."""
        while self._waiting:
            owner = next(iter(self._waiting))
            turns = self._waiting.pop(owner)
            turn = turns.popleft()
            if turns:
                self._waiting[owner] = turns
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
