"""What everyone passes who asks: the name they came by, and the budget of their address. And what all answers have."""

import asyncio
import logging
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.allowed_hosts import AllowedHosts
from davidgoliath.server.asgi.invite_link import HOST
from davidgoliath.server.asgi.rate_limits import ASKED, FILE
from davidgoliath.server.asgi.reasons import RequestReason
from davidgoliath.server.asgi.request_info import address, is_proxied, limiter, scheme
from davidgoliath.server.asgi.responses import PROGRAMS, refused
from davidgoliath.server.ops.logs import note

LOG: Final = logging.getLogger(__name__)
LONGEST_HOST: Final = 260
RELUCTANCE: Final = 0.5
"""Who asks too much waits so many seconds for a no: or they could have thousands a second, which cost us, too."""
HEADERS: Final = {"x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin"}
"""What every answer has."""
PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What a page may load and do, wherever it is from."""
PAGE_HEADERS: Final = {
    "content-security-policy": f"{PAGE_POLICY}; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""What a page has besides."""
SECURE_HEADERS: Final = {"cross-origin-opener-policy": "same-origin"}
"""What it has over https: elsewhere browsers complain, and ignore it."""


class SafeHeaders:
    """Headers that keep browsers from doing more than they should."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return

        async def send_more(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.update(PAGE_HEADERS)
                    if scheme(HTTPConnection(scope)) == "https":
                        headers.update(SECURE_HEADERS)
            await send(message)

        await self.app(scope, receive, send_more)


class Admission:
    """Turns away who came by a name that isn't ours, and who asks too much."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = HTTPConnection(scope)
        try:
            _check_host(asked)
            limiter(asked).ask(address(asked), ASKED if scope["path"].startswith(PROGRAMS) else FILE)
        except Refusal as refusal:
            note(LOG, logging.DEBUG, "refused", reason=refusal.reason)
            if refusal.reason == RequestReason.TOO_MANY_REQUESTS:
                await asyncio.sleep(RELUCTANCE)
            answer: ASGIApp = refused(asked, refusal) if scope["type"] == "http" else WebSocketClose()
            await answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _check_host(asked: HTTPConnection) -> None:
    hosts: AllowedHosts = asked.app.state.hosts
    is_forwarded = is_proxied(asked) and "x-forwarded-for" in asked.headers
    for host in asked.headers.getlist("host"):
        if not hosts.answers(host, is_proxied=is_forwarded):
            found = HOST.fullmatch(host)
            raise Refusal(RequestReason.HOST_UNKNOWN, host=found["name"] if found and len(host) < LONGEST_HOST else "?")
