"""A WebSocket on the network, as uvicorn has it, but rid of peers that don't read.

uvicorn waits for room before it sends anything, also the frame that closes a connection, and then for all that it has
sent to be read. Somebody who never reads would so be connected forever. Here the closing frame goes to the end of what
waits already, and whoever doesn't take it in time is dropped.

When the server stops, uvicorn would close the connection at once. Here the application learns of it behind all messages
that came before, so that they are answered, and then it closes.

Nor does uvicorn answer who asks for a WebSocket by a request that isn't quite right, nor hang up.

What can be sent at once needn't go by tasks, queues and the library's own frames: a server's frame of a text is a short
head and the text, the same for everyone.

And texts go on as bytes: whoever reads the JSON finds out whether they are UTF-8, without an error in the operator's
log for each that isn't.
"""

from typing import TYPE_CHECKING, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from davidgoliath.server.asgi.connection_limits import ConnectionLimiter, ConnectionStage
from davidgoliath.server.asgi.websocket import RESTART, SEND_NOW
from davidgoliath.server.peers.token_bucket import TokenBucket

if TYPE_CHECKING:
    from asyncio import BaseTransport

    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
    from websockets.frames import Frame
    from websockets.http11 import Request

LARGEST_BACKLOG: Final = 16_384
"""So many bytes may wait here for a peer, besides what the system holds, before its own queue fills."""
LONGEST_CLOSE: Final = 10.0
MOST_FRAMES: Final = 64
"""In so many pieces a message may come."""
UNREADABLE: Final = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
MOST_WAITING: Final = 4
"""So many messages may wait for the application before reading pauses."""
FRAMES: Final = 4
"""So many frames may come for each message that may."""
SLICE: Final = 2048
"""So many bytes are read at once, or some ten thousand frames would be."""
NO_GOODBYE: Final = 1006
TOO_MANY: Final = 1008
TOO_BIG: Final = 1009
TEXT, MEDIUM, LARGEST_MEDIUM = 0x81, 126, 0xFFFF
"""How the frame of a whole text begins, and of which size its length takes two bytes more."""


class UvicornWebSocket(WebSocketsSansIOProtocol):
    """One connection."""

    def connection_made(self, transport: "BaseTransport") -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(LARGEST_BACKLOG)
        self.limiter: ConnectionLimiter = self.config.app.state.connection_limiter  # type: ignore[union-attr]
        self.limiter.move(self.transport, ConnectionStage.SOCKET)
        most = FRAMES * self.config.app.state.limiter.limits.messages  # type: ignore[union-attr]
        self.frames_left = TokenBucket(most, 2 * most, self.loop.time) if most else None

    def connection_lost(self, exc: Exception | None) -> None:
        self.limiter.leave(self.transport)
        super().connection_lost(exc)
        self.conn.parser.close()  # what holds itself in a circle stays for long, and thousands may come and go
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(SEND_NOW, None)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            if not self.transport.is_closing():
                super().data_received(data[start : start + SLICE])
        if not self.handshake_initiated:  # it got a whole request, and there is something about it that it can't read
            self.transport.write(UNREADABLE)
            self.transport.close()

    def handle_events(self) -> None:
        """Frames of any kind have a budget, since each costs time, also a ping."""
        if self.handshake_initiated and self.frames_left and not self.frames_left.take(len(self.conn.events)):
            self.conn.fail(TOO_MANY)
            self.handle_parser_exception()
        else:
            super().handle_events()

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:  # nonsense before we have said yes: there is no way yet to say goodbye
            self.handshake_complete = True
            self.queue.put_nowait({"type": "websocket.disconnect", "code": NO_GOODBYE})
            self.transport.close()
        else:
            super().handle_parser_exception()

    def pause_writing(self) -> None:
        """Who doesn't read isn't read either: each ping of theirs would be one answer more that waits."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()

    def handle_connect(self, event: "Request") -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            self.scope["extensions"][SEND_NOW] = {"send": self.send_now}

    def send_now(self, *texts: bytes) -> bool:
        """Sends texts together, unless they would have to wait."""
        if not self.writable.is_set() or self.close_sent or not self.handshake_complete or self.transport.is_closing():
            return False
        frames = b""
        for text in texts:
            size = len(text)
            if not 0 < size <= LARGEST_MEDIUM:
                return False
            frames += bytes((TEXT, size) if size < MEDIUM else (TEXT, MEDIUM, size >> 8, size & 0xFF)) + text
        self.transport.write(frames)
        return True

    async def receive(self) -> "ASGIReceiveEvent":
        message = await super().receive()
        if not self.writable.is_set():
            self.transport.pause_reading()  # again
        return message

    def handle_cont(self, event: "Frame") -> None:
        if len(self.frames) < MOST_FRAMES:
            super().handle_cont(event)
        else:
            self.conn.fail(TOO_BIG)
            self.handle_parser_exception()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        if not self.disconnected:
            self.loop.call_later(LONGEST_CLOSE, self.transport.abort)

    async def send(self, message: "ASGISendEvent") -> None:
        if message["type"] == "websocket.close":
            self.writable.set()
        await super().send(message)

    def shutdown(self) -> None:
        if self.handshake_complete and not self.close_sent:
            self.stop_keepalive()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": RESTART})
        else:
            super().shutdown()

    def send_receive_event_to_app(self) -> None:
        """uvicorn stops reading after each message until the application has it: two system calls for each of them."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        if not self.read_paused and self.queue.qsize() >= MOST_WAITING:
            self.read_paused = True
            self.transport.pause_reading()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
