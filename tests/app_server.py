"""The web application as a real server in this process, and what its clients say and hear."""

import asyncio
import json
import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tools.decode_message import decode_message
from websockets.asyncio.client import ClientConnection, connect

from davidgoliath.server.asgi.app import make_app
from davidgoliath.server.asgi.assets import Assets
from davidgoliath.server.asgi.graceful_shutdown import Server
from davidgoliath.server.config import NO_LIMITS, Limits, Offer, Timing
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.store.sqlite.store import SqliteStore

QUICK = Timing(bot=0.0, shares=0.2, scores=0.05, grace=0.05)


class Site:
    """A server on a free port of this computer."""

    def __init__(self, port: int, server: Server) -> None:
        self.address = f"127.0.0.1:{port}"
        self.server = server

    async def ask(self, path: str, body: object = None, token: str = "", **headers: str) -> tuple[int, Any]:
        """The status and the body of an answer."""
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = Request(f"http://{self.address}{path}", data, headers)
        if token:
            request.add_header("Authorization", f"Bearer {token}")

        def answer() -> tuple[int, bytes, str]:
            try:
                with urlopen(request, timeout=20) as response:  # noqa: S310
                    return response.status, response.read(), response.headers["content-type"]
            except HTTPError as error:
                with error:
                    return error.code, error.read(), error.headers["content-type"]

        status, text, kind = await asyncio.to_thread(answer)
        return status, json.loads(text) if kind == "application/json" else text.decode()

    async def person(self, name: str) -> str:
        status, made = await self.ask("/api/people", {"name": name})
        assert status == 201
        return str(made["token"])

    async def table(self, token: str, seats: list[str | None], **terms: Any) -> str:
        status, made = await self.ask("/api/tables", {"seats": seats, **terms}, token)
        assert status == 201, made
        return str(made["table"])

    async def delete(self, path: str, token: str) -> tuple[int, bytes]:
        """The status and the body of the answer to somebody who wants something gone."""
        request = Request(f"http://{self.address}{path}", None, {"Authorization": f"Bearer {token}"}, method="DELETE")

        def answer() -> tuple[int, bytes]:
            with urlopen(request, timeout=20) as response:  # noqa: S310
                return response.status, response.read()

        return await asyncio.to_thread(answer)

    def socket(self, table: str, **settings: Any) -> connect:
        """Somebody's line. What isn't read waits in it, or who stops reading couldn't hang up for ten seconds."""
        return connect(f"ws://{self.address}/api/tables/{table}/socket", **{"max_queue": None, **settings})


def serve(
    scenario: Callable[[Site], Awaitable[None]],
    tmp_path: Path,
    door: socket.socket | None = None,
    limits: Limits = NO_LIMITS,
    offer: Offer | None = None,
    drain: float = 0.0,
    allowed: Sequence[str] = (),
    network: Callable[[], str | None] = lambda: None,
    **settings: Any,
) -> None:
    async def main() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        bot_pool = BotPool(["random", "casual"], 1, lambda: Random(1))
        registry = Registry(store, bot_pool, timing=QUICK, source=os.urandom)
        app = make_app(registry, Assets.load(), limits, offer, allowed, network=network)
        server = Server(app, drain, port=0, **settings)
        running = asyncio.create_task(server.serve([door] if door else None))
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            await scenario(Site(port, server))
        finally:
            server.should_exit = True
            await running
            bot_pool.close()
            await store.close()

    asyncio.run(main())


async def say(socket: ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


async def hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message = decode_message(await asyncio.wait_for(socket.recv(), 20))
        if message["type"] == kind:
            return message


async def play_match(socket: ClientConnection) -> list[dict[str, Any]]:
    """As a client written from the docs would: shares, cards, scores; gives all events."""
    events: list[dict[str, Any]] = []
    over = False
    while not over:
        message = decode_message(await asyncio.wait_for(socket.recv(), 20))
        new = [told["event"] for told in message["events"]] if message["type"] == "batch" else []
        if message["type"] == "happened":
            new = [message["event"]]
        events += new
        for event in new:
            if event["type"] == "committed":
                await say(socket, type="share", deal=event["deal"], share=os.urandom(16).hex())
            if event["type"] == "opened":
                over = True
        if message["type"] == "turn":
            await say(socket, type="play", expect=message["seq"], card=message["legal"][-1])
    return events
