"""A static site (`davidgoliath site build`) that a server offers, so that people can keep the game in their browser."""

import gzip
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.assets import FOR_GOOD, HTML, WORKER, File, respond, type_of
from davidgoliath.server.config import StartReason

WORKER_POLICY: Final = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""What the workers of a site may load and do; the page itself may compile nothing."""
IN_WORKER: Final = ("js/site/worker.js", "js/site/judge.js")
NO_SERVER: Final = b'"server":""'
"""In the page of a site that knows no server for tables with friends."""
THIS_SERVER: Final = b'"server":"/"'
NAMED: Final = ("web/", "python/")
"""What lies below these is named after what it holds."""


class SiteFolder:
    """The files of a site, compressed."""

    def __init__(self, folder: Path) -> None:
        if not all((folder / name).is_file() for name in (HTML, WORKER)):
            raise Refusal(StartReason.NO_SITE, folder=folder)
        found = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
        contents = {name: file.read_bytes() for name, file in found.items()}
        contents[HTML] = contents[HTML].replace(NO_SERVER, THIS_SERVER, 1)
        self._files = {name: File(gzip.compress(content, 6), type_of(name)) for name, content in contents.items()}
        self.size = sum(len(file.body) for file in self._files.values())
        """In bytes, as browsers get it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(Request(scope, receive))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        name = request.scope["path"].removeprefix(request.scope["root_path"]).lstrip("/") or HTML
        file = self._files.get(name)
        if file is None or request.method not in ("GET", "HEAD"):
            return Response(status_code=HTTPStatus.NOT_FOUND)
        response = respond(request, file, FOR_GOOD if name.startswith(NAMED) else "no-cache")
        if name.endswith(IN_WORKER):
            response.headers["content-security-policy"] = WORKER_POLICY
        return response
