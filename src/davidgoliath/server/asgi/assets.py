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
from posixpath import dirname, normpath
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketClose

from davidgoliath import art
from davidgoliath.rules.cards import FEWEST_PLAYERS, MOST_PLAYERS, deck
from davidgoliath.server.asgi.reasons import REASONS
from davidgoliath.server.store.contract import StoreReason
from davidgoliath.texts import LANGUAGES, Texts, catalogue
from davidgoliath.texts.examples import TRICKS
from davidgoliath.tutorial import demonstration, lessons

TEXTS: Final = ("page.", "colour.", "bot.", "privacy.", "learn.", "pad.", "score.")
PARTS: Final = {"study.": ("study.",)}
"""What only some pages need of the catalogues, each part in a file of its own."""
ERRORS: Final = {f"error.{reason}" for kind in REASONS if kind is not StoreReason for reason in kind}
"""What every page needs of the catalogues; a site has some more to say, and stores speak to operators alone."""
HTML: Final = "index.html"
ROUTES: Final = "routes.json"
"""Which module of the page shows an address, and with which styles of its own: the page's router reads it too."""
IMPORT: Final = re.compile(r'^(?:import|export)[^;]*? from "(\.[./\w]+\.js)";', re.M)
STYLE: Final = re.compile(r"css/[/\w]+\.css")
WORKER: Final = "sw.js"
"""Keeps the page in the browser: it stands at the top, because it may only keep what stands below it."""
MANIFEST: Final = "manifest.webmanifest"
KEPT: Final = ("art/common.svg", f"art/{TRICKS[0][1]}.svg", "art/icon.svg", MANIFEST)
"""What pages need that show without a network; the rules have cards in them."""
TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
COMMENT: Final = re.compile(r"^ *//.*$|^ */\*(?:[^*]|\*(?!/))*\*/$", re.M)
"""A comment that has its lines for itself."""
INDENT: Final = re.compile(r"^ +", re.M)
OF_SITE: Final = "/site/"
OF_BOTH: Final = "/base/"
FOR_GOOD: Final = "public, max-age=31536000, immutable"


class File(NamedTuple):
    """Something served: compressed, and what it is."""

    body: bytes
    kind: str

    @classmethod
    def of(cls, name: str, content: str) -> "File":
        return cls(gzip.compress(content.encode(), mtime=0), f"{type_of(name)}; charset=utf-8")


def type_of(name: str) -> str:
    """What a file is, by its name."""
    suffix = name[name.rindex(".") :]
    return TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")


class Route(NamedTuple):
    """An address that people see. All of them show the one page, which reads its address."""

    path: re.Pattern[str]
    module: str
    styles: frozenset[str]
    is_offline: bool
    """Whether it needs no network once the browser has seen any other."""

    @classmethod
    def of(cls, row: Any) -> "Route":
        styles = frozenset(f"css/{style}" for style in row.get("styles", ()))
        return cls(re.compile(row["path"]), f"js/{row['module']}", styles, row.get("offline", False))


@dataclass(frozen=True)
class Assets:
    """All files of the page, by name."""

    build: str
    files: dict[str, File]
    shell: File
    """What an address shows that isn't of a page."""
    pages: tuple[tuple[re.Pattern[str], File], ...]
    """What those of pages show; what differs is only what a browser shall ask for at once."""

    @classmethod
    @lru_cache
    def load(cls) -> "Assets":
        contents = page_files()
        build = build_of(contents)
        rows = json.loads(contents.pop(ROUTES))
        routes = [Route.of(row) for row in rows]
        table = json.dumps(rows, separators=(",", ":"))
        html = contents.pop(HTML).replace("{build}", build).replace("{routes}", table).replace("{head}", "")
        modules = imported(contents, "js/main.js", set())
        styles = {name for name in contents if name.startswith("css/")}
        kept = {*KEPT, *modules, *styles}
        for route in routes:
            if route.is_offline:
                imported(contents, route.module, kept)
        contents[WORKER] = contents[WORKER].replace(
            '["{files}"]', json.dumps([f"/web/{build}/{name}" for name in sorted(kept)])
        )
        for name in (WORKER, MANIFEST):
            contents[name] = contents[name].replace("{build}", build)
        made = {name: File.of(name, content) for name, content in contents.items()}
        pages = tuple(
            (
                route.path,
                File.of(HTML, shell(html, build, imported(contents, route.module, set(modules)), styles, route.styles)),
            )
            for route in routes
        )
        return cls(build, made, File.of(HTML, shell(html, build, modules, styles)), pages)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Whatever isn't of the interface for programs. There is no socket here."""
        answer = self._answer(Request(scope, receive)) if scope["type"] == "http" else WebSocketClose()
        await answer(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return Response(status_code=HTTPStatus.METHOD_NOT_ALLOWED, headers={"allow": "GET, HEAD"})
        path = request.scope["path"]
        if path == f"/{WORKER}":
            return respond(request, self.files[WORKER], "no-cache")
        prefix, _, rest = path.removeprefix("/").partition("/")
        if prefix == "web":
            _, _, name = rest.partition("/")
            if file := self.files.get(name):
                return respond(request, file, FOR_GOOD if rest.startswith(self.build) else "no-cache")
            return Response(status_code=HTTPStatus.NOT_FOUND)
        page = next((page for address, page in self.pages if address.fullmatch(path)), None)
        return respond(request, page or self.shell, "no-cache", HTTPStatus.OK if page else HTTPStatus.NOT_FOUND)


def respond(request: Request, file: File, cache: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(_plain(file.body), status, headers, file.kind)
    return Response(file.body, status, {**headers, "content-encoding": "gzip"}, file.kind)


@cache
def _plain(compressed: bytes) -> bytes:
    """Of a file that is served: there are not many."""
    return gzip.decompress(compressed)


def page_files(*, of_site: bool = False) -> dict[str, str]:
    """What the page is made of, by name. A static site has some modules of its own, in the place of those in `base`."""
    contents = {**_written(files("davidgoliath").joinpath("web")), **_made((*TEXTS, "site.") if of_site else TEXTS)}
    own = {name: contents.pop(name) for name in list(contents) if OF_SITE in name}
    if of_site:
        for name, content in own.items():
            other = name.replace(OF_SITE, OF_BOTH)
            contents[other if other in contents else name] = content
    return contents


def build_of(contents: dict[str, str]) -> str:
    """The name of all that."""
    return hashlib.sha256(repr(sorted(contents.items())).encode()).hexdigest()[:12]


def shell(html: str, build: str, modules: set[str], styles: set[str], wanted: frozenset[str] = frozenset()) -> str:
    """The page with its modules, and every style in its place: those that aren't wanted yet are disabled."""
    preload = "".join(f'<link rel="modulepreload" href="/web/{build}/{name}">' for name in sorted(modules))
    links = "".join(
        f'<link rel="stylesheet" href="/web/{build}/{name}"{"" if name in wanted else " disabled"}>'
        for name in sorted(styles - set(STYLE.findall(html)))
    )
    return html.replace("{preload}", preload).replace("{styles}", links)


def _written(folder: Traversable, prefix: str = "") -> dict[str, str]:
    """What we wrote by hand."""
    found: dict[str, str] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= _written(entry, f"{prefix}{entry.name}/")
        elif not entry.name.startswith((".", "_")) and not entry.name.endswith(".d.ts"):
            text = entry.read_text(encoding="utf-8")
            found[prefix + entry.name] = _bare(text) if entry.name.endswith((".js", ".css")) else text
    return found


def _bare(written: str) -> str:
    """A script or style without comments and indentation, a fifth of it. Every line keeps its number."""
    return INDENT.sub("", COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), written))


def imported(contents: dict[str, str], name: str, found: set[str]) -> set[str]:
    """A module and all that it can't do without, so that a browser asks for them at once."""
    if name not in found:
        found.add(name)
        for other in IMPORT.findall(contents[name]):
            imported(contents, normpath(f"{dirname(name)}/{other}"), found)
    return found


def _made(wanted: tuple[str, ...]) -> dict[str, str]:
    """What comes from other parts of the program: the cards, the lessons and the texts."""
    made = {"css/palette.css": art.stylesheet(), "art/common.svg": art.common(), "art/icon.svg": art.icon()}
    made["art/emotes.svg"] = art.emotes()
    made["learn/lessons.json"], made["learn/demonstrations.json"] = lessons.as_json(), demonstration.as_json()
    for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
        highest = max(deck(players)).value
        made[f"art/{highest}.svg"] = art.sprite(highest)
    for language in LANGUAGES:
        for part, keys in {"": wanted, **PARTS}.items():
            errors = frozenset() if part else ERRORS
            texts = {key: text for key, text in catalogue(language).items() if key.startswith(keys) or key in errors}
            made[f"texts/{part}{language}.json"] = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
        made[f"texts/rules.{language}.md"] = Texts(language).rules()
    return made
