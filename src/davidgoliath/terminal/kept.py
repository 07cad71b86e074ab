"""Files that people never have to save: matches and score pads, written again after every step.

Nothing is lost when a terminal closes, nor when two of them have the same file open: who finds it changed by
somebody else goes on in a file of its own.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from davidgoliath.files import write_whole
from davidgoliath.rules import Refusal
from davidgoliath.terminal.lines import columns
from davidgoliath.texts import Texts

T = TypeVar("T")


class KeptFile:
    """A file, and how it was when it was last read or written here."""

    def __init__(self, file: Path) -> None:
        """A file that isn't there yet is a new one."""
        self.file = file
        self._known = _state(file)

    @classmethod
    def new(cls, folder: Path, suffix: str) -> "KeptFile":
        """A number of its own; the old ones stay."""
        numbers = [int(file.stem) for file in folder.glob(f"*{suffix}") if file.stem.isdecimal()]
        return cls(folder / f"{1 + max(numbers, default=0):04}{suffix}")

    def save(self, text: str) -> None:
        """Replaces the file in one step, so that it is always whole."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        if _state(self.file) not in (self._known, None):
            self._make_way()
        while True:
            try:
                write_whole(self.file, text.encode(), replace=self._known is not None)
                break
            except Refusal:  # somebody has begun one at the same moment
                self._make_way()
        self._known = _state(self.file)

    def _make_way(self) -> None:
        """Turns to a name that is free."""
        stem, suffix = self.file.stem, self.file.suffix
        names = (f"{int(stem) + n:04}" if stem.isdecimal() else f"{stem}-{n + 1}" for n in count(1))
        self.file = next(file for name in names if not (file := self.file.with_name(name + suffix)).exists())
        self._known = None


def _state(file: Path) -> tuple[int, int, int] | None:
    if not file.exists():
        return None
    there = file.stat()
    return there.st_ino, there.st_size, there.st_mtime_ns


class Kept(NamedTuple, Generic[T]):
    """What a file holds, and when it was last written."""

    keeper: KeptFile
    content: T
    written: float

    @property
    def file(self) -> Path:
        return self.keeper.file

    @property
    def when(self) -> str:
        return f"{datetime.fromtimestamp(self.written, UTC).astimezone():%Y-%m-%d %H:%M}"


class Damaged(NamedTuple):
    """A file that can't be read."""

    file: Path
    why: Refusal | OSError

    def worded(self, texts: Texts) -> str:
        why = texts.error(self.why) if isinstance(self.why, Refusal) else texts.trouble(self.why)
        return texts("saved.damaged", file=self.file.name, why=why)


def read_all(files: Iterable[Path], read: Callable[[Path], T | None]) -> tuple[list[Kept[T]], list[Damaged]]:
    """What can be gone on with, the last written first; and those that can't be read, which hide none of the others."""
    found, damaged = [], []
    for file in sorted(files):
        try:
            keeper, content = KeptFile(file), read(file)
            if content is not None:
                found.append(Kept(keeper, content, file.stat().st_mtime))
        except (Refusal, OSError) as error:
            damaged.append(Damaged(file, error))
    return sorted(found, key=lambda kept: -kept.written), damaged


def choose(
    rows: Sequence[Sequence[str]],
    title: str,
    texts: Texts,
    read: Callable[[str], str],
    write: Callable[[str], None],
) -> int | None:
    """Which of a list somebody wants to go on with, in plain lines; None for something new, EOFError for nothing."""
    write("\n".join([title, *columns([[str(n), *row] for n, row in enumerate(rows, 1)], right={0})]))
    while line := read(texts("saved.prompt")).strip():
        if line.isascii() and line.isdigit() and 1 <= int(line) <= len(rows):
            return int(line) - 1
        if line == "q":
            raise EOFError
        write(texts("saved.no_such_number", text=line))
    return None
