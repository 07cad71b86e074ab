"""The first screen: a match within one key, or the one that waits."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from davidgoliath.rules import PRESETS, Standing
from davidgoliath.terminal.choices import Choices
from davidgoliath.terminal.dialogs import HelpDialog, SettingsDialog
from davidgoliath.terminal.form import Act, Choice, Key
from davidgoliath.terminal.scene_widget import Spoken
from davidgoliath.texts import LANGUAGES, Texts


class Head(Spoken):
    """The name of the game, and what it is about."""

    def render(self) -> Content:
        return Content.assemble((self.texts("page.title"), "bold"), "\n", self.paint.still(self.texts("page.tagline")))


def bot_name(texts: Texts, bot: str) -> str:
    """What the page calls a bot; those of other packages have their own names."""
    return texts(f"page.bot.{bot}") if f"page.bot.{bot}" in texts.catalogue else bot


def bot_character(texts: Texts, bot: str) -> str:
    return texts(f"bot.{bot}") if f"bot.{bot}" in texts.catalogue else ""


class StartScreen(Screen[None]):
    """Resume, or players, bots, rules and language for a new match."""

    BINDINGS: ClassVar = [
        ("up", "app.focus_previous"),
        ("down", "app.focus_next"),
        ("enter", "begin"),
        ("o", "settings"),
        ("question_mark,f1", "help"),
        ("q,escape,ctrl+c", "app.leave"),
    ]

    class Began(Message):
        """A new match is wanted, with the choices as they are."""

    class Resumed(Message):
        """The match that waits is wanted."""

    def __init__(self, choices: Choices, bots: Sequence[str], waiting: Standing | None) -> None:
        super().__init__()
        self.choices, self.bots, self.waiting = choices, bots, waiting

    def compose(self) -> ComposeResult:
        chosen = self.choices
        with Vertical(id="start"):
            yield Head()
            if self.waiting:
                yield Act("resume", "page.return", self._waiting)
            yield Choice("players", "page.players", ["3", "4", "5", "6"], str(chosen.players))
            yield Choice("bot", "page.bots", self.bots, chosen.bot, bot_name, bot_character)
            yield Choice(
                "rules",
                "page.rules",
                list(PRESETS),
                chosen.rules,
                lambda texts, preset: texts(f"page.preset.{preset}"),
                lambda texts, preset: texts(f"page.preset_hint.{preset}"),
            )
            yield Choice(
                "language", "page.language", LANGUAGES, chosen.language, lambda texts, code: Texts(code)("language")
            )
            yield Act("begin", "page.home_play")
        with Horizontal(classes="keys"):
            yield Key("↵", "page.home_play", "begin")
            yield Key("o", "page.settings", "settings")
            yield Key("?", "terminal.help_word", "help")
            yield Key("q", "terminal.leave", "app.leave")

    def on_mount(self) -> None:
        self.query_one("#resume" if self.waiting else "#begin").focus()

    def _waiting(self, texts: Texts) -> str:
        if not self.waiting:
            return ""
        table = texts("count.players", count=len(self.waiting.totals))
        deal = texts("page.deal_of", deal=self.waiting.deal, deals=self.waiting.deals)
        return f"{texts('page.home_waiting')}: {table}, {deal}"

    def action_begin(self) -> None:
        self.post_message(self.Began())

    def action_resume(self) -> None:
        self.post_message(self.Resumed())

    def action_settings(self) -> None:
        self.app.push_screen(SettingsDialog(self.choices))

    def action_help(self) -> None:
        self.app.push_screen(HelpDialog(self.query_one(Head).texts, "terminal.help"))
