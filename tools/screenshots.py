"""`./dg screenshots [NAME …]`: pictures of every scene of the page in every size, light and dark."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Error, Page, sync_playwright

from davidgoliath.texts import LANGUAGES
from tools import chromium
from tools.scenes import SCENES, Stage, visits
from tools.served import impatient, served

SIZES = ("320x568", "360x640", "390x844", "640x400", "667x375", "844x390", "820x1180", "1280x800", "1920x1080")
"""Phones upright and on their side, a tablet, a laptop also at 200 %, and a large screen."""
DRAWN = """
async () => {
  await new Promise(requestAnimationFrame);
  await Promise.all([...document.images].map((picture) => picture.decode().catch(() => 0)));
}
"""
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dg screenshots", description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"scenes: {', '.join(SCENES)}")
    parser.add_argument("--size", choices=SIZES, action="append", help="one size instead of all; may be repeated")
    parser.add_argument("--theme", choices=THEMES, action="append", help="one theme instead of both")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language of the page")
    parser.add_argument("--to", type=Path, default=Path("build/screenshots"), help="the folder for the pictures")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in SCENES]:
        parser.error(f"there is no scene {unknown[0]}, but {', '.join(SCENES)}")
    if why := chromium.why_not():
        parser.error(why)
    asked.to.mkdir(parents=True, exist_ok=True)
    return _take(asked.names or list(SCENES), asked.to, asked.size or SIZES, asked.theme or THEMES, asked.lang)


def _take(names: Sequence[str], folder: Path, sizes: Sequence[str], themes: Sequence[Theme], language: str) -> int:
    """Takes all pictures of some scenes; a scene that fails doesn't keep the others from theirs."""
    tasks = [(name, players) for name in names for players in SCENES[name].players]
    failed = {}
    with (
        tempfile.TemporaryDirectory() as data,
        served(Path(data), program=impatient()) as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright)
        for number, (name, players) in enumerate(tasks, 1):
            title = f"{name}-{players}" if len(SCENES[name].players) > 1 else name
            print(f"\r{number} of {len(tasks)}: {title:<40}", end="", file=sys.stderr, flush=True)
            try:
                with visits(browser, server, language=language) as visit:
                    page = SCENES[name].act(Stage(server, visit, players))
                    page.wait_for_load_state("networkidle")
                    _take_all_sizes(page, folder / title, sizes, themes)
            except Error as error:
                failed[title] = error.message.partition("\n")[0]
        browser.close()
    print(f"\n{(len(tasks) - len(failed)) * len(sizes) * len(themes)} pictures in {folder}")
    for name, why in failed.items():
        print(f"{name} failed: {why}", file=sys.stderr)
    return 1 if failed else 0


def _take_all_sizes(page: Page, picture: Path, sizes: Sequence[str], themes: Sequence[Theme]) -> None:
    """The same page in each size and theme: it has to cope with a window that changes."""
    for size in sizes:
        width, height = map(int, size.split("x"))
        page.set_viewport_size({"width": width, "height": height})
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            page.evaluate(DRAWN)
            page.screenshot(path=f"{picture}-{size}-{theme}.png")
