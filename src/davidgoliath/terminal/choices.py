"""What a person chose last in the terminal, kept for the next time."""

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

from davidgoliath.files import write_whole
from davidgoliath.home import data_directory
from davidgoliath.rules import PRESETS
from davidgoliath.texts import LANGUAGES

LOOKS: Final = ("light", "dark")
PACES: Final = {"instant": 0.0, "quick": 0.4, "normal": 1.0, "slow": 2.0}
"""Seconds that a bot takes for a card, by the page's words for it."""
STAYS: Final = (0, 2, 4)
"""Seconds that a finished trick stays; 0: until a key."""


def background(colours: str) -> str:
    """Whether a terminal is light or dark, as far as `COLORFGBG` tells it.

    >>> background("0;15"), background("")
    ('light', 'dark')
    """
    return "light" if colours.rpartition(";")[2] in ("7", "15") else "dark"


@dataclass(slots=True)
class Choices:
    """Players, bot and rules of the last match; how the person likes it."""

    players: int = 4
    bot: str = "casual"
    rules: str = "classic"
    language: str = ""
    """Empty: as the environment says."""
    look: str = ""
    """Empty: as the terminal says."""
    pace: str = "normal"
    stay: int = 4

    @property
    def light(self) -> bool:
        return (self.look or background(os.environ.get("COLORFGBG", ""))) == "light"

    def keep(self) -> None:
        """Where nothing can be written, it lasts as long as the program."""
        file = _file()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, json.dumps(asdict(self)).encode(), replace=True)
        except OSError:
            return

    @classmethod
    def kept(cls, bots: tuple[str, ...]) -> "Choices":
        """The last choices, as far as they can be read and still make sense."""
        allowed: dict[str, tuple[object, ...]] = {
            "players": (3, 4, 5, 6),
            "bot": bots,
            "rules": tuple(PRESETS),
            "language": LANGUAGES,
            "look": LOOKS,
            "pace": tuple(PACES),
            "stay": STAYS,
        }
        try:
            told = json.loads(_file().read_text(encoding="utf-8"))
        except (OSError, ValueError):
            told = None
        kept = told if isinstance(told, dict) else {}
        names = [field.name for field in fields(cls)]
        return cls(**{name: kept[name] for name in names if kept.get(name) in allowed[name]})


def _file() -> Path:
    return data_directory() / "terminal.json"
