"""The other servers at the same table: who is there, what a room hears of them, and what it tells them.

Each server with somebody at a table has a room of its own, and one of the rooms acts. What others say waits in the
room's inbox until nothing else happens there, and is then attended to together.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import msgspec

from davidgoliath.rules import Refusal, Seat
from davidgoliath.server.ops.failures import Backoff, report
from davidgoliath.server.peers.contract import ALONE, NOBODY_ACTS, Membership, Peers
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.table.events import Person


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


class TablePeers:
    """The other servers at one table, as this one knows them."""

    def __init__(self, peers: Peers, table: str) -> None:
        self._peers, self._table = peers, table
        self.is_shared = peers.is_shared
        """Whether there may be others."""
        self._membership: Membership = NOBODY_ACTS if peers.is_shared else ALONE

    @property
    def acts(self) -> bool:
        """Whether this server does what is to be done at the table."""
        return self._membership.acts

    @property
    def others(self) -> Sequence[Person]:
        """Who is connected elsewhere, one for each connection; a nameless spectator is an empty text."""
        return self._membership.others

    async def settle(self, people: Sequence[Person]) -> None:
        """Tells the others who is here, and learns who is there."""
        self._membership = await self._peers.settle(self._table, people)

    def lose_touch(self) -> None:
        """We may miss what others do, and they may do what we would."""
        self._membership = NOBODY_ACTS

    async def tell(self, word: Word) -> None:
        if self.others:
            with contextlib.suppress(Refusal):  # a word in passing may get lost
                await self._peers.tell(self._table, msgspec.json.encode(word))


class PeerInbox:
    """What others have said, until it is attended to. Nothing is missed: after a failure all is looked at again."""

    def __init__(self, lock: asyncio.Lock, attend: Callable[[Sequence[News]], Awaitable[None]]) -> None:
        self._lock, self._attend = lock, attend
        self._news: list[News] = []
        self._task: asyncio.Task[None] | None = None

    def put(self, news: News) -> None:
        """To be attended to as soon as nothing else happens in the room."""
        self._news.append(news)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._empty())

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    async def _empty(self) -> None:
        backoff = Backoff()
        while self._news:
            await asyncio.sleep(backoff.left)
            async with self._lock:
                news, self._news = self._news, []
                try:
                    await self._attend(news)
                except Exception as error:  # noqa: BLE001 - whatever it was, nothing may be missed
                    report(error)
                    backoff.begin()
                    self._news.append(Everything())
