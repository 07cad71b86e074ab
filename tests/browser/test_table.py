"""Newcomers' games against bots, from the first page to the final score: with taps, with keys, and without https."""

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tools import chromium
from tools.page_actions import CARD, GO_ON, HAND, MOST_TAPS, asked, play_until
from tools.scenes import Visit, visits
from tools.served import Served

from tests.browser.conftest import listen
from tests.marks import slow

END = ".end h1"
MOST_KEYS = 60
"""No way to anything is longer."""


@pytest.mark.parametrize(
    ("transport", "players"),
    [("server", 4), *slow(("server", 6)), ("site", 4), *slow(("site", 3), ("site", 5), ("site", 6))],
    indirect=["transport"],
)
def test_a_newcomer_plays_a_match(visit: Visit, host: Served, players: int) -> None:
    page = visit("/", storage_state=host.storage(speed="instant", stay=0))
    choose(page, players)
    page.get_by_role("button", name="Play now").click()
    play_until(page, END)
    assert shown_points(page) == totals(page)
    page.get_by_role("button", name="Verify the shuffle").click()
    expect(page.locator(".verified")).to_contain_text("Your browser’s share is in it")


@pytest.mark.slow
def test_a_newcomer_plays_a_match_without_https(browser: Browser, server: Served, complaints: list[str]) -> None:
    elsewhere = replace(server, address=server.address.replace("127.0.0.1", chromium.ELSEWHERE))
    with visits(browser, elsewhere, lambda page: listen(page, complaints)) as visit:
        page = visit("/", storage_state=elsewhere.storage(speed="instant", stay=0, confirm=False))
        assert page.evaluate("[isSecureContext, 'serviceWorker' in navigator, 'clipboard' in navigator]") == [False] * 3
        choose(page, 5)
        page.get_by_role("button", name="Play now").click()
        play_until(page, END)
        assert shown_points(page) == totals(page)
        expect(page.get_by_role("button", name="Verify the shuffle")).to_have_count(0)
        page.get_by_role("button", name="Share").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        page.goto("/friends")
        page.get_by_role("button", name="Make the table").click()
        expect(page.get_by_role("button", name="Copy")).to_be_visible()
        expect(page.get_by_role("button", name="Share")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["server", "site"], indirect=True)
def test_a_newcomer_plays_a_match_with_keys_alone(visit: Visit, host: Served) -> None:
    page = visit("/", storage_state=host.storage(speed="instant", stay=0))
    for choices, name in (("Players", "3"), ("Match", "One deal")):
        choice = page.get_by_role("group", name=choices).get_by_role("button")
        tab_to(page, choice.and_(page.locator("[tabindex='0']")))
        press_until(page, "ArrowLeft", page.get_by_role("button", name=name, exact=True).and_(page.locator(":focus")))
        page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Play now", exact=True))
    page.keyboard.press("Enter")
    anything = page.locator(f"{END}, {GO_ON}, {CARD}").first
    for _ in range(MOST_TAPS):
        anything.wait_for()
        if page.locator(END).is_visible():
            break
        if page.locator(GO_ON).is_visible():
            tab_to(page, page.locator(GO_ON))
        else:
            tab_to(page, page.locator(f"{HAND}[tabindex='0']"))
            page.keyboard.press("Home")
            press_until(page, "ArrowRight", page.locator(f"{CARD}:focus"))
            page.keyboard.press("Enter")
        page.keyboard.press("Enter")
    assert shown_points(page) == totals(page)


def choose(page: Page, players: int) -> None:
    page.get_by_role("group", name="Players").get_by_role("button", name=str(players)).click()
    page.get_by_role("button", name="One deal").click()


def tab_to(page: Page, wanted: Locator) -> None:
    """Goes on with Tab until something has the focus, if it hasn't yet."""
    wanted.wait_for()
    press_until(page, "Tab", wanted.and_(page.locator(":focus")))


def press_until(page: Page, key: str, sight: Locator) -> None:
    """Presses a key until something is there."""
    for _ in range(MOST_KEYS):
        if sight.count():
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never led to {sight}")


def shown_points(page: Page) -> list[int]:
    """The points of all seats, the best first."""
    return [int(text.split()[0].replace("−", "-")) for text in page.locator(".stand .pts").all_inner_texts()]


def totals(page: Page) -> list[int]:
    """What the server says of that, the best first."""
    return sorted(asked(page)["totals"], reverse=True)
