"""The server without a network: the same application, for pages that run in the same browser (`davidgoliath site`).

A page asks as it would ask a server, but by messages; they are JSON in both directions, and `hear` takes them. What a
page wants answered, and the lines that it opens, it numbers itself. Several pages may share one server, and each takes
what is for it.
"""

import asyncio
import io
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import msgspec
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from davidgoliath.server.asgi.websocket import SEND_NOW
from davidgoliath.server.ops.away import Away
from davidgoliath.server.ops.failures import report
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.store.transfer import add_to_store, export_store

HERE: Final = ("localhost", 80)
GONE: Final = 1001
GAMES: Final = "/games"
"""Where a page gets all that is stored, as a file, and adds what such a file has: nobody else can ask here."""


class Ask(msgspec.Struct, tag="ask"):
    """A request."""

    page: str
    number: int
    method: str
    path: str
    headers: dict[str, str] = {}
    body: str = ""


class Open(msgspec.Struct, tag="open"):
    """A WebSocket."""

    page: str
    number: int
    path: str


class Say(msgspec.Struct, tag="say"):
    page: str
    number: int
    text: str


class Close(msgspec.Struct, tag="close"):
    page: str
    number: int


class Gone(msgspec.Struct, tag="gone"):
    """A page isn't there any more."""

    page: str


AnyFromPage: TypeAlias = Ask | Open | Say | Close | Gone


class Answer(msgspec.Struct, tag="answer"):
    page: str
    number: int
    status: int
    kind: str
    body: str


class Heard(msgspec.Struct, tag="heard"):
    page: str
    number: int
    text: str


class Ended(msgspec.Struct, tag="ended"):
    page: str
    number: int
    code: int


@dataclass(frozen=True, slots=True)
class NoPage:
    """Pages come from elsewhere; of this build."""

    build: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await Response(status_code=HTTPStatus.NOT_FOUND)(scope, receive, send)


class InlineServer:
    """A server that pages ask by messages."""

    def __init__(self, app: Starlette, tell: Callable[[str], object], away: Away) -> None:
        self._app, self._tell_pages = app, tell
        self.away = away
        """What it has done elsewhere."""
        self._lines: dict[tuple[str, int], _Line] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, text: str) -> None:
        """Takes what a page says."""
        message = msgspec.json.decode(text, type=AnyFromPage)
        match message:
            case Ask():
                self._begin(self._answer(message))
            case Open(page=page, number=number, path=path):
                line = self._lines[page, number] = _Line(page, number, self._tell)
                self._begin(self._run(line, path))
            case Say(page=page, number=number, text=said):
                if found := self._lines.get((page, number)):
                    found.put({"type": "websocket.receive", "text": said})
            case Close(page=page, number=number):
                self._hang_up([(page, number)])
            case Gone(page=page):
                self._hang_up([key for key in self._lines if key[0] == page])

    async def close(self) -> None:
        """Nothing happens any more, and all that happened is stored."""
        self._hang_up(list(self._lines))
        await asyncio.gather(*self._tasks)
        registry: Registry = self._app.state.registry
        await registry.close()
        registry.bot_pool.close()
        await registry.store.close()

    def _tell(self, message: Answer | Heard | Ended) -> None:
        self._tell_pages(msgspec.json.encode(message).decode())

    def _begin(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _hang_up(self, lines: Iterable[tuple[str, int]]) -> None:
        for key in lines:
            if line := self._lines.get(key):
                line.put({"type": "websocket.disconnect", "code": GONE})

    async def _answer(self, asked: Ask) -> None:
        answer = Answer(asked.page, asked.number, HTTPStatus.INTERNAL_SERVER_ERROR, "", "")
        try:
            if asked.path == GAMES:
                answer.body, answer.status = await self._transfer(asked), HTTPStatus.OK
            else:
                await self._ask(asked, answer)
        except Exception as error:  # noqa: BLE001 - the page hears that something went wrong, and the log what
            report(error)
        self._tell(answer)

    async def _transfer(self, asked: Ask) -> str:
        """The games as a file; or how many were new in one."""
        store = self._app.state.registry.store
        if asked.body:
            return str(await add_to_store(store, asked.body.encode().splitlines()))
        file = io.BytesIO()
        await export_store(store, file)
        return file.getvalue().decode()

    async def _ask(self, asked: Ask, answer: Answer) -> None:
        request: list[Message] = [{"type": "http.request", "body": asked.body.encode()}]
        body = b""

        async def receive() -> Message:
            return request.pop() if request else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            nonlocal body
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.kind = dict(message["headers"]).get(b"content-type", b"").decode()
            else:
                body += message.get("body", b"")

        await self._app(_scope("http", asked.path, asked.headers, method=asked.method), receive, send)
        answer.body = body.decode()

    async def _run(self, line: "_Line", path: str) -> None:
        try:
            extensions = {SEND_NOW: {"send": line.send_now}}
            await self._app(_scope("websocket", path, {}, extensions=extensions), line.receive, line.send)
        finally:
            line.end(GONE)
            del self._lines[line.page, line.number]


class _Line:
    """A WebSocket, as the application sees it."""

    def __init__(self, page: str, number: int, tell: Callable[[Heard | Ended], None]) -> None:
        self.page, self.number = page, number
        self._tell = tell
        self._is_open = True
        self._said: asyncio.Queue[Message] = asyncio.Queue()
        self.put({"type": "websocket.connect"})

    def put(self, message: Message) -> None:
        self._said.put_nowait(message)

    async def receive(self) -> Message:
        return await self._said.get()

    async def send(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self._tell(Heard(self.page, self.number, message["text"]))
        elif message["type"] == "websocket.close":
            self.end(message.get("code", GONE))

    def send_now(self, *texts: bytes) -> bool:
        if not all(texts):
            return False  # the end of what there is to say is for the application
        for text in texts:
            self._tell(Heard(self.page, self.number, text.decode()))
        return True

    def end(self, code: int) -> None:
        if self._is_open:
            self._is_open = False
            self._tell(Ended(self.page, self.number, code))


def _scope(kind: str, path: str, headers: dict[str, str], **more: Any) -> Scope:
    named = {"host": HERE[0], **headers}
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in named.items()],
        "client": HERE,
        "server": HERE,
        **more,
    }
