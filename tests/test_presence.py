"""Who is there, who is away, and whose table it is: in a room with its clock, on every kind of store."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from davidgoliath.server.config import Timing
from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.history import History, steps
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.rooms.room import MOST_DEVICES, Room
from davidgoliath.server.store.contract import MemberRow, PersonRow, Store, Stored, TableRow, TokenRow
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import (
    VERSION,
    AnyEvent,
    Away,
    Created,
    HostIs,
    Opened,
    Played,
    Sat,
    StoodIn,
    decode,
    encode,
)
from davidgoliath.server.table.records import finished
from davidgoliath.server.table.table import Phase
from tests.room_clients import Person, play_on
from tests.stores import Place

PATIENT = Timing(bot=0.0, shares=0.05, scores=0.05, grace=1000.0, answer=1000.0)
HASTY = Timing(bot=0.0, shares=0.05, scores=0.05, grace=0.05, answer=0.05)
PEOPLE = ("ann", "ben", "cat", "dan", "eve")


class Meeting:
    """A table on a store, and those who come to it."""

    def __init__(self, store: Store, registry: Registry, room: Room) -> None:
        self.store, self.registry, self.room = store, registry, room

    async def join(self, *people: str | None) -> list[Person]:
        clients = [Person(self.room, person) for person in people]
        for client in clients:
            await self.room.join(client, 0)
        return clients

    async def events(self) -> list[AnyEvent]:
        return [decode(event.body) for event in await self.store.events("t1")]


def meet(
    place: Place,
    scenario: Callable[[Meeting], Awaitable[None]],
    *seats: str | None,
    timing: Timing = PATIENT,
    rules: str = "classic deals=2",
    **terms: Any,
) -> None:
    async def main() -> None:
        async with place.open() as store:
            for name in PEOPLE:
                await store.add_person(PersonRow(name, name.title(), 0.0), TokenRow(token_hash(name), name, 0.0))
            created = Created("ann", seats or ("ann", "ben", "cat"), rules, **terms)
            await store.create_table(TableRow("t1", 0.0), Stored(VERSION, 0.0, encode(created)))
            for person in filter(None, seats or ("ann", "ben", "cat")):
                await store.join(MemberRow("t1", person, 0.0))
            bot_pool = BotPool(["casual", "club", "random"], 1, lambda: Random(1))
            registry = Registry(store, bot_pool, timing=timing, source=os.urandom)
            try:
                async with registry.visit("t1") as room:
                    await scenario(Meeting(store, registry, room))
            finally:
                bot_pool.close()

    asyncio.run(asyncio.wait_for(main(), 60))


def waited(events: list[tuple[AnyEvent, float]]) -> float:
    """How long a table had been waiting when its last event happened."""
    first, *others = steps(None, (Stored(VERSION, at, encode(event)) for event, at in events))
    history = History(first)
    for step in others:
        history.add(step)
    return history.waited


async def refusal(client: Person, kind: type[m.Wish], *fields: Any) -> str:
    """Why a wish is refused; nothing if it isn't."""
    before, table = len(client.of("refused")), client.room.table
    await client.wish(kind, *fields)
    refused = client.of("refused")[before:]
    assert not refused or client.room.table is table
    return str(refused[0]["reason"]) if refused else ""


def test_nobody_plays_for_somebody_who_is_there(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, ben, _ = await meeting.join("ann", "ben", "cat")
        await ann.wish(m.SetPace, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        assert await refusal(ann, m.ReplaceAbsent, 1, "random") == "not_away"
        assert await refusal(ann, m.Ask, 1) == ""
        assert await refusal(ann, m.ReplaceAbsent, 1, "random") == "not_away"
        await ben.wish(m.Back)
        assert not room.table.chairs[1].is_asked
        assert not any(isinstance(event, StoodIn) for event in await meeting.events())

    meet(place, scenario)


def test_who_has_gone_is_away_and_the_servers_own_bot_stands_in_until_they_speak(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, ben, _ = await meeting.join("ann", "ben", "cat")
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        await room.leave(ben)
        await ann.until(lambda: room.table.chairs[1].away == "gone")
        assert await refusal(ann, m.ReplaceAbsent, 1, "random") == ""
        assert room.table.chairs[1].stand_in == "club"
        (ben,) = await meeting.join("ben")
        assert room.table.chairs[1].stand_in == "club"  # a device comes back by itself
        await ben.wish(m.Back)
        assert not room.table.chairs[1].is_doubted

    meet(place, scenario, timing=HASTY)


def test_who_comes_back_before_a_bot_stands_in_is_there_again(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, ben, _ = await meeting.join("ann", "ben", "cat")
        await ann.wish(m.Start)
        await room.leave(ben)
        await ann.until(lambda: room.table.chairs[1].away == "gone")
        await meeting.join("ben")
        assert not room.table.chairs[1].is_doubted
        assert await refusal(ann, m.ReplaceAbsent, 1) == "not_away"

    meet(place, scenario, timing=HASTY)


def test_who_does_not_answer_the_host_is_away(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, ben, cat = await meeting.join("ann", "ben", "cat")
        await ann.wish(m.Start)
        assert await refusal(ben, m.Ask, 2) == "not_host"
        assert await refusal(ann, m.Ask, 0) == "not_yourself"
        assert await refusal(ann, m.Ask, 2) == ""
        await ann.until(lambda: room.table.chairs[2].away == "silent")
        await ann.wish(m.ReplaceAbsent, 2)
        assert room.table.chairs[2].stand_in == "club"
        await cat.wish(m.Back)
        assert not room.table.chairs[2].is_doubted

    meet(place, scenario, timing=HASTY)


def test_who_lets_the_time_pass_is_away_and_then_a_bot_plays(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        people = await meeting.join("ann", "ben", "cat")
        await people[0].wish(m.Start)
        await people[0].until(lambda: any(chair.stand_in for chair in room.table.chairs))
        kinds = [event for event in await meeting.events() if isinstance(event, Away | StoodIn)]
        assert kinds[0] == Away(kinds[0].seat, "late")
        assert kinds[1] == StoodIn(kinds[0].seat, "club")

    meet(place, scenario, timing=HASTY, turn_seconds=1)


def test_an_ended_match_of_several_people_never_changes(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, ben = await meeting.join("ann", "ben")
        await ann.wish(m.Start)
        await asyncio.gather(play_on(ann), play_on(ben))
        names = {"ann": "Ann", "ben": "Ben"}
        before = [str(record) for record in finished(room.table, "t1", names)]
        assert await refusal(ann, m.Remove, "ben") == ""
        for wish in (m.PlaceBot, m.Sit, m.Free):
            assert await refusal(ann, wish, 1, *(["random"] if wish is m.PlaceBot else []))
        assert await refusal(ann, m.DealAgain) == "not_solo"
        assert await refusal(ann, m.Undo) == "not_solo"
        await ben.wish(m.Leave)
        assert await refusal(ann, m.DealAgain) == "not_solo"
        assert room.table.phase is Phase.OVER
        assert [str(record) for record in finished(room.table, "t1", names)] == before
        assert "Ben" in before[0]

    meet(place, scenario, "ann", "ben", "bot:random", rules="single")


def test_newcomers_read_no_hand_of_a_deal_that_is_played(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        (ann,) = await meeting.join("ann")
        await ann.wish(m.Start)
        await ann.until(lambda: bool(ann.of("turn")))
        strangers = await meeting.join("cat", "dan", "eve")
        for stranger, seat in zip(strangers, (1, 2, 1), strict=True):
            await stranger.wish(m.Sit, seat)
            await stranger.wish(m.Leave)
        for stranger in strangers:
            assert not stranger.of("hand")
            assert not stranger.of("turn")
            (dealt,) = [event for event in stranger.events() if event["type"] == "dealt"]
            assert set(dealt["hands"]) == {"-"}
        cat = strangers[0]
        await cat.wish(m.Sit, 1)
        while room.table.phase is Phase.PLAYING:
            await ann.until(lambda: room.table.to_play in (0, None))
            if room.table.to_play == 0:
                await ann.play()
        kinds = [type(event) for event in await meeting.events()]
        assert kinds[kinds.index(Opened) + 1] is Sat
        assert room.table.seat_of("cat") == 1

    meet(place, scenario, "ann", "bot:random", "bot:casual", takeover=True)


def test_a_deal_that_was_open_and_undone_stays_solo(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, cat = await meeting.join("ann", "cat")
        await ann.wish(m.Start)
        while room.table.phase in (Phase.GATHERING, Phase.DEALING, Phase.PLAYING):
            await ann.until(lambda: room.table.to_play == 0 or room.table.phase is Phase.SCORES)
            if room.table.to_play == 0:
                await ann.play()
        await ann.wish(m.Undo)
        assert room.table.state
        assert not room.table.state.is_over
        await cat.wish(m.Sit, 1)
        assert room.table.seat_of("cat") is None
        await ann.until(lambda: room.table.to_play == 0)
        await ann.play()
        await ann.until(lambda: room.table.phase is not Phase.PLAYING)
        assert room.table.seat_of("cat") == 1
        assert await refusal(ann, m.Undo) in ("not_solo", "stale")

    meet(place, scenario, "ann", "bot:random", "bot:random", takeover=True)


def test_the_clock_stands_still_while_the_table_does(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room, now = meeting.room, [0.0]
        room.running._clock = lambda: now[0]
        people = await meeting.join("ann", "ben", "cat")
        await people[0].wish(m.Start)
        await people[0].until(lambda: room.table.to_play is not None)
        first = room.table.to_play
        assert first is not None
        now[0] += 2.0
        await people[0].wish(m.Pause)
        now[0] += 16.0
        assert room.passed == 2.0
        await people[0].wish(m.Resume)
        assert people[first].of("turn")[-1]["seconds"] == 3.0
        room.tell_saving(False)
        now[0] += 60.0
        room.tell_saving(True)
        assert room.passed == 2.0
        for person in people:
            await room.leave(person)
        now[0] += 60.0
        people = await meeting.join("ann", "ben", "cat")
        assert room.passed == 2.0
        assert people[first].of("turn")[-1]["seconds"] == 3.0
        assert not any(isinstance(event, Away | StoodIn) for event in await meeting.events())

    meet(place, scenario, turn_seconds=5)


def test_a_server_that_starts_anew_gives_back_the_time_that_it_was_away(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        people = await meeting.join("ann", "ben", "cat")
        await people[0].wish(m.Start)
        await people[0].until(lambda: meeting.room.table.to_play is not None)
        stored = [(decode(event.body), 100.0) for event in await meeting.store.events("t1")]
        assert waited(stored) == 0.0
        await people[0].wish(m.Pause)
        await people[0].wish(m.Resume)
        paused, resumed = (decode(event.body) for event in (await meeting.store.events("t1"))[-2:])
        assert waited([*stored, (paused, 103.0), (resumed, 160.0)]) == 3.0
        late = await Room.open("t1", meeting.store, meeting.registry.bot_pool, source=os.urandom)
        assert late is not None
        assert late.passed < 30.0  # whenever that may be: the wall clock doesn't count
        await late.close()

    meet(place, scenario, turn_seconds=30)


def test_an_acting_host_keeps_things_going_and_no_more(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, ben, _ = await meeting.join("ann", "ben", "cat")
        await room.leave(ann)
        await ben.until(lambda: room.table.host == "ben")
        assert await refusal(ben, m.Remove, "ann") == "only_owner"
        assert await refusal(ben, m.Remove, "cat") == "only_owner"
        assert await refusal(ben, m.Lock, True) == "only_owner"
        assert await refusal(ben, m.End) == "only_owner"
        assert await refusal(ben, m.LetWatch, False) == "only_owner"
        assert await refusal(ben, m.Start) == ""
        await ben.until(lambda: room.table.chairs[0].away == "gone")
        assert await refusal(ben, m.ReplaceAbsent, 0) == ""
        assert await refusal(ben, m.Pause) == ""
        assert await refusal(ben, m.Resume) == ""
        (ann,) = await meeting.join("ann")
        assert room.table.host == "ann"
        await ann.wish(m.Back)
        await ann.wish(m.Leave)
        assert room.table.host == "ben"
        assert await refusal(ben, m.Lock, True) == ""
        assert await refusal(ben, m.End) == ""

    meet(place, scenario, timing=HASTY)


def test_who_is_deleted_neither_sits_nor_plays(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, watcher = await meeting.join("ann", "dan")
        await meeting.registry.forget("dan")
        assert watcher.person is None
        assert await refusal(watcher, m.Sit, 1) == "not_seated"
        (late,) = await meeting.join("dan")  # recognised just before
        assert await refusal(late, m.Sit, 1) == "token_unknown"
        assert room.table.arrivals == ("ann",)
        (eve,) = await meeting.join("eve")
        await eve.wish(m.Sit, 1)
        await ann.wish(m.Start, "random")
        await meeting.registry.forget("eve")
        assert room.table.chairs[1].bot == "club"
        assert eve.person is None
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        assert await refusal(eve, m.Play, "R1") == "not_seated"

    meet(place, scenario, "ann", None, None)


def test_a_promise_ends_when_its_person_goes(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, cat = await meeting.join("ann", "cat")
        await ann.wish(m.Start)
        await ann.until(lambda: bool(ann.of("turn")))
        await cat.wish(m.Sit, 1)
        assert room.table.heirs == ("cat",)
        await room.leave(cat)
        await ann.until(lambda: room.table.heirs == ())

    meet(place, scenario, "ann", "bot:random", "bot:random", timing=HASTY, takeover=True)


def test_a_table_has_room_for_its_match_whatever_its_host_does(place: Place, monkeypatch: Any) -> None:
    monkeypatch.setattr("davidgoliath.server.table.table.MOST_EVENTS", 40)

    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, _ = await meeting.join("ann", "ben")
        for number in range(60):
            await ann.wish(m.Lock, number % 2 == 0)
        assert room.table.seq == 40
        assert ann.of("refused")[-1]["reason"] == "table_full"
        for person in ("nobody", "somebody"):
            assert await refusal(ann, m.Remove, person) in ("table_full", "not_at_table")

    meet(place, scenario, "ann", "ben", None)

    async def to_the_end(meeting: Meeting) -> None:
        room = meeting.room
        ann, ben = await meeting.join("ann", "ben")
        await ann.wish(m.Start)
        await asyncio.gather(play_on(ann), play_on(ben))
        assert room.table.phase is Phase.OVER
        assert room.table.seq > 40
        played = [event for event in await meeting.events() if isinstance(event, Played)]
        assert len(played) == 45

    other = Place(place.new_address(), place.new_address)
    meet(other, to_the_end, "ann", "ben", "bot:random", rules="single")


def test_a_turn_gives_its_time_anew_once(place: Place) -> None:
    """Whoever lets a bot step in and comes back, or leaves and comes back, could hold up a table for ever."""

    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, *_ = await meeting.join("ann", "ben", "cat")
        await ann.wish(m.SetPace, 5000)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        seat = room.table.to_play
        assert seat is not None
        slow = next(client for client in room.clients if client.person == room.table.chairs[seat].person)
        assert isinstance(slow, Person)
        late: list[AnyEvent] = [Away(seat, "late"), StoodIn(seat, "casual")]
        await room.attempt(lambda table: Change.of(table, late))
        assert await refusal(slow, m.Back) == ""
        await room.attempt(lambda table: Change.of(table, late))
        assert await refusal(slow, m.Back) == "back_already"
        assert await refusal(slow, m.Leave) == ""
        assert await refusal(slow, m.Sit, seat) == "back_already"
        await ann.wish(m.SetPace, 0)
        if slow is not ann:
            await ann.until(lambda: room.table.returned is None)
            assert await refusal(slow, m.Sit, seat) == ""

    meet(place, scenario)


def few(monkeypatch: Any, most: int, before_host: int) -> None:
    """Tables have room for a few events only."""
    monkeypatch.setattr("davidgoliath.server.table.table.MOST_EVENTS", most)
    monkeypatch.setattr("davidgoliath.server.table.table.MOST_BEFORE_HOST", before_host)


def test_whoever_comes_and_goes_leaves_room_for_the_host_and_the_match(place: Place, monkeypatch: Any) -> None:
    few(monkeypatch, 60, 30)

    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, cat, dan = await meeting.join("ann", "cat", "dan")
        await dan.wish(m.Sit, 3)
        for number in range(60):
            await cat.wish(m.Sit, 1 + number % 2)
        assert room.table.seq in (30, 31)
        assert {refused["reason"] for refused in cat.of("refused")} == {"table_full"}
        assert await refusal(ann, m.Lock, True) == ""
        assert await refusal(ann, m.Remove, "cat") == ""
        assert await refusal(ann, m.Start, ["random"]) == ""
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        for _ in range(20):  # in the match nobody can wear the table out by leaving a hand and coming back to it
            await dan.wish(m.Leave)
            await dan.wish(m.Sit, 3)
        assert room.table.seq < 60
        assert await refusal(ann, m.Pause) == ""

    meet(place, scenario, "ann", None, None, None)


def test_what_a_host_may_do_for_ever_comes_to_an_end(place: Place, monkeypatch: Any) -> None:
    few(monkeypatch, 20, 20)

    async def scenario(meeting: Meeting) -> None:
        ann, _ = await meeting.join("ann", "ben")
        for number in range(40):
            await ann.wish(m.PlaceBot, 2, ("random", "casual")[number % 2])
        assert meeting.room.table.seq == 20
        assert await refusal(ann, m.Start) == ""

    meet(place, scenario, "ann", "ben", None)


def test_at_a_full_table_the_way_back_is_open(place: Place, monkeypatch: Any) -> None:
    """To one's seat, to the host's role, and to another match."""

    async def scenario(meeting: Meeting) -> None:
        room = meeting.room
        ann, ben = await meeting.join("ann", "ben")
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        await ben.until(lambda: room.table.to_play == 1 or bool(ann.of("turn")))
        if room.table.to_play == 0:
            await ann.play()
        await room.leave(ann)
        few(monkeypatch, room.table.seq + 3, room.table.seq + 3)
        await room.attempt(lambda table: Change.of(table, [Away(1, "late"), StoodIn(1, "casual"), HostIs("ben")]))
        assert room.table.is_full
        assert await refusal(ben, m.Pause) == "table_full"
        assert await refusal(ben, m.Back) == ""
        assert not room.table.chairs[1].bot
        (ann,) = await meeting.join("ann")
        assert room.table.host == "ann"
        assert await refusal(ann, m.End) == ""
        assert await refusal(ann, m.PlayAgain) == ""
        assert room.table.rematch

    meet(place, scenario, "ann", "ben", "bot:random")


def test_somebody_may_be_there_on_twenty_devices_and_then_the_oldest_goes(place: Place) -> None:
    async def scenario(meeting: Meeting) -> None:
        devices = await meeting.join(*["ann"] * MOST_DEVICES)
        assert not any(device.of("refused") for device in devices)
        await meeting.join("ann")
        assert [len(device.of("refused")) for device in devices] == [1, *[0] * (MOST_DEVICES - 1)]

    meet(place, scenario)
