"""What strangers may do to a server before it knows what they want: connect, say nothing, too much, or nonsense."""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from ipaddress import ip_network
from pathlib import Path

import pytest
from starlette.websockets import WebSocket
from tools.served import served

from davidgoliath.server.asgi.connection_limits import PATIENCE, QUIET, ConnectionLimiter, ConnectionStage
from davidgoliath.server.asgi.middleware import RELUCTANCE
from davidgoliath.server.asgi.rate_limits import RateLimiter
from davidgoliath.server.asgi.uvicorn_http import H11, LARGEST_HEAD, LARGEST_REST, MOST_HEADERS, SPOKEN
from davidgoliath.server.config import NO_LIMITS, Limits
from tests.app_server import Site, hear, say, serve
from tests.clock import Clock

UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
SHORT = 0.2
PROXY = Limits(sockets=0, new=0, messages=0, proxies=(ip_network("127.0.0.1"),), requests=0, connections=0)
both_parsers = pytest.mark.parametrize("http", sorted({SPOKEN, H11}, key=str), ids=lambda spoken: spoken.__name__)


class Caller:
    """A connection, and what is said on it by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def say(self, *words: bytes) -> None:
        with contextlib.suppress(ConnectionError):
            for word in words:
                self.writer.write(word)
                await self.writer.drain()

    async def status(self) -> int:
        """Of the next answer; 0 if there is none any more."""
        with contextlib.suppress(ConnectionError):
            line = await asyncio.wait_for(self.reader.readline(), 20)
            return int(line.split()[1]) if line else 0
        return 0

    async def ended(self) -> bool:
        with contextlib.suppress(ConnectionError):
            await asyncio.wait_for(self.reader.read(), 20)
        return True

    @property
    def is_open(self) -> bool:
        return not self.reader.at_eof()


@contextlib.asynccontextmanager
async def call(address: str) -> AsyncIterator[Caller]:
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield Caller(reader, writer)
    finally:
        writer.transport.abort()


def asked(path: str = "/api/server", *headers: bytes, method: str = "GET", host: str = "localhost") -> bytes:
    lines = [f"{method} {path} HTTP/1.1".encode(), b"Host: " + host.encode("latin-1"), *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n"


# How much


@pytest.mark.parametrize(
    "head",
    [
        [b"GET /", *[b"a" * 1000] * 20],
        [b"GET / HTTP/1.1\r\nX: ", *[b"a" * 1000] * 20],
        [b"GET / HTTP/1.1\r\n", *[b"X: " + b"a" * 1000 + b"\r\n"] * 20],
        [asked("/", b"X: " + b"a" * LARGEST_HEAD)],
        [asked("/", *[b"X: a"] * MOST_HEADERS)],
        [asked("/?" + "a" * LARGEST_HEAD, UPGRADE.strip())],
    ],
    ids=["line", "header", "headers", "whole", "many", "upgrade"],
)
def test_a_head_that_is_too_large_is_refused_before_it_is_kept(tmp_path: Path, head: list[bytes]) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as caller:
            await caller.say(*head)
            assert await caller.status() == 431
            assert await caller.ended()

    serve(scenario, tmp_path)


def test_a_head_has_a_bound_on_h11_too(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as caller:
            await caller.say(b"GET / HTTP/1.1\r\n", *[b"X: " + b"a" * 1000 + b"\r\n"] * 20)
            assert await caller.status() == 400
            assert await caller.ended()

    serve(scenario, tmp_path, http=H11)


@pytest.mark.parametrize(
    "rest",
    [
        [b"Content-Length: 9999999\r\n\r\n", *[b"a" * 10_000] * 20],
        [b"Transfer-Encoding: chunked\r\n\r\n1;", *[b"a" * 10_000] * 20],
        [b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ", *[b"a" * 10_000] * 20],
        [b"Transfer-Encoding: chunked\r\n\r\n0\r\n", *[b"X: a\r\n" * 100] * 20],
    ],
    ids=["body", "extension", "trailer", "trailers"],
)
@pytest.mark.parametrize("path", ["/", "/api/people"])
def test_what_follows_a_head_has_a_bound_whether_anybody_reads_it_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: list[bytes], path: str
) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as caller:
            await caller.say(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n".encode() + rest[0], *rest[1:])
            assert await caller.ended()

    assert sum(map(len, rest)) > LARGEST_REST or b"X: a" in rest[1]
    monkeypatch.setitem(PATIENCE, ConnectionStage.BODY, 1000.0)
    serve(scenario, tmp_path, timeout_keep_alive=1000)


def test_requests_that_come_before_any_answer_are_few(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as caller:
            await caller.say(asked() * 3)
            assert [await status_and_rest(caller) for _ in range(3)] == [200, 200, 200]
        async with call(site.address) as caller:
            await caller.say(asked() * 1000)
            with contextlib.suppress(ConnectionError):
                assert (await caller.reader.read()).count(b"HTTP/1.1 200") < 100

    async def status_and_rest(caller: Caller) -> int:
        status, length = await caller.status(), 0
        while (line := await caller.reader.readline()) != b"\r\n":
            length = int(line.split()[1]) if line.startswith(b"content-length") else length
        await caller.reader.readexactly(length)
        return status

    serve(scenario, tmp_path)


def test_a_message_may_come_in_pieces_but_not_in_any_number(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as caller:
            await caller.say(asked("/api/tables/x/socket", UPGRADE.strip()))
            await caller.reader.readuntil(b"\r\n\r\n")
            await caller.say(b"\x01\x80aaaa" + b"\x00\x80aaaa" * 1000)
            assert await caller.ended()

    serve(scenario, tmp_path)


def test_frames_of_any_kind_have_a_budget(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        for frame in (b"\x89\x80aaaa", b"\x8a\x80aaaa", b"\x81\x80aaaa"):
            async with call(site.address) as caller:
                await caller.say(asked("/api/tables/x/socket", UPGRADE.strip()))
                await caller.reader.readuntil(b"\r\n\r\n")
                await caller.say(frame * 40_000)
                heard = b""
                with contextlib.suppress(ConnectionError):
                    heard = await asyncio.wait_for(caller.reader.read(), 20)
                assert len(heard) < 4096, "so many pongs"

    serve(scenario, tmp_path, limits=Limits(sockets=0, new=0, messages=30, requests=0, connections=0))


def test_a_body_comes_in_few_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        for path in ("/", "/api/people"):
            async with call(site.address) as caller:
                head = asked(path, b"Transfer-Encoding: chunked", method="POST")
                await caller.say(head + b"1\r\n \r\n" * 4000)
                assert await caller.ended()

    monkeypatch.setitem(PATIENCE, ConnectionStage.BODY, 1000.0)
    serve(scenario, tmp_path, timeout_keep_alive=1000)


def test_who_does_not_read_pongs_is_read_no_longer(tmp_path: Path) -> None:
    """Or what waits for them would grow with each ping."""

    async def scenario(site: Site) -> None:
        ping = b"\x89\xfdaaaa" + b"b" * 125
        async with call(site.address) as caller:
            await caller.say(asked("/api/tables/x/socket", UPGRADE.strip()))
            await caller.reader.readuntil(b"\r\n\r\n")
            caller.writer.transport.pause_reading()  # type: ignore[attr-defined]
            flood = asyncio.create_task(caller.say(*[ping * 1000] * 300))
            assert not (await asyncio.wait([flood], timeout=2))[0], "it takes no more"
            flood.cancel()
            (wire,) = site.server.server_state.connections
            assert wire.transport.get_write_buffer_size() < 1_000_000

    serve(scenario, tmp_path)


# How long


@both_parsers
@pytest.mark.parametrize(
    ("stage", "words"),
    [
        (ConnectionStage.HEAD, []),
        (ConnectionStage.HEAD, [b"GET / HTTP/1.1\r\nX: "]),
        (ConnectionStage.BODY, [asked("/api/people", b"Content-Length: 9", method="POST"), b"{"]),
        (ConnectionStage.BODY, [asked("/", b"Content-Length: 9"), b"{"]),
        (ConnectionStage.HEAD, [asked(), b"GET / HTTP"]),
    ],
    ids=["silent", "head", "body", "body that nobody wants", "second head"],
)
def test_who_takes_too_long_is_cut_off_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, http: type, stage: ConnectionStage, words: list[bytes]
) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])
        async with call(site.address) as slow, site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await hear(socket, "present")
            for word in words:
                await slow.say(word)
                await asyncio.sleep(0.01)
            drip = asyncio.create_task(dripping(slow)) if words and stage is ConnectionStage.HEAD else None
            assert await slow.ended()
            if drip:
                drip.cancel()
            await say(socket, type="say", emote="wow")
            await hear(socket, "said")

    async def dripping(slow: Caller) -> None:
        while True:
            await slow.say(b"a")
            await asyncio.sleep(SHORT / 5)

    monkeypatch.setitem(PATIENCE, stage, SHORT)
    serve(scenario, tmp_path, http=http, timeout_keep_alive=30)


def test_who_does_not_read_an_answer_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as caller:
            caller.writer.transport.pause_reading()  # type: ignore[attr-defined]
            large = asked("/web/x/art/18.svg", b"Accept-Encoding: none")
            while len(site.server.server_state.connections) and site.server.server_state.total_requests < 200:
                await caller.say(large * 4)
                await asyncio.sleep(0.01)
            while site.server.server_state.connections:
                await asyncio.sleep(0.01)

    monkeypatch.setitem(PATIENCE, ConnectionStage.ANSWER, SHORT)
    monkeypatch.setitem(PATIENCE, ConnectionStage.IDLE, SHORT)
    serve(scenario, tmp_path)


def test_a_socket_that_never_says_hello_goes_even_if_nobody_reads_the_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as caller:
            await caller.say(asked("/api/tables/x/socket", UPGRADE.strip()))
            await caller.reader.readuntil(b"\r\n\r\n")
            caller.writer.transport.pause_reading()  # type: ignore[attr-defined]
            flood = asyncio.create_task(caller.say(*[b"\x89\xfdaaaa" + b"b" * 125] * 300_000))
            async with asyncio.timeout(20):
                while site.server.server_state.connections:
                    await asyncio.sleep(0.01)
            flood.cancel()

    monkeypatch.setattr("davidgoliath.server.asgi.websocket.HELLO_SECONDS", 1.0)
    monkeypatch.setattr("davidgoliath.server.asgi.uvicorn_websocket.LONGEST_CLOSE", SHORT)
    serve(scenario, tmp_path)


def test_a_socket_whose_request_is_not_quite_right_is_answered(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        for header in (b"Content-Length: 5", b"X: " + b"a" * 9000, b"Sec-WebSocket-Key: x"):
            async with call(site.address) as caller:
                await caller.say(asked("/api/tables/x/socket", header, UPGRADE.strip()))
                assert await caller.status() == 400
                assert await caller.ended()

    serve(scenario, tmp_path)


# How many


class Plug(asyncio.Transport):
    """The end of a connection."""

    is_cut = False

    def abort(self) -> None:
        self.is_cut = True


class Fence:
    """A limiter, and those who come."""

    def __init__(self, most: int, limits: Limits = NO_LIMITS) -> None:
        self.clock = Clock()
        self.limiter = ConnectionLimiter(RateLimiter(limits), most, self.clock)

    def come(self, address: str = "192.0.2.1", stage: ConnectionStage = ConnectionStage.HEAD) -> Plug:
        plug = Plug()
        self.limiter.enter(plug, address)
        self.limiter.move(plug, stage)
        self.clock.now += 0.001
        return plug


def test_a_silent_connection_goes_for_a_new_one_of_the_same_address() -> None:
    fence = Fence(1000, Limits(connections=3))
    busy, first, second = fence.come(stage=ConnectionStage.SOCKET), fence.come(), fence.come()
    third, other = fence.come(), fence.come("192.0.2.2")
    assert [plug.is_cut for plug in (busy, first, second, third, other)] == [False, True, False, False, False]


def test_who_has_no_silent_one_left_is_refused() -> None:
    fence = Fence(1000, Limits(connections=2))
    plugs = [
        fence.come(stage=stage) for stage in (ConnectionStage.SOCKET, ConnectionStage.ANSWER, ConnectionStage.HEAD)
    ]
    assert [plug.is_cut for plug in plugs] == [False, False, True]
    fence.limiter.leave(plugs[0])
    assert not fence.come().is_cut


def test_an_idle_connection_goes_after_those_that_never_asked() -> None:
    fence = Fence(4)
    idle, silent = fence.come("a", ConnectionStage.IDLE), fence.come("192.0.2.2")
    others = [fence.come(f"192.0.2.{number}", ConnectionStage.SOCKET) for number in (3, 4)]
    newer = fence.come("192.0.2.5", ConnectionStage.SOCKET)
    assert (idle.is_cut, silent.is_cut, newer.is_cut) == (False, True, False)
    assert not fence.come("192.0.2.6", ConnectionStage.SOCKET).is_cut
    assert idle.is_cut
    assert fence.come("192.0.2.7").is_cut
    assert not any(plug.is_cut for plug in others)


def test_an_address_has_at_most_half_and_pays_for_more_by_itself() -> None:
    fence = Fence(100)
    silent = [fence.come("192.0.2.66") for _ in range(1000)]
    assert sum(not plug.is_cut for plug in silent) == 50
    honest = [fence.come(f"192.0.2.{number}", ConnectionStage.SOCKET) for number in range(50)]
    newest = fence.come("198.51.100.1")
    assert not any(plug.is_cut for plug in (*honest, newest))
    flood = [fence.come("192.0.2.66") for _ in range(1000)]
    assert not newest.is_cut, "who just came, and hasn't asked yet, isn't who pays for the flood"
    assert sum(not plug.is_cut for plug in (*silent, *flood)) == 49


def test_a_trusted_proxy_is_not_counted_against_itself() -> None:
    fence = Fence(300, Limits(proxies=(ip_network("10.0.0.1"),), connections=3))
    assert not any(fence.come("10.0.0.1", ConnectionStage.SOCKET).is_cut for _ in range(300))
    assert fence.come("10.0.0.1").is_cut, "there is a bound for all"


def test_ipv6_addresses_of_one_household_count_as_one() -> None:
    fence = Fence(1000, Limits(connections=2))
    plugs = [fence.come(f"2001:db8:1:2::{number}", ConnectionStage.SOCKET) for number in range(3)]
    assert [plug.is_cut for plug in plugs] == [False, False, True]


def test_the_operator_is_told_of_full_connections_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    fence = Fence(4)
    for _ in range(3):
        for number in range(50):
            fence.come(f"192.0.2.{number}")
            fence.limiter.sweep()
        fence.clock.now += QUIET / 2
    lines = [record for record in caplog.records if record.getMessage() == "connections_full"]
    assert len(lines) == 2
    assert all("192.0.2" not in str(vars(line)) for line in lines)


def test_a_server_says_so_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as first, call(site.address) as second:
            await second.say(asked())
            assert await second.status() == 200
            async with call(site.address) as third:
                await third.say(asked())
                assert await third.status() == 200
                assert await first.ended()
            while not any(record.getMessage() == "connections_full" for record in caplog.records):
                await asyncio.sleep(0.01)

    serve(scenario, tmp_path, limits=Limits(sockets=0, new=0, messages=0, requests=0, connections=2))


@pytest.mark.skipif(os.name == "nt", reason="there is no such bound")
def test_silent_connections_shut_nobody_out_where_files_are_few(tmp_path: Path) -> None:
    """The system gives this server 128 files; 200 connections say nothing."""
    limited = "import resource, runpy; resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128));"
    program = ("-c", f"{limited} runpy.run_module('davidgoliath', run_name='__main__')")
    log = tmp_path / "log"

    async def scenario(address: str) -> None:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(200):
                await stack.enter_async_context(call(address))
            for _ in range(5):
                async with call(address) as caller:
                    await caller.say(asked())
                    assert await caller.status() == 200
            await asyncio.sleep(0.3)

    with log.open("wb") as file, served(tmp_path, "--bot", "random", log=file, program=program) as server:
        asyncio.run(asyncio.wait_for(scenario(server.address), 60))
    assert log.read_text(encoding="utf-8").count("connections_full") == 1


def test_thirty_people_behind_one_address_open_the_page_at_once(tmp_path: Path) -> None:
    """Each with six connections, on which sixty files come, some questions, and a socket: within the usual limits."""

    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])

        async def fetches(times: int, *paths: str) -> None:
            async with call(site.address) as caller:
                for path in paths * times:
                    await caller.say(asked(path, b"Accept-Encoding: gzip"))
                    head = await asyncio.wait_for(caller.reader.readuntil(b"\r\n\r\n"), 60)
                    assert head.startswith(b"HTTP/1.1 200"), head
                    length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length"))
                    await caller.reader.readexactly(int(length.split()[1]))

        async def opens() -> None:
            async with site.socket(table) as socket:
                await say(socket, type="hello", protocol=1, build="")
                files = [fetches(10, "/web/x/css/palette.css") for _ in range(5)]
                await asyncio.gather(fetches(1, "/", "/sw.js", "/api/server", f"/api/tables/{table}/link"), *files)
                await hear(socket, "present")

        await asyncio.gather(*(opens() for _ in range(30)))

    serve(scenario, tmp_path, limits=Limits())


# Nonsense

NONSENSE = [
    asked("/api/server", b"Origin: http://[::1"),
    asked("/api/tables/x/socket", b"Origin: http://[::1", UPGRADE.strip()),
    *(asked(path, UPGRADE.strip()) for path in ("/", "/t/x", "/api/server", "/healthz", "/web/x/js/main.js", "*")),
    asked("/", UPGRADE.strip(), method="POST"),
    *(asked("/", host=host) for host in ("[::1", "[", "\xff", "a/b?c#d", "1.2.3.4:99999999", "", "a b<c>")),
    *(asked(path) for path in ("/%ff%fe", "/%00", "/%zz", "//[::1", "http://[::1", "/web/%00", "?a", "#", "http://a")),
    *(asked(f"/api/tables/{what}") for what in ("%00", "%ed%a0%80/link", "%ff/replay", "x/record.%00", "%00/qr.svg")),
    *(asked("/", method=method) for method in ("BREW", "PROPFIND", "CONNECT", "TRACE", "DELETE", "OPTIONS", "get")),
    asked("/api/me", b"Authorization: Bearer \xff\xfe", b"Accept-Language: \xff;q=x, de;q=1e999, *;q=nan"),
    *(asked("/", b"X-Forwarded-For: " + told) for told in (b"nonsense, [::1", b"fe80::1%eth0", b"\xff", b"1," * 2000)),
    asked("/", b"X-Forwarded-Proto: \xff", b"X-Forwarded-For: 192.0.2.1"),
    asked("/", b"Upgrade: h2c", b"Connection: Upgrade"),
    asked("/api/people", b"Transfer-Encoding: chunked", method="POST") + b"zz\r\n",
    asked("/api/people", b"Content-Length: 2", b"Transfer-Encoding: chunked", method="POST") + b"{}",
    asked("/api/people", b"Content-Length: -1", method="POST"),
    asked("/api/people", b"Content-Length: 2", b"Expect: 100-continue", method="POST"),
    asked() * 3 + asked("/", UPGRADE.strip()),
    b"GET /\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
]


@both_parsers
def test_nonsense_leaves_no_line_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture, http: type) -> None:
    async def scenario(site: Site) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: logging.error("%s", context))
        for words in NONSENSE:
            for pieces in ([words], [words[: len(words) // 2], words[len(words) // 2 :]]):
                async with call(site.address) as caller:
                    await caller.say(*pieces)
                    with contextlib.suppress(ConnectionError, TimeoutError):
                        await asyncio.wait_for(caller.reader.read(100), 0.05)
        assert (await site.ask("/healthz"))[0] == 200

    serve(scenario, tmp_path, limits=PROXY, http=http, log_level="warning")
    said = [record for record in caplog.records if "Invalid HTTP" not in record.getMessage()]
    assert [record.getMessage() for record in said if record.levelno > logging.WARNING] == []


def test_nonsense_before_a_socket_is_open_leaves_no_line_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    accept = WebSocket.accept

    async def take_time(websocket: WebSocket) -> None:
        await asyncio.sleep(SHORT)
        await accept(websocket)

    async def scenario(site: Site) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: logging.error("%s", context))
        for frames in (
            b"\xff" * 20,
            b"\x89\x80aaaa" * 5000,
            b"\x88\x80aaaa",
            b"\x81\x00",
            b"\x01\x80aaaa" * 9,
            b"\x82\xff" * 9,
        ):
            async with call(site.address) as caller:
                await caller.say(asked("/api/tables/x/socket", UPGRADE.strip()))
                await asyncio.sleep(SHORT / 4)
                await caller.say(frames)
                assert await caller.ended()

    monkeypatch.setattr(WebSocket, "accept", take_time)
    monkeypatch.setattr("davidgoliath.server.asgi.websocket.HELLO_SECONDS", SHORT)
    serve(scenario, tmp_path, limits=Limits(sockets=0, new=0, messages=30, requests=0, connections=0))
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.WARNING] == []


def test_who_asks_twice_and_goes_before_the_first_answer_leaves_no_line_either(tmp_path: Path) -> None:
    async def scenario(address: str) -> None:
        async with call(address) as caller:
            statuses = []
            while 429 not in statuses:
                await caller.say(asked())
                statuses.append(await caller.status())
                length = int((await caller.reader.readuntil(b"\r\n\r\n")).partition(b"content-length: ")[2].split()[0])
                await caller.reader.readexactly(length)
        for second in (asked(), asked("/api/tables/x/socket", UPGRADE.strip())):
            async with call(address) as caller:
                await caller.say(asked() + second)
                await asyncio.sleep(0.05)
        await asyncio.sleep(2 * RELUCTANCE)

    log = tmp_path / "log"
    with log.open("wb") as file, served(tmp_path, "--bot", "random", "--most-requests", "1", log=file) as server:
        asyncio.run(asyncio.wait_for(scenario(server.address), 60))
    assert log.read_text(encoding="utf-8") == ""


@pytest.mark.parametrize("path", ["/", "/t/x", "/api/server", "/api/nosuch"])
def test_a_socket_is_refused_where_there_is_none(tmp_path: Path, path: str) -> None:
    async def scenario(site: Site) -> None:
        async with call(site.address) as caller:
            await caller.say(asked(path, UPGRADE.strip()))
            assert await caller.status() == 403

    serve(scenario, tmp_path)


# Names


def test_names_that_are_not_ours_are_not_answered(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        for host in (site.address, "localhost", "cards.localhost:1", "192.168.1.5", "[::1]:8642", "cards.example.org"):
            assert (await site.ask("/api/server", Host=host))[0] == 200, host
            assert (await site.ask("/", Host=host))[0] == 200, host
        for host in ("elsewhere.example", "cards.example.org.elsewhere.example", "127.0.0.1.elsewhere.example"):
            status, refused = await site.ask("/api/server", Host=host, **{"Accept-Language": "de"})
            assert (status, refused["reason"]) == (421, "host_unknown")
            assert f"--allowed-host {host}" in refused["text"]
            status, sentence = await site.ask("/", Host=host)
            assert (status, sentence.count("\n")) == (421, 0)
            async with call(site.address) as caller:
                await caller.say(asked(f"/api/tables/{table}/socket", UPGRADE.strip(), host=host))
                assert await caller.status() == 403

    serve(scenario, tmp_path, allowed=["cards.example.org"])


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [([], 200), (["cards.example.org"], 200), (["other.example.org"], 421), (["*"], 200)],
)
def test_a_trusted_proxy_answers_for_its_names_unless_they_are_listed(
    tmp_path: Path, allowed: list[str], expected: int
) -> None:
    async def scenario(site: Site) -> None:
        host = {"Host": "cards.example.org"}
        assert (await site.ask("/", **host, **{"X-Forwarded-For": "192.0.2.7"}))[0] == expected
        is_known = "*" in allowed or "cards.example.org" in allowed
        assert (await site.ask("/", **host))[0] == (200 if is_known else 421), "that wasn't the proxy"

    serve(scenario, tmp_path, limits=PROXY, allowed=allowed)


@pytest.mark.parametrize(("limits", "expected"), [(PROXY, True), (NO_LIMITS, False)])
def test_what_opened_a_page_is_kept_from_it_where_it_came_by_https(
    tmp_path: Path, limits: Limits, expected: bool
) -> None:
    async def scenario(site: Site) -> None:
        for told, is_secure in (("https", expected), ("http", False)):
            async with call(site.address) as caller:
                await caller.say(asked("/", b"X-Forwarded-For: 192.0.2.7", b"X-Forwarded-Proto: " + told.encode()))
                head = await caller.reader.readuntil(b"\r\n\r\n")
                assert (b"cross-origin-opener-policy: same-origin" in head) is is_secure

    serve(scenario, tmp_path, limits=limits)


def test_this_process_may_have_as_many_files_as_the_system_gives() -> None:
    program = "from davidgoliath.server.asgi.connection_limits import most_connections; print(most_connections())"
    if os.name != "nt":
        program = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 300)); {program}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) == (sys.maxsize if os.name == "nt" else 300 - 64)
