"""Where people's data, and what can be made again, live on this machine."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def data_directory(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The user's data directory: `DAVIDGOLIATH_DATA`, or where the system keeps such things.

    >>> str(data_directory({"DAVIDGOLIATH_DATA": "games"}))
    'games'
    """
    if own := environ.get("DAVIDGOLIATH_DATA"):
        return Path(own)
    if platform == "win32":
        return _windows(environ) / "davidgoliath"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "davidgoliath"
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "davidgoliath"


def cache_directory(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where the system keeps what a program can make again."""
    if platform == "win32":
        return _windows(environ) / "davidgoliath" / "cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "davidgoliath"
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "davidgoliath"


def _windows(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
