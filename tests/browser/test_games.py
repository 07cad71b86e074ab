"""What remains of matches: turning points, My games, what the browser keeps, and the ladder."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect
from tools.played import played
from tools.scenes import Visit
from tools.served import Person, Served

from davidgoliath import MatchRecord

LEVELS = ["beginner", "casual", "regular", "club", "adept", "expert", "master"]


@pytest.fixture(scope="module")
def anna(server: Served) -> Person:
    return server.person()


@pytest.fixture(scope="module")
def double(server: Served, anna: Person) -> str:
    """A finished match of two deals."""
    return played(server, anna, ["casual", "beginner"], "classic deals=2")


def ask(server: Served, path: str, person: Person | None = None) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {person.token}"} if person else {}
    with urlopen(Request(server.address + path, headers=headers), timeout=30) as response:  # noqa: S310
        answer: dict[str, Any] = json.load(response)
        return answer


def told_points(server: Served, table: str) -> list[list[int]]:
    stands = [told["stand"] for told in ask(server, f"/api/tables/{table}/replay")["events"] if "stand" in told]
    points: list[list[int]] = stands[-1]["turning_points"]
    return points


def test_the_end_names_three_turning_points_and_a_tap_leads_there(
    visit: Visit, server: Served, anna: Person, double: str
) -> None:
    points = told_points(server, double)
    page = visit(f"/t/{double}", storage_state=server.storage(anna))
    named = page.locator(".decisive a")
    expect(named).to_have_count(3)
    for place, (deal, trick, _) in enumerate(points):
        expect(named.nth(place)).to_contain_text(f"Deal {deal}, trick {trick}")
    named.nth(2).click()
    deal, trick, _ = points[2]
    expect(page.get_by_role("combobox", name="Which deal")).to_have_value(str(deal - 1))
    expect(page.locator(".where")).to_contain_text(f"Trick {trick}")
    there = page.locator(".decisive button")
    expect(there).to_have_count(3)
    expect(there.nth(2)).to_have_attribute("aria-current", "true")
    there.nth(0).click()
    expect(page.locator(".where")).to_contain_text(f"Trick {points[0][1]}")
    expect(page.get_by_role("combobox", name="Which deal")).to_have_value(str(points[0][0] - 1))
    expect(page.locator(".slot .card")).to_have_count(3)


def test_my_games_show_place_opponents_and_the_score_of_a_match_that_was_broken_off(
    visit: Visit, server: Served
) -> None:
    anna = server.person()
    table = played(server, anna, ["casual", "beginner"])
    broken = server.table(anna, [None, "casual", "beginner"], "classic").removeprefix("/t/")
    page = visit(f"/t/{broken}", storage_state=server.storage(anna, speed="instant", stay=0, confirm=False))
    for _ in range(6):
        page.locator(".hand button.card:not([aria-disabled=true])").first.click(position={"x": 9, "y": 24})
        page.locator('.say [data-act="go-on"]').click()
    page.locator("[data-opens=people]").first.click()
    page.get_by_role("button", name="End the match").click()
    page.locator('[data-act="sure"]').click()
    page.locator(".end h1").wait_for()
    page.goto("/games")
    games = {one["table"]: one["game"] for one in ask(server, "/api/me", anna)["tables"]}
    over, off = (page.locator(".game", has=page.locator(f"a[href='/replay/{name}']")) for name in (table, broken))
    expect(over.locator(".who b")).to_have_text([str(total) for total in sorted(games[table]["totals"], reverse=True)])
    place = games[table]["places"][0]
    won = "Won" if games[table]["places"].count(1) == 1 else "Shared win"
    expect(over.locator(".when")).to_contain_text(won if place == 1 else f"Place {place} of 3")
    expect(over.locator(".who")).to_contain_text("Chip")
    expect(off.locator(".when")).to_contain_text("Broken off")
    assert sum(games[broken]["unfinished"]) > 0
    shown = [int(points) for points in off.locator(".who b").all_inner_texts()]
    assert sorted(shown) == sorted(games[broken]["unfinished"])


def answering(page: Page, change: Callable[[dict[str, Any]], None]) -> None:
    """The server's answer about me from now on, but changed."""

    def answer(route: Route) -> None:
        told = route.fetch().json()
        change(told)
        route.fulfill(json=told)

    page.route("**/api/me", answer)


def test_finished_matches_are_kept_in_the_browser_saved_and_deleted(
    visit: Visit, server: Served, tmp_path: Path
) -> None:
    anna = server.person()
    table = played(server, anna, ["casual", "beginner"], "classic deals=2")
    page = visit("/games", storage_state=server.storage(anna))
    expect(page.locator(".game")).to_have_count(1)
    expect(page.get_by_text("kept here")).to_have_count(0)
    page.get_by_role("switch", name="Keep my finished matches").click()
    expect(page.get_by_text("kept here")).to_have_count(1)
    answering(page, lambda told: told["tables"].clear())  # as after 30 days
    page.reload()
    expect(page.get_by_role("heading", name="Only in this browser")).to_be_visible()
    expect(page.locator(".game")).to_have_count(1)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save all (1)").click()
    download.value.save_as(tmp_path / "kept.dgn")
    record = MatchRecord.parse((tmp_path / "kept.dgn").read_text(encoding="utf-8"))
    assert [deal.match for deal in record.deals] == [table, table]
    page.get_by_role("button", name="Delete all").click()
    page.get_by_role("button", name="Yes, delete all").click()
    expect(page.get_by_role("heading", name="No games yet")).to_be_visible()


@pytest.mark.slow
def test_a_match_is_kept_when_it_ends_if_that_is_wished(visit: Visit, server: Served) -> None:
    anna = server.person()
    table = played(server, anna, ["casual", "beginner"])
    page = visit("/", storage_state=server.storage(anna))
    page.evaluate("() => { const kept = JSON.parse(localStorage.dg); kept.keepsMatches = true;"
                  " localStorage.dg = JSON.stringify(kept); }")  # fmt: skip
    with page.expect_response(f"**/api/tables/{table}/record.dgn"):
        page.goto(f"/t/{table}")
    page.locator(".podium").wait_for()
    page.goto("/games")
    expect(page.get_by_text("kept here")).to_have_count(1)


def test_a_win_that_counts_lights_a_stone_of_the_ladder(visit: Visit, server: Served) -> None:
    anna = server.person()
    table = next(
        table for table in iter(lambda: played(server, anna, ["beginner", "beginner"]), "") if won(server, anna, table)
    )
    page = visit("/", storage_state=server.storage(anna))
    stones = page.locator(".ladder li")
    expect(stones).to_have_count(len(LEVELS))
    expect(page.locator(".ladder .lit")).to_have_count(0)
    expect(page.locator(".ladder")).to_contain_text("Next: beat Chip")
    page.goto(f"/t/{table}")
    expect(page.locator(".lit.box")).to_contain_text("Chip is beaten")
    page.goto("/")
    expect(stones.first).to_have_class("lit")
    expect(page.locator(".ladder .lit")).to_have_count(1)
    expect(page.locator(".ladder")).to_contain_text("Next: beat Pebble")


def won(server: Served, person: Person, table: str) -> bool:
    games = {one["table"]: one["game"] for one in ask(server, "/api/me", person)["tables"]}
    return bool(games[table]["places"][0] == 1)


@pytest.mark.parametrize(
    ("bots", "counts", "lit"),
    [(["club", "expert"], True, ["club"]), (["club", "club"], False, []), (["random", "club"], True, [])],
)
def test_only_wins_that_count_light_a_stone_that_of_the_weakest_bot(
    visit: Visit, server: Served, anna: Person, double: str, bots: list[str], counts: bool, lit: list[str]
) -> None:
    def change(told: dict[str, Any]) -> None:
        (game,) = [one["game"] for one in told["tables"] if one["table"] == double]
        game |= {"players": ["Anna", *(f"bot:{bot}" for bot in bots)], "places": [1, 2, 3], "counts": counts}
        told["tables"] = [one for one in told["tables"] if one["table"] == double]

    page = visit("/", storage_state=server.storage(anna))
    answering(page, change)
    page.goto("/games")
    page.locator(".badge.won").wait_for()
    page.goto("/")
    page.locator(".ladder").wait_for()
    assert page.evaluate("JSON.parse(localStorage.dg).beaten ?? []") == lit
