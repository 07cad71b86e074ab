"""Moments at the table: a cairn comes down, cards are dealt, somebody wins; and what stands for them without motion."""

import re

import pytest
from playwright.sync_api import Page, expect
from tools.page_actions import CARD, GO_ON, TWO_FRAMES, play_card, play_until
from tools.played import played
from tools.scenes import Stage, Visit
from tools.served import Served

from tests.marks import slow

FETCHED = "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('moments.js'))"
LOSS = ".changes .swing.loss:visible"
MOVES = """() => document.getAnimations().flatMap((moving) => moving.effect.getKeyframes())
    .flatMap(Object.keys).filter((key) => !["offset", "computedOffset", "easing", "composite"].includes(key))"""
HEIGHTS = """() => [...document.querySelectorAll(".cairn")].map((cairn) => {
    const high = (part) => part.getBoundingClientRect().height;
    const stone = parseFloat(getComputedStyle(cairn).getPropertyValue("--stone-h")) || 20;
    const gravel = cairn.querySelector(".gravel");
    return gravel ? ["rubble", high(gravel), 2 * stone - 1, gravel.scrollWidth <= cairn.clientWidth + 2]
      : ["stones", cairn.querySelectorAll(".stone").length, 0, true];
})"""

BELOW_THE_HEADLINE = """() => {
    const said = document.createElement("div");
    said.className = "toast";
    document.querySelector(".end").after(said);
    const { top } = said.getBoundingClientRect();
    said.remove();
    return top > document.querySelector("h1").getBoundingClientRect().bottom;
}"""
"""Whether what is said after a match lets one read who has won."""


def until(page: Page, sight: str) -> None:
    """Waits; Playwright's own way is forbidden by the page's content security policy."""
    while not page.evaluate(sight):
        page.wait_for_timeout(20)


def before_a_fall(visit: Visit, server: Served, motion: str, wide: int) -> Page:
    """A finished trick that will bring a cairn down."""
    anna = server.person()
    table = played(server, anna, ["club", "club"], "classic", tricks=2)
    page = visit(
        f"/t/{table}",
        storage_state=server.storage(anna, speed="quick", stay=0, confirm=False),
        reduced_motion=motion,
        viewport={"width": wide, "height": 844},
    )
    until(page, FETCHED)
    for _ in range(30):
        play_until(page, f"{GO_ON}, .between")
        if page.locator(LOSS).count():
            return page
        page.locator(GO_ON).click()
        page.locator(f".say {GO_ON}").wait_for(state="detached")
    raise AssertionError("no cairn ever fell")


@pytest.mark.parametrize("wide", [390, *slow(1280)])
def test_a_cairn_falls_when_the_card_arrives_and_its_number_rolls(visit: Visit, server: Served, wide: int) -> None:
    page = before_a_fall(visit, server, "no-preference", wide)
    pile = page.locator(LOSS).first.locator("xpath=..")
    expect(pile).to_have_class(re.compile(r"\bup\b"))  # it stands for as long as the cards lie there
    robbed = page.locator(".faced:has(.mood)").first
    face = page.locator(f'.faced[data-seat="{robbed.get_attribute("data-seat")}"] img').first
    startled = face.get_attribute("src") or ""
    page.evaluate(
        """() => {
        window.kinds = new Set();
        new MutationObserver((records) => records.flatMap((record) => [...record.addedNodes])
          .forEach((node) => node.classList?.forEach((kind) => window.kinds.add(kind))))
          .observe(document.body, { childList: true });
    }"""
    )
    page.locator(GO_ON).click()
    page.locator("body > .falling").first.wait_for(state="attached")
    assert set(page.evaluate(MOVES)) <= {"transform", "opacity"}
    until(page, "window.kinds.has('roll') && window.kinds.has('dust')")
    assert set(page.evaluate(MOVES)) <= {"transform", "opacity"}
    expect(page.locator("body > .flying")).to_have_count(0)
    expect(page.locator("[data-falls]")).to_have_count(0)
    expect(face).not_to_have_attribute("src", startled)


@pytest.mark.slow
def test_without_motion_a_still_says_what_fell(visit: Visit, server: Served) -> None:
    page = before_a_fall(visit, server, "reduce", 390)
    page.locator(GO_ON).click()
    said = page.locator(".say[data-say=falls]")
    expect(said).to_have_text(re.compile(r"\w+: \w+ tumbles, \d+ → \d+"))
    before, after = re.findall(r"\d+", said.inner_text())
    expect(page.locator(".cell.rubble .swing", has_text=f"{before}→{after}").first).to_be_visible()
    assert page.locator("body > .flying").count() == 0
    expect(page.locator("[role=log]")).to_contain_text(f"tumbles, {before} → {after}")
    expect(page.locator(CARD).first).to_be_visible()


CRAMPED = """() => [...document.querySelectorAll(".gravel i")].filter((bit) => bit.offsetParent).flatMap((bit) => {
  const words = document.createRange();
  words.selectNodeContents(bit);
  bit.style.rotate = "0deg";
  const [wide, room] = [words, bit].map((part) => part.getBoundingClientRect().width);
  bit.style.rotate = "";
  return wide > room ? [[bit.textContent, wide, room]] : [];
})"""
"""Values of rubble that are wider than their bit."""


@pytest.mark.parametrize("players", [4, *slow(3, 5, 6)])
def test_rubble_is_lower_than_what_stood_on_wide_screens_too(visit: Visit, server: Served, players: int) -> None:
    page = Stage(server, visit, players).table(12)
    for wide, high in ((1280, 800), (820, 1180), (1920, 1080)):
        page.set_viewport_size({"width": wide, "height": high})
        page.locator(".cairn").first.wait_for()
        page.evaluate(TWO_FRAMES)
        rubble = [pile for kind, *pile in page.evaluate(HEIGHTS) if kind == "rubble"]
        assert rubble
        assert [(wide, pile) for pile in rubble if not (pile[0] < pile[1] and pile[2])] == []
        assert page.evaluate(CRAMPED) == []


@pytest.mark.parametrize("motion", ["no-preference", *slow("reduce")])
def test_dealing_is_seen(visit: Visit, server: Served, motion: str) -> None:
    anna = server.person()
    table = played(server, anna, ["club", "club"], "classic", tricks=14)
    storage = server.storage(anna, speed="quick", stay=0, confirm=False)
    page = visit(f"/t/{table}", storage_state=storage, reduced_motion=motion)
    play_card(page)
    page.locator(GO_ON).click()
    page.locator(".between").wait_for()
    page.evaluate(
        """() => {
        window.backs = 0;
        new MutationObserver(() => { window.backs += document.querySelectorAll("body > .back-of-card").length; })
          .observe(document.body, { childList: true });
        new MutationObserver(() => {
          const [card] = document.querySelectorAll(".hand li");
          if (card) window.flashed ??= getComputedStyle(card).opacity !== "0";
        }).observe(document.getElementById("app"), { childList: true, subtree: true });
    }"""
    )
    page.locator(f".between {GO_ON}").click()
    page.locator(CARD).first.wait_for()
    assert bool(page.evaluate("window.backs")) is (motion == "no-preference")
    assert page.evaluate("window.flashed") is (motion == "reduce")  # none lies there before it is dealt
    expect(page.locator("body > .back-of-card")).to_have_count(0)


@pytest.mark.slow
def test_the_first_deal_is_seen_too(visit: Visit) -> None:
    page = visit("/", reduced_motion="no-preference")
    page.evaluate(
        """() => new MutationObserver(() => { window.back ||= document.querySelector("body > .back-of-card"); })
          .observe(document.body, { childList: true })"""
    )
    page.get_by_role("button", name="Play now").click()
    page.locator(CARD).first.wait_for()
    until(page, "Boolean(window.back)")


def test_the_winner_stands_on_a_cairn_and_sound_is_offered_once(visit: Visit, server: Served) -> None:
    anna = server.person()
    table, other = (played(server, anna, ["casual", "beginner"]) for _ in range(2))
    page = visit(f"/t/{table}", storage_state=server.storage(anna, speed="instant"))
    first = page.locator(".stand li").first
    expect(page.locator(".podium .stone")).to_have_count(5)
    assert page.locator(".podium img").first.get_attribute("src") == first.locator("img").get_attribute("src")
    assert page.evaluate(BELOW_THE_HEADLINE)
    offer = page.locator(".sound-offer")
    expect(offer).to_contain_text("hear the stones")
    offer.get_by_role("button", name="Yes, with sound").click()
    expect(offer).to_have_count(0)
    assert page.evaluate("JSON.parse(localStorage.dg).settings.sound") is True
    page.goto(f"/t/{other}")
    page.locator(".podium").wait_for()
    expect(offer).to_have_count(0)


@pytest.mark.slow
def test_who_says_nothing_to_the_offer_of_sound_is_not_asked_again(visit: Visit, server: Served) -> None:
    anna = server.person()
    table = played(server, anna, ["casual", "beginner"])
    page = visit(f"/t/{table}", storage_state=server.storage(anna))
    page.locator(".sound-offer").wait_for()
    page.reload()
    page.locator(".podium").wait_for()
    expect(page.locator(".sound-offer")).to_have_count(0)
