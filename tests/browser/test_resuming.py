"""A match goes on: after a reload in any phase, after the server was killed, and with a page of another build."""

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from tools.page_actions import CARD, GO_ON, HAND, play_card, play_tricks, play_until
from tools.scenes import Stage, Visit, visits
from tools.served import Served, served

LYING = ".slot:not(.ghost) [data-slot]"
"""A card in the trick."""


@pytest.mark.slow
def test_a_reload_shows_the_same_while_a_table_gathers(visit: Visit, server: Served) -> None:
    anna = server.person()
    gathering = visit(server.table(anna, [None, None, "club"]), storage_state=server.storage(anna))
    gathering.locator(".lobby .begin").wait_for()
    shows_the_same(gathering, ".lobby .round")


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["server", "site"], indirect=True)
def test_a_reload_shows_the_same_in_every_phase(visit: Visit, host: Served) -> None:
    page = Stage(host, visit, 3).table(13, "classic deals=2")
    shows_the_same(page, "main.table")
    play_card(page)
    page.locator(GO_ON).wait_for()
    shows_the_same(page, ".trick")
    page.locator(GO_ON).click()
    page.locator(CARD).first.wait_for()
    shows_the_same(page, "main.table")
    expect(page.locator(HAND)).to_have_count(1)
    play_until(page, ".between")
    page.get_by_role("button", name="No, thanks").click()  # sound is offered once
    shows_the_same(page, ".between")
    page.locator(".between [data-act=go-on]").click()
    expect(page.locator(HAND)).to_have_count(15)
    play_until(page, ".end h1")
    shows_the_same(page, ".end main > .grid")  # a lit stone is told once


def test_a_match_survives_the_death_of_its_server(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as server, visits(browser, server) as visit:
        page = Stage(server, visit, 3).table(1)
        in_mid_trick(page)
        shown = page.locator(".trick").inner_text()
        os.kill(server.process, signal.SIGKILL)
        page.get_by_text("Connection lost").wait_for()
        with served(tmp_path, "--port", server.address.rpartition(":")[2]):
            expect(page.get_by_text("Connection lost")).to_have_count(0)
            assert page.locator(".trick").inner_text() == shown
            play_tricks(page, 1)


def test_a_page_of_another_build_reloads_once_between_tricks(visit: Visit, server: Served) -> None:
    page = Stage(server, visit, 3).table(1)
    in_mid_trick(page)
    build = page.evaluate("document.documentElement.dataset.build")

    def renew(socket: WebSocketRoute) -> None:
        line = socket.connect_to_server()
        line.on_message(lambda message: socket.send(str(message).replace(build, "another")))

    loads: list[Page] = []
    page.route_web_socket("**/socket", renew)
    page.reload()
    page.on("domcontentloaded", lambda loaded: loads.append(loaded))
    play_until(page, GO_ON)
    assert loads == []
    with page.expect_event("domcontentloaded"):
        page.locator(GO_ON).click()
    page.locator(CARD).first.wait_for()
    play_tricks(page, 2)
    assert len(loads) == 1


def shows_the_same(page: Page, part: str) -> None:
    shown = page.locator(part).inner_text()
    page.reload()
    expect(page.locator(part)).to_have_text(shown, use_inner_text=True)


def in_mid_trick(page: Page) -> None:
    """Plays until it is our turn in a trick that others began."""
    while not page.locator(LYING).count():
        play_tricks(page, 1)
