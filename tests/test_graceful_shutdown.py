"""A server that stops: what it heard is done and told, and its clients go on at another one, of another build too."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tools.decode_message import decode_message
from tools.served import Served, served
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from davidgoliath.server.store.contract import Appended, Stored
from davidgoliath.server.store.sqlite.store import SqliteStore
from tests.app_server import Site, hear, say, serve

RESTART = 1012
LOGGED = ("--log", "json", "--log-level", "info", "--bot", "random")
NEWER = """
import sys
from dataclasses import replace
from davidgoliath.cli import main
from davidgoliath.server.asgi.assets import Assets
newer = replace(Assets.load(), build="newer")
Assets.load = lambda: newer
sys.exit(main(sys.argv[1:]))
"""


class Follower:
    """A client that hears every event of a table once, whichever server tells it."""

    def __init__(self, token: str | None) -> None:
        self.token, self.latest = token, 0
        self.cards: list[str] = []
        self.builds: list[str] = []

    async def greet(self, socket: ClientConnection) -> None:
        self.socket = socket
        await say(socket, type="hello", protocol=1, build="", token=self.token, since=self.latest)
        await self.until("present")

    async def until(self, kind: str) -> dict[str, Any]:
        """Takes part until there is a message of a kind."""
        while True:
            message = decode_message(await asyncio.wait_for(self.socket.recv(), 20))
            if message["type"] == "welcome":
                self.builds.append(message["build"])
            if message["type"] == "batch":
                assert message["first"] == self.latest + 1
            for event in [told["event"] for told in message.get("events", [])] or [message.get("event")]:
                await self.take(event)
            assert message["type"] != "happened" or message["seq"] == self.latest
            if message["type"] == kind:
                return message

    async def take(self, event: dict[str, Any] | None) -> None:
        if event is None:
            return
        self.latest += 1
        if event["type"] == "played":
            self.cards.append(event["card"])
        if event["type"] == "committed":
            await say(self.socket, type="share", deal=event["deal"], share=os.urandom(16).hex())

    async def play(self, turn: dict[str, Any]) -> str:
        card = str(turn["legal"][0])
        await say(self.socket, type="play", expect=turn["seq"], card=card)
        return card

    async def end(self) -> int | None:
        """Hears all that there is, and gives the code with which the server closes."""
        try:
            while True:
                await self.until("happened")
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


class Slow:
    """Makes the store wait until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked, self.go = asyncio.Event(), asyncio.Event()
        append = SqliteStore.append

        async def wait(store: SqliteStore, table: str, seq: int, *events: Stored, **terms: Any) -> Appended:
            self.asked.set()
            await self.go.wait()
            return await append(store, table, seq, *events, **terms)

        monkeypatch.setattr(SqliteStore, "append", wait)


def test_a_card_on_its_way_is_played_and_told_before_the_server_says_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(site: Site) -> None:
        anna, spectator = Follower(await site.person("Anna")), Follower(None)
        table = await site.table(anna.token or "", [None, "random", "random"])
        async with site.socket(table) as first, site.socket(table) as second:
            await anna.greet(first)
            await spectator.greet(second)
            await say(first, type="start", expect=1)
            turn = await anna.until("turn")
            slow = Slow(monkeypatch)
            card = await anna.play(turn)
            await slow.asked.wait()
            site.server.handle_exit(signal.SIGTERM, None)
            while (await site.ask("/readyz"))[0] == 200:
                await asyncio.sleep(0.01)
            assert await site.ask("/readyz") == (503, {"ready": False, "reason": "stopping"})
            assert (await site.ask("/healthz"))[0] == 200
            asyncio.get_running_loop().call_later(0.5, slow.go.set)
            assert (await anna.end(), await spectator.end()) == (RESTART, RESTART)
            assert card in anna.cards  # who only listens has it from the next server

    serve(scenario, tmp_path, drain=0.3)


def test_a_second_signal_ends_it_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        anna = Follower(await site.person("Anna"))
        table = await site.table(anna.token or "", [None, "random", "random"])
        async with site.socket(table) as socket:
            await anna.greet(socket)
            slow = Slow(monkeypatch)
            await say(socket, type="start", expect=1)
            await slow.asked.wait()
            begun = time.monotonic()
            site.server.handle_exit(signal.SIGTERM, None)
            await asyncio.sleep(0.3)
            assert (await site.ask("/healthz"))[0] == 200
            site.server.handle_exit(signal.SIGTERM, None)
            while site.server.servers[0].is_serving():
                await asyncio.sleep(0.01)
            assert time.monotonic() - begun < 3
            slow.go.set()

    serve(scenario, tmp_path, drain=60)


def test_a_table_that_a_newer_build_has_played_on_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])
        monkeypatch.setattr("davidgoliath.server.table.events.VERSION", 0)
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            assert (await hear(socket, "refused"))["reason"] == "events_newer"
        assert (await site.ask(f"/api/tables/{table}"))[0] == 503
        monkeypatch.undo()
        assert (await site.ask(f"/api/tables/{table}"))[0] == 200

    serve(scenario, tmp_path)


async def visit(server: Served, client: Follower, table: str) -> None:
    """Plays two cards, and sees how the server stops."""
    async with connect(f"{server.address.replace('http', 'ws')}/api/tables/{table}/socket") as socket:
        await client.greet(socket)
        if client.latest == 1:
            await say(socket, type="start", expect=1)
        for _ in range(2):
            card = await client.play(await client.until("turn"))
            while card not in client.cards:
                await client.until("happened")
        os.kill(server.process, signal.SIGTERM)
        assert await client.end() == RESTART


def logged(log: Path) -> list[str]:
    return [json.loads(line)["event"] for line in log.read_text(encoding="utf-8").splitlines()]


def seen_off(server: Served, client: Follower, table: str, log: Path) -> None:
    """A visit, and the server's end."""
    asyncio.run(asyncio.wait_for(visit(server, client, table), 30))
    end = time.monotonic() + 20
    while "stopped" not in logged(log) and time.monotonic() < end:
        time.sleep(0.02)
    said = log.read_text(encoding="utf-8")
    assert logged(log)[0] == "started", said
    assert logged(log)[-3:] == ["stopping", "left", "stopped"], said


def check_that_it_kept_its_place(client: Follower) -> None:
    """It has heard of each card once, at either build, and the four that it played are of four tricks."""
    assert client.builds[1] == "newer" != client.builds[0]
    assert len(set(client.cards)) == len(client.cards) >= 3 * 3 + 1, client.cards


def test_a_client_goes_on_at_another_build_and_keeps_its_place(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    with old.open("wb") as file, served(tmp_path, *LOGGED, log=file) as server:
        host = server.person()
        table = server.table(host, [None, "random", "random"]).removeprefix("/t/")
        client, again = Follower(host.token), ("--port", server.address.rpartition(":")[2])
        seen_off(server, client, table, old)
    with new.open("wb") as file, served(tmp_path, *LOGGED, *again, log=file, program=("-c", NEWER)) as server:
        seen_off(server, client, table, new)
    check_that_it_kept_its_place(client)


@pytest.mark.slow
def test_two_builds_run_side_by_side_and_one_hands_its_clients_to_the_other(
    tmp_path: Path, new_database: Callable[[], str]
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    both = *LOGGED, "--database", new_database()
    with (
        old.open("wb") as first_log,
        new.open("wb") as second_log,
        served(tmp_path, *both, log=first_log) as first,
        served(tmp_path, *both, log=second_log, program=("-c", NEWER)) as second,
    ):
        host = first.person()
        table = first.table(host, [None, "random", "random"]).removeprefix("/t/")
        client = Follower(host.token)
        seen_off(first, client, table, old)
        seen_off(second, client, table, new)
    check_that_it_kept_its_place(client)
