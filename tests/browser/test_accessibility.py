"""axe finds nothing to complain about, in any scene of the page, light or dark."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from tools.scenes import SCENES, Stage, Visit
from tools.served import Served

from tests.marks import slow

PLAIN = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { background-image: none !important }");
    document.adoptedStyleSheets.push(sheet);
}"""
"""Takes pictures from behind the text: axe gives no judgement on contrast over them."""
Theme = Literal["light", "dark"]
BY_TURNS: dict[str, Theme] = {name: "dark" if place % 2 else "light" for place, name in enumerate(SCENES)}
"""Half of the scenes in one theme and half in the other."""
FIRST = ("home", "friends", "lobby", "table", "middle", "end", "learn", "rules", "settings", "games", "replay", "pad")
"""Scenes of which others are variants."""
OTHER: dict[Theme, Theme] = {"light": "dark", "dark": "light"}


@pytest.mark.parametrize("name", [*FIRST, *slow(*(name for name in SCENES if name not in FIRST))])
def test_axe_finds_nothing(visit: Visit, server: Served, name: str) -> None:
    assert _violations(_shown(name, visit, server), BY_TURNS[name]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_nor_does_it_in_the_other_theme(visit: Visit, server: Served, name: str) -> None:
    assert _violations(_shown(name, visit, server), OTHER[BY_TURNS[name]]) == []


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["site"], indirect=True)
@pytest.mark.parametrize("path", ["/", "/friends", "/settings", "/games", "/privacy"])
def test_nor_does_it_on_a_site(visit: Visit, path: str) -> None:
    page = visit(path)
    page.locator(".site-loading").wait_for()
    assert _violations(page, "light") == []
    page.locator(".site-loading").wait_for(state="detached")
    assert _violations(page, "dark") == []


def _shown(name: str, visit: Visit, server: Served) -> Page:
    scene = SCENES[name]
    return scene.act(Stage(server, visit, scene.players[0]))


def _violations(page: Page, theme: Theme) -> list[tuple[str, str]]:
    page.evaluate(PLAIN)
    page.emulate_media(color_scheme=theme)
    violations = Axe().run(page).response["violations"]
    return [(violation["id"], node["html"]) for violation in violations for node in violation["nodes"]]
