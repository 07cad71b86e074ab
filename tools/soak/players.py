"""`python -m tools.soak.players TABLES SECONDS`: people at many tables, who come back whenever their server does.

They think for so many seconds over each card, or not at all.

Each line of standard input is the address of the server, which is another one after a crash, or several addresses of
servers on one database, of which everyone takes any; when the input ends, no new tables begin, and those that run are
played to their end. Standard output has a line for each card that a client heard of, `table seq seat card`, and `own`
behind it if it was the client's own: its acknowledgement. `back SECONDS` says how long after the end of a connection a
client had all that it missed by the next, and `waits` that a table was said to wait for its store. A client that finds
a gap ends everything with an error.
"""

import asyncio
import json
import os
import sys
import time
from http.client import HTTPException
from random import Random
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tools.decode_message import decode_message

RETURN = 0.05, 0.25
"""So many seconds after the end of a connection a page tries the next, between these."""
PATIENCE = 0.3
"""After so many seconds somebody tries again what couldn't be stored."""
UNSTORED = ("not_stored", "perhaps_stored")
UNTIMELY = ("stale", "not_host")
"""Whoever hosted is not the host for a moment, if others were back much earlier."""
LONGEST_END = 60.0
"""So many seconds after the input ends, everything does."""


class Server:
    """Where the server is now."""

    def __init__(self, thought: float) -> None:
        self.thought = thought
        self.addresses: list[str] = []
        self.stops = False
        self.playing: set[Player] = set()
        self._rng = Random(3)
        self._moved = asyncio.Condition()

    async def follow(self) -> None:
        """Reads addresses until the input ends."""
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while line := await lines.readline():
            async with self._moved:
                self.addresses = line.decode().split()
                self._moved.notify_all()
        self.stops = True

    @property
    def address(self) -> str:
        return self._rng.choice(self.addresses) if self.addresses else ""

    async def moved(self, old: str) -> None:
        """Waits until it is elsewhere, or for as long as a page does."""
        async with self._moved:
            try:
                left = self._rng.uniform(*RETURN)
                await asyncio.wait_for(self._moved.wait_for(lambda: old not in self.addresses), left)
            except TimeoutError:
                return

    async def ask(self, path: str, body: object, token: str = "") -> dict[str, Any]:
        """An answer, from whichever server is there in the end."""
        while True:
            address = self.address
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            request = Request(f"{address}{path}", json.dumps(body).encode(), headers)  # noqa: S310
            try:
                return await asyncio.to_thread(self._answer, request)
            except (OSError, HTTPException, ValueError):
                await self.moved(address)

    @staticmethod
    def _answer(request: Request) -> dict[str, Any]:
        with urlopen(request, timeout=20) as response:  # noqa: S310
            answer: dict[str, Any] = json.loads(response.read())
            return answer


class Player:
    """A person at a table, who does what there is to do as soon as it can be done."""

    def __init__(self, server: Server, table: str, token: str, seat: int, people: int) -> None:
        self.server, self.table, self.token, self.seat, self.people = server, table, token, seat, people
        self.events: list[dict[str, Any]] = []
        self._asked = 0
        self._turn: dict[str, Any] | None = None
        self._lost = 0.0

    async def play(self) -> None:
        """To the end of the match, through any number of connections."""
        self.server.playing.add(self)
        while not self._has("opened"):
            address = self.server.address
            try:
                where = f"{address.replace('http', 'ws')}/api/tables/{self.table}/socket"
                async with connect(where, compression=None, proxy=None) as socket:
                    await self._talk(socket)
            except (OSError, WebSocketException):
                self._lost = self._lost or time.monotonic()
                await self.server.moved(address)
        self.server.playing.remove(self)

    def __str__(self) -> str:
        turn = f", whose turn it was at {self._turn['seq']}" if self._turn else ""
        away = ", without a connection" if self._lost else ""
        has = f"has {len(self.events)} events, at last {self._type()!r}"
        return f"seat {self.seat} of table {self.table} {has}{turn}{away}"

    async def _talk(self, socket: ClientConnection) -> None:
        since, lost = len(self.events), self._lost
        self._lost = 0.0
        await _say(socket, "hello", protocol=1, build="", token=self.token, since=since)
        self._asked = 0
        async for text in socket:
            message = decode_message(text)
            match message["type"]:
                case "batch":
                    assert message["first"] == since + 1
                    for event in (told["event"] for told in message["events"]):
                        self._hear(event)
                    if lost:
                        os.write(1, f"back {time.monotonic() - lost:.3f}\n".encode())
                    if self._type() == "committed":
                        await self._share(socket)
                case "happened":
                    assert message["seq"] == len(self.events) + 1, "there is a gap"
                    self._hear(message["event"])
                    if self._type() == "committed":
                        await self._share(socket)
                case "turn":
                    self._turn = message
                    await self._play(socket)
                case "saving" if not message["ready"]:
                    os.write(1, b"waits\n")
                case "refused" if message["reason"] in UNSTORED:
                    await asyncio.sleep(PATIENCE)
                    self._asked = 0
                    await self._play(socket)
                case "refused":
                    assert message["reason"] in UNTIMELY, message
            if self._has("opened"):
                return
            if self.events and not self._has("started"):
                await self._get_ready(socket)

    async def _play(self, socket: ClientConnection) -> None:
        if self._turn and self._turn["seq"] == len(self.events):
            await asyncio.sleep(self.server.thought)
            card = self._turn["legal"][len(self.events) % len(self._turn["legal"])]
            await _say(socket, "play", expect=self._turn["seq"], card=card)

    def _type(self) -> str:
        return str(self.events[-1]["type"]) if self.events else ""

    def _has(self, kind: str) -> bool:
        return any(event["type"] == kind for event in reversed(self.events))

    def _hear(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        if event["type"] == "played":
            own = " own" if event["seat"] == self.seat else ""
            os.write(1, f"{self.table} {len(self.events)} {event['seat']} {event['card']}{own}\n".encode())

    async def _share(self, socket: ClientConnection) -> None:
        await _say(socket, "share", deal=self.events[-1]["deal"], share=os.urandom(16).hex())

    async def _get_ready(self, socket: ClientConnection) -> None:
        """Sits down, or begins when all have; once for each number of events."""
        seq, sat = len(self.events), {event["seat"] for event in self.events if event["type"] == "sat"}
        if seq == self._asked:
            return
        self._asked = seq
        if self.seat and self.seat not in sat:
            await _say(socket, "sit", expect=seq, seat=self.seat)
        elif not self.seat and len(sat) == self.people - 1:
            await _say(socket, "start", expect=seq)


async def _say(socket: ClientConnection, kind: str, **fields: object) -> None:
    await socket.send(json.dumps({"type": kind, **fields}))


async def _keep_playing(server: Server, number: int) -> None:
    """One table after another: with one person and bots, or with people alone."""
    people = 1 if number % 2 else 3
    answers = [await server.ask("/api/people", {"name": f"Player {number}"}) for _ in range(people)]
    tokens = [answer["token"] for answer in answers]
    seats = [None] * people + ["random"] * (3 - people)
    while not server.stops:
        made = await server.ask("/api/tables", {"seats": seats, "rules": "single"}, tokens[0])
        players = [Player(server, made["table"], token, seat, people) for seat, token in enumerate(tokens)]
        await asyncio.gather(*(player.play() for player in players))


async def main(tables: int, thought: float) -> None:
    server = Server(thought)
    following = asyncio.create_task(server.follow())
    while not server.addresses:
        await server.moved("")
    try:
        async with asyncio.timeout(None) as limit, asyncio.TaskGroup() as everyone:
            for number in range(tables):
                everyone.create_task(_keep_playing(server, number))
            await following
            limit.reschedule(asyncio.get_running_loop().time() + LONGEST_END)
    except TimeoutError:
        sys.exit("\n".join(map(str, server.playing)))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
