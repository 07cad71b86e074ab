"""A part of what the terminal shows: it draws a scene in so many columns."""

from typing import TYPE_CHECKING, cast

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from davidgoliath.terminal.paint import Paint
from davidgoliath.terminal.scene import Scene
from davidgoliath.texts import Texts

if TYPE_CHECKING:
    from davidgoliath.terminal.app import TerminalApp


class Spoken(Widget):
    """Whatever has words and colours: they may change while it is shown."""

    @property
    def table(self) -> "TerminalApp":
        return cast("TerminalApp", self.app)

    @property
    def texts(self) -> Texts:
        return self.table.texts

    @property
    def paint(self) -> Paint:
        return self.table.paint


class Part(Spoken):
    """A part of the table, drawn anew for each scene."""

    scene: reactive[Scene | None] = reactive(None, layout=True)

    def render(self) -> Content:
        return self.draw(self.scene, self.size.width) if self.scene and self.size.width else Content()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        content = self.draw(self.scene, width) if self.scene and width else Content()
        return content.get_height({}, width)

    def draw(self, scene: Scene, width: int) -> Content:
        """What is shown of a scene."""
        raise NotImplementedError
