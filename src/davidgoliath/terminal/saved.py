"""Matches kept on this machine, a DGN file each."""

from collections.abc import Container, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from davidgoliath.bots import BOT
from davidgoliath.home import data_directory
from davidgoliath.match import Match
from davidgoliath.notation import DealRecord, MatchRecord, decoded
from davidgoliath.terminal.company import bot_name, bots_at
from davidgoliath.terminal.kept import Damaged, Kept, KeptFile, read_all
from davidgoliath.texts import Texts

Hints: TypeAlias = tuple[tuple[int, ...], ...]
"""Of a deal, by seat: the tricks in which it was shown one."""


class SavedMatch:
    """The file of a match against bots, who sits where, and the hints that were shown."""

    def __init__(self, kept: KeptFile, names: tuple[str, ...], hints: Mapping[int, Hints] | None = None) -> None:
        """`hints`: by deal, from 0, as in its record."""
        self.kept, self.names, self.hints = kept, names, dict(hints or {})

    @classmethod
    def new(cls, names: tuple[str, ...]) -> "SavedMatch":
        """A file of its own for a new match; the old ones stay."""
        return cls(KeptFile.new(_directory(), ".dgn"), names)

    @property
    def file(self) -> Path:
        return self.kept.file

    def record(self, match: Match) -> MatchRecord:
        return MatchRecord(
            tuple(
                DealRecord.of(state, names=self.names, hints=self.hints.get(number))
                for number, state in enumerate(match.deals)
            )
        )

    def save(self, match: Match) -> None:
        self.kept.save(str(self.record(match)))


class Unfinished(NamedTuple):
    """A match to go on with."""

    match: Match
    names: tuple[str, ...]
    hints: Mapping[int, Hints] = MappingProxyType({})

    def row(self, kept: Kept["Unfinished"], texts: Texts) -> list[str]:
        """What tells it from others, for a list."""
        standing = self.match.standing
        bots = dict.fromkeys(filter(None, bots_at(self.names)))
        return [
            kept.when,
            texts("count.players", count=self.match.players),
            texts("page.deal_of", deal=standing.deal, deals=standing.deals),
            ", ".join(bot_name(texts, bot) for bot in bots),
        ]


def unfinished_matches(bots: Container[str]) -> tuple[list[Kept[Unfinished]], list[Damaged]]:
    """Those to go on with: not over, and one person's against these bots."""

    def read(file: Path) -> Unfinished | None:
        record = MatchRecord.parse(decoded(file.read_bytes()))
        match, names = Match.replay(record), record.deals[0].names or ()
        known = [name.startswith(BOT) and name.removeprefix(BOT) in bots for name in names]
        hints = {number: deal.hints for number, deal in enumerate(record.deals) if deal.hints}
        return None if match.is_over or known.count(False) != 1 else Unfinished(match, names, hints)

    return read_all(_directory().glob("*.dgn"), read)


def _directory() -> Path:
    return data_directory() / "matches"
