"""`@compiled("signature")`: Numba where it is installed, plain Python where it isn't, with the same results.

Compiled code is cached once for an installation, in a folder that is named after the state of all
compiled sources: Numba itself looks only at the file that a function stands in, and would keep
a caller whose callee has changed. Where no folder can be written, functions are compiled without a cache.
"""

import hashlib
import os
import shutil
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from davidgoliath.home import cache_directory

try:
    if os.environ.get("DAVIDGOLIATH_KERNEL") == "python":
        raise ImportError("plain Python is asked for")
    import numba
except ImportError:
    numba = None

F = TypeVar("F", bound=Callable[..., Any])

IS_COMPILED = numba is not None
PACKAGE = Path(__file__).parent.parent
SOURCES = ("kernel", "bots")
"""The folders in which `@compiled` is used."""

_announcer: list[Callable[[], None]] = []


def announce(say: Callable[[], None]) -> None:
    """Has `say` called once, before anything is compiled anew: it takes a few seconds."""
    _announcer[:] = [say]


def compiled(signature: str, *, inline: bool = True) -> Callable[[F], F]:
    """Compiles a function for one signature, by default into its callers, without the global interpreter lock."""

    def decorate(function: F) -> F:
        if numba is None:
            return function
        dispatcher = numba.njit(nogil=True, forceinline=inline)(function)
        folder = _cache_folder()
        if folder:
            before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
            dispatcher.enable_caching()
            numba.config.CACHE_DIR = before
        if not folder or not any(folder.rglob(f"*.{function.__name__}-*.nbi")):
            while _announcer:
                _announcer.pop()()
        dispatcher.compile(signature)
        dispatcher.disable_compile()
        return cast("F", dispatcher)

    return decorate


@lru_cache
def _cache_folder() -> Path | None:
    """A folder for the sources as they are now; those of earlier sources go. None if none can be written."""
    digest = hashlib.sha256()
    for source in sorted(file for folder in SOURCES for file in (PACKAGE / folder).glob("*.py")):
        digest.update(f"{source.name} {source.stat().st_mtime_ns} {source.stat().st_size}".encode())
    family = f"kernel{os.environ.get('DAVIDGOLIATH_KERNEL', '')}-"
    name = family + digest.hexdigest()[:16]
    places: list[Callable[[], Path]] = [lambda: PACKAGE / "__pycache__", cache_directory]
    for place in places:
        try:
            parent = place()
            (parent / name).mkdir(parents=True, exist_ok=True)
        except (OSError, RuntimeError):  # not writable, or no home
            continue
        if os.access(parent / name, os.W_OK):
            for old in parent.glob(f"{family}*"):
                if old.name != name:
                    shutil.rmtree(old, ignore_errors=True)
            return parent / name
    return None
