"""The browser for tests and pictures: the system's Chromium, as Playwright's own can't be had everywhere.

It is the one without windows: the other one draws its own tabs and bars all the time, though nobody sees them.

`dg` asks this module what is missing before anything is installed, so it needs no more than the standard library.
"""

import ctypes
import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

ELSEWHERE = "table.example"
"""Another name of this computer. Over plain http, browsers trust it less than they trust localhost."""
PROGRAM = "chromium-headless-shell"
FLAGS = [
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def missing() -> list[str]:
    """The Debian packages that the browser needs and that aren't here."""
    lacks = {PROGRAM: not shutil.which(PROGRAM), "libatomic1": not _has_libatomic()}
    return [package for package, is_missing in lacks.items() if is_missing]


def why_not() -> str:
    """Why there is no browser here, or nothing if there is one."""
    packages = " and ".join(missing())
    return packages and f"without {packages} there is no browser"


def launch(playwright: "Playwright") -> "Browser":
    return playwright.chromium.launch(executable_path=shutil.which(PROGRAM), args=FLAGS)


def _has_libatomic() -> bool:
    """Whether Playwright's own Node has the library that it needs on Linux."""
    if sys.platform != "linux":
        return True
    try:
        ctypes.CDLL("libatomic.so.1")
    except OSError:
        return False
    return True
