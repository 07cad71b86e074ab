"""A table with people at it: wishes become events, events are stored and then told, and the server plays its part.

Everything that changes a table goes through `_happen`: it is appended, committed, and only then folded and sent. One
wish is handled at a time. What the server itself does next, a bot's card, the next deal, or a bot for somebody
who is away, follows from the table alone (`_due`), so a server that starts anew goes on where the last one was.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final, Protocol

import msgspec

from davidgoliath.match.shuffle import SHARE_SIZE, Shuffle
from davidgoliath.rules import Card, Refusal, Seat
from davidgoliath.server import messages as m
from davidgoliath.server.events import (
    VERSION,
    AnyEvent,
    Committed,
    Dealt,
    HostIs,
    Paused,
    Person,
    Rematch,
    Resumed,
    StoodIn,
)
from davidgoliath.server.events import decode as decode_event
from davidgoliath.server.events import encode as encode_event
from davidgoliath.server.names import named
from davidgoliath.server.outcome import outcome, previews
from davidgoliath.server.store import Appended, MemberRow, Stage, Store, Stored, TableRow
from davidgoliath.server.table import Phase, Table
from davidgoliath.server.telling import replayed, told
from davidgoliath.server.thinkers import Thinkers
from davidgoliath.server.tokens import new_id
from davidgoliath.server.trouble import Rest, for_people, is_of_store, report

STAGES: Final = {Phase.GATHERING: Stage.WAITING}


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
    """How long after their time a bot plays for somebody; and how long a host may be away."""


class Client(Protocol):
    """Somebody's connection."""

    person: Person | None

    def send(self, message: bytes) -> None:
        """Never waits: whoever reads too slowly is cut off."""


Due = tuple[float, Callable[[], Awaitable[None]]]
"""In how many seconds something is to be done, and what."""


class Room:
    """A table, who is connected, and what happens next: as long as it is open, its heart beats."""

    def __init__(
        self,
        name: str,
        table: Table,
        store: Store,
        thinkers: Thinkers,
        *,
        pace: Pace | None = None,
        source: Callable[[int], bytes],
        now: Callable[[], float] = time.time,
    ) -> None:
        self.name, self.table = name, table
        self.store, self.thinkers = store, thinkers
        self.pace = pace or Pace()
        self.clients: set[Client] = set()
        self._source, self._now = source, now
        self._one_at_a_time = asyncio.Lock()
        self._changed = asyncio.Event()
        self._since = time.monotonic()
        self._host_gone: float | None = None
        self._shares: dict[Seat, bytes] = {}
        self._warming: asyncio.Task[None] | None = None
        self._rest = Rest()
        self._heart = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Nothing happens here any more; what is under way is finished or left to the next room."""
        async with self._one_at_a_time:
            self._heart.cancel()
            if self._warming:
                self._warming.cancel()

    @classmethod
    async def open(cls, name: str, store: Store, thinkers: Thinkers, **settings: Any) -> "Room | None":
        """The room of a stored table, if there is one."""
        stored = await store.events(name)
        if not stored:
            return None
        table = Table.fold(decode_event(event.body, event.version) for event in stored)
        return cls(name, table, store, thinkers, **settings)

    # People

    async def join(self, client: Client, since: int) -> None:
        """Somebody connects: gets all that they missed, and is back at the table."""
        async with self._one_at_a_time:
            client.send(m.write(m.Batch(since + 1, await self._told_since(since, self._seat(client)))))
            self.clients.add(client)
            await self._tell_people()
            self._tell_warming(client)
            await self._quietly(self._returned(client))
            self._tell_turn(client)
            self._changed.set()

    async def _told_since(self, since: int, seat: Seat | None) -> list[m.Told]:
        """All events after one, as a seat may see them. What a card did follows from those before it."""
        if since >= self.table.seq:
            return []
        return (await self._folded(lambda events: told(events, seat)))[since:]

    async def replayed(self) -> list[m.Told]:
        """All events up to the end of the last deal that is over, with all hands open."""
        return await self._folded(replayed)

    async def _folded(self, tell: Callable[[list[AnyEvent]], list[m.Told]]) -> list[m.Told]:
        """What is told of all events so far: beside the loop, since a long match takes some milliseconds."""
        stored = (await self.store.events(self.name))[: self.table.seq]
        return await asyncio.to_thread(lambda: tell([decode_event(event.body, event.version) for event in stored]))

    def _returned(self, client: Client) -> list[AnyEvent]:
        if client.person is None:
            return []
        back = self.table.come_back(client.person)
        if self.table.paused and not self.table.paused.wish and self.table.seat_of(client.person) is not None:
            back.append(Resumed())
        return back

    async def leave(self, client: Client) -> None:
        """A connection ends. With nobody there, the table pauses."""
        async with self._one_at_a_time:
            self.clients.discard(client)
            with contextlib.suppress(Refusal):  # whatever the store says, this connection has ended
                await self._tell_people()
            if self.table.is_running and not self.table.paused and not self._seated_here():
                await self._quietly([Paused(wish=False)])
            self._changed.set()

    def knows(self, person: Person) -> bool:
        """Whether somebody sits or watches here."""
        return person in self.table.arrivals or any(client.person == person for client in self.clients)

    async def tell_people(self) -> None:
        """Somebody has another name now, or none."""
        async with self._one_at_a_time:
            await self._tell_people()

    async def forget(self, person: Person) -> None:
        """Somebody wants to be known no longer: the seat goes to a bot or is open, and the game goes on."""
        async with self._one_at_a_time:
            if self.table.seat_of(person) is not None and self.table.phase is not Phase.OVER:
                await self._quietly(self.table.leave(person, self._absent_bot))
            for client in self.clients:
                if client.person == person:
                    client.person = None

    async def hear(self, client: Client, message: m.AnyFromClient) -> None:
        """What somebody says."""
        async with self._one_at_a_time:
            chairs = self.table.chairs
            try:
                await self._answer(client, message)
                if chairs != self.table.chairs:
                    await self._tell_people()  # who sits watches no longer
            except Refusal as refusal:
                client.send(m.write(m.refused(for_people(refusal), self.table.seq)))

    async def _answer(self, client: Client, message: m.AnyFromClient) -> None:
        if client.person is None:
            raise Refusal("not_seated")
        match message:
            case m.Share(deal=deal, share=share):
                self._take_share(client, deal, share)
            case m.Say(emote=emote):
                seat = self._seat(client)
                if seat is None:
                    raise Refusal("not_seated")
                self._tell(m.write(m.Said(seat, emote)))
            case m.Wish(expect=expect):
                if expect != self.table.seq:
                    raise Refusal("stale")
                if isinstance(message, m.PlayAgain):
                    await self._play_again(client.person)
                else:
                    events = self._wished(client.person, message)
                    if isinstance(message, m.Sit):
                        await self.store.join(MemberRow(self.name, client.person, self._now()))
                    await self._happen(events)

    def _wished(self, person: Person, wish: m.AnyFromClient) -> list[AnyEvent]:
        table = self.table
        match wish:
            case m.Sit(seat=seat):
                return table.sit(person, seat)
            case m.Leave():
                return table.leave(person, self._absent_bot)
            case m.PlaceBot(seat=seat, bot=bot):
                self.thinkers.check(bot)
                return table.place_bot(person, seat, bot)
            case m.Free(seat=seat):
                return table.free(person, seat)
            case m.Start(fill=fill):
                if fill:
                    self.thinkers.check(fill)
                return table.start(person, fill)
            case m.Play(card=card):
                return table.play(person, Card.parse(card))
            case m.Undo():
                return table.undo(person)
            case m.DealAgain():
                return table.deal_again(person)
            case m.GoOn():
                return table.go_on(person)
            case m.Pause():
                return table.pause(person)
            case m.Resume():
                return table.resume(person)
            case m.SetPace(milliseconds=milliseconds):
                return table.set_pace(person, milliseconds)
            case m.Lock(locked=locked):
                return table.lock(person, locked)
            case m.ReplaceAbsent(seat=seat, bot=bot):
                self.thinkers.check(bot)
                return table.replace_absent(person, seat, bot)
            case m.Remove(person=other):
                return table.remove(person, other, self._absent_bot)
            case m.End():
                return table.end(person)
            case _:
                raise TypeError(wish)

    async def _play_again(self, person: Person) -> None:
        """Makes the next table, once. Should the server die in between, nobody knows that table, and it is swept."""
        begun = self.table.again(person)
        if self.table.rematch:
            return
        name, now = new_id(), self._now()
        stored = [Stored(VERSION, now, encode_event(event)) for event in begun]
        await self.store.create_table(TableRow(name, now), *stored)
        for player in self.table.arrivals:
            await self.store.join(MemberRow(name, player, self._now()))
        await self._happen([Rematch(name)])

    @property
    def _absent_bot(self) -> str:
        return "club" if "club" in self.thinkers.names else self.thinkers.names[0]

    def _take_share(self, client: Client, deal: int, share: str) -> None:
        """The first share of a seat counts, for the deal that is being prepared."""
        seat = self._seat(client)
        committed = self.table.commitment
        if seat is None or committed is None or committed.deal != deal or seat in self._shares:
            return
        try:
            value = bytes.fromhex(share)
        except ValueError:
            return
        if len(value) == SHARE_SIZE:
            self._shares[seat] = value
            self._changed.set()

    # Events

    async def _happen(self, events: list[AnyEvent]) -> None:
        """Stores events, and then tells everyone. If somebody else was quicker, the wish is stale."""
        if not events:
            return
        stored = [Stored(VERSION, self._now(), encode_event(event)) for event in events]
        tables = self._tables_after(events)
        stage = STAGES.get(tables[-1].phase, Stage.RUNNING)
        appended = await self.store.append(self.name, self.table.seq + 1, *stored, stage=stage)
        if appended in (Appended.OVER, Appended.NO_TABLE):
            self._heart.cancel()  # the operator has closed the table, or it has been swept
            raise Refusal("table_closed")
        if appended is not Appended.DONE:
            await self._catch_up()
            raise Refusal("stale")
        self._rest.end()
        self._take_in(events, tables)
        if not self._warming:
            self._tell_warming(*self.clients)

    async def _quietly(self, events: list[AnyEvent]) -> None:
        """The same, for what the server does by itself: if it comes too late, it isn't needed.

        If nobody was quicker, the store has failed, and there will be another attempt after a rest.
        """
        before = self.table.seq
        try:
            await self._happen(events)
        except Refusal as refusal:
            if is_of_store(refusal):
                report(refusal)
            if self.table.seq == before:
                self._rest.begin()
            self._changed.set()

    async def _catch_up(self) -> None:
        """Takes in what others have stored."""
        stored = await self.store.events(self.name, self.table.seq)
        events = [decode_event(event.body, event.version) for event in stored]
        self._take_in(events, self._tables_after(events))

    def _tables_after(self, events: list[AnyEvent]) -> list[Table]:
        """The table after each of these."""
        return list(accumulate(events, Table.after, initial=self.table))[1:]

    def _take_in(self, events: list[AnyEvent], tables: list[Table]) -> None:
        before = self.table
        for event, table in zip(events, tables, strict=True):
            did, self.table = outcome(self.table, event, table), table
            everyone = m.write(m.Happened(self.table.seq, msgspec.Raw(self._body(event, None)), *did))
            for client in self.clients:
                if isinstance(event, Dealt):
                    body = msgspec.Raw(self._body(event, self._seat(client)))
                    client.send(m.write(m.Happened(self.table.seq, body, *did)))
                else:
                    client.send(everyone)
        if before.chairs != self.table.chairs:
            for client in self.clients:
                if self._seat(client) not in (None, before.seat_of(client.person or "")):
                    self._tell_hand(client)
        if before.to_play != self.table.to_play:
            self._since = time.monotonic()
        for client in self.clients:
            self._tell_turn(client)
        self._changed.set()

    def _body(self, event: AnyEvent, seat: Seat | None) -> bytes:
        return encode_event(self.table.told(event, seat))

    # Telling

    def _tell(self, message: bytes) -> None:
        for client in self.clients:
            client.send(message)

    async def _tell_people(self) -> None:
        here = sorted({client.person for client in self.clients if client.person})
        spectators = sum(self._seat(client) is None for client in self.clients)
        self._tell(m.write(m.Names(await self.names(*here))))
        self._tell(m.write(m.Present(here, spectators)))

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
        self._tell(m.write(m.Warming(True)))

    def _seconds_left(self) -> float | None:
        if self.table.turn_seconds is None or self.table.is_solo:
            return None
        return max(0.0, round(self.table.turn_seconds - (time.monotonic() - self._since), 1))

    def _seat(self, client: Client) -> Seat | None:
        return self.table.seat_of(client.person) if client.person else None

    def _seated_here(self) -> set[Person]:
        """Who has a seat and is connected."""
        return {client.person for client in self.clients if client.person and client.person in self.table.arrivals}

    # What the server does

    async def _beat(self) -> None:
        """Does what is due, for as long as the room is open; after a failure it rests, and goes on."""
        while True:
            await asyncio.sleep(self._rest.left)
            try:
                await self._do_next()
            except Exception as error:  # noqa: BLE001 - whatever it was, the table goes on
                report(error)
                self._rest.begin()

    async def _do_next(self) -> None:
        """Waits for what is due and does it, unless something else happens first."""
        due = self._due()
        if await self._stays_as_it_is(due[0] if due else None) and due:
            await due[1]()

    async def _stays_as_it_is(self, seconds: float | None) -> bool:
        """Waits so long, or until something changes."""
        self._changed.clear()
        try:
            async with asyncio.timeout(seconds):  # up to Python 3.11 `wait_for` may overlook that it is cancelled
                await self._changed.wait()
        except TimeoutError:
            return True
        return False

    def _due(self) -> Due | None:
        """What comes next, and when."""
        return min((due for due in (self._host_due(), self._play_due()) if due), key=lambda due: due[0], default=None)

    def _host_due(self) -> Due | None:
        """When the host has been away for too long, somebody else must be able to go on."""
        here = self._seated_here()
        if self.table.host in here or not here:
            self._host_gone = None
            return None
        self._host_gone = self._host_gone or time.monotonic()
        return max(0.0, self._host_gone + self.pace.grace - time.monotonic()), self._pass_host_on

    def _play_due(self) -> Due | None:
        table = self.table
        if table.paused or not table.is_running or not self._seated_here():
            return None
        passed = time.monotonic() - self._since
        match table.phase:
            case Phase.DEALING:
                return 0.0, self._deal
            case Phase.SCORES if table.all_went_on:
                return 0.0, self._deal
            case Phase.SCORES:
                return None if table.is_solo else (max(0.0, self.pace.scores - passed), self._deal)
        seat = table.to_play
        if seat is None:
            return None
        if table.chairs[seat].bot:
            return 0.0, self._bot_plays
        if table.turn_seconds is None or table.is_solo:
            return None
        return max(0.0, table.turn_seconds + self.pace.grace - passed), self._stand_in

    async def _deal(self) -> None:
        """Commits to a secret, waits for the players' shares, and deals."""
        async with self._one_at_a_time:
            number = self.table.match.standing.deal
            if self.table.commitment is None:
                dealer = self.table.match.next_dealer
                if dealer is None:
                    dealer = int.from_bytes(self._source(8), "big") % self.table.players
                fresh = Shuffle.fresh(self.name, len(self.table.shuffles) + 1, dealer, self.table.players, self._source)
                self._shares = {}
                await self._quietly([Committed(number, fresh.commitment, str(fresh))])
            committed = self.table.commitment
        if committed is None:
            return
        await self._gather_shares()
        async with self._one_at_a_time:
            if self.table.commitment != committed or self.table.paused:
                return
            shuffle = Shuffle.parse(committed.shuffle)
            for seat, share in self._shares.items():
                shuffle = shuffle.with_share(seat, share)
            deal = shuffle.deal()
            await self._quietly([Dealt(committed.deal, deal.dealer, tuple(map(str, deal.hands)), str(shuffle))])

    async def _gather_shares(self) -> None:
        """Until everyone who is here has sent one, or time is up."""
        deadline = time.monotonic() + self.pace.shares
        while (left := deadline - time.monotonic()) > 0:
            if {self.table.seat_of(person) for person in self._seated_here()} <= set(self._shares):
                return
            await self._stays_as_it_is(left)

    async def _bot_plays(self) -> None:
        """A bot thinks, at its pace; if anything happens meanwhile, its card is forgotten."""
        table, begun = self.table, time.monotonic()
        seat, state = table.to_play, table.state
        if seat is None or state is None:
            return
        card = await self.thinkers.choose(table.chairs[seat].bot or "", state.view(seat))
        pace = self.pace.bot if table.pace is None else table.pace / 1000
        while (rest := begun + pace - time.monotonic()) > 0 and self.table is table:
            await self._stays_as_it_is(rest)
        async with self._one_at_a_time:
            if self.table is table:
                await self._quietly(table.play_for(seat, card))

    async def _pass_host_on(self) -> None:
        """To whoever is here and has sat here longest."""
        async with self._one_at_a_time:
            here = self._seated_here()
            if self.table.host not in here:
                heirs = [person for person in self.table.arrivals if person in here]
                await self._quietly([HostIs(heirs[0])] if heirs else [])

    async def _stand_in(self) -> None:
        """Somebody let their time pass."""
        async with self._one_at_a_time:
            seat = self.table.to_play
            if seat is not None and not self.table.chairs[seat].bot:
                await self._quietly([StoodIn(seat, self._absent_bot)])
