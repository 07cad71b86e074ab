"""`./dg soak fuzz`: nonsense, lies and theft over WebSockets, beside people who only want to play.

Those who misbehave (`nonsense.py`) watch the regulars' table, come to it as strangers with a token of their own, guess
tokens, repeat what regulars have said, in a regular's name too, and do as they like at tables of their own. The server
must outlive it without a complaint, the regulars' tables must hold what the regulars did and nothing else, and all that
anybody heard is compared with what is stored (`leak_checker.py`).
"""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, cast
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from davidgoliath.server.protocol import messages as m
from tools.crowd import memory_of, opening
from tools.soak.leak_checker import LeakChecker
from tools.soak.nonsense import CLOSE, PONG, TEXT, Nonsense, frame
from tools.soak.regulars import BOT, Regulars, ask
from tools.soak.server import Server

AT_ONCE = 12
LONGEST_CLOSE = 30.0
MOST_FRAMES = 24
"""So many on one connection."""
MESSAGES_A_TABLE = 400
"""After so many the mob has another table of its own."""
ROLES = ("watcher", "stranger", "stranger", "regular", "owner", "owner", "guest", "guest", "passer-by", "thief")
"""As whom one of them comes: to watch the regulars or the mob, with a token of their own, a regular's, or a bad one."""
SCENES = 4
SCENE = (
    *(("sit", 1, 1), ("start", 0, None), ("ask", 0, 1), ("replaceabsent", 0, 1), ("back", 1, None)),
    *(("replaceabsent", 0, 0), ("back", 0, None)),
)
"""What two who doze wish, again and again: the kind, which of them, and which seat."""


class Peer(asyncio.Protocol):
    """A connection of somebody who writes whatever they like, but reads and says goodbye as one should."""

    def __init__(self, path: str, hear: Callable[[str], None]) -> None:
        self.path, self.hear = path, hear
        self.is_open = asyncio.get_running_loop().create_future()
        self.closed = asyncio.Event()
        self.heard = asyncio.Event()
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(opening(self.path))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.is_open.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            self._buffer = rest
            self.is_open.set_result(head.startswith(b"HTTP/1.1 101"))
        if self.is_open.result():
            while self._read_frame():
                pass

    def _read_frame(self) -> bool:
        data = self._buffer
        if len(data) < 2:
            return False
        size, start = data[1] & 0x7F, 2
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(data[2:start], "big")
        if len(data) < start + size:
            return False
        payload, self._buffer = data[start : start + size], data[start + size :]
        match data[0] & 0x0F:
            case 1:
                self.hear(payload.decode())
                self.heard.set()
            case 8:
                self.transport.write(frame(payload[:2], CLOSE))
                self.transport.close()
            case 9:
                self.transport.write(frame(payload, PONG))
        return True

    def connection_lost(self, error: Exception | None) -> None:
        if not self.is_open.done():
            self.is_open.set_result(False)
        self.closed.set()
        self.heard.set()

    async def pause(self, seconds: float) -> None:
        """Until something is heard, or for a while."""
        self.heard.clear()
        try:
            await asyncio.wait_for(self.heard.wait(), seconds)
        except TimeoutError:
            return

    async def end(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self.closed.wait(), seconds)
        except TimeoutError:
            raise AssertionError("the server didn't let somebody go") from None


class Mob:
    """Those who misbehave."""

    def __init__(self, server: Server, messages: int, rng: Random, step: Callable[[int], None]) -> None:
        self.server, self.messages, self.rng, self.step = server, messages, rng, step
        self.address = server.address
        self.regulars = Regulars(self.address, Random(rng.random()))
        self.leaks = LeakChecker()
        self.tokens: list[str] = []
        self.persons: list[str] = []
        self.own: list[str] = []
        """Tables where they may do as they like, the present one last."""
        self.sent = self.connections = 0
        self._dozing: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        """All of the messages, beside at least one match of the regulars."""
        await self._arrive()
        playing = asyncio.create_task(self.regulars.play())
        while not self.regulars.tables:
            await asyncio.sleep(0.01)
            assert not playing.done(), playing
        attacks = [asyncio.create_task(self._misbehave()) for _ in range(AT_ONCE)]
        try:
            await asyncio.gather(*attacks)
        finally:
            self.regulars.stops = True
            for attack in (*attacks, *self._dozing):
                attack.cancel()
        await playing
        assert self.server.is_alive, "the server died"
        await ask(self.address, "/healthz")

    async def _arrive(self) -> None:
        await self.regulars.arrive()
        for name in ("Mallory", "Oscar", "Trudy"):
            made = await ask(self.address, "/api/people", {"name": name})
            self.tokens.append(made["token"])
            self.persons.append(made["person"])
        self.leaks.secrets.update(self.tokens + self.regulars.tokens)
        await self._new_table()

    async def _new_table(self) -> None:
        terms = {
            "seats": [None, None, BOT],
            "rules": "classic deals=2",
            "takeover": True,
            "turn_seconds": 1,
            "hints": True,
        }
        self.own.append((await ask(self.address, "/api/tables", terms, self.tokens[0]))["table"])
        if len(self.own) % 4 == 1:
            self._dozing.append(asyncio.create_task(self._doze(self.own[-1])))

    async def _doze(self, table: str) -> None:
        """Two begin a match and let their time pass, so that a bot may play for them; others do as they like there."""
        nonsense, peers = [Nonsense(Random(self.rng.random())) for _ in range(2)], []
        try:
            for token, person, one in zip(self.tokens, self.persons, nonsense, strict=False):
                peers.append(await self._come(table, person, one))
                peers[-1].transport.write(frame(one.hello(token, 0)))
                await peers[-1].pause(LONGEST_CLOSE)
            for kind, number, seat in SCENE * SCENES:
                if nonsense[number].is_time_to_share:
                    peers[number].transport.write(nonsense[number].decent())
                wish = {"type": kind, "expect": nonsense[number].seq, **({} if seat is None else {"seat": seat})}
                peers[number].transport.write(frame(json.dumps(wish).encode()))
                await asyncio.sleep(0.25)
        finally:
            for peer in peers:
                peer.transport.abort()

    async def _come(self, table: str, person: str | None, nonsense: Nonsense) -> Peer:
        """A connection to a table, on which all that is heard is taken down."""

        def hear(text: str) -> None:
            nonsense.learn(self.leaks.hear(table, person, text))

        _, peer = await asyncio.get_running_loop().create_connection(
            lambda: Peer(f"/api/tables/{table}/socket", hear), *self._place
        )
        await peer.is_open
        return peer

    async def _misbehave(self) -> None:
        while self.sent < self.messages:
            assert self.server.is_alive, "the server died"
            assert not self.leaks.objections, self.leaks.objections[0]
            if self.sent > MESSAGES_A_TABLE * len(self.own):
                await self._new_table()
            kind = self.rng.random()
            if kind < 0.03:
                await self._babble()
            elif kind < 0.08:
                await self._pry()
            else:
                await self._visit()
            self.connections += 1

    async def _babble(self) -> None:
        """Not even HTTP, or not quite."""
        reader, writer = await asyncio.open_connection(*self._place)
        upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
        writer.write(
            self.rng.choice(
                (
                    self.rng.randbytes(200) + b"\r\n\r\n",
                    b"GET /api/tables/%00/socket HTTP/1.1\r\nHost: x\r\n" + upgrade + b"\r\n",
                    b"GET /api/tables/x/socket HTTP/1.1\r\n" + upgrade + b"Sec-WebSocket-Key: ?\r\n\r\n",
                    b"GET /" + b"a" * 5000 + b"/socket HTTP/1.1\r\nHost: x\r\n\r\n",
                    b"POST /api/people HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{",
                )
            )
        )
        writer.write_eof()
        try:
            await asyncio.wait_for(reader.read(), LONGEST_CLOSE)
        except ConnectionError:
            pass
        finally:
            writer.close()
        self._count()

    async def _pry(self) -> None:
        """Over HTTP, for what was right to play, and what others knew: of the regulars nobody is told anything."""
        rng, is_own = self.rng, self.rng.random() < 0.4
        table = self.own[-1] if is_own else self.regulars.tables[-1]
        deal, seat, place = (
            rng.choice((1, 1, 2, 0, -1, 10**20)),
            rng.choice((0, 1, 2, 2, 3, -1)),
            rng.choice((0, 9, 10**9)),
        )
        hand = {"deal": deal, "seat": seat}
        what, body = rng.choice(
            (
                ("reviews", None),
                ("reviews", hand),
                ("reviews", hand | {"judge": "me"}),
                ("knowledge", hand | {"place": place}),
                ("sharing", {"is_shared": rng.choice((True, 1, None))}),
            )
        )
        status, answer = await pry(
            self.address, f"/api/tables/{table}/{what}", body, rng.choice((*self.tokens, "", "x"))
        )
        if status >= 500 or (status == 200 and not is_own and answer.get("reviews") != []):
            self.leaks.objections.append(
                f"{what} of {hand} at {'their own' if is_own else 'the regulars'}: {status} {answer}"
            )
        self._count()

    @property
    def _place(self) -> tuple[str, int]:
        host, port = self.address.removeprefix("http://").split(":")
        return host, int(port)

    async def _visit(self) -> None:
        """One connection: as whom, to which table, and what is said there."""
        rng, nonsense = self.rng, Nonsense(Random(self.rng.random()))
        nonsense.persons = [*self.persons, *self.regulars.persons]
        table, token, person, regular = self.regulars.tables[-1], None, None, None
        role = rng.choice(ROLES)
        if role in ("stranger", "owner", "guest"):
            number = rng.randrange(3) if role == "stranger" else 0 if role == "owner" else rng.choice((1, 2))
            token, person = self.tokens[number], self.persons[number]
        if role in ("owner", "guest", "passer-by"):
            table = self.own[-1]
        if role == "regular":
            regular = rng.randrange(2)
            token, person = self.regulars.tokens[regular], self.regulars.persons[regular]
        if role == "thief":
            token = nonsense.token(rng.choice(self.regulars.tokens))
            table = rng.choice((table, table, "nowhere", "%2e%2e", "a" * 300))
        nonsense.overheard = [
            text for where, seat, text in self.regulars.frames if regular is None or (where, seat) == (table, regular)
        ]
        nonsense.seq = 0 if table in self.own else self.regulars.seq
        peer = await self._come(table, person, nonsense)
        if not peer.is_open.result():
            peer.transport.abort()
            return
        since = 0 if rng.random() < 0.1 else max(0, nonsense.seq - rng.randrange(3))
        first = rng.choices((nonsense.hello(token, since), nonsense.mistyped(m.Hello), b""), (90, 5, 5))[0]
        if first:
            peer.transport.write(frame(first))
            self._count()
            await peer.pause(0.1)
        is_decent = rng.random() < 0.4
        for _ in range(rng.randrange(1, MOST_FRAMES)):
            if peer.closed.is_set():
                return
            if regular is not None:  # nothing but what they have said here, since whoever has their token is them
                peer.transport.write(frame(nonsense.replayed()))
            else:
                peer.transport.write(nonsense.decent() if is_decent or nonsense.is_time_to_share else nonsense.frames())
            self._count()
            await peer.pause(rng.choice((0.0, 0.01, 0.03)))
        await self._end(peer, nonsense.is_broken)

    async def _end(self, peer: Peer, is_broken: bool) -> None:
        """Politely, at once, or in the middle of a word."""
        match self.rng.randrange(4):
            case 0:
                peer.transport.abort()
            case 1:
                peer.transport.write(frame(b"x" * 100, TEXT)[:50])
                peer.transport.close()
            case _ if is_broken:
                peer.transport.abort()
            case _:
                peer.transport.write(frame((1000).to_bytes(2, "big"), CLOSE))
                await peer.end(LONGEST_CLOSE)

    def _count(self) -> None:
        self.sent += 1
        self.step(1)


async def pry(address: str, path: str, body: object, token: str) -> tuple[int, dict[str, Any]]:
    """The status of an answer, and what it says."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = Request(f"{address}{path}", None if body is None else json.dumps(body).encode(), headers)  # noqa: S310

    def answer() -> tuple[int, dict[str, Any]]:
        try:
            with urlopen(request, timeout=LONGEST_CLOSE) as response:  # noqa: S310
                return response.status, json.loads(response.read())
        except HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    return await asyncio.to_thread(answer)


def fuzz(folder: Path, messages: int, seed: int, step: Callable[[int], None]) -> dict[str, float]:
    """Sends so many messages to a server. Gives figures, or an `AssertionError`."""
    database, begun = folder / "tables.db", time.monotonic()
    with Server(database) as server:
        before = memory_of(server.process.pid)
        mob = Mob(server, messages, Random(seed), step)
        asyncio.run(mob.run())
        grown = memory_of(server.process.pid) - before
    complaints = server.complaints.splitlines()
    assert not complaints, "the server complained:\n" + "\n".join(complaints[:40])
    checked = asyncio.run(mob.leaks.check(database, mob.regulars))
    return {
        "messages": mob.sent,
        "connections": mob.connections,
        "matches_of_the_regulars": len(mob.regulars.tables),
        "tables_of_the_mob": len(mob.own),
        **checked,
        "megabytes_grown": round(grown / 1e6, 1),
        "seconds": round(time.monotonic() - begun),
    }
