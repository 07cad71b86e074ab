"""What one address may ask of the server, with a clock of our own; and once through a real server."""

import asyncio
import contextlib
from ipaddress import ip_network
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from davidgoliath import Refusal
from davidgoliath.server.asgi.rate_limits import ASKED, BURST, FILE, VOICES, WORK, RateLimiter
from davidgoliath.server.config import NO_LIMITS, Limits
from davidgoliath.server.peers import alone
from davidgoliath.server.peers.token_bucket import TokenBucket
from tests.app_server import Site, hear, say, serve
from tests.clock import Clock
from tests.refusals import refuses
from tests.stores import run


def test_new_people_and_tables_are_counted_by_address_and_kind() -> None:
    async def test() -> None:
        clock = Clock()
        limiter = RateLimiter(Limits(new=3), clock=clock)
        for _ in range(3):
            await limiter.make("person", "a")
            await limiter.make("table", "a")
        with refuses("too_many_new"):
            await limiter.make("person", "a")
        await limiter.make("person", "b")
        clock.now = 20.0  # a third of a minute
        await limiter.make("person", "a")
        with pytest.raises(Refusal):
            await limiter.make("person", "a")

    run(test)


def test_addresses_that_have_been_quiet_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alone, "MOST_BUCKETS", 2)

    async def test() -> None:
        clock = Clock()
        ledger = alone.Alone(clock)
        limiter = RateLimiter(Limits(new=1), ledger)
        await limiter.make("person", "a")
        clock.now = 59.0
        await limiter.make("person", "b")
        clock.now = 61.0
        await limiter.make("person", "c")
        assert set(ledger.buckets) == {"person b", "person c"}

    run(test)


def test_however_many_have_asked_today_nobody_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has had a review is remembered for minutes: to look through them all would cost everyone, each time."""
    looked: list[TokenBucket] = []
    monkeypatch.setattr(alone, "MOST_BUCKETS", 10)
    monkeypatch.setattr(TokenBucket, "is_full", property(lambda bucket: looked.append(bucket)))

    async def test() -> None:
        ledger = alone.Alone(Clock())
        limiter = RateLimiter(Limits(reviews=1), ledger)
        for number in range(500):
            await limiter.review(f"person {number}", f"address {number}")
        assert len(ledger.buckets) == 1000

    run(test)
    assert len(looked) < 2000


def test_sockets_are_counted_while_they_are_open() -> None:
    async def test() -> None:
        ledger = alone.Alone()
        limiter = RateLimiter(Limits(sockets=2), ledger)
        async with limiter.socket("a"), limiter.socket("a"), limiter.socket("b"):
            with refuses("too_many_sockets"):
                await limiter.socket("a").__aenter__()
        async with limiter.socket("a"), limiter.socket("a"):
            pass
        assert not ledger.sockets

    run(test)


def test_messages_may_come_in_bursts() -> None:
    async def test() -> None:
        clock = Clock()
        limiter = RateLimiter(Limits(messages=30), clock=clock)
        async with limiter.socket("a") as count:
            for _ in range(60):
                count()
            with refuses("too_many_messages"):
                count()
            for second in range(1, 4):
                clock.now = float(second)
                for _ in range(30):
                    count()

    run(test)


def test_by_many_sockets_one_address_says_no_more_than_by_a_few() -> None:
    """What is too much waits, each message behind the last: nobody else behind that address is hung up on."""

    async def test() -> None:
        clock = Clock()
        limiter = RateLimiter(Limits(messages=30), clock=clock)
        async with contextlib.AsyncExitStack() as stack:
            sockets = [await stack.enter_async_context(limiter.socket("a")) for _ in range(40)]
            other = await stack.enter_async_context(limiter.socket("b"))
            waits = [count() for count in sockets for _ in range(20)]
            most = 2 * VOICES * 30
            assert waits[:most] == [0.0] * most
            assert waits[most:] == pytest.approx([number / VOICES / 30 for number in range(1, len(waits) - most + 1)])
            assert other() == 0.0
            clock.now = waits[-1]
            assert sockets[0]() == pytest.approx(1 / VOICES / 30)

    run(test)


def test_requests_have_a_budget_for_each_address_by_what_they_cost() -> None:
    clock = Clock()
    limiter = RateLimiter(Limits(requests=2), clock=clock)
    for cost, most in ((FILE, 8 * BURST), (ASKED, 2 * BURST), (WORK, BURST // 2)):
        for _ in range(most):
            limiter.ask(f"a{cost}", cost)
        with refuses("too_many_requests") as refused:
            limiter.ask(f"a{cost}", cost)
        seconds = refused.value.arguments["seconds"]
        limiter.ask("b", cost)
        clock.now += seconds
        limiter.ask(f"a{cost}", cost)


def test_of_very_many_addresses_those_that_asked_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("davidgoliath.server.asgi.rate_limits.MOST_BUCKETS", 2)
    limiter = RateLimiter(Limits(requests=1), clock=Clock())
    for _ in range(BURST):
        limiter.ask("a")
    for other in ("b", "a", "c"):
        with pytest.raises(Refusal) if other == "a" else contextlib.nullcontext():
            limiter.ask(other)
    with pytest.raises(Refusal):
        limiter.ask("a")
    limiter.ask("b")
    limiter.ask("c")
    limiter.ask("a")  # it has been forgotten


def test_a_server_answers_so_many_requests_and_says_when_to_come_again(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        site.server.config.app.state.limiter._clock = Clock()  # type: ignore[union-attr]
        for _ in range(BURST):
            assert (await site.ask("/api/server"))[0] == 200
        status, refused = await site.ask("/api/server", **{"Accept-Language": "pl"})
        assert (status, refused["reason"], refused["arguments"]) == (429, "too_many_requests", {"seconds": 1})
        assert refused["text"].startswith("z twojego adresu")
        with pytest.raises(HTTPError) as page:
            await asyncio.to_thread(urlopen, f"http://{site.address}/", timeout=20)
        with page.value as answer:
            assert (answer.code, answer.headers["retry-after"]) == (429, "1")
        with pytest.raises(InvalidStatus):
            async with site.socket("x"):
                pass
        headers = {"X-Forwarded-For": "198.51.100.7"}
        assert (await site.ask("/api/server", **headers))[0] == 200, "somebody else's budget is their own"

    serve(
        scenario,
        tmp_path,
        limits=Limits(sockets=0, new=0, messages=0, proxies=(ip_network("127.0.0.1"),), requests=1, connections=0),
    )


def test_without_limits_anything_goes() -> None:
    async def test() -> None:
        limiter = RateLimiter(NO_LIMITS, clock=Clock())
        for _ in range(1000):
            limiter.ask("a")
            await limiter.make("person", "a")
        async with limiter.socket("a") as count:
            for _ in range(1000):
                count()

    run(test)


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"),  # anyone can write that
        ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "198.51.100.7, 10.0.0.2", "198.51.100.7"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "nonsense", "?"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "2001:db8::1", "2001:db8::/64"),
        (None, "198.51.100.7", "?"),
    ],
)
def test_addresses_come_from_trusted_proxies_only(peer: str | None, forwarded: str, address: str) -> None:
    limiter = RateLimiter(Limits(proxies=(ip_network("10.0.0.0/8"),)))
    assert limiter.address(peer, forwarded) == address


def test_a_server_refuses_what_is_too_much(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        await site.person("Ben")
        status, refused = await site.ask("/api/people", {"name": "Cleo"}, **{"Accept-Language": "de"})
        assert (status, refused["reason"], refused["arguments"]) == (429, "too_many_new", {"most": 2})
        assert refused["text"].startswith("von deiner Adresse")
        status, _ = await site.ask("/api/people", {"name": "Cleo"}, **{"X-Forwarded-For": "198.51.100.7"})
        assert status == 201
        table = await site.table(token, [None, "random", "random"])
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await hear(socket, "batch")
            async with site.socket(table) as other:
                assert (await hear(other, "refused"))["reason"] == "too_many_sockets"
                with pytest.raises(ConnectionClosed) as closed:
                    await asyncio.wait_for(other.recv(), 20)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1008
            for _ in range(11):
                await say(socket, type="say", emote="wow")
            while (await hear(socket, "refused"))["reason"] != "too_many_messages":
                pass
            with pytest.raises(ConnectionClosed):
                await hear(socket, "nothing more")
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await hear(socket, "welcome")

    serve(scenario, tmp_path, limits=Limits(sockets=1, new=2, messages=5, proxies=(ip_network("127.0.0.1"),)))


def test_a_rematch_counts_as_a_new_table(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])
        for number in range(3):
            async with site.socket(table) as socket:
                await say(socket, type="hello", protocol=1, build="", token=token)
                await hear(socket, "batch")
                await say(socket, type="end", expect=1)
                await say(socket, type="playagain", expect=2)
                if number == 2:
                    assert (await hear(socket, "refused"))["reason"] == "too_many_new"
                    await say(socket, type="say", emote="wow")
                    await hear(socket, "said")  # and the connection stays
                else:
                    while (event := (await hear(socket, "happened"))["event"])["type"] != "rematch":
                        pass
                    table = event["table"]

    serve(scenario, tmp_path, limits=Limits(new=3))
