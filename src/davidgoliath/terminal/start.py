"""The first screen: a match within one key, or the one that waits."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from davidgoliath.rules import PRESETS
from davidgoliath.terminal.choices import Choices
from davidgoliath.terminal.company import bot_character, bot_name
from davidgoliath.terminal.cramped import Cramped
from davidgoliath.terminal.dialogs import HelpDialog, SettingsDialog
from davidgoliath.terminal.form import Act, Choice, Key, Keys
from davidgoliath.terminal.kept import Damaged, Kept
from davidgoliath.terminal.matches import MatchesDialog
from davidgoliath.terminal.saved import Unfinished
from davidgoliath.terminal.scene_widget import Spoken
from davidgoliath.texts import LANGUAGES, Texts


class Head(Spoken):
    """The name of the game, and what it is about."""

    def render(self) -> Content:
        return Content.assemble((self.texts("page.title"), "bold"), "\n", self.paint.still(self.texts("page.tagline")))


class StartScreen(Screen[None]):
    """Resume, or players, bots, rules and language for a new match."""

    BINDINGS: ClassVar = [
        Binding("up", "app.focus_previous", priority=True),
        Binding("down", "app.focus_next", priority=True),
        ("enter", "begin"),
        ("o", "settings"),
        ("question_mark,f1", "help"),
        ("q,escape,ctrl+c", "app.leave"),
    ]

    class Began(Message):
        """A new match is wanted, with the choices as they are."""

    class Resumed(Message):
        """One of the matches that wait is wanted."""

        def __init__(self, kept: Kept[Unfinished]) -> None:
            super().__init__()
            self.kept = kept

    def __init__(
        self,
        choices: Choices,
        bots: Sequence[str],
        waiting: Sequence[Kept[Unfinished]],
        damaged: Sequence[Damaged] = (),
        prefers_new: bool = False,
    ) -> None:
        super().__init__()
        self.prefers_new = prefers_new
        self.choices, self.bots, self.waiting, self.damaged = choices, bots, waiting, damaged

    def compose(self) -> ComposeResult:
        chosen = self.choices
        yield Cramped()
        with VerticalScroll(id="start", can_focus=False):
            yield Head()
            if self.waiting:
                yield Act("resume", "page.return", self._waiting)
            if len(self.waiting) > 1 or self.damaged:
                yield Act("matches", "saved.matches", lambda texts: str(len(self.waiting)))
            yield Choice("players", "page.players", ["3", "4", "5", "6"], str(chosen.players))
            yield Choice("bot", "page.bots", self.bots, chosen.bot, bot_name, bot_character)
            yield Choice(
                "rules",
                "page.rules",
                list(dict.fromkeys([*PRESETS, chosen.rules])),
                chosen.rules,
                lambda texts, rules: texts(f"page.preset.{rules}") if rules in PRESETS else rules,
                lambda texts, rules: texts(f"page.preset_hint.{rules}") if rules in PRESETS else "",
            )
            yield Choice(
                "language", "page.language", LANGUAGES, chosen.language, lambda texts, code: Texts(code)("language")
            )
            yield Act("begin", "page.home_play")
        with Keys():
            yield Key("↵", "page.home_play", "begin")
            yield Key("o", "page.settings", "settings")
            yield Key("?", "terminal.help_word", "help")
            yield Key("q", "terminal.leave", "app.leave")

    def on_mount(self) -> None:
        self.query_one("#resume" if self.waiting and not self.prefers_new else "#begin").focus()

    def _waiting(self, texts: Texts) -> str:
        standing = self.waiting[0].content.match.standing
        table = texts("count.players", count=len(standing.totals))
        deal = texts("page.deal_of", deal=standing.deal, deals=standing.deals)
        return f"{texts('page.home_waiting')} · {table} · {deal}"

    def action_begin(self) -> None:
        self.post_message(self.Began())

    def action_resume(self) -> None:
        self.post_message(self.Resumed(self.waiting[0]))

    def action_matches(self) -> None:
        self.app.push_screen(MatchesDialog(self.waiting, self.damaged), self._picked)

    def _picked(self, number: str | None) -> None:
        if number:
            self.post_message(self.Resumed(self.waiting[int(number)]))

    def action_settings(self) -> None:
        self.app.push_screen(SettingsDialog(self.choices))

    def action_help(self) -> None:
        self.app.push_screen(HelpDialog(self.query_one(Head).texts, "terminal.help"))
