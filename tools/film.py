"""`./dg film [NAME …]`: film strips of what moves at the table, frame by frame from the browser: topple, deal, win.

A topple is waited for: tricks are played until one costs somebody so much that it is worth a film.
"""

import argparse
import base64
import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from playwright.sync_api import Page, sync_playwright

from tools import chromium
from tools.page_actions import CARD, GO_ON, play_until
from tools.played import played
from tools.scenes import visits
from tools.screenshots import THEMES
from tools.served import Served, impatient, served

SIZES = {"390x844": (390, 844), "1280x800": (1280, 800)}
FRAMES, COLUMNS = 12, 4
WIDEST = 620
WORTH_A_FILM = 6
"""Points that a cairn loses."""
AROUND = 340, 240
"""Of a topple so many pixels are shown, with the cairn in their middle."""
LOSES = """
() => [...document.querySelectorAll(".changes .swing.loss")].filter((one) => one.offsetParent).map((one) => {
  const box = one.parentElement.getBoundingClientRect();
  return [Number(one.textContent.replace(/[^0-9]/g, "")), box.left + box.width / 2, box.top + box.height / 2];
})
"""

Frame = tuple[float, Image.Image]


@contextmanager
def filmed(page: Page) -> Iterator[list[Frame]]:
    """All frames that the browser paints meanwhile, with their seconds."""
    frames: list[Frame] = []
    session = page.context.new_cdp_session(page)

    def take(event: Any) -> None:
        picture = Image.open(io.BytesIO(base64.b64decode(event["data"]))).convert("RGB")
        frames.append((event["metadata"]["timestamp"], picture))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", take)
    session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    yield frames
    session.remove_listener("Page.screencastFrame", take)
    session.send("Page.stopScreencast")


def strip(frames: list[Frame]) -> Image.Image:
    """Some of the frames, evenly over their time, side by side."""
    begun, end = frames[0][0], frames[-1][0]
    times = [begun + (end - begun) * place / (FRAMES - 1) for place in range(FRAMES)]
    chosen = [max((frame for frame in frames if frame[0] <= time), key=lambda frame: frame[0]) for time in times]
    wide = min(WIDEST, frames[0][1].width)
    small = [(time, picture.resize((wide, picture.height * wide // picture.width))) for time, picture in chosen]
    high = small[0][1].height
    sheet = Image.new("RGB", (COLUMNS * wide, -(-FRAMES // COLUMNS) * high))
    for place, (time, picture) in enumerate(small):
        ImageDraw.Draw(picture).text((6, 4), f"{1000 * (time - begun):.0f} ms", fill="red")
        sheet.paste(picture, (place % COLUMNS * wide, place // COLUMNS * high))
    return sheet


def topple(page: Page) -> list[Frame]:
    worst = [0.0, 0.0, 0.0]
    for _ in range(30):
        play_until(page, GO_ON)
        page.wait_for_timeout(700)
        worst = max(page.evaluate(LOSES), default=worst)
        if worst[0] >= WORTH_A_FILM:
            break
        page.locator(GO_ON).click()
        page.locator(GO_ON).wait_for(state="detached")
    with filmed(page) as frames:
        page.locator(GO_ON).click()
        page.wait_for_timeout(1700)
    wide, high = AROUND
    left, top = worst[1] - wide / 2, worst[2] - high / 2
    return [(at, picture.crop((int(left), int(top), int(left + wide), int(top + high)))) for at, picture in frames]


def deal(page: Page) -> list[Frame]:
    play_until(page, GO_ON)
    page.locator(GO_ON).click()
    page.locator(".between").wait_for()
    with filmed(page) as frames:
        page.locator(f".between {GO_ON}").click()
        page.locator(CARD).first.wait_for()
        page.wait_for_timeout(1000)
    return frames


def win(page: Page) -> list[Frame]:
    play_until(page, GO_ON)
    with filmed(page) as frames:
        page.locator(GO_ON).click()
        page.locator(".end h1").wait_for()
        page.wait_for_timeout(2200)
    return frames


FILMS: dict[str, tuple[Callable[[Page], list[Frame]], str, int]] = {
    "topple": (topple, "classic", 2),
    "deal": (deal, "classic", 14),
    "win": (win, "single", 14),
}
"""What is filmed, under which rules, and after how many tricks."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dg film", description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"films: {', '.join(FILMS)}")
    parser.add_argument("--size", choices=SIZES, action="append", help="one size instead of both")
    parser.add_argument("--theme", choices=THEMES, action="append", help="one theme instead of both")
    parser.add_argument("--to", type=Path, default=Path("build/film"), help="the folder for the strips")
    asked = parser.parse_args()
    if why := chromium.why_not():
        parser.error(why)
    asked.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), program=impatient()) as server:
        for name in asked.names or FILMS:
            for size in asked.size or SIZES:
                for theme in asked.theme or THEMES:
                    _shoot(server, name, size, theme).save(asked.to / f"{name}-{size}-{theme}.png")
    return 0


def _shoot(server: Served, name: str, size: str, theme: str) -> Image.Image:
    act, rules, tricks = FILMS[name]
    wide, high = SIZES[size]
    anna = server.person()
    table = played(server, anna, ["club"] * 3, rules, tricks=tricks)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        with visits(browser, server) as visit:
            page = visit(
                f"/t/{table}",
                storage_state=server.storage(anna, speed="normal", stay=0, confirm=False),
                viewport={"width": wide, "height": high},
                color_scheme=theme,
                reduced_motion="no-preference",
            )
            page.locator(CARD).first.wait_for()
            drawn = strip(act(page))
        browser.close()
    return drawn


if __name__ == "__main__":
    sys.exit(main())
