"""The web application: HTTP for making tables and fetching records, and a WebSocket for each client.

Tokens come in the `Authorization` header, or in `Hello`, and never in an address. Answers are JSON; a refusal is
`{"reason", "arguments", "text"}` with its sentence in the language that the client prefers.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute

from davidgoliath import __version__
from davidgoliath.notation import DealRecord, to_json
from davidgoliath.rules import Refusal
from davidgoliath.server import bodies
from davidgoliath.server.answers import encoded, in_json, refused
from davidgoliath.server.asker import UNREADABLE, address, is_ours, is_proxied, limiter, scheme
from davidgoliath.server.events import Person
from davidgoliath.server.gate import Gate
from davidgoliath.server.hall import Hall
from davidgoliath.server.hosts import Hosts
from davidgoliath.server.limits import NO_LIMITS, WORK, Limiter, Limits
from davidgoliath.server.link import origin, qr_code
from davidgoliath.server.logs import about, new_request, note
from davidgoliath.server.shelf import Shelf
from davidgoliath.server.sockets import table_socket, welcome
from davidgoliath.server.store import DAY, IDLE_FOR, WAITING_FOR
from davidgoliath.server.table import Chair, Table
from davidgoliath.server.threshold import SafeHeaders, Threshold
from davidgoliath.server.web import Web

LOG: Final = logging.getLogger(__name__)
LONGEST_BODY: Final = 16_384
STORE_SECONDS: Final = 2.0
"""So soon the store has to answer for the server to be ready."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server is to those who come by."""

    public_list: bool = False
    unstarted_days: float = WAITING_FOR / DAY
    idle_days: float = IDLE_FOR / DAY
    network: Callable[[], str | None] = lambda: None
    """Finds the server's address in the local network, if it listens there."""


def make_app(
    hall: Hall,
    limits: Limits = NO_LIMITS,
    offer: Offer | None = None,
    allowed: Sequence[str] = (),
    connections: int = sys.maxsize,
) -> Starlette:
    """The application of a hall."""

    routes = [
        Route("/healthz", _healthy),
        Route("/readyz", _ready),
        Route("/api/server", _refusing(_server)),
        Route("/api/people", _refusing(_new_person), methods=["POST"]),
        Route("/api/me", _refusing(_me), methods=["GET"]),
        Route("/api/me", _refusing(_forget_me), methods=["DELETE"]),
        Route("/api/me/name", _refusing(_rename_me), methods=["POST"]),
        Route("/api/me/tokens", _refusing(_new_token), methods=["POST"]),
        Route("/api/me/tokens", _refusing(_sign_out_others), methods=["DELETE"]),
        Route("/api/tables", _refusing(_tables), methods=["GET"]),
        Route("/api/tables", _refusing(_new_table), methods=["POST"]),
        Route("/api/tables/{table}", _refusing(_show_table)),
        Route("/api/tables/{table}/link", _refusing(_link)),
        Route("/api/tables/{table}/qr.svg", _refusing(_qr_code)),
        Route("/api/tables/{table}/record.{form}", _refusing(_record)),
        Route("/api/tables/{table}/replay", _refusing(_replay)),
        WebSocketRoute("/api/tables/{table}/socket", table_socket),
        Mount("/", Web.load()),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(SafeHeaders), Middleware(Threshold)])
    app.state.is_stopping = False
    app.state.hall, app.state.limiter, app.state.offer = hall, Limiter(limits, hall.neighbours), offer or Offer()
    app.state.hosts, app.state.gate = Hosts(allowed), Gate(app.state.limiter, connections)
    app.state.shelf = Shelf()
    return app


def _refusing(
    answer: Callable[[Request, Hall], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint whose refusals are worded."""

    async def endpoint(request: Request) -> Response:
        about(request=new_request())
        begun = time.perf_counter()
        response = await worded(request)
        took = round(1000 * (time.perf_counter() - begun), 1)
        note(LOG, logging.DEBUG, "answered", to=answer.__name__[1:], status=response.status_code, milliseconds=took)
        return response

    async def worded(request: Request) -> Response:
        try:
            if not is_ours(request):
                raise Refusal("foreign_origin")
            return await answer(request, request.app.state.hall)
        except Refusal as refusal:
            note(LOG, logging.DEBUG, "refused", reason=refusal.reason)
            return refused(request, refusal)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)  # which nobody reads any more

    return endpoint


async def _healthy(_: Request) -> Response:
    return in_json(bodies.Health(__version__))


async def _ready(request: Request) -> Response:
    """Whether people may be sent here."""
    state = request.app.state
    reason = "stopping" if state.is_stopping else None if await _answers(state.hall) else "store"
    status = HTTPStatus.SERVICE_UNAVAILABLE if reason else HTTPStatus.OK
    return in_json(bodies.Readiness(reason is None, reason), status)


async def _answers(hall: Hall) -> bool:
    """Whether the store does, and soon."""
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await hall.store.table("")
    except (Refusal, TimeoutError):
        return False
    return True


async def _server(request: Request, hall: Hall) -> Response:
    offer: Offer = request.app.state.offer
    days = offer.unstarted_days, offer.idle_days
    bots, ready = list(hall.thinkers.names), not hall.thinkers.is_loading
    return in_json(bodies.ServerShown(__version__, bots, offer.public_list, ready, *days))


async def _new_person(request: Request, hall: Hall) -> Response:
    await limiter(request).make("person", address(request))
    wanted = await _body(request, bodies.NewPerson)
    person, token = await hall.new_person(wanted.name)
    note(LOG, logging.INFO, "person_made", person=person)
    return in_json(bodies.PersonMade(person, token), HTTPStatus.CREATED)


async def _me(request: Request, hall: Hall) -> Response:
    """All that the server knows about somebody: "export my data"."""
    data = await hall.store.personal_data(await _person(request, hall))
    if data is None:
        raise Refusal("token_unknown")
    tables = await hall.overview.games(data.person.id, data.tables)
    return in_json(bodies.Me(data.person.id, data.person.name, data.person.created, data.tokens, tables))


async def _forget_me(request: Request, hall: Hall) -> Response:
    """ "Delete my data"."""
    await hall.forget(await _person(request, hall))
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _rename_me(request: Request, hall: Hall) -> Response:
    person = await _person(request, hall)
    await limiter(request).make("name", address(request))
    wanted = await _body(request, bodies.NewPerson)
    return in_json(bodies.NewPerson(await hall.rename(person, wanted.name)))


async def _new_token(request: Request, hall: Hall) -> Response:
    person = await _person(request, hall)
    await limiter(request).make("token", address(request))
    return in_json(bodies.TokenMade(await hall.new_token(person)), HTTPStatus.CREATED)


async def _sign_out_others(request: Request, hall: Hall) -> Response:
    revoked = await hall.sign_out_others(await _person(request, hall), _token(request))
    note(LOG, logging.INFO, "signed_out", revoked=revoked)
    return in_json(bodies.Revoked(revoked))


async def _tables(request: Request, hall: Hall) -> Response:
    if not request.app.state.offer.public_list:
        raise Refusal("no_public_list")
    return in_json(bodies.TableList(await hall.overview.listed()))


async def _new_table(request: Request, hall: Hall) -> Response:
    host = await _person(request, hall)
    await limiter(request).make("table", address(request))
    wanted = await _body(request, bodies.NewTable)
    terms = wanted.rules, wanted.turn_seconds, wanted.takeover, wanted.public
    table = await hall.new_table(host, wanted.seats, *terms)
    note(LOG, logging.INFO, "table_made", table=table, host=host)
    return in_json(bodies.TableMade(table), HTTPStatus.CREATED)


async def _show_table(request: Request, hall: Hall) -> Response:
    async with hall.visit(request.path_params["table"]) as room:
        table = room.table
    rules, totals = str(table.match.rules), tuple(table.match.totals)
    return in_json(bodies.TableShown(table.players, rules, table.phase, totals, table.seq, table.is_locked))


async def _link(request: Request, hall: Hall) -> Response:
    return in_json(await _linked(request, hall))


async def _qr_code(request: Request, hall: Hall) -> Response:
    link = (await _linked(request, hall)).link
    code = await _worked(request, ("qr", link), lambda: qr_code(link))
    return Response(code, headers={"cache-control": "no-store"}, media_type="image/svg+xml")


async def _worked(request: Request, key: Hashable, make: Callable[[], bytes]) -> bytes:
    """What takes work, unless it is done already: then it costs whoever asks no more than any other question."""
    shelf: Shelf = request.app.state.shelf
    if key not in shelf:
        limiter(request).ask(address(request), WORK)
    return await shelf.get(key, address(request), make)


async def _linked(request: Request, hall: Hall) -> bodies.Link:
    """The link by which others find a table."""
    name, offer = request.path_params["table"], request.app.state.offer
    if await hall.store.table(name) is None:
        raise Refusal("no_such_table")
    port = (request.scope.get("server") or ("", 80))[1]
    host = request.headers.get("host") or request.url.netloc
    found = origin(scheme(request), host, network=offer.network(), port=port, is_proxied=is_proxied(request))
    return bodies.Link(f"{found.address}/t/{name}", found.reach)


async def _record(request: Request, hall: Hall) -> Response:
    """The deals that are over, each with its shuffle."""
    form = request.path_params["form"]
    if form not in RECORDS:
        raise Refusal("no_such_table")
    async with hall.visit(request.path_params["table"]) as room:
        table, name = room.table, room.name
        names = await room.names(*(chair.person for chairs in table.dealt_to for chair in chairs if chair.person))
    key = (form, name, table.seq, *names.items())
    kind, write = RECORDS[form]
    return Response(await _worked(request, key, lambda: write(finished(table, name, names))), media_type=kind)


def _in_lines(records: Iterable[DealRecord]) -> bytes:
    return b"".join(msgspec.json.encode(to_json(record)) + b"\n" for record in records)


RECORDS: Final[dict[str, tuple[str, Callable[[Iterable[DealRecord]], bytes]]]] = {
    "dgn": ("text/plain; charset=utf-8", lambda records: "\n".join(map(str, records)).encode()),
    "json": ("application/jsonl", _in_lines),
}


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
        greeting, names, events = welcome(room, None), await room.names(), await room.replayed()
        key = ("replay", room.name, room.table.seq, *names.items())
    return encoded(await _worked(request, key, lambda: msgspec.json.encode(bodies.Replay(greeting, names, events))))


async def _person(request: Request, hall: Hall) -> Person:
    person = await hall.person_of(_token(request))
    if person is None:
        raise Refusal("token_missing")
    return person


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refusal("token_missing")
    return token


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
