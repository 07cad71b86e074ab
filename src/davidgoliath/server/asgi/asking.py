"""Who asks by HTTP, and what they send."""

from typing import Any, Final

import msgspec
from starlette.requests import Request

from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.reasons import RequestReason
from davidgoliath.server.asgi.request_info import UNREADABLE
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.table.events import Person

LONGEST_BODY: Final = 16_384


async def person_of(request: Request, registry: Registry) -> Person:
    found = await registry.person_of(token_of(request))
    if found is None:
        raise Refusal(RequestReason.TOKEN_MISSING)
    return found


async def somebody(request: Request, registry: Registry) -> Person | None:
    """Who asks, if they say so."""
    return await person_of(request, registry) if "authorization" in request.headers else None


def token_of(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refusal(RequestReason.TOKEN_MISSING)
    return token


async def body_of(request: Request, kind: type[Any]) -> Any:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            raise Refusal(RequestReason.REQUEST_TOO_LONG)
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        raise Refusal(RequestReason.REQUEST_UNFIT, why=str(error)) from None
