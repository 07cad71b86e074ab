"""What the server does by itself at a table: deals, bots' cards, clocks, a bot for somebody who is away.

What is due follows from the table alone, so a server that starts anew goes on where the last one was. What has been
decided becomes an event as any wish does, in the room.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from davidgoliath.match.shuffle import SHARE_SIZE, Shuffle
from davidgoliath.rules import Card, Seat
from davidgoliath.server.config import Timing
from davidgoliath.server.ops.failures import Backoff, report
from davidgoliath.server.ops.logs import about
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.dispatch import for_absent
from davidgoliath.server.rooms.peer_inbox import TablePeers
from davidgoliath.server.rooms.stopwatch import Stopwatch
from davidgoliath.server.table import commands
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import (
    AnyEvent,
    Away,
    Committed,
    Dealt,
    HostIs,
    Person,
    Reserved,
    Resumed,
    StoodIn,
)
from davidgoliath.server.table.table import Phase, Table

Due = tuple[float, Callable[[], Awaitable[None]]]
"""In how many seconds something is to be done, and what."""


class Desk(Protocol):
    """What a scheduler knows of its room, and the one thing that it does there."""

    name: str
    timing: Timing
    bot_pool: BotPool
    peers: TablePeers
    running: Stopwatch
    """For how long the table has been running: it stands still while the table does."""
    source: Callable[[int], bytes]
    """Of chance, for the shuffle."""

    @property
    def table(self) -> Table: ...

    @property
    def passed(self) -> float:
        """For how many seconds the table has been waiting."""
        ...

    @property
    def origin(self) -> str:
        """Where the table is from: bots share their time by it."""
        ...

    def people_here(self) -> set[Person]:
        """Who is connected, to any server."""
        ...

    def seated_here(self) -> set[Person]:
        """Who of them has a seat."""
        ...

    async def attempt(self, decide: Callable[[Table], Change | None]) -> None:
        """Makes it so, while nothing else happens, if the table is still such that it should."""


class Scheduler:
    """Runs for as long as its room is open. The room wakes it whenever something has changed."""

    def __init__(self, room: Desk) -> None:
        self._room = room
        self._changed = asyncio.Event()
        self._is_idle = False
        """Whether nothing is due: then there is nothing to be woken for until something is."""
        self._backoff = Backoff()
        self._shares: tuple[Committed | None, dict[Seat, bytes]] = None, {}
        """The players' shares in the shuffle that is being prepared."""
        self._host_gone: float | None = None
        self._gone: dict[Person, float] = {}
        """Since when those have not been connected who should be, by the clock that stands still with the table."""
        self._asked: dict[Seat, float] = {}
        """When the host asked whether somebody is there, by the same clock."""
        self._task = asyncio.create_task(self._run())

    def wake(self) -> None:
        """Something has changed: what was due may not be any more. Mostly nothing was, and nothing is."""
        if not self._is_idle or self._due():
            self._changed.set()

    def stop(self) -> None:
        self._task.cancel()

    def failed(self) -> None:
        """What was due couldn't be done: there will be another attempt after a while."""
        self._backoff.begin()

    def succeeded(self) -> None:
        self._backoff.end()

    def take_share(self, seat: Seat, deal: int, share: str) -> bool:
        """A seat's share in the shuffle: the first counts, for the deal that is being prepared."""
        committed = self._room.table.commitment
        if committed is None or committed.deal != deal or seat in self._shares_of(committed):
            return False
        try:
            value = bytes.fromhex(share)
        except ValueError:
            return False
        if len(value) != SHARE_SIZE:
            return False
        self._shares_of(committed)[seat] = value
        self.wake()
        return True

    def _shares_of(self, committed: Committed) -> dict[Seat, bytes]:
        if self._shares[0] != committed:
            self._shares = committed, {}
        return self._shares[1]

    async def _run(self) -> None:
        """Does what is due, for as long as the room is open; after a failure it rests, and goes on."""
        about(table=self._room.name)
        while True:
            if left := self._backoff.left:
                await asyncio.sleep(left)
            try:
                await self._do_next()
            except Exception as error:  # noqa: BLE001 - whatever it was, the table goes on
                report(error)
                self.failed()

    async def _do_next(self) -> None:
        """Waits for what is due and does it, unless something else happens first."""
        due = self._due()
        if await self._stays_as_it_is(due[0] if due else None) and due:
            await due[1]()

    async def _stays_as_it_is(self, seconds: float | None) -> bool:
        """Waits so long, or until something changes."""
        self._changed.clear()
        if seconds is None:
            self._is_idle = True
            try:
                await self._changed.wait()
            finally:
                self._is_idle = False
            return False
        try:
            async with asyncio.timeout(seconds):  # up to Python 3.11 `wait_for` may overlook that it is cancelled
                await self._changed.wait()
        except TimeoutError:
            return True
        return False

    def _due(self) -> Due | None:
        """What comes next, and when; nothing where another server acts."""
        if not self._room.peers.acts:
            return None
        here = self._room.people_here()
        seated = here.intersection(self._room.table.arrivals)
        dues = self._host_due(seated), self._away_due(here), self._play_due(seated)
        return min((due for due in dues if due), key=lambda due: due[0], default=None)

    def _host_due(self, here: set[Person]) -> Due | None:
        """When the host has been away for too long, somebody else must be able to go on, until they are back."""
        table = self._room.table
        if table.owner in here and table.owner != table.host and table.phase is not Phase.OVER:
            return 0.0, self._pass_host_back
        if table.is_full:
            return None
        if table.host in here or not here:
            self._host_gone = None
            return None
        self._host_gone = self._host_gone or time.monotonic()
        return max(0.0, self._host_gone + self._room.timing.grace - time.monotonic()), self._pass_host_on

    def _away_due(self, here: set[Person]) -> Due | None:
        """When somebody has been gone, or silent, for so long that they are away."""
        table, running = self._room.table, self._room.running
        if not running.is_running or table.is_full:
            return None
        missed = [person for person in (*table.arrivals, *table.heirs) if person not in here]
        asked = [seat for seat, chair in enumerate(table.chairs) if chair.is_asked]
        now, timing = running.seconds, self._room.timing
        self._gone = {person: self._gone.get(person, now) for person in missed}
        self._asked = {seat: self._asked.get(seat, now) for seat in asked}
        if not missed and not asked:
            return None
        dues = [(began + timing.grace, self._gone_away(person)) for person, began in self._gone.items()]
        dues += [(began + timing.answer, [Away(seat, "silent")]) for seat, began in self._asked.items()]
        at, events = min((due for due in dues if due[1]), key=lambda due: due[0], default=(0.0, []))
        return (max(0.0, at - now), partial(self._say, table, events)) if events else None

    def _gone_away(self, person: Person) -> list[AnyEvent]:
        """What follows when somebody has been gone for long: nobody waits for them, and no seat."""
        events: list[AnyEvent] = []
        for seat, chair in enumerate(self._room.table.chairs):
            if chair.person == person and not chair.away and not chair.stand_in:
                events.append(Away(seat, "gone"))
            if chair.heir == person:
                events.append(Reserved(seat))
        return events

    async def _say(self, table: Table, events: list[AnyEvent]) -> None:
        """What has become true by the passing of time, if the table is still as it was."""
        await self._room.attempt(lambda now: Change.of(table, events) if now is table else None)

    def _play_due(self, here: set[Person]) -> Due | None:
        table = self._room.table
        if not table.is_running or not here:
            return None
        if table.paused:
            return None if table.paused.wish else (0.0, self._resume)
        passed = self._room.passed
        match table.phase:
            case Phase.DEALING:
                return 0.0, self._deal
            case Phase.SCORES if table.all_went_on:
                return 0.0, self._deal
            case Phase.SCORES:
                return None if table.is_alone else (max(0.0, self._room.timing.scores - passed), self._deal)
        seat = table.to_play
        if seat is None:
            return None
        if table.chairs[seat].bot:
            return 0.0, self._bot_plays
        if table.turn_seconds is None or table.is_alone:
            return None
        if not table.chairs[seat].away and not table.is_crowded:
            return max(0.0, table.turn_seconds - passed), partial(self._say, table, [Away(seat, "late")])
        stand_in = StoodIn(seat, for_absent(self._room.bot_pool))
        return max(0.0, table.turn_seconds + self._room.timing.grace - passed), partial(self._say, table, [stand_in])

    async def _resume(self) -> None:
        """Nobody was here, it seemed to some server; but somebody is."""

        def resume(table: Table) -> Change | None:
            is_due = table.paused and not table.paused.wish and self._room.seated_here()
            return Change.of(table, [Resumed()]) if is_due else None

        await self._room.attempt(resume)

    async def _deal(self) -> None:
        """Commits to a secret, waits for the players' shares, and deals."""
        before = self._room.table

        def commit(table: Table) -> Change | None:
            if table is not before or table.commitment:
                return None  # another server has done so already, perhaps
            dealer = table.match.next_dealer
            if dealer is None:
                dealer = int.from_bytes(self._room.source(8), "big") % table.players
            number = len(table.shuffles) + 1
            fresh = Shuffle.fresh(self._room.name, number, dealer, table.players, self._room.source)
            return Change.of(table, [Committed(table.match.standing.deal, fresh.commitment, str(fresh))])

        await self._room.attempt(commit)
        committed = self._room.table.commitment
        if committed is None:
            return
        await self._gather_shares(committed)

        def deal(table: Table) -> Change | None:
            if table.commitment != committed or table.paused:
                return None
            shuffle = Shuffle.parse(committed.shuffle)
            for seat, share in self._shares_of(committed).items():
                shuffle = shuffle.with_share(seat, share)
            deal = shuffle.deal()
            hands = tuple(map(str, deal.hands))
            return Change.of(table, [Dealt(committed.deal, deal.dealer, hands, str(shuffle))])

        await self._room.attempt(deal)

    async def _gather_shares(self, committed: Committed) -> None:
        """Until everyone who is here has sent one, or time is up."""
        deadline = time.monotonic() + self._room.timing.shares
        while (left := deadline - time.monotonic()) > 0:
            if {self._room.table.seat_of(person) for person in self._room.seated_here()} <= {
                *self._shares_of(committed)
            }:
                return
            await self._stays_as_it_is(left)

    async def _bot_plays(self) -> None:
        """A bot thinks, at its pace; if anything happens meanwhile, its card is forgotten."""
        table = self._room.table
        seat, state = table.to_play, table.state
        if seat is None or state is None:
            return
        bot, pace = table.chairs[seat].bot or "", self._room.timing.bot if table.pace is None else table.pace / 1000

        async def think() -> Card:
            card, _ = await asyncio.gather(
                self._room.bot_pool.choose(bot, state.view(seat), self._room.origin), asyncio.sleep(pace)
            )
            return card

        thinking = asyncio.create_task(think())
        thinking.add_done_callback(lambda _: self.wake())
        try:
            while self._room.table is table and not thinking.done():
                self._changed.clear()
                await self._changed.wait()
        finally:
            thinking.cancel()
        card = thinking.result() if thinking.done() and not thinking.cancelled() else None

        def play(now: Table) -> Change | None:
            return commands.play_for(table, seat, card) if card and now is table and self._room.peers.acts else None

        await self._room.attempt(play)

    async def _pass_host_on(self) -> None:
        """To whoever is here and has sat here longest."""

        def pass_on(table: Table) -> Change | None:
            here = self._room.seated_here()
            heirs = [person for person in table.arrivals if person in here]
            return Change.of(table, [HostIs(heirs[0])]) if heirs and table.host not in here else None

        await self._room.attempt(pass_on)

    async def _pass_host_back(self) -> None:
        """As when they came, if that couldn't be stored."""

        def pass_back(table: Table) -> Change | None:
            is_due = table.owner in self._room.seated_here() and table.owner != table.host
            return Change.of(table, [HostIs(table.owner)]) if is_due else None

        await self._room.attempt(pass_back)
