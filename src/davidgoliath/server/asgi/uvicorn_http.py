"""HTTP as uvicorn has it, within bounds: of what a request may be, and of how long it may take (`connection_limits`).

uvicorn keeps whatever a client sends as headers, and waits for the rest of it forever. Here a head that is too large is
answered with 431, and all else that is too much with the end of the connection. What isn't HTTP gets 400, and no line
in the log: anyone could fill it.
"""

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from h11 import IDLE, SEND_BODY
from uvicorn.protocols.http.h11_impl import H11Protocol

from davidgoliath.server.asgi.connection_limits import ConnectionLimiter, ConnectionStage

try:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
except ImportError:  # on Windows
    HttpToolsProtocol = None  # type: ignore[assignment, misc]

if TYPE_CHECKING:
    from asyncio import BaseTransport

    from uvicorn._types import ASGI3Application
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

    Spoken = H11Protocol
else:
    Spoken = object

LARGEST_HEAD: Final = 16_384
MOST_HEADERS: Final = 100
LARGEST_REST: Final = 32_768
"""So many bytes a body may take on the network, whatever it holds."""
MOST_PIECES: Final = 256
"""In so many chunks it may come."""
MOST_WAITING: Final = 8
"""So many requests may come before the first is answered: browsers wait."""


class TooLarge(Exception):
    """Of a head, or of what is asked at once."""


class Guarded(Spoken):
    """A connection that the limiter knows."""

    status = HTTPStatus.BAD_REQUEST

    def connection_made(self, transport: "BaseTransport") -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self.limiter: ConnectionLimiter = self.config.app.state.connection_limiter  # type: ignore[union-attr]
        self.limiter.enter(self.transport, self.client[0] if self.client else None)

    def connection_lost(self, exc: Exception | None) -> None:
        self.limiter.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.tell()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.tell()

    def tell(self) -> None:
        """Says what we are at, unless it is a WebSocket by now."""
        if self in self.connections:
            self.limiter.move(self.transport, self.stage)

    @property
    def stage(self) -> ConnectionStage:
        raise NotImplementedError

    @property
    def is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def send_400_response(self, msg: str) -> None:
        """The last word to who talks nonsense; there is none in the middle of another answer."""
        if not self.is_answering or not self.cycle.response_started:
            head = f"HTTP/1.1 {self.status} {self.status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            self.transport.write(head.encode())
        self.transport.close()


class H11(Guarded, H11Protocol):
    """On h11, which has bounds of its own, and leaves the time to us."""

    @property
    def stage(self) -> ConnectionStage:
        if self.conn.their_state is SEND_BODY:
            return ConnectionStage.BODY
        if self.is_answering:
            return ConnectionStage.ANSWER
        has_begun = self.cycle is None or self.conn.their_state is not IDLE or bool(self.conn.trailing_data[0])
        return ConnectionStage.HEAD if has_begun else ConnectionStage.IDLE


if HttpToolsProtocol is None:
    SPOKEN: type[Any] = H11
else:

    class HttpTools(Guarded, HttpToolsProtocol):  # type: ignore[misc]
        """On httptools, which keeps all that comes."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self._part = ConnectionStage.HEAD
            self._parts = self._taken = 0
            """How many parts have come whole, and how many bytes of the one that hasn't."""
            self._weight = self._count = self._pieces = 0
            """Of a head, and of a body."""
            self._answered: RequestResponseCycle | None = None
            """The request that is being answered, whatever came after it."""

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self._answered is not None:
                self._answered.disconnected = True
                self._answered.message_event.set()

        def handle_websocket_upgrade(self) -> None:  # type: ignore[override]
            if self.is_answering:
                self.transport.close()  # nobody asks for both at once, and the answer would go astray
            else:
                HttpToolsProtocol.handle_websocket_upgrade(self)
                self.parser = None  # type: ignore[assignment]  # as at the end: it holds us, and we hold it

        def _start_asgi_task(self, cycle: "RequestResponseCycle", app: "ASGI3Application") -> None:
            self._answered = cycle
            super()._start_asgi_task(cycle, app)

        def data_received(self, data: bytes) -> None:
            parts = self._parts
            super().data_received(data)
            self._taken = self._taken + len(data) if parts == self._parts else 0
            if (
                self._taken > (LARGEST_REST if self._part is ConnectionStage.BODY else LARGEST_HEAD)
                and self in self.connections
            ):
                self.status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
                self.send_400_response("")

        @property
        def stage(self) -> ConnectionStage:
            if self._part is ConnectionStage.BODY:
                return ConnectionStage.BODY
            return ConnectionStage.ANSWER if self.is_answering else self._part

        # What the parser has found

        def on_message_begin(self) -> None:
            if len(self.pipeline) >= MOST_WAITING:
                raise TooLarge
            self._part = ConnectionStage.HEAD
            self._weight = self._count = self._pieces = 0
            super().on_message_begin()

        def on_url(self, url: bytes) -> None:
            self._weigh(url)
            super().on_url(url)

        def on_header(self, name: bytes, value: bytes) -> None:
            self._count += 1
            self._weigh(name, value)
            super().on_header(name, value)

        def on_headers_complete(self) -> None:
            self._part, self._parts = ConnectionStage.BODY, self._parts + 1
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._pieces += 1
            if self._pieces > MOST_PIECES:
                raise TooLarge
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._part, self._parts = ConnectionStage.IDLE, self._parts + 1
            super().on_message_complete()

        def _weigh(self, *words: bytes) -> None:
            self._weight += sum(map(len, words))
            if self._weight > LARGEST_HEAD or self._count > MOST_HEADERS:
                self.status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
                raise TooLarge

    SPOKEN = HttpTools
