"""What HTTP answers are made of: JSON, and refusals worded in the language that the client prefers."""

from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import Response

from davidgoliath.rules import Refusal
from davidgoliath.server import bodies
from davidgoliath.server import messages as m
from davidgoliath.server.trouble import for_people
from davidgoliath.texts import Texts, accepted_language

STATUS: Final = {
    "no_such_table": HTTPStatus.NOT_FOUND,
    "no_public_list": HTTPStatus.NOT_FOUND,
    "host_unknown": HTTPStatus.MISDIRECTED_REQUEST,
    "token_unknown": HTTPStatus.UNAUTHORIZED,
    "token_missing": HTTPStatus.UNAUTHORIZED,
    "too_many_new": HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_requests": HTTPStatus.TOO_MANY_REQUESTS,
    "not_stored": HTTPStatus.SERVICE_UNAVAILABLE,
    "perhaps_stored": HTTPStatus.SERVICE_UNAVAILABLE,
    "events_newer": HTTPStatus.SERVICE_UNAVAILABLE,
    "table_damaged": HTTPStatus.INTERNAL_SERVER_ERROR,
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
    status = STATUS.get(said.reason, HTTPStatus.BAD_REQUEST)
    if asked.scope["path"].startswith(PROGRAMS):
        response = in_json(bodies.Refusal(said.reason, said.arguments, text), status)
    else:
        response = Response(text, status, {"cache-control": "no-store"}, media_type="text/plain; charset=utf-8")
    if RETRY in said.arguments:
        response.headers["retry-after"] = str(said.arguments[RETRY])
    return response
