"""What a server offers, as its page shows it: what the server says, and nothing that the page would know by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tools.friend import friends
from tools.page_actions import HAND
from tools.scenes import Stage, Visit, visits
from tools.served import Served, impatient, served

from davidgoliath.server.protocol.messages import EMOTES
from davidgoliath.texts import Texts

EN = Texts("en")
ONLY = "casual"
"""The one bot of a server that has its own mind."""


@pytest.fixture
def odd(browser: Browser, tmp_path: Path) -> Iterator[Stage]:
    """A server with one bot, and a pace that isn't the usual one."""
    with (
        served(tmp_path, "--bot", ONLY, "--pace", "300", program=impatient()) as server,
        visits(browser, server) as visit,
    ):
        yield Stage(server, visit, 3)


def open_people(page: Page) -> None:
    page.locator("[data-opens=people]:visible, [data-opens=menu]:visible").first.click()
    page.locator(".dialog.people").wait_for()


def paces_pressed(page: Page) -> list[str]:
    return page.locator(".dialog.people .seg button[aria-pressed=true]").all_inner_texts()


def test_the_pace_that_is_pressed_is_the_servers_until_somebody_sets_another(odd: Stage) -> None:
    anna = odd.server.person()
    path = odd.server.table(anna, [None, ONLY, ONLY])
    page = odd.visit(path, storage_state=odd.server.storage(anna, speed="instant"))
    page.locator(HAND).first.wait_for()
    open_people(page)
    assert paces_pressed(page) == [EN("page.pace_quick")]
    page.get_by_role("button", name=EN("page.pace_slow")).click()
    expect(page.locator(".dialog.people .seg button[aria-pressed=true]")).to_have_text(EN("page.pace_slow"))


@pytest.mark.slow
def test_a_server_whose_bots_do_not_wait_says_so(visit: Visit, server: Served) -> None:
    page = Stage(server, visit, 4).table()
    open_people(page)
    assert paces_pressed(page) == [EN("page.pace_instant")]


@pytest.mark.slow
def test_a_match_begins_with_a_bot_that_is_there_whoever_played_last(odd: Stage) -> None:
    page = odd.visit("/")
    page.evaluate("localStorage.setItem('dg', JSON.stringify({ last: { players: 3, bot: 'club', rules: 'single' } }))")
    page.reload()
    page.get_by_role("button", name=EN("page.home_play")).click()
    page.locator(HAND).first.wait_for()
    open_people(page)
    expect(page.locator(".dialog.people .name", has_text=EN(f"page.bot_a.{ONLY}"))).to_have_count(2)


@pytest.mark.slow
def test_the_bot_that_plays_for_somebody_is_one_that_the_server_has(odd: Stage) -> None:
    people = [odd.server.person(name) for name in ("Anna", "Ben")]
    anna, ben = here = friends(odd.server, odd.server.table(people[0], [None, None, ONLY]), *people, fill=ONLY)
    ben.close()
    anna.await_event("away", seat=1)
    page = odd.seen_by(anna.person, here, HAND)
    open_people(page)
    page.locator(".dialog.people").get_by_role("button", name=EN("page.let_bot_play")).click()
    assert anna.await_event("stoodin", seat=1)["bot"] == ONLY


@pytest.mark.slow
def test_every_emote_that_the_server_knows_is_offered_and_said(visit: Visit, server: Served) -> None:
    stage = Stage(server, visit, 3)
    company = anna, ben, _ = stage.company()
    page, other = (stage.seen_by(friend.person, company, HAND) for friend in (ben, anna))
    page.get_by_role("button", name=EN("page.emotes")).click()
    buttons = page.locator(".faces button")
    assert buttons.all_inner_texts() == [EN(f"page.emote.{emote}") for emote in EMOTES]
    expect(page.locator(".faces img[src]")).to_have_count(len(EMOTES))
    buttons.last.click()
    expect(page.locator(".dialog")).to_have_count(0)
    said = other.locator(".said", has_text=EN(f"page.emote.{EMOTES[-1]}"))
    expect(said.first).to_be_visible()
    assert said.first.evaluate("bubble => bubble.closest('.panel, tr').querySelector('.named').textContent") == "Ben"
    assert said.locator("img").first.evaluate("face => face.decode().then(() => face.naturalWidth)") > 0
