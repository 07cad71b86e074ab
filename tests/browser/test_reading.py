"""What there is to read: the rules in five languages, and pages that aren't there."""

import re

import pytest
from playwright.sync_api import WebSocketRoute, expect
from tools.page_actions import HAND
from tools.scenes import Stage, Visit
from tools.served import Served

from davidgoliath.texts import LANGUAGES, Texts
from tests.marks import slow


@pytest.mark.parametrize("language", [LANGUAGES[0], *slow(*LANGUAGES[1:])])
def test_the_rules_are_shown_whole(visit: Visit, language: str) -> None:
    page = visit("/rules", locale=language)
    article = page.locator("article.rules")
    expect(article).to_be_visible()
    source = Texts(language).rules()
    assert article.locator("h2").all_inner_texts() == re.findall(r"^## (.*)$", source, re.MULTILINE)
    assert article.locator("ol > li").count() == len(re.findall(r"^\d+\. ", source, re.MULTILINE))
    assert article.locator("tr").count() == len(re.findall(r"^\|(?!-)", source, re.MULTILINE))
    plain = re.sub(r"[#*`|\s-]|^\d+\. ", "", source, flags=re.MULTILINE)
    shown = re.sub(r"[#*`|\s-]", "", page.locator("main").inner_text())
    assert shown.endswith(plain[-200:])
    assert not re.search(r"\*\*|`|^\|", article.inner_text(), re.MULTILINE)


def test_the_contents_lead_to_each_part(visit: Visit) -> None:
    page = visit("/rules")
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Options").click()
    expect(page.get_by_role("heading", name="Options")).to_be_focused()
    expect(page.get_by_role("heading", name="Options")).to_be_in_viewport()
    assert page.url.endswith("/rules")


def test_an_address_that_is_not_ours_leads_home(visit: Visit, complaints: list[str]) -> None:
    page = visit("/")
    page.goto("/nowhere")
    expect(page.get_by_text("no page at this address")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Home").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    assert all("/nowhere" in complaint for complaint in complaints)
    complaints.clear()


def test_a_table_that_cannot_be_reached_says_so_and_tries_again(visit: Visit, server: Served) -> None:
    page = Stage(server, visit, 3).table()
    is_down = True

    def connect(socket: WebSocketRoute) -> None:
        if is_down:
            socket.close()
        else:
            socket.connect_to_server()

    page.route_web_socket("**/socket", connect)
    page.reload()
    expect(page.get_by_role("heading", name="Nobody hears us")).to_be_visible()
    expect(page.locator(".asleep")).to_be_visible()
    expect(page.get_by_role("link", name="Home")).to_be_visible()
    is_down = False
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(HAND)).to_have_count(15)


def test_without_a_line_a_page_says_so_and_tries_again(visit: Visit, complaints: list[str]) -> None:
    page = visit("/")
    games = page.get_by_role("link", name="My games")
    expect(games).to_be_visible()
    page.context.set_offline(True)
    games.click()
    expect(page.get_by_role("heading", name="Nobody hears us")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="No games yet")).to_be_visible()
    complaints.clear()
