"""The page, as the server gives it: its files, the art and the texts, each compressed once and named after the build.

A build is the state of all that is served. It stands in every address, so a browser may keep what it has for good, and
a page knows from the server's greeting when it is out of date. `index.html` alone is asked for again each time.
"""

import gzip
import hashlib
import json
import mimetypes
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

from davidgoliath import art
from davidgoliath.rules.cards import FEWEST_PLAYERS, MOST_PLAYERS, deck
from davidgoliath.server import lessons
from davidgoliath.texts import LANGUAGES, Texts, catalogue

PAGES: Final = re.compile(
    r"/|/(t|replay)/[a-z0-9]{1,40}|/(learn|rules|games|me|settings|privacy|join|friends|score|offline)"
)
"""The addresses that people see: all of them show the one page, which reads its address."""
TEXTS: Final = ("page.", "colour.", "error.", "bot.", "privacy.", "learn.", "emote.", "pad.", "score.")
"""What the page needs of the catalogues."""
REGISTERED: Final = re.compile(
    r'^register\(/(.+?)/, async \(\) => \(await import\("\./(\w+\.js)"\)\)\.\w+(?:, "(\w+\.css)")?', re.M
)
"""Which module of the page shows an address, and with which style of its own, as `main.js` says."""
WORKER: Final = "sw.js"
"""Keeps the page in the browser: it stands at the top, because it may only keep what stands below it."""
MANIFEST: Final = "manifest.webmanifest"
KEPT: Final = ("art/common.svg", "art/icon.svg", MANIFEST)
OFFLINE: Final = ("js/papers.js", "js/pad.js")
"""Pages that need no network once the browser has seen any other."""
TYPES: Final = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
COMMENT: Final = re.compile(r"^ *//.*$|^ */\*\*(?:[^*]|\*(?!/))*\*/$", re.M)
"""A comment that has its lines for itself."""
FOR_GOOD: Final = "public, max-age=31536000, immutable"


class File(NamedTuple):
    """Something served: compressed, and what it is."""

    body: bytes
    kind: str

    @classmethod
    def of(cls, name: str, content: str) -> "File":
        suffix = name[name.rindex(".") :]
        kind = TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
        return cls(gzip.compress(content.encode(), mtime=0), f"{kind}; charset=utf-8")


@dataclass(frozen=True)
class Web:
    """All files of the page, by name."""

    build: str
    files: dict[str, File]
    shell: File
    """What every address shows; what differs is only what a browser shall ask for at once."""
    shells: tuple[tuple[re.Pattern[str], File], ...]
    """The same for pages with modules of their own, by address."""

    @classmethod
    @lru_cache
    def load(cls) -> "Web":
        contents = {**_written(files("davidgoliath").joinpath("web")), **_made()}
        shell = contents.pop("index.html")
        digest = hashlib.sha256(repr(sorted(contents.items())).encode() + shell.encode())
        build = digest.hexdigest()[:12]
        shell = shell.replace("{build}", build)
        modules = _imported(contents, "js/main.js", set())
        kept = {*KEPT, *modules, *(css for css in contents if css.startswith("css/"))}
        for page in OFFLINE:
            _imported(contents, page, kept)
        contents[WORKER] = contents[WORKER].replace(
            '["{files}"]', json.dumps([f"/web/{build}/{name}" for name in sorted(kept)])
        )
        for name in (WORKER, MANIFEST):
            contents[name] = contents[name].replace("{build}", build)
        made = {name: File.of(name, content) for name, content in contents.items()}
        shells = tuple(
            (re.compile(path), _shell(shell, build, _imported(contents, f"js/{module}", set(modules)), style))
            for path, module, style in REGISTERED.findall(contents["js/main.js"])
        )
        return cls(build, made, _shell(shell, build, modules), shells)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Whatever isn't of the interface for programs. There is no socket here."""
        answer = self._answer(Request(scope, receive)) if scope["type"] == "http" else WebSocketClose()
        await answer(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return Response(status_code=HTTPStatus.METHOD_NOT_ALLOWED, headers={"allow": "GET, HEAD"})
        path = request.scope["path"]
        if path == f"/{WORKER}":
            return _response(request, self.files[WORKER], "no-cache")
        prefix, _, rest = path.removeprefix("/").partition("/")
        if prefix == "web":
            _, _, name = rest.partition("/")
            if file := self.files.get(name):
                return _response(request, file, FOR_GOOD if rest.startswith(self.build) else "no-cache")
            return Response(status_code=HTTPStatus.NOT_FOUND)
        status = HTTPStatus.OK if PAGES.fullmatch(path) else HTTPStatus.NOT_FOUND
        shell = next((shell for address, shell in self.shells if address.search(path)), self.shell)
        return _response(request, shell, "no-cache", status)


def _response(request: Request, file: File, cache: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(_plain(file.body), status, headers, file.kind)
    return Response(file.body, status, {**headers, "content-encoding": "gzip"}, file.kind)


@cache
def _plain(compressed: bytes) -> bytes:
    """Of a file that is served: there are not many."""
    return gzip.decompress(compressed)


def _shell(html: str, build: str, modules: set[str], style: str = "") -> File:
    preload = "".join(f'<link rel="modulepreload" href="/web/{build}/{name}">' for name in sorted(modules))
    wanted = html.replace(f'/{style}" disabled', f'/{style}"')
    return File.of("index.html", wanted.replace("{preload}", preload))


def _written(folder: Traversable, prefix: str = "") -> dict[str, str]:
    """What we wrote by hand."""
    found: dict[str, str] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= _written(entry, f"{prefix}{entry.name}/")
        elif not entry.name.startswith((".", "_")):
            text = entry.read_text(encoding="utf-8")
            found[prefix + entry.name] = _bare(text) if entry.name.endswith(".js") else text
    return found


def _bare(script: str) -> str:
    """A script without its comments, a fifth of what would be sent. Every line keeps its number."""
    return COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), script)


def _imported(contents: dict[str, str], name: str, found: set[str]) -> set[str]:
    """A module and all that it can't do without, so that a browser asks for them at once."""
    if name not in found:
        found.add(name)
        for other in re.findall(r'^(?:import|export)[^;]*? from "\./(\w+\.js)";', contents[name], re.M):
            _imported(contents, f"js/{other}", found)
    return found


def _made() -> dict[str, str]:
    """What comes from other parts of the program: the cards, the lessons and the texts."""
    made = {"css/palette.css": art.stylesheet(), "art/common.svg": art.common(), "art/icon.svg": art.icon()}
    made["learn/lessons.json"] = lessons.as_json()
    for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
        highest = max(deck(players)).value
        made[f"art/{highest}.svg"] = art.sprite(highest)
    for language in LANGUAGES:
        texts = {key: text for key, text in catalogue(language).items() if key.startswith(TEXTS)}
        made[f"texts/{language}.json"] = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
        made[f"texts/rules.{language}.md"] = Texts(language).rules()
    return made
