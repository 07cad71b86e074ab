"""Who asks, over HTTP or by a WebSocket: from where, whether from our own page, and what may become of their JSON."""

from typing import Final

import msgspec
from starlette.requests import HTTPConnection

from davidgoliath.server.asgi.rate_limits import RateLimiter

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What may become of JSON that somebody sends."""


def limiter(connection: HTTPConnection) -> RateLimiter:
    found: RateLimiter = connection.app.state.limiter
    return found


def address(connection: HTTPConnection) -> str:
    """Where a request comes from, as far as we trust those who say so."""
    peer = connection.client.host if connection.client else None
    return limiter(connection).address(peer, ",".join(connection.headers.getlist("x-forwarded-for")))


def is_proxied(connection: HTTPConnection) -> bool:
    """Whether a request comes from a proxy that the operator named."""
    return connection.client is not None and limiter(connection).trusts(connection.client.host)


def scheme(connection: HTTPConnection) -> str:
    """By what a browser came, http or https, as far as we trust those who say so."""
    told = connection.headers.get("x-forwarded-proto", "") if is_proxied(connection) else ""
    return told if told in ("http", "https") else str(connection.scope["scheme"])


def is_ours(connection: HTTPConnection) -> bool:
    """Whether a request comes from our own page, or from no page at all."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host")
