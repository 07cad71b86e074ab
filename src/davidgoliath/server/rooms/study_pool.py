"""Where positions are judged: behind everybody's moves.

Reviews have a process of their own, to which the system gives what nobody else wants (its niceness), and before each
step they let bots think first. A few are under way at once, by turns: somebody who asks for a hundred doesn't let
others wait for all of them. A hint is waited for, so it has a thread here. Where there are no threads, both are worked
out `away`.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Final, TypeVar

from davidgoliath.rules import DealState, Refusal, Seat
from davidgoliath.server.ops import observer, threads
from davidgoliath.server.rooms.fair_queue import FairQueue
from davidgoliath.server.rooms.judge import Judge, can_judge
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.study.values import Review

T = TypeVar("T")

HINT_SPAN: Final = 0.3
"""A hint's place is held for so long, however soon the hint is there: those who wait behind it can't tell how hard the
choice was."""
AT_ONCE: Final = 3
"""So many reviews are under way: each takes some memory."""
PATIENCE: Final = 0.5
"""So many seconds a step lets bots think first, at most."""
LOOK: Final = 0.02


class StudyPool:
    """The judge, and the threads in which it thinks, or what does that elsewhere."""

    def __init__(self, is_busy: Callable[[], bool] = lambda: False, away: Executor | None = None) -> None:
        self._is_busy = is_busy
        self._hints, self._reviews = FairQueue(1, "hints", away), FairQueue(AT_ONCE, "reviews", away)
        self.is_here = away is not None or can_judge()
        """Whether there are hints and reviews."""
        self.make: Callable[[], Judge] = Judge
        self.ready: Judge | None = None
        self._loading: Future[Judge] | None = None

    def check(self) -> None:
        if not self.is_here:
            raise Refusal(RoomReason.NO_JUDGE)

    async def judge(self) -> Judge:
        """When it is loaded: it is asked for when the bots are there, or by the first who needs it."""
        self.check()
        if self._loading is None:
            self._loading = Future()
            threads.start(partial(self._load, self._loading), "judge-loader")  # nobody waits for it who stops a server
        return await asyncio.wrap_future(self._loading)

    def _load(self, loading: "Future[Judge]") -> None:
        try:
            self.ready = self.make()
            loading.set_result(self.ready)
        except Exception as error:  # noqa: BLE001 - it belongs to whoever asks
            self._loading = None
            loading.set_exception(error)

    @property
    def waiting(self) -> int:
        """How many reviews are worked out, or wait until they can be."""
        return len(self._reviews)

    async def ask(self, what: Callable[[Judge], T], owner: str) -> T:
        """What the judge says of a position to somebody who waits for it."""
        begun = time.perf_counter()
        judge = await self.judge()
        try:
            return await self._hints.run(owner, lambda: (HINT_SPAN, partial(what, judge)), at_once=True)
        finally:
            observer.hinted(time.perf_counter() - begun)

    async def reviews(self, state: DealState, seat: Seat, owner: str) -> AsyncIterator[Review]:
        """One better than the other."""
        work_out = (await self.judge()).reviewer(state, seat)
        async with self._reviews.place(owner) as do:
            while review := await do(work_out):
                yield review
                await self._let_bots_think()

    async def _let_bots_think(self) -> None:
        until = time.monotonic() + PATIENCE
        while self._is_busy() and time.monotonic() < until:
            await asyncio.sleep(LOOK)

    def close(self) -> None:
        self._hints.close()
        self._reviews.close()
        if self.ready:
            self.ready.close()
