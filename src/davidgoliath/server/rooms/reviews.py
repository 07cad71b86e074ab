"""Reviews: worked out once for each hand and version of the judge, however many ask, and kept with the table.

The first results are there at once, and each better one takes their place: whoever asks gets what there is, and asks
again. Work that ends with its server is begun anew by whoever asks next. Of several servers one works on a review, and
puts down now and then how far it is, so that the others can tell it: also while it waits for its turn.
"""

import asyncio
import contextlib
import logging
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Final, cast

import msgspec

from davidgoliath.rules import Refusal, Seat
from davidgoliath.server.ops import observer
from davidgoliath.server.ops.failures import report
from davidgoliath.server.ops.logs import note
from davidgoliath.server.ops.processes import ProcessEndedError
from davidgoliath.server.protocol import study_types as s
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.figures import figures_of
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.server.store.contract import ReviewRow, Store
from davidgoliath.server.table.reviewing import Hand, company, counts
from davidgoliath.server.table.table import Table

LOG: Final = logging.getLogger(__name__)
STALE: Final = 60.0
"""A server that hasn't said for so many seconds that it is at it is taken to have stopped."""
BEATS: Final = 4
"""So many times as often it says so."""
NOTES: Final = 3.0
"""So many seconds apart it is put down how far a review is, after the first."""
MOST_AT_ONCE: Final = 50
"""So many one address may wait for,"""
FEWEST: Final = 2
"""and so many where all together wait for"""
MOST: Final = 2000
"""so many: each of them takes some 12 kB."""

Key = tuple[str, int, Seat]


@dataclass(eq=False)
class Work:
    """A review that is worked out here."""

    table: Table
    """As it was when somebody asked last."""
    hand: Hand
    owner: str
    done: float = 0.0
    body: bytes = b""
    is_better: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether there is more than was put down."""
    noting: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while something is put down, which nobody cancels."""
    task: asyncio.Task[None] | None = field(default=None, repr=False)


class Reviews:
    """Of all tables, at one server."""

    def __init__(self, store: Store, bot_pool: BotPool, *, is_shared: bool, now: Callable[[], float]) -> None:
        self._store, self._bot_pool, self._is_shared, self._now = store, bot_pool, is_shared, now
        self._works: dict[Key, Work] = {}

    @property
    def waiting(self) -> int:
        """How many are worked out, or wait until they can be."""
        return len(self._works)

    def close(self) -> None:
        for work in self._works.values():
            if work.task:
                work.task.cancel()

    async def stages(self, name: str) -> Callable[[Hand], s.ReviewStage]:
        """How far each review of a table is."""
        rows = {(row.deal, row.seat): row for row in await self._store.reviews(name)}

        def stage(hand: Hand) -> s.ReviewStage:
            work = self._works.get((name, hand.deal, hand.seat))
            if work and work.hand.position == hand.position:
                return _stage(work.body)
            row = rows.get((hand.deal, hand.seat))
            if row and row.position == hand.position and row.is_final and self._is_todays(row):
                return s.ReviewStage.FINAL
            return s.ReviewStage.NONE

        return stage

    def ladder(self, players: int) -> dict[str, s.Between]:
        """What each bot of the ladder loses per choice, as soon as the judge is loaded."""
        judge = self._bot_pool.study.ready
        return judge.ladder(players) if judge else {}

    async def ask(
        self, name: str, table: Table, hand: Hand, owner: str, admit: Callable[[], Awaitable[None]] | None
    ) -> s.ReviewShown:
        """What there is, while better comes. Whoever only looks, and may begin nothing, can't be admitted."""
        self._bot_pool.study.check()
        key = (name, hand.deal, hand.seat)
        if shown := self._worked_on(key, table, hand):
            return shown
        row = await self._store.review(*key)
        if row and row.position == hand.position and self._is_todays(row):
            if row.is_final:
                return _shown(s.ReviewStage.FINAL, 1.0, row.body)
            if self._is_shared and row.at > self._now() - STALE:  # by another server
                return _shown(_stage(row.body), 0.0, row.body)
        if admit is None:
            return _shown(s.ReviewStage.NONE, 0.0, b"")
        if shown := self._worked_on(key, table, hand):
            return shown  # somebody was quicker
        most = max(FEWEST, min(MOST_AT_ONCE, (MOST - self.waiting) // 4))
        if sum(work.owner == owner for work in self._works.values()) >= most:
            raise Refusal(RoomReason.TOO_MANY_REVIEWS, most=most)
        work = self._works[key] = Work(table, hand, owner)  # first, so that it counts while its admission is asked for
        try:
            await admit()
        except BaseException:
            self._drop(key, work)
            raise
        if self._works.get(key) is work:
            work.task = asyncio.create_task(self._run(key, work))
        return _shown(s.ReviewStage.WAITING, 0.0, b"")

    def _is_todays(self, row: ReviewRow) -> bool:
        """Whether it is of the judge that there is; before that is loaded nobody knows."""
        judge = self._bot_pool.study.ready
        return judge is None or row.judge == judge.name

    def _worked_on(self, key: Key, table: Table, hand: Hand) -> s.ReviewShown | None:
        work = self._works.get(key)
        if work is None:
            return None
        if work.hand.position != hand.position:  # cards were taken back meanwhile
            del self._works[key]
            if work.task:
                work.task.cancel()
            return None
        work.table = table
        return _shown(_stage(work.body), work.done, work.body)

    async def _run(self, key: Key, work: Work) -> None:
        try:
            await self._work_out(key, work)
        except ProcessEndedError:
            note(LOG, logging.WARNING, "reviewer_ended")  # whoever asks next begins anew
        except Exception as error:  # noqa: BLE001 - the same
            report(error)
        finally:
            self._drop(key, work)

    def _drop(self, key: Key, work: Work) -> None:
        if self._works.get(key) is work:
            del self._works[key]

    async def _work_out(self, key: Key, work: Work) -> None:
        judge, hand = await self._bot_pool.study.judge(), work.hand
        person = hand.chair.person
        row = ReviewRow(*key, person, judge.name, hand.position, self._now())
        if not await self._store.begin_review(row, self._now() - STALE if self._is_shared else float("inf")):
            return
        review, holding = None, asyncio.create_task(self._hold(row, work))
        try:
            async for review in self._bot_pool.study.reviews(hand.state, hand.seat, work.owner):
                work.body, work.done = _packed(s.review_body(review)), judge.done(review)
                if work.done < 1:
                    work.is_better.set()
        finally:
            async with work.noting:
                holding.cancel()
        if review is None:
            return
        counted = []
        if person and counts(work.table, hand):
            counted = figures_of(person, company(work.table, hand), review, self._now())
        final = replace(row, at=self._now(), is_final=True, body=work.body)
        if await self._store.put_review(final, *counted):
            observer.reviewed()

    async def _hold(self, row: ReviewRow, work: Work) -> None:
        """Puts down how far it is, and that somebody is at it; where it has become needless, it ends."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STALE / BEATS):
                    await work.is_better.wait()
            work.is_better.clear()
            try:
                async with work.noting:
                    is_wanted = await self._store.put_review(replace(row, at=self._now(), body=work.body))
            except Refusal as refusal:
                report(refusal)  # the next time will do
            else:
                if not is_wanted and work.task:
                    work.task.cancel()
                    return
            await asyncio.sleep(NOTES)


def _stage(body: bytes) -> s.ReviewStage:
    return s.ReviewStage.IMPROVING if body else s.ReviewStage.WAITING


def _packed(body: s.ReviewBody) -> bytes:
    return zlib.compress(msgspec.json.encode(body))


def _shown(stage: s.ReviewStage, done: float, body: bytes) -> s.ReviewShown:
    """With a body that is written already: to those who write it on, it is what it says."""
    written = cast(s.ReviewBody, msgspec.Raw(zlib.decompress(body))) if body else None
    return s.ReviewShown(stage, round(done, 2), written)
