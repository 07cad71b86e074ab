"""Several browsers at one table: everyone sees the same, and nobody another's hand."""

import re

import pytest
from playwright.sync_api import Page, WebSocket, expect
from tools.page_actions import CARD, GO_ON, HAND, play_card
from tools.played import played
from tools.scenes import Visit
from tools.served import Served

from tests.marks import slow

CARDS = re.compile(r"\b([RYGBV])(\d+(?:,\d+)*)")
TRICKS = 3


@pytest.mark.parametrize("people", [3, *slow(2)])
def test_friends_see_the_same_and_nobody_anothers_hand(visit: Visit, server: Served, people: int) -> None:
    host = visit("/friends", storage_state=server.storage(server.person(), speed="instant", stay=0, confirm=False))
    heard = [frames_of(host)]
    host.get_by_role("group", name="Players").get_by_role("button", name="3").click()
    host.get_by_role("button", name="Make the table").click()
    host.locator(".lobby").wait_for()
    pages = [host]
    for name in ("Ben", "Cleo")[: people - 1]:
        page = visit("/healthz", storage_state=server.storage(speed="instant", stay=0, confirm=False))
        heard.append(frames_of(page))
        page.goto(host.url)
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Your name").press("Enter")
        host.locator(".seat-at", has_text=name).wait_for()
        pages.append(page)
    host.locator(".begin button").click()
    for page in pages:
        expect(page.locator(HAND)).to_have_count(15)
    hands = [held(page) for page in pages]
    assert len(set.union(*hands)) == 15 * people
    played: set[str] = set()
    for _ in range(TRICKS):
        while not all(page.locator(GO_ON).is_visible() for page in pages):
            for page in pages:
                if page.locator(CARD).count():
                    play_card(page)
        played |= {card.get_attribute("data-slot") or "" for card in host.locator("[data-slot]").all()}
        assert len({piles(page) for page in pages}) == 1
        for page in pages:
            page.locator(GO_ON).click()
    for page, frames, hand in zip(pages, heard, hands, strict=True):
        lying = {card.get_attribute("data-slot") or "" for card in page.locator("[data-slot]").all()}
        assert held(page) == hand - played - lying
        assert cards_in("".join(frames)) == hand | played | lying


@pytest.mark.slow
def test_two_tabs_of_one_seat_both_play_and_back_leads_home(visit: Visit, server: Served) -> None:
    page = visit("/", storage_state=server.storage(speed="instant", stay=0, confirm=False))
    page.get_by_role("button", name="Play now").click()
    page.locator(CARD).first.wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    for tab, beside in ((page, other), (other, page)):
        for one in (tab, beside):
            one.locator(CARD).first.wait_for()
        play_card(tab)
        for one in (tab, beside):
            one.locator(GO_ON).wait_for()
        assert piles(tab) == piles(beside)
        assert held(tab) == held(beside)
        for one in (tab, beside):
            one.locator(GO_ON).click()
    for close in (page.go_back, lambda: page.keyboard.press("Escape")):
        page.keyboard.press("p")
        page.locator(".dialog").wait_for()
        close()
        page.locator(".dialog").wait_for(state="detached")
    page.go_back()
    page.get_by_text("Your table is waiting").wait_for()
    page.get_by_role("link", name="Return").click()
    assert page.url == other.url
    expect(page.locator(HAND)).to_have_count(other.locator(HAND).count())


def frames_of(page: Page) -> list[str]:
    """All that the page hears over WebSockets from now on."""
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    page.on("websocket", listen)
    return frames


def cards_in(text: str) -> set[str]:
    """All cards that a text names, in sets such as R1,9 or alone."""
    return {colour + value for colour, values in CARDS.findall(text) for value in values.split(",")}


def held(page: Page) -> set[str]:
    """The cards of the hand, which are all that the page shows of hands."""
    return {card.get_attribute("data-card") or "" for card in page.locator("[data-card]").all()}


def piles(page: Page) -> str:
    """The table of piles as it is read out, without names, in the same order for all."""
    rows = page.locator("table").first.locator("tbody tr").all()
    return "\n".join(sorted(" ".join(row.locator("td").all_text_contents()) for row in rows))


@pytest.mark.slow
def test_the_only_card_plays_itself_at_once_if_nobody_watches_and_else_when_a_choice_would(
    visit: Visit, server: Served
) -> None:
    """The last card of a hand is one without an alternative."""
    last = '[data-say="turn"]'
    for is_watched in (False, True):
        anna = server.person()
        table = played(server, anna, ["random", "random"], "single", tricks=14)
        if is_watched:
            visit(f"/t/{table}").locator(".watching").wait_for()
        page = visit("/healthz", storage_state=server.storage(anna, speed="instant", stay=0, forced=True))
        page.goto(f"/t/{table}")
        if is_watched:
            expect(page.locator(last)).to_contain_text("it is played automatically in a moment")
        page.locator(GO_ON).wait_for()
        expect(page.locator(HAND)).to_have_count(0)
