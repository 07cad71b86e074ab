""" "Export my data", "delete my data", and another name: over HTTP, at a real server."""

import asyncio
import json
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from tools.decode_message import decode_message
from websockets.exceptions import ConnectionClosed

from davidgoliath.server.asgi.invite_link import qr_code
from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.rooms.client import Client
from davidgoliath.server.rooms.registry import MOST_TOKENS
from davidgoliath.server.rooms.room import Room
from tests.app_server import Site, hear, play_match, say, serve


async def sign_out_others(site: Site, token: str) -> int:
    status, body = await site.delete("/api/me/tokens", token)
    assert status == 200
    return int(json.loads(body)["revoked"])


async def delete(site: Site, token: str) -> None:
    assert await site.delete("/api/me", token) == (204, b"")
    assert (await site.ask("/api/me", token=token))[1]["reason"] == "token_unknown"


def test_people_get_all_that_is_held_about_them(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        anna, ben = await site.person("Anna"), await site.person("Ben")
        table = await site.table(anna, [None, None, "random"])
        status, me = await site.ask("/api/me", token=ben)
        assert (status, me["name"], me["tables"], len(me["tokens"])) == (200, "Ben", [], 1)
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=ben)
            await hear(socket, "present")
            await say(socket, type="sit", expect=1, seat=1)
            await hear(socket, "happened")
        for token in (anna, ben):
            (mine,) = (await site.ask("/api/me", token=token))[1]["tables"]
            assert (mine["table"], mine["link"], mine["stage"]) == (table, f"/t/{table}", "waiting")
        assert anna not in json.dumps((await site.ask("/api/me", token=anna))[1])
        assert (await site.ask("/api/me"))[1]["reason"] == "token_missing"

    serve(scenario, tmp_path)


def test_a_new_name_is_told_at_once(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            assert list((await hear(socket, "names"))["names"].values()) == ["Anna"]
            assert await site.ask("/api/me/name", {"name": " Anne "}, token) == (200, {"name": "Anne"})
            assert list((await hear(socket, "names"))["names"].values()) == ["Anne"]
        assert (await site.ask("/api/me", token=token))[1]["name"] == "Anne"
        assert (await site.ask("/api/me/name", {"name": ""}, token))[1]["reason"] == "name_unfit"

    serve(scenario, tmp_path)


def test_a_stone_of_ones_own_is_told_at_once_exported_and_deleted(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token, ben = await site.person("Anna"), await site.person("Ben")
        table = await site.table(token, [None, "random", "random"], rules="single")
        assert (await site.ask("/api/me", token=token))[1]["stone"] is None
        async with site.socket(table) as socket, site.socket(table) as his:
            await say(his, type="hello", protocol=1, build="", token=ben)
            me = (await hear(his, "welcome"))["you"]
            assert me not in (await hear(his, "names"))["stones"]
            await say(socket, type="hello", protocol=1, build="", token=token)
            (given,) = (await hear(socket, "names"))["stones"].values()
            stone = {"form": "flat", "rim": "cyan" if given["rim"] != "cyan" else "berry"}
            assert await site.ask("/api/me/stone", stone, token) == (200, stone)
            told = await hear(socket, "names")
            assert (told["names"], [*told["stones"].values()]) == ({}, [stone])
            assert [*(await hear(his, "names"))["stones"].values()] == [stone]
            me = await site.ask("/api/me", token=token)
            assert me[1]["stone"] == stone
            assert me[1]["tables"][0]["game"]["stones"] == [stone, None, None]
            await say(socket, type="start", expect=1)
            await play_match(socket)
            assert [*(await site.ask(f"/api/tables/{table}/replay"))[1]["stones"].values()] == [stone]
            await delete(site, token)
        assert stone not in (await site.ask(f"/api/tables/{table}/replay"))[1]["stones"].values()

    serve(scenario, tmp_path)


def test_a_stone_is_one_of_those_that_there_are(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        for unfit in (
            {"form": "flat", "rim": "red"},
            {"form": "moon", "rim": "cyan"},
            {"form": "flat"},
            {"form": "flat", "rim": "cyan", "size": 3},
            ["flat", "cyan"],
        ):
            assert (await site.ask("/api/me/stone", unfit, token))[1]["reason"] == "request_unfit"
        assert (await site.ask("/api/me/stone", {"form": "flat", "rim": "cyan"}))[1]["reason"] == "token_missing"
        assert (await site.ask("/api/me", token=token))[1]["stone"] is None

    serve(scenario, tmp_path)


def test_after_deletion_records_show_no_name(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"], rules="single")
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await hear(socket, "present")
            await say(socket, type="start", expect=1)
            await play_match(socket)
            await delete(site, token)
            assert list((await hear(socket, "names"))["names"].values()) == ["?"]
        for form in ("dgn", "json"):
            status, record = await site.ask(f"/api/tables/{table}/record.{form}")
            assert status == 200
            assert "Anna" not in record
        assert json.loads(record)["names"] == ["?", "bot:random", "bot:random"]

    serve(scenario, tmp_path)


def test_after_deletion_games_go_on(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        anna, ben = await site.person("Anna"), await site.person("Ben")
        table = await site.table(anna, [None, None, "random"], rules="single")
        async with site.socket(table) as his, site.socket(table) as hers:
            await say(his, type="hello", protocol=1, build="", token=ben)
            await hear(his, "present")
            await say(his, type="sit", expect=1, seat=1)
            await hear(his, "happened")
            await say(hers, type="hello", protocol=1, build="", token=anna)
            await hear(hers, "present")
            await say(hers, type="start", expect=2)
            while (await hear(his, "happened"))["event"]["type"] != "dealt":
                pass
            await delete(site, anna)
            await say(hers, type="leave", expect=9)
            assert (await hear(hers, "refused"))["reason"] == "not_seated"
            events = await play_match(his)
            assert {"type": "sat", "seat": 0, "player": "bot:random"} in events
        assert (await site.ask(f"/api/tables/{table}"))[1]["phase"] == "over"

    serve(scenario, tmp_path)


def test_signing_out_other_devices_ends_them_at_once_and_spares_this_one(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        leaked, ben = await site.person("Anna"), await site.person("Ben")
        table = await site.table(leaked, [None, None, "random"])
        async with site.socket(table) as thief, site.socket(table) as hers, site.socket(table) as his:
            for socket, token in ((thief, leaked), (his, ben)):
                await say(socket, type="hello", protocol=1, build="", token=token)
                await hear(socket, "present")
            status, made = await site.ask("/api/me/tokens", b"", leaked)
            assert status == 201
            await say(hers, type="hello", protocol=1, build="", token=made["token"])
            me = (await hear(hers, "welcome"))["you"]
            await hear(hers, "present")
            assert await sign_out_others(site, made["token"]) == 1
            assert (await hear(thief, "refused"))["reason"] == "token_unknown"
            with pytest.raises(ConnectionClosed):
                await hear(thief, "happened")
            await say(hers, type="lock", expect=1, locked=True)
            assert (await hear(hers, "happened"))["event"]["type"] == "locked"
            while (message := decode_message(await asyncio.wait_for(his.recv(), 20)))["type"] != "happened":
                assert message["type"] != "present" or me in message["persons"]
        assert (await site.ask("/api/me", token=leaked))[1]["reason"] == "token_unknown"
        async with site.socket(table) as thief:
            await say(thief, type="hello", protocol=1, build="", token=leaked)
            assert (await hear(thief, "refused"))["reason"] == "token_unknown"
        assert await sign_out_others(site, made["token"]) == 0
        assert len((await site.ask("/api/me", token=made["token"]))[1]["tokens"]) == 1
        assert (await site.ask("/api/me", token=ben))[1]["name"] == "Ben"

    serve(scenario, tmp_path)


def test_a_personal_link_is_made_for_its_person_and_kept_nowhere(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        status, made = await site.ask("/api/me/link", b"", token, Host="cards.example.org")
        link = f"http://cards.example.org/#me={token}"
        assert (status, made["link"], made["reach"]) == (200, link, "public")
        assert made["qr"] == qr_code(link).decode()
        for headers in ({}, {"Authorization": "Bearer nobodys"}):
            assert (await site.ask("/api/me/link", b"", **headers))[0] == 401
        assert (await site.ask("/api/me/link", b"", token, Origin="http://elsewhere.example"))[0] == 400
        request = Request(f"http://{site.address}/api/me/link", b"", {"Authorization": f"Bearer {token}"})
        with await asyncio.to_thread(urlopen, request, timeout=20) as answer:
            assert answer.headers["cache-control"] == "no-store"
        assert not site.server.config.app.state.response_cache._kept  # type: ignore[union-attr]

    serve(scenario, tmp_path, allowed=["cards.example.org"])


def test_nobody_gets_tokens_without_end(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        answers = [await site.ask("/api/me/tokens", b"", token) for _ in range(MOST_TOKENS)]
        assert [status for status, _ in answers] == [201] * (MOST_TOKENS - 1) + [400]
        assert answers[-1][1]["reason"] == "too_many_tokens"
        assert await sign_out_others(site, answers[0][1]["token"]) == MOST_TOKENS - 1
        assert (await site.ask("/api/me/tokens", b"", token))[1]["reason"] == "token_unknown"
        assert (await site.ask("/api/me/tokens", b""))[1]["reason"] == "token_missing"

    serve(scenario, tmp_path)


def test_who_is_signed_out_while_they_come_in_is_sent_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The token was good when they said hello, and nobody could find them in the room when it was taken back."""
    join, revoke = Room.join, list[str]()

    async def late(room: Room, client: Client, since: int) -> None:
        if revoke and client.person:
            assert await room.store.revoke(client.person, token_hash(revoke.pop())) == 1
        await join(room, client, since)

    monkeypatch.setattr(Room, "join", late)

    async def scenario(site: Site) -> None:
        leaked = await site.person("Anna")
        table = await site.table(leaked, [None, None, "random"])
        revoke.append((await site.ask("/api/me/tokens", b"", leaked))[1]["token"])
        async with site.socket(table) as thief:
            await say(thief, type="hello", protocol=1, build="", token=leaked)
            assert (await hear(thief, "refused"))["reason"] == "token_unknown"
            with pytest.raises(ConnectionClosed):
                await hear(thief, "happened")

    serve(scenario, tmp_path)
