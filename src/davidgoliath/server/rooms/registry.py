"""The registry: all rooms that are open here, and the people in them."""

import asyncio
import contextlib
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from davidgoliath.bots import BOT
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Refusal, RuleSet, deck
from davidgoliath.server.config import Timing
from davidgoliath.server.peers.alone import Alone
from davidgoliath.server.peers.contract import Peers
from davidgoliath.server.people.names import cleaned
from davidgoliath.server.people.stones import Stone
from davidgoliath.server.people.tokens import code_in, new_code, new_id, new_token, token_hash
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.overview import Overview
from davidgoliath.server.rooms.peer_inbox import Changed, Everything, PeopleChanged, PersonChanged, Word
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.server.rooms.reviews import Reviews
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.rooms.table_cache import TableCache
from davidgoliath.server.store.contract import DAY, MemberRow, PersonRow, Store, Stored, TableRow, TokenRow
from davidgoliath.server.table.events import VERSION, Created, Person, encode
from davidgoliath.server.table.table import Table

SLOWEST_TURN: Final = 3600
MOST_TOKENS: Final = 10
"""Of one person at a time."""
MOST_VISITS: Final = 10_000
"""So many people are remembered as noted today."""
CODES_TRIED: Final = 3
"""So often another table may have the code that was drawn: with 100,000 of them waiting, once in 600 draws."""


@dataclass(slots=True)
class Door:
    """Of a room that somebody opens, visits or closes: one at a time opens or closes it, and nobody else waits."""

    visitors: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Registry:
    """Opens rooms when somebody comes, and closes them when nobody is left."""

    def __init__(
        self,
        store: Store,
        bot_pool: BotPool,
        *,
        timing: Timing | None = None,
        peers: Peers | None = None,
        source: Callable[[int], bytes] = secrets.token_bytes,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.bot_pool, self.timing = store, bot_pool, timing or Timing()
        self._source, self._now = source, now
        self.peers = peers or Alone()
        self.overview = Overview(store)
        self.reviews = Reviews(store, bot_pool, is_shared=self.peers.is_shared, now=now)
        self._memory = TableCache(store)
        self._visits: OrderedDict[Person, float] = OrderedDict()
        """When those who came lately were last noted as here."""
        self._noting: set[asyncio.Task[None]] = set()
        self._rooms: dict[str, Room] = {}
        self._doors: dict[str, Door] = {}

    # People

    async def new_person(self, name: str) -> tuple[Person, str]:
        """Somebody new: their id, and the token that only they get."""
        token = new_token()
        person = PersonRow(new_id(), cleaned(name), self._now())
        await self.store.add_person(person, TokenRow(token_hash(token), person.id, self._now()))
        return person.id, token

    async def person_of(self, token: str | None) -> Person | None:
        """Whose token it is; a wrong one is refused."""
        if token is None:
            return None
        person = await self.store.person_of(token_hash(token))
        if person is None:
            raise Refusal(RoomReason.TOKEN_UNKNOWN)
        self._visited(person.id)
        return person.id

    def _visited(self, person: Person) -> None:
        """Somebody is here, which is noted once a day, beside what they want: their figures stay for a while again."""
        now = self._now()
        if self._visits.get(person, 0.0) + DAY > now:
            return
        self._visits[person] = now
        if len(self._visits) > MOST_VISITS:
            self._visits.popitem(last=False)
        noting = asyncio.create_task(self._note_visit(person, now))
        self._noting.add(noting)
        noting.add_done_callback(self._noting.discard)

    async def _note_visit(self, person: Person, now: float) -> None:
        try:
            await self.store.visit(person, now)
        except Refusal:
            self._visits.pop(person, None)  # the next time will do

    async def new_token(self, person: Person) -> str:
        """Another token for somebody."""
        token = new_token()
        if not await self.store.add_token(TokenRow(token_hash(token), person, self._now()), MOST_TOKENS):
            raise Refusal(RoomReason.TOO_MANY_TOKENS, most=MOST_TOKENS)
        return token

    async def sign_out_others(self, person: Person, token: str) -> int:
        """Takes back all tokens of somebody but this, and ends what is connected by them, at any server."""
        revoked = await self.store.revoke(person, token_hash(token))
        if revoked is None:
            raise Refusal(RoomReason.TOKEN_UNKNOWN)  # somebody was quicker, by another token
        await self._tell_who_know(person)
        return revoked

    async def rename(self, person: Person, name: str) -> str:
        """Gives somebody another name, and tells those at their tables."""
        new = cleaned(name)
        await self.store.rename(person, new)
        await self._tell_who_know(person)
        return new

    async def choose_stone(self, person: Person, stone: Stone) -> None:
        """Gives somebody a stone of their own, and tells those at their tables."""
        await self.store.choose_stone(person, str(stone))
        await self._tell_who_know(person)

    async def forget(self, person: Person) -> None:
        """Deletes name, tokens and history of somebody, who first gives up all seats."""
        data = await self.store.personal_data(person)
        for entry in data.tables if data else ():
            with contextlib.suppress(Refusal):  # a table that has gone meanwhile
                async with self.visit(entry.table.id) as room:
                    await room.forget(person)
        await self.store.delete_person(person)
        await self._tell_who_know(person)

    async def _tell_who_know(self, person: Person) -> None:
        for room in [room for room in self._rooms.values() if room.knows(person)]:
            await room.call_anew(person)
        with contextlib.suppress(Refusal):  # what has changed is stored: others will find out in time
            await self.peers.tell_of(person)

    # What other servers say

    def changed(self, table: str, seq: int) -> None:
        if room := self._rooms.get(table):
            room.overhear(Changed(seq))

    def people_changed(self, table: str) -> None:
        if room := self._rooms.get(table):
            room.overhear(PeopleChanged())

    def told(self, table: str, message: bytes) -> None:
        if room := self._rooms.get(table):
            room.overhear(msgspec.json.decode(message, type=Word))

    def person_changed(self, person: Person) -> None:
        for room in self._rooms.values():
            if room.knows(person):
                room.overhear(PersonChanged(person))

    def lost(self) -> None:
        for room in self._rooms.values():
            room.lose_touch()

    def found(self) -> None:
        for room in self._rooms.values():
            room.overhear(Everything())

    # Tables

    async def new_table(
        self,
        host: Person,
        seats: Sequence[str | None],
        rules: str = "classic",
        turn_seconds: int | None = None,
        takeover: bool = False,
        public: bool = False,
        hints: bool = False,
    ) -> str:
        """A table, with the host in its first open seat."""
        deck(len(seats))
        if hints:
            self.bot_pool.study.check()
        for player in seats:
            if player is not None:
                self.bot_pool.check(player.removeprefix(BOT))
        if turn_seconds is not None and not 1 <= turn_seconds <= SLOWEST_TURN:
            raise Refusal(
                NotationReason.NUMBER_RANGE, field="turn_seconds", number=turn_seconds, low=1, high=SLOWEST_TURN
            )
        places = [f"{BOT}{player.removeprefix(BOT)}" if player else None for player in seats]
        if None not in places:
            raise Refusal(RoomReason.NO_OPEN_SEAT)
        places[places.index(None)] = host
        created = Created(
            host=host,
            seats=tuple(places),
            rules=str(RuleSet.parse(rules)),
            turn_seconds=turn_seconds,
            takeover=takeover,
            public=public,
            hints=hints,
        )
        while True:
            table = new_id()
            row = TableRow(table, self._now(), is_listed=Table.begin(created).is_listed)
            if await self.store.create_table(row, Stored(VERSION, self._now(), encode(created))):
                await self.store.join(MemberRow(table, host, self._now()))
                return table

    async def code(self, table: str) -> str | None:
        """By which people find a table that waits for them, and read out to each other."""
        for _ in range(CODES_TRIED):
            if code := await self.store.code(table, new_code()):
                return code
        return None

    async def table_of(self, code: str) -> str:
        """The table that waits under a code, however somebody writes it."""
        table = await self.store.table_of(code_in(code))
        if table is None:
            raise Refusal(RoomReason.NO_SUCH_CODE)
        return table

    @contextlib.asynccontextmanager
    async def visit(self, table: str) -> AsyncIterator[Room]:
        """The room of a table, which is open as long as anybody visits it."""
        door = self._doors.setdefault(table, Door())
        door.visitors += 1
        try:
            async with door.lock:
                room = self._rooms.get(table) or await Room.open(table, self.store, self.bot_pool, **self._terms)
                if room is None:
                    raise Refusal(RoomReason.NO_SUCH_TABLE)
                self._rooms[table] = room
            yield room
        finally:
            door.visitors -= 1
            async with door.lock:
                if not door.visitors and self._doors.get(table) is door:
                    if table in self._rooms:
                        room = self._rooms.pop(table)
                        await room.close()
                        self._memory.keep(table, room.history)
                    if not door.visitors:
                        del self._doors[table]

    @property
    def tables(self) -> frozenset[str]:
        """Where somebody is."""
        return frozenset(self._rooms)

    @property
    def _terms(self) -> dict[str, Any]:
        known = {"memory": self._memory, "peers": self.peers}
        return {"timing": self.timing, "source": self._source, "now": self._now, **known}

    async def close(self) -> None:
        """Nothing happens in any room any more."""
        self.reviews.close()
        for room in [*self._rooms.values()]:
            await room.close()
