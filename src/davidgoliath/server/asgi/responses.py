"""What HTTP answers are made of: JSON, and refusals worded in the language that the client prefers."""

from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import Response

from davidgoliath.rules import ReasonCode, Refusal
from davidgoliath.server.asgi.reasons import RequestReason
from davidgoliath.server.ops.failures import FailureReason, for_people
from davidgoliath.server.protocol import http_types
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.server.table.events import EventReason
from davidgoliath.server.table.table import Denial
from davidgoliath.texts import Texts, accepted_language

STATUS: Final[dict[ReasonCode, HTTPStatus]] = {
    RoomReason.NO_SUCH_TABLE: HTTPStatus.NOT_FOUND,
    RoomReason.NO_SUCH_CODE: HTTPStatus.NOT_FOUND,
    RequestReason.NO_PUBLIC_LIST: HTTPStatus.NOT_FOUND,
    RequestReason.HOST_UNKNOWN: HTTPStatus.MISDIRECTED_REQUEST,
    RoomReason.TOKEN_UNKNOWN: HTTPStatus.UNAUTHORIZED,
    RequestReason.TOKEN_MISSING: HTTPStatus.UNAUTHORIZED,
    RequestReason.TOO_MANY_NEW: HTTPStatus.TOO_MANY_REQUESTS,
    RequestReason.TOO_MANY_CODES: HTTPStatus.TOO_MANY_REQUESTS,
    RequestReason.TOO_MANY_REQUESTS: HTTPStatus.TOO_MANY_REQUESTS,
    RequestReason.TOO_MANY_HINTS: HTTPStatus.TOO_MANY_REQUESTS,
    RequestReason.REVIEWS_USED_UP: HTTPStatus.TOO_MANY_REQUESTS,
    RoomReason.TOO_MANY_REVIEWS: HTTPStatus.TOO_MANY_REQUESTS,
    RoomReason.NO_JUDGE: HTTPStatus.NOT_FOUND,
    Denial.DEAL_NOT_OVER: HTTPStatus.NOT_FOUND,
    Denial.NOT_YOUR_HAND: HTTPStatus.FORBIDDEN,
    Denial.MATCH_NOT_OVER: HTTPStatus.FORBIDDEN,
    FailureReason.NOT_STORED: HTTPStatus.SERVICE_UNAVAILABLE,
    FailureReason.PERHAPS_STORED: HTTPStatus.SERVICE_UNAVAILABLE,
    EventReason.EVENTS_NEWER: HTTPStatus.SERVICE_UNAVAILABLE,
    FailureReason.TABLE_DAMAGED: HTTPStatus.INTERNAL_SERVER_ERROR,
}
PROGRAMS: Final = "/api/"
"""Below it programs ask, and get JSON."""
RETRY: Final = "seconds"
"""The argument of a refusal that says after how long to come again."""


def in_json(value: Any, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return encoded(msgspec.json.encode(value), status)


def encoded(value: bytes, status: HTTPStatus = HTTPStatus.OK) -> Response:
    """JSON that is there already."""
    return Response(value, status, {"cache-control": "no-store"}, media_type="application/json")


def refused(asked: HTTPConnection, refusal: Refusal) -> Response:
    """Why not: in JSON for programs, and a sentence for those who look at a page."""
    refusal = for_people(refusal)
    said = m.refused(refusal, 0)
    text = Texts(accepted_language(asked.headers.get("accept-language", ""))).error(refusal)
    status = STATUS.get(refusal.reason, HTTPStatus.BAD_REQUEST)
    if asked.scope["path"].startswith(PROGRAMS):
        response = in_json(http_types.Refusal(said.reason, said.arguments, text), status)
    else:
        response = Response(text, status, {"cache-control": "no-store"}, media_type="text/plain; charset=utf-8")
    if RETRY in said.arguments:
        response.headers["retry-after"] = str(said.arguments[RETRY])
    return response
