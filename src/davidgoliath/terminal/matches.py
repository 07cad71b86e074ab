"""The list of matches to go on with, over the first screen."""

import sys
from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding
from textual.content import Content
from textual.widget import Widget

from davidgoliath.terminal.dialogs import Dialog
from davidgoliath.terminal.form import Act, Key
from davidgoliath.terminal.kept import Damaged, Kept
from davidgoliath.terminal.lines import columns
from davidgoliath.terminal.saved import Unfinished
from davidgoliath.terminal.scene_widget import Spoken
from davidgoliath.texts import Texts


class _Match(Act):
    """A row of the list."""

    def __init__(self, number: int, matches: Sequence[Kept[Unfinished]]) -> None:
        super().__init__(f"match-{number}", "saved.matches")
        self.number, self.matches = number, matches

    def render(self) -> Content:
        rows = [kept.content.row(kept, self.texts) for kept in self.matches]
        line = columns(rows, width=sys.maxsize)[self.number].strip()  # it wraps by itself
        mark, style = ("▸ ", "bold reverse") if self.has_focus else ("  ", "")
        return Content.assemble((mark, "bold"), (line, style))

    async def action_press(self) -> None:
        self.screen.dismiss(str(self.number))


class Unreadable(Spoken):
    """A file that can't be read; it can't be chosen either."""

    def __init__(self, damaged: Damaged) -> None:
        super().__init__()
        self.damaged = damaged

    def render(self) -> Content:
        return self.paint.still(f"{self.damaged.worded(self.texts)}")


class MatchesDialog(Dialog):
    """Matches that aren't over. Dismissed with the number of the one to go on with, or with nothing."""

    BINDINGS: ClassVar = [
        Binding("up", "app.focus_previous", priority=True),
        Binding("down", "app.focus_next", priority=True),
    ]

    def __init__(self, matches: Sequence[Kept[Unfinished]], damaged: Sequence[Damaged]) -> None:
        super().__init__()
        self.matches, self.damaged = matches, damaged

    def heading(self, texts: Texts) -> str:
        return texts("saved.matches")

    def inside(self) -> Iterator[Widget]:
        for number in range(len(self.matches)):
            yield _Match(number, self.matches)
        for damaged in self.damaged:
            yield Unreadable(damaged)

    def keys(self) -> Iterator[Key]:
        if self.matches:
            yield Key("↵", "page.return", "press")
        yield from super().keys()

    async def action_press(self) -> None:
        if isinstance(self.focused, _Match):
            await self.focused.action_press()
