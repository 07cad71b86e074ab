"""What bots say of tricks: of what everyone sees, seldom, and whatever lies in hands."""

import asyncio
from itertools import pairwise
from pathlib import Path
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from davidgoliath import Deal, DealState
from davidgoliath.bots import LADDER
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.protocol.messages import EMOTES
from davidgoliath.server.rooms.history import Step, steps
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.contract import Stored
from davidgoliath.server.table.events import VERSION, AnyEvent, Created, Dealt, Played, Started, StoodIn, encode
from davidgoliath.server.table.reactions import PAUSE, TEMPERAMENTS, Reaction, number_of_trick, reaction
from davidgoliath.server.table.table import Phase
from tests.games import randoms, states, swapped
from tests.room_clients import Person, happens_elsewhere, play, play_on

ROOM_OF_BOTS = ("ann", "bot:beginner", "bot:casual", "bot:beginner")


def told(state: DealState, bots: list[str], *more: AnyEvent) -> list[Step]:
    """A table at which the deal has come so far, with a person and bots."""
    seats = ("ann", *(f"bot:{bot}" for bot in bots))
    happened: list[AnyEvent] = [Created("ann", seats, str(state.rules)), Started(), *more]
    happened.append(Dealt(1, state.deal.dealer, tuple(map(str, state.deal.hands)), "injected"))
    replay = state.at(0)
    for card in state.plays:
        assert replay.to_play is not None
        happened.append(Played(replay.to_play, str(card)))
        replay = replay.play(card)
    return list(steps(None, [Stored(VERSION, 0.0, encode(event)) for event in happened]))


def reactions(name: str, taken: list[Step]) -> list[Reaction | None]:
    return [
        reaction(name, before.table, step.table, step.did.took) for before, step in pairwise(taken) if step.did.took
    ]


@settings(max_examples=settings().max_examples // 2)
@given(states(), st.integers(0, 5), randoms, st.sampled_from(["t1", "t2", "t3"]))
def test_hidden_cards_change_no_reaction(state: DealState, number: int, rng: Random, name: str) -> None:
    other = swapped(state, number % state.players, rng)
    assume(other.deal != state.deal)
    bots = [rng.choice(LADDER) for _ in range(state.players - 1)]
    said = reactions(name, told(state, bots))
    assert said == reactions(name, told(other, bots))


def whole_deals(bots: list[str], count: int) -> list[Reaction | None]:
    found: list[Reaction | None] = []
    for number in range(count):
        rng = Random(number)
        state = DealState.start(Deal.shuffled(len(bots) + 1, rng))
        while state.to_play is not None:
            state = state.play(rng.choice(list(state.legal_cards)))
        found += reactions(f"table {number}", told(state, bots))
    return found


def test_bots_speak_seldom_each_by_its_temperament() -> None:
    rates = {}
    for bot in LADDER:
        said = whole_deals([bot] * 3, 12)
        words = {one.emote for one in said if one}
        assert words <= {emote for emote, _ in TEMPERAMENTS.get(bot, {}).values()}
        assert all(one.seat in (1, 2, 3) for one in said if one)
        rates[bot] = sum(map(bool, said)) / len(said)
    assert rates["random"] == 0
    assert 0.1 < rates["beginner"] < 0.6
    assert rates["master"] < rates["expert"] <= rates["club"] < rates["casual"] < rates["beginner"]


def test_what_bots_say_is_an_emote_and_never_presses_anyone() -> None:
    words = {emote for temperament in TEMPERAMENTS.values() for emote, _ in temperament.values()}
    assert words <= {*EMOTES} - {"hurry", "hello"}
    assert set(TEMPERAMENTS) <= set(LADDER)


def test_a_stand_in_says_nothing_for_a_person() -> None:
    rng, said = Random(7), 0
    for number in range(10):
        state = DealState.start(Deal.shuffled(4, rng))
        while state.to_play is not None:
            state = state.play(rng.choice(list(state.legal_cards)))
        found = reactions(f"t{number}", told(state, ["random"] * 3, StoodIn(0, "beginner")))
        said += sum(map(bool, found))
    assert said == 0


def test_a_room_tells_reactions_right_after_their_trick_and_keeps_quiet_for_a_while(tmp_path: Path) -> None:
    async def scenario(room: Room, _: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await play_on(ann)
        tricks, spoken = 0, []
        for before, message in pairwise(ann.got):
            tricks += bool(message.get("took"))
            if message["type"] == "said":
                assert before["type"] == "happened"
                assert before.get("took") or before["event"]["type"] == "opened"
                spoken.append(tricks)
        assert spoken
        assert all(later - earlier >= PAUSE or later == 30 for earlier, later in pairwise(spoken))
        assert room.table.phase is Phase.OVER
        assert number_of_trick(room.table) == 30

    play(scenario, tmp_path, *ROOM_OF_BOTS)


def test_only_the_server_that_acts_says_it(tmp_path: Path) -> None:
    async def scenario(room: Room, _: Path) -> None:
        ann = Person(room, "ann")
        await room.join(ann, 0)
        room.lose_touch()  # another one acts, for all that we know
        state = DealState.start(Deal.shuffled(4, Random(3)))
        rng = Random(3)
        happened: list[AnyEvent] = [
            Started(),
            Dealt(1, state.deal.dealer, tuple(map(str, state.deal.hands)), "injected"),
        ]
        while state.to_play is not None:
            card = rng.choice(list(state.legal_cards))
            happened.append(Played(state.to_play, str(card)))
            state = state.play(card)
        for event in happened:
            await happens_elsewhere(room, event)
        assert len([message for message in ann.got if message.get("took")]) == 15
        await asyncio.sleep(0)
        assert ann.of("said") == []

    play(scenario, tmp_path, *ROOM_OF_BOTS)
