"""What comes after the cards: the end of a match, its replay by a link, and the shuffle recomputed in the browser."""

import json
from typing import Any, Literal
from urllib.request import urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect
from tools.played import played
from tools.scenes import Visit
from tools.served import Person, Served

from davidgoliath.match.shuffle import Shuffle
from tests.marks import slow

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SCREENS = [(320, 568), (390, 844), (844, 390), (820, 1180), (1280, 800)]


@pytest.fixture(scope="module")
def anna(server: Served) -> Person:
    return server.person()


@pytest.fixture(scope="module")
def single(server: Served, anna: Person) -> str:
    """A finished match of one deal."""
    return played(server, anna, ["casual", "beginner"])


@pytest.fixture(scope="module")
def double(server: Served, anna: Person) -> str:
    """A finished match of two deals."""
    return played(server, anna, ["casual", "beginner", "random"], "classic deals=2")


def no_violations(page: Page) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def test_a_stranger_steps_through_a_game_with_all_hands_open(visit: Visit, single: str) -> None:
    page = visit(f"/replay/{single}", viewport={"width": 390, "height": 844})
    hands = page.locator(".hands .strip")
    expect(hands).to_have_count(3)
    cards, struck = page.locator(".hands li > :not(svg, .vh)"), page.locator(".hands s")
    expect(cards).to_have_count(45)
    expect(struck).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(struck).to_have_count(1)
    expect(page.locator(".slot .card")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".role.goliath")).not_to_have_count(0)
    expect(page.locator(".told [aria-current=step]")).to_contain_text("1")
    page.keyboard.press("ArrowLeft")
    expect(struck).to_have_count(2)
    page.keyboard.press("End")
    expect(struck).to_have_count(45)
    page.keyboard.press("PageUp")
    expect(struck).to_have_count(42)
    page.keyboard.press("Home")
    expect(struck).to_have_count(0)


def test_the_replay_ends_with_the_scores_that_the_server_has(visit: Visit, server: Served, double: str) -> None:
    shown = ask(server, f"/api/tables/{double}")
    page = visit(f"/replay/{double}?step=121", viewport={"width": 390, "height": 844})
    expect(page.locator(".ledger tbody .sum small")).to_have_text([str(total) for total in shown["totals"]])
    page.get_by_role("combobox", name="Which deal").select_option("Deal 2")
    expect(page.locator(".hands s")).to_have_count(0)


@pytest.mark.slow
def test_it_plays_by_itself_and_pauses(visit: Visit, single: str) -> None:
    page = visit(f"/replay/{single}")
    page.get_by_role("button", name="4", exact=True).click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".slot .card")).to_have_count(2)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_link_to_a_step_is_shared(visit: Visit, single: str) -> None:
    page = visit(f"/replay/{single}?step=7", permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator(".others s")).to_have_count(7)
    page.get_by_role("button", name="Share from here").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.slow
def test_cards_that_were_taken_back_are_left_out(visit: Visit, server: Served, single: str) -> None:
    replay = ask(server, f"/api/tables/{single}/replay")
    cards = [told for told in replay["events"] if told["event"]["type"] == "played"]
    place = replay["events"].index(cards[8]) + 1
    replay["events"][place:place] = [{"event": {"type": "undone", "cards": 2}}, *cards[7:9]]
    page = replayed(visit, single, replay, "?step=45")
    expect(page.locator(".others s")).to_have_count(45)
    page.keyboard.press("Home")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".others s")).to_have_count(9)


def test_a_game_that_is_played_is_not_replayed(visit: Visit, server: Served, anna: Person) -> None:
    table = server.table(anna, [None, "random", "random"]).removeprefix("/t/")
    page = visit(f"/replay/{table}")
    expect(page.get_by_role("heading", name="Nothing to replay")).to_be_visible()


def test_a_table_that_is_not_there_is_said_to_be_so(visit: Visit, complaints: list[str]) -> None:
    page = visit("/replay/nosuchtable")
    expect(page.get_by_text("there is no such table")).to_be_visible()
    assert all("404" in complaint for complaint in complaints)
    complaints.clear()


def test_the_browser_shuffles_as_the_program_does(visit: Visit, server: Served, double: str) -> None:
    for told in ask(server, f"/api/tables/{double}/replay")["events"]:
        if told["event"]["type"] == "opened":
            assert Shuffle.parse(told["event"]["shuffle"]).match == double
    page = visit(f"/replay/{double}")
    page.get_by_role("button", name="Verify the shuffle").click()
    expect(page.get_by_role("heading", name="The shuffle is fair")).to_be_visible()
    expect(page.locator(".verified li")).to_have_count(2)


def tamper_hands(events: list[dict[str, Any]]) -> None:
    dealt = next(told["event"] for told in events if told["event"]["type"] == "dealt")
    dealt["hands"][0], dealt["hands"][1] = dealt["hands"][1], dealt["hands"][0]


def tamper_secret(events: list[dict[str, Any]]) -> None:
    """Another secret, and the hands that follow from it: only the commitment tells."""
    opened = next(told["event"] for told in events if told["event"]["type"] == "opened")
    other = Shuffle.parse(opened["shuffle"].partition("secret=")[0] + "secret=" + "0" * 64)
    opened["shuffle"] = str(other)
    dealt = next(told["event"] for told in events if told["event"]["type"] == "dealt")
    dealt["hands"] = [str(hand) for hand in other.deal().hands]


def tamper_share(events: list[dict[str, Any]]) -> None:
    opened = next(told["event"] for told in events if told["event"]["type"] == "opened")
    opened["shuffle"] = opened["shuffle"].replace(",-", "," + "0" * 32, 1)


def tamper_text(events: list[dict[str, Any]]) -> None:
    next(told["event"] for told in events if told["event"]["type"] == "opened")["shuffle"] = "sha256/2"


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (tamper_hands, "These cards don’t follow from the shuffle: Anna."),
        *slow(
            (tamper_secret, "The secret is not the one that was fixed before the deal."),
            (tamper_share, "A bot has no share, but there is one"),
            (tamper_text, "The shuffle can’t be read."),
        ),
    ],
)
def test_a_record_that_was_tampered_with_is_found_out(
    visit: Visit, server: Served, single: str, tamper: Any, said: str
) -> None:
    replay = ask(server, f"/api/tables/{single}/replay")
    tamper(replay["events"])
    page = replayed(visit, single, replay)
    page.get_by_role("button", name="Verify the shuffle").click()
    expect(page.get_by_role("heading", name="Something doesn’t agree")).to_be_visible()
    expect(page.locator(".verified")).to_contain_text(said)
    if tamper is tamper_secret:
        expect(page.locator(".verified")).not_to_contain_text("follow from the shuffle")


def test_the_end_of_a_match_shows_what_the_server_has(visit: Visit, server: Served, anna: Person, double: str) -> None:
    shown = ask(server, f"/api/tables/{double}")
    page = visit(f"/t/{double}", storage_state=server.storage(anna), viewport={"width": 390, "height": 844})
    expect(page.locator("h1")).to_contain_text("win")
    totals = sorted(shown["totals"], reverse=True)
    expect(page.locator(".stand .pts")).to_have_text([f"{total} pts" for total in totals])
    expect(page.locator("svg.chart .run")).to_have_count(4)
    last = page.locator(".charted tbody tr").last.locator("td")
    expect(last).to_have_text([str(total) for total in shown["totals"]])
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    page.get_by_role("button", name="Verify the shuffle").click()
    expect(page.get_by_role("heading", name="The shuffle is fair")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    assert download.value.suggested_filename == f"{double}.dgn"
    page.get_by_role("button", name="Replay the match").click()
    expect(page.locator(".controls")).to_be_visible()


@pytest.mark.slow
def test_a_match_that_was_broken_off_has_no_winner(visit: Visit, server: Served, anna: Person) -> None:
    table = played(server, anna, ["random", "random"], "classic", deals=1)
    page = visit(f"/t/{table}", storage_state=server.storage(anna))
    expect(page.locator("h1")).to_have_text("The match was broken off")
    expect(page.locator(".stand li")).to_have_count(3)


@pytest.mark.slow
def test_everyone_can_use_these_pages(visit: Visit, double: str) -> None:
    for path, ready in ((f"/replay/{double}?step=70", ".controls"), (f"/t/{double}", ".end h1")):
        page = visit(path)
        page.locator(ready).wait_for()
        page.get_by_role("button", name="Verify the shuffle").click()
        page.locator(".verified").wait_for()
        for wide, high in SCREENS:
            page.set_viewport_size({"width": wide, "height": high})
            page.evaluate("new Promise(requestAnimationFrame)")
            assert page.evaluate("document.documentElement.scrollWidth") <= wide
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            no_violations(page)


def ask(server: Served, path: str) -> dict[str, Any]:
    with urlopen(server.address + path, timeout=30) as response:  # noqa: S310
        answer: dict[str, Any] = json.load(response)
        return answer


def replayed(visit: Visit, table: str, replay: dict[str, Any], step: str = "") -> Page:
    """The replay of what the server might have said."""

    def answer(route: Route) -> None:
        route.fulfill(json=replay)

    page = visit("/")
    page.route("**/replay", answer)
    page.goto(f"/replay/{table}{step}")
    page.locator(".controls").wait_for()
    return page
