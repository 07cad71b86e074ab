"""Two people and a bot who play match after match while others misbehave, and who write down all that they say."""

import asyncio
import json
import os
from collections import defaultdict, deque
from random import Random
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

from tools.decode_message import decode_message

DEALS = 2
BOT = "random"
LONGEST_THOUGHT, LONGEST_SHARE = 0.02, 0.3
LONGEST_SILENCE = 30.0


async def ask(address: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
    """The server's answer over HTTP."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{address}{path}", data)  # noqa: S310
    if token:
        request.add_header("Authorization", f"Bearer {token}")

    def answer() -> dict[str, Any]:
        with urlopen(request, timeout=LONGEST_SILENCE) as response:  # noqa: S310
            said: dict[str, Any] = json.loads(response.read())
            return said

    return await asyncio.to_thread(answer)


class Regulars:
    """Those who only want to play."""

    def __init__(self, address: str, rng: Random) -> None:
        self.address, self.rng = address, rng
        self.tokens: list[str] = []
        self.persons: list[str] = []
        self.tables: list[str] = []
        """Where they have begun to play, the present one last."""
        self.seq = 0
        """The number of the last event that one of them has heard of."""
        self.said: dict[tuple[str, int], set[tuple[str, int, str]]] = defaultdict(set)
        """By table and the number of the event that was expected: what kind of wish, by which seat, which card."""
        self.shares: dict[tuple[str, int, int], str] = {}
        """By table, deal and seat."""
        self.frames: deque[tuple[str, int, bytes]] = deque(maxlen=300)
        """What they have said lately: at which table, by which seat, and the words."""
        self.stops = False

    async def arrive(self) -> None:
        for name in ("Anna", "Ben"):
            made = await ask(self.address, "/api/people", {"name": name})
            self.tokens.append(made["token"])
            self.persons.append(made["person"])

    async def play(self) -> None:
        """Until they are told to stop, and then to the end of the match."""
        while not self.stops:
            terms = {"seats": [None, None, BOT], "rules": f"classic deals={DEALS}"}
            table = (await ask(self.address, "/api/tables", terms, self.tokens[0]))["table"]
            await asyncio.gather(*(Regular(self, table, seat).play() for seat in (0, 1)))


class Regular:
    """One of them, for a match."""

    def __init__(self, group: Regulars, table: str, seat: int) -> None:
        self.group, self.table, self.seat = group, table, seat
        self.events: list[dict[str, Any]] = []
        self._asked = 0

    async def play(self) -> None:
        where = f"{self.group.address.replace('http', 'ws')}/api/tables/{self.table}/socket"
        async with connect(where, compression=None, proxy=None) as socket:
            hello = {"type": "hello", "protocol": 1, "build": "", "token": self.group.tokens[self.seat]}
            await socket.send(json.dumps(hello))
            while not self._is_over:
                try:
                    text = await asyncio.wait_for(socket.recv(), LONGEST_SILENCE)
                except TimeoutError:
                    raise AssertionError(f"seat {self.seat} heard nothing after {self.events[-1]}") from None
                await self._hear(socket, decode_message(text))

    @property
    def _is_over(self) -> bool:
        return bool(self.events) and self.events[-1] == {**self.events[-1], "type": "opened", "deal": DEALS}

    async def _hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        match message:
            case {"type": "batch", "events": events}:
                self.events += [told["event"] for told in events]
            case {"type": "happened", "seq": seq, "event": event}:
                assert seq == len(self.events) + 1, "there is a gap"
                self.events.append(event)
                if event["type"] == "started" and self.table not in self.group.tables:
                    self.group.tables.append(self.table)
                self.group.seq = seq
                if event["type"] == "committed":
                    await self._share(socket, event["deal"])
            case {"type": "turn", "seq": seq, "legal": legal}:
                await self._think(LONGEST_THOUGHT)
                await self._wish(socket, "play", seq, card=self.group.rng.choice(legal))
            case {"type": "refused", "reason": reason}:
                assert reason == "stale", f"a regular was refused: {message}"
        await self._do_more(socket)

    async def _do_more(self, socket: ClientConnection) -> None:
        """Sits down, begins, taps on: once for each number of events."""
        seq, kinds = len(self.events), [event["type"] for event in self.events]
        if seq == self._asked or not kinds:
            return
        self._asked = seq
        if self.seat == 1 and kinds == ["created"]:
            await self._wish(socket, "sit", seq, seat=1)
        elif self.seat == 0 and kinds == ["created", "sat"]:
            await self._wish(socket, "start", seq)
        elif kinds[-1] in ("opened", "wenton") and {"type": "wenton", "seat": self.seat} not in self.events[-2:]:
            await self._wish(socket, "goon", seq)

    async def _think(self, longest: float) -> None:
        """For as long as others need to get in between."""
        await asyncio.sleep(self.group.rng.random() * longest)

    async def _wish(self, socket: ClientConnection, kind: str, expect: int, **fields: Any) -> None:
        self.group.said[self.table, expect].add((kind, self.seat, fields.get("card", "")))
        await self._say(socket, {"type": kind, "expect": expect, **fields})

    async def _share(self, socket: ClientConnection, deal: int) -> None:
        await self._think(LONGEST_SHARE)
        share = os.urandom(16).hex()
        self.group.shares[self.table, deal, self.seat] = share
        await self._say(socket, {"type": "share", "deal": deal, "share": share})

    async def _say(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        text = json.dumps(message)
        self.group.frames.append((self.table, self.seat, text.encode()))
        await socket.send(text)
