"""A chart of numbers in text: bars from a line of 0, two steps to a row."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

FULL, UPPER, LOWER = "█", "▀", "▄"
WIDE: Final = 2
"""A bar; there is a column between two."""


def bars(values: Sequence[float], rows: int, worded: Callable[[float], str], *feet: Sequence[str]) -> list[str]:
    """Bars side by side in about so many rows, with the scale to their left. `feet`: what stands below each bar.

    >>> print("\\n".join(bars([1, 2, 0, -1], 3, lambda value: f"{value:+g}" if value else "0", "abcd")))
    +2    ██
       ██ ██
     0 ───────────
    -1          ██
        a  b  c  d
    """
    high, low = max(0.0, *values), min(0.0, *values)
    step = (high - low) / (2 * rows) or 1.0
    above, below = ceil(high / step / 2), ceil(-low / step / 2)
    heights = [round(value / step) for value in values]
    scale = {above: worded(high), -below: worded(low)} | {0: worded(0.0)}
    named = max(map(len, scale.values()))
    lines = []
    for row in range(above, -below - 1, -1):
        bar_row = (
            "─" * ((WIDE + 1) * len(values) - 1) if row == 0 else " ".join(_part(row, height) for height in heights)
        )
        lines.append(f"{scale.get(row, '').rjust(named)} {bar_row}")
    lines += [f"{' ' * named} {' '.join(text.rjust(WIDE) for text in texts)}" for texts in feet]
    return [line.rstrip() for line in lines]


def _part(row: int, height: int) -> str:
    """What a bar shows in a row above (1, 2, …) or below the line of 0 (-1, -2, …)."""
    there = (height if row > 0 else -height) - 2 * (abs(row) - 1)
    sign = FULL if there >= 2 else (LOWER if row > 0 else UPPER) if there == 1 else " "
    return sign * WIDE
