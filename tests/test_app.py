"""The web application, as a real server that real clients talk to."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from tools.decode_message import decode_message
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from davidgoliath import CardSet, DealRecord
from davidgoliath.match.shuffle import Shuffle
from davidgoliath.notation import read_text
from davidgoliath.server.asgi.app import ENDPOINTS
from tests.app_server import Site, hear, play_match, say, serve


def test_a_match_over_the_network_and_its_record(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "casual"], rules="single")
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            welcome = await hear(socket, "welcome")
            assert welcome["table"] == table
            batch = await hear(socket, "batch")
            assert [told["event"]["type"] for told in batch["events"]] == ["created"]
            assert (await hear(socket, "names"))["names"] == {welcome["you"]: "Anna"}
            await say(socket, type="start", expect=1)
            events = await play_match(socket)
            assert sum(event["type"] == "played" for event in events) == 45
        status, text = await site.ask(f"/api/tables/{table}/record.dgn")
        assert status == 200
        (entry,) = read_text(text)
        record = entry[1]
        assert isinstance(record, DealRecord)
        assert record.names == ("Anna", "bot:random", "bot:casual")
        assert record.shuffle is not None
        assert Shuffle.parse(record.shuffle).flaws(record) == ()
        status, lines = await site.ask(f"/api/tables/{table}/record.json")
        assert json.loads(lines)["plays"] == [str(card) for card in record.plays]

    serve(scenario, tmp_path)


def test_no_cache_keeps_an_answer(tmp_path: Path) -> None:
    """It may be for one person, have a name that is deleted later, or be shared no longer."""

    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "casual"])
        for method, path in (endpoint.address.split() for endpoint in ENDPOINTS):
            if method != "GET":
                continue
            for form in ("dgn", "json"):
                where = f"http://{site.address}{path.format(table=table, form=form)}"
                request = Request(where, None, {"Authorization": f"Bearer {token}"})
                try:
                    with await asyncio.to_thread(urlopen, request, timeout=20) as answer:
                        headers = answer.headers
                except HTTPError as refused:
                    with refused:
                        headers = refused.headers
                assert headers["cache-control"] == "no-store", where

    serve(scenario, tmp_path)


def test_a_record_shows_nothing_of_a_deal_that_is_not_over(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "casual"])
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await say(socket, type="start", expect=1)
            await hear(socket, "turn")
            for form in ("dgn", "json"):
                assert await site.ask(f"/api/tables/{table}/record.{form}") == (200, "")
            status, shown = await site.ask(f"/api/tables/{table}")
            assert status == 200
            assert set(shown) == {"players", "rules", "phase", "totals", "seq", "locked", "hints"}

    serve(scenario, tmp_path)


def test_a_deal_that_is_broken_off_stays_in_the_record(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        anna, other = await site.person("Anna"), await site.person("anna")
        table = await site.table(anna, [None, None, "random"])
        async with site.socket(table) as socket, site.socket(table) as second:
            await say(socket, type="hello", protocol=1, build="", token=anna)
            await say(second, type="hello", protocol=1, build="", token=other)
            await say(second, type="sit", expect=1, seat=1)
            await hear(second, "happened")
            await say(socket, type="start", expect=2)
            dealt: dict[str, Any] = {}
            while dealt.get("type") != "dealt":
                message = await hear(socket, "happened")
                dealt = message["event"]
            await say(socket, type="end", expect=message["seq"])
            while message.get("event", {}).get("type") != "ended":
                message = decode_message(await asyncio.wait_for(socket.recv(), 20))
                if message["type"] == "refused":  # the bot leads, and was quicker
                    await say(socket, type="end", expect=message["seq"])
        _, line = await site.ask(f"/api/tables/{table}/record.json")
        record = json.loads(line)
        assert record["names"] == ["Anna", "anna 2", "bot:random"]
        assert record["hands"][0] == [str(card) for card in CardSet.parse(dealt["hands"][0])]
        assert Shuffle.parse(record["shuffle"]).number == 1

    serve(scenario, tmp_path)


def test_a_spectator_sees_the_table_and_no_hand(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])
        async with site.socket(table) as socket, site.socket(table) as watching:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await say(watching, type="hello", protocol=1, build="")
            assert (await hear(watching, "welcome"))["you"] is None
            await hear(watching, "batch")
            await say(socket, type="start", expect=1)
            for kind in ("started", "committed", "dealt"):
                event = (await hear(watching, "happened"))["event"]
                assert event["type"] == kind
            assert event["hands"] == ["-", "-", "-"]
            await say(watching, type="sit", expect=4, seat=1)
            assert (await hear(watching, "refused"))["reason"] == "not_seated"

    serve(scenario, tmp_path)


def test_bad_requests_get_one_sentence(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        seats = [None, "random", "random"]
        for path, body, key, status, reason in [
            ("/api/people", {"name": ""}, "", 400, "name_unfit"),
            ("/api/people", {"nam": "x"}, "", 400, "request_unfit"),
            ("/api/people", b"\xff", "", 400, "request_unfit"),
            ("/api/people", b" " * 20_000, "", 400, "request_too_long"),
            ("/api/tables", {"seats": seats}, "", 401, "token_missing"),
            ("/api/tables", {"seats": seats}, "wrong", 401, "token_unknown"),
            ("/api/tables", {"seats": [None]}, token, 400, "players_range"),
            ("/api/tables", {"seats": ["random"] * 3}, token, 400, "no_open_seat"),
            ("/api/tables", {"seats": [None, "master", "random"]}, token, 400, "no_such_bot"),
            ("/api/tables", {"seats": seats, "rules": "x"}, token, 400, "no_such_preset"),
            ("/api/tables", {"seats": seats, "turn_seconds": 0}, token, 400, "number_range"),
            ("/api/tables/nosuch", None, "", 404, "no_such_table"),
            ("/api/tables/nosuch/record.dgn", None, "", 404, "no_such_table"),
        ]:
            answer = await site.ask(path, body, key)
            assert (answer[0], answer[1]["reason"]) == (status, reason), path
            assert answer[1]["text"]
        status, refused = await site.ask("/api/tables/nosuch", **{"Accept-Language": "de-AT, en;q=0.5"})
        assert refused["text"] == "diesen Tisch gibt es nicht"
        status, refused = await site.ask("/api/tables/nosuch", Origin="https://elsewhere.example")
        assert refused["reason"] == "foreign_origin"
        assert (await site.ask("/healthz"))[0] == 200

    serve(scenario, tmp_path)


@pytest.mark.parametrize(
    "messages",
    [
        ["garbage"],
        ['{"type":"play","expect":1,"card":"R9"}'],
        ['{"type":"hello","protocol":99,"build":""}'],
        ['{"type":"hello","protocol":1,"build":"","token":"wrong"}'],
        ['{"type":"hello","protocol":1,"build":"","since":-1}'],
        ['{"type":"hello","protocol":1,"build":""}', "{}"],
        [b"\x00\x01"],
        [""],
        ["[" * 60_000],
        ['{"type":"hello","protocol":1,"build":"\\ud800"}'],
        [
            '{"type":"hello","protocol":1,"build":""}',
            '{"type":"remove","expect":1,"person":"' + "x" * 65 + '"}',
        ],
        ["x" * 70_000],
    ],
)
def test_a_socket_that_talks_nonsense_is_closed(tmp_path: Path, messages: list[str | bytes]) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        async with site.socket(table) as socket:
            with pytest.raises(ConnectionClosed) as closed:
                await _talk(socket, messages)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == (1009 if len(messages[0]) > 65_536 else 1008)
        assert (await site.ask(f"/api/tables/{table}"))[1]["seq"] == 1

    serve(scenario, tmp_path)


async def _talk(socket: ClientConnection, messages: list[str | bytes]) -> None:
    for message in messages:
        await socket.send(message)
    while True:
        await asyncio.wait_for(socket.recv(), 20)


def test_sockets_from_other_sites_are_refused(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        with pytest.raises(InvalidStatus):
            async with site.socket(table, origin="https://elsewhere.example"):
                pass
        async with site.socket(table, origin=f"http://{site.address}") as socket:
            await say(socket, type="hello", protocol=1, build="")
            await hear(socket, "welcome")

    serve(scenario, tmp_path)


def test_a_record_names_those_who_have_left(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        tokens = [await site.person(name) for name in ("Anna", "Ben")]
        table = await site.table(tokens[0], [None, None, "random"], rules="single")
        async with site.socket(table) as anna, site.socket(table) as ben:
            for socket, token in zip((anna, ben), tokens, strict=True):
                await say(socket, type="hello", protocol=1, build="", token=token)
            await say(ben, type="sit", expect=1, seat=1)
            await hear(ben, "happened")
            await say(anna, type="start", expect=2)
            await asyncio.gather(play_match(anna), play_match(ben))
            _, shown = await site.ask(f"/api/tables/{table}")
            await say(ben, type="leave", expect=shown["seq"])
            assert (await hear(ben, "happened"))["event"] == {"type": "stood", "seat": 1}
        _, line = await site.ask(f"/api/tables/{table}/record.json")
        assert json.loads(line)["names"] == ["Anna", "Ben", "bot:random"]

    serve(scenario, tmp_path)


def test_who_knows_of_more_events_than_the_server_gets_all(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        for since in (2, 2**63, 10**30):
            async with site.socket(table) as socket:
                await say(socket, type="hello", protocol=1, build="", since=since)
                batch = await hear(socket, "batch")
                assert (batch["first"], len(batch["events"])) == (1, 1)

    serve(scenario, tmp_path)


def test_a_text_that_is_not_utf8_or_a_body_that_breaks_off_is_no_trouble(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        async with site.socket(table) as socket:
            await socket.send(b'{"type":"hello","protocol":1,"build":"\xff"}', text=True)
            assert (await hear(socket, "refused"))["reason"] == "request_unfit"
        _, writer = await asyncio.open_connection(*site.address.split(":"))
        writer.write(b"POST /api/people HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{")
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        assert (await site.ask("/healthz"))[0] == 200

    serve(scenario, tmp_path)
    assert not caplog.records
