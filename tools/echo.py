"""`python -m tools.echo`: a bare echo on the server's own stack, for `./dg bench server`; ends by itself."""

import asyncio
import socket
import sys

import uvicorn
from starlette.datastructures import State
from starlette.types import Receive, Scope, Send

from davidgoliath.server.asgi.connection_limits import ConnectionLimiter
from davidgoliath.server.asgi.rate_limits import RateLimiter
from davidgoliath.server.asgi.uvicorn_websocket import UvicornWebSocket
from davidgoliath.server.config import NO_LIMITS
from davidgoliath.server.peers.alone import Alone
from davidgoliath.server.run import new_loop


class Echo:
    """An application with what a connection asks of it."""

    def __init__(self) -> None:
        limiter = RateLimiter(NO_LIMITS, Alone())
        self.state = State({"limiter": limiter, "connection_limiter": ConnectionLimiter(limiter, sys.maxsize)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "websocket"
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["bytes"].decode()})


async def main(seconds: float) -> None:
    door = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{door.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        Echo(), log_level="error", ws=UvicornWebSocket, ws_per_message_deflate=False, lifespan="off"
    )
    server = uvicorn.Server(config)
    asyncio.get_running_loop().call_later(seconds, server.handle_exit, 15, None)
    await server.serve([door])


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main(float(sys.argv[1])))
