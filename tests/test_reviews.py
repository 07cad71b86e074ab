"""Reviews, hints and figures over HTTP and in rooms: who gets what, how often it is worked out, and what ends it."""

import asyncio
import threading
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest
from tools.made_tables import MadeTable

from davidgoliath import Card, DealState, Refusal, View
from davidgoliath.server.config import NO_LIMITS, Limits
from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.protocol import study_types as s
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.figures import figures_of
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.rooms.study_pool import StudyPool
from davidgoliath.server.store.contract import DAY, FigureRow, LearnerRow, PersonRow, ReviewRow, TokenRow
from davidgoliath.server.store.sqlite.store import SqliteStore
from davidgoliath.server.table import commands
from davidgoliath.server.table.reviewing import hand_for
from davidgoliath.study.review import moments
from davidgoliath.study.values import Analysis, Choice, Estimate, Grade, Ledger, Reason, ReasonKind, Review
from tests.app_server import Site, hear, say, serve
from tests.room_clients import Person, play
from tests.stores import Place, everything

SOLO = ("bot:club", "bot:random")
WHY = Reason(ReasonKind.THIRD_CARD, Estimate(1.5, 1.0, 2.0), share=Estimate(0.5, 0.4, 0.6))


class Plain:
    """A judge that takes no time: every choice but the lowest card loses two points, in three steps."""

    name = "plain 1"
    reviewed: ClassVar[Counter[tuple[int, int]]] = Counter()
    gate: ClassVar[threading.Semaphore | None] = None
    """If there is one, each step waits for it."""

    def advice(self, seq: int, view: View) -> m.Advice:
        analysis = analysed(view, 1)
        return m.Advice(seq, analysis.best.name, None, s.worths(analysis), [], self.name)

    def knowledge(self, view: View) -> s.KnowledgeShown:
        return s.KnowledgeShown(str(view.hand), [], [], self.name)

    def reviews(self, state: DealState, seat: int) -> Iterator[Review]:
        self.reviewed[state.standing.deal, seat] += 1
        for blocks in (1, 2, 3):
            if self.gate:
                assert self.gate.acquire(timeout=20)
            choices = tuple(
                Choice(len(view.tricks) + 1, card, analysed(view, blocks), graded(view, card), (WHY,))
                for view, card in moments(state, seat)
            )
            ledger = Ledger(1.0, -3.0, 2.5, 0.5, (1.0, 0.5))
            yield Review(state.standing.deal, seat, choices, ledger, Estimate(1.0, 0.5, 1.5), self.name)

    def reviewer(self, state: DealState, seat: int) -> Callable[[], Review | None]:
        steps = self.reviews(state, seat)
        return lambda: next(steps, None)

    def done(self, review: Review) -> float:
        return review.choices[0].analysis.blocks / 3

    def close(self) -> None:
        pass

    def ladder(self, players: int) -> dict[str, s.Between]:
        return {"club": s.Between(0.5, 0.4, 0.6)}


def analysed(view: View, blocks: int) -> Analysis:
    best = min(view.legal_cards)
    loss = {card: Estimate(2.0, 1.0, 3.0) if card is not best else Estimate(0.0, 0.0, 0.0) for card in view.legal_cards}
    return Analysis({card: Estimate(-one.value, -one.high, -one.low) for card, one in loss.items()}, loss, best, blocks)


def graded(view: View, card: object) -> Grade:
    return Grade.BEST if card is min(view.legal_cards) else Grade.MISTAKE


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("davidgoliath.server.rooms.study_pool.Judge", Plain)
    Plain.reviewed, Plain.gate = Counter(), None


class People:
    """Ann, Ben and Eve at a server, and tables of theirs."""

    def __init__(self, site: Site, tmp_path: Path) -> None:
        self.site, self.tmp_path = site, tmp_path
        self.tokens: dict[str, str] = {}
        self.ids: dict[str, str] = {}

    @classmethod
    async def come(cls, site: Site, tmp_path: Path) -> "People":
        people = cls(site, tmp_path)
        for name in ("ann", "ben", "eve"):
            people.tokens[name] = await site.person(name)
            _, me = await site.ask("/api/me", None, people.tokens[name])
            people.ids[name] = me["person"]
        return people

    def seated(self, *seats: str, **terms: Any) -> MadeTable:
        return MadeTable(*(self.ids.get(seat, seat) for seat in seats), **terms)

    async def store(self, made: MadeTable, name: str = "t1") -> None:
        store = SqliteStore(self.tmp_path / "tables.db")
        await made.store(store, name)
        await store.close()

    async def ask(self, name: str | None, path: str, body: object = None) -> Any:
        """What somebody is answered: without a refusal the answer, else its reason."""
        status, answer = await self.site.ask(path, body, self.tokens.get(name or "", ""))
        assert status < 500, answer
        return answer if status == 200 else answer["reason"]

    async def review(self, name: str | None, deal: int, seat: int, table: str = "t1") -> Any:
        return await self.ask(name, f"/api/tables/{table}/reviews", {"deal": deal, "seat": seat})

    async def final(self, name: str, deal: int, seat: int, table: str = "t1") -> Any:
        async with asyncio.timeout(20):
            while (shown := await self.review(name, deal, seat, table))["stage"] != "final":
                await asyncio.sleep(0.01)
        return shown["review"]


def with_people(tmp_path: Path, test: Callable[[People], Awaitable[None]], limits: Limits = NO_LIMITS) -> None:
    async def scenario(site: Site) -> None:
        await test(await People.come(site, tmp_path))

    serve(scenario, tmp_path, limits=limits)


def test_a_review_is_there_at_once_gets_better_and_is_kept(tmp_path: Path) -> None:
    async def test(people: People) -> None:
        await people.store(people.seated("ann", *SOLO).deal().play())
        Plain.gate = threading.Semaphore(0)
        assert await people.review("ann", 1, 0) == {"stage": "waiting", "done": 0.0, "review": None}
        Plain.gate.release()
        while (shown := await people.review("ann", 1, 0))["stage"] == "waiting":
            await asyncio.sleep(0.01)
        assert (shown["stage"], shown["done"]) == ("improving", 0.33)
        (choice, *_) = shown["review"]["choices"]
        assert choice["best"] == choice["cards"][0]["card"]
        assert {card["grade"] for card in choice["cards"]} == {"best", "mistake"}
        assert choice["reasons"][0] | {"points": -1.5, "low": -2.0, "high": -1.0} == choice["reasons"][0]
        assert shown["review"]["ledger"]["others"] == 2.5
        stages = [one["stage"] for one in (await people.ask("ann", "/api/tables/t1/reviews"))["reviews"]]
        assert stages == ["improving", "none", "none"]
        for _ in range(2):
            Plain.gate.release()
        review = await people.final("ann", 1, 0)
        assert review["judge"] == "plain 1"
        assert await people.final("ann", 1, 0) == review
        assert Plain.reviewed == {(1, 0): 1}, "once, however many ask"
        shown = await people.ask("ann", "/api/tables/t1/reviews")
        assert [one["stage"] for one in shown["reviews"]] == ["final", "none", "none"]
        assert shown["ladder"] == {"club": {"value": 0.5, "low": 0.4, "high": 0.6}}

    with_people(tmp_path, test)


def test_a_review_is_for_whoever_had_the_hand_unless_they_share_it(tmp_path: Path) -> None:
    async def test(people: People) -> None:
        made = people.seated("ann", "ben", "bot:club").deal().play()
        await people.store(made, "half")
        await people.store(made.deal().play())
        assert await people.review("ann", 1, 0, "half") == "match_not_over"
        assert await people.review("ann", 1, 2, "half") == "match_not_over"
        assert (await people.ask("ann", "/api/tables/half/reviews"))["reviews"] == []
        assert (
            await people.ask("ann", "/api/tables/half/knowledge", {"deal": 1, "seat": 2, "place": 3})
            == "match_not_over"
        )
        for name, seat in (("ben", 0), ("eve", 0), (None, 0), ("eve", 2), (None, 2)):
            assert await people.review(name, 1, seat) == "not_your_hand", (name, seat)
            wanted = {"deal": 1, "seat": seat, "place": 3}
            reason = "token_missing" if name is None else "not_your_hand"
            assert await people.ask(name, "/api/tables/t1/knowledge", wanted) == reason
        mine = await people.final("ann", 1, 0)
        assert await people.review("ben", 1, 0) == "not_your_hand", "also when it is there"
        assert (await people.final("ben", 1, 2))["seat"] == 2, "a bot's is for all who sat there"
        assert await people.ask("eve", "/api/tables/t1/sharing", {"is_shared": True}) == "not_your_hand"
        assert await people.ask(None, "/api/tables/t1/sharing", {"is_shared": True}) == "token_missing"
        assert await people.ask("ann", "/api/tables/t1/sharing", {"is_shared": True}) == {"is_shared": True}
        for name in ("ben", "eve", None):
            assert (await people.review(name, 1, 0))["review"] == mine
        assert await people.review(None, 2, 0) == {"stage": "none", "done": 0.0, "review": None}, "they only look"
        assert [one["seat"] for one in (await people.ask(None, "/api/tables/t1/reviews"))["reviews"]] == [0, 0]
        listed = await people.ask("ann", "/api/tables/t1/reviews")
        assert listed["is_shared"]
        assert [one["is_yours"] for one in listed["reviews"]] == [True, False] * 2
        await people.ask("ann", "/api/tables/t1/sharing", {"is_shared": False})
        assert await people.review("eve", 1, 0) == "not_your_hand"
        assert Plain.reviewed == {(1, 0): 1, (1, 2): 1}

    with_people(tmp_path, test)


def test_nonsense_is_refused(tmp_path: Path) -> None:
    async def test(people: People) -> None:
        await people.store(people.seated("ann", *SOLO).deal().play().deal().play(7))
        for deal, seat, reason in ((2, 0, "deal_not_over"), (0, 0, "deal_not_over"), (1, 3, "no_such_seat")):
            assert await people.review("ann", deal, seat) == reason
        assert await people.review("ann", 1, 0, "nowhere") == "no_such_table"
        wrong: list[object] = [{"deal": 1}, {"deal": "1", "seat": 0}, [], {"deal": 1, "seat": 0, "judge": "me"}, b"{"]
        for body in wrong:
            assert await people.ask("ann", "/api/tables/t1/reviews", body) == "request_unfit"
        assert (
            await people.ask("ann", "/api/tables/t1/knowledge", {"deal": 1, "seat": 1, "place": 45}) == "number_range"
        )
        known = await people.ask("ann", "/api/tables/t1/knowledge", {"deal": 1, "seat": 1, "place": 44})
        assert known["judge"] == "plain 1"
        assert await people.ask(None, "/api/me/figures") == "token_missing"

    with_people(tmp_path, test)


def test_figures_are_sums_and_each_deal_counts_once(tmp_path: Path) -> None:
    async def test(people: People) -> None:
        made = people.seated("ann", *SOLO, rules="classic deals=3").deal().play()
        await people.store(made)
        choices = len((await people.final("ann", 1, 0))["choices"])
        figures = await people.ask("ann", "/api/me/figures")
        (week,) = figures["weeks"]
        assert figures["days"] == 365
        assert (week["company"], week["deals"], week["own"]) == ("random", {"count": 1, "points": 0.5}, -3.0)
        assert week["choices"]["count"] == choices == sum(one["count"] for one in week["grades"].values())
        assert week["choices"]["points"] == 2 * week["grades"]["mistake"]["count"]
        assert week["squares"] == 2 * week["choices"]["points"]
        assert week["reasons"] == {"third_card": week["grades"]["mistake"]}
        for seat in (1, 2):
            await people.final("ann", 1, seat)
        assert await people.ask("ann", "/api/me/figures") == figures, "what bots do isn't hers"
        made = people.seated("ann", *SOLO, rules="single").deal().play()
        await people.store(made.change(commands.undo(made.table, people.ids["ann"])).play(), "undone")
        await people.final("ann", 1, 0, "undone")
        made = people.seated("ann", *SOLO, rules="single").deal().play_to(0)
        await people.store(made.change(commands.hint(made.table, people.ids["ann"])).play(), "hinted")
        await people.final("ann", 1, 0, "hinted")
        assert await people.ask("ann", "/api/me/figures") == figures, "nor what was undone, nor what had a hint"
        await people.site.delete("/api/me", people.tokens["ann"])
        store = SqliteStore(people.tmp_path / "tables.db")
        assert await store.figures(people.ids["ann"]) == []
        assert {(row.seat, row.person) for row in await store.reviews("t1")} == {(1, None), (2, None)}
        await store.close()

    with_people(tmp_path, test)


def test_an_error_is_of_the_kind_of_what_speaks_against_it() -> None:
    """However much speaks for it."""
    red, green = Card.parse("R2"), Card.parse("G7")
    excuse = Reason(ReasonKind.KEEP, Estimate(-3.0, -4.0, -2.0))
    losses = {red: Estimate(0.0, 0.0, 0.0), green: Estimate(2.0, 1.0, 3.0)}
    choice = Choice(3, green, Analysis(losses, losses, red, 4), Grade.MISTAKE, (WHY, excuse))
    review = Review(1, 0, (choice,), Ledger(1.0, -3.0, 2.5, 0.5, ()), None, "me")
    names = [row.name for row in figures_of("ann", "club", review, 0.0)]
    assert [name for name in names if name.startswith("reason:")] == ["reason:third_card"]


def test_another_game_of_the_same_cards_has_another_review(tmp_path: Path) -> None:
    """While a review is worked out its player takes a card back: what comes of it is forgotten."""

    async def test(people: People) -> None:
        ann = people.ids["ann"]
        made = people.seated("ann", *SOLO, rules="single").deal().play()
        await people.store(made)
        Plain.gate = threading.Semaphore(0)
        assert (await people.review("ann", 1, 0))["stage"] == "waiting"
        async with people.site.socket("t1") as socket:
            await say(socket, type="hello", protocol=1, build="", token=people.tokens["ann"])
            await hear(socket, "batch")
            await say(socket, type="undo", expect=len(made.events))
            undone = await hear(socket, "turn")
            assert await people.review("ann", 1, 0) == "deal_not_over"
            await say(socket, type="play", expect=undone["seq"], card=undone["legal"][-1])
            while (await people.review("ann", 1, 0)) == "deal_not_over":
                await asyncio.sleep(0.01)
        for _ in range(20):
            Plain.gate.release()
        await people.final("ann", 1, 0)
        assert made.table.state is not None
        store = SqliteStore(people.tmp_path / "tables.db")
        assert not await store.figures(ann)
        await store.close()

    with_people(tmp_path, test)


def test_what_a_stopped_server_began_is_begun_anew(tmp_path: Path) -> None:
    made = MadeTable("ann", *SOLO).deal().play()

    async def ask(registry: Registry) -> s.ReviewShown:
        async with registry.visit("t1") as room:
            table = room.table

        async def admit() -> None:
            admitted.append(1)

        return await registry.reviews.ask("t1", table, hand_for(table, "ann", 1, 0), "here", admit)

    admitted: list[int] = []

    async def test() -> None:
        for is_first in (True, False):
            store = SqliteStore(tmp_path / "tables.db")
            if is_first:
                await store.add_person(PersonRow("ann", "Ann", 0.0), TokenRow(token_hash("ann"), "ann", 0.0))
                await made.store(store)
            bot_pool = BotPool(["random"], 1, lambda: Random(1))
            registry = Registry(store, bot_pool)
            Plain.gate = threading.Semaphore(1 if is_first else 9)
            async with asyncio.timeout(20):
                wanted = s.ReviewStage.IMPROVING if is_first else s.ReviewStage.FINAL
                while (await ask(registry)).stage is not wanted:
                    await asyncio.sleep(0.01)
            await registry.close()
            bot_pool.close()
            Plain.gate.release(9)
            await store.close()
        assert Plain.reviewed == {(1, 0): 2}
        assert admitted == [1, 1]

    asyncio.run(test())


def test_hints_and_reviews_have_limits_for_a_person_and_for_an_address(tmp_path: Path) -> None:
    async def test(people: People) -> None:
        for number in range(3):
            await people.store(people.seated("ann", *SOLO, rules="classic deals=3").deal().play(), f"t{number}")
        for number in range(2):
            for _ in range(3):
                await people.final("ann", 1, 0, f"t{number}")
        assert await people.review("ann", 1, 0, "t2") == "reviews_used_up"
        assert await people.final("ann", 1, 0, "t1"), "what there is costs nothing"
        wanted = {"deal": 1, "seat": 1, "place": 3}
        assert (await people.ask("ann", "/api/tables/t1/knowledge", wanted))["judge"]
        assert await people.ask("ann", "/api/tables/t1/knowledge", wanted) == "too_many_hints"
        for number in range(9):  # whoever is many people has no more than four
            name = f"ann {number}"
            people.tokens[name] = await people.site.person(name)
            _, me = await people.site.ask("/api/me", None, people.tokens[name])
            people.ids[name] = me["person"]
            await people.store(people.seated(name, *SOLO).deal().play(), f"of {number}")
            answer = await people.review(name, 1, 0, f"of {number}".replace(" ", "%20"))
            assert (answer == "reviews_used_up") == (number >= 6), number

    with_people(tmp_path, test, Limits(hints=1, reviews=2))


def test_a_flood_of_reviews_is_bounded(tmp_path: Path) -> None:
    async def test(people: People) -> None:
        Plain.gate = threading.Semaphore(0)
        answers: list[Any] = []
        for number in range(18):
            await people.store(people.seated("ann", *SOLO, rules="single").deal().play(), f"t{number}")
            answers += [await people.review("ann", 1, seat, f"t{number}") for seat in range(3)]
        assert answers.count("too_many_reviews") == 54 - 50
        assert sum(Plain.reviewed.values()) <= 3, "a few at once"
        Plain.gate.release(1000)

    with_people(tmp_path, test)


def test_a_hint_is_for_the_asker_alone_and_everyone_hears_that_it_was_given(tmp_path: Path) -> None:
    async def scenario(room: Room, _: Path) -> None:
        ann, ben, ann_too, spectator = (Person(room, person) for person in ("ann", "ben", "ann", None))
        for person in (ann, ben, ann_too, spectator):
            await room.join(person, 0)
        await ben.wish(m.AllowHints, False)
        assert ben.of("refused")[-1]["reason"] == "not_host"
        await ann.wish(m.Start)
        while room.table.to_play not in (0, 1):
            await asyncio.sleep(0.01)
        asker, other = (ann, ben) if room.table.to_play == 0 else (ben, ann)
        await asker.until(lambda: bool(asker.of("turn")))
        asker.got[:] = [message for message in asker.got if message["type"] != "refused"]
        await other.wish(m.Hint)
        assert other.of("refused")[-1]["reason"] == "not_your_turn"
        await spectator.wish(m.Hint)
        assert spectator.of("refused")[-1]["reason"] == "not_seated"
        before = room.table.seq
        for _again in range(3):
            await asker.wish(m.Hint)
        await asker.until(lambda: bool(asker.of("advice")))
        assert room.table.seq == before + 1, "one event, however often somebody asks"
        advice = asker.of("advice")[0]
        assert advice["seq"] == room.table.seq
        assert advice["cards"][0]["card"] == advice["best"]
        assert {card["card"] for card in advice["cards"]} == {*asker.of("turn")[-1]["legal"]}
        for one in (ann, ben, ann_too, spectator):
            assert one.events()[-1] == {"type": "hinted", "seat": room.table.to_play}
            assert one is asker or not one.of("advice"), "not even another device of theirs"
        await asker.wish(m.Play, advice["best"])
        assert not asker.of("refused")

    play(scenario, tmp_path, "ann", "ben", "bot:random", hints=True)


def test_a_hint_comes_as_soon_as_it_is_there_and_tells_no_time_to_those_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("davidgoliath.server.rooms.study_pool.HINT_SPAN", 1.0)

    async def test() -> None:
        pool, clock = StudyPool(), asyncio.get_running_loop()
        await pool.judge()
        begun = clock.time()
        assert await pool.ask(lambda judge: judge.name, "ann") == "plain 1"
        assert clock.time() < begun + 0.9
        with pytest.raises(ZeroDivisionError):
            await pool.ask(lambda _: 1 // 0, "ben")
        assert clock.time() >= begun + 1.0
        pool.close()

    asyncio.run(asyncio.wait_for(test(), 20))


def test_where_nobody_can_judge_there_is_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("davidgoliath.server.rooms.study_pool.can_judge", lambda: False)

    async def test(people: People) -> None:
        assert (await people.ask(None, "/api/server"))["study"] is False
        await people.store(people.seated("ann", *SOLO).deal().play())
        assert await people.review("ann", 1, 0) == "no_judge"
        assert await people.ask("ann", "/api/tables/t1/reviews") == "no_judge"
        assert await people.ask("ann", "/api/tables/t1/knowledge", {"deal": 1, "seat": 1, "place": 3}) == "no_judge"
        table = {"seats": [None, None, "random"], "hints": True}
        assert await people.ask("ann", "/api/tables", table) == "no_judge"
        assert (await people.ask("ann", "/api/me/figures"))["weeks"] == []

    with_people(tmp_path, test)


def test_a_review_of_the_longest_deal_has_room_in_the_store(tmp_path: Path) -> None:
    """With numbers that have nothing in common, and three reasons for each choice."""
    rng = Random(1)

    def number() -> Estimate:
        return Estimate(*(rng.uniform(-20, 20) for _ in range(3)))

    made = MadeTable("ann", *["bot:club"] * 5, rules="single").deal().play()
    assert made.table.state is not None
    choices = []
    for view, card in moments(made.table.state, 0):
        whole = {legal: number() for legal in view.hand}
        losses = {legal: number() for legal in view.hand}
        reasons = tuple(
            Reason(ReasonKind.RIVAL_THIRD_CARD, number(), number(), number(), card.colour, 3, card) for _ in range(3)
        )
        choices.append(Choice(15, card, Analysis(whole, losses, card, 32), Grade.INACCURACY, reasons))
    ledger = Ledger(1.0, 2.0, 3.0, 6.0, tuple(rng.uniform(-20, 20) for _ in range(91)))
    body = s.review_body(Review(1, 0, (*choices, *choices)[:14], ledger, number(), "a judge of a long name"))
    assert len(zlib.compress(msgspec.json.encode(body))) < 10_240


class Servers:
    """Two on one database, with a table of Ann's."""

    def __init__(self, registries: list[Registry], made: MadeTable) -> None:
        self.registries, self.made = registries, made
        self.admitted = 0

    @classmethod
    @asynccontextmanager
    async def on(cls, place: Place, made: MadeTable) -> "AsyncIterator[Servers]":
        async with place.open() as one, place.open() as two:
            await one.add_person(PersonRow("ann", "Ann", 0.0), TokenRow(token_hash("ann"), "ann", 0.0))
            await made.store(one)
            pools = [BotPool(["random"], 1, lambda: Random(1)) for _ in range(2)]
            servers = [
                Registry(store, pool, peers=store.peers()) for store, pool in zip((one, two), pools, strict=True)
            ]
            async with asyncio.timeout(20):
                yield cls(servers, made)
            for server, pool in zip(servers, pools, strict=True):
                await server.close()
                pool.close()

    async def ask(self, number: int, deal: int = 1, seat: int = 0, owner: str = "here") -> s.ReviewShown:
        """What one of them says."""
        hand = hand_for(self.made.table, "ann", deal, seat)
        return await self.registries[number].reviews.ask("t1", self.made.table, hand, owner, self._admit)

    async def _admit(self) -> None:
        self.admitted += 1
        await asyncio.sleep(0)  # as long as a database takes


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_of_two_servers_one_works_on_a_review(place: Place) -> None:
    async def test() -> None:
        async with Servers.on(place, MadeTable("ann", *SOLO).deal().play()) as servers:
            Plain.gate = threading.Semaphore(1)
            while not (await servers.ask(0)).review:
                await asyncio.sleep(0.01)
            while not (shown := await servers.ask(1)).review:
                await asyncio.sleep(0.01)
            assert shown.stage is s.ReviewStage.IMPROVING
            assert Plain.reviewed == {(1, 0): 1}
            Plain.gate.release(9)
            for number in range(2):
                while (await servers.ask(number)).stage is not s.ReviewStage.FINAL:
                    await asyncio.sleep(0.01)
            assert Plain.reviewed == {(1, 0): 1}
            assert servers.admitted == 1
            assert (await servers.registries[0].store.figures("ann"))[0].count

    asyncio.run(test())


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_a_review_that_waits_long_for_its_turn_is_nobody_elses(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three are under way at once, and the others of a match wait for minutes."""
    monkeypatch.setattr("davidgoliath.server.rooms.reviews.STALE", 1.0)
    monkeypatch.setattr("davidgoliath.server.rooms.reviews.NOTES", 0.1)
    hands = [(deal, seat) for deal in (1, 2) for seat in range(3)]

    async def test() -> None:
        async with Servers.on(place, MadeTable("ann", *SOLO).deal().play().deal().play()) as servers:
            Plain.gate = threading.Semaphore(0)
            for hand in hands:
                assert (await servers.ask(0, *hand)).stage is s.ReviewStage.WAITING
            while len(await servers.registries[0].store.reviews("t1")) < len(hands):
                await asyncio.sleep(0.01)
            for _ in range(15):
                await asyncio.sleep(0.1)
                for hand in hands:
                    assert (await servers.ask(1, *hand)).stage is s.ReviewStage.WAITING
            assert servers.admitted == len(hands), "nobody is charged again"
            Plain.gate.release(100)
            for hand in hands:
                while (await servers.ask(1, *hand)).stage is not s.ReviewStage.FINAL:
                    await asyncio.sleep(0.01)
            assert Plain.reviewed == dict.fromkeys(hands, 1)

    asyncio.run(test())


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_a_flood_at_one_moment_is_bounded_too(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one is admitted, which takes its time on PostgreSQL, others come."""
    monkeypatch.setattr("davidgoliath.server.rooms.reviews.MOST_AT_ONCE", 2)
    hands = [(deal, seat) for deal in (1, 2) for seat in range(3)]

    async def test() -> None:
        async with Servers.on(place, MadeTable("ann", *SOLO).deal().play().deal().play()) as servers:
            Plain.gate = threading.Semaphore(0)
            asked = (servers.ask(0, *hand) for hand in hands for _ in range(3))
            answers = await asyncio.gather(*asked, return_exceptions=True)
            reasons = [answer.reason for answer in answers if isinstance(answer, Refusal)]
            assert reasons == ["too_many_reviews"] * 12
            assert servers.admitted == servers.registries[0].reviews.waiting == 2, "and each of them once"
            Plain.gate.release(100)

    asyncio.run(test())


def test_where_many_wait_one_address_waits_for_fewer(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """So memory is bounded, however many addresses somebody has; and nobody is kept out."""
    monkeypatch.setattr("davidgoliath.server.rooms.reviews.MOST", 20)
    hands = [(deal, seat) for deal in (1, 2, 3, 4) for seat in range(3)]
    waiting: Counter[str] = Counter()

    async def test() -> None:
        made = MadeTable("ann", *SOLO, rules="classic deals=4")
        while not made.table.match.is_over:
            made.deal().play()
        async with Servers.on(place, made) as servers:
            Plain.gate = threading.Semaphore(0)
            for number, hand in enumerate(hands):
                owner = "first" if number < 6 else f"other {number // 3}"
                try:
                    await servers.ask(0, *hand, owner)
                    waiting[owner] += 1
                except Refusal as refusal:
                    assert refusal.arguments == {"most": waiting[owner]}
            Plain.gate.release(100)

    asyncio.run(test())
    assert waiting == {"first": 4, "other 2": 3, "other 3": 2}


def test_whoever_is_refused_a_review_leaves_nothing_behind(tmp_path: Path) -> None:
    async def test(people: People) -> None:
        await people.store(people.seated("ann", *SOLO).deal().play())
        assert await people.final("ann", 1, 0)
        for _ in range(2):
            assert await people.review("ann", 1, 1) == "reviews_used_up"

    with_people(tmp_path, test, Limits(reviews=1))


def test_whoever_is_deleted_while_a_review_is_worked_out_leaves_none(tmp_path: Path) -> None:
    async def test(people: People) -> None:
        await people.store(people.seated("ann", *SOLO, rules="single").deal().play())
        Plain.gate = threading.Semaphore(1)
        while not (await people.review("ann", 1, 0))["review"]:
            await asyncio.sleep(0.01)
        store = SqliteStore(people.tmp_path / "tables.db")
        assert await store.reviews("t1")
        await people.site.delete("/api/me", people.tokens["ann"])
        Plain.gate.release(9)
        assert await people.review("ann", 1, 0) == "token_unknown"
        assert await people.review("eve", 1, 0) == "not_your_hand"
        await asyncio.sleep(0.1)
        assert await store.reviews("t1") == []
        assert await store.figures(people.ids["ann"]) == []
        await store.close()

    with_people(tmp_path, test)


def test_figures_stay_for_whoever_comes_by(tmp_path: Path) -> None:
    """A visit is noted beside what somebody wants, and once a day."""
    now, seen = [10 * DAY], list[float]()

    async def test() -> None:
        store, bot_pool = SqliteStore(tmp_path / "tables.db"), BotPool(["random"], 1, lambda: Random(1))
        registry = Registry(store, bot_pool, now=lambda: now[0])
        person, token = await registry.new_person("Ann")
        await MadeTable(person, *SOLO).deal().store(store)
        hand = ReviewRow("t1", 1, 0, person, "", b"", 5 * DAY)
        await store.put_review(hand, FigureRow(person, "2026-W47", "club", "choices", 1, 0.5))
        for hour in (0, 23, 25, 26):
            now[0] = 10 * DAY + hour * 3600
            await registry.person_of(token)
            await asyncio.gather(*registry._noting)
            seen.append(next(row.seen for row in await everything(store) if isinstance(row, LearnerRow)) / DAY)
        await registry.close()
        bot_pool.close()
        await store.close()

    asyncio.run(test())
    assert seen == [10, 10, 10 + 25 / 24, 10 + 25 / 24]
