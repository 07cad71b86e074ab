"""What can be chosen and pressed: rows of choices, acts, and the keys at the foot of a screen."""

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import ClassVar

from textual.content import Content
from textual.events import Click
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
        mark = "▸ " if self.has_focus else "  "
        parts = [Content.styled((mark + self.texts(self.label)).ljust(self.labelled), "bold" if self.has_focus else "")]
        for option in self.options:
            word = self.word(self.texts, option)
            parts.append(
                Content.styled(f"[{word}]", "bold reverse" if self.has_focus else "bold")
                if option == self.chosen
                else Content(f" {word} ")
            )
        line = Content.assemble(*parts)
        if not self.hint:
            return line
        notes = wrap(self.hint(self.texts, self.chosen), self.size.width - 8)
        return rows([line, *(self.paint.still(f"    {note}") for note in notes)])

    @property
    def labelled(self) -> int:
        """How wide labels are: as the widest of its neighbours."""
        labels = [self.texts(other.label) for other in self.screen.query(Choice)]
        return 4 + max(map(len, labels))

    def places(self) -> list[tuple[int, str]]:
        """Where each option begins."""
        column, found = self.labelled, []
        for option in self.options:
            found.append((column, option))
            column += len(self.word(self.texts, option)) + 2
        return [*found, (column, "")]

    def action_turn(self, step: int) -> None:
        self._choose(self.options[(self.options.index(self.chosen) + step) % len(self.options)])

    def on_click(self, event: Click) -> None:
        if event.y == 0:
            for option in [option for column, option in self.places() if column <= event.x][-1:]:
                self._choose(option or self.chosen)

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


class Key(Spoken):
    """A key and what it does: it may be clicked on, too."""

    label: reactive[str] = reactive("", layout=True)

    def __init__(self, key: str, label: str, action: str, *, name: str | None = None) -> None:
        super().__init__(id=name)
        self.key, self.action = key, action
        self.set_reactive(Key.label, label)

    def render(self) -> Content:
        return Content.assemble((f" {self.key} ", "bold reverse"), f" {self.texts(self.label)} ")

    async def on_click(self) -> None:
        await self.screen.run_action(self.action)
