"""Matches kept on this machine, a DGN file each: nothing is lost when a terminal closes."""

from collections.abc import Container
from pathlib import Path

from davidgoliath.bots import BOT
from davidgoliath.home import data_directory
from davidgoliath.match import Match
from davidgoliath.notation import MatchRecord


class SavedMatch:
    """The file of a match against bots, and who sits where."""

    def __init__(self, file: Path, names: tuple[str, ...]) -> None:
        self.file = file
        self.names = names

    @classmethod
    def new(cls, names: tuple[str, ...]) -> "SavedMatch":
        """A file of its own for a new match; the old ones stay."""
        directory = _directory()
        directory.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(file.stem) for file in directory.glob("*.dgn") if file.stem.isdecimal()), default=0)
        return cls(directory / f"{number:04}.dgn", names)

    def save(self, match: Match) -> None:
        """Replaces the file in one step, so that it is always whole."""
        beside = self.file.with_suffix(".new")
        beside.write_text(str(match.record(names=self.names)), encoding="utf-8")
        beside.replace(self.file)


def newest_unfinished(bots: Container[str]) -> tuple[SavedMatch, Match] | None:
    """The match to go on with: the newest, unless it is over or not one person's against these bots.

    Raises `Refusal` where its file is damaged.
    """
    files = sorted(_directory().glob("*.dgn"))
    if not files:
        return None
    record = MatchRecord.parse(files[-1].read_text(encoding="utf-8", errors="surrogateescape"))
    match, names = Match.replay(record), record.deals[0].names or ()
    known = [name.startswith(BOT) and name.removeprefix(BOT) in bots for name in names]
    return None if match.is_over or known.count(False) != 1 else (SavedMatch(files[-1], names), match)


def _directory() -> Path:
    return data_directory() / "matches"
