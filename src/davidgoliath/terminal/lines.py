"""Plain text in as many columns as there are: sentences wrap, and tables fit."""

import re
import shutil
import textwrap
from collections.abc import Container, Iterable, Sequence
from itertools import zip_longest

GAP = 2
"""Between columns, and before the first one."""


def terminal_width() -> int:
    """How many columns there are: `COLUMNS`, or those of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def wrapped(text: str, width: int | None = None) -> str:
    """Lines that are too long go on below, indented as they began; behind a first column, below the second.

    >>> print(wrapped("u  takes the last step back\\nq  leaves", 16))
    u  takes the
       last step
       back
    q  leaves
    """
    room = width or terminal_width()
    return "\n".join(part for line in text.split("\n") for part in _parts(line, room))


def _parts(line: str, room: int) -> list[str]:
    if len(line) <= room:
        return [line]
    begun = re.match(r" *(?:\S+(?: \S+)* {2,})?", line)
    hang = begun.end() if begun else 0
    return _wrap(line, room, hang if hang <= room // 2 else len(line) - len(line.lstrip()))


def _wrap(text: str, room: int, hang: int = 0) -> list[str]:
    """Words stay whole, and so do addresses and files."""
    indent = " " * hang
    return textwrap.wrap(text, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def fit(text: str, width: int) -> str:
    """A text in so many columns at the most."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def columns(rows: Sequence[Sequence[str]], right: Container[int] = (), width: int | None = None) -> list[str]:
    """Rows in columns, indented; those in `right` are set flush right.

    Cells that have too little room wrap. A table that is too wide even so goes on below, with its first column again.

    >>> print("\\n".join(columns([["", "Ann", "Ben", "Cleo"], ["points", "12", "7", "30"]], {1, 2, 3}, 20)))
              Ann  Ben
      points   12    7
    <BLANKLINE>
              Cleo
      points    30
    """
    room = width or terminal_width()
    cells = list(zip(*rows, strict=True))
    least = [max(1, *(len(word) for cell in column for word in cell.split(" "))) for column in cells]
    if _total(least) > room and len(least) > 2:
        half = (len(least) + 2) // 2
        rest = [0, *range(half, len(least))]
        return [
            *columns([row[:half] for row in rows], right, room),
            "",
            *columns([[row[n] for n in rest] for row in rows], {at for at, n in enumerate(rest) if n in right}, room),
        ]
    widths = [max(1, *map(len, column)) for column in cells]
    while _total(widths) > room and widths != least:
        _narrow(rows, widths, least)
    return [line for row in rows for line in _lines(row, widths, right)]


def _narrow(rows: Sequence[Sequence[str]], widths: list[int], least: list[int]) -> None:
    """Takes room from the column where that makes the table longer by the fewest lines; of equal ones, the widest."""
    heights = [max(len(_wrap(cell, width)) for cell, width in zip(row, widths, strict=True)) for row in rows]
    tried = {}
    for number, width in enumerate(widths):
        if width > least[number]:
            cells = [_wrap(row[number], width - 1) for row in rows]
            longer = sum(max(0, len(cell) - height) for cell, height in zip(cells, heights, strict=True))
            tried[longer, -width, number] = max(len(part) for cell in cells for part in cell)
    best = min(tried)
    widths[best[-1]] = tried[best]


def _total(widths: Iterable[int]) -> int:
    return sum(width + GAP for width in widths)


def _lines(row: Sequence[str], widths: Sequence[int], right: Container[int]) -> list[str]:
    """One row of a table, in as many lines as its longest cell takes."""
    wrapped_cells = (_wrap(cell, width) for cell, width in zip(row, widths, strict=True))
    lines = []
    for parts in zip_longest(*wrapped_cells, fillvalue=""):
        set_out = (
            part.rjust(width) if number in right else part.ljust(width)
            for number, (part, width) in enumerate(zip(parts, widths, strict=True))
        )
        lines.append("".join(" " * GAP + cell for cell in set_out).rstrip())
    return lines
