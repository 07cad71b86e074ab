"""What the table of a game and that of a replay have in common: where everything stands, and the dialogs over it."""

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen

from davidgoliath.terminal.board import Ledger, TrickRow
from davidgoliath.terminal.cramped import ROWS, Cramped
from davidgoliath.terminal.dialogs import HelpDialog, PointsDialog, RadarDialog, StoryDialog, TrickDialog
from davidgoliath.terminal.panels import Radar, Standings, Story, Title
from davidgoliath.terminal.scene import Scene
from davidgoliath.terminal.scene_widget import SceneWidget

MOST_ROWS: Final = 3


class Tabletop(Screen[None]):
    """A table that shows one scene after another."""

    HELP = "terminal.help"

    @property
    def scene(self) -> Scene | None:
        raise NotImplementedError

    def compose_table(self, *beneath: SceneWidget) -> ComposeResult:
        """The piles, the trick and what lies beneath it; and where there is room for it, what stands at the side."""
        yield Cramped()
        with Horizontal(id="all"):
            with Vertical(id="main"):
                yield Title()
                yield Ledger()
                yield TrickRow()
                yield from beneath
            with VerticalScroll(id="side", can_focus=False):
                yield Radar(headed=True)
                yield Standings(headed=True)
                yield Story(headed=True)

    def fit(self, players: int, others: int) -> None:
        """As many rows for each player as there is room for. `others`: what the table takes besides."""
        rows = (self.size.height - others) // players
        ledger = self.query_one(Ledger)
        ledger.styles.height = 1 + players * max(1, min(MOST_ROWS, rows))
        ledger.display = rows > 0 or self.size.height >= ROWS

    def action_radar(self) -> None:
        if self.scene:
            self.app.push_screen(RadarDialog(self.scene))

    def action_trick(self) -> None:
        if self.scene:
            self.app.push_screen(TrickDialog(self.scene))

    def action_points(self) -> None:
        if self.scene:
            self.app.push_screen(PointsDialog(self.scene))

    def action_story(self) -> None:
        if self.scene:
            self.app.push_screen(StoryDialog(self.scene))

    def action_help(self) -> None:
        self.app.push_screen(HelpDialog(self.query_one(Title).texts, self.HELP))
