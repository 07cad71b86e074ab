"""What a room hears of other servers at the same table, and tells them: events, who is there, words in passing.

Each server with somebody at a table has a room of its own, and one of the rooms acts. A room that may have missed
something reads all that it doesn't know.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from davidgoliath.rules import Refusal, Seat
from davidgoliath.server import messages as m
from davidgoliath.server.company import ALONE, NOBODY_ACTS, Company, Neighbours
from davidgoliath.server.events import Person
from davidgoliath.server.trouble import Rest, report

if TYPE_CHECKING:
    from davidgoliath.server.room import Client, Room


@dataclass(frozen=True, slots=True)
class Changed:
    """There are events up to this number."""

    seq: int


@dataclass(frozen=True, slots=True)
class PeopleChanged:
    """Somebody came to another server, or went from it; or nobody acts any more."""


@dataclass(frozen=True, slots=True)
class PersonChanged:
    """Somebody has another name, or none."""

    person: Person


@dataclass(frozen=True, slots=True)
class Everything:
    """We may have missed anything."""


class SharedElsewhere(msgspec.Struct, frozen=True, tag="share"):
    """A seat's share in the shuffle, sent to another server."""

    seat: Seat
    deal: int
    share: str


Word = SharedElsewhere | m.Said
"""What rooms tell each other in passing."""
News = Changed | PeopleChanged | PersonChanged | Everything | SharedElsewhere | m.Said


class Ears:
    """Listens for as long as its room is open."""

    def __init__(self, room: "Room", neighbours: Neighbours) -> None:
        self.room, self.neighbours = room, neighbours
        self.company: Company = NOBODY_ACTS if neighbours.is_shared else ALONE
        """Who else is at the table, and whether this room acts."""
        self._news: list[News] = []
        self._task: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    async def settle(self, *clients: "Client") -> None:
        """Tells the others who is here. If that fails nothing is done here until it has succeeded."""
        try:
            self.company = await self.neighbours.settle(self.room.name, [client.person or "" for client in clients])
        except Refusal as refusal:
            report(refusal)
            self.lose_touch()
            self.overhear(Everything())
        self.room.look_again()

    def lose_touch(self) -> None:
        """We may miss what others do, and they may do what we would."""
        self.company = NOBODY_ACTS
        self.room.tell_saving(False)
        self.room.look_again()

    async def pass_on(self, word: Word) -> None:
        if self.company.others:
            with contextlib.suppress(Refusal):  # a word in passing may get lost
                await self.neighbours.tell(self.room.name, msgspec.json.encode(word))

    def overhear(self, news: News) -> None:
        """To be attended to as soon as nothing else happens in the room."""
        if isinstance(news, Changed) and news.seq <= self.room.table.seq:
            return
        self._news.append(news)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._attend())

    async def _attend(self) -> None:
        rest = Rest()
        while self._news:
            await asyncio.sleep(rest.left)
            async with self.room.one_at_a_time:
                news, self._news = self._news, []
                try:
                    await self._take_in(news)
                except Exception as error:  # noqa: BLE001 - whatever it was, nothing may be missed
                    report(error)
                    rest.begin()
                    self._news.append(Everything())

    async def _take_in(self, news: Sequence[News]) -> None:
        """Others must know of us before we read what we have missed: from then on we are told.

        Words in passing come last, since they may refer to events.
        """
        room = self.room
        is_settled = any(isinstance(one, Everything | PeopleChanged) for one in news)
        if is_settled:
            here = [client.person or "" for client in room.clients]
            self.company = await self.neighbours.settle(room.name, here)
            room.look_again()
        if any(isinstance(one, Everything) for one in news):
            room.attendance.call_anew()
        if any(isinstance(one, Everything) or (isinstance(one, Changed) and one.seq > room.table.seq) for one in news):
            await room.catch_up()
        if any(isinstance(one, Everything) for one in news):
            await room.check_tokens(*room.clients)
        if is_settled:
            room.tell_saving(True)
            room.attendance.changed()
        for one in news:
            match one:
                case PersonChanged(person=person):
                    await room.know_anew(person)
                case SharedElsewhere(seat=seat, deal=deal, share=share):
                    room.takes_share(seat, deal, share)
                case m.Said():
                    room.tell(m.write(one))
