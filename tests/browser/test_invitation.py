"""What a friend's link shows to somebody who has never heard of the game, and the code that can be read out."""

import re

import pytest
from playwright.sync_api import Page, expect
from tools.scenes import PATIENCE, Visit
from tools.served import Served


def table_of(server: Served, visit: Visit, seats: int = 3) -> Page:
    """The page of Anna, who waits for friends."""
    anna = server.person("Anna")
    page = visit(server.table(anna, [None] * seats), storage_state=server.storage(anna))
    expect(page.locator(".seat-at.me")).to_be_visible()
    return page


def path_of(page: Page) -> str:
    return page.url[page.url.index("/t/") :]


def code_of(page: Page) -> str:
    expect(page.locator(".code output")).to_have_text(re.compile(r"^[B-Z]{3} [B-Z]{3}$"))
    return page.locator(".code output").inner_text()


@pytest.mark.slow
def test_an_invitation_says_and_shows_what_it_is_and_then_stands_still(visit: Visit, server: Served) -> None:
    page = visit(path_of(table_of(server, visit, 4)), reduced_motion="no-preference")
    invitation = page.get_by_role("region", name="David & Goliath")
    expect(invitation).to_contain_text("the lowest snatches the highest")
    demonstration = page.get_by_role("figure", name="How a trick goes")
    again = demonstration.get_by_role("button", name="Once more")
    seen: list[int] = []
    while demonstration.locator(".outcome [data-pile]").count() == 0:
        fallen = demonstration.locator(".slot .card").count()
        seen += [fallen] if fallen not in seen else []
        page.wait_for_timeout(100)
    assert seen == sorted(seen)
    assert len(seen) > 1
    expect(demonstration.locator(".slot.is-goliath")).to_contain_text("Agate")
    expect(demonstration.locator(".slot.is-david")).to_contain_text("You")
    expect(demonstration.locator(".outcome p").first).to_contain_text("+12")
    expect(demonstration.locator(".outcome p").last).to_contain_text("+3")
    expect(page.locator(".flying")).to_have_count(0)
    while page.evaluate("document.getAnimations().length"):
        page.wait_for_timeout(100)
    again.click()
    expect(again).to_be_disabled()
    expect(again).to_be_enabled(timeout=PATIENCE)


@pytest.mark.slow
def test_with_reduced_motion_the_trick_is_a_still(visit: Visit, server: Served) -> None:
    page = visit(path_of(table_of(server, visit)), reduced_motion="reduce")
    demonstration = page.get_by_role("figure", name="How a trick goes")
    expect(demonstration.locator(".slot .card")).to_have_count(3)
    expect(demonstration.locator(".outcome [data-pile]")).to_have_count(2)
    expect(demonstration.get_by_role("button")).to_have_count(0)
    assert page.evaluate("document.getAnimations().every((one) => one.playState === 'finished')")


def test_a_code_that_was_read_out_leads_to_the_table_until_the_match_begins(
    visit: Visit, server: Served, complaints: list[str]
) -> None:
    host = table_of(server, visit)
    code = code_of(host)
    friend = visit("/join")
    friend.get_by_placeholder("Code or link").fill("bbb bbb")
    friend.get_by_role("button", name="Join").click()
    expect(friend.get_by_role("alert")).to_contain_text("No table is waiting under this code")
    friend.get_by_placeholder("Code or link").fill(code.lower().replace(" ", "-"))
    friend.get_by_role("button", name="Join").click()
    expect(friend.get_by_role("heading", level=1)).to_have_text("Anna invites you")
    friend.get_by_label("Your name").fill("Ben")
    friend.get_by_label("Your name").press("Enter")
    host.get_by_text("Ben").first.wait_for()
    host.get_by_role("button", name="Start with bots").click()
    expect(host.locator(".hand .card")).to_have_count(15)
    late = visit("/")
    late.get_by_placeholder("Code or link").fill(code)
    late.get_by_placeholder("Code or link").press("Enter")
    expect(late.get_by_role("alert")).to_contain_text("match has begun")
    assert all("404" in complaint or "/api/codes" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.slow
def test_the_code_is_large_on_a_phone_too(visit: Visit, server: Served) -> None:
    for width in (320, 390, 1280):
        page = visit(path_of(table_of(server, visit)), viewport={"width": width, "height": 700})
        code_of(page)
        size = page.locator(".code output").evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
        assert size >= 38
        assert page.locator(".code output").evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_who_tries_a_lesson_while_waiting_is_there_and_plays_when_the_match_begins(
    visit: Visit, server: Served
) -> None:
    host = table_of(server, visit)
    friend = visit(path_of(host))
    friend.get_by_label("Your name").fill("Ben")
    friend.get_by_label("Your name").press("Enter")
    friend.locator(".meanwhile").get_by_role("button", name="Try a lesson").click()
    expect(friend.get_by_role("heading", name="Follow the colour")).to_be_visible()
    friend.get_by_role("button", name="To the table").click()
    expect(friend.locator(".seat-at.me")).to_be_visible()
    friend.locator(".meanwhile").get_by_role("button", name="Try a lesson").click()
    expect(friend.locator(".talk")).to_be_hidden()
    friend.locator(".learn .hand .card").nth(1).click()
    expect(friend.locator(".learn").get_by_role("button", name="Next")).to_be_visible()
    expect(host.locator(".seat-at", has_text="Ben")).not_to_contain_text("away")
    host.get_by_role("button", name="Start with bots").click()
    expect(friend.locator("main.table .hand .card")).to_have_count(15)
    assert friend.evaluate("document.querySelector('[data-art]:not([data-art=common])').dataset.art") == "9"
    expect(friend.locator(".learn")).to_have_count(0)


@pytest.mark.slow
def test_who_has_learnt_it_is_not_told_again_while_waiting(visit: Visit, server: Served) -> None:
    page = table_of(server, visit)
    expect(page.locator(".meanwhile")).to_be_visible()
    page.evaluate("localStorage.dg = JSON.stringify({ ...JSON.parse(localStorage.dg), learnt: true })")
    page.reload()
    code_of(page)
    expect(page.locator(".meanwhile")).to_have_count(0)
