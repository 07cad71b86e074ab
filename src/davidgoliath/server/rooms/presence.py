"""Who is in a room, what they are called and what their stones look like, as everyone there is told.

Whoever comes is told at once. The others hear of it at once too, unless somebody else has come or gone lately: then it
is told with what else changes soon. So however many come and go, people get a few messages a second about it, the other
servers too, and the store is asked for a name once.
"""

import asyncio
from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from davidgoliath.server.ops.failures import Backoff, report
from davidgoliath.server.people.names import named
from davidgoliath.server.people.stones import Stone, stones
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.client import Client
from davidgoliath.server.rooms.peer_inbox import TablePeers
from davidgoliath.server.store.contract import PersonRow, Store
from davidgoliath.server.table.events import Person
from davidgoliath.server.table.table import Table

INTERVAL: Final = 0.25
"""So many seconds lie between two tellings."""
MOST_NAMES: Final = 500
"""So many are remembered before those of people who have gone are forgotten."""


class Roster(NamedTuple):
    """Who is there and what they are called, as somebody has been told it."""

    names: dict[Person, str]
    stones: dict[Person, Stone]
    present: m.Present


class Gathering(Protocol):
    """What is to be known of a room."""

    store: Store
    peers: TablePeers

    @property
    def table(self) -> Table: ...

    @property
    def clients(self) -> Iterable[Client]: ...

    def connected(self) -> list[Person]:
        """Who is connected here, one for each connection."""
        ...

    async def settle(self) -> None:
        """Tells the other servers who is here."""


class Presence:
    """Of a room, for as long as it is open."""

    def __init__(self, room: Gathering) -> None:
        self._room = room
        self._called: dict[Person, PersonRow | None] = {}
        """What the store has of people; None for somebody whom it knows no longer."""
        self._asked: set[Person] = set()
        """Whose names are on their way."""
        self._told: dict[Client, Roster] = {}
        """What those who are here know."""
        self._has_changed = self._is_unsettled = False
        self._task: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    @property
    def watchers(self) -> int:
        """How many connections to any server are of people without a seat."""
        return sum(self._room.table.seat_of(person) is None for person in self._connected())

    def knows(self, person: Person) -> bool:
        """Whether people here have heard a name of somebody, or are about to."""
        return person in self._called or person in self._asked

    def changed(self) -> None:
        """Somebody came, went, sat down or stood up."""
        self._has_changed = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._tell())

    def watchers_changed(self) -> None:
        """Somebody without a seat came or went: other servers hear of that in groups too."""
        self._is_unsettled = self._room.peers.is_shared
        self.changed()

    def call_anew(self, *persons: Person) -> None:
        """These have another name, or none; without any, that may be so of everyone."""
        for person in persons or (*self._called, *self._asked):
            self._called.pop(person, None)
            self._asked.discard(person)
        self.changed()

    async def learn(self, *persons: Person) -> None:
        """Asks for all names that aren't known here, and again for one that has changed meanwhile."""
        while wanted := {*self._wanted(), *persons}.difference(self._called):
            self._asked |= wanted
            try:
                known = await self._room.store.persons(*sorted(wanted))
                self._called |= {person: known.get(person) for person in wanted & self._asked}
            finally:
                self._asked -= wanted

    def greet(self, client: Client) -> None:
        """Tells somebody who comes all names, and who is here."""
        self._told[client] = now = self._now()
        for message in _news(None, now):
            client.send(message)

    async def _tell(self) -> None:
        rest = Backoff()
        while self._has_changed:
            self._has_changed = False
            try:
                await self._settle()
                await self.learn()
                self._tell_everyone()
                rest.end()
            except Exception as error:  # noqa: BLE001 - whatever it was, people are to hear who is here
                report(error)
                rest.begin()
                self._has_changed = True
            await asyncio.sleep(max(INTERVAL, rest.left))

    async def _settle(self) -> None:
        if self._is_unsettled:
            self._is_unsettled = False
            await self._room.settle()

    def _tell_everyone(self) -> None:
        """What is new to them: to most the same."""
        now, news = self._now(), {}
        for client in self._room.clients:
            before = self._told.get(client)
            if id(before) not in news:
                news[id(before)] = _news(before, now)
            for message in news[id(before)]:
                client.send(message)
        self._told = dict.fromkeys(self._room.clients, now)
        if len(self._called) > MOST_NAMES:
            self._called = {person: row for person, row in self._called.items() if person in now.names}

    def _now(self) -> "Roster":
        names = {person: row.name for person, row in self._called.items() if row}
        chosen = {person: row.stone for person, row in self._called.items() if row}
        return Roster(named(self._wanted(), names), stones(self._seated(), chosen), self._here())

    def _wanted(self) -> list[Person]:
        return list(dict.fromkeys((*self._seated(), *self._here().persons)))

    def _seated(self) -> list[Person]:
        """Who has a seat, or is promised one: only these are shown as stones."""
        return list(dict.fromkeys((*self._room.table.arrivals, *self._room.table.heirs)))

    def _here(self) -> m.Present:
        connected = self._connected()
        persons = sorted({person for person in connected if person})
        unseated = sum(self._room.table.seat_of(person) is None for person in persons)
        return m.Present(persons, unseated + connected.count(""))

    def _connected(self) -> list[Person]:
        return [*self._room.connected(), *self._room.peers.others]


def _news(before: Roster | None, now: Roster) -> list[bytes]:
    """What has changed, for whoever knows what was before."""
    names, stones = now.names, now.stones
    if before:
        names = {person: name for person, name in names.items() if before.names.get(person) != name}
        stones = {person: stone for person, stone in stones.items() if before.stones.get(person) != stone}
    news: list[m.AnyFromServer] = [m.Names(names, stones)] if names or stones or not before else []
    if not before or before.present != now.present:
        news.append(now.present)
    return list(map(m.write, news))
