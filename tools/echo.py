"""`python -m tools.echo`: a bare echo on the server's own stack, for `./dg bench server`; ends by itself."""

import asyncio
import socket
import sys

import uvicorn
from starlette.types import Receive, Scope, Send

from davidgoliath.server.run import new_loop
from davidgoliath.server.wire import Wire


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    assert scope["type"] == "websocket"
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["bytes"].decode()})


async def main(seconds: float) -> None:
    door = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{door.getsockname()[1]}", flush=True)
    config = uvicorn.Config(echo, log_level="error", ws=Wire, ws_per_message_deflate=False, lifespan="off")
    server = uvicorn.Server(config)
    asyncio.get_running_loop().call_later(seconds, server.handle_exit, 15, None)
    await server.serve([door])


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main(float(sys.argv[1])))
