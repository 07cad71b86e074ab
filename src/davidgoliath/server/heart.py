"""What the server does by itself at a table: deals, bots' cards, clocks, a bot for somebody who is away.

What is due follows from the table alone, so a server that starts anew goes on where the last one was. What has been
decided becomes an event as any wish does, in the room.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from davidgoliath.match.shuffle import Shuffle
from davidgoliath.rules import Card, Seat
from davidgoliath.server.events import AnyEvent, Away, Committed, Dealt, HostIs, Person, Reserved, Resumed, StoodIn
from davidgoliath.server.logs import about
from davidgoliath.server.table import Phase, Table
from davidgoliath.server.trouble import Rest, report
from davidgoliath.server.wishes import for_absent

if TYPE_CHECKING:
    from davidgoliath.server.room import Room

Due = tuple[float, Callable[[], Awaitable[None]]]
"""In how many seconds something is to be done, and what."""


class Heart:
    """Beats for as long as its room is open."""

    def __init__(self, room: "Room") -> None:
        self.room = room
        self.changed = asyncio.Event()
        """To be set whenever something has happened: what was due may not be any more."""
        self.rest = Rest()
        self.shares: dict[Seat, bytes] = {}
        """The players' shares in the shuffle that is being prepared."""
        self._host_gone: float | None = None
        self._gone: dict[Person, float] = {}
        """Since when those have not been connected who should be, by the clock that stands still with the table."""
        self._asked: dict[Seat, float] = {}
        """When the host asked whether somebody is there, by the same clock."""
        self._task = asyncio.create_task(self._beat())

    def stop(self) -> None:
        self._task.cancel()

    async def _beat(self) -> None:
        """Does what is due, for as long as the room is open; after a failure it rests, and goes on."""
        about(table=self.room.name)
        while True:
            await asyncio.sleep(self.rest.left)
            try:
                await self._do_next()
            except Exception as error:  # noqa: BLE001 - whatever it was, the table goes on
                report(error)
                self.rest.begin()

    async def _do_next(self) -> None:
        """Waits for what is due and does it, unless something else happens first."""
        due = self._due()
        if await self._stays_as_it_is(due[0] if due else None) and due:
            await due[1]()

    async def _stays_as_it_is(self, seconds: float | None) -> bool:
        """Waits so long, or until something changes."""
        self.changed.clear()
        try:
            async with asyncio.timeout(seconds):  # up to Python 3.11 `wait_for` may overlook that it is cancelled
                await self.changed.wait()
        except TimeoutError:
            return True
        return False

    def _due(self) -> Due | None:
        """What comes next, and when; nothing where another server acts."""
        if not self.room.ears.company.acts:
            return None
        dues = self._host_due(), self._away_due(), self._play_due()
        return min((due for due in dues if due), key=lambda due: due[0], default=None)

    def _host_due(self) -> Due | None:
        """When the host has been away for too long, somebody else must be able to go on, until they are back."""
        here, table = self.room.seated_here(), self.room.table
        if table.is_full:
            return None
        if table.owner in here and table.owner != table.host and table.phase is not Phase.OVER:
            return 0.0, self._pass_host_back
        if table.host in here or not here:
            self._host_gone = None
            return None
        self._host_gone = self._host_gone or time.monotonic()
        return max(0.0, self._host_gone + self.room.pace.grace - time.monotonic()), self._pass_host_on

    def _away_due(self) -> Due | None:
        """When somebody has been gone, or silent, for so long that they are away."""
        table, running = self.room.table, self.room.running
        if not running.is_running or table.is_full:
            return None
        here, now = self.room.people_here(), running.seconds
        missed = {person for person in (*table.arrivals, *table.heirs) if person not in here}
        self._gone = {person: self._gone.get(person, now) for person in missed}
        asked = [seat for seat, chair in enumerate(table.chairs) if chair.is_asked]
        self._asked = {seat: self._asked.get(seat, now) for seat in asked}
        pace = self.room.pace
        dues = [(began + pace.grace, self._gone_away(person)) for person, began in self._gone.items()]
        dues += [(began + pace.answer, [Away(seat, "silent")]) for seat, began in self._asked.items()]
        at, events = min((due for due in dues if due[1]), key=lambda due: due[0], default=(0.0, []))
        return (max(0.0, at - now), partial(self._say, table, events)) if events else None

    def _gone_away(self, person: Person) -> list[AnyEvent]:
        """What follows when somebody has been gone for long: nobody waits for them, and no seat."""
        events: list[AnyEvent] = []
        for seat, chair in enumerate(self.room.table.chairs):
            if chair.person == person and not chair.away and not chair.stand_in:
                events.append(Away(seat, "gone"))
            if chair.heir == person:
                events.append(Reserved(seat))
        return events

    async def _say(self, table: Table, events: list[AnyEvent]) -> None:
        """What has become true by the passing of time, if the table is still as it was."""
        async with self.room.one_at_a_time:
            if self.room.table is table:
                await self.room.quietly(events)

    def _play_due(self) -> Due | None:
        table = self.room.table
        if not table.is_running or not self.room.seated_here():
            return None
        if table.paused:
            return None if table.paused.wish else (0.0, self._resume)
        passed = self.room.passed
        match table.phase:
            case Phase.DEALING:
                return 0.0, self._deal
            case Phase.SCORES if table.all_went_on:
                return 0.0, self._deal
            case Phase.SCORES:
                return None if table.is_alone else (max(0.0, self.room.pace.scores - passed), self._deal)
        seat = table.to_play
        if seat is None:
            return None
        if table.chairs[seat].bot:
            return 0.0, self._bot_plays
        if table.turn_seconds is None or table.is_alone:
            return None
        if not table.chairs[seat].away and not table.is_full:
            return max(0.0, table.turn_seconds - passed), partial(self._say, table, [Away(seat, "late")])
        stand_in = StoodIn(seat, for_absent(self.room.thinkers))
        return max(0.0, table.turn_seconds + self.room.pace.grace - passed), partial(self._say, table, [stand_in])

    async def _resume(self) -> None:
        """Nobody was here, it seemed to some server; but somebody is."""
        async with self.room.one_at_a_time:
            if self.room.table.paused and not self.room.table.paused.wish and self.room.seated_here():
                await self.room.quietly([Resumed()])

    async def _deal(self) -> None:
        """Commits to a secret, waits for the players' shares, and deals."""
        table = self.room.table
        async with self.room.one_at_a_time:
            if self.room.table is not table:
                return  # another server has dealt already, perhaps
            if table.commitment is None:
                dealer = table.match.next_dealer
                if dealer is None:
                    dealer = int.from_bytes(self.room.source(8), "big") % table.players
                number = len(table.shuffles) + 1
                fresh = Shuffle.fresh(self.room.name, number, dealer, table.players, self.room.source)
                await self.room.quietly([Committed(table.match.standing.deal, fresh.commitment, str(fresh))])
            committed = self.room.table.commitment
        if committed is None:
            return
        await self._gather_shares()
        async with self.room.one_at_a_time:
            if self.room.table.commitment != committed or self.room.table.paused:
                return
            shuffle = Shuffle.parse(committed.shuffle)
            for seat, share in self.shares.items():
                shuffle = shuffle.with_share(seat, share)
            deal = shuffle.deal()
            await self.room.quietly([Dealt(committed.deal, deal.dealer, tuple(map(str, deal.hands)), str(shuffle))])

    async def _gather_shares(self) -> None:
        """Until everyone who is here has sent one, or time is up."""
        deadline = time.monotonic() + self.room.pace.shares
        while (left := deadline - time.monotonic()) > 0:
            if {self.room.table.seat_of(person) for person in self.room.seated_here()} <= set(self.shares):
                return
            await self._stays_as_it_is(left)

    async def _bot_plays(self) -> None:
        """A bot thinks, at its pace; if anything happens meanwhile, its card is forgotten."""
        table = self.room.table
        seat, state = table.to_play, table.state
        if seat is None or state is None:
            return
        bot, pace = table.chairs[seat].bot or "", self.room.pace.bot if table.pace is None else table.pace / 1000

        async def think() -> Card:
            card, _ = await asyncio.gather(
                self.room.thinkers.choose(bot, state.view(seat), self.room.origin), asyncio.sleep(pace)
            )
            return card

        thinking = asyncio.create_task(think())
        thinking.add_done_callback(lambda _: self.changed.set())
        try:
            while self.room.table is table and not thinking.done():
                self.changed.clear()
                await self.changed.wait()
        finally:
            thinking.cancel()
        async with self.room.one_at_a_time:
            if self.room.table is table and self.room.ears.company.acts:
                await self.room.quietly(table.play_for(seat, thinking.result()))

    async def _pass_host_on(self) -> None:
        """To whoever is here and has sat here longest."""
        async with self.room.one_at_a_time:
            here = self.room.seated_here()
            if self.room.table.host not in here:
                heirs = [person for person in self.room.table.arrivals if person in here]
                await self.room.quietly([HostIs(heirs[0])] if heirs else [])

    async def _pass_host_back(self) -> None:
        """As when they came, if that couldn't be stored."""
        async with self.room.one_at_a_time:
            owner = self.room.table.owner
            if owner in self.room.seated_here() and owner != self.room.table.host:
                await self.room.quietly([HostIs(owner)])
