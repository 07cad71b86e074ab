"""A WebSocket on the network, as uvicorn has it, but rid of peers that don't read.

uvicorn waits for room before it sends anything, also the frame that closes a connection, and then for all that it has
sent to be read. Somebody who never reads would so be connected forever. Here the closing frame goes to the end of what
waits already, and whoever doesn't take it in time is dropped.

When the server stops, uvicorn would close the connection at once. Here the application learns of it behind all messages
that came before, so that they are answered, and then it closes.

And texts go on as bytes: whoever reads the JSON finds out whether they are UTF-8, without an error in the operator's
log for each that isn't.
"""

from typing import TYPE_CHECKING, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

if TYPE_CHECKING:
    from asyncio import BaseTransport

    from uvicorn._types import ASGISendEvent

LARGEST_BACKLOG: Final = 16_384
"""So many bytes may wait here for a peer, besides what the system holds, before its own queue fills."""
LONGEST_CLOSE: Final = 10.0
RESTART: Final = 1012
"""The server stops, and there will be another."""


class Wire(WebSocketsSansIOProtocol):
    """One connection."""

    def connection_made(self, transport: "BaseTransport") -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(LARGEST_BACKLOG)

    async def send(self, message: "ASGISendEvent") -> None:
        if message["type"] == "websocket.close":
            self.writable.set()
        await super().send(message)
        if message["type"] == "websocket.close" and self.close_timer is not None:
            self.close_timer.cancel()
            self.close_timer = self.loop.call_later(LONGEST_CLOSE, self.transport.abort)

    def shutdown(self) -> None:
        if self.handshake_complete and not self.close_sent:
            self.stop_keepalive()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": RESTART})
        else:
            super().shutdown()

    def send_receive_event_to_app(self) -> None:
        self.curr_msg_data_type = "bytes"
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
