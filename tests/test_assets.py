"""The page as the server gives it: small, kept for good, and nothing from elsewhere."""

import asyncio
import gzip
import re
from pathlib import Path
from posixpath import dirname, normpath
from typing import Any, NamedTuple

from davidgoliath.server.asgi.assets import Assets, imported
from davidgoliath.texts import LANGUAGES

WEB = Assets.load()
PART = r'part\(\(\) => import\("([./\w]+\.js)"'
"""What is fetched once the rest is there, as `table.js` says it."""
FOLDER = Path(__file__).parent.parent / "src/davidgoliath/web"
SOURCES = sorted(FOLDER.rglob("*.*"))


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


def get(path: str, accepts: str = "gzip") -> Answer:
    """What the page's application answers."""
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "server": ("page", 80)}
    asyncio.run(WEB({**scope, "headers": [(b"accept-encoding", accepts.encode())]}, receive, send))
    headers = {name.decode(): value.decode() for name, value in messages[0]["headers"]}
    body = messages[1]["body"]
    text = gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body
    return Answer(messages[0]["status"], headers, text.decode())


def text_of(name: str) -> str:
    return gzip.decompress(WEB.files[name].body).decode()


def test_addresses_of_pages_show_the_page_and_others_say_that_they_are_not_there() -> None:
    for path in (
        "/",
        "/t/k3f9m2xw7hqp",
        "/replay/k3f9m2xw7hqp",
        "/review/k3f9m2xw7hqp",
        "/figures",
        "/learn",
        "/rules",
        "/settings",
        "/privacy",
    ):
        answer = get(path)
        assert answer.status == 200
        assert f'data-build="{WEB.build}"' in answer.text
        assert answer.headers["cache-control"] == "no-cache"
    for path in ("/nowhere", "/t/", "/t/../etc"):
        answer = get(path)
        assert answer.status == 404
        assert WEB.build in answer.text
    assert get(f"/web/{WEB.build}/js/none.js").status == 404
    assert get(f"/web/{WEB.build}/../../server/asgi/assets.py").status == 404


def test_what_is_named_after_its_build_is_kept_for_good_and_an_older_build_is_not() -> None:
    answer = get(f"/web/{WEB.build}/js/main.js")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["content-encoding"] == "gzip"
    older = get("/web/000000000000/js/main.js", "identity")
    assert older.headers["cache-control"] == "no-cache"
    assert "content-encoding" not in older.headers
    assert older.text == answer.text


def test_everything_that_the_page_names_is_there() -> None:
    shell = gzip.decompress(WEB.shell.body).decode()
    named = re.findall(rf'(?:href|src)="/web/{WEB.build}/([^"]+)"', shell)
    assert len(named) > 8
    for name in (*named, "sw.js", *(f"texts/{language}.json" for language in LANGUAGES), "art/9.svg", "art/18.svg"):
        assert name in WEB.files, name
    for name in WEB.files:
        if name.startswith("js/"):
            for other in re.findall(r'(?:from|import\()\s*"(\.[^"]+)"', text_of(name)):
                assert normpath(f"{dirname(name)}/{other}") in WEB.files, (name, other)
    for address in re.findall(r'"(/web/[^"]+)"', text_of("sw.js") + text_of("manifest.webmanifest")):
        assert address.removeprefix(f"/web/{WEB.build}/") in WEB.files or address.endswith(f"{WEB.build}/"), address


def test_an_address_asks_for_its_modules_at_once() -> None:
    pages = {"/": "pages/home", "/t/abc": "table/table", "/replay/abc": "replay/replay", "/rules": "pages/rules"}
    for path, module in pages.items():
        assert f'/js/{module}.js"' in get(path).text, path
    assert '/js/table/table.js"' not in get("/").text


def test_only_the_page_that_needs_it_fetches_a_style_of_its_own() -> None:
    tables = {"table/demonstration", "table/ending", "table/lobby", "table/moments"}
    study = {"study/reasons", "study/study", "ui/chart", "ui/marks"}
    own = {"learn/learn", "pad/pad", "pages/home", "replay/replay", *tables, *study}
    pages = {
        "/": {"pages/home"},
        "/t/abc": set[str](),
        "/learn": {"learn/learn", "ui/marks"},
        "/score": {"pad/pad"},
        "/replay/abc": {"replay/replay"},
        "/review/abc": study,
    }
    for path, styles in pages.items():
        assert set(re.findall(r'/css/([/\w]+)\.css" disabled', get(path).text)) == own - styles, path


def test_the_first_load_is_small() -> None:
    """Of home, and of a table of six, with headers of some 300 bytes each; and with all that comes later."""

    def weight(page: str, *others: str) -> int:
        named = re.findall(r'/((?:js|css)/[/\w]+\.\w+)"(?! disabled)', get(page).text)
        return sum(len(WEB.files[name].body) + 300 for name in {*named, *others, "art/common.svg", "texts/de.json"})

    written = {name: gzip.decompress(file.body).decode() for name, file in WEB.files.items() if name.endswith(".js")}
    later = [
        name for module in ("table", "motion", "session") for name in re.findall(PART, written[f"js/table/{module}.js"])
    ]
    assert len(later) == 7
    modules = set[str]().union(*(imported(written, normpath(f"js/table/{name}"), set()) for name in later))
    assert weight("/") < 100_000
    assert weight("/t/abc", "art/18.svg") < 118_000
    assert weight("/t/abc", "art/18.svg", "js/table/moments.js", "css/table/moments.css") < 121_000  # at once too
    styles = ("css/table/lobby.css", "css/table/moments.css", "css/replay/replay.css")
    assert weight("/t/abc", "art/18.svg", *styles, *modules) < 159_000


def test_scripts_and_styles_are_sent_without_comments_and_indentation_and_else_as_they_are() -> None:
    left_out = 0
    for source in SOURCES:
        if source.suffix not in (".js", ".css") or source.name == "sw.js" or source.parent.name == "site":
            continue
        sent = text_of(source.relative_to(FOLDER).as_posix()).split("\n")
        for line, written in zip(sent, source.read_text(encoding="utf-8").split("\n"), strict=True):
            bare = written.lstrip()
            is_comment = bare.startswith(("//", "/*", "*")) or bare.endswith("*/")
            assert line == bare or (is_comment and not line), source.name
            assert "`" not in re.sub(r'/\*.*?\*/|"[^"]*"|/.*`.*/|`[^`]*`', "", line), (
                "texts of several lines are changed"
            )
            left_out += line != bare
    assert left_out > 500
    assert not [name for name in WEB.files if name.endswith(".js") and re.search(r"(?m)^ *//", text_of(name))]


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_inline() -> None:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        hosts = set(re.findall(r"https?://([\w.-]+)", text))
        assert hosts <= {"www.w3.org"}, source.name
        assert "innerHTML" not in text, source.name
        assert "eval(" not in text, source.name
        assert not re.search(r"<[^>]+\sstyle=", text), source.name


def test_lines_of_the_page_are_as_long_as_those_of_python() -> None:
    """The formatter breaks neither comments nor long texts."""
    long = [
        f"{file.name}:{number}"
        for file in SOURCES
        if file.suffix in (".js", ".css")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 120
    ]
    assert long == []
