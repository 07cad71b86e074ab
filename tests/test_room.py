"""Rooms: what people at a table get and in which order, on a real store."""

import asyncio
import gc
import json
import os
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

from davidgoliath import Card, CardSet, View
from davidgoliath.bots import Bot, make_bot
from davidgoliath.match.effects import Preview, previews
from davidgoliath.match.shuffle import Shuffle
from davidgoliath.server.config import Timing
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import STAND_IN, BotPool
from davidgoliath.server.rooms.broadcast import EMOTES_IN_A_ROW
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.contract import Stored
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import (
    VERSION,
    Committed,
    Dealt,
    HostIs,
    Opened,
    Paused,
    Played,
    Started,
    StoodIn,
    decode,
    encode,
)
from davidgoliath.server.table.table import Phase, Table
from tests.room_clients import QUICK, SHARE, Person, happens_elsewhere, play, play_on


def test_a_whole_match_alone_against_bots(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, watcher = Person(room, "ann"), Person(room, None)
        await room.join(ann, 0)
        await room.join(watcher, 0)
        await ann.wish(m.Start)
        await play_on(ann)
        stored = [decode(event.body) for event in await room.store.events("t1")]
        assert Table.fold(stored) == room.table
        assert len(ann.events()) == len(watcher.events()) == len(stored)
        deals = [event for event in stored if isinstance(event, Dealt)]
        opened = [event for event in stored if isinstance(event, Opened)]
        assert len(deals) == len(opened) == 2
        for dealt, shown in zip(deals, opened, strict=True):
            shuffle = Shuffle.parse(shown.shuffle)
            assert tuple(map(str, shuffle.deal().hands)) == dealt.hands
            assert shuffle.shares == (bytes.fromhex(SHARE), None, None)
        commitments = [event["commitment"] for event in ann.events() if event["type"] == "committed"]
        assert commitments == [Shuffle.parse(shown.shuffle).commitment for shown in opened]

    play(scenario, tmp_path)


def test_nobody_gets_a_hand_that_is_not_theirs(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, ben, watcher = Person(room, "ann"), Person(room, "ben"), Person(room, None)
        for client in (ann, ben, watcher):
            await room.join(client, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        assert room.table.state is not None
        hands = [str(hand) for hand in room.table.state.deal.hands]
        for client, own in ((ann, 0), (ben, 1), (watcher, None)):
            (dealt,) = [event for event in client.events() if event["type"] == "dealt"]
            assert dealt["hands"] == [hand if seat == own else "-" for seat, hand in enumerate(hands)]
            assert "shuffle" not in json.dumps([event for event in client.events() if event["type"] != "opened"])
            legal = {card for turn in client.of("turn") for card in turn["legal"]}
            hand = room.table.state.deal.hands[own] if own is not None else CardSet()
            assert all(Card.parse(card) in hand for card in legal)

    play(scenario, tmp_path, "ann", "ben", "bot:random")


def test_only_players_have_a_share_in_the_shuffle(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, stranger = Person(room, "ann"), Person(room, "eve")
        await room.join(ann, 0)
        await room.join(stranger, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.commitment is not None)
        await room.hear(stranger, m.Share(1, "ff" * 16))
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        assert Shuffle.parse(room.table.shuffles[0]).shares == (None, None, None)

    play(scenario, tmp_path)


def test_a_double_click_plays_one_card(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: bool(ann.of("turn")))
        turn = ann.of("turn")[-1]
        wish = m.Play(turn["seq"], turn["legal"][0])
        await asyncio.gather(*(room.hear(ann, wish) for _ in range(20)))
        played = [event for event in ann.events() if event["type"] == "played" and event["seat"] == 0]
        assert len(played) == 1
        assert [refusal["reason"] for refusal in ann.of("refused")] == ["stale"] * 19

    play(scenario, tmp_path)


def test_what_is_refused_is_said_to_the_asker_alone(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, ben, watcher = Person(room, "ann"), Person(room, "ben"), Person(room, None)
        for client in (ann, ben, watcher):
            await room.join(client, 0)
        await ben.wish(m.Start)
        await watcher.wish(m.Sit, 2)
        await ann.wish(m.PlaceBot, 2, "master")
        await ann.wish(m.Play, "R99")
        reasons = [[refusal["reason"] for refusal in client.of("refused")] for client in (ann, ben, watcher)]
        assert reasons == [["no_such_bot", "no_such_card"], ["not_host"], ["not_seated"]]
        await room.hear(ben, m.Say("wow"))
        assert [said["emote"] for said in ann.of("said")] == ["wow"]

    play(scenario, tmp_path, "ann", "ben", None)


def test_whoever_says_too_much_is_not_heard(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, ben, again = Person(room, "ann"), Person(room, "ben"), Person(room, "ben")
        for client in (ann, ben, again):
            await room.join(client, 0)
        for _ in range(30):
            await room.hear(ben, m.Say("hurry"))
            await room.hear(again, m.Say("hurry"))
        await room.hear(ann, m.Say("wow"))
        said = [said["emote"] for said in ann.of("said")]
        assert said[-1] == "wow"
        assert EMOTES_IN_A_ROW <= said.count("hurry") <= EMOTES_IN_A_ROW + 3
        assert not ben.of("refused")

    play(scenario, tmp_path, "ann", "ben", None)


def test_a_returning_client_gets_one_batch_and_its_turn(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: bool(ann.of("turn")))
        await room.leave(ann)
        assert room.table.paused
        seen = len(ann.events())
        again = Person(room, "ann")
        await room.join(again, seen)
        (batch,) = again.of("batch")
        assert batch["first"] == seen + 1
        assert [told["event"]["type"] for told in batch["events"]] == ["paused"]
        assert not room.table.paused
        assert [turn["previews"] for turn in again.of("turn")] == [ann.of("turn")[-1]["previews"]]

    play(scenario, tmp_path)


def test_a_table_goes_on_if_somebody_is_there_after_all(tmp_path: Path) -> None:
    """Another server saw nobody, just as somebody came to this one; or what brought them back couldn't be stored."""

    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await room.quietly(Change.of(room.table, [Paused(wish=False)]))
        await play_on(ann)

    play(scenario, tmp_path)


def test_a_bot_plays_for_who_lets_the_time_pass(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, ben = Person(room, "ann"), Person(room, "ben")
        await room.join(ann, 0)
        await room.join(ben, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.SCORES)
        kinds = [event["type"] for event in ann.events()]
        assert "stoodin" in kinds
        assert kinds.count("played") == 45
        await ann.until(lambda: room.table.match.standing.deal == 2 and room.table.phase is Phase.PLAYING)

    play(scenario, tmp_path, "ann", "ben", "bot:random", turn_seconds=0)


def test_the_host_role_passes_when_the_host_goes_and_comes_back(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, ben = Person(room, "ann"), Person(room, "ben")
        await room.join(ann, 0)
        await room.join(ben, 0)
        await ann.wish(m.Start)
        await room.leave(ann)
        await ben.until(lambda: room.table.host == "ben")
        await room.join(Person(room, "ann"), 0)
        assert room.table.host == "ann"

    play(scenario, tmp_path, "ann", "ben", "bot:random")


def test_the_host_role_comes_back_also_if_that_could_not_be_stored_when_the_host_did(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, ben = Person(room, "ann"), Person(room, "ben")
        await room.join(ann, 0)
        await room.join(ben, 0)
        await room.quietly(Change.of(room.table, [HostIs("ben")]))
        await ann.until(lambda: room.table.host == "ann")

    play(scenario, tmp_path, "ann", "ben", "bot:random")


@pytest.mark.parametrize("cards", [0, 1, 17])
def test_a_server_that_starts_anew_goes_on(tmp_path: Path, cards: int) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        while not room.table.state or len(room.table.state.plays) < cards:
            await ann.until(lambda: room.table.to_play == 0)
            await ann.play()
        await room.close()
        other = await Room.open("t1", room.store, room.bot_pool, timing=QUICK, source=os.urandom)
        assert other is not None
        assert other.table == room.table
        back = Person(other, "ann")
        await other.join(back, 0)
        await play_on(back)
        assert other.table.phase is Phase.OVER
        await other.close()

    play(scenario, tmp_path)


def test_who_waits_to_deal_while_another_server_does_deals_no_more(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        async with room.one_at_a_time:
            await happens_elsewhere(room, Started())
            await asyncio.sleep(0.05)  # the scheduler wants to deal, and waits for the room
            shuffle = Shuffle.fresh("t1", 1, 0, 3, os.urandom)
            hands = tuple(map(str, shuffle.deal().hands))
            committed = Committed(1, shuffle.commitment, str(shuffle))
            await happens_elsewhere(room, committed, Dealt(1, 0, hands, str(shuffle)))
        await asyncio.sleep(0.2)
        stored = [decode(event.body) for event in await room.store.events("t1")]
        assert [event for event in stored if isinstance(event, Committed)] == [committed]
        assert room.table.phase is Phase.PLAYING

    play(scenario, tmp_path, "ann", "ben", "bob")


def test_a_bot_stands_in_for_who_let_their_time_pass_and_not_for_the_next(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        async with room.one_at_a_time:
            await asyncio.sleep(1.2)  # the time is over, and the scheduler waits for the room
            state, seat = room.table.state, room.table.to_play
            assert state is not None
            assert seat is not None
            await happens_elsewhere(room, Played(seat, str(next(iter(state.legal_cards)))))
        await asyncio.sleep(0.2)
        stored = [decode(event.body) for event in await room.store.events("t1")]
        assert not [event for event in stored if isinstance(event, StoodIn)]

    play(scenario, tmp_path, "ann", "ben", "bob", turn_seconds=1)


def test_a_table_that_all_have_left_pauses_even_if_another_server_was_quicker_with_something_else(
    tmp_path: Path,
) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        async with room.one_at_a_time:
            await room.store.append("t1", room.table.seq + 1, Stored(VERSION, 0.0, encode(HostIs("ann"))))
        await room.leave(ann)
        assert room.table.paused

    play(scenario, tmp_path, "ann", "ben", "bob")


def test_a_rematch_has_the_same_seats(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.PlayAgain)
        assert ann.of("refused")[-1]["reason"] == "match_runs"
        await ann.wish(m.End)
        await ann.wish(m.PlayAgain)
        await ann.wish(m.PlayAgain)
        (rematch,) = [event for event in ann.events() if event["type"] == "rematch"]
        other = await Room.open(rematch["table"], room.store, room.bot_pool, timing=QUICK, source=os.urandom)
        assert other is not None
        assert other.table.chairs == room.table.chairs
        assert other.table.phase is Phase.GATHERING
        await other.close()

    play(scenario, tmp_path)


def test_bots_keep_to_the_pace_that_the_table_chose(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        room.timing = Timing(bot=60.0, shares=0.05, scores=0.05)
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        if room.table.to_play == 0:
            await ann.play()
        assert room.table.to_play != 0
        await asyncio.sleep(0.1)  # a bot has thought, and waits
        await ann.wish(m.SetPace, 0)
        await ann.until(lambda: room.table.to_play == 0)
        assert {"type": "paceset", "milliseconds": 0} in ann.events()

    play(scenario, tmp_path)


def test_a_bot_that_is_interrupted_in_its_thoughts_is_no_failure(tmp_path: Path) -> None:
    failures: list[dict[str, Any]] = []

    async def scenario(room: Room, _file: Path) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        room.timing = Timing(bot=60.0, shares=0.05, scores=0.05)
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        if room.table.to_play == 0:
            await ann.play()
        assert room.table.to_play != 0
        await asyncio.sleep(0.05)  # a bot thinks
        await ann.wish(m.Pause)
        await asyncio.sleep(0.05)
        gc.collect()

    play(scenario, tmp_path)
    assert not failures


def test_people_hear_that_a_bot_is_not_there_yet_and_when_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()

    def made_late(name: str) -> Bot:
        assert name == STAND_IN or gate.wait(20)
        return make_bot(name)

    async def scenario(room: Room, _file: Path) -> None:
        monkeypatch.setattr("davidgoliath.server.rooms.bot_pool.make_bot", made_late)
        room.bot_pool.close()
        room.bot_pool = BotPool(["random"], 1, lambda: Random(1))
        ann, ben = Person(room, "ann"), Person(room, "ben")
        await room.join(ann, 0)
        await room.join(ben, 0)
        assert not ann.of("warming")
        await ann.wish(m.PlaceBot, 2, "random")
        late = Person(room, None)
        await room.join(late, 0)
        await ann.wish(m.Start)
        await ann.until(lambda: room.table.phase is Phase.PLAYING)
        gate.set()
        for client in (ann, ben, late):
            await client.until(lambda client=client: len(client.of("warming")) == 2)  # type: ignore[misc]
            assert [message["ready"] for message in client.of("warming")] == [False, True]
        again = Person(room, None)
        await room.join(again, 0)
        assert not again.of("warming")
        room.bot_pool.close()

    play(scenario, tmp_path, "ann", "ben", None)


def test_two_rooms_on_one_table_never_play_a_card_twice(tmp_path: Path) -> None:
    """As two workers would: whoever is too late catches up."""

    async def scenario(room: Room, _file: Path) -> None:
        other = await Room.open("t1", room.store, room.bot_pool, timing=QUICK, source=os.urandom)
        assert other is not None
        ann, elsewhere = Person(room, "ann"), Person(other, "ann")
        await room.join(ann, 0)
        await other.join(elsewhere, 0)
        await ann.wish(m.Start)
        await elsewhere.wish(m.Start)
        assert [refusal["reason"] for refusal in elsewhere.of("refused")] == ["stale"]
        assert other.table.phase is not Phase.GATHERING
        stored = await room.store.events("t1")
        assert [json.loads(event.body)["type"] for event in stored].count("started") == 1
        await other.close()

    play(scenario, tmp_path)


def test_in_a_room_whose_table_the_operator_closed_nothing_happens(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await room.store.close_table("t1")
        await ann.wish(m.Start)
        assert ann.of("refused")[-1]["reason"] == "table_closed"
        assert room.table.seq == 1
        await room.store.delete_table("t1")
        await ann.wish(m.Start)
        assert ann.of("refused")[-1]["reason"] == "table_closed"

    play(scenario, tmp_path)


def test_a_card_leaves_for_everyone_before_the_next_hand_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_its_way: list[bytes] = []
    looked: list[bool] = []

    class Watcher(Person):
        """Whose messages leave with the loop's next round, as a socket's do."""

        def send(self, *messages: bytes) -> None:
            super().send(*messages)
            for message in messages:
                on_its_way.append(message)
                asyncio.get_running_loop().call_soon(on_its_way.remove, message)

    def look(view: View) -> list[Preview]:
        looked.append(not any(message.startswith(b'["happened"') for message in on_its_way))
        return previews(view)

    monkeypatch.setattr("davidgoliath.server.rooms.broadcast.previews", look)

    async def scenario(room: Room, _file: Path) -> None:
        ann, watcher = Person(room, "ann"), Watcher(room, None)
        await room.join(ann, 0)
        await room.join(watcher, 0)
        await ann.wish(m.Start)
        await play_on(ann)

    play(scenario, tmp_path)
    assert len(looked) >= 30
    assert all(looked)
