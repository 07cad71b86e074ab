"""Five languages: every text is there, and another one can be chosen at any time."""

import re

import pytest
from playwright.sync_api import Page, expect
from tools.page_actions import GO_ON, play_card
from tools.scenes import Stage, Visit
from tools.served import Served

from davidgoliath.texts import LANGUAGES, Texts
from tests.marks import slow

UNWORDED = re.compile(r"\b(?:page|colour|bot|error|learn)\.[a-z_]+|\{\w+\}")
"""A key without a text, or a text that lacks what it needs."""


@pytest.mark.parametrize("transport", ["server", *slow("site")], indirect=True)
def test_the_table_and_home_speak_every_language(visit: Visit, host: Served) -> None:
    page = Stage(host, visit, 3).table(2)
    page.evaluate("stays = true")
    play_card(page)
    page.locator(GO_ON).wait_for()
    page.get_by_role("button", name="Settings").click()
    for language in (*LANGUAGES[1:], LANGUAGES[0]):
        page.locator(".dialog select#language").select_option(language)
        expect(page.locator(GO_ON)).to_have_text(Texts(language)("page.go_on"))
        speaks(page, language)
    page.keyboard.press("Escape")
    page.locator(".bar a[href$='/']").click()
    for language in (*LANGUAGES[1:], LANGUAGES[0]):
        page.locator(f".lang [lang={language}]").click()
        expect(page.locator(".now button.act")).to_have_text(Texts(language)("page.home_play"))
        speaks(page, language)
    assert page.evaluate("stays")


def speaks(page: Page, language: str) -> None:
    assert page.evaluate("document.documentElement.lang") == language
    assert UNWORDED.findall(page.locator("#app").inner_html() + page.title()) == []
