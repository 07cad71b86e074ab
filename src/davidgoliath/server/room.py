"""A table with people at it: wishes become events, events are stored and then told.

Everything that changes a table goes through `_happen`: it is appended, committed, and only then folded and sent. One
wish is handled at a time. What the server itself does is decided by the room's heart (`heart`), and happens here too;
what other servers say is heard by its ears (`ears`).
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

from davidgoliath.match.shuffle import SHARE_SIZE
from davidgoliath.rules import Refusal, Seat
from davidgoliath.server import messages as m
from davidgoliath.server.attendance import Attendance
from davidgoliath.server.company import Alone, Neighbours
from davidgoliath.server.ears import Ears, SharedElsewhere
from davidgoliath.server.events import VERSION, AnyEvent, Dealt, Paused, Person, Rematch, Resumed
from davidgoliath.server.events import encode as encode_event
from davidgoliath.server.heart import Heart
from davidgoliath.server.memory import Memory, ahead
from davidgoliath.server.metrics import moved
from davidgoliath.server.names import named
from davidgoliath.server.outcome import previews
from davidgoliath.server.stopwatch import Stopwatch, is_new_turn
from davidgoliath.server.store import Appended, MemberRow, Stage, Store, Stored, TableRow
from davidgoliath.server.table import Denial, Phase, Table
from davidgoliath.server.telling import Past, Step, steps
from davidgoliath.server.thinkers import Thinkers
from davidgoliath.server.tokens import new_id
from davidgoliath.server.trouble import for_people, is_of_store, report
from davidgoliath.server.wishes import for_absent, wished

STAGES: Final = {Phase.GATHERING: Stage.WAITING}
MOST_WATCHERS: Final = 100
"""At one table, of those without a seat."""
MOST_OF_ADDRESS: Final = 50
"""Of these from one address, which so keeps nobody else out."""
MOST_DEVICES: Final = 20
"""On which one person is at a table: with one more, the oldest connection ends."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take, in seconds."""

    bot: float = 1.0
    """A bot's card, thinking included."""
    shares: float = 3.0
    """How long the players' browsers have for their shares in the shuffle."""
    scores: float = 30.0
    """How long scores stay at most."""
    grace: float = 10.0
    """How long after their time a bot plays for somebody; and after how long without a connection somebody is away."""
    answer: float = 60.0
    """How long somebody has to answer the host's question whether they are there."""


class Client(Protocol):
    """Somebody's connection."""

    person: Person | None
    token: bytes | None
    """The hash of what the person showed."""
    address: str
    """Where they are; empty if nobody knows."""

    def send(self, message: bytes) -> None:
        """Never waits: whoever reads too slowly is cut off."""

    def dismiss(self, message: bytes) -> None:
        """The last thing that it is told: then the connection ends."""


class Room:
    """A table, who is connected, and what happens next: as long as it is open, its heart beats."""

    def __init__(
        self,
        name: str,
        past: Past,
        store: Store,
        thinkers: Thinkers,
        *,
        pace: Pace | None = None,
        neighbours: Neighbours | None = None,
        source: Callable[[int], bytes],
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.past = name, past
        self.store, self.thinkers = store, thinkers
        self.pace = pace or Pace()
        self.clients: dict[Client, None] = {}
        """Who is connected here, in the order of coming."""
        self.source, self._now = source, now
        self.one_at_a_time = asyncio.Lock()
        self.running = Stopwatch(clock=clock)
        """For how long the table has been running here: it stands still in a pause, without the store, with nobody."""
        self._turn_began = 0.0
        """When the table began to wait for what it waits for, on that clock."""
        self._warming: asyncio.Task[None] | None = None
        self._saves = True
        self.ears = Ears(self, neighbours or Alone())
        self.attendance = Attendance(self)
        self.heart = Heart(self)

    async def close(self) -> None:
        """Nothing happens here any more; what is under way is finished or left to the next room."""
        async with self.one_at_a_time:
            self.heart.stop()
            self.ears.stop()
            self.attendance.stop()
            if self._warming:
                self._warming.cancel()

    @classmethod
    async def open(
        cls, name: str, store: Store, thinkers: Thinkers, *, memory: Memory | None = None, **settings: Any
    ) -> "Room | None":
        """The room of a stored table, if there is one."""
        past = await (memory or Memory(store)).recall(name)
        if past is None:
            return None
        room = cls(name, past, store, thinkers, **settings)
        room._turn_began = -past.waited
        return room

    @property
    def table(self) -> Table:
        """As it stands."""
        return self.past.table

    # People

    async def join(self, client: Client, since: int) -> None:
        """Somebody connects: gets all that they missed, and is back at the table.

        Where others know of this room already, whoever watches waits for nobody, and nobody for them.
        """
        self._check_place(client)
        await self.attendance.learn(*([client.person] if client.person else []))
        if self.clients and self._seat(client) is None:
            self._let_in(client, since)
            self._watched(client)
            return
        async with self.one_at_a_time:
            await self.ears.settle(*self.clients, client)
            if self.ears.neighbours.is_shared:
                await self.catch_up()  # with what happened before the others knew of us
            if self.ears.company.others and not self.clients:
                self._turn_began -= max(0.0, self._now() - self.past.at)  # the clock runs elsewhere already
            self._let_in(client, since)
            self.attendance.changed()
            before = self.table
            await self.quietly(self._returned(client))
            if self.table is before:  # else they have heard of their turn with what has happened
                self._tell_turn(client)
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
        if self.attendance.watchers >= MOST_WATCHERS or own >= MOST_OF_ADDRESS:
            raise Refusal("too_many_watchers")

    def _let_in(self, client: Client, since: int) -> None:
        """Nothing can happen between what somebody has missed and the first event that they hear of."""
        self._check_place(client)
        own = [other for other in self.clients if other.person and other.person == client.person]
        for other in own[: max(0, len(own) + 1 - MOST_DEVICES)]:
            self._dismiss(other, Refusal("too_many_devices"))
        known = since if since <= self.table.seq else 0
        missed = self.past.told(self._seat(client), known)
        client.send(m.write(m.Batch(known + 1, missed, round(self.passed, 1))))
        self.clients[client] = None
        self.attendance.greet(client)
        self._tell_warming(client)
        if not self._saves:
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
        here = self.table.is_running and not self.table.paused and self._saves and self.seated_here()
        self.running.run(bool(here))
        self.heart.changed.set()

    async def replayed(self) -> list[m.Told]:
        """All events up to the end of the last deal that is over, with all hands open."""
        return self.past.replayed()

    def _returned(self, client: Client) -> list[AnyEvent]:
        if client.person is None:
            return []
        back = self.table.connected(client.person)
        if self.table.paused and not self.table.paused.wish and self.table.seat_of(client.person) is not None:
            back.append(Resumed())
        return back

    async def leave(self, client: Client) -> None:
        """A connection ends. With nobody there, the table pauses."""
        self.clients.pop(client, None)
        if self.clients and self._seat(client) is None:
            self._watched(client)
            return
        async with self.one_at_a_time:
            await self.ears.settle(*self.clients)
            with contextlib.suppress(Refusal):  # whatever the store says, this connection has ended
                if self.ears.neighbours.is_shared:
                    await self.catch_up()
            self.attendance.changed()
            before = None
            while (
                self.table.is_running
                and not self.table.is_full
                and not self.table.paused
                and not self.seated_here()
                and self.table is not before
            ):
                before = self.table
                await self.quietly([Paused(wish=False)])  # again, if another server was quicker with something else
            self.look_again()

    def _watched(self, client: Client) -> None:
        """Somebody without a seat came or went: nobody waits for them, unless they were promised one."""
        self.attendance.watchers_changed()
        if client.person in self.table.heirs:
            self.look_again()

    def knows(self, person: Person) -> bool:
        """Whether somebody sits or watches here."""
        known = person in (*self.table.arrivals, *self.table.heirs)
        return known or self.attendance.knows(person)

    async def call_anew(self, person: Person) -> None:
        """Somebody has another name now, or none."""
        async with self.one_at_a_time:
            await self.know_anew(person)

    async def know_anew(self, person: Person) -> None:
        """The same, while nothing else happens here: who isn't known any more watches as a stranger would."""
        if not await self.store.persons(person):
            await self._forget(person)
        await self.check_tokens(*(client for client in self.clients if client.person == person))
        self.attendance.call_anew(person)

    async def check_tokens(self, *clients: Client) -> None:
        """Whoever came by a token that has been taken back goes."""
        for client in clients:
            if client.token and await self.store.person_of(client.token) is None and client in self.clients:
                self._dismiss(client, Refusal("token_unknown"))

    async def forget(self, person: Person) -> None:
        """Somebody wants to be known no longer: the seat goes to a bot or is open, and the game goes on."""
        async with self.one_at_a_time:
            await self._forget(person)

    async def _forget(self, person: Person) -> None:
        table = self.table
        if person in (*table.arrivals, *table.heirs) and table.phase is not Phase.OVER:
            await self.quietly(table.leave(person, for_absent(self.thinkers)))
        for client in self.clients:
            if client.person == person:
                client.person = None
        await self.ears.settle(*self.clients)

    async def hear(self, client: Client, message: m.AnyFromClient) -> None:
        """What somebody says; of those who can't stay nothing counts that was still on its way."""
        async with self.one_at_a_time:
            if client not in self.clients:
                return
            chairs = self.table.chairs
            try:
                await self._answer(client, message)
                if chairs != self.table.chairs:
                    self.attendance.changed()  # who sits watches no longer
            except Refusal as refusal:
                if is_of_store(refusal):
                    self.tell_saving(False)
                client.send(m.write(m.refused(for_people(refusal), self.table.seq)))

    async def _answer(self, client: Client, message: m.AnyFromClient) -> None:
        if client.person is None:
            raise Refusal("not_seated")
        match message:
            case m.Share(deal=deal, share=share):
                seat = self._seat(client)
                if seat is not None and self.takes_share(seat, deal, share):
                    await self.ears.pass_on(SharedElsewhere(seat, deal, share))
            case m.Say(emote=emote):
                seat = self._seat(client)
                if seat is None:
                    raise Refusal("not_seated")
                self.tell(m.write(m.Said(seat, emote)))
                await self.ears.pass_on(m.Said(seat, emote))
            case m.Wish(expect=expect):
                if expect != self.table.seq:
                    raise Refusal("stale")
                if isinstance(message, m.PlayAgain):
                    await self._play_again(client.person)
                else:
                    events = wished(self.table, client.person, message, self.thinkers, self.people_here())
                    member = MemberRow(self.name, client.person, self._now())
                    if isinstance(message, m.Sit) and not await self.store.join(member):
                        raise Refusal("token_unknown")  # they have had themselves deleted meanwhile
                    await self._happen(events)

    async def _play_again(self, person: Person) -> None:
        """Makes the next table, once. Should the server die in between, nobody knows that table, and it is swept."""
        begun = self.table.again(person)
        if self.table.rematch:
            return
        name, now = new_id(), self._now()
        stored = [Stored(VERSION, now, encode_event(event)) for event in begun]
        await self.store.create_table(TableRow(name, now, is_listed=Table.fold(begun).is_listed), *stored)
        for player in self.table.arrivals:
            await self.store.join(MemberRow(name, player, self._now()))
        await self._happen([Rematch(name)])

    def takes_share(self, seat: Seat, deal: int, share: str) -> bool:
        """The first share of a seat counts, for the deal that is being prepared."""
        committed = self.table.commitment
        if committed is None or committed.deal != deal or seat in self.heart.shares:
            return False
        try:
            value = bytes.fromhex(share)
        except ValueError:
            return False
        if len(value) != SHARE_SIZE:
            return False
        self.heart.shares[seat] = value
        self.look_again()
        return True

    # Events

    async def _happen(self, events: list[AnyEvent]) -> None:
        """Stores events, and then tells everyone. If somebody else was quicker, the wish is stale."""
        if not events:
            return
        if not self.table.admits(events):
            raise Refusal(Denial.TABLE_FULL)
        now = self._now()
        taken = list(steps(self.table, ((event, now) for event in events)))
        stored = [Stored(VERSION, now, encode_event(event)) for event in events]
        after = taken[-1].table
        stage = STAGES.get(after.phase, Stage.RUNNING)
        is_listed = after.is_listed if self.table.phase is Phase.GATHERING else None
        appended = await self.store.append(self.name, self.table.seq + 1, *stored, stage=stage, is_listed=is_listed)
        if appended in (Appended.OVER, Appended.NO_TABLE):
            self.heart.stop()  # the operator has closed the table, or it has been swept
            raise Refusal("table_closed")
        if appended is not Appended.DONE:
            await self.catch_up()
            raise Refusal("stale")
        self.heart.rest.end()
        self.tell_saving(True)
        self._take_in(taken)
        await self._tell_turns()
        moved(events)
        if not self._warming:
            self._tell_warming(*self.clients)

    async def quietly(self, events: list[AnyEvent]) -> None:
        """The same, for what the server does by itself: if it comes too late, it isn't needed.

        If nobody was quicker, the store has failed, and there will be another attempt after a rest.
        """
        before = self.table.seq
        if not self.table.admits(events):
            return
        try:
            await self._happen(events)
        except Refusal as refusal:
            if is_of_store(refusal):
                report(refusal)
                self.tell_saving(False)
            if self.table.seq == before:
                self.heart.rest.begin()
            self.look_again()

    async def catch_up(self) -> None:
        """Takes in what others have stored."""
        stored = await self.store.events(self.name, self.table.seq)
        if stored:
            self._take_in(await ahead(self.name, self.table, stored))
            await self._tell_turns()

    def _take_in(self, taken: Iterable[Step]) -> None:
        before = self.table
        for step in taken:
            if is_new_turn(self.table, step.table):
                self._turn_began = self.running.seconds
            self.past.add(step)
            event, did = step.event, step.did
            everyone = m.write(m.Happened(self.table.seq, msgspec.Raw(self._body(event, None)), *did))
            for client in self.clients:
                if isinstance(event, Dealt):
                    body = msgspec.Raw(self._body(event, self._seat(client)))
                    client.send(m.write(m.Happened(self.table.seq, body, *did)))
                else:
                    client.send(everyone)
        if before.commitment != self.table.commitment:
            self.heart.shares = {}
        if before.chairs != self.table.chairs:
            for client in self.clients:
                if self._seat(client) not in (None, before.seat_of(client.person or "")):
                    self._tell_hand(client)
        self._send_watchers_away()
        self.look_again()

    def _send_watchers_away(self) -> None:
        """When the host lets nobody watch; or as soon as those who could have sat down there can't any more."""
        unwanted = [client for client in self.clients if not self.table.receives(client.person)]
        for client in unwanted:
            self._dismiss(client, Refusal(Denial.NO_WATCHERS))
        if unwanted:
            self.attendance.watchers_changed()

    def _body(self, event: AnyEvent, seat: Seat | None) -> bytes:
        return encode_event(self.table.told(event, seat))

    # Telling

    def tell(self, message: bytes) -> None:
        for client in self.clients:
            client.send(message)

    def tell_saving(self, ready: bool) -> None:
        """Whether the store does its part: until it does again, the table waits."""
        if ready != self._saves:
            self._saves = ready
            self.tell(m.write(m.Saving(ready)))
            self.look_again()

    async def names(self, *others: Person) -> dict[Person, str]:
        """What people here are called."""
        wanted = dict.fromkeys((*self.table.arrivals, *others))
        known = await self.store.persons(*wanted)
        return named(wanted, {person: row.name for person, row in known.items()})

    def _tell_turn(self, client: Client) -> None:
        """The legal cards and their previews, to the seat whose turn it is."""
        turn = self.table.to_play
        if turn is None or self.table.paused or client.person != self.table.chairs[turn].person or not client.person:
            return
        if view := self.table.view(client.person):
            client.send(
                m.write(m.Turn(self.table.seq, list(map(str, view.legal_cards)), previews(view), self._seconds_left()))
            )

    async def _tell_turns(self) -> None:
        """When the events have left for everyone: how long this takes depends on a hand."""
        await asyncio.sleep(0)
        for client in self.clients:
            self._tell_turn(client)

    def _tell_hand(self, client: Client) -> None:
        """What is in the hand of somebody who sits down during a deal."""
        view = self.table.view(client.person)
        if view is not None and self.table.phase is Phase.PLAYING:
            client.send(m.write(m.Hand(self.table.seq, str(view.hand))))

    def _tell_warming(self, *clients: Client) -> None:
        """That a bot here can't think yet; and then, to everyone, that it can."""
        if any(chair.bot and self.thinkers.lack(chair.bot) for chair in self.table.chairs):
            for client in clients:
                client.send(m.write(m.Warming(False)))
            self._warming = self._warming or asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        await self.thinkers.loaded()
        self.tell(m.write(m.Warming(True)))

    def _seconds_left(self) -> float | None:
        if self.table.turn_seconds is None or self.table.is_alone:
            return None
        return max(0.0, round(self.table.turn_seconds - self.passed, 1))

    def _seat(self, client: Client) -> Seat | None:
        return self.table.seat_of(client.person) if client.person else None

    def people_here(self) -> set[Person]:
        """Who is connected, to any server."""
        return {person for person in (*(client.person for client in self.clients), *self.ears.company.others) if person}

    @property
    def origin(self) -> str:
        """Where the table is from: bots share their time by it, since anyone can be many people."""
        where = {client.person: client.address for client in self.clients if client.address}
        people = (self.table.owner, self.table.host, *self.table.arrivals)
        return next((where[person] for person in people if person in where), self.table.owner)

    def seated_here(self) -> set[Person]:
        """Who of them has a seat."""
        return self.people_here().intersection(self.table.arrivals)
