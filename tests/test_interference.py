"""Non-interference: what a client gets doesn't depend on cards that its seat can't know, to the last byte.

A deal is stored twice, alike but for the cards in other hands; what was played so far is the same. The seat's client
and a spectator then connect, are told everything, say what they shouldn't, and play while it is their turn: all that
they get must be the same in both games, sizes and order included.
"""

import asyncio
import tempfile
from pathlib import Path
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from davidgoliath import Deal, DealState
from davidgoliath.server.config import Timing
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.contract import Stage, Stored, TableRow
from davidgoliath.server.store.sqlite.store import SqliteStore
from davidgoliath.server.table.events import VERSION, AnyEvent, Committed, Created, Dealt, Played, Started, encode
from tests.games import randoms, states, swapped

STILL = Timing(bot=1000.0, shares=1000.0, scores=1000.0, grace=1000.0)
"""Nobody but the clients does anything."""


class Timeless(Room):
    """What is told of time is the same, however long a test takes."""

    passed = 0.0


class Client:
    """Keeps every byte."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.token: bytes | None = None
        self.address = ""
        self.got: list[bytes] = []

    def send(self, *messages: bytes) -> None:
        self.got += messages

    def dismiss(self, message: bytes) -> None:
        self.send(message)


def events_of(state: DealState, own: int) -> list[AnyEvent]:
    """A table at which the deal has come so far; persons in all seats."""
    people = tuple("me" if seat == own else f"p{seat}" for seat in range(state.players))
    dealt = Dealt(1, state.deal.dealer, tuple(map(str, state.deal.hands)), "the secret of " + str(state.deal.hands))
    start: list[AnyEvent] = [
        Created("me", people, str(state.rules)),
        Started(),
        Committed(1, "the commitment, injected", "the secret"),
        dealt,
    ]
    replay = state.at(0)
    for card in state.plays:
        assert replay.to_play is not None
        start.append(Played(replay.to_play, str(card)))
        replay = replay.play(card)
    return start


async def watch(state: DealState, own: int, folder: Path) -> tuple[list[bytes], list[bytes]]:
    """What the seat's client and a spectator get."""
    store = SqliteStore(folder / "tables.db")
    bot_pool = BotPool(["random"], 1, lambda: Random(1))
    stored = [Stored(VERSION, 0.0, encode(event)) for event in events_of(state, own)]
    await store.create_table(TableRow("t", 0.0, Stage.RUNNING), *stored)
    room = await Timeless.open("t", store, bot_pool, timing=STILL, source=bytes, now=lambda: 0.0)
    assert room is not None
    me, spectator = Client("me"), Client(None)
    await room.join(me, 0)
    await room.join(spectator, 0)
    for card in ("R1", "Y2", "V9", "G18"):  # most of these are refused, one way or another
        await room.hear(me, m.Play(room.table.seq, card))
        await room.hear(spectator, m.Play(room.table.seq, card))
    while room.table.to_play == own and state.players > len(room.table.match.deals[-1].table) + 1:
        await room.hear(me, m.Play(room.table.seq, str(min(room.table.match.deals[-1].legal_cards))))
    again = Client("me")
    await room.join(again, 2)
    await room.close()
    bot_pool.close()
    await store.close()
    return [*me.got, *again.got], spectator.got


@settings(max_examples=settings().max_examples // 5)
@given(states(), st.integers(0, 5), randoms)
def test_every_byte_is_the_same(state: DealState, number: int, rng: Random) -> None:
    assume(state.to_play is not None)
    own = number % state.players
    other = swapped(state, own, rng)
    assume(other.deal != state.deal)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        mine, theirs = asyncio.run(watch(state, own, Path(one)))
        mine_again, theirs_again = asyncio.run(watch(other, own, Path(two)))
    assert mine == mine_again
    assert theirs == theirs_again
    assert any(b'"dealt"' in message for message in mine)


def test_a_leak_would_be_noticed() -> None:
    """The two games do differ, for a seat whose cards were exchanged."""
    state = DealState.start(Deal.shuffled(3, Random(4)))
    other = swapped(state, 0, Random(1))
    changed = next(seat for seat in (1, 2) if state.hands[seat] != other.hands[seat])
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        mine, _ = asyncio.run(watch(state, changed, Path(one)))
        mine_again, _ = asyncio.run(watch(other, changed, Path(two)))
    assert mine != mine_again
