"""Score pads kept on this machine, a JSON file each."""

from pathlib import Path

from davidgoliath.home import data_directory
from davidgoliath.notation import ScorePad, decoded
from davidgoliath.terminal.kept import Damaged, Kept, KeptFile, read_all


def read_pad(file: Path) -> ScorePad:
    return ScorePad.parse(decoded(file.read_bytes()))


def new_pad_file() -> KeptFile:
    """A file of its own for a new pad; the old ones stay."""
    return KeptFile.new(_directory(), ".json")


def unfinished_pads() -> tuple[list[Kept[ScorePad]], list[Damaged]]:
    def read(file: Path) -> ScorePad | None:
        pad = read_pad(file)
        return None if pad.is_over else pad

    return read_all(_directory().glob("*.json"), read)


def _directory() -> Path:
    return data_directory() / "pads"
