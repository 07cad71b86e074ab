"""`./dg bench page`: how heavy and how quick the page is, in a real browser against the real server.

The first load is a newcomer's, with nothing kept: all bytes over the wire, headers included. Then a table is opened and
played at normal speed on a processor slowed to a quarter, and the browser's trace has every task while
tricks are taken. What counts is how long the processor worked on a task, not what it did for others meanwhile.
When a page is ready is told by the page's own clock, and asked later: who watches costs time, too.
"""

import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from tools.chromium import launch
from tools.page_actions import CARD, GO_ON, pick_card
from tools.served import Served, served

OPENED, TRICKS, SLOWED = 5, 6, 4
LONG = 50
PLAY_NOW = ".act.big"
PLAYABLE = f"{CARD}, {GO_ON}"
SETTLED = 5000
"""After so many milliseconds a page has all that it will ever fetch by itself."""
FALLEN = 1600
"""After so many milliseconds a cairn that came down lies, and its number has rolled."""
READY = """
new MutationObserver((_, watching) => {
  if (!document.querySelector(%s)) return;
  watching.disconnect();
  requestAnimationFrame(() => { window.ready = performance.now(); });
}).observe(document, {childList: true, subtree: true, attributes: true});
"""
PLAY = """
([button, wanted]) => new Promise((done) => {
  const start = performance.now();
  document.querySelector(button).click();
  const look = () => document.querySelector(wanted) ? done(performance.now() - start) : requestAnimationFrame(look);
  look();
})
"""
TAP = """
(card) => new Promise((done) => {
  const start = performance.now();
  document.querySelector(`.hand [data-card="${card}"]`).click();
  document.querySelector(`.hand [data-card="${card}"]`)?.click();
  const lies = () => document.querySelector(`[data-slot="${card}"]`);
  const look = () => lies() ? done(performance.now() - start) : requestAnimationFrame(look);
  look();
})
"""


def main(as_json: bool) -> int:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), "--bot", "casual") as server:
        figures = _measured(server)
    if as_json:
        print(json.dumps(figures))
        return 0
    print("| | |\n|---|---:|")
    for name, value in figures.items():
        print(f"| {name} | {value:,.0f} |")
    return 0


def _measured(server: Served) -> dict[str, float]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        loads, homes = zip(*(_opened(browser.new_context(), server, "/", PLAY_NOW) for _ in range(OPENED)), strict=True)
        starts = [_started(browser, server) for _ in range(OPENED)]
        # nobody waits to see bots' cards fall
        tables = [_opened(*_seated(browser, server, speed="instant"), PLAYABLE) for _ in range(OPENED)]
        context, _, table = _seated(browser, server, speed="normal")
        page = context.new_page()
        page.goto(server.address + table)
        taps, tasks = _played(page)
        browser.close()
    return {
        "first load, bytes over the wire": max(loads),
        "home ready, ms (median)": statistics.median(homes),
        "from Play now to a card, ms (median)": statistics.median(starts),
        "from Play now to a card, ms (longest)": max(starts),
        "a table playable, ms (median)": statistics.median(ready for _, ready in tables),
        "a table playable, ms (longest)": max(ready for _, ready in tables),
        "a tap answered, ms (median)": statistics.median(taps),
        "a tap answered, ms (longest)": max(taps),
        f"the longest task of a trick at a {SLOWED}th of the speed, ms (median)": statistics.median(map(max, tasks)),
        f"tasks over {LONG} ms in {TRICKS} such tricks": sum(task > LONG for trick in tasks for task in trick),
        "the longest of all, ms": max(map(max, tasks)),
    }


def _seated(browser: Browser, server: Served, speed: str) -> tuple[BrowserContext, Served, str]:
    """Somebody at a new table, with nothing kept."""
    person = server.person()
    table = server.table(person, [None, "casual", "casual", "casual"])
    return browser.new_context(storage_state=server.storage(person, stay=0, confirm=True, speed=speed)), server, table


def _opened(context: BrowserContext, server: Served, path: str, wanted: str) -> tuple[int, float]:
    """Opens an address: the bytes that came over the wire, and the milliseconds until what is wanted was there."""
    page = context.new_page()
    page.goto(server.address + "/healthz")  # the window is there
    wire = _wire(page)
    page.add_init_script(READY % json.dumps(wanted))
    page.goto(server.address + path)
    page.wait_for_timeout(SETTLED)
    ready: float = page.evaluate("window.ready")
    context.close()
    return sum(wire), ready


def _started(browser: Browser, server: Served) -> float:
    """A newcomer's way to the first card: the milliseconds from a tap on home until one can be played."""
    context = browser.new_context(storage_state=server.storage(speed="instant"))
    page = context.new_page()
    page.goto(server.address)
    page.locator(PLAY_NOW).wait_for()
    page.wait_for_timeout(SETTLED)
    ready: float = page.evaluate(PLAY, [PLAY_NOW, PLAYABLE])
    context.close()
    return ready


def _wire(page: Page) -> list[int]:
    """What comes over the wire from now on, request by request."""
    sizes: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return sizes


def _played(page: Page) -> tuple[list[float], list[list[float]]]:
    """Plays some tricks: how long each tap took, and each task of each trick while the processor was slowed."""
    taps: list[float] = []
    tasks: list[list[float]] = []
    session: CDPSession = page.context.new_cdp_session(page)
    for trick in range(2 * TRICKS):
        slowed = trick >= TRICKS
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED if slowed else 1})
        page.locator(PLAYABLE).first.wait_for()
        while not page.locator(CARD).count():
            page.locator(GO_ON).first.click()
            page.locator(PLAYABLE).first.wait_for()
        if not slowed:
            taps.append(_tap(page))
        else:
            pick_card(page)
            page.locator('[data-act="play"]').click()
        page.locator(GO_ON).wait_for()
        page.wait_for_timeout(300)
        if slowed:
            tasks.append(_taken(page))
        else:
            page.locator(GO_ON).click()
            page.wait_for_timeout(900)
    return taps, tasks


def _taken(page: Page) -> list[float]:
    """The trick is taken, by a bare click: Playwright's own looks whether it hit, and that costs the page a layout."""
    button = page.locator(GO_ON).bounding_box()
    browser = page.context.browser
    assert button
    assert browser
    browser.start_tracing(page=page, categories=["toplevel"])
    page.mouse.click(button["x"] + button["width"] / 2, button["y"] + button["height"] / 2)
    page.wait_for_timeout(FALLEN)
    return tasks_of(json.loads(browser.stop_tracing())["traceEvents"])


def tasks_of(events: list[dict[str, Any]]) -> list[float]:
    """How many milliseconds the page's main thread worked on each of its tasks."""
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return [
        event.get("tdur", 0) / 1000
        for event in events
        if event["name"] == "ThreadControllerImpl::RunTask" and (event["pid"], event["tid"]) in main
    ]


def _tap(page: Page) -> float:
    card: Any = page.locator(CARD).first.get_attribute("data-card")
    time_taken: float = page.evaluate(TAP, card)
    return time_taken
