"""Nobody learns from a bot's time what it holds, and nobody waits because others have many tables.

The clock is set: what a thought takes is what its bot says, so a whole match passes in no time and always in the same.
"""

import asyncio
import statistics
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tools.guess import CHANCE, best_guess

from davidgoliath import Card, Deal, DealState, View
from davidgoliath.bots import Bot, Budget, make_bot
from davidgoliath.match.spans import LEAST
from davidgoliath.server.config import Timing
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool, slot
from davidgoliath.server.rooms.history import History, steps, taken_by
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.contract import Stored
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import VERSION, Created, Paused, Played, encode
from davidgoliath.server.table.table import Phase
from tests.clock import Timed, run_timed

THOUGHTS = {"random": 5e-5, "beginner": 1e-4, "casual": 2e-4, "club": 2e-4, "reference": 4e-4} | {
    "expert": 0.02,
    "master": 0.05,
}
"""The longest that they think, in seconds, more or less as it is."""
SEARCHERS = ("expert", "master")
MARGIN = 0.02
NOW = Timing(bot=0.0, shares=0.0, scores=0.0)


class Thoughtful:
    """Plays anything, after a time that tells much of its hand."""

    def __init__(self, longest: float) -> None:
        self.longest = longest

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Card:
        legal = list(view.legal_cards)
        Timed.takes = self.longest * (0.05 if len(legal) == 1 else rng.uniform(0.3, 1.0))
        return rng.choice(legal)


class Searching(Thoughtful):
    """As long as its budget says."""

    usual = Budget(16000)

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Card:
        card = super().choose(view, rng)
        if budget and budget.iterations and budget.seconds:
            Timed.takes = min(Timed.takes * budget.iterations / 16000, budget.seconds)
        return card


def bot_pool(monkeypatch: pytest.MonkeyPatch, *names: str, ample: float = 2.0) -> BotPool:
    """Bots whose times are set. With `ample` 0 each plays as soon as it knows what."""

    def made(name: str) -> Bot:
        return Searching(THOUGHTS[name]) if name in SEARCHERS else Thoughtful(THOUGHTS[name])

    def measured(bot: Any) -> float:
        return max(LEAST, ample * bot.longest) if ample else 0.0

    monkeypatch.setattr("davidgoliath.server.rooms.fair_queue.make_pool", lambda *_: Timed())
    monkeypatch.setattr("davidgoliath.server.rooms.bot_pool.make_bot", made)
    monkeypatch.setattr("davidgoliath.server.rooms.bot_pool.span_of", measured)
    if not ample:
        monkeypatch.setattr("davidgoliath.server.rooms.bot_pool.slot", lambda *_: (1e-9, None))
        monkeypatch.setattr("davidgoliath.server.rooms.bot_pool.instead_of", lambda view, _: view)
    rng = Random(7)
    return BotPool(names, 1, lambda: rng)


class Watched(Room):
    """A room that stores nothing, and notes how long each bot took and how many cards it could play."""

    def __init__(self, bot_pool: BotPool, bot: str, deals: int = 4) -> None:
        created = Created("ann", ("ann", *[f"bot:{bot}"] * 3), f"classic deals={deals}")
        rng = Random(3)
        history = History(next(steps(None, [Stored(VERSION, 0.0, encode(created))])))
        super().__init__("t1", history, None, bot_pool, timing=NOW, source=rng.randbytes)  # type: ignore[arg-type]
        self.person, self.tasks = Client("ann"), set[asyncio.Task[None]]()
        self.clients[self.person] = None
        self.turn_began = 0.0
        self.times: list[tuple[int, float]] = []

    async def _happen(self, change: Change) -> None:
        now, state = asyncio.get_running_loop().time(), self.table.state
        if state and any(isinstance(event, Played) and event.seat for event in change.events):
            self.times.append((len(state.legal_cards), now - self.turn_began))
        self.turn_began = now
        self._take_in(taken_by(self.table, change, now))
        task = asyncio.create_task(self._answer_for_ann())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _answer_for_ann(self) -> None:
        state = self.table.state
        if self.table.to_play == 0 and state:
            await self.hear(self.person, m.Play(self.table.seq, str(min(state.legal_cards))))
        elif self.table.phase is Phase.SCORES:
            await self.hear(self.person, m.GoOn(self.table.seq))


class Client:
    def __init__(self, person: str) -> None:
        self.person: str | None = person
        self.token: bytes | None = None
        self.address = ""

    def send(self, *messages: bytes) -> None:
        pass

    def dismiss(self, message: bytes) -> None:
        pass


async def watched(bots: BotPool, bot: str, ready: Callable[[Room], bool], deals: int = 4) -> Watched:
    room = Watched(bots, bot, deals)
    await room.hear(room.person, m.Start(room.table.seq))
    while not ready(room):
        await asyncio.sleep(LEAST)
    return room


def guess(monkeypatch: pytest.MonkeyPatch, bot: str, ample: float, deals: int = 4) -> float:
    """What a whole match at pace 0 tells."""
    found = []

    async def main() -> None:
        bots = bot_pool(monkeypatch, bot, ample=ample)
        bots._loading.result(20)
        room = await watched(bots, bot, lambda room: room.table.match.is_over, deals)
        one = [round(time, 6) for legal, time in room.times if legal == 1]
        several = [round(time, 6) for legal, time in room.times if legal > 1]
        assert len(one) > 25
        assert len(several) > 100
        found.append(best_guess(one, several))
        await room.close()

    run_timed(main())
    return found[0]


@pytest.mark.parametrize("bot", THOUGHTS)
def test_at_pace_0_a_bots_time_does_not_tell_one_legal_card_from_several(
    monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    assert guess(monkeypatch, bot, ample=2.0) <= CHANCE + MARGIN


@pytest.mark.parametrize("bot", THOUGHTS)
def test_it_would_if_it_played_as_soon_as_it_can(monkeypatch: pytest.MonkeyPatch, bot: str) -> None:
    assert guess(monkeypatch, bot, ample=0.0) > 0.95


def hold_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something else keeps the computer busy: every thought takes longer, and many too long."""
    rng, choose = Random(5), Searching.choose

    def late(self: Searching, view: View, rng_of_bot: Random, budget: Budget | None = None) -> Card:
        card = choose(self, view, rng_of_bot)
        Timed.takes *= rng.lognormvariate(1.2, 0.5)
        return card

    monkeypatch.setattr(Searching, "choose", late)


@pytest.mark.parametrize("bot", SEARCHERS)
def test_whoever_has_one_card_is_late_as_often_where_the_computer_is_busy(
    monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    hold_up(monkeypatch)
    assert guess(monkeypatch, bot, ample=2.0, deals=20) <= CHANCE + 0.05
    monkeypatch.setattr("davidgoliath.server.rooms.bot_pool.instead_of", lambda view, _: view)
    assert guess(monkeypatch, bot, ample=2.0, deals=20) > CHANCE + 0.2


def test_where_many_bots_think_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot with one card waits in the same queue, and for as long as one that searches."""
    found: dict[bool, list[float]] = {True: [], False: []}

    async def main() -> None:
        bots = bot_pool(monkeypatch, "master")
        bots._loading.result(20)
        rooms = [Watched(bots, "master") for _ in range(12)]
        for number, room in enumerate(rooms):
            await asyncio.sleep(0.007 * number)
            await room.hear(room.person, m.Start(room.table.seq))
        while not all(room.table.match.is_over for room in rooms):
            await asyncio.sleep(0.1)
        for room in rooms:
            for legal, time in room.times:
                found[legal == 1].append(round(time, 6))
            await room.close()

    run_timed(main())
    assert statistics.median(found[True]) > 2 * THOUGHTS["master"]  # it was late, for load
    assert best_guess(found[True], found[False]) <= CHANCE + 0.06


def test_a_stand_in_for_a_bot_that_is_not_there_yet_takes_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        bots = bot_pool(monkeypatch)
        bots._loading.result(20)
        for state in positions():
            begun = asyncio.get_running_loop().time()
            assert await bots.choose("master", state.view(state.to_play), "ann") in state.legal_cards
            assert asyncio.get_running_loop().time() - begun == pytest.approx(LEAST)

    run_timed(main())


def test_a_bot_that_fails_takes_as_long_as_one_that_does_not(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        bots = bot_pool(monkeypatch, "master")
        bots._loading.result(20)
        mind = bots._minds["master"]
        for wrong in (lambda *_: 1 / 0, lambda *_: Card.parse("R1")):
            monkeypatch.setattr(mind.bot, "choose", wrong)
            for state in positions():
                begun = asyncio.get_running_loop().time()
                assert await bots.choose("master", state.view(state.to_play), "ann") in state.legal_cards
                assert asyncio.get_running_loop().time() - begun == pytest.approx(mind.span)

    run_timed(main())
    assert "bot_failed" in caplog.text
    assert "R1" not in caplog.text


def positions() -> list[DealState]:
    """One with a single legal card, and one with many; R1 isn't legal in either."""
    rng = Random(1)
    state, found = DealState.start(Deal.shuffled(4, rng)), list[DealState]()
    while len(found) < 2:
        if "R1" not in map(str, state.legal_cards) and (len(state.legal_cards) == 1) == bool(found):
            found.append(state)
        state = state.play(rng.choice(list(state.legal_cards)))
    return found


def test_bots_that_do_not_search_wait_for_none_that_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty tables with a search each, on one thread."""

    async def main() -> None:
        bots = bot_pool(monkeypatch, "casual", "master")
        bots._loading.result(20)
        clock, view = asyncio.get_running_loop(), positions()[0].view(positions()[0].to_play)
        others = [asyncio.create_task(bots.choose("master", view, f"p{number}")) for number in range(60)]
        await asyncio.sleep(0)
        assert bots.waiting == 60
        begun = clock.time()
        await bots.choose("casual", view, "ann")
        assert clock.time() - begun == pytest.approx(LEAST)
        for other in others:
            other.cancel()

    run_timed(main())


def test_whoever_has_sixty_tables_makes_another_wait_for_one_of_them_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        bots = bot_pool(monkeypatch, "master")
        bots._loading.result(20)
        clock, view = asyncio.get_running_loop(), positions()[0].view(positions()[0].to_play)
        others = [asyncio.create_task(bots.choose("master", view, "eve")) for _ in range(60)]
        await asyncio.sleep(0)
        begun, span = clock.time(), bots._minds["master"].span
        await bots.choose("master", view, "ann")
        assert clock.time() - begun <= 2 * span
        for other in others:
            other.cancel()

    run_timed(main())


def test_tables_of_one_address_share_their_time_whoever_they_are_said_to_belong_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        room = Watched(bot_pool(monkeypatch), "random")
        assert room.origin == "ann"
        guest = Client("ben")
        guest.address = "192.0.2.9"
        room.clients[guest] = None
        assert room.origin == "ann"  # whoever only watches doesn't matter
        room.person.address = "192.0.2.1"
        assert room.origin == "192.0.2.1"
        await room.close()

    run_timed(main())


def test_a_table_that_pauses_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        bots = bot_pool(monkeypatch, "master")
        bots._loading.result(20)
        view = positions()[0].view(positions()[0].to_play)
        room = await watched(bots, "master", lambda room: room.table.to_play not in (None, 0))
        while bots.waiting:
            await asyncio.sleep(0.001)
        others = [asyncio.create_task(bots.choose("master", view, "eve")) for _ in range(3)]
        while bots.waiting < 4:
            await asyncio.sleep(0.001)
        await room.hear(room.person, m.Pause(room.table.seq))
        assert isinstance(room.table.paused, Paused)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        left = bots.waiting
        assert left == len(others)
        await asyncio.gather(*others)
        await room.close()

    run_timed(main())


def test_a_search_becomes_shorter_with_its_time_and_ends_before_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    bots = bot_pool(monkeypatch, "casual", "master")
    bots._loading.result(20)
    mind = bots._minds["master"]
    alone, budget = slot(mind, 1)
    assert (alone, budget and budget.iterations) == (mind.span, 16000)
    last = mind.span
    for crowd in (2, 4, 8, 100, 10_000):
        seconds, budget = slot(mind, crowd)
        assert LEAST <= seconds <= last
        assert budget
        assert budget.iterations == int(16000 * seconds / mind.span) > 0
        assert budget.seconds
        assert 0 < budget.seconds < seconds
        last = seconds
    assert last == LEAST
    assert slot(bots._minds["casual"], 100) == (LEAST, None)


def test_without_threads_a_bot_is_loaded_when_it_has_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr("davidgoliath.server.ops.threads.has_threads", False)

    def made(name: str) -> Bot:
        loaded.append(name)
        return make_bot(name)

    monkeypatch.setattr("davidgoliath.server.rooms.bot_pool.make_bot", made)
    pool = BotPool(["beginner", "random"], 1, lambda: Random(1))
    assert not pool.is_loading
    stand_in = loaded.copy()
    for _ in range(2):
        asyncio.run(pool.choose("random", DealState.start(Deal.shuffled(3, Random(1))).view(0), "ann"))
    assert loaded == [*stand_in, "random"]
    pool.close()
