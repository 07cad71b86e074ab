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
from typing import Final, Protocol

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from davidgoliath import __version__
from davidgoliath.notation import DealRecord
from davidgoliath.rules import Refusal
from davidgoliath.server.asgi import study_endpoints
from davidgoliath.server.asgi.allowed_hosts import AllowedHosts
from davidgoliath.server.asgi.asking import body_of, person_of, token_of
from davidgoliath.server.asgi.connection_limits import ConnectionLimiter
from davidgoliath.server.asgi.invite_link import Origin, origin, personal_link, qr_code
from davidgoliath.server.asgi.middleware import Admission, SafeHeaders
from davidgoliath.server.asgi.rate_limits import WORK, RateLimiter
from davidgoliath.server.asgi.reasons import RequestReason
from davidgoliath.server.asgi.request_info import address, is_ours, is_proxied, limiter, scheme
from davidgoliath.server.asgi.response_cache import ResponseCache
from davidgoliath.server.asgi.responses import encoded, in_json, refused
from davidgoliath.server.asgi.websocket import table_socket, welcome
from davidgoliath.server.config import NO_LIMITS, Limits, Offer
from davidgoliath.server.ops.logs import about, new_request, note
from davidgoliath.server.people.stones import Stone, chosen_stone
from davidgoliath.server.protocol import http_types, study_types
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.table.records import finished, in_json_lines, in_text

LOG: Final = logging.getLogger(__name__)
STORE_SECONDS: Final = 2.0
"""So soon the store has to answer for the server to be ready."""


class Page(Protocol):
    """What is at every other address: the page, or nothing where somebody else gives it to browsers."""

    @property
    def build(self) -> str:
        """Of which build it is, so that a page knows when it is out of date."""
        ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class OfferedSite(Protocol):
    """The game for a browser to keep."""

    size: int
    """So many bytes it gets."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


def make_app(
    registry: Registry,
    page: Page,
    limits: Limits = NO_LIMITS,
    offer: Offer | None = None,
    allowed: Sequence[str] = (),
    connections: int = sys.maxsize,
    network: Callable[[], str | None] = lambda: None,
    site: OfferedSite | None = None,
) -> Starlette:
    """The application of a registry of rooms. `network` finds its address in the local network, if it listens there."""

    routes = [
        *(endpoint.route for endpoint in ENDPOINTS),
        WebSocketRoute(SOCKET, table_socket),
        *([Mount("/site", site)] if site else []),
        Mount("/", page),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(SafeHeaders), Middleware(Admission)])
    app.state.is_stopping, app.state.page = False, page
    app.state.registry, app.state.offer, app.state.hosts = registry, offer or Offer(), AllowedHosts(allowed)
    app.state.limiter = RateLimiter(limits, registry.peers)
    app.state.connection_limiter = ConnectionLimiter(app.state.limiter, connections)
    app.state.response_cache, app.state.network = ResponseCache(), network
    app.state.site_bytes = site and site.size
    return app


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address where programs ask: the page's types and `docs/protocol.md` are made from these too."""

    address: str
    """The method, and the path."""
    handler: Callable[[Request, Registry], Awaitable[Response]]
    """Its docstring says what one gets there."""
    body: type[msgspec.Struct] | None = None
    """What is asked, and what is answered, as JSON."""
    answer: type[msgspec.Struct] | type[str] | None = None
    is_guarded: bool = True
    """Whether only pages of ours may ask, and refusals are worded."""

    @property
    def sentence(self) -> str:
        return " ".join((self.handler.__doc__ or "").split())

    @property
    def route(self) -> Route:
        method, path = self.address.split()
        return Route(path, _refusing(self.handler) if self.is_guarded else self._plainly, methods=[method])

    async def _plainly(self, request: Request) -> Response:
        return await self.handler(request, request.app.state.registry)


def _refusing(
    answer: Callable[[Request, Registry], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint whose refusals are worded."""

    async def endpoint(request: Request) -> Response:
        about(request=new_request())
        begun = time.perf_counter()
        response = await worded(request)
        took = round(1000 * (time.perf_counter() - begun), 1)
        note(
            LOG,
            logging.DEBUG,
            "answered",
            to=answer.__name__.lstrip("_"),
            status=response.status_code,
            milliseconds=took,
        )
        return response

    async def worded(request: Request) -> Response:
        try:
            if not is_ours(request):
                raise Refusal(RequestReason.FOREIGN_ORIGIN)
            return await answer(request, request.app.state.registry)
        except Refusal as refusal:
            note(LOG, logging.DEBUG, "refused", reason=refusal.reason)
            return refused(request, refusal)
        except ClientDisconnect:
            return Response(status_code=HTTPStatus.BAD_REQUEST)  # which nobody reads any more

    return endpoint


async def _healthy(_: Request, __: Registry) -> Response:
    """Whether the server runs."""
    return in_json(http_types.Health(__version__))


async def _ready(request: Request, registry: Registry) -> Response:
    """Whether people may be sent here; for whoever spreads them."""
    is_stopping = request.app.state.is_stopping
    reason = "stopping" if is_stopping else None if await _answers(registry) else "store"
    status = HTTPStatus.SERVICE_UNAVAILABLE if reason else HTTPStatus.OK
    return in_json(http_types.Readiness(reason is None, reason), status)


async def _answers(registry: Registry) -> bool:
    """Whether the store does, and soon."""
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await registry.store.table("")
    except (Refusal, TimeoutError):
        return False
    return True


async def _server(request: Request, registry: Registry) -> Response:
    """What the server offers."""
    offer: Offer = request.app.state.offer
    bots, ready = registry.bot_pool.names, not registry.bot_pool.is_loading
    return in_json(
        http_types.ServerShown.of(
            bots,
            offer,
            registry.timing,
            ready=ready,
            site=request.app.state.site_bytes,
            study=registry.bot_pool.study.is_here,
        )
    )


async def _new_person(request: Request, registry: Registry) -> Response:
    """Somebody new."""
    await limiter(request).make("person", address(request))
    wanted = await body_of(request, http_types.NewPerson)
    person, token = await registry.new_person(wanted.name)
    note(LOG, logging.INFO, "person_made", person=person)
    return in_json(http_types.PersonMade(person, token), HTTPStatus.CREATED)


async def _me(request: Request, registry: Registry) -> Response:
    """Your data, as the server holds it. Needs a token."""
    data = await registry.store.personal_data(await person_of(request, registry))
    if data is None:
        raise Refusal(RoomReason.TOKEN_UNKNOWN)
    tables = await registry.overview.games(data.person.id, data.tables)
    person = data.person
    stone = chosen_stone(person.stone)
    return in_json(http_types.Me(person.id, person.name, person.created, data.tokens, tables, stone))


async def _forget_me(request: Request, registry: Registry) -> Response:
    """Deletes your name, tokens and history: 204, and no body. Needs a token. Bots get your seats; records say `?`."""
    await registry.forget(await person_of(request, registry))
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _rename_me(request: Request, registry: Registry) -> Response:
    """Another name for you. Needs a token. The answer has the name as it is shown."""
    person = await person_of(request, registry)
    await limiter(request).make("name", address(request))
    wanted = await body_of(request, http_types.NewPerson)
    return in_json(http_types.NewPerson(await registry.rename(person, wanted.name)))


async def _choose_stone(request: Request, registry: Registry) -> Response:
    """A stone of your own, which everyone at your tables sees. Needs a token."""
    person = await person_of(request, registry)
    await limiter(request).make("name", address(request))
    stone = await body_of(request, Stone)
    await registry.choose_stone(person, stone)
    return in_json(stone)


async def _new_token(request: Request, registry: Registry) -> Response:
    """Another token for you, up to ten at a time: 201. Needs a token, which goes on until it is taken back."""
    person = await person_of(request, registry)
    await limiter(request).make("token", address(request))
    return in_json(http_types.TokenMade(await registry.new_token(person)), HTTPStatus.CREATED)


async def _sign_out_others(request: Request, registry: Registry) -> Response:
    """Takes back all your tokens but the one by which you ask. What is connected by them is refused, and closed."""
    revoked = await registry.sign_out_others(await person_of(request, registry), token_of(request))
    note(LOG, logging.INFO, "signed_out", revoked=revoked)
    return in_json(http_types.Revoked(revoked))


async def _personal_link(request: Request, registry: Registry) -> Response:
    """Your personal link, also as a QR code. Needs a token. Nothing of it is kept: not here, and not on the way."""
    await person_of(request, registry)
    limiter(request).ask(address(request), WORK)
    found, cache = _origin(request), request.app.state.response_cache
    link = personal_link(found.address, token_of(request))
    code = await cache.make(address(request), lambda: qr_code(link))
    return in_json(http_types.PersonalLink(link, found.reach, code.decode()))


async def _tables(request: Request, registry: Registry) -> Response:
    """The tables that want to be found, if the server has such a list; else 404 and the reason `no_public_list`."""
    if not request.app.state.offer.public_list:
        raise Refusal(RequestReason.NO_PUBLIC_LIST)
    return in_json(http_types.TableList(await registry.overview.listed()))


async def _new_table(request: Request, registry: Registry) -> Response:
    """A new table. Needs a token."""
    host = await person_of(request, registry)
    await limiter(request).make("table", address(request))
    wanted = await body_of(request, http_types.NewTable)
    table = await registry.new_table(
        host,
        wanted.seats,
        rules=wanted.rules,
        turn_seconds=wanted.turn_seconds,
        takeover=wanted.takeover,
        public=wanted.public,
        hints=wanted.hints,
    )
    note(LOG, logging.INFO, "table_made", table=table, host=host)
    return in_json(http_types.TableMade(table), HTTPStatus.CREATED)


async def _show_table(request: Request, registry: Registry) -> Response:
    """A table, for anyone who has its id. Its match is over when `phase` is `over`."""
    async with registry.visit(request.path_params["table"]) as room:
        table = room.table
    shown = http_types.TableShown(
        players=table.players,
        rules=str(table.match.rules),
        phase=table.phase,
        totals=tuple(table.match.totals),
        seq=table.seq,
        locked=table.is_locked,
        hints=table.has_hints,
    )
    return in_json(shown)


async def _find_table(request: Request, registry: Registry) -> Response:
    """The table that waits under a code; else 404 and the reason `no_such_code`. Wrong codes are few (see Limits)."""
    wanted = await body_of(request, http_types.Code)
    async with limiter(request).guess(address(request)):
        return in_json(http_types.TableFound(await registry.table_of(wanted.code)))


async def _link(request: Request, registry: Registry) -> Response:
    """The table's link as others can open it, made from the address by which you came (`Host`), and its code."""
    link, reach = await _linked(request, registry)
    return in_json(http_types.Link(link, reach, await registry.code(request.path_params["table"])))


async def _qr_code(request: Request, registry: Registry) -> Response:
    """The same link as a QR code."""
    link, _ = await _linked(request, registry)
    code = await _worked(request, ("qr", link), lambda: qr_code(link))
    return Response(code, headers={"cache-control": "no-store"}, media_type="image/svg+xml")


async def _worked(request: Request, key: Hashable, make: Callable[[], bytes]) -> bytes:
    """What takes work, unless it is done already: then it costs whoever asks no more than any other question."""
    cache: ResponseCache = request.app.state.response_cache
    if key not in cache:
        limiter(request).ask(address(request), WORK)
    return await cache.get(key, address(request), make)


async def _linked(request: Request, registry: Registry) -> tuple[str, http_types.Reach]:
    """The link by which others find a table, and who can open it."""
    name, found = request.path_params["table"], _origin(request)
    if await registry.store.table(name) is None:
        raise Refusal(RoomReason.NO_SUCH_TABLE)
    return f"{found.address}/t/{name}", found.reach


def _origin(request: Request) -> Origin:
    """This server as others find it."""
    port = (request.scope.get("server") or ("", 80))[1]
    host = request.headers.get("host") or request.url.netloc
    network = request.app.state.network()
    return origin(scheme(request), host, network=network, port=port, is_proxied=is_proxied(request))


async def _record(request: Request, registry: Registry) -> Response:
    """The deals that are over, as `record.dgn` or `record.json` (JSON Lines): [notation.md](notation.md)."""
    form = request.path_params["form"]
    if form not in RECORDS:
        raise Refusal(RoomReason.NO_SUCH_TABLE)
    async with registry.visit(request.path_params["table"]) as room:
        table, name = room.table, room.name
        names = await room.names(*(chair.person for chairs in table.dealt_to for chair in chairs if chair.person))
    key = (form, name, table.seq, *names.items())
    kind, write = RECORDS[form]
    record = await _worked(request, key, lambda: write(finished(table, name, names)))
    return Response(record, headers={"cache-control": "no-store"}, media_type=kind)


RECORDS: Final[dict[str, tuple[str, Callable[[Iterable[DealRecord]], bytes]]]] = {
    "dgn": ("text/plain; charset=utf-8", in_text),
    "json": ("application/jsonl", in_json_lines),
}


async def _replay(request: Request, registry: Registry) -> Response:
    """The deals that are over, event by event."""
    async with registry.visit(request.path_params["table"]) as room:
        greeting, names, events = welcome(request, room, None), await room.names(), await room.replayed()
        stones = await room.stones()
        key = ("replay", room.name, room.table.seq, *names.items(), *stones.values())
    replay = http_types.Replay(greeting, names, events, stones)
    return encoded(await _worked(request, key, lambda: msgspec.json.encode(replay)))


ENDPOINTS: Final = (
    Endpoint("GET /healthz", _healthy, answer=http_types.Health, is_guarded=False),
    Endpoint("GET /readyz", _ready, answer=http_types.Readiness, is_guarded=False),
    Endpoint("GET /api/server", _server, answer=http_types.ServerShown),
    Endpoint("POST /api/people", _new_person, http_types.NewPerson, http_types.PersonMade),
    Endpoint("GET /api/me", _me, answer=http_types.Me),
    Endpoint("DELETE /api/me", _forget_me),
    Endpoint("GET /api/me/figures", study_endpoints.show_figures, answer=study_types.Figures),
    Endpoint("POST /api/me/name", _rename_me, http_types.NewPerson, http_types.NewPerson),
    Endpoint("POST /api/me/stone", _choose_stone, Stone, Stone),
    Endpoint("POST /api/me/tokens", _new_token, answer=http_types.TokenMade),
    Endpoint("DELETE /api/me/tokens", _sign_out_others, answer=http_types.Revoked),
    Endpoint("POST /api/me/link", _personal_link, answer=http_types.PersonalLink),
    Endpoint("POST /api/codes", _find_table, http_types.Code, http_types.TableFound),
    Endpoint("GET /api/tables", _tables, answer=http_types.TableList),
    Endpoint("POST /api/tables", _new_table, http_types.NewTable, http_types.TableMade),
    Endpoint("GET /api/tables/{table}", _show_table, answer=http_types.TableShown),
    Endpoint("GET /api/tables/{table}/link", _link, answer=http_types.Link),
    Endpoint("GET /api/tables/{table}/qr.svg", _qr_code, answer=str),
    Endpoint("GET /api/tables/{table}/record.{form}", _record, answer=str),
    Endpoint("GET /api/tables/{table}/replay", _replay, answer=http_types.Replay),
    Endpoint("GET /api/tables/{table}/reviews", study_endpoints.show_reviews, answer=study_types.ReviewList),
    Endpoint(
        "POST /api/tables/{table}/reviews",
        study_endpoints.show_review,
        study_types.ReviewWanted,
        study_types.ReviewShown,
    ),
    Endpoint(
        "POST /api/tables/{table}/sharing", study_endpoints.share_reviews, study_types.Sharing, study_types.Sharing
    ),
    Endpoint(
        "POST /api/tables/{table}/knowledge",
        study_endpoints.show_knowledge,
        study_types.KnowledgeWanted,
        study_types.KnowledgeShown,
    ),
)
SOCKET: Final = "/api/tables/{table}/socket"
