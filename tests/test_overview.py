"""What people see of tables that they aren't in: their own games, the list of tables, and what a server offers."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from davidgoliath import __version__
from davidgoliath.server.config import Offer
from davidgoliath.server.store.contract import Stored, TableRow
from davidgoliath.server.table.events import VERSION, Created, Played, encode
from tests.app_server import QUICK, Site, hear, play_match, say, serve
from tests.stores import opened


async def my_games(site: Site, token: str) -> list[dict[str, Any]]:
    return [table["game"] for table in (await site.ask("/api/me", token=token))[1]["tables"]]


def test_my_games_say_who_plays_and_whose_turn_it_is(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        anna, other = await site.person("Anna"), await site.person("Anna")
        table = await site.table(anna, [None, None, "random"], rules="single")
        (game,) = await my_games(site, anna)
        assert game["players"] == ["Anna", None, "bot:random"]
        assert (game["seat"], game["phase"], game["totals"], game["turn"]) == (0, "gathering", [0, 0, 0], False)
        async with site.socket(table) as socket, site.socket(table) as second:
            await say(second, type="hello", protocol=1, build="", token=other)
            await hear(second, "present")
            await say(second, type="sit", expect=1, seat=1)
            await hear(second, "happened")
            await say(second, type="leave", expect=2)
            await hear(second, "happened")
            (game,) = await my_games(site, other)
            assert (game["players"], game["seat"]) == (["Anna", None, "bot:random"], None)
            await say(second, type="sit", expect=3, seat=1)
            await say(socket, type="hello", protocol=1, build="", token=anna)
            await hear(socket, "present")
            while (await my_games(site, anna))[0]["players"] != ["Anna", "Anna 2", "bot:random"]:
                pass
            await say(second, type="leave", expect=4)
            while (await my_games(site, anna))[0]["players"] != ["Anna", None, "bot:random"]:
                pass
            await say(socket, type="start", expect=5, fill="random")
            await hear(socket, "turn")
            (game,) = await my_games(site, anna)
            assert (game["phase"], game["turn"]) == ("playing", True)
            assert not (await my_games(site, other))[0]["turn"]
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=anna)
            await play_match(socket)
        (game,) = await my_games(site, anna)
        assert (game["phase"], game["turn"]) == ("over", False)
        assert sum(game["totals"]) > 0
        assert game["places"][game["totals"].index(max(game["totals"]))] == 1
        assert (game["unfinished"], game["counts"]) == (None, True)

    serve(scenario, tmp_path)


def test_a_match_that_was_broken_off_keeps_its_score(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        anna = await site.person("Anna")
        table = await site.table(anna, [None, "random", "random"])
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=anna)
            await hear(socket, "present")
            await say(socket, type="start", expect=1)
            for _ in range(6):
                turn = await hear(socket, "turn")
                await say(socket, type="play", expect=turn["seq"], card=turn["legal"][0])
            turn = await hear(socket, "turn")
            (game,) = await my_games(site, anna)
            assert (game["phase"], game["unfinished"]) == ("playing", None)
            await say(socket, type="end", expect=turn["seq"])
            while (await my_games(site, anna))[0]["phase"] != "over":
                pass
        (game,) = await my_games(site, anna)
        assert game["totals"] == [0, 0, 0]
        assert sum(game["unfinished"]) > 0

    serve(scenario, tmp_path)


def test_of_many_games_the_latest_are_shown_and_all_are_named(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        tables = [await site.table(token, [None, "random", "random"]) for _ in range(52)]
        _, me = await site.ask("/api/me", token=token)
        assert {table["table"] for table in me["tables"]} == set(tables)
        assert [table["game"] is not None for table in me["tables"]] == [True] * 50 + [False] * 2
        assert me["tables"][0]["active"] >= me["tables"][-1]["active"]

    serve(scenario, tmp_path)


def test_a_person_may_play_on_two_devices_at_once(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])
        async with site.socket(table) as desk, site.socket(table) as telephone:
            for socket in (desk, telephone):
                await say(socket, type="hello", protocol=1, build="", token=token)
                present = await hear(socket, "present")
                assert (len(present["persons"]), present["spectators"]) == (1, 0)
            await say(desk, type="start", expect=1)
            turn, same = await hear(desk, "turn"), await hear(telephone, "turn")
            assert turn == same
            card = turn["legal"][0]
            await say(telephone, type="play", expect=turn["seq"], card=card)
            for socket in (desk, telephone):
                while (event := (await hear(socket, "happened"))["event"])["type"] != "played" or event["seat"] != 0:
                    pass
                assert event["card"] == card
            await telephone.close()
            assert (await site.ask(f"/api/tables/{table}"))[1]["phase"] == "playing"

    serve(scenario, tmp_path)


def test_tables_are_listed_only_where_operator_and_host_wish_it(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        assert await site.ask("/api/tables") == (200, {"tables": []})
        await site.table(token, [None, None, "random"])
        table = await site.table(token, [None, None, "random", None], rules="single", public=True)
        (listed,) = (await site.ask("/api/tables"))[1]["tables"]
        assert listed.pop("active") > 0
        assert listed == {
            "table": table,
            "host": "Anna",
            "players": 4,
            "open_seats": 2,
            "rules": "single",
            "hints": False,
        }
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await say(socket, type="lock", expect=1, locked=True)
            await hear(socket, "happened")
            assert (await site.ask("/api/tables"))[1]["tables"] == []
            await say(socket, type="lock", expect=2, locked=False)
            await hear(socket, "happened")
            assert len((await site.ask("/api/tables"))[1]["tables"]) == 1
            await say(socket, type="start", expect=3, fill="random")
            await hear(socket, "happened")
            assert (await site.ask("/api/tables"))[1]["tables"] == []

    serve(scenario, tmp_path, offer=Offer(public_list=True))


def test_tables_that_nobody_shall_find_hide_none(tmp_path: Path) -> None:
    created = encode(Created("eve", ("eve", None, None), "classic"))

    async def scenario(site: Site) -> None:
        anna = await site.person("Anna")
        table = await site.table(anna, [None, None, "random"], public=True)
        async with opened(str(tmp_path / "tables.db")) as store:
            hidden = [TableRow(f"hidden{number}", 1e12) for number in range(600)]
            await asyncio.gather(*(store.create_table(one, Stored(1, one.created, created)) for one in hidden))
        assert [listed["table"] for listed in (await site.ask("/api/tables"))[1]["tables"]] == [table]

    serve(scenario, tmp_path, offer=Offer(public_list=True))


UNREADABLE = {
    "newer": (Stored(VERSION + 1, 1e12, b'{"type":"enchanted"}'), 503, "events_newer"),
    "damaged": (Stored(1, 1e12, b'{"type":"played","seat":"R9"}'), 500, "table_damaged"),
    "senseless": (Stored(1, 1e12, encode(Played(0, "R9"))), 500, "table_damaged"),
    "garbage": (Stored(1, 1e12, b"\xff\x00"), 500, "table_damaged"),
}


def test_a_table_that_can_not_be_read_harms_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """In all lists: it is left out, or only its link is there. Opening it is refused in a sentence."""

    async def scenario(site: Site) -> None:
        anna = await site.person("Anna")
        async with opened(str(tmp_path / "tables.db")) as store:
            good = await site.table(anna, [None, None, "random"], public=True)
            bad = {await site.table(anna, [None, None, "random"], public=True): what for what in UNREADABLE}
            for table, what in bad.items():
                await store.append(table, 2, UNREADABLE[what][0])
            for _ in range(2):
                status, me = await site.ask("/api/me", token=anna)
                games = {table["table"]: table["game"] is not None for table in me["tables"]}
                assert (status, games) == (200, {good: True} | dict.fromkeys(bad, False))
                status, tables = await site.ask("/api/tables")
                assert (status, [listed["table"] for listed in tables["tables"]]) == (200, [good])
            for table, what in bad.items():
                _, code, reason = UNREADABLE[what]
                for path in ("", "/replay", "/record.json"):
                    status, refused = await site.ask(f"/api/tables/{table}{path}")
                    assert (status, refused["reason"], bool(refused["text"])) == (code, reason, True)
                async with site.socket(table) as socket:
                    await say(socket, type="hello", protocol=1, build="", token=anna)
                    assert (await hear(socket, "refused"))["reason"] == reason
            said = [record.fields for record in caplog.records]  # type: ignore[attr-defined]
            assert sorted((one["table"], one["reason"]) for one in said) == sorted(
                (table, UNREADABLE[what][2]) for table, what in bad.items()
            )
            assert await site.delete("/api/me", anna) == (204, b"")

    serve(scenario, tmp_path, offer=Offer(public_list=True))


def test_a_server_without_a_list_says_so(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        await site.table(await site.person("Anna"), [None, None, "random"], public=True)
        status, refused = await site.ask("/api/tables")
        assert (status, refused["reason"]) == (404, "no_public_list")
        assert refused["text"] == "this server has no list of tables: you need the link of one"

    serve(scenario, tmp_path)


def test_a_server_tells_what_it_offers(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        status, offered = await site.ask("/api/server")
        assert (status, offered.pop("ready") in (True, False)) == (200, True)
        assert offered == {
            "version": __version__,
            "bots": ["random", "casual"],
            "public_list": True,
            "unstarted_days": 2.0,
            "idle_days": 7.0,
            "pace": 0,
            "scores_seconds": QUICK.scores,
            "answer_seconds": QUICK.answer,
            "site": None,
            "study": True,
            "figures_days": 100.0,
        }

    serve(scenario, tmp_path, offer=Offer(public_list=True, unstarted_days=2.0, idle_days=7.0, figures_days=100.0))
