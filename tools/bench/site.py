"""`./dg bench site`: how quick a static site is, in a real browser: from nothing, and from what the browser has kept.

All times are in milliseconds. Each start is a browser context's first, or its second after the service worker has all;
Play now is tapped as soon as it can be, so most of the time until a card is that in which Python starts. A commit is a
renaming, from the page to the worker and back. Bots are those of the strongest level that a site has, and don't wait.
"""

import json
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from davidgoliath.site.build import build_site
from tools.bench.page import LONG, PLAY_NOW, PLAYABLE, READY, tasks_of
from tools.chromium import launch
from tools.page_actions import GO_ON, play_until
from tools.served import PLACE, ServedSite, served_site
from tools.site_match import played_in_page

STARTS, COMMITS, TRICKS = 5, 200, 10
BOTS = ["adept", "adept", "adept"]
WAIT = """(sight) => new Promise((there) => {
  const look = () => document.querySelector(sight) ? there(performance.now()) : requestAnimationFrame(look);
  look();
})"""
RENAME = """async (times) => {
  const { ask } = await import(document.querySelector("script[type=module]").src.replace("main", "base/api"));
  const took = [];
  for (let time = 0; time < times; time++) {
    const begun = performance.now();
    await ask("POST /api/me/name", { body: { name: `Anna ${time}` } });
    took.push(performance.now() - begun);
  }
  return took;
}"""


def main(as_json: bool) -> int:
    with tempfile.TemporaryDirectory() as folder:
        build_site(Path(folder, PLACE.strip("/")), pace=0)
        with served_site(Path(folder)) as host, sync_playwright() as playwright:
            browser = launch(playwright)
            figures = _measured(browser, host)
            browser.close()
    if as_json:
        print(json.dumps(figures))
        return 0
    print("| | |\n|---|---:|")
    for name, value in figures.items():
        print(f"| {name} | {value:,.1f} |")
    return 0


def _measured(browser: Browser, host: ServedSite) -> dict[str, float]:
    starts = [_twice(browser, host) for _ in range(STARTS)]
    (cold_homes, cold), (warm_homes, warm) = (zip(*(start[kept] for start in starts), strict=True) for kept in (0, 1))
    with _table(browser, host) as page:
        tasks = [task for _ in range(TRICKS) for task in _trick(browser, page)]
        _, waits = played_in_page(page, BOTS, "classic")
        commits = page.evaluate(RENAME, COMMITS)
        memory = _memory(browser)
    return {
        "home ready, from nothing (median)": statistics.median(cold_homes),
        "home ready, kept (median)": statistics.median(warm_homes),
        "from Play now to a card, from nothing (median)": statistics.median(cold),
        "from Play now to a card, kept (median)": statistics.median(warm),
        f"tasks over {LONG} in {TRICKS} tricks": sum(task > LONG for task in tasks),
        "the longest of them": max(tasks),
        "from a card to the next one, a bot's (p95)": _p95(waits),
        "a commit (median)": statistics.median(commits),
        "a commit (p95)": _p95(commits),
        "memory of the tab, MB": memory,
    }


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def _twice(browser: Browser, host: ServedSite) -> list[tuple[float, float]]:
    """A newcomer, and the same browser once it has kept everything: when home was ready, and how long a card took."""
    context = browser.new_context(storage_state=host.storage(speed="instant", stay=0), reduced_motion="reduce")
    found = [_started(context, host)]
    found.append(_started(context, host))
    context.close()
    return found


def _started(context: BrowserContext, host: ServedSite) -> tuple[float, float]:
    page = context.new_page()
    page.add_init_script(READY % json.dumps(PLAY_NOW))
    page.goto(host.address, wait_until="commit")
    home: float = page.evaluate(WAIT, PLAY_NOW)
    page.evaluate("(button) => document.querySelector(button).click()", PLAY_NOW)
    ready: float = page.evaluate(WAIT, PLAYABLE)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.close()
    return home, ready - home


@contextmanager
def _table(browser: Browser, host: ServedSite) -> Iterator[Page]:
    context = browser.new_context(storage_state=host.storage(speed="normal", stay=0), reduced_motion="no-preference")
    page = context.new_page()
    page.goto(host.address)
    page.locator(PLAY_NOW).click()
    page.locator(PLAYABLE).first.wait_for()
    yield page
    context.close()


def _trick(browser: Browser, page: Page) -> list[float]:
    """The tasks of the page's main thread, from a card of mine until the trick lies there, whoever plays."""
    play_until(page, GO_ON)
    browser.start_tracing(page=page, categories=["toplevel"])
    page.locator(GO_ON).click()
    page.locator(PLAYABLE).first.wait_for()
    page.wait_for_timeout(1000)
    return tasks_of(json.loads(browser.stop_tracing())["traceEvents"])


def _memory(browser: Browser) -> float:
    """Of the largest process that shows pages."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [process["id"] for process in processes if process["type"] == "renderer"]
    status = [Path("/proc", str(process), "status").read_text(encoding="utf-8") for process in renderers]
    return max(int(text.partition("VmRSS:")[2].split()[0]) for text in status) / 1000
