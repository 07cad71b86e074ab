"""A static site and a server: one leads to the other, and neither tells the other what nobody sent."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from tools.page_actions import CARD, play_until
from tools.scenes import Visit, visits
from tools.served import PLACE, Person, Served, ServedSite, served, served_site

from davidgoliath.site.build import build_site
from tests.browser.conftest import listen

TAKEN = {"theme": "dark", "speed": "quick", "stay": 2}
SERVED_BY_SERVER = "/site/"


@pytest.fixture(scope="module")
def friendly(sites: Path, server: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    """A site that knows a server."""
    folder = tmp_path_factory.mktemp("friendly")
    build_site(folder / PLACE.strip("/"), pace=0, server=server.address)
    with served_site(folder) as host:
        yield host


def settings(page: Page) -> dict[str, object]:
    kept: dict[str, object] = json.loads(page.evaluate("localStorage.dg"))["settings"]
    return kept


def with_friends(page: Page) -> None:
    page.get_by_role("link", name="With friends").click()
    page.get_by_role("button", name="Make the table").wait_for()


@pytest.mark.usefixtures("sites")
def test_one_tap_leads_to_a_table_with_friends_with_name_and_settings_and_no_token(
    browser: Browser, friendly: ServedSite, server: Served, complaints: list[str]
) -> None:
    somebody = Person("someone", "secret-token-of-this-site", "Anna")
    with visits(browser, friendly, lambda page: listen(page, complaints)) as visit:
        page = visit("/", storage_state=friendly.storage(somebody, **TAKEN))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        link = page.get_by_role("link", name="With friends")
        expect(link).to_contain_text(urlsplit(server.address).netloc)
        brought = unquote(str(link.get_attribute("href")))
        assert "secret" not in brought
        assert "someone" not in brought
        page.wait_for_timeout(500)
        assert not [url for url in asked if not url.startswith(friendly.origin)]
        with_friends(page)
        expect(page).to_have_url(f"{server.address}/friends")
        expect(page.get_by_label("Your name")).to_have_value("Anna")
        assert TAKEN.items() <= settings(page).items()
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert "token" not in json.loads(page.evaluate("localStorage.dg"))


@pytest.mark.parametrize(("button", "taken"), [("Those here", False), ("Those that I bring", True)])
def test_whoever_has_settings_is_asked_which_shall_be(visit: Visit, server: Served, button: str, taken: bool) -> None:
    ben = server.person("Ben")
    page = visit("/", storage_state=server.storage(ben, theme="light"))
    before = settings(page)
    brought = {"name": "Anna", "token": "x" * 30, "settings": {**TAKEN, "confirm": "maybe", "volume": 11}}
    page.goto(f"/friends#from={json.dumps(brought)}")
    expect(page.get_by_text("You come as Anna")).to_be_visible()
    page.reload()  # the address no longer has it
    expect(page.get_by_label("Your name")).to_have_value("Ben")
    page.goto("/rules")
    page.goto(f"/friends#from={json.dumps(brought)}")
    expect(page.get_by_text("You come as Anna")).to_be_visible()
    assert settings(page) == before
    page.get_by_role("button", name=button).click()
    expect(page).to_have_url(f"{server.address}/friends")
    expect(page.get_by_label("Your name")).to_have_value("Anna" if taken else "Ben")
    now = before | TAKEN if taken else before
    assert now.items() <= settings(page).items()
    assert settings(page).get("confirm", True) is True
    assert json.loads(page.evaluate("localStorage.dg"))["token"] == ben.token


def test_nonsense_brings_nothing(visit: Visit, server: Served) -> None:
    page = visit("/", storage_state=server.storage(server.person("Ben"), theme="light"))
    before = settings(page)
    for nonsense in ("", "%", "[]", "null", '{"settings": 3, "name": [1]}', json.dumps({"name": 99 * "x"})):
        page.goto("/rules")
        page.goto(f"/friends#from={nonsense}")
        expect(page.get_by_label("Your name")).to_have_value("Ben")
        expect(page.get_by_text("You come as")).to_have_count(0)
        assert settings(page) == before


@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_a_site_without_a_server_says_how_to_have_one(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="With friends Needs a server").click()
    expect(page.get_by_text("./dg play --lan")).to_be_visible()


@pytest.mark.slow
def test_whoever_plays_on_a_server_keeps_the_game(
    browser: Browser, sites: Path, tmp_path: Path, complaints: list[str]
) -> None:
    """With the same policy: only the worker compiles. Games here and there are told apart."""
    with (
        served(tmp_path, "--site", str(sites / PLACE.strip("/"))) as server,
        visits(browser, server, lambda page: listen(page, complaints)) as visit,
    ):
        page = visit("/", storage_state=server.storage(speed="instant", stay=0))
        page.get_by_role("link", name="Keep the game").click()
        expect(page).to_have_url(f"{server.address}{SERVED_BY_SERVER}")
        page.get_by_role("button", name="One deal").click()
        page.get_by_role("button", name="Play now").click()
        play_until(page, CARD)
        page.goto(f"{server.address}/games")
        expect(page.locator(".game")).to_have_count(0)  # nothing was sent there
        page.get_by_role("link", name="Games without a network").click()
        expect(page.locator(".game")).to_have_count(1)
        expect(page.get_by_role("link", name=f"Go to {urlsplit(server.address).netloc}")).to_be_visible()
        page.go_back()
        page.go_back()
        page.locator(CARD).first.wait_for()
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        os.kill(server.process, signal.SIGKILL)
        complaints.clear()
        page.reload()
        page.locator(CARD).first.wait_for()
        complaints.clear()  # the lines of the server have gone
