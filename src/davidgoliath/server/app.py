"""The web application: HTTP for making tables and fetching records, and a WebSocket for each client.

Tokens come in the `Authorization` header, or in `Hello`, and never in an address. Answers are JSON; a refusal is
`{"reason", "arguments", "text"}` with its sentence in the language that the client prefers.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from davidgoliath import __version__
from davidgoliath.notation import DealRecord, to_json
from davidgoliath.rules import NotationError, Refusal, deck
from davidgoliath.server import bodies
from davidgoliath.server import messages as m
from davidgoliath.server.events import Person
from davidgoliath.server.hall import Hall
from davidgoliath.server.limits import NO_LIMITS, Limiter, Limits
from davidgoliath.server.link import origin, qr_code
from davidgoliath.server.room import Room
from davidgoliath.server.store import DAY, IDLE_FOR, WAITING_FOR
from davidgoliath.server.table import Chair, Table
from davidgoliath.server.trouble import for_people, report
from davidgoliath.server.web import Web
from davidgoliath.texts import Texts, accepted_language

LONGEST_BODY: Final = 16_384
QUEUE: Final = 256
"""So many messages may wait for a client that reads slowly."""
HELLO_SECONDS: Final = 10.0
TOO_SLOW: Final = 1013
UNFIT: Final = 1008
FAILED: Final = 1011
UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What may become of JSON that somebody sends."""
STATUS: Final = {
    "no_such_table": HTTPStatus.NOT_FOUND,
    "no_public_list": HTTPStatus.NOT_FOUND,
    "token_unknown": HTTPStatus.UNAUTHORIZED,
    "token_missing": HTTPStatus.UNAUTHORIZED,
    "too_many_new": HTTPStatus.TOO_MANY_REQUESTS,
    "not_stored": HTTPStatus.SERVICE_UNAVAILABLE,
}
HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
        " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server is to those who come by."""

    public_list: bool = False
    unstarted_days: float = WAITING_FOR / DAY
    idle_days: float = IDLE_FOR / DAY
    network: Callable[[], str | None] = lambda: None
    """Finds the server's address in the local network, if it listens there."""


def make_app(hall: Hall, limits: Limits = NO_LIMITS, offer: Offer | None = None) -> Starlette:
    """The application of a hall."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await hall.close()

    routes = [
        Route("/healthz", _healthy),
        Route("/api/server", _refusing(_server)),
        Route("/api/people", _refusing(_new_person), methods=["POST"]),
        Route("/api/me", _refusing(_me), methods=["GET"]),
        Route("/api/me", _refusing(_forget_me), methods=["DELETE"]),
        Route("/api/me/name", _refusing(_rename_me), methods=["POST"]),
        Route("/api/tables", _refusing(_tables), methods=["GET"]),
        Route("/api/tables", _refusing(_new_table), methods=["POST"]),
        Route("/api/tables/{table}", _refusing(_show_table)),
        Route("/api/tables/{table}/link", _refusing(_link)),
        Route("/api/tables/{table}/qr.svg", _refusing(_qr_code)),
        Route("/api/tables/{table}/record.{form}", _refusing(_record)),
        Route("/api/tables/{table}/replay", _refusing(_replay)),
        WebSocketRoute("/api/tables/{table}/socket", _socket),
        Mount("/", Web.load()),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(SafeHeaders)])
    app.state.hall, app.state.limiter, app.state.offer = hall, Limiter(limits), offer or Offer()
    return app


class SafeHeaders:
    """Headers that every answer has."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_more(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        await self.app(scope, receive, send_more)


# HTTP


def _refusing(
    answer: Callable[[Request, Hall], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint whose refusals are worded."""

    async def endpoint(request: Request) -> Response:
        try:
            if not _is_ours(request):
                raise Refusal("foreign_origin")
            return await answer(request, request.app.state.hall)
        except Refusal as refusal:
            refusal = for_people(refusal)
            texts = Texts(accepted_language(request.headers.get("accept-language", "")))
            said = m.refused(refusal, 0)
            body = bodies.Refusal(said.reason, said.arguments, texts.error(refusal))
            return _json(body, STATUS.get(said.reason, HTTPStatus.BAD_REQUEST))
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)  # which nobody reads any more

    return endpoint


async def _healthy(_: Request) -> Response:
    return _json(bodies.Health(__version__))


async def _server(request: Request, hall: Hall) -> Response:
    offer: Offer = request.app.state.offer
    days = offer.unstarted_days, offer.idle_days
    bots, ready = list(hall.thinkers.names), not hall.thinkers.is_loading
    return _json(bodies.ServerShown(__version__, bots, offer.public_list, ready, *days))


async def _new_person(request: Request, hall: Hall) -> Response:
    _limiter(request).make("person", _address(request))
    wanted = await _body(request, bodies.NewPerson)
    person, token = await hall.new_person(wanted.name)
    return _json(bodies.PersonMade(person, token), HTTPStatus.CREATED)


async def _me(request: Request, hall: Hall) -> Response:
    """All that the server knows about somebody: "export my data"."""
    data = await hall.store.personal_data(await _person(request, hall))
    if data is None:
        raise Refusal("token_unknown")
    tables = await hall.overview.games(data.person.id, data.tables)
    return _json(bodies.Me(data.person.id, data.person.name, data.person.created, data.tokens, tables))


async def _forget_me(request: Request, hall: Hall) -> Response:
    """ "Delete my data"."""
    await hall.forget(await _person(request, hall))
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _rename_me(request: Request, hall: Hall) -> Response:
    person = await _person(request, hall)
    _limiter(request).make("name", _address(request))
    wanted = await _body(request, bodies.NewPerson)
    return _json(bodies.NewPerson(await hall.rename(person, wanted.name)))


async def _tables(request: Request, hall: Hall) -> Response:
    if not request.app.state.offer.public_list:
        raise Refusal("no_public_list")
    return _json(bodies.TableList(await hall.overview.listed()))


async def _new_table(request: Request, hall: Hall) -> Response:
    host = await _person(request, hall)
    _limiter(request).make("table", _address(request))
    wanted = await _body(request, bodies.NewTable)
    terms = wanted.rules, wanted.turn_seconds, wanted.takeover, wanted.public
    table = await hall.new_table(host, wanted.seats, *terms)
    return _json(bodies.TableMade(table), HTTPStatus.CREATED)


async def _show_table(request: Request, hall: Hall) -> Response:
    async with hall.visit(request.path_params["table"]) as room:
        table = room.table
    rules, totals = str(table.match.rules), tuple(table.match.totals)
    return _json(bodies.TableShown(table.players, rules, table.phase, totals, table.seq, table.is_locked))


async def _link(request: Request, hall: Hall) -> Response:
    return _json(await _linked(request, hall))


async def _qr_code(request: Request, hall: Hall) -> Response:
    code = qr_code((await _linked(request, hall)).link)
    return Response(code, headers={"cache-control": "no-store"}, media_type="image/svg+xml")


async def _linked(request: Request, hall: Hall) -> bodies.Link:
    """The link by which others find a table."""
    name, offer = request.path_params["table"], request.app.state.offer
    if await hall.store.table(name) is None:
        raise Refusal("no_such_table")
    is_proxied = request.client is not None and _limiter(request).trusts(request.client.host)
    told = request.headers.get("x-forwarded-proto", "") if is_proxied else ""
    scheme = told if told in ("http", "https") else request.url.scheme
    port = (request.scope.get("server") or ("", 80))[1]
    found = origin(scheme, request.url.netloc, network=offer.network(), port=port, is_proxied=is_proxied)
    return bodies.Link(f"{found.address}/t/{name}", found.reach)


async def _record(request: Request, hall: Hall) -> Response:
    """The deals that are over, each with its shuffle."""
    async with hall.visit(request.path_params["table"]) as room:
        dealt_to = [chair.person for chairs in room.table.dealt_to for chair in chairs if chair.person]
        records = finished(room.table, room.name, await room.names(*dealt_to))
    if request.path_params["form"] == "dgn":
        return Response("\n".join(map(str, records)), media_type="text/plain; charset=utf-8")
    if request.path_params["form"] == "json":
        lines = b"".join(msgspec.json.encode(to_json(record)) + b"\n" for record in records)
        return Response(lines, media_type="application/jsonl")
    raise Refusal("no_such_table")


def finished(table: Table, name: str, names: dict[Person, str]) -> list[DealRecord]:
    """Records of the deals that are over, and at the end of one that was broken off: nothing of one that is played.

    Each has the names of those to whom it was dealt, whoever has their seats now.
    """
    states = [*(state for state in table.match.deals if state.is_over), *table.aborted]
    return [
        DealRecord.of(state, names=_called(chairs, names), match=name, shuffle=shuffle)
        for state, shuffle, chairs in zip(states, table.shuffles, table.dealt_to, strict=False)
    ]


def _called(chairs: Iterable[Chair], names: dict[Person, str]) -> tuple[str, ...]:
    return tuple(names.get(chair.person, "?") if chair.person else chair.player or "?" for chair in chairs)


async def _replay(request: Request, hall: Hall) -> Response:
    """The deals that are over, event by event, with all hands open."""
    async with hall.visit(request.path_params["table"]) as room:
        return _json(bodies.Replay(_welcome(room, None), await room.names(), await room.replayed()))


async def _person(request: Request, hall: Hall) -> Person:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refusal("token_missing")
    person = await hall.person_of(token)
    if person is None:
        raise Refusal("token_missing")
    return person


async def _body(request: Request, kind: type[Any]) -> Any:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            raise Refusal("request_too_long")
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        raise Refusal("request_unfit", why=str(error)) from None


def _json(value: Any, status: HTTPStatus = HTTPStatus.OK) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")


def _limiter(connection: HTTPConnection) -> Limiter:
    limiter: Limiter = connection.app.state.limiter
    return limiter


def _address(connection: HTTPConnection) -> str:
    """Where a request comes from, as far as we trust those who say so."""
    peer = connection.client.host if connection.client else None
    return _limiter(connection).address(peer, ",".join(connection.headers.getlist("x-forwarded-for")))


def _is_ours(connection: HTTPConnection) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")


# WebSockets


class Socket:
    """A client's connection: what it is told waits in a queue of its own, so that it delays nobody else."""

    def __init__(self, websocket: WebSocket, person: Person | None) -> None:
        self.person = person
        self._websocket = websocket
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(QUEUE)
        self._is_cut_off = False
        self._writer = asyncio.create_task(self._write())

    def send(self, message: bytes) -> None:
        if self._is_cut_off:
            return
        if self._queue.full():
            self._is_cut_off = True
            self._writer.cancel()
        else:
            self._queue.put_nowait(message)

    async def _write(self) -> None:
        try:
            while True:
                message = await self._queue.get()
                await self._websocket.send_text(message.decode())
        except asyncio.CancelledError:
            if self._is_cut_off:
                await _close(self._websocket, TOO_SLOW)
        except (WebSocketDisconnect, RuntimeError):
            return  # the client has gone, which its reader notices too

    async def finish(self) -> None:
        if not self._is_cut_off:
            self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer


async def _socket(websocket: WebSocket) -> None:
    hall: Hall = websocket.app.state.hall
    if not _is_ours(websocket):
        await websocket.close(UNFIT)
        return
    await websocket.accept()
    try:
        with _limiter(websocket).socket(_address(websocket)) as count:
            await _serve(websocket, hall, websocket.path_params["table"], count)
    except Refusal as refusal:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await websocket.send_text(m.write(m.refused(for_people(refusal), 0)).decode())
        await _close(websocket, UNFIT)
    except (WebSocketDisconnect, TimeoutError):
        await _close(websocket, UNFIT)
    except Exception as error:  # noqa: BLE001 - its message may hold a card, so that it mustn't get into the log
        report(error)
        await _close(websocket, FAILED)


async def _serve(websocket: WebSocket, hall: Hall, table: str, count: Callable[[], None]) -> None:
    """One client, from its `Hello` to its end; `count` refuses what is too much."""
    hello = await asyncio.wait_for(_message(websocket), HELLO_SECONDS)
    if not isinstance(hello, m.Hello) or hello.since < 0:
        raise Refusal("hello_missing")
    if hello.protocol != m.PROTOCOL:
        raise Refusal("protocol_differs", expected=m.PROTOCOL)
    async with hall.visit(table) as room:
        client = Socket(websocket, await hall.person_of(hello.token))
        try:
            client.send(m.write(_welcome(room, client.person)))
            is_known = hello.since <= room.table.seq
            await room.join(client, hello.since if is_known else 0)
            while True:
                message = await _message(websocket)
                count()
                await room.hear(client, message)
        finally:
            try:
                await room.leave(client)
            finally:
                await client.finish()


def _welcome(room: Room, person: Person | None) -> m.Welcome:
    standing = room.table.match.standing
    highest = max(deck(room.table.players)).value
    return m.Welcome(m.PROTOCOL, Web.load().build, room.name, person, highest, standing.deals, standing.target_score)


async def _message(websocket: WebSocket) -> m.AnyFromClient:
    """What a client says next."""
    frame = await websocket.receive()
    if frame["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(frame["code"])
    try:
        return m.read(frame.get("text") or frame.get("bytes") or b"")
    except UNREADABLE as error:
        raise NotationError("request_unfit", why=str(error)) from None


async def _close(websocket: WebSocket, code: int) -> None:
    if websocket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await websocket.close(code)
