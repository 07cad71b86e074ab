"""Makes a site: a folder for any host of static files, the same to the last byte wherever it is made.

What takes long, Python compiled and packed, is kept for the next time, by the state of all that it is made from.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from davidgoliath.home import cache_directory
from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.assets import WORKER
from davidgoliath.site.page import page_of
from davidgoliath.site.parts import SiteReason, check_tools, fetch, locked, run

RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""What is used of Python for browsers, as it comes."""
PACKED: Final = ("python.zip", "msgspec_core.so")
BOTS: Final = "bots.json"
"""Those that could be loaded."""
PACKERS: Final = ("pack.mjs", "pack.py", "rehearsal.py")
STARTER: Final = "web/js/site/python.js"
WEEK: Final = 7 * 86_400.0
"""So long what isn't used is kept."""
PROGRAM: Final = (".py", ".json", ".txt", ".net")


def build_site(out: Path, pace: int, server: str = "") -> int:
    """Makes a site in a folder, which is new, empty, or a site of before; gives its bytes, as it lies there.

    Whoever wants a table with friends is led to that server.
    """
    check_tools()
    if out.exists() and any(out.iterdir()) and not (out / WORKER).is_file():
        raise Refusal(SiteReason.SITE_TAKEN, folder=out)
    made = _python()
    python = [made / name for name in (*RUNTIME, *PACKED)]
    folder = f"python/{_state(python)[:12]}/"
    named = {folder + file.name: file.read_bytes() for file in python}
    site = {**named, **page_of(folder, named, pace, json.loads((made / BOTS).read_bytes()), server)}
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as beside:
        whole = Path(beside, "site")
        for path, content in site.items():
            (whole / path).parent.mkdir(parents=True, exist_ok=True)
            (whole / path).write_bytes(content)
        if out.exists():
            out.rename(Path(beside, "before"))
        whole.rename(out)
    return sum(map(len, site.values()))


def parts() -> Path:
    """What a site is made of besides the program: `pyodide`, and `wheels`."""
    return _kept(f"parts-{locked()}", fetch)


def _python() -> Path:
    """All that runs Python in a browser, with the program."""
    with as_file(files("davidgoliath")) as program:
        sources = sorted(file for file in program.rglob("*") if file.suffix in PROGRAM and "web" not in file.parts)
        packers = [program / "site" / name for name in PACKERS]
        starter = program / STARTER
        fetched = parts()

        def make(folder: Path) -> None:
            for name in RUNTIME:
                shutil.copyfile(fetched / "pyodide" / name, folder / name)
            run("node", *map(str, (packers[0], fetched, program, folder, starter, *packers[1:])), cwd=folder)

        return _kept(f"python-{locked()}-{_state([*sources, *packers, starter])[:16]}", make)


def _state(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in paths:
        digest.update(f"{file.name} {file.stat().st_size}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def _kept(name: str, make: Callable[[Path], None]) -> Path:
    """A folder that was made before, or is made now, by one at a time."""
    home = cache_directory() / "site"
    home.mkdir(parents=True, exist_ok=True)
    with _alone(home / "lock"):
        if not (home / name).exists():
            for old in home.glob("*-*"):
                if old.stat().st_mtime < time.time() - WEEK:
                    shutil.rmtree(old)
            with tempfile.TemporaryDirectory(dir=home) as made:
                folder = Path(made, "whole")
                folder.mkdir()
                make(folder)
                folder.rename(home / name)
    os.utime(home / name)
    return home / name


@contextmanager
def _alone(door: Path) -> Iterator[None]:
    """Whoever else makes a site waits. Windows has no such lock: there nobody should."""
    with door.open("w") as held:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX)
        yield
