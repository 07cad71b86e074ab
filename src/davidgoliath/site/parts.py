"""What a site is made of besides our own program: Python for browsers, from npm, and a few packages of Python's index.

The locks beside this module name each with its hashes, and nothing else is ever fetched. What was fetched is kept.
"""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from davidgoliath.rules import ReasonCode, Refusal

LOCKS: Final = ("package.json", "package-lock.json", "python.txt")
BROWSERS: Final = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314")
PLATFORM: Final = ("--platform", "pyemscripten_2026_0_wasm32")
"""That of the Python which the lock of npm names."""


class SiteReason(ReasonCode):
    """Why no site can be made."""

    NO_NPM = "no_npm"
    SITE_FAILED = "site_failed"
    SITE_TAKEN = "site_taken"


def check_tools() -> None:
    """Refuses where there is nothing to make a site with."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise Refusal(SiteReason.NO_NPM)


def lock(name: str) -> bytes:
    return files(__package__).joinpath("lock", name).read_bytes()


def locked() -> str:
    """The state of the locks."""
    return hashlib.sha256(b"\0".join(map(lock, LOCKS))).hexdigest()[:16]


def fetch(folder: Path) -> None:
    """Fetches all parts into a folder: `pyodide`, and `wheels`."""
    for name in LOCKS:
        (folder / name).write_bytes(lock(name))
    run("npm", "ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error", cwd=folder)
    (folder / "node_modules/pyodide").rename(folder / "pyodide")
    download = ("download", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes")
    exactly = ("--only-binary", ":all:", *BROWSERS, *PLATFORM, "--dest", "wheels", "--requirement", "python.txt")
    run(sys.executable, "-m", "pip", *download, *exactly, cwd=folder)


def run(program: str, *words: str, cwd: Path) -> None:
    """Runs a program quietly; what it says when it fails is the reason."""
    command: Sequence[str] = [shutil.which(program) or program, *words]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)  # noqa: S603
    if done.returncode:
        raise Refusal(SiteReason.SITE_FAILED, why=(done.stderr or done.stdout).strip())
