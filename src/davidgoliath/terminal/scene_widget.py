"""A widget of what the terminal shows: it draws a scene in so many columns."""

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


class SceneWidget(Spoken):
    """A widget of the table, drawn anew for each scene."""

    heading = ""
    """The key of its title."""
    scene: reactive[Scene | None] = reactive(None, layout=True)

    def __init__(self, *, headed: bool = False) -> None:
        super().__init__()
        self.headed = headed

    def render(self) -> Content:
        return self._drawn(self.size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._drawn(width).get_height({}, width)

    def _drawn(self, width: int) -> Content:
        if not self.scene or not width:
            return Content()
        content = self.draw(self.scene, width)
        return Content.assemble((self.texts(self.heading), "bold"), "\n", content) if self.headed else content

    def draw(self, scene: Scene, width: int) -> Content:
        """What is shown of a scene."""
        raise NotImplementedError
