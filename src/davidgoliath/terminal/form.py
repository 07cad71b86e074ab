"""What can be chosen and pressed: rows of choices, acts, and the keys at the foot of a screen."""

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import ClassVar

from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from davidgoliath.terminal.paint import rows
from davidgoliath.terminal.scene_widget import Spoken
from davidgoliath.texts import Texts


class Choice(Spoken, can_focus=True):
    """A row of options, one of them chosen. Arrows or a click choose another one."""

    BINDINGS: ClassVar = [("left", "turn(-1)"), ("right", "turn(1)")]
    chosen: reactive[str] = reactive("")

    class Chosen(Message):
        """Another option was chosen."""

        def __init__(self, choice: "Choice") -> None:
            super().__init__()
            self.choice = choice

    def __init__(
        self,
        name: str,
        label: str,
        options: Sequence[str],
        chosen: str,
        word: Callable[[Texts, str], str] = lambda texts, option: option,
        hint: Callable[[Texts, str], str] | None = None,
    ) -> None:
        """`label` is a text's key; `word` and `hint` say an option in words."""
        super().__init__(id=name)
        self.label, self.options, self.word, self.hint = label, list(options), word, hint
        self.set_reactive(Choice.chosen, chosen)

    def render(self) -> Content:
        return self._drawn(self.size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._drawn(width).get_height({}, width)

    def _drawn(self, width: int) -> Content:
        mark = "▸ " if self.has_focus else "  "
        label = (mark + self.texts(self.label)).ljust(self.labelled)
        lines = [Content.styled(label, "bold" if self.has_focus else "")]
        for row, _, option in self._places(width):
            word = self.word(self.texts, option)
            if row == len(lines):
                lines.append(Content(" " * self.labelled))
            lines[row] += (
                Content.styled(f"[{word}]", "bold reverse" if self.has_focus else "bold")
                if option == self.chosen
                else Content(f" {word} ")
            )
        notes = wrap(self.hint(self.texts, self.chosen), max(20, width - 8)) if self.hint else []
        return rows([*lines, *(self.paint.still(f"    {note}") for note in notes)])

    @property
    def labelled(self) -> int:
        """How wide labels are: as the widest of its neighbours."""
        labels = [self.texts(other.label) for other in self.screen.query(Choice)]
        return 4 + max(map(len, labels))

    def places(self) -> list[tuple[int, int, str]]:
        """Where each option is: its row, and where it ends."""
        return self._places(self.size.width)

    def _places(self, width: int) -> list[tuple[int, int, str]]:
        row, end, found = 0, self.labelled, []
        for option in self.options:
            wide = len(self.word(self.texts, option)) + 2
            if end + wide > width and end > self.labelled:
                row, end = row + 1, self.labelled
            end += wide
            found.append((row, end, option))
        return found

    def action_turn(self, step: int) -> None:
        self._choose(self.options[(self.options.index(self.chosen) + step) % len(self.options)])

    def on_click(self, event: Click) -> None:
        there = [option for row, end, option in self.places() if row == event.y and self.labelled <= event.x < end]
        for option in there[:1]:
            self._choose(option)

    def _choose(self, option: str) -> None:
        self.chosen = option
        self.post_message(self.Chosen(self))


class Act(Spoken, can_focus=True):
    """Something to press. Its name is the action of its screen."""

    BINDINGS: ClassVar = [("enter,space", "press")]

    def __init__(self, action: str, label: str, note: Callable[[Texts], str] = lambda texts: "") -> None:
        super().__init__(id=action)
        self.label, self.note = label, note

    def render(self) -> Content:
        style = "bold reverse" if self.has_focus else "bold"
        mark = "▸ " if self.has_focus else "  "
        return Content.assemble(
            (mark, "bold"), (f"[ {self.texts(self.label)} ]", style), "  ", self.paint.still(self.note(self.texts))
        )

    async def action_press(self) -> None:
        await self.screen.run_action(str(self.id))

    async def on_click(self) -> None:
        await self.action_press()


class Keys(Horizontal):
    """Keys at the foot of a screen, as many as there is room for: the first ones, and the last two."""

    def fit(self) -> None:
        keys = list(self.query(Key))
        taken = sum(key.wide for key in keys[-2:])
        for key in keys[:-2]:
            taken += key.wide
            key.display = taken <= self.size.width

    def on_resize(self) -> None:
        self.fit()


class Key(Spoken):
    """A key and what it does: it may be clicked on, too."""

    label: reactive[str] = reactive("", layout=True)

    def __init__(self, key: str, label: str, action: str, *, name: str | None = None) -> None:
        super().__init__(id=name)
        self.key, self.action = key, action
        self.set_reactive(Key.label, label)

    def render(self) -> Content:
        return Content.assemble((f" {self.key} ", "bold reverse"), f" {self.texts(self.label)} ")

    @property
    def wide(self) -> int:
        return self.render().cell_length

    def watch_label(self) -> None:
        if isinstance(self.parent, Keys) and self.is_mounted:
            self.parent.fit()

    async def on_click(self) -> None:
        await self.screen.run_action(self.action)
