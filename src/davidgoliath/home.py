"""Where people's data lives on this machine."""

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
        parent = Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif platform == "darwin":
        parent = Path.home() / "Library" / "Application Support"
    else:
        parent = Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return parent / "davidgoliath"
