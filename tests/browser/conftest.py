"""A server for all tests, a browser, and pages in it. Whatever the browser complains about fails the test.

The browser lives only while tests of this folder run: its event loop would be in the way of other tests'.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect, sync_playwright
from tools import chromium
from tools.scenes import PATIENCE, Visit, visits
from tools.served import PLACE, Served, ServedSite, impatient, served, served_site

from davidgoliath.rules import Refusal
from davidgoliath.site.build import build_site
from davidgoliath.site.parts import check_tools

expect.set_options(timeout=PATIENCE)  # its own five seconds are too few where much else runs

ICON = "/favicon.ico"
"""What browsers ask for by themselves, of addresses that aren't pages."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(
        tmp_path_factory.mktemp("server"), "--allowed-host", chromium.ELSEWHERE, program=impatient()
    ) as running:
        yield running


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a host has, with a static site in which bots don't wait."""
    try:
        check_tools()
    except Refusal as why:
        pytest.skip(str(why))
    folder = tmp_path_factory.mktemp("host")
    build_site(folder / PLACE.strip("/"), pace=0)
    return folder


@pytest.fixture(scope="session")
def site(sites: Path) -> Iterator[ServedSite]:
    with served_site(sites) as running:
        yield running


@pytest.fixture
def transport(request: pytest.FixtureRequest) -> str:
    """How the page reaches its server: over the network, or in the same browser. Tests may be parametrised by it."""
    return str(getattr(request, "param", "server"))


@pytest.fixture
def host(transport: str, request: pytest.FixtureRequest) -> Served:
    """Where the page is from, by its transport."""
    found: Served = request.getfixturevalue(transport)
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if why := chromium.why_not():
        pytest.skip(why)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the browser complains about. A test that means to cause complaints asserts them, and clears the list."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def visit(browser: Browser, host: Served, complaints: list[str]) -> Iterator[Visit]:
    with visits(browser, host, lambda page: listen(page, complaints)) as visit:
        yield visit


def listen(page: Page, complaints: list[str]) -> None:
    """Notes all complaints about a page; violations of its content security policy are errors in the console."""

    def on_console(message: ConsoleMessage) -> None:
        where = message.location["url"]
        if message.type in ("error", "warning") and not where.endswith(ICON):
            complaints.append(f"{message.type}: {message.text} {where}")

    def on_failure(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # who leaves a page, leaves its requests
            complaints.append(f"failed: {request.url} {request.failure}")

    def on_response(response: Response) -> None:
        if response.status >= 400 and not response.url.endswith(ICON):
            complaints.append(f"{response.status}: {response.url}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    page.on("requestfailed", on_failure)
    page.on("response", on_response)
