"""The games of an arena as they come in, kept in a file of JSON Lines if one is wanted.

The first line says what arena it is; then there is a line a game, in the order of the arena's list. So a file that ends
anywhere, even within a line, can go on from there.
"""

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import msgspec

from davidgoliath.files import named_in_errors
from davidgoliath.match.arena import Arena, ArenaReason, Game
from davidgoliath.rules import Refusal
from davidgoliath.rules.cards import HAND_SIZE

FORMAT: Final = "davidgoliath-arena/1"


class Results:
    """An arena's games so far. Use it with `with`: a file is open as long."""

    def __init__(self, arena: Arena, file: Path | None = None) -> None:
        self.arena, self.file = arena, file
        self.games: list[Game] = []
        self._stream: BinaryIO | None = None

    def __enter__(self) -> Self:
        if self.file:
            is_new, is_stream = not self.file.exists(), self.file.exists() and not self.file.is_file()
            whole = self._read(self.file.read_bytes()) if self.file.is_file() else 0
            self._stream = open(os.open(self.file, os.O_WRONLY | os.O_CREAT, 0o666), "wb")  # noqa: PTH123
            if not is_stream:
                self._stream.truncate(whole)
                self._stream.seek(whole)
            try:
                if not whole:
                    self._write(header(self.arena))
            except OSError:
                if is_new:
                    self.file.unlink()
                raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._stream:
            self._stream.close()

    def add(self, game: Game) -> None:
        """The next game."""
        self.games.append(game)
        self._write(game)

    def _write(self, value: Any) -> None:
        if self._stream and self.file:
            try:
                with named_in_errors(self.file):
                    self._stream.write(msgspec.json.encode(value) + b"\n")
                    self._stream.flush()
            except OSError:
                with suppress(OSError):  # it would say so again
                    self._stream.close()
                raise

    def _read(self, data: bytes) -> int:
        """Takes in the games of a file, and tells how many of its bytes are whole lines."""
        *lines, torn = data.split(b"\n")
        if not lines and (msgspec.json.encode(header(self.arena)) + b"\n").startswith(torn):
            return 0
        self._check_header(lines[0] if lines else torn)
        for number, line in enumerate(lines[1:]):
            game = self._game(number, line)
            if game is None and number == len(lines) - 2:
                return len(data) - len(torn) - len(line) - 1
            if game is None:
                raise Refusal(ArenaReason.RESULTS_DAMAGED, file=self.file, line=number + 2)
            self.games.append(game)
        return len(data) - len(torn)

    def _check_header(self, line: bytes) -> None:
        try:
            found = msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:
            found = {}
        if found.get("format") != FORMAT:
            raise Refusal(ArenaReason.NOT_RESULTS, file=self.file)
        for key, value in header(self.arena).items():
            if found.get(key) != value:
                there, here = (msgspec.json.encode(word).decode() for word in (found.get(key), value))
                raise Refusal(ArenaReason.RESULTS_DIFFER, file=self.file, field=key, found=there, expected=here)

    def _game(self, number: int, line: bytes) -> Game | None:
        """The game in a line, if it is this one of the list."""
        try:
            game = msgspec.json.decode(line, type=Game)
        except msgspec.DecodeError:
            return None
        deal, seating = self.arena.place_of(number)
        shape = [len(game.scores), *map(len, game.ms)]
        wanted = [self.arena.players, *[HAND_SIZE] * self.arena.players]
        return game if (game.deal, game.seats, shape) == (deal, seating.names, wanted) else None


def header(arena: Arena) -> dict[str, Any]:
    """What must be the same for games to belong to one arena."""
    return {
        "format": FORMAT,
        "tables": [list(table) for table in arena.tables],
        "players": arena.players,
        "rules": str(arena.rules),
        "seed": arena.seed,
        "iterations": arena.iterations,
    }
