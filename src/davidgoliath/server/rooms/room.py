"""A table with people at it: wishes become events, events are stored and then told.

Everything that changes a table goes through `_happen`: it is appended, committed, and only then folded and sent. One
wish is handled at a time. What the server itself does is decided by the room's scheduler, and happens here too;
what other servers say comes by its inbox (`peer_inbox`).
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from operator import methodcaller
from typing import Any, Final

from davidgoliath.rules import Refusal, View
from davidgoliath.server.config import Timing
from davidgoliath.server.ops import observer
from davidgoliath.server.ops.failures import for_people, is_of_store, report
from davidgoliath.server.peers.alone import Alone
from davidgoliath.server.peers.contract import Peers
from davidgoliath.server.people.names import named
from davidgoliath.server.people.stones import Stone, stones
from davidgoliath.server.people.tokens import new_id
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.broadcast import Broadcast
from davidgoliath.server.rooms.client import Client
from davidgoliath.server.rooms.dispatch import dispatch, for_absent
from davidgoliath.server.rooms.history import History, Step, taken_by
from davidgoliath.server.rooms.peer_inbox import (
    Changed,
    Everything,
    News,
    PeerInbox,
    PeopleChanged,
    PersonChanged,
    SharedElsewhere,
    TablePeers,
)
from davidgoliath.server.rooms.presence import Presence
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.server.rooms.scheduler import Scheduler
from davidgoliath.server.rooms.stopwatch import Stopwatch, is_new_turn
from davidgoliath.server.rooms.table_cache import TableCache, ahead
from davidgoliath.server.store.contract import Appended, MemberRow, Stage, Store, Stored, TableRow
from davidgoliath.server.table import commands
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import VERSION, Paused, Person, Played, Rematch, Resumed
from davidgoliath.server.table.events import encode as encode_event
from davidgoliath.server.table.reactions import PAUSE, number_of_trick, reaction
from davidgoliath.server.table.table import Denial, Phase, Table

STAGES: Final = {Phase.GATHERING: Stage.UNSTARTED}
MOST_WATCHERS: Final = 100
"""At one table, of those without a seat."""
MOST_OF_ADDRESS: Final = 50
"""Of these from one address, which so keeps nobody else out."""
MOST_DEVICES: Final = 20
"""On which one person is at a table: with one more, the oldest connection ends."""


class Room:
    """A table, who is connected, and what happens next: as long as it is open, its scheduler runs."""

    def __init__(
        self,
        name: str,
        history: History,
        store: Store,
        bot_pool: BotPool,
        *,
        timing: Timing | None = None,
        peers: Peers | None = None,
        source: Callable[[int], bytes],
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.history = name, history
        self.store, self.bot_pool = store, bot_pool
        self.timing = timing or Timing()
        self.source, self._now = source, now
        self.one_at_a_time = asyncio.Lock()
        self.running = Stopwatch(clock=clock)
        """For how long the table has been running here: it stands still in a pause, without the store, with nobody."""
        self._turn_began = 0.0
        """When the table began to wait for what it waits for, on that clock."""
        self._spoken_of = -PAUSE
        """The number of the last trick of which a bot has said something."""
        self._advising: dict[Client, asyncio.Task[None]] = {}
        """Who waits for a hint."""
        self._broadcast = Broadcast(self)
        self.peers = TablePeers(peers or Alone(), name)
        self._inbox = PeerInbox(self.one_at_a_time, self._attend)
        self.presence = Presence(self)
        self.scheduler = Scheduler(self)

    async def close(self) -> None:
        """Nothing happens here any more; what is under way is finished or left to the next room."""
        async with self.one_at_a_time:
            self.scheduler.stop()
            self._inbox.stop()
            self.presence.stop()
            self._broadcast.stop()
            for advising in self._advising.values():
                advising.cancel()

    @classmethod
    async def open(
        cls, name: str, store: Store, bot_pool: BotPool, *, memory: TableCache | None = None, **settings: Any
    ) -> "Room | None":
        """The room of a stored table, if there is one."""
        history = await (memory or TableCache(store)).recall(name)
        if history is None:
            return None
        room = cls(name, history, store, bot_pool, **settings)
        room._turn_began = -history.waited
        return room

    @property
    def table(self) -> Table:
        """As it stands."""
        return self.history.table

    @property
    def clients(self) -> dict[Client, None]:
        """Who is connected here, in the order of coming."""
        return self._broadcast.clients

    # People

    async def join(self, client: Client, since: int) -> None:
        """Somebody connects: gets all that they missed, and is back at the table.

        Where others know of this room already, whoever watches waits for nobody, and nobody for them.
        """
        self._check_place(client)
        await self.presence.learn(*([client.person] if client.person else []))
        if self.clients and self._broadcast.seat_of(client) is None:
            self._let_in(client, since)
            self._watched(client)
            return
        async with self.one_at_a_time:
            await self._settle(client)
            if self.peers.is_shared:
                await self.catch_up()  # with what happened before the others knew of us
            if self.peers.others and not self.clients:
                self._turn_began -= max(0.0, self._now() - self.history.at)  # the clock runs elsewhere already
            self._let_in(client, since)
            self.presence.changed()
            before = self.table
            await self.quietly(self._returned(client))
            if self.table is before:  # else they have heard of their turn with what has happened
                self._broadcast.turn(client)
            self.look_again()

    def seats(self, client: Client) -> bool:
        """Whether somebody has a seat here, or is promised one: who does always gets in."""
        return client.person is not None and client.person in (*self.table.arrivals, *self.table.heirs)

    def _check_place(self, client: Client) -> None:
        """Others watch if the host lets them, and as long as there are not too many."""
        if not self.table.receives(client.person):
            raise Refusal(Denial.NO_WATCHERS)
        if self.seats(client):
            return
        near = [other for other in self.clients if other.address and other.address == client.address]
        own = sum(not self.seats(other) for other in near)
        if self.presence.watchers >= MOST_WATCHERS or own >= MOST_OF_ADDRESS:
            raise Refusal(RoomReason.TOO_MANY_WATCHERS)

    def _let_in(self, client: Client, since: int) -> None:
        """Nothing can happen between what somebody has missed and the first event that they hear of."""
        self._check_place(client)
        own = [other for other in self.clients if other.person and other.person == client.person]
        for other in own[: max(0, len(own) + 1 - MOST_DEVICES)]:
            self._dismiss(other, Refusal(RoomReason.TOO_MANY_DEVICES))
        known = since if since <= self.table.seq else 0
        missed = self.history.told(self._broadcast.seat_of(client), known)
        client.send(m.write(m.Batch(known + 1, missed, round(self.passed, 1))))
        self.clients[client] = None
        self.presence.greet(client)
        self._broadcast.warming(client)
        if not self._broadcast.is_saving:
            client.send(m.write(m.Saving(False)))

    def _dismiss(self, client: Client, why: Refusal) -> None:
        """Somebody can't stay. Their connection ends when they have heard why."""
        del self.clients[client]
        client.dismiss(m.write(m.refused(why, self.table.seq)))

    @property
    def passed(self) -> float:
        """For how many seconds the table has been waiting."""
        return self.running.seconds - self._turn_began

    def look_again(self) -> None:
        """Something has changed: what was due may not be any more, and the clock may have to stand still."""
        table = self.table
        runs = table.is_running and not table.paused and self._broadcast.is_saving
        self.running.run(runs and bool(self.seated_here()))
        self.scheduler.wake()

    async def replayed(self) -> list[m.Told]:
        """All events up to the end of the last deal that is over, with all hands open."""
        return self.history.replayed()

    def _returned(self, client: Client) -> Change:
        if client.person is None:
            return Change.of(self.table, [])
        back = commands.connected(self.table, client.person)
        if self.table.paused and not self.table.paused.wish and self.table.seat_of(client.person) is not None:
            return Change.of(self.table, [*back.events, Resumed()])
        return back

    async def leave(self, client: Client) -> None:
        """A connection ends. With nobody there, the table pauses."""
        self.clients.pop(client, None)
        if self.clients and self._broadcast.seat_of(client) is None:
            self._watched(client)
            return
        async with self.one_at_a_time:
            await self._settle()
            with contextlib.suppress(Refusal):  # whatever the store says, this connection has ended
                if self.peers.is_shared:
                    await self.catch_up()
            self.presence.changed()
            before = None
            while (
                self.table.is_running
                and not self.table.is_full
                and not self.table.paused
                and not self.seated_here()
                and self.table is not before
            ):
                before = self.table
                # again, if another server was quicker with something else
                await self.quietly(Change.of(self.table, [Paused(wish=False)]))
            self.look_again()

    def _watched(self, client: Client) -> None:
        """Somebody without a seat came or went: nobody waits for them, unless they were promised one."""
        self.presence.watchers_changed()
        if client.person in self.table.heirs:
            self.look_again()

    def knows(self, person: Person) -> bool:
        """Whether somebody sits or watches here."""
        known = person in (*self.table.arrivals, *self.table.heirs)
        return known or self.presence.knows(person)

    async def call_anew(self, person: Person) -> None:
        """Somebody has another name now, or none."""
        async with self.one_at_a_time:
            await self.know_anew(person)

    async def know_anew(self, person: Person) -> None:
        """The same, while nothing else happens here: who isn't known any more watches as a stranger would."""
        if not await self.store.persons(person):
            await self._forget(person)
        await self.check_tokens(*(client for client in self.clients if client.person == person))
        self.presence.call_anew(person)

    async def check_tokens(self, *clients: Client) -> None:
        """Whoever came by a token that has been taken back goes."""
        for client in clients:
            if client.token and await self.store.person_of(client.token) is None and client in self.clients:
                self._dismiss(client, Refusal(RoomReason.TOKEN_UNKNOWN))

    async def forget(self, person: Person) -> None:
        """Somebody wants to be known no longer: the seat goes to a bot or is open, and the game goes on."""
        async with self.one_at_a_time:
            await self._forget(person)

    async def _forget(self, person: Person) -> None:
        table = self.table
        if person in (*table.arrivals, *table.heirs) and table.phase is not Phase.OVER:
            await self.quietly(commands.leave(table, person, for_absent(self.bot_pool)))
        for client in self.clients:
            if client.person == person:
                client.person = None
        await self._settle()

    async def hear(self, client: Client, message: m.AnyFromClient) -> None:
        """What somebody says; of those who can't stay nothing counts that was still on its way."""
        async with self.one_at_a_time:
            if client not in self.clients:
                return
            chairs = self.table.chairs
            try:
                await self._answer(client, message)
                if chairs != self.table.chairs:
                    self.presence.changed()  # who sits watches no longer
            except Refusal as refusal:
                if is_of_store(refusal):
                    self.tell_saving(False)
                client.send(m.write(m.refused(for_people(refusal), self.table.seq)))

    async def _answer(self, client: Client, message: m.AnyFromClient) -> None:
        if client.person is None:
            raise Refusal(Denial.NOT_SEATED)
        match message:
            case m.Share(deal=deal, share=share):
                seat = self._broadcast.seat_of(client)
                if seat is not None and self.scheduler.take_share(seat, deal, share):
                    await self.peers.tell(SharedElsewhere(seat, deal, share))
            case m.Say(emote=emote):
                seat = self._broadcast.seat_of(client)
                if seat is None:
                    raise Refusal(Denial.NOT_SEATED)
                said = m.Said(seat, emote)
                if self._broadcast.say(said):
                    await self.peers.tell(said)
            case m.Wish(expect=expect):
                if expect != self.table.seq:
                    raise Refusal(RoomReason.STALE)
                if isinstance(message, m.PlayAgain):
                    await self._play_again(client.person)
                else:
                    if isinstance(message, m.Hint | m.AllowHints):
                        self.bot_pool.study.check()
                    change = dispatch(self.table, client.person, message, self.bot_pool, self.people_here)
                    if isinstance(message, m.Sit):
                        member = MemberRow(self.name, client.person, self._now())
                        if not await self.store.join(member):
                            raise Refusal(RoomReason.TOKEN_UNKNOWN)  # they have had themselves deleted meanwhile
                    await self._happen(change)
                    if isinstance(message, m.Hint):
                        self._advise(client)

    def _advise(self, client: Client) -> None:
        """Somebody who is to play has asked for a hint. They alone hear the answer, and nobody waits for it."""
        view = self.table.view(client.person)
        if view is None or client in self._advising:
            return
        advising = self._advising[client] = asyncio.create_task(self._advice(client, view, self.table.seq))
        advising.add_done_callback(lambda _: self._advising.pop(client, None))

    async def _advice(self, client: Client, view: View, seq: int) -> None:
        try:
            advice = await self.bot_pool.study.ask(methodcaller("advice", seq, view), self.origin)
        except Exception as error:  # noqa: BLE001 - whatever it was, they may ask again
            report(error)
            return
        if client in self.clients:
            client.send(m.write(advice))

    async def _play_again(self, person: Person) -> None:
        """Makes the next table, once. Should the server die in between, nobody knows that table, and it is swept."""
        begun = commands.again(self.table, person)
        if self.table.rematch:
            return
        name, now = new_id(), self._now()
        stored = [Stored(VERSION, now, encode_event(event)) for event in begun]
        await self.store.create_table(TableRow(name, now, is_listed=Table.fold(begun).is_listed), *stored)
        for player in self.table.arrivals:
            await self.store.join(MemberRow(name, player, self._now()))
        await self._happen(Change.of(self.table, [Rematch(name)]))

    # Events

    async def _happen(self, change: Change) -> None:
        """Stores events, and then tells everyone. If somebody else was quicker, the wish is stale."""
        events = change.events
        if not events:
            return
        if not self.table.admits(events):
            raise Refusal(Denial.TABLE_FULL)
        now = self._now()
        taken = taken_by(self.table, change, now)
        stored = [Stored(VERSION, now, step.body) for step in taken]
        stage, is_listed = None, None
        if self.table.phase is Phase.GATHERING:  # later on a table is running, and isn't listed
            after = change.tables[-1]
            stage, is_listed = STAGES.get(after.phase, Stage.RUNNING), after.is_listed
        appended = await self.store.append(self.name, self.table.seq + 1, *stored, stage=stage, is_listed=is_listed)
        if appended in (Appended.OVER, Appended.NO_TABLE):
            self.scheduler.stop()  # the operator has closed the table, or it has been swept
            raise Refusal(RoomReason.TABLE_CLOSED)
        if appended is not Appended.DONE:
            await self.catch_up()
            raise Refusal(RoomReason.STALE)
        self.scheduler.succeeded()
        self.tell_saving(True)
        before = self.table
        self._take_in(taken)
        await self._go_on(before, taken)
        for event in events:
            if isinstance(event, Played):
                observer.played(event.by)
        if before.chairs is not self.table.chairs:
            self._broadcast.bots_changed()

    async def attempt(self, decide: Callable[[Table], Change | None]) -> None:
        """What the server does by itself, while nothing else happens, if the table is still such that it should."""
        async with self.one_at_a_time:
            if change := decide(self.table):
                await self.quietly(change)

    async def quietly(self, change: Change) -> None:
        """The same, for what the server does by itself: if it comes too late, it isn't needed.

        If nobody was quicker, the store has failed, and there will be another attempt after a rest.
        """
        before = self.table.seq
        if not self.table.admits(change.events):
            return
        try:
            await self._happen(change)
        except Refusal as refusal:
            if is_of_store(refusal):
                report(refusal)
                self.tell_saving(False)
            if self.table.seq == before:
                self.scheduler.failed()
            self.look_again()

    async def catch_up(self) -> None:
        """Takes in what others have stored."""
        stored = await self.store.events(self.name, self.table.seq)
        if stored:
            before, taken = self.table, await ahead(self.name, self.table, stored)
            self._take_in(taken)
            await self._go_on(before, taken)

    def _take_in(self, taken: Iterable[Step]) -> None:
        before = self.table
        for step in taken:
            if is_new_turn(self.table, step.table):
                self._turn_began = self.running.seconds
            self.history.add(step)
            self._broadcast.step(step)
        self._broadcast.new_hands(before)
        self._send_watchers_away()
        self.look_again()

    async def _go_on(self, before: Table, taken: Sequence[Step]) -> None:
        """A bot may have something to say, before a hand is looked at, which takes its time; then it is a turn."""
        try:
            await self._react(before, taken)
        finally:
            await self._broadcast.turns()

    async def _react(self, before: Table, taken: Sequence[Step]) -> None:
        """What a bot says of the last trick, if it says anything."""
        tricks = [(step, took) for step in taken if (took := step.did.took)]
        if not self.peers.acts or not tricks:
            return
        step, took = tricks[-1]
        number = number_of_trick(step.table)
        said = reaction(self.name, [before, *(one.table for one in taken)][taken.index(step)], step.table, took)
        if said and (abs(number - self._spoken_of) >= PAUSE or self.table.phase is Phase.OVER):
            self._spoken_of = number
            self._broadcast.tell(m.write(m.Said(*said)))
            await self.peers.tell(m.Said(*said))

    def _send_watchers_away(self) -> None:
        """When the host lets nobody watch; or as soon as those who could have sat down there can't any more."""
        if self.table.has_watchers:
            return
        unwanted = [client for client in self.clients if not self.table.receives(client.person)]
        for client in unwanted:
            self._dismiss(client, Refusal(Denial.NO_WATCHERS))
        if unwanted:
            self.presence.watchers_changed()

    # Other servers

    def overhear(self, news: News) -> None:
        """What another server says."""
        if not isinstance(news, Changed) or news.seq > self.table.seq:
            self._inbox.put(news)

    def lose_touch(self) -> None:
        """We may miss what others do: until we are in touch again, nothing is done here."""
        self.peers.lose_touch()
        self.tell_saving(False)
        self.look_again()

    async def _settle(self, *coming: Client) -> None:
        """Tells the others who is here. If that fails nothing is done here until it has succeeded."""
        try:
            await self.peers.settle(self.connected(*coming))
        except Refusal as refusal:
            report(refusal)
            self.lose_touch()
            self._inbox.put(Everything())
        self.look_again()

    async def settle(self) -> None:
        """Tells the other servers who is here, while nothing else happens."""
        async with self.one_at_a_time:
            await self._settle()

    async def _attend(self, news: Sequence[News]) -> None:
        """Others must know of us before we read what we have missed: from then on we are told.

        Words in passing come last, since they may refer to events.
        """
        may_miss_all = any(isinstance(one, Everything) for one in news)
        has_settled = may_miss_all or any(isinstance(one, PeopleChanged) for one in news)
        if has_settled:
            await self.peers.settle(self.connected())
            self.look_again()
        if may_miss_all:
            self.presence.call_anew()
        if may_miss_all or any(isinstance(one, Changed) and one.seq > self.table.seq for one in news):
            await self.catch_up()
        if may_miss_all:
            await self.check_tokens(*self.clients)
        if has_settled:
            self.tell_saving(True)
            self.presence.changed()
        for one in news:
            match one:
                case PersonChanged(person=person):
                    await self.know_anew(person)
                case SharedElsewhere(seat=seat, deal=deal, share=share):
                    self.scheduler.take_share(seat, deal, share)
                case m.Said():
                    self._broadcast.tell(m.write(one))

    # Who is here

    def tell_saving(self, ready: bool) -> None:
        """Whether the store does its part: until it does again, the table waits."""
        if self._broadcast.saving(ready):
            self.look_again()

    async def names(self, *others: Person) -> dict[Person, str]:
        """What people here are called."""
        wanted = dict.fromkeys((*self.table.arrivals, *others))
        known = await self.store.persons(*wanted)
        return named(wanted, {person: row.name for person, row in known.items()})

    async def stones(self) -> dict[Person, Stone]:
        """What their stones look like."""
        known = await self.store.persons(*self.table.arrivals)
        return stones(self.table.arrivals, {person: row.stone for person, row in known.items()})

    def connected(self, *coming: Client) -> list[Person]:
        """Who is connected here, one for each connection; a nameless spectator is an empty text."""
        return [client.person or "" for client in (*self.clients, *coming)]

    def people_here(self) -> set[Person]:
        """Who is connected, to any server."""
        here = {client.person for client in self.clients if client.person}
        return here.union(filter(None, self.peers.others))

    @property
    def origin(self) -> str:
        """Where the table is from: bots share their time by it, since anyone can be many people."""
        where = {client.person: client.address for client in self.clients if client.address}
        people = (self.table.owner, self.table.host, *self.table.arrivals)
        return next((where[person] for person in people if person in where), self.table.owner)

    def seated_here(self) -> set[Person]:
        """Who of them has a seat."""
        here = self.people_here()
        return {person for person in self.table.arrivals if person in here}
