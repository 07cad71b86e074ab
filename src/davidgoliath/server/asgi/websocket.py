"""A WebSocket for each client at a table. What it is told waits in a queue of its own, so it delays nobody else."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from davidgoliath.rules import NotationError, Refusal, deck
from davidgoliath.server.asgi.reasons import RequestReason
from davidgoliath.server.asgi.request_info import UNREADABLE, address, is_ours, limiter
from davidgoliath.server.ops import observer
from davidgoliath.server.ops.failures import for_people, report
from davidgoliath.server.ops.logs import about, new_request, note
from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.table.events import Person

LOG: Final = logging.getLogger(__name__)
QUEUE: Final = 256
"""So many messages may wait for a client that reads slowly."""
END: Final = b""
"""Behind the last message."""
SHARES: Final = 4
"""So many addresses have to come to a table to keep others from it."""
HELLO_SECONDS: Final = 10.0
LINGER: Final = 1.0
LAST_WORDS_SECONDS: Final = 2.0
TOO_SLOW: Final = 1013
UNFIT: Final = 1008
FAILED: Final = 1011
RESTART: Final = 1012
"""The server stops, and there will be another."""
SEND_NOW: Final = "davidgoliath.send_now"
"""An extension of ASGI, for an application that knows what to do with a text that can't be sent at once."""


class Socket:
    """A client's connection."""

    def __init__(self, websocket: WebSocket, person: Person | None, token: bytes | None) -> None:
        self.person, self.token = person, token
        self.address = address(websocket)
        self._websocket = websocket
        extension = websocket.scope.get("extensions", {}).get(SEND_NOW)
        self._send_now: Callable[..., bool] = extension["send"] if extension else _never
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(QUEUE)
        self._is_idle = True
        """Whether nothing waits in the queue or on its way from it."""
        self._is_cut_off = self.is_dismissed = False
        self._writer = asyncio.create_task(self._write())

    def send(self, *messages: bytes) -> None:
        if self._is_cut_off or (self._is_idle and self._send_now(*messages)):
            return
        self._is_idle = False
        for message in messages:
            if self._queue.full():
                self._is_cut_off = True
                self._writer.cancel()
                return
            self._queue.put_nowait(message)

    def dismiss(self, message: bytes) -> None:
        self.send(message)
        self.is_dismissed = True
        self.send(END)

    async def _write(self) -> None:
        try:
            while (message := await self._queue.get()) != END:
                await self._websocket.send_text(message.decode())
                self._is_idle = self._queue.empty()
            if self.is_dismissed:
                await _close(self._websocket, UNFIT)
        except asyncio.CancelledError:
            if self._is_cut_off:
                await _close(self._websocket, TOO_SLOW)
        except (WebSocketDisconnect, RuntimeError):
            return  # the client has gone, which its reader notices too

    async def finish(self) -> None:
        """Ends when the client has been sent all that there was to say, if it listens."""
        self.send(END)
        with contextlib.suppress(asyncio.CancelledError, TimeoutError):
            await asyncio.wait_for(self._writer, LAST_WORDS_SECONDS)


def _never(*_: bytes) -> bool:
    return False


async def table_socket(websocket: WebSocket) -> None:
    """A client at a table, from its `Hello` to its end."""
    registry: Registry = websocket.app.state.registry
    if not is_ours(websocket):
        await websocket.close(UNFIT)
        return
    await websocket.accept()
    try:
        async with limiter(websocket).socket(address(websocket)) as count:
            with observer.connected():
                await _serve(websocket, registry, websocket.path_params["table"], count)
    except Refusal as refusal:
        note(LOG, logging.DEBUG, "refused", reason=refusal.reason)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await websocket.send_text(m.write(m.refused(for_people(refusal), 0)).decode())
        await _close(websocket, UNFIT)
    except WebSocketDisconnect as gone:
        await _close(websocket, RESTART if gone.code == RESTART else UNFIT)
    except TimeoutError:
        await _close(websocket, UNFIT)
    except Exception as error:  # noqa: BLE001 - its message may hold a card, so that it mustn't get into the log
        report(error)
        await _close(websocket, FAILED)


async def _serve(websocket: WebSocket, registry: Registry, table: str, count: Callable[[], float]) -> None:
    """One client, from its `Hello` to its end; `count` refuses what is too much, or lets it wait."""
    number, begun = new_request(), time.monotonic()
    about(request=number)
    hello = await asyncio.wait_for(_message(websocket), HELLO_SECONDS)
    if not isinstance(hello, m.Hello) or hello.since < 0:
        raise Refusal(RequestReason.HELLO_MISSING)
    if hello.protocol != m.PROTOCOL:
        raise Refusal(RequestReason.PROTOCOL_DIFFERS, expected=m.PROTOCOL)
    await _count_join(websocket, address(websocket))
    async with registry.visit(table) as room:
        token = token_hash(hello.token) if hello.token else None
        client = Socket(websocket, await registry.person_of(hello.token), token)
        try:
            about(request=number, table=room.name, person=client.person)
            if not room.seats(client):
                await _count_join(websocket, f"table {room.name} {client.address}", SHARES)
                await _count_join(websocket, f"table {room.name}")
            client.send(m.write(welcome(websocket, room, client.person)))
            await room.join(client, hello.since)
            await room.check_tokens(client)  # who knows what has happened while they came in
            note(LOG, logging.INFO, "joined", since=hello.since)
            while not client.is_dismissed:
                message = await _message(websocket)
                if seconds := count():
                    await asyncio.sleep(seconds)
                note(LOG, logging.DEBUG, "heard", message=type(message).__name__)
                if isinstance(message, m.Play):
                    heard = time.perf_counter()
                    await room.hear(client, message)
                    observer.answered(time.perf_counter() - heard)
                elif await _may(websocket, client, message):
                    await room.hear(client, message)
        finally:
            try:
                await room.leave(client)
            finally:
                await client.finish()
                note(LOG, logging.INFO, "left", seconds=round(time.monotonic() - begun, 1))


async def _count_join(websocket: WebSocket, place: str, shares: int = 1) -> None:
    """Who comes too often hears so after a while, and can't come again at once."""
    try:
        await limiter(websocket).join(place, shares)
    except Refusal:
        await asyncio.sleep(LINGER)
        raise


async def _may(websocket: WebSocket, client: Socket, message: m.AnyFromClient) -> bool:
    """Whether somebody doesn't want too much. A rematch is a new table, and counts as one."""
    try:
        if isinstance(message, m.PlayAgain):
            await limiter(websocket).make("table", address(websocket))
        elif isinstance(message, m.Hint) and client.person:
            await limiter(websocket).hint(client.person, address(websocket))
    except Refusal as refusal:
        client.send(m.write(m.refused(for_people(refusal), 0)))
        return False
    return True


def welcome(asked: HTTPConnection, room: Room, person: Person | None) -> m.Welcome:
    """How a client is greeted."""
    standing = room.table.match.standing
    return m.Welcome(
        protocol=m.PROTOCOL,
        build=asked.app.state.page.build,
        table=room.name,
        you=person,
        highest=max(deck(room.table.players)).value,
        deals=standing.deals,
        target=standing.target_score,
    )


async def _message(websocket: WebSocket) -> m.AnyFromClient:
    """What a client says next."""
    frame = await websocket.receive()
    if frame["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(frame["code"])
    try:
        return m.read(frame.get("text") or frame.get("bytes") or b"")
    except UNREADABLE as error:
        raise NotationError(RequestReason.REQUEST_UNFIT, why=str(error)) from None


async def _close(websocket: WebSocket, code: int) -> None:
    if websocket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await websocket.close(code)
