"""`./dg screenshots [NAME …]`: pictures of every scene of the page in every size, light and dark."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Error, Page, sync_playwright

from tools import chromium
from tools.scenes import SCENES, Stage, visits
from tools.served import served

SIZES = ((320, 568), (390, 844), (844, 390), (820, 1180), (1280, 800), (1920, 1080))
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dg screenshots", description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"scenes: {', '.join(SCENES)}")
    parser.add_argument("--to", type=Path, default=Path("build/screenshots"), help="the folder for the pictures")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in SCENES]:
        parser.error(f"there is no scene {unknown[0]}, but {', '.join(SCENES)}")
    if why := chromium.why_not():
        parser.error(why)
    asked.to.mkdir(parents=True, exist_ok=True)
    return _take(asked.names or list(SCENES), asked.to)


def _take(names: list[str], folder: Path) -> int:
    """Takes all pictures of some scenes; a scene that fails doesn't keep the others from theirs."""
    tasks = [(name, players) for name in names for players in SCENES[name].players]
    failed = {}
    with tempfile.TemporaryDirectory() as data, served(Path(data)) as server, sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for number, (name, players) in enumerate(tasks, 1):
            title = f"{name}-{players}" if len(SCENES[name].players) > 1 else name
            print(f"\r{number} of {len(tasks)}: {title:<40}", end="", file=sys.stderr, flush=True)
            try:
                with visits(browser, server) as visit:
                    _take_all_sizes(SCENES[name].act(Stage(server, visit, players)), folder / title)
            except Error as error:
                failed[title] = error.message.partition("\n")[0]
        browser.close()
    print(f"\n{(len(tasks) - len(failed)) * len(SIZES) * len(THEMES)} pictures in {folder}")
    for name, why in failed.items():
        print(f"{name} failed: {why}", file=sys.stderr)
    return 1 if failed else 0


def _take_all_sizes(page: Page, picture: Path) -> None:
    """The same page in each size and theme: it has to cope with a window that changes."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=f"{picture}-{width}x{height}-{theme}.png")
