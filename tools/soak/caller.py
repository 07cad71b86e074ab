"""One HTTP connection from an address of one's choice, for one request after another.

On Linux any address that begins with 127 is this computer's own: so one computer can be many, to a server that counts.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from tools.crowd import Line

PATIENCE = 30.0
"""So many seconds somebody waits for an answer."""


def place(address: str) -> tuple[str, int]:
    """Where a server is, by its address.

    >>> place("http://127.0.0.1:8642")
    ('127.0.0.1', 8642)
    """
    host, port = address.removeprefix("http://").split(":")
    return host, int(port)


async def dial(line: Line, address: str, source: str) -> None:
    """Opens a WebSocket from an address, or raises `OSError` or `TimeoutError`."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE):
        await loop.create_connection(lambda: line, *place(address), local_addr=(source, 0))
        await line.open


class Answer(NamedTuple):
    """What a server answers."""

    status: int
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        return cast(dict[str, Any], json.loads(self.body))


class Caller:
    """Who asks: it connects when it must, and stays connected for as long as the server lets it."""

    def __init__(self, address: str, source: str, headers: Mapping[str, str] | None = None) -> None:
        self.address, self.source = address, source
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: object = None, token: str = "") -> Answer:
        """An answer, or `OSError`, `EOFError` or `TimeoutError`; a connection that has ended meanwhile is renewed."""
        is_new = self._streams is None
        async with asyncio.timeout(PATIENCE):
            try:
                return await self._ask(path, body, token)
            except (OSError, EOFError):
                self.close()
                if is_new:
                    raise
                return await self._ask(path, body, token)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(*place(self.address), local_addr=(self.source, 0))
        return self._streams

    async def _ask(self, path: str, body: object, token: str) -> Answer:
        reader, writer = await self.connect()
        data = b"" if body is None else json.dumps(body).encode()
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        writer.write(
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
            f"{bearer}{self._headers}Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        answer = Answer(int(head.split()[1]), await reader.readexactly(int(fields.get("content-length", 0))))
        if fields.get("connection") == "close":
            self.close()
        return answer

    def close(self) -> None:
        if self._streams:
            self._streams[1].transport.abort()
            self._streams = None
