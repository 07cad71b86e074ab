"""A static site: small, without its host once it was there, in several tabs, and after a tab has crashed."""

import gzip
import os
import signal
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, expect
from tools import chromium
from tools.page_actions import CARD, GO_ON, HAND, asked, play_card, play_until
from tools.scenes import Visit, visits
from tools.served import PLACE, ServedSite, served_site

from davidgoliath.site.build import build_site
from tests.marks import slow

LOADING = ".site-loading"
END = ".end h1"
BUILD = "document.documentElement.dataset.build"
UNTIL = """async (sight) => {
    for (let time = 0; time < 300; time++) {
        if (await sight()) return true;
        await new Promise((later) => setTimeout(later, 50));
    }
    return false;
}"""
NEWER_WAITS = f"({UNTIL})(async () => (await navigator.serviceWorker.getRegistration()).waiting)"
PERSISTED = f"({UNTIL})(() => navigator.storage.persisted())"
MEMORY = """async (change) => {
    const [[, folder]] = await Array.fromAsync((await navigator.storage.getDirectory()).entries());
    const file = await folder.getFileHandle("memory");
    const kept = await file.getFile();
    if (!(await kept.slice(-1000).text()).endsWith(navigator.userAgent)) return false;
    const written = await file.createWritable({ keepExistingData: true });
    if (change === "shorter") await written.truncate(kept.size / 2);
    if (change === "another's") await written.write({ type: "write", position: kept.size - 1, data: "?" });
    if (change === "wrong") await written.write({ type: "write", position: 0, data: new Uint8Array(99) });
    await written.close();
    return true;
}"""
MEMORY_IS_KEPT = f"({UNTIL})(() => ({MEMORY})('').catch(() => false))"
REVIEWED = 120_000
"""Milliseconds until plain Python has first results of a deal, on a busy computer."""
MOST_BYTES = 6_800_000
MOST_BYTES_OF_HOME = 120_000
HOME_NEEDS_NOT = ("python/", "sw.js")


def test_a_site_is_small(sites: Path) -> None:
    site = sites / PLACE.strip("/")
    sizes = {
        str(file.relative_to(site)): len(gzip.compress(file.read_bytes())) for file in site.rglob("*") if file.is_file()
    }
    assert sum(sizes.values()) < MOST_BYTES


@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_home_is_there_before_python(visit: Visit, sites: Path) -> None:
    page = visit("/")
    page.get_by_role("button", name="Play now").wait_for()
    expect(page.locator(LOADING)).to_be_visible()
    needed = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    files = {name.removeprefix(PLACE) for name in needed if not name.removeprefix(PLACE).startswith(HOME_NEEDS_NOT)}
    site = sites / PLACE.strip("/")
    sizes = [len(gzip.compress((site / name).read_bytes())) for name in (*files, "index.html")]
    assert sum(sizes) < MOST_BYTES_OF_HOME
    expect(page.locator(LOADING)).to_have_count(0)


@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_the_first_lesson_needs_no_python(visit: Visit, host: ServedSite) -> None:
    page = visit("/learn")
    page.context.route("**/python/**", lambda route: None)
    page.reload()
    page.locator(CARD).first.wait_for()
    expect(page.locator(LOADING)).to_be_visible()


@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_a_site_says_that_it_needs_https(browser: Browser, host: ServedSite) -> None:
    elsewhere = replace(host, address=host.address.replace("127.0.0.1", chromium.ELSEWHERE))
    with visits(browser, elsewhere) as visit:
        expect(visit("/").get_by_role("alert")).to_contain_text("https")


def test_a_site_needs_its_host_no_more_once_it_was_there(browser: Browser, sites: Path) -> None:
    with served_site(sites) as host, visits(browser, host) as visit:
        page = a_table(visit, host)
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        play_card(page)
        page.locator(GO_ON).wait_for()
        os.kill(host.process, signal.SIGKILL)
        page.reload()
        play_until(page, END)
        points = page.locator(".stand .pts").all_inner_texts()
        page.goto(f"{host.address}#/games")
        page.get_by_role("link", name="Result").click()
        expect(page.locator(".stand .pts")).to_have_text(points)


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_a_review_is_worked_out_in_the_browser(visit: Visit, host: ServedSite) -> None:
    page = a_table(visit, host)
    play_until(page, END)
    page.get_by_role("link", name="Review the match").click()
    expect(page.locator(".balance b")).to_have_count(4, timeout=REVIEWED)


@pytest.mark.slow
def test_a_newer_site_is_fetched_quietly_and_used_at_the_next_start(browser: Browser, tmp_path: Path) -> None:
    place = tmp_path / PLACE.strip("/")
    build_site(place, pace=0)
    with served_site(tmp_path) as host, visits(browser, host) as visit:
        page = a_table(visit, host)
        first = page.evaluate(BUILD)
        play_card(page)
        page.locator(GO_ON).wait_for()
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        build_site(place, pace=1)
        page.reload()
        page.locator(f"{GO_ON}, {CARD}").first.wait_for()
        assert page.evaluate(NEWER_WAITS)
        assert page.evaluate(BUILD) == first  # it goes on with what it has
        play_until(page, CARD)
        seen, left, context = asked(page)["seq"], page.locator(HAND).count(), page.context
        address = page.url
        page.close()
        page = context.new_page()
        page.wait_for_timeout(500)  # nobody is there: the newer one may begin
        os.kill(host.process, signal.SIGKILL)
        page.goto(address)
        page.locator(CARD).first.wait_for()
        assert page.evaluate(BUILD) != first
        assert (asked(page)["seq"], page.locator(HAND).count()) == (seen, left)
        assert page.evaluate("caches.keys().then((kept) => kept.length)") == 1
        play_until(page, END)


@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_a_start_goes_on_with_the_memory_of_another(visit: Visit, host: ServedSite, complaints: list[str]) -> None:
    page = a_table(visit, host, service_workers="block")
    assert page.evaluate(MEMORY_IS_KEPT)
    page.context.route("**/python.zip", lambda route: route.fulfill(body="nothing", content_type="application/zip"))
    page.reload()
    play_until(page, END)
    assert all("Service Worker registration blocked" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["site"], indirect=True)
@pytest.mark.parametrize(("change", "starts"), [("shorter", 1), ("another's", 1), ("wrong", 2)])
def test_memory_that_is_not_whole_is_made_anew(
    visit: Visit, host: ServedSite, change: str, starts: int, complaints: list[str]
) -> None:
    """What can't be told before it is used, costs a start."""
    page = a_table(visit, host)
    assert page.evaluate(MEMORY_IS_KEPT)
    page.evaluate(MEMORY, change)
    for _ in range(starts):
        page.reload()
        page.locator(f"{CARD}, [role=alert]").first.wait_for()
    complaints.clear()
    page.locator(CARD).first.wait_for()
    assert page.evaluate(MEMORY_IS_KEPT)
    page.reload()
    play_until(page, END)


@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_the_browser_is_asked_to_keep_it_all(browser: Browser, visit: Visit, host: ServedSite) -> None:
    page = visit("/")
    assert not page.evaluate("navigator.storage.persisted()")
    browsers, pages = browser.new_browser_cdp_session(), page.context.new_cdp_session(page)
    context = pages.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
    granted = {"origin": host.origin, "permissions": ["durableStorage"], "browserContextId": context}
    browsers.send("Browser.grantPermissions", granted)
    page.reload()
    assert page.evaluate(PERSISTED)


@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_two_tabs_share_a_table_and_one_goes_on_when_the_other_has_gone(visit: Visit, host: ServedSite) -> None:
    page = a_table(visit, host)
    other = page.context.new_page()
    other.goto(page.url)
    other.locator(CARD).first.wait_for()
    play_card(other)
    page.locator(GO_ON).click()
    page.locator(CARD).first.wait_for()
    page.close()
    play_until(other, END)


@pytest.mark.parametrize("transport", ["site"], indirect=True)
@pytest.mark.parametrize("times", [2, *slow(20)])
def test_a_crash_loses_nothing_that_was_shown(visit: Visit, host: ServedSite, times: int) -> None:
    page = a_table(visit, host, deals="Full match")
    for _ in range(times):
        play_card(page)
        page.locator(f"{GO_ON}, {CARD}").first.wait_for()
        left, shown, address, context = page.locator(HAND).count(), asked(page)["seq"], page.url, page.context
        crash(page)
        page = context.new_page()
        page.goto(address)
        page.locator(f"{GO_ON}, {CARD}").first.wait_for()
        assert asked(page)["seq"] >= shown
        assert page.locator(HAND).count() == left
        play_until(page, CARD)


def a_table(visit: Visit, host: ServedSite, deals: str = "One deal", **options: Any) -> Page:
    """The first turn of a newcomer among bots."""
    page = visit("/", storage_state=host.storage(speed="instant", stay=0), **options)
    page.get_by_role("button", name=deals).click()
    page.get_by_role("button", name="Play now").click()
    page.locator(CARD).first.wait_for()
    return page


def crash(page: Page) -> None:
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash", timeout=1000)


@pytest.mark.parametrize("transport", ["site"], indirect=True)
def test_games_go_to_another_browser_as_a_file(visit: Visit, host: ServedSite, tmp_path: Path) -> None:
    page = a_table(visit, host)
    play_card(page)
    table = page.url.rpartition("/")[2]
    page.goto(f"{host.address}#/settings")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my games").click()
    download.value.save_as(tmp_path / "games.json")
    other = visit("/settings", storage_state=host.storage(speed="instant", stay=0))
    taking = other.get_by_label("Take games from a file")
    taking.set_input_files(tmp_path / "games.json")
    expect(other.get_by_text("1 table is new here.")).to_be_visible()
    taking.set_input_files(tmp_path / "games.json")
    expect(other.get_by_text("0 tables are new here.")).to_be_visible()
    taking.set_input_files({"name": "games.json", "mimeType": "application/json", "buffer": b'{"format": "another"}'})
    expect(other.get_by_role("alert")).to_be_visible()
    other.goto(f"{host.address}#/t/{table}")
    play_until(other, END)
