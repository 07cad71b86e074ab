"""axe finds nothing to complain about, in any scene of the page, light or dark."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from tools.scenes import SCENES, Stage, Visit
from tools.served import Served

PLAIN = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { background-image: none !important }");
    document.adoptedStyleSheets.push(sheet);
}"""
"""Takes pictures from behind the text: axe gives no judgement on contrast over them."""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize("name", SCENES)
def test_axe_finds_nothing(visit: Visit, server: Served, name: str) -> None:
    scene = SCENES[name]
    page = scene.act(Stage(server, visit, scene.players[0]))
    page.evaluate(PLAIN)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        violations = Axe().run(page).response["violations"]
        found = [(violation["id"], node["html"]) for violation in violations for node in violation["nodes"]]
        assert found == [], theme
