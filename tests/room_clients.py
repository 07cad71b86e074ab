"""A room in this process, on a real store, and clients that keep what it tells them."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

from tools.decode_message import decode_message

from davidgoliath.server.config import Timing
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.contract import Stored, TableRow
from davidgoliath.server.store.sqlite.store import SqliteStore
from davidgoliath.server.table.events import (
    VERSION,
    AnyEvent,
    Created,
    encode,
)
from davidgoliath.server.table.table import Phase

QUICK = Timing(bot=0.0, shares=0.05, scores=0.05, grace=0.05)
SHARE = "00112233445566778899aabbccddeeff"


class Person:
    """A client that keeps what it gets, and sends its share as a page does."""

    def __init__(self, room: Room, person: str | None) -> None:
        self.room, self.person = room, person
        self.token: bytes | None = None
        self.address = ""
        self.got: list[dict[str, Any]] = []
        self.sent = asyncio.Event()

    def send(self, *messages: bytes) -> None:
        self.got += map(decode_message, messages)
        self.sent.set()

    def dismiss(self, message: bytes) -> None:
        self.send(message)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.got if message["type"] == kind]

    def events(self) -> list[dict[str, Any]]:
        """All events, whether they came one by one or as a batch."""
        found: list[dict[str, Any]] = []
        for message in self.got:
            if message["type"] == "batch":
                found += [told["event"] for told in message["events"]]
            elif message["type"] == "happened":
                assert message["seq"] == len(found) + 1
                found.append(message["event"])
        return found

    async def wish(self, kind: type[m.Wish], *fields: Any) -> None:
        await self.room.hear(self, kind(self.room.table.seq, *fields))  # type: ignore[arg-type]

    async def play(self) -> None:
        """The first legal card, once it is this person's turn: that is told a little later than the card before."""
        await self.until(lambda: any(turn["seq"] == self.room.table.seq for turn in self.of("turn")))
        await self.wish(m.Play, self.of("turn")[-1]["legal"][0])

    async def until(self, ready: Callable[[], bool]) -> None:
        while not ready():
            self.sent.clear()
            await asyncio.wait_for(self.sent.wait(), 20)


def play(
    scenario: Callable[[Room, Path], Awaitable[None]],
    tmp_path: Path,
    *seats: str | None,
    store_kind: type[SqliteStore] = SqliteStore,
    **terms: Any,
) -> None:
    """Runs a scenario in a room of its own."""

    async def main() -> None:
        file = tmp_path / "tables.db"
        store = store_kind(file)
        bot_pool = BotPool(["casual", "random"], 1, lambda: Random(1))
        created = Created("ann", seats or ("ann", "bot:random", "bot:random"), "classic deals=2", **terms)
        await store.create_table(TableRow("t1", 0.0), Stored(VERSION, 0.0, encode(created)))
        room = await Room.open("t1", store, bot_pool, timing=QUICK, source=os.urandom)
        assert room is not None
        try:
            await scenario(room, file)
        finally:
            await room.close()
            bot_pool.close()
            await store.close()

    asyncio.run(main())


async def play_on(person: Person) -> None:
    """Does what a person has to do, to the end of the match: the first legal card, a share, a look at the scores."""
    room, shared = person.room, 0
    while not room.table.match.is_over:
        table, seat = room.table, room.table.seat_of(str(person.person))
        person.sent.clear()
        turn = (person.of("turn") or [{"seq": 0}])[-1]
        if table.to_play == seat and turn["seq"] == table.seq:
            await person.wish(m.Play, turn["legal"][0])
        elif table.phase is Phase.SCORES and seat not in table.gone_on:
            await person.wish(m.GoOn)
        elif table.commitment and table.commitment.deal > shared:
            shared = table.commitment.deal
            await room.hear(person, m.Share(shared, SHARE))
        else:
            await asyncio.wait_for(person.sent.wait(), 20)


async def happens_elsewhere(room: Room, *events: AnyEvent) -> None:
    """Another server stores something, and this one hears of it."""
    await room.store.append("t1", room.table.seq + 1, *(Stored(VERSION, 0.0, encode(event)) for event in events))
    await room.catch_up()
