"""`python -m tools.crowd`: many people at many tables, in a process of its own, for `./dg bench server`.

Takes a `Task` as JSON on standard input and gives a `Result` on standard output. It is lean, since it shares the
computer with the server that it measures: a connection is a bare protocol that reads frames, and four people sit at all
tables. The next card of a table is played when all its clients have the one before: at once, or when it is due.
"""

import asyncio
import base64
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import cast
from urllib.request import Request, urlopen

import msgspec

LONGEST_SETUP = 60.0
TEXT, PING, PONG = 0x81, 0x89, 0x8A
"""How frames begin that are whole."""
SHORT = 126
"""Texts from this size on have a longer header."""
DEALS = 20
"""The longest match that there is. When the first table has played it, the measurement ends."""


class Task(msgspec.Struct):
    """What is to be measured."""

    address: str
    tables: int
    seconds: float
    seats: tuple[str | None, ...] = (None, None, None, None)
    interval: float = 0.0
    """Seconds from one move of a table to its next: 0 for as fast as can be."""
    is_echo: bool = False
    """Against a server that only sends back: one socket a table."""
    server: int = 0
    """Its process, whose memory is looked at."""
    roots: list[int] = []
    """Processes whose time on the processor, and that of their children, is looked at."""


class Result(msgspec.Struct):
    """What came of it."""

    moves: int
    seconds: float
    latencies: list[float]
    """In seconds, from when a card was due until all clients of the table had it."""
    bytes_per_move: float
    """To one client."""
    memory_per_table: float
    """In bytes."""
    cpu_per_move: float
    """In seconds on a processor."""


class Event(msgspec.Struct):
    type: str
    seat: int = 0
    deal: int = 0


class Heard(msgspec.Struct):
    """As much of any message as matters here."""

    type: str
    seq: int = 0
    events: list[dict[str, object]] = []
    legal: list[str] = []


class Happened(msgspec.Struct, array_like=True):
    """As much of an event's message as matters here."""

    type: str
    seq: int
    event: Event


READ = msgspec.json.Decoder(Heard).decode
READ_EVENT = msgspec.json.Decoder(Happened).decode


def opening(path: str) -> bytes:
    """How a client asks for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


class Line(asyncio.Protocol):
    """A WebSocket, from the client's side: text frames only."""

    def __init__(self, path: str, hear: Callable[["Line", bytes], None]) -> None:
        self.path, self.hear = path, hear
        self.received = 0
        self.open = asyncio.get_running_loop().create_future()
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(opening(self.path))

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        self._buffer += data
        if not self.open.done():
            head, found, self._buffer = self._buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.open.set_exception(ConnectionError(head.decode("latin-1").splitlines()[0]))
                self.transport.abort()
                return
            self.open.set_result(None)
        buffer, start = self._buffer, 0
        while len(buffer) - start >= 2:
            size, begin = buffer[start + 1], start + 2
            if size >= SHORT:
                width = 2 if size == SHORT else 8
                size, begin = int.from_bytes(buffer[begin : begin + width], "big"), begin + width
            if len(buffer) < begin + size:
                break
            if buffer[start] == TEXT:
                self.hear(self, buffer[begin : begin + size])
            elif buffer[start] == PING:
                self.transport.write(bytes([PONG, 0x80 | size]) + bytes(4) + buffer[begin : begin + size])
            start = begin + size
        self._buffer = buffer[start:]

    def say(self, text: bytes) -> None:
        """With a mask of zeros, which changes nothing."""
        size = bytes([0x80 | len(text)]) if len(text) < SHORT else bytes([0xFE]) + len(text).to_bytes(2, "big")
        self.transport.write(b"\x81" + size + bytes(4) + text)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(error or ConnectionError(self.path))


class Table:
    """A table, and all its clients."""

    def __init__(self, crowd: "Crowd", name: str) -> None:
        self.crowd, self.name = crowd, name
        self.lines: list[Line] = []
        self.dealt = asyncio.get_running_loop().create_future()
        self._seqs: dict[Line, int] = {}
        self._turn: tuple[Line, Heard] | None = None
        self._sent: tuple[int, float] | None = None
        """The number that our card will have, and when it was due."""
        self._due = 0.0

    async def sit_down(self, seats: tuple[str | None, ...], tokens: list[str]) -> None:
        persons = [seat for seat, player in enumerate(seats) if player is None]
        for seat, token in zip(persons, tokens, strict=False):
            line = await self.crowd.connect(f"/api/tables/{self.name}/socket", self._hear)
            self.lines.append(line)
            _say(line, type="hello", protocol=1, build="", token=token)
            await self._reach(line, len(self.lines) - 1 or 1)
            if len(self.lines) > 1:
                _say(line, type="sit", expect=len(self.lines) - 1, seat=seat)
                await self._reach(line, len(self.lines))
        await self._reach(self.lines[0], len(self.lines))
        _say(self.lines[0], type="start", expect=len(self.lines))
        await self.dealt

    async def _reach(self, line: Line, seq: int) -> None:
        while self._seqs.get(line, 0) < seq:
            await asyncio.sleep(0.001)

    def begin(self, due: float) -> None:
        self._due = due
        self._go_on()

    def _hear(self, line: Line, text: bytes) -> None:
        if text.startswith(b"["):
            happened = READ_EVENT(text)
            self._seqs[line] = happened.seq
            self._react(line, happened.event)
            self._go_on()
            return
        heard = READ(text)
        match heard.type:
            case "batch":
                self._seqs[line] = len(heard.events)
            case "turn":
                self._turn = line, heard
                self._go_on()

    def _react(self, line: Line, event: Event) -> None:
        match event.type:
            case "committed":
                _say(line, type="share", deal=event.deal, share=os.urandom(16).hex())
            case "dealt" if not self.dealt.done():
                self.dealt.set_result(None)
            case "opened" if event.deal == DEALS:
                self.crowd.ended.set()
            case "opened" if line is self.lines[0]:
                self._score()

    def _score(self) -> None:
        """All tap on, one after another, since each has to know of the last."""
        task = asyncio.create_task(self._tap_on())
        self.crowd.tasks.add(task)
        task.add_done_callback(self.crowd.tasks.discard)

    async def _tap_on(self) -> None:
        for line in self.lines:
            seq = max(self._seqs.values())
            await self._reach(line, seq)
            _say(line, type="goon", expect=seq)
            await self._reach(line, seq + 1)

    def _go_on(self) -> None:
        """Counts a card that everyone has, and plays the next when everyone has all."""
        seqs = self._seqs.values()
        if self._sent and min(seqs) >= self._sent[0]:
            self.crowd.count(time.perf_counter() - self._sent[1])
            self._sent = None
        if self._due and self._turn and not self._sent and min(seqs) == max(seqs) == self._turn[1].seq:
            line, heard = self._turn
            self._turn = None
            now = time.perf_counter()
            self._due = self._due + self.crowd.task.interval if self.crowd.task.interval else now
            if self._due > now:
                asyncio.get_running_loop().call_later(self._due - now, self._play, line, heard)
            else:
                self._due = now
                self._play(line, heard)

    def _play(self, line: Line, heard: Heard) -> None:
        if self.crowd.is_over:
            return
        self._sent = heard.seq + 1, self._due
        card = heard.legal[heard.seq % len(heard.legal)]
        line.say(b'{"type":"play","expect":%d,"card":"%s"}' % (heard.seq, card.encode()))


def _say(line: Line, **message: object) -> None:
    line.say(json.dumps(message).encode())


class Crowd:
    """Everyone at all tables."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_over = False
        self.ended = asyncio.Event()
        self._latencies: list[float] = []

    def count(self, latency: float) -> None:
        self._latencies.append(latency)

    async def connect(self, path: str, hear: Callable[[Line, bytes], None]) -> Line:
        host, port = self.task.address.removeprefix("http://").split(":")
        _, line = await asyncio.get_running_loop().create_connection(lambda: Line(path, hear), host, int(port))
        await line.open
        return line

    async def measure(self) -> Result:
        memory = memory_of(self.task.server)
        async with asyncio.timeout(LONGEST_SETUP):
            lines = await (self._echo() if self.task.is_echo else self._gather())
        memory = memory_of(self.task.server) - memory
        await asyncio.sleep(min(0.5, self.task.seconds / 4))
        worked = cpu_of(self.task.roots)
        received, moves, begun = sum(line.received for line in lines), len(self._latencies), time.perf_counter()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), self.task.seconds)
        taken, latencies = time.perf_counter() - begun, self._latencies[moves:]
        worked = cpu_of(self.task.roots) - worked
        self.is_over = True
        for task in self.tasks:
            task.cancel()
        size = sum(line.received for line in lines) - received
        clients = len(lines) / self.task.tables
        count = max(1, len(latencies))
        memory /= self.task.tables
        return Result(len(latencies), taken, latencies, size / count / clients, memory, worked / count)

    async def _gather(self) -> list[Line]:
        tokens = [(await self._ask("/api/people", {"name": f"Player {n}"}))["token"] for n in range(4)]
        tables: list[Table] = []
        limit = asyncio.Semaphore(16)

        async def prepare() -> None:
            async with limit:
                wish = {"seats": self.task.seats, "rules": f"classic deals={DEALS}"}
                table = Table(self, (await self._ask("/api/tables", wish, tokens[0]))["table"])
                await table.sit_down(self.task.seats, tokens)
                tables.append(table)

        await asyncio.gather(*(prepare() for _ in range(self.task.tables)))
        rng, now = Random(1), time.perf_counter()
        for table in tables:
            table.begin(now + self.task.interval * (rng.random() - 1))
        return [line for table in tables for line in table.lines]

    async def _ask(self, path: str, body: object, token: str = "") -> dict[str, str]:
        request = Request(f"{self.task.address}{path}", json.dumps(body).encode())  # noqa: S310
        if token:
            request.add_header("Authorization", f"Bearer {token}")

        def answer() -> dict[str, str]:
            with urlopen(request, timeout=30) as response:  # noqa: S310
                said: dict[str, str] = json.loads(response.read())
                return said

        return await asyncio.to_thread(answer)

    async def _echo(self) -> list[Line]:
        """Each socket says what a play is, and again when it has it back."""
        text = b'{"type":"play","expect":1234,"card":"V12"}'
        sent: dict[Line, float] = {}

        def hear(line: Line, _: bytes) -> None:
            now = time.perf_counter()
            self.count(now - sent[line])
            if not self.is_over:
                sent[line] = now
                line.say(text)

        lines = [await self.connect("/", hear) for _ in range(self.task.tables)]
        for line in lines:
            sent[line] = time.perf_counter()
            line.say(text)
        return lines


def memory_of(process: int) -> float:
    """What a process holds, in bytes; 0 where the system doesn't tell."""
    try:
        with open(f"/proc/{process}/statm") as statm:  # noqa: PTH123
            return int(statm.read().split()[1]) * float(os.sysconf("SC_PAGE_SIZE"))
    except OSError:
        return 0.0


def cpu_of(roots: list[int]) -> float:
    """The seconds that processes and all that they started have worked; 0 where the system doesn't tell."""
    times: dict[int, float] = {}
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            process = int(stat.parent.name)
            parents[process] = int(fields[1])
            times[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    family = set(roots)
    while more := {process for process, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(times.get(process, 0.0) for process in family)


def main() -> None:
    from davidgoliath.server.run import new_loop

    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    with asyncio.Runner(loop_factory=new_loop) as runner:
        result = runner.run(Crowd(task).measure())
    os.set_blocking(sys.stdout.fileno(), True)  # or a long result might get there in part
    sys.stdout.buffer.write(msgspec.json.encode(result))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
