"""Answers that took work are made once, beside the loop, in fair turns; and kept until what they depend on changes."""

import asyncio
import threading
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from davidgoliath.server.asgi.invite_link import qr_code
from davidgoliath.server.asgi.rate_limits import BURST, WORK
from davidgoliath.server.asgi.response_cache import ResponseCache, Turns
from davidgoliath.server.config import Limits
from davidgoliath.server.table.records import finished
from tests.app_server import Site, play_match, say, serve
from tests.stores import run


def test_what_many_ask_for_at_once_is_made_once_in_another_thread() -> None:
    async def test() -> None:
        shelf, made = ResponseCache(), []

        def make() -> bytes:
            made.append(threading.get_ident())
            return b"answer"

        assert await asyncio.gather(*(shelf.get("key", who, make) for who in range(20))) == [b"answer"] * 20
        assert await shelf.get("key", "later", make) == b"answer"
        assert len(made) == 1
        assert made[0] != threading.get_ident()

    run(test)


def test_what_fails_is_not_kept_and_holds_nobody_up() -> None:
    async def test() -> None:
        shelf = ResponseCache()

        def fail() -> bytes:
            raise ZeroDivisionError

        for _ in range(5):
            with pytest.raises(ZeroDivisionError):
                await shelf.get("key", "a", fail)
        assert "key" not in shelf
        assert await shelf.get("key", "a", lambda: b"answer") == b"answer"

    run(test)


def test_what_nobody_has_asked_for_longest_goes_first() -> None:
    async def test() -> None:
        shelf = ResponseCache(most=10)
        for key in ("a", "b", "a", "c"):
            await shelf.get(key, "", lambda: b"12345")
        assert [key in shelf for key in "abc"] == [True, False, True]
        await shelf.get("large", "", lambda: b"x" * 11)
        assert not any(key in shelf for key in ("a", "c", "large"))

    run(test)


def test_who_wants_many_turns_waits_for_everybody_else() -> None:
    async def test() -> None:
        turns, order, go = Turns(1), [], asyncio.Event()

        async def work(owner: str) -> None:
            async with turns.turn(owner):
                await go.wait()
                order.append(owner)

        tasks = [asyncio.create_task(work(owner)) for owner in "aaaaabbc"]
        await asyncio.sleep(0)
        tasks[3].cancel()
        go.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert "".join(order) == "aabcaba"[: len(order)]
        assert len(order) == 7
        async with asyncio.timeout(5), turns.turn("d"):
            pass

    run(test)


def test_records_replays_and_codes_are_made_once_for_all_who_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    def code(link: str) -> bytes:
        made.append(link)
        return qr_code(link)

    def record(*of: Any) -> list[Any]:
        made.append(of)
        return finished(*of)

    monkeypatch.setattr("davidgoliath.server.asgi.app.qr_code", code)
    monkeypatch.setattr("davidgoliath.server.asgi.app.finished", record)

    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "casual"], rules="single")
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await say(socket, type="start", expect=1)
            await play_match(socket)
        for path in ("qr.svg", "record.dgn", "replay"):
            made.clear()
            before = await site.ask(f"/api/tables/{table}/{path}")
            answers = await asyncio.gather(*(site.ask(f"/api/tables/{table}/{path}") for _ in range(8)))
            assert answers == [before] * 8
            assert len(made) == (path != "replay")
        await site.ask("/api/me/name", {"name": "Berta"}, token)
        for path in ("record.dgn", "record.json", "replay"):
            _, answer = await site.ask(f"/api/tables/{table}/{path}")
            assert "Berta" in str(answer)
            assert "Anna" not in str(answer)

    serve(scenario, tmp_path)


@pytest.mark.slow
def test_work_costs_more_than_what_is_done_already(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        site.server.config.app.state.limiter._clock = lambda: 0.0  # type: ignore[union-attr]
        path, mine = f"/api/tables/{table}/qr.svg", {"X-Forwarded-For": "198.51.100.7"}
        for _ in range(BURST - int(WORK)):
            assert (await site.ask(path, **mine))[0] == 200
        assert (await site.ask(path, **mine))[0] == 429
        other = {"X-Forwarded-For": "198.51.100.8"}
        asked = [(await site.ask(path, Host=f"192.0.2.{number}", **other))[0] for number in range(BURST)]
        assert asked.count(200) == BURST // (1 + int(WORK))

    proxies = (ip_network("127.0.0.1"),)
    serve(scenario, tmp_path, limits=Limits(sockets=0, new=0, messages=0, proxies=proxies, requests=1, connections=0))
