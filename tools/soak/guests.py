"""`python -m tools.soak.guests`: honest people at many tables, who take about a second over each card.

Takes a `Task` in the first line of standard input, and says the tables in a line of standard output once the cards are
dealt. They play until the input ends, and then a `Result` is the last line. Every table is at an address of its own.
Who loses the connection comes back as a page does; that it was lost is counted.
"""

import asyncio
import json
import os
import sys
import time
from collections import Counter
from functools import partial
from random import Random

import msgspec

from tools.crowd import DEALS, READ, READ_EVENT, Event, Heard, Line
from tools.soak.caller import Caller, dial

THOUGHT = 0.5, 1.5
"""So many seconds somebody thinks over a card, between these."""
PEOPLE, BOT = 3, "casual"
"""So many sit at each table, and at every second one a bot of this kind besides."""
RETURN = 0.2
LOOKS = 3.0
"""So many seconds lie between two moments at which a friend looks in on a table, from yet another address."""
LONGEST_LOOK = 10.0
LONGEST_ARRIVAL = 20.0
"""A card that some at the table don't have after so many seconds counts as lost."""
LONGEST_SETUP = 60.0


class Task(msgspec.Struct):
    """Who shall play, and where."""

    address: str
    tables: int


class Result(msgspec.Struct):
    """What they met with: moments are in seconds since 1970, times in seconds."""

    cards: list[tuple[float, int, float]]
    """When somebody played a card, at which table, and how long it took until all there had it."""
    bots: list[tuple[float, int, float]]
    """The same for a bot: how long it took over its card."""
    looks: list[tuple[float, int, float]]
    """The same for friends who look in: how long it took until they saw the table."""
    lost: list[float]
    """When somebody lost the connection, or wasn't let in."""
    refused: dict[str, int]
    """How often anything was refused, by reason."""


class Guest:
    """One person at a table, through any number of connections."""

    def __init__(self, table: "Table", seat: int, token: str) -> None:
        self.table, self.seat, self.token = table, seat, token
        self.seq = 0

    async def connect(self) -> None:
        """Until it is connected; and when it isn't any more, again."""
        company = self.table.company
        while not company.is_over:
            self.line = GuestLine(self)
            try:
                await dial(self.line, company.address, self.table.source)
                break
            except (OSError, TimeoutError):
                company.lost.append(time.time())
                await asyncio.sleep(RETURN)
        self.say(type="hello", protocol=1, build="", token=self.token, since=self.seq)

    def say(self, **message: object) -> None:
        self.line.say(json.dumps(message).encode())

    def hear(self, _: Line, text: bytes) -> None:
        if text.startswith(b"["):
            happened = READ_EVENT(text)
            self.seq = happened.seq
            self._react(happened.event)
        else:
            heard = READ(text)
            match heard.type:
                case "batch":
                    self.seq += len(heard.events)
                    if heard.events:
                        self._react(msgspec.convert(heard.events[-1]["event"], Event))
                case "turn":
                    self.table.turn = self, heard
                case "refused":
                    self.table.company.refused[json.loads(text)["reason"]] += 1
        self.table.go_on()

    def _react(self, event: Event) -> None:
        table = self.table
        if self.seat == 0:
            table.notice(event)
        match event.type:
            case "committed":
                self.say(type="share", deal=event.deal, share=os.urandom(16).hex())
            case "opened" if self.seat == 0:
                self.say(type="goon", expect=self.seq)
            case "wenton" if event.seat == self.seat - 1:
                self.say(type="goon", expect=self.seq)

    def lose(self) -> None:
        if not self.table.company.is_over:
            self.table.company.lost.append(time.time())
            self.table.company.start(self.connect())


class GuestLine(Line):
    """A connection whose loss is noticed."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(f"/api/tables/{guest.table.name}/socket", guest.hear)
        self.guest = guest

    def connection_lost(self, error: Exception | None) -> None:
        if self.open.done() and not self.open.exception():
            self.guest.lose()
        super().connection_lost(error)


class Table:
    """A table, and all who sit there."""

    def __init__(self, company: "Company", number: int) -> None:
        self.company, self.number = company, number
        self.source = f"127.0.1.{number + 1}"
        self.bot = PEOPLE if number % 2 else None
        """The seat of the bot."""
        self.name = ""
        self.guests: list[Guest] = []
        self.turn: tuple[Guest, Heard] | None = None
        self.dealt = asyncio.Event()
        self.played: tuple[int, float, float] | None = None
        """The number that the last card will have, and when it was played, by two clocks."""
        self._last = time.time()

    async def sit_down(self) -> None:
        caller = Caller(self.company.address, self.source)
        tokens = [(await caller.ask("/api/people", {"name": f"Guest {n}"})).said["token"] for n in range(PEOPLE)]
        seats = [None] * PEOPLE + [BOT] * (self.bot is not None)
        terms = {"seats": seats, "rules": f"classic deals={DEALS}"}
        self.name = (await caller.ask("/api/tables", terms, tokens[0])).said["table"]
        caller.close()
        for seat, token in enumerate(tokens):
            guest = Guest(self, seat, token)
            self.guests.append(guest)
            await guest.connect()
            await self._reach(seat or 1)
            if seat:
                guest.say(type="sit", expect=guest.seq, seat=seat)
                await self._reach(seat + 1)
        self.guests[0].say(type="start", expect=PEOPLE)
        await self.dealt.wait()

    async def _reach(self, seq: int) -> None:
        while any(guest.seq < seq for guest in self.guests):
            await asyncio.sleep(0.005)

    def notice(self, event: Event) -> None:
        """What the first of them hears."""
        now = time.time()
        if event.type == "played" and event.seat == self.bot:
            self.company.bots.append((self._last, self.number, now - self._last))
        elif event.type == "dealt":
            self.dealt.set()
        self._last = now

    def go_on(self) -> None:
        """Counts a card that all have; whoever's turn it is then thinks, and plays."""
        seqs = {guest.seq for guest in self.guests}
        if self.played and min(seqs) >= self.played[0]:
            self.count()
        if self.turn and seqs == {self.turn[1].seq}:
            guest, heard = self.turn
            self.turn = None
            thought = 0.0 if self.played else self.company.rng.uniform(*THOUGHT)
            asyncio.get_running_loop().call_later(thought, self._play, guest, heard)

    def _play(self, guest: Guest, heard: Heard) -> None:
        """Somebody who comes back is told again that it is their turn, if the card didn't arrive."""
        if guest.seq == heard.seq and (self.played or not self.company.stops):
            self.played = self.played or (heard.seq + 1, time.time(), time.perf_counter())
            guest.say(type="play", expect=heard.seq, card=heard.legal[heard.seq % len(heard.legal)])

    async def be_looked_at(self) -> None:
        """By a friend, from time to time."""
        while not self.company.is_over:
            await asyncio.sleep(LOOKS * (0.5 + self.company.rng.random()))
            at, begun = time.time(), time.perf_counter()
            seen: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            friend = Line(f"/api/tables/{self.name}/socket", partial(_look, seen))
            try:
                async with asyncio.timeout(LONGEST_LOOK):
                    await dial(friend, self.company.address, f"127.0.2.{self.number + 1}")
                    friend.say(b'{"type":"hello","protocol":1,"build":""}')
                    if reason := await seen:
                        self.company.refused[reason] += 1
            except (OSError, TimeoutError) as trouble:
                self.company.refused[f"a friend: {type(trouble).__name__}"] += 1
            self.company.looks.append((at, self.number, time.perf_counter() - begun))
            if friend.open.done() and not friend.open.exception():
                friend.transport.abort()

    def count(self) -> None:
        assert self.played
        self.company.cards.append((self.played[1], self.number, time.perf_counter() - self.played[2]))
        self.played = None


def _look(seen: "asyncio.Future[str]", _: Line, text: bytes) -> None:
    """What a friend hears first: the table, or why not."""
    if not seen.done() and text.startswith((b'{"type":"batch"', b'{"type":"refused"')):
        message = json.loads(text)
        seen.set_result(message.get("reason", ""))


class Company:
    """All of them."""

    def __init__(self, task: Task) -> None:
        self.address = task.address
        self.rng = Random(11)
        self.stops = self.is_over = False
        """Whether nobody plays on, and whether everyone may go."""
        self.cards: list[tuple[float, int, float]] = []
        self.bots: list[tuple[float, int, float]] = []
        self.looks: list[tuple[float, int, float]] = []
        self.lost: list[float] = []
        self.refused: Counter[str] = Counter()
        self.tables = [Table(self, number) for number in range(task.tables)]
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def play(self) -> Result:
        async with asyncio.timeout(LONGEST_SETUP):
            await asyncio.gather(*(table.sit_down() for table in self.tables))
        for table in self.tables:
            self.start(table.be_looked_at())
        print(json.dumps([table.name for table in self.tables]), flush=True)
        lines = asyncio.StreamReader()
        reading = partial(asyncio.StreamReaderProtocol, lines)
        await asyncio.get_running_loop().connect_read_pipe(reading, sys.stdin)
        await lines.read()
        self.stops, deadline = True, time.monotonic() + LONGEST_ARRIVAL
        while any(table.played for table in self.tables) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        self.is_over = True
        for table in self.tables:
            if table.played:
                self.refused["a card that never arrived"] += 1
                table.count()
        return Result(self.cards, self.bots, self.looks, self.lost, dict(self.refused))


def main() -> None:
    from davidgoliath.server.run import new_loop

    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)

    async def play() -> Result:
        return await Company(task).play()

    with asyncio.Runner(loop_factory=new_loop) as runner:
        result = runner.run(play())
    print(msgspec.json.encode(result).decode(), flush=True)


if __name__ == "__main__":
    main()
