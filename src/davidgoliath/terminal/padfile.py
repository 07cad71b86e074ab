"""Score pads kept on this machine, a JSON file each: nothing is lost when a terminal closes."""

from pathlib import Path

from davidgoliath.home import data_directory
from davidgoliath.notation import ScorePad


def read_pad(file: Path) -> ScorePad:
    return ScorePad.parse(file.read_text(encoding="utf-8-sig", errors="surrogateescape"))


def save_pad(file: Path, pad: ScorePad) -> None:
    """Replaces the file in one step, so that it is always whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(".new")
    beside.write_text(f"{pad}\n", encoding="utf-8")
    beside.replace(file)


def newest_pad() -> Path | None:
    """The file of the pad that was begun last."""
    return max(_directory().glob("*.json"), default=None)


def next_file() -> Path:
    """A file of its own for a new pad; the old ones stay."""
    numbers = [int(file.stem) for file in _directory().glob("*.json") if file.stem.isdecimal()]
    return _directory() / f"{1 + max(numbers, default=0):04}.json"


def _directory() -> Path:
    return data_directory() / "pads"
