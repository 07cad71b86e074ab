"""The table on every screen: nothing lies on anything else, every card can be tapped, nothing scrolls sideways."""

import pytest
from playwright.sync_api import Page
from tools.fingers import GO_ON, pick_card, play_card
from tools.scenes import SCENES, Stage, Visit
from tools.served import Served

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


@pytest.mark.parametrize("tricks", [0, 8])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_nothing_lies_on_anything_else(visit: Visit, server: Served, players: int, tricks: int) -> None:
    page = Stage(server, visit, players).table(tricks)
    if tricks:
        pick_card(page)
        assert _flaws(page) == {}
        play_card(page)
        page.locator(GO_ON).wait_for()
    assert _flaws(page) == {}


@pytest.mark.parametrize("name", ["stood_in", "being_asked", "newcomer"])
def test_nor_does_it_where_somebody_is_missed_or_comes(visit: Visit, server: Served, name: str) -> None:
    assert _flaws(SCENES[name].act(Stage(server, visit, 4))) == {}


def _flaws(page: Page) -> dict[tuple[int, int], list[str]]:
    found = {}
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise(requestAnimationFrame)")
        if flaws := page.evaluate(FLAWS, NARROWEST):
            found[width, height] = flaws
    return found
