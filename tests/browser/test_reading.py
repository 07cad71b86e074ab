"""What there is to read: the rules in five languages, and pages that aren't there."""

import re

import pytest
from playwright.sync_api import WebSocketRoute, expect
from tools.page_actions import HAND
from tools.scenes import Stage, Visit
from tools.served import Served

from davidgoliath.texts import LANGUAGES, Texts
from tests.marks import slow

GIST = ("follow", "goliath", "david", "third", "match")


@pytest.mark.parametrize("language", [LANGUAGES[0], *slow(*LANGUAGES[1:])])
def test_the_rules_are_shown_whole(visit: Visit, language: str) -> None:
    page = visit("/rules", locale=language)
    article = page.locator("article.rules")
    expect(article).to_be_visible()
    texts = Texts(language)
    source = texts.rules()
    titles = article.locator("h2").all_text_contents()
    assert titles[:5] == [texts(f"learn.{name}.title") for name in GIST]
    assert set(titles[5:]) == set(re.findall(r"^## (.*)$", source, re.MULTILINE))
    assert article.locator("ol:not(.gist) > li").count() == len(re.findall(r"^\d+\. ", source, re.MULTILINE))
    assert article.locator("tr").count() == len(re.findall(r"^\|(?!-)", source, re.MULTILINE))
    shown = re.sub(r"\s+", " ", article.text_content() or "")
    for sentence in re.findall(r"\*\* ([^|*`]{30,}?)(?=\n\n|\n\d|$)", source):
        assert re.sub(r"\s+", " ", sentence).strip() in shown
    assert not re.search(r"\*\*|`|\||_", shown)


def test_the_rules_begin_with_five_pictures_and_fold_what_one_looks_up(visit: Visit) -> None:
    page = visit("/rules", viewport={"width": 390, "height": 844})
    gist = page.locator(".gist > li")
    expect(gist).to_have_count(5)
    expect(gist.locator("img.art").first).to_have_attribute("src", re.compile("^data:image/svg"))
    expect(gist.nth(1)).to_contain_text("Goliath")
    expect(gist.nth(4)).to_contain_text("3 + 8 + 14 + 5 + 22 = 52")
    expect(page.get_by_role("heading", name="Examples")).to_be_visible()
    folded = page.locator("article.rules summary")
    expect(folded).to_have_count(5)
    expect(page.get_by_text("the match also ends after the deal")).to_be_hidden()
    folded.filter(has_text="Options").click()
    expect(page.get_by_text("the match also ends after the deal")).to_be_visible()
    options = page.locator("details[open]").inner_text()
    assert not re.search("target_score|lowest_card_to|all_equal", options)


def test_the_rules_have_their_pictures_at_a_table_too_in_its_own_deck(visit: Visit, server: Served) -> None:
    page = Stage(server, visit, 3).table()
    page.keyboard.press("i")
    faces = page.get_by_role("dialog").locator(".gist img.art")
    expect(faces).to_have_count(12)
    assert all(face.get_attribute("src") for face in faces.all())


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
    page.add_init_script("Math.random = () => 200")  # by itself it would try again after 40 seconds
    page.reload()
    expect(page.get_by_role("heading", name="Nobody hears us")).to_be_visible()
    expect(page.locator(".asleep")).to_be_visible()
    expect(page.get_by_role("link", name="Home")).to_be_visible()
    is_down = False
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(HAND)).to_have_count(15)


@pytest.mark.parametrize("lacks", ["**/js/pages/games.js", "**/api/me"])
def test_without_a_line_a_page_says_so_and_tries_again(
    visit: Visit, server: Served, complaints: list[str], lacks: str
) -> None:
    page = visit("/", storage_state=server.storage(server.person("Anna")), service_workers="block")
    games = page.get_by_role("link", name="My games")
    expect(games).to_be_visible()
    page.route(lacks, lambda route: route.abort())
    page.context.set_offline(True)
    games.click()
    expect(page.get_by_role("heading", name="Nobody hears us")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    page.unroute(lacks)
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="No games yet")).to_be_visible()
    complaints.clear()
