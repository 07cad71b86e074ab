"""What opens over the table: radar, tricks, points, scores, story, help, settings; and what ends a deal or a match."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, cast

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from davidgoliath.rules import View
from davidgoliath.terminal.choices import LOOKS, PACES, STAYS, Choices
from davidgoliath.terminal.company import introduction
from davidgoliath.terminal.form import Choice, Key, Keys
from davidgoliath.terminal.narrator import headline
from davidgoliath.terminal.paint import rows
from davidgoliath.terminal.panels import OneTrick, Points, Radar, Scores, Story
from davidgoliath.terminal.rules_transcript import RulesMarkdown
from davidgoliath.terminal.scene import Scene
from davidgoliath.terminal.scene_widget import SceneWidget, Spoken
from davidgoliath.texts import LANGUAGES, Texts

AROUND: Final = 5
"""Rows of a dialog besides its body: frame, margins, keys."""


class Dialog(ModalScreen[str]):
    """A dialog: what it is dismissed with is what the person wants next."""

    BINDINGS: ClassVar = [
        Binding("escape,q", "close"),
        Binding("up", "scroll(-1)", priority=True),
        Binding("down", "scroll(1)", priority=True),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            with VerticalScroll(id="body", can_focus=False):
                yield from self.inside()
            with Keys():
                yield from self.keys()

    def on_mount(self) -> None:
        self.word()

    def on_resize(self) -> None:
        self.query_one("#body").styles.max_height = self.size.height - AROUND

    def word(self) -> None:
        """The title, in the language of the moment."""
        self.query_one("#dialog").border_title = self.heading(self.query(Spoken).first().texts)

    def heading(self, texts: Texts) -> str:
        raise NotImplementedError

    def inside(self) -> Iterator[Widget]:
        raise NotImplementedError

    def keys(self) -> Iterator[Key]:
        yield Key("Esc", "page.close", "close")

    def action_close(self) -> None:
        self.dismiss("")

    def action_scroll(self, lines: int) -> None:
        self.query_one("#body", VerticalScroll).scroll_relative(y=lines, animate=False)


class Said(Spoken):
    """Sentences, the first one strong."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = lines

    def render(self) -> Content:
        first, *more = self.lines
        return rows([Content.styled(first, "bold"), *map(Content, more)])


class SaidDialog(Dialog):
    """What there is to say. Dismissed with `on`, or with nothing."""

    BINDINGS: ClassVar = [("enter,space", "dismiss('on')")]

    def __init__(self, title: str, lines: Sequence[str], act: str = "page.go_on") -> None:
        """`title` and `act` are texts' keys."""
        super().__init__()
        self.titled, self.lines, self.act = title, lines, act

    def heading(self, texts: Texts) -> str:
        return texts(self.titled)

    def inside(self) -> Iterator[Widget]:
        yield Said(self.lines)

    def keys(self) -> Iterator[Key]:
        yield Key("↵", self.act, "dismiss('on')")
        yield from super().keys()


class PartDialog(Dialog):
    """A widget of the table in a dialog."""

    def __init__(self, scene: Scene, widget: SceneWidget, title: str) -> None:
        super().__init__()
        self.scene, self.widget, self.titled = scene, widget, title
        widget.set_reactive(SceneWidget.scene, scene)

    def heading(self, texts: Texts) -> str:
        return texts(self.titled)

    def inside(self) -> Iterator[Widget]:
        yield self.widget


class RadarDialog(PartDialog):
    """Third-card radar."""

    BINDINGS: ClassVar = [("d", "close")]

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, Radar(), "page.radar")


class StoryDialog(PartDialog):
    """The tricks so far."""

    BINDINGS: ClassVar = [("h", "close")]

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, Story(), "page.story")


class TrickDialog(PartDialog):
    """The last trick, and those before it."""

    BINDINGS: ClassVar = [("left", "turn(-1)"), ("right", "turn(1)"), ("t,l", "close")]

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, OneTrick(), "page.last_trick")
        self.number = len(scene.view.tricks) - 1
        self.widget.set_reactive(OneTrick.number, self.number)

    def heading(self, texts: Texts) -> str:
        if self.number < 0:
            return texts("page.last_trick")
        return texts("page.trick_number", number=self.number + 1)

    def keys(self) -> Iterator[Key]:
        yield Key("←", "page.earlier", "turn(-1)")
        yield Key("→", "page.later", "turn(1)")
        yield from super().keys()

    def action_turn(self, step: int) -> None:
        if 0 <= self.number + step < len(self.scene.view.tricks):
            self.number += step
            cast(OneTrick, self.widget).number = self.number
            self.word()


class PointsDialog(PartDialog):
    """The points of one seat after the other, the person's own first."""

    BINDINGS: ClassVar = [("left", "turn(-1)"), ("right", "turn(1)"), ("p", "close")]

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, Points(), "page.your_points")
        self.seat = scene.order[-1]
        self.widget.set_reactive(Points.seat, self.seat)

    def heading(self, texts: Texts) -> str:
        if self.seat == self.scene.view.seat:
            return texts("page.your_points")
        return introduction(self.scene.names[self.seat], self.scene.bots[self.seat], texts)

    def keys(self) -> Iterator[Key]:
        yield Key("←→", "page.players", "turn(1)")
        yield from super().keys()

    def action_turn(self, step: int) -> None:
        self.seat = cast(Points, self.widget).seat = (self.seat + step) % self.scene.view.players
        self.word()


class ScoresDialog(PartDialog):
    """The match so far, with the deal that is being played: what the table's column of that name says."""

    BINDINGS: ClassVar = [("s", "close")]

    def __init__(self, scene: Scene, finished: tuple[View, ...]) -> None:
        super().__init__(scene, Scores(), "page.match")
        now = () if scene.view.is_over else (scene.view,)
        self.widget.set_reactive(Scores.views, (*finished, *now))


class Between(ScoresDialog):
    """The scores between two deals. Dismissed with `on`, `undo` or `leave`."""

    BINDINGS: ClassVar = [
        ("enter,space", "dismiss('on')"),
        ("u", "dismiss('undo')"),
        ("p", "points"),
        ("r", "app.review"),
        ("escape,q", "dismiss('leave')"),
    ]

    def heading(self, texts: Texts) -> str:
        return texts("page.deal_is_over", deal=self.scene.view.standing.deal)

    def keys(self) -> Iterator[Key]:
        yield Key("↵", "page.go_on", "dismiss('on')")
        yield Key("r", "page.review", "app.review")
        yield Key("p", "page.see_piles", "points")
        yield Key("u", "page.undo", "dismiss('undo')")
        yield Key("q", "terminal.leave", "dismiss('leave')")

    def action_points(self) -> None:
        self.app.push_screen(PointsDialog(self.scene))


class Ending(Between):
    """The end of a match. Dismissed with `rematch`, `replay`, `home`, `undo` or `leave`."""

    BINDINGS: ClassVar = [
        ("enter,space", "dismiss('home')"),
        ("m", "dismiss('rematch')"),
        ("w", "dismiss('replay')"),
    ]

    def heading(self, texts: Texts) -> str:
        view = self.scene.view
        return headline(view.standing.after(view.scores).totals, self.scene.names, view.seat, texts)

    def keys(self) -> Iterator[Key]:
        yield Key("m", "page.rematch", "dismiss('rematch')")
        yield Key("r", "page.review", "app.review")
        yield Key("w", "page.replay", "dismiss('replay')")
        yield Key("p", "page.piles", "points")
        yield Key("↵", "page.home", "dismiss('home')")
        yield Key("q", "terminal.leave", "dismiss('leave')")


class HelpDialog(Dialog):
    """The keys, and the rules beneath them."""

    BINDINGS: ClassVar = [
        ("question_mark,f1", "close"),
        Binding("pageup", "scroll(-15)", priority=True),
        Binding("pagedown,space", "scroll(15)", priority=True),
    ]

    def __init__(self, texts: Texts, key: str) -> None:
        super().__init__()
        self.own, self.key = texts, key

    def heading(self, texts: Texts) -> str:
        return texts("terminal.help_word")

    def inside(self) -> Iterator[Widget]:
        yield Static(self.own(self.key), markup=False)
        yield Static(RulesMarkdown(self.own.rules()), id="text")

    def keys(self) -> Iterator[Key]:
        yield Key("↓", "page.rules", "scroll(15)")
        yield from super().keys()


class SettingsDialog(Dialog):
    """Language, look, and how quick everything is."""

    BINDINGS: ClassVar = [
        ("o,enter", "close"),
        Binding("up", "app.focus_previous", priority=True),
        Binding("down", "app.focus_next", priority=True),
    ]

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.choices = choices

    def heading(self, texts: Texts) -> str:
        return texts("page.settings")

    def inside(self) -> Iterator[Widget]:
        chosen = self.choices
        yield Choice(
            "language", "page.language", LANGUAGES, chosen.language, lambda texts, code: Texts(code)("language")
        )
        look = "light" if chosen.light else "dark"
        yield Choice("look", "page.theme", LOOKS, look, lambda texts, look: texts(f"page.theme.{look}"))
        yield Choice("pace", "page.bot_pace", list(PACES), chosen.pace, lambda texts, pace: texts(f"page.pace_{pace}"))
        stays = [str(time) for time in STAYS]
        yield Choice("stay", "page.stay", stays, str(chosen.stay), _stay)


def _stay(texts: Texts, seconds: str) -> str:
    """As in the page, but here nobody taps."""
    return texts(f"page.stay.{seconds}" if int(seconds) else "terminal.stay")
