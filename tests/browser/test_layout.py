"""The table on every screen: nothing lies on anything else, every card can be tapped, nothing scrolls sideways."""

import pytest
from playwright.sync_api import Page
from tools.page_actions import GO_ON, pick_card, play_card
from tools.scenes import SCENES, Stage, Visit
from tools.served import Served

from tests.marks import slow

SCREENS = [
    (320, 568),
    (360, 640),
    (390, 844),
    (667, 375),
    (844, 390),
    (820, 1180),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
]
NARROWEST = 24
"""Pixels of a card of the hand that show beside the next one."""
TWO_FRAMES = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
"""In the first, the page sees that its size has changed."""

FLAWS = """(narrowest) => {
    const isShown = (part) => part.offsetParent && !part.closest(".vh");
    const shown = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
    const flaws = [];
    const names = [".bar", ".ledger", ".others .panel", ".slot", ".slot .role", ".say", ".mine .panel", ".side"];
    const parts = [...names, ".watching", ".hand button.card"]
        .flatMap((selector) => shown(selector).map((part) => [selector, part.getBoundingClientRect()]));
    for (const [place, [name, box]] of parts.entries()) {
        const isBelow = box.top > innerHeight - narrowest;
        if (box.left < -1 || box.right > innerWidth + 1 || isBelow) flaws.push(`${name} sticks out`);
        for (const [other, that] of parts.slice(0, place)) {
            if (name === ".hand button.card" && other === name) continue; // they are held like a fan
            if (name === ".slot .role" && other === ".slot") continue; // where it belongs
            const wide = Math.min(box.right, that.right) - Math.max(box.left, that.left);
            const high = Math.min(box.bottom, that.bottom) - Math.max(box.top, that.top);
            if (wide > 1 && high > 1) flaws.push(`${name} lies on ${other}: ${Math.round(wide)} x ${Math.round(high)}`);
        }
    }
    const hidden = document.querySelectorAll(".hand button.card").length - shown(".hand button.card").length;
    if (hidden || !shown(".slot").length) flaws.push(`${hidden} cards of the hand, or the trick, can't be seen`);
    for (const row of shown(".hand .row")) {
        const lefts = [...row.querySelectorAll("button.card")].map((card) => card.getBoundingClientRect().left);
        const strips = lefts.slice(1).map((left, place) => left - lefts[place]);
        if (Math.min(Infinity, ...strips) < narrowest) flaws.push(`cards show only ${Math.min(...strips)} pixels`);
    }
    if (document.documentElement.scrollWidth > innerWidth) flaws.push("scrolls sideways");
    return flaws;
}"""


@pytest.mark.parametrize(
    ("players", "tricks"),
    [(3, 0), (6, 8), *slow((4, 0), (5, 0), (6, 0), (3, 8), (4, 8), (5, 8))],
)
def test_nothing_lies_on_anything_else(visit: Visit, server: Served, players: int, tricks: int) -> None:
    page = Stage(server, visit, players).table(tricks)
    if tricks:
        pick_card(page)
        assert _flaws(page) == {}
        play_card(page)
        page.locator(GO_ON).wait_for()
    assert _flaws(page) == {}


@pytest.mark.parametrize("name", ["newcomer", *slow("stood_in", "being_asked")])
def test_nor_does_it_where_somebody_is_missed_or_comes(visit: Visit, server: Served, name: str) -> None:
    assert _flaws(SCENES[name].act(Stage(server, visit, 4))) == {}


def _flaws(page: Page) -> dict[tuple[int, int], list[str]]:
    found = {}
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        if flaws := page.evaluate(FLAWS, NARROWEST):
            found[width, height] = flaws
    return found


IN_ONE_ROW = """() => {
    const [first, ...others] = document.querySelectorAll(".hand .row");
    const moved = others.flatMap((row) => [...row.children].map((card) => [row, card]));
    const colour = (card) => card?.querySelector("[data-card]").dataset.card[0];
    const starts = moved.length && colour(first.lastElementChild) !== colour(moved[0][1]);
    if (starts) moved[0][1].classList.add("first");
    for (const [, card] of moved) first.append(card);
    const lefts = [...first.children].map((card) => card.getBoundingClientRect().left);
    const narrowest = Math.min(...lefts.slice(1).map((left, place) => left - lefts[place]));
    for (const [row, card] of moved) row.append(card);
    if (starts) moved[0][1].classList.remove("first");
    return [others.length, narrowest];
}"""


@pytest.mark.parametrize("tricks", [0, *slow(3, 6)])
def test_the_hand_has_two_rows_only_where_one_would_be_too_narrow(visit: Visit, server: Served, tricks: int) -> None:
    page = Stage(server, visit, 3).table(tricks)
    for width, height in [
        *SCREENS,
        (699, 900),
        (1110, 800),
        (1180, 800),
        (1210, 800),
        (1240, 800),
        (1600, 860),
        (1920, 860),
    ]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(TWO_FRAMES)
        others, narrowest = page.evaluate(IN_ONE_ROW)
        least = 27 if width < 700 and height > 520 else 33
        assert others == (narrowest < least - 0.1), (width, height, narrowest)
