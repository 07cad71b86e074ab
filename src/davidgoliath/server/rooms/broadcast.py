"""What clients at a table are told: events as each may see them, whose turn it is, and what holds the table up."""

import asyncio
import time
from typing import Final, Protocol

import msgspec

from davidgoliath.match.effects import previews
from davidgoliath.server.peers.token_bucket import TokenBucket
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.client import Client
from davidgoliath.server.rooms.history import Step
from davidgoliath.server.table.events import Person, Seat, encode
from davidgoliath.server.table.table import Phase, Table
from davidgoliath.server.table.visibility import differs_by_seat, told

EMOTES_IN_A_ROW: Final = 5
"""So many of one seat are told, and then one a second."""


class Scene(Protocol):
    """What there is to tell."""

    bot_pool: BotPool

    @property
    def table(self) -> Table: ...

    @property
    def passed(self) -> float:
        """For how many seconds the table has been waiting."""
        ...


class Broadcast:
    """To all clients of a room, for as long as it is open."""

    def __init__(self, room: Scene) -> None:
        self._room = room
        self.clients: dict[Client, None] = {}
        """Who is connected here, in the order of coming."""
        self.is_saving = True
        """Whether the store does its part: until it does again, the table waits."""
        self._held: dict[Client, list[bytes]] = {}
        """What whoever is to play is told together with their turn, which is cheaper; nobody else waits for it."""
        self._warming: asyncio.Task[None] | None = None
        self._talks: dict[Seat, TokenBucket] = {}

    def stop(self) -> None:
        if self._warming:
            self._warming.cancel()

    def tell(self, message: bytes) -> None:
        """Behind what somebody wasn't told yet."""
        for client in self.clients:
            if client in self._held:
                self._held[client].append(message)
            else:
                client.send(message)

    def say(self, said: m.Said) -> bool:
        """Somebody's emote; nobody hears it, nor that there was one, if that seat has said so much lately."""
        talks = self._talks.setdefault(said.seat, TokenBucket(1.0, EMOTES_IN_A_ROW, time.monotonic))
        is_heard = talks.take()
        if is_heard:
            self.tell(m.write(said))
        return is_heard

    def step(self, step: Step) -> None:
        """An event, which the table has taken in."""
        message, differs, next_person = self._happened(step, step.shown), differs_by_seat(step.event), _next(step.table)
        for client in self.clients:
            if differs:
                message = self._happened(step, encode(told(step.event, self.seat_of(client))))
            if client in self._held or (client.person and client.person == next_person):
                self._held.setdefault(client, []).append(message)
            else:
                client.send(message)

    @staticmethod
    def _happened(step: Step, shown: bytes) -> bytes:
        return m.write(m.Happened(step.table.seq, msgspec.Raw(shown), *step.did))

    async def turns(self) -> None:
        """When the events have left for everyone: how long this takes depends on a hand."""
        await asyncio.sleep(0)
        held, self._held = self._held, {}
        person = _next(self._room.table)
        for client in self.clients:
            if client in held or (client.person and client.person == person):
                self.turn(client, *held.get(client, ()))

    def turn(self, client: Client, *before: bytes) -> None:
        """The legal cards and their previews, to the seat whose turn it is, and before that what it wasn't told yet."""
        table = self._room.table
        messages = [*before]
        if client.person and client.person == _next(table) and not table.paused and (view := table.view(client.person)):
            legal = [card.name for card in view.legal_cards]
            messages.append(m.write(m.Turn(table.seq, legal, previews(view), self._seconds_left())))
        if messages:
            client.send(*messages)

    def _seconds_left(self) -> float | None:
        table = self._room.table
        if table.turn_seconds is None or table.is_alone:
            return None
        return max(0.0, round(table.turn_seconds - self._room.passed, 1))

    def new_hands(self, before: Table) -> None:
        """What is in the hand of those who have sat down during a deal."""
        table = self._room.table
        if before.chairs == table.chairs or table.phase is not Phase.PLAYING:
            return
        held, self._held = self._held, {}
        for client, messages in held.items():
            client.send(*messages)
        for client in self.clients:
            has_sat = self.seat_of(client) not in (None, before.seat_of(client.person or ""))
            if has_sat and (view := table.view(client.person)):
                client.send(m.write(m.Hand(table.seq, str(view.hand))))

    def saving(self, ready: bool) -> bool:
        """Whether that is new."""
        is_new = ready != self.is_saving
        if is_new:
            self.is_saving = ready
            self.tell(m.write(m.Saving(ready)))
        return is_new

    def warming(self, *clients: Client) -> None:
        """That a bot here can't think yet; and then, to everyone, that it can."""
        if any(chair.bot and self._room.bot_pool.lack(chair.bot) for chair in self._room.table.chairs):
            for client in clients:
                client.send(m.write(m.Warming(False)))
            self._warming = self._warming or asyncio.create_task(self._warm())

    def bots_changed(self) -> None:
        """Another bot may be here, which everyone hears of if it can't think yet, once."""
        if not self._warming:
            self.warming(*self.clients)

    async def _warm(self) -> None:
        await self._room.bot_pool.loaded()
        self.tell(m.write(m.Warming(True)))

    def seat_of(self, client: Client) -> Seat | None:
        return self._room.table.seat_of(client.person) if client.person else None


def _next(table: Table) -> Person | None:
    """Who is to play, if it is a person."""
    return None if table.to_play is None else table.chairs[table.to_play].person
