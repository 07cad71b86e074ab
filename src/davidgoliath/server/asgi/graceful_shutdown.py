"""How a server stops: it says that it isn't ready, finishes what it has heard, and sends its clients elsewhere.

A signal begins that, and a second one ends it at once. Who is connected is told 1012, "service restart", after all
that they said has become true or been refused, and all that happened was sent to them.
"""

import asyncio
import logging
import signal
import socket
from types import FrameType
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette

from davidgoliath.server.asgi.uvicorn_http import LARGEST_HEAD, SPOKEN
from davidgoliath.server.asgi.uvicorn_websocket import UvicornWebSocket
from davidgoliath.server.ops.logs import note

LOG: Final = logging.getLogger(__name__)
STEP: Final = 0.1
SETTINGS: Final[dict[str, Any]] = {
    "lifespan": "off",
    "http": SPOKEN,
    "h11_max_incomplete_event_size": LARGEST_HEAD,
    "ws": UvicornWebSocket,
    "ws_max_size": 65_536,
    "ws_per_message_deflate": False,
    "server_header": False,
    "proxy_headers": False,
    "log_config": None,
    "log_level": "error",
    "access_log": False,
    "timeout_graceful_shutdown": 5,
}
"""What uvicorn is told. Its warnings are about strangers who talk nonsense, by whom a log could be filled."""


class Server(uvicorn.Server):
    """uvicorn's server, with manners."""

    def __init__(self, app: Starlette, drain: float, **settings: Any) -> None:
        super().__init__(uvicorn.Config(app, **{**SETTINGS, **settings}))
        self._state, self._drain = app.state, drain

    async def on_tick(self, counter: int) -> bool:
        self._state.connection_limiter.sweep()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit
        if sig == signal.SIGINT:
            super().handle_exit(sig, frame)
        else:
            self.should_exit = True  # uvicorn would raise the signal again, and so end the process before we tidied up

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._state.is_stopping = True
        note(LOG, logging.INFO, "stopping", connections=len(self.server_state.connections))
        end = asyncio.get_running_loop().time() + self._drain
        while not self.force_exit and asyncio.get_running_loop().time() < end:
            self._state.connection_limiter.sweep()
            await asyncio.sleep(STEP)
        await super().shutdown(sockets)
        if not self.force_exit:
            await self._state.registry.close()
