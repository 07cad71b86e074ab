"""A terminal that is too small for everything: it is told so, and the hand stays in sight."""

from typing import Final

from textual.content import Content
from textual.geometry import Size

from davidgoliath.terminal.scene_widget import Spoken

COLUMNS: Final = 80
ROWS: Final = 24
WIDE: Final = 120
"""From so many columns on there is room for a side."""
BY_WIDTH: list[tuple[int, str]] = [(0, "narrow"), (COLUMNS, "roomy"), (WIDE, "wide")]
BY_HEIGHT: list[tuple[int, str]] = [(0, "low"), (ROWS, "high")]
"""What screens are called by their size, for their styles."""


def is_cramped(size: Size) -> bool:
    return size.width < COLUMNS or size.height < ROWS


class Cramped(Spoken):
    """How small the terminal is, and from which size on everything has room."""

    def render(self) -> Content:
        width, height = self.app.size
        least = f"{COLUMNS}×{ROWS}"
        return Content.styled(self.texts("terminal.small", size=f"{width}×{height}", least=least), "bold")
