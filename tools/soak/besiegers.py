"""`python -m tools.soak.besiegers KIND`: one address that asks for all that the server gives, by one way of several.

Takes a `Task` on standard input, ends by itself, and gives on standard output what became of it, as counts. Whoever is
refused tries again, and stops for a moment first: the computer is shared with the server that is besieged.
"""

import asyncio
import contextlib
import json
import os
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from random import Random
from typing import Any

import msgspec

from tools.crowd import DEALS, Line, opening
from tools.decode_message import decode_message
from tools.soak.caller import Answer, Caller, dial, place
from tools.soak.nonsense import frame

FLOOR = 0.005
"""So many seconds lie between two things that one besieger does at least."""
REST = 0.25
"""So many seconds somebody rests who was refused."""
MESSAGES = 29
"""So many in a second the server takes on one socket."""
HEAD_START = 5.0
FIRST = ("scribblers", "talkers", "thinkers", "students")
"""These begin so many seconds earlier: when others have used up what an address may ask for, nobody gets a table."""
ALIKE = (OSError, EOFError, TimeoutError, ValueError, KeyError, ConnectionError)
"""What besiegers meet with."""


class Task(msgspec.Struct):
    """Who is besieged."""

    address: str
    source: str
    tables: list[str]
    """Of honest people."""
    seconds: float


class Rogue(Line):
    """A WebSocket that keeps what it hears until it is asked for."""

    def __init__(self, table: str) -> None:
        super().__init__(f"/api/tables/{table}/socket", self._keep)
        self.waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def _keep(self, _: Line, text: bytes) -> None:
        self.waiting.put_nowait(decode_message(text))

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.waiting.put_nowait({"type": "gone"})

    async def next(self, seconds: float = 10.0) -> dict[str, Any]:
        """What is heard next, or `ConnectionError`."""
        async with asyncio.timeout(seconds):
            message = await self.waiting.get()
        if message["type"] == "gone":
            raise ConnectionError
        return message

    def all(self) -> Iterator[dict[str, Any]]:
        """What has been heard so far, or `ConnectionError`."""
        while not self.waiting.empty():
            message = self.waiting.get_nowait()
            if message["type"] == "gone":
                raise ConnectionError
            yield message

    def wish(self, kind: str, **fields: object) -> None:
        self.say(json.dumps({"type": kind, **fields}).encode())


class Besiegers:
    """All that do the same."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.rng = Random(13)
        self.counts: Counter[str] = Counter()
        self.tokens: list[str] = []

    async def run(self, kind: str) -> dict[str, int]:
        """For as long as the task says."""
        attacks = KINDS[kind](self)
        late = 0.0 if kind in FIRST else min(HEAD_START, self.task.seconds / 8)
        await asyncio.sleep(late)
        running = [asyncio.create_task(self._again(attack)) for attack in attacks]
        await asyncio.sleep(self.task.seconds - late)
        for attack in running:
            attack.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        return dict(self.counts)

    async def _again(self, attack: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await asyncio.sleep(self.rng.random() * REST)
        while True:
            try:
                await attack()
            except ALIKE as trouble:
                self.counts[f"ended by {type(trouble).__name__}"] += 1
                await asyncio.sleep(REST)

    async def ask(self, caller: Caller, path: str, body: object = None, token: str = "") -> Answer:
        answer = await caller.ask(path, body, token)
        self.counts[f"answers {answer.status}"] += 1
        if answer.status >= 400:
            await asyncio.sleep(REST)
        return answer

    async def token(self) -> str:
        """Of somebody: there are a few of them, who make everything."""
        if len(self.tokens) < 3:
            caller = Caller(self.task.address, self.task.source)
            try:
                self.tokens.append((await self.ask(caller, "/api/people", {"name": "Mallory"})).said["token"])
            finally:
                caller.close()
        return self.rng.choice(self.tokens)

    async def table(self, token: str, *seats: str | None) -> str:
        caller = Caller(self.task.address, self.task.source)
        terms = {"seats": seats, "rules": f"classic deals={DEALS}", "takeover": True}
        try:
            return str((await self.ask(caller, "/api/tables", terms, token)).said["table"])
        finally:
            caller.close()

    async def enter(self, table: str, token: str | None = None, since: int = 0) -> Rogue:
        """Comes to a table, and hears everything up to `batch`."""
        rogue = Rogue(table)
        await dial(rogue, self.task.address, self.task.source)
        self.counts["sockets"] += 1
        try:
            rogue.wish("hello", protocol=1, build="", token=token, since=since)
            while (message := await rogue.next())["type"] != "batch":
                if message["type"] == "refused":
                    self.counts[f"refused {message['reason']}"] += 1
                    raise ConnectionError(message["reason"])
        except BaseException:
            rogue.transport.abort()
            raise
        return rogue

    # A table of many events

    def scribblers(self) -> list[Callable[[], Coroutine[Any, Any, None]]]:
        return [self._scribble] * 3 + [self._take_back] * 2

    async def _scribble(self) -> None:
        """The host changes their mind as often as the sockets allow, and everyone looks at that table."""
        token = await self.token()
        table = await self.table(token, None, None, None)
        rogues = [await self.enter(table, token) for _ in range(5)]
        looking = asyncio.create_task(self._look_at(table))
        try:
            await self._change(rogues)
        finally:
            looking.cancel()
            for rogue in rogues:
                rogue.transport.abort()

    async def _change(self, rogues: list[Rogue]) -> None:
        """Each wish follows the event before it, or comes after a moment: one that changes nothing has no answer."""
        seq, failures = 1, 0
        while failures < 100:
            for rogue in rogues:
                kind, fields = self._whim()
                rogue.wish(kind, expect=seq, **fields)
                failures += 1
                await asyncio.sleep(1 / MESSAGES / len(rogues))
                for message in rogues[0].all():
                    if message["type"] == "happened":
                        self.counts["events"] += 1
                        failures, seq = 0, message["seq"]
                for message in rogue.all():
                    if message["type"] == "refused":
                        self.counts[f"refused {message['reason']}"] += 1

    def _whim(self) -> tuple[str, dict[str, Any]]:
        return self.rng.choice(
            (
                ("remove", {"person": secrets.token_hex(32)}),
                ("remove", {"person": secrets.token_hex(6)}),
                ("lock", {"locked": self.rng.random() < 0.5}),
                ("setpace", {"milliseconds": self.rng.randrange(5000)}),
                ("placebot", {"seat": 1, "bot": "random"}),
                ("free", {"seat": 1}),
                ("placebot", {"seat": 2, "bot": "master"}),
                ("free", {"seat": 2}),
            )
        )

    async def _look_at(self, table: str) -> None:
        caller = Caller(self.task.address, self.task.source)
        try:
            while True:
                with contextlib.suppress(*ALIKE):
                    await self.ask(caller, f"/api/tables/{table}")
                    (await self.enter(table)).transport.abort()
                await asyncio.sleep(REST)
        finally:
            caller.close()

    async def _take_back(self) -> None:
        """Alone against bots: a card, and back again."""
        token = await self.token()
        table = await self.table(token, None, "random", "random")
        rogue = await self.enter(table, token)
        try:
            rogue.wish("start", expect=1)
            while True:
                message = await rogue.next()
                match message:
                    case {"type": "happened", "event": {"type": "dealt"}, "seq": seq}:
                        rogue.wish("setpace", expect=seq, milliseconds=0)
                    case {"type": "turn", "seq": seq, "legal": legal}:
                        await asyncio.sleep(1 / MESSAGES)
                        if self.rng.random() < 0.6:
                            rogue.wish("play", expect=seq, card=legal[-1])
                        else:
                            rogue.wish(self.rng.choice(("undo", "dealagain")), expect=seq)
                    case {"type": "refused", "reason": reason, "seq": seq}:
                        self.counts[f"refused {reason}"] += 1
                        await asyncio.sleep(1 / MESSAGES)
                        rogue.wish(self.rng.choice(("undo", "pause", "resume", "dealagain")), expect=seq)
                if message["type"] == "happened":
                    self.react(rogue, message)
                    self.counts["events"] += 1
        finally:
            rogue.transport.abort()

    def react(self, rogue: Rogue, message: dict[str, Any]) -> None:
        """Does what keeps a table going."""
        match message["event"]:
            case {"type": "committed", "deal": deal}:
                rogue.wish("share", deal=deal, share=os.urandom(16).hex())
            case {"type": "opened"}:
                rogue.wish("goon", expect=message["seq"])

    # Many sockets that talk

    def talkers(self) -> list[Callable[[], Coroutine[Any, Any, None]]]:
        return [self._talk] * 25

    async def _talk(self) -> None:
        """At a table of one's own, by five sockets with as many wishes as each may have."""
        token = await self.token()
        table = await self.table(token, None, None, None)
        rogues = [await self.enter(table, token) for _ in range(5)]
        seq, locked = 1, False
        try:
            while True:
                for rogue in rogues:
                    locked = not locked
                    rogue.wish("lock", expect=seq, locked=locked)
                    self.counts["wishes"] += 1
                    await asyncio.sleep(1 / MESSAGES / len(rogues))
                    for message in rogue.all():
                        seq = max(seq, message.get("seq", 0))
                        if message["type"] == "refused":
                            self.counts[f"refused {message['reason']}"] += 1
        finally:
            self.counts["events"] += seq
            for rogue in rogues:
                rogue.transport.abort()

    # Spectators who come and go

    def spectators(self) -> list[Callable[[], Coroutine[Any, Any, None]]]:
        return [self._come_and_go] * 50 + [self._stay] * 100

    async def _come_and_go(self) -> None:
        """At two tables of honest people: as many as may."""
        token = await self.token() if self.rng.random() < 0.3 else None
        rogue = await self.enter(self.rng.choice(self.task.tables[:2]), token)
        await asyncio.sleep(FLOOR)
        rogue.transport.abort()

    async def _stay(self) -> None:
        """At a table that friends of the players want to see too."""
        rogue = await self.enter(self.task.tables[-1])
        try:
            while True:
                await rogue.next(600)
        finally:
            rogue.transport.abort()

    # Bots that think

    def thinkers(self) -> list[Callable[[], Coroutine[Any, Any, None]]]:
        return [self._think] * 60

    async def _think(self) -> None:
        """Five of the best at a table without any rest."""
        token = await self.token()
        rogue = await self.enter(await self.table(token, None, *["master"] * 5), token)
        try:
            rogue.wish("start", expect=1)
            while True:
                message = await rogue.next(600)
                match message:
                    case {"type": "happened", "event": {"type": "started"}, "seq": seq}:
                        rogue.wish("setpace", expect=seq, milliseconds=0)
                    case {"type": "turn", "seq": seq, "legal": legal}:
                        await asyncio.sleep(FLOOR)
                        rogue.wish("play", expect=seq, card=legal[0])
                    case {"type": "refused", "reason": reason, "seq": seq}:
                        self.counts[f"refused {reason}"] += 1
                if message["type"] == "happened":
                    self.react(rogue, message)
                    self.counts["cards of bots"] += message["event"]["type"] == "played"
        finally:
            rogue.transport.abort()

    # Connections that are no use

    def idlers(self) -> list[Callable[[], Coroutine[Any, Any, None]]]:
        upgrade = opening(f"/api/tables/{self.task.tables[0]}/socket")
        post = b"POST /api/people HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000\r\n\r\n"
        hello = frame(b'{"type":"hello","protocol":1,"build":""}')
        chunked = b"POST /api/people HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        return [
            *[lambda: self._pour(b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X: " + b"x" * 65_000 + b"\r\n")] * 2,
            *[lambda: self._pour(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"x" * 65_000)] * 2,
            lambda: self._pour(b"GET /", b"x" * 65_000),
            lambda: self._pour(upgrade[:-2], b"X: " + b"x" * 65_000 + b"\r\n"),
            lambda: self._pour(chunked, b"fe00\r\n" + b" " * 0xFE00 + b"\r\n"),
            lambda: self._pour(upgrade, b"\x01\xfe\xfd\xe8" + bytes(4) + b" " * 65_000),
            lambda: self._pour(upgrade + hello, b"\x89\x80" + bytes(4), 0.002),
            lambda: self._pour(upgrade + hello, (b"\x89\x80" + bytes(4)) * 10_000),
            lambda: self._pour(upgrade + hello, (b"\x8a\x80" + bytes(4)) * 10_000),
            lambda: self._pour(upgrade + hello, (b"\x81\x80" + bytes(4)) * 10_000),
            lambda: self._pour(upgrade + hello + b"\x01\x80" + bytes(4), (b"\x00\x80" + bytes(4)) * 10_000),
            lambda: self._pour(b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000),
            *[lambda: self._pour(b"", b"", 1.0)] * 400,
            *[lambda: self._pour(b"GET / HTTP/1.1\r\nX-Slow: ", b"x", 1.0)] * 50,
            *[lambda: self._pour(post, b" ", 1.0)] * 50,
            *[lambda: self._pour(upgrade, b"", 1.0)] * 50,
            *[self._never_read] * 5,
        ]

    async def _pour(self, first: bytes, rest: bytes, every: float = FLOOR) -> None:
        """Writes, and then more of the same, until the server has enough of it or a minute is over."""
        reader, writer = await asyncio.open_connection(*place(self.task.address), local_addr=(self.task.source, 0))
        self.counts["connections"] += 1
        reading = asyncio.create_task(reader.read())
        try:
            writer.write(first)
            async with asyncio.timeout(60):
                while not reading.done():
                    writer.write(rest)
                    await writer.drain()
                    self.counts["kilobytes"] += len(rest) // 1000
                    await asyncio.wait([reading], timeout=every)
            self.counts["connections that the server ended"] += 1
            await asyncio.sleep(REST)
        finally:
            reading.cancel()
            writer.transport.abort()

    async def _never_read(self) -> None:
        """Watches a table, and takes nothing in."""
        rogue = Rogue(self.rng.choice(self.task.tables))
        await dial(rogue, self.task.address, self.task.source)
        rogue.wish("hello", protocol=1, build="")
        rogue.transport.pause_reading()
        await asyncio.sleep(30)
        rogue.transport.abort()

    # Requests that cost something

    def readers(self) -> list[Callable[[], Coroutine[Any, Any, None]]]:
        self.long_match = ""
        return [self._play_long, *[self._read] * 8]

    async def _play_long(self) -> None:
        """A match of twenty deals against five bots: to read."""
        token = await self.token()
        table = await self.table(token, None, *["random"] * 5)
        rogue = await self.enter(table, token)
        self.long_match = self.long_match or table
        rogue.wish("start", expect=1)
        while True:
            message = await rogue.next(60)
            match message:
                case {"type": "happened", "event": {"type": "started"}, "seq": seq}:
                    rogue.wish("setpace", expect=seq, milliseconds=0)
                case {"type": "turn", "seq": seq, "legal": legal}:
                    await asyncio.sleep(1 / MESSAGES)
                    rogue.wish("play", expect=seq, card=legal[0])
                case {"type": "happened", "event": {"type": "opened", "deal": deal}} if deal == DEALS:
                    self.long_match = table
                    self.counts["long matches"] += 1
                    await asyncio.sleep(3600)
            if message["type"] == "happened":
                self.react(rogue, message)

    async def _read(self) -> None:
        caller, token = Caller(self.task.address, self.task.source), await self.token()
        table = f"/api/tables/{self.long_match or self.task.tables[0]}"
        paths = (f"{table}/replay", f"{table}/qr.svg", f"{table}/record.dgn", f"{table}/record.json", table)
        others = ("/api/me", "/api/server", "/readyz", "/", "/api/tables/nowhere", f"{table}/link")
        try:
            for path in (*paths * 3, *others):
                await self.ask(caller, path, token=token)
                await asyncio.sleep(FLOOR)
        finally:
            caller.close()

    # Hints, reviews, and what bots knew

    def students(self) -> list[Callable[[], Coroutine[Any, Any, None]]]:
        self.learnt: list[tuple[str, str, int]] = []
        return [self._learn] * 3 + [self._study] * 12

    async def _learn(self) -> None:
        """Alone against bots, with a hint for each card."""
        token = await self.token()
        table = await self.table(token, None, "random", "random")
        rogue = await self.enter(table, token)
        try:
            rogue.wish("start", expect=1)
            card = ""
            while True:
                message = await rogue.next(60)
                match message:
                    case {"type": "happened", "event": {"type": "started"}, "seq": seq}:
                        rogue.wish("setpace", expect=seq, milliseconds=0)
                    case {"type": "turn", "seq": seq, "legal": [card, *_]}:
                        await asyncio.sleep(1 / MESSAGES)
                        rogue.wish("hint", expect=seq)
                    case {"type": "happened", "event": {"type": "hinted"}, "seq": seq}:
                        self.counts["hints"] += 1
                        rogue.wish("play", expect=seq, card=card)
                    case {"type": "refused", "reason": "too_many_hints"}:
                        rogue.wish("play", expect=seq, card=card)
                    case {"type": "happened", "event": {"type": "opened", "deal": deal}}:
                        self.learnt.append((token, f"/api/tables/{table}", deal))
                if message["type"] == "happened":
                    self.react(rogue, message)
        finally:
            rogue.transport.abort()

    async def _study(self) -> None:
        """All that is to be known of a deal, again and again."""
        if not self.learnt:
            await asyncio.sleep(REST)
            return
        token, table, deal = self.rng.choice(self.learnt)
        caller = Caller(self.task.address, self.task.source)
        hand = {"deal": deal, "seat": self.rng.randrange(3)}
        wanted = (
            ("sharing", {"is_shared": self.rng.random() < 0.5}),
            ("knowledge", hand | {"place": 1}),
            ("reviews", hand),
        )
        try:
            for what, body in (*wanted, *[("reviews", None), ("reviews", hand)] * 10):
                await self.ask(caller, f"{table}/{what}", body, token)
                await asyncio.sleep(FLOOR)
            await self.ask(caller, "/api/me/figures", token=token)
        finally:
            caller.close()


KINDS: dict[str, Callable[[Besiegers], list[Callable[[], Coroutine[Any, Any, None]]]]] = {
    "scribblers": Besiegers.scribblers,
    "talkers": Besiegers.talkers,
    "spectators": Besiegers.spectators,
    "idlers": Besiegers.idlers,
    "readers": Besiegers.readers,
    "thinkers": Besiegers.thinkers,
    "students": Besiegers.students,
}


def main() -> None:
    from davidgoliath.server.run import new_loop

    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    with asyncio.Runner(loop_factory=new_loop) as runner:
        counts = runner.run(Besiegers(task).run(sys.argv[1]))
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
