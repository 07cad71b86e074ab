"""How people come to a table: from the first page, with friends, by a link; and what becomes of their data."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tools.scenes import Visit, visits
from tools.served import Served, served


def test_play_now_needs_one_tap_and_keeps_the_choice(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("group", name="Players").get_by_role("button", name="3").click()
    page.get_by_role("button", name="Boulder").click()
    page.get_by_role("button", name="Play now").click()
    page.locator(".hand .card").first.wait_for()
    page.goto("/")
    expect(page.get_by_role("button", name="Boulder")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Return").click()
    page.locator(".hand .card").first.wait_for()


def test_friends_meet_by_a_link(visit: Visit) -> None:
    host = table_for_friends(visit, "Anna")
    host.evaluate("navigator.share = async (what) => { window.shared = what.url }; dispatchEvent(new Event('resize'))")
    host.get_by_role("button", name="Share").click()
    assert host.evaluate("shared").endswith(path_of(host))
    friend = visit(path_of(host))
    expect(friend.get_by_role("heading", level=1)).to_have_text("Anna invites you")
    friend.get_by_label("Your name").fill("Ben")
    friend.get_by_label("Your name").press("Enter")
    expect(seat_of(host, "Ben")).to_be_visible()
    expect(friend.locator(".begin")).to_contain_text("Anna")
    host.get_by_role("button", name="Start with bots").click()
    for page in (host, friend):
        expect(page.locator(".hand .card")).to_have_count(15)
    host.get_by_role("button", name="At the table").click()
    host.get_by_role("button", name="End the match").click()
    host.get_by_role("button", name="No").click()
    expect(host.get_by_role("dialog")).to_have_count(0)
    host.get_by_role("button", name="At the table").click()
    host.get_by_role("button", name="End the match").click()
    host.locator("[data-act=sure]").click()
    expect(friend.get_by_role("heading", level=1)).to_have_text("The match was broken off")


def test_the_host_places_changes_and_removes_bots(visit: Visit) -> None:
    host = table_for_friends(visit, "Anna")
    host.locator(".seat-at.open").first.click()
    host.get_by_role("button", name="Mountain").click()
    host.locator(".seat-panel").get_by_role("button", name="Place a bot").click()
    seat_of(host, "Mountain").click()
    host.get_by_role("button", name="Chip").click()
    expect(seat_of(host, "Chip")).to_be_visible()
    host.locator(".seat-panel").get_by_role("button", name="Free the seat").click()
    expect(host.locator(".seat-at.open")).to_have_count(3)


@pytest.mark.slow
def test_the_host_sends_somebody_away_and_locks_the_table(visit: Visit, server: Served) -> None:
    host = table_for_friends(visit, "Anna")
    ben = visit(path_of(host), storage_state=server.storage(server.person("Ben")))
    ben.get_by_label("Your name").press("Enter")
    seat_of(host, "Ben").click()
    host.get_by_role("button", name="Send Ben away").click()
    host.get_by_role("button", name="Send Ben away").click()
    expect(seat_of(host, "Ben")).to_have_count(0)
    host.get_by_role("switch", name="Lock the table").click()
    expect(visit(path_of(host)).get_by_text("locked this table")).to_be_visible()


@pytest.mark.slow
def test_a_name_can_be_changed_at_the_table_and_the_seat_left(visit: Visit) -> None:
    host = table_for_friends(visit, "Anna")
    friend = visit(path_of(host))
    friend.get_by_label("Your name").fill("Ben")
    friend.get_by_role("button", name="Sit here").first.click()
    seat_of(friend, "You").click()
    friend.get_by_label("Your name").fill("Benno")
    friend.get_by_role("button", name="Save").click()
    expect(seat_of(host, "Benno")).to_be_visible()
    seat_of(friend, "You").click()
    friend.get_by_role("button", name="Get up").click()
    expect(host.locator(".seat-at.open")).to_have_count(3)


def test_rules_and_times_reach_the_table(visit: Visit) -> None:
    page = visit("/friends")
    page.get_by_label("By the manual").check()
    page.get_by_text("More options").click()
    page.get_by_label("Number of deals").fill("2")
    page.get_by_role("button", name="60 s").click()
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator(".terms")).to_have_text("By the manual · 2 deals · 60 s a turn")


def test_what_the_server_refuses_is_said_in_the_form(visit: Visit, complaints: list[str]) -> None:
    page = visit("/friends")
    page.get_by_text("More options").click()
    page.get_by_label("Number of deals").fill("99")
    page.get_by_role("button", name="Make the table").click()
    expect(page.get_by_role("alert")).to_contain_text("Deals can’t be")
    complaints.clear()


def test_a_pasted_link_or_a_code_leads_to_the_table(visit: Visit, server: Served, complaints: list[str]) -> None:
    path = server.table(server.person(), [None, None, None])
    for text in (server.address + path, f"  {path.removeprefix('/t/').upper()} "):
        page = visit("/")
        page.get_by_placeholder("Code or link").fill(text)
        page.get_by_placeholder("Code or link").press("Enter")
        expect(page).to_have_url(re.compile(f"{path}$"))
    page = visit("/join")
    for text, answer in (("?", "neither a link nor the code"), ("nosuchtable", "no such table")):
        page.get_by_placeholder("Code or link").first.fill(text)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_role("alert")).to_contain_text(answer)
    complaints.clear()


def test_data_are_deleted_after_a_question(visit: Visit, server: Served) -> None:
    page = visit("/settings", storage_state=server.storage(server.person("Anna")))
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("button", name="Delete my data").click()
    expect(page.get_by_text("Deleted.")).to_be_visible()
    assert "token" not in page.evaluate("localStorage.dg")
    expect(page.get_by_label("Your name")).to_have_value("")


def test_data_are_a_file_to_take_along(visit: Visit, server: Served) -> None:
    page = visit("/settings", storage_state=server.storage(server.person("Anna")))
    with page.expect_download() as download:
        page.get_by_role("button", name="Export my data").click()
    assert '"name": "Anna"' in download.value.path().read_text(encoding="utf-8")


def test_settings_stay(visit: Visit) -> None:
    page = visit("/settings")
    page.get_by_role("button", name="night").click()
    page.get_by_role("switch", name="Sounds").click()
    page.get_by_label("Language").select_option("fr")
    expect(page.get_by_role("heading", level=1)).to_have_text("Réglages")
    page.reload()
    expect(page.get_by_role("switch", name="Son Des pierres")).to_have_attribute("aria-checked", "true")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_my_games_show_how_they_stand(visit: Visit, server: Served) -> None:
    anna = server.person()
    path = server.table(anna, [None, None, "club"])
    page = visit("/games", storage_state=server.storage(anna))
    expect(page.locator(".game")).to_contain_text("waiting for players")
    page.get_by_role("link", name="Return").click()
    expect(page).to_have_url(re.compile(f"{path}$"))


@pytest.mark.slow
def test_a_public_list_shows_tables_that_want_company(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "--public-list") as server, visits(browser, server) as visit:
        host = visit("/friends")
        host.get_by_label("Your name").fill("Anna")
        host.get_by_role("switch", name="On the public list").click()
        host.get_by_role("button", name="Make the table").click()
        expect(seat_of(host, "You")).to_be_visible()
        page = visit("/")
        page.get_by_role("link", name="Open tables").click()
        page.get_by_role("link", name="Anna").click()
        expect(page).to_have_url(host.url)


def table_for_friends(visit: Visit, name: str) -> Page:
    """The page of somebody who has made a table for four."""
    page = visit("/friends")
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Make the table").click()
    expect(seat_of(page, "You")).to_be_visible()
    return page


def path_of(page: Page) -> str:
    return page.url[page.url.index("/t/") :]


def seat_of(page: Page, text: str) -> Locator:
    return page.locator(".seat-at", has_text=text)
