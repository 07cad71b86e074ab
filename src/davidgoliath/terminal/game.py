"""The table while a match is played: the person's keys and clicks, and one seat's view of the deal."""

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.events import Key as KeyPress
from textual.events import Resize
from textual.message import Message

from davidgoliath.rules import Card, CardSet, Colour, IllegalPlay, Reason, Refusal, View
from davidgoliath.terminal.board import Hand, Say
from davidgoliath.terminal.choices import Choices
from davidgoliath.terminal.cramped import ROWS
from davidgoliath.terminal.dialogs import ScoresDialog, SettingsDialog
from davidgoliath.terminal.form import Key, Keys
from davidgoliath.terminal.narrator import Line, capital, refused
from davidgoliath.terminal.scene import Scene
from davidgoliath.terminal.scene_widget import SceneWidget
from davidgoliath.terminal.tabletop import Tabletop
from davidgoliath.texts import Texts

LETTERS: Final = {str(colour).lower(): colour for colour in Colour}
OTHER_ROWS: Final = 16
"""What the table takes besides the rows of the piles."""
OTHER_ROWS_WHERE_LOW: Final = 14


class GameScreen(Tabletop):
    """The table. It asks the app by messages, and the app shows it views."""

    BINDINGS: ClassVar = [
        ("left", "move(-1)"),
        ("right", "move(1)"),
        ("up", "jump(-1)"),
        ("down", "jump(1)"),
        ("enter,space", "act"),
        ("escape", "drop"),
        ("i", "hint"),
        ("u", "undo"),
        ("d", "radar"),
        ("t,l", "trick"),
        ("p", "points"),
        ("s", "scores"),
        ("h", "story"),
        ("o", "settings"),
        ("question_mark,f1", "help"),
        ("q,ctrl+c", "app.leave"),
    ]

    class Chose(Message):
        """A card to play."""

        def __init__(self, card: Card) -> None:
            super().__init__()
            self.card = card

    class WentOn(Message):
        """The finished trick has been looked at."""

    class Wondered(Message):
        """A hint is wanted."""

    class TookBack(Message):
        """The last choice is to be taken back."""

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.choices = choices
        self.view: View | None = None
        self.names: tuple[str, ...] = ()
        self.bots: tuple[str, ...] = ()
        self.finished: tuple[View, ...] = ()
        self.held = False
        self.pick: Card | None = None
        self.typed = ""
        self.composed = False

    def compose(self) -> ComposeResult:
        yield from self.compose_table(Say(), Hand())
        with Keys():
            yield Key("↵", "page.play", "act", name="act")
            yield Key("i", "page.hint", "hint")
            yield Key("u", "terminal.undo", "undo")
            yield Key("d", "terminal.radar", "radar")
            yield Key("t", "terminal.trick", "trick")
            yield Key("p", "page.piles", "points")
            yield Key("s", "page.match", "scores")
            yield Key("o", "page.settings", "settings")
            yield Key("?", "terminal.help_word", "help")
            yield Key("q", "terminal.leave", "app.leave")

    @property
    def scene(self) -> Scene | None:
        return Scene(self.view, self.names, self.bots, held=self.held, pick=self.pick) if self.view else None

    def show(
        self,
        view: View,
        names: tuple[str, ...],
        bots: tuple[str, ...],
        finished: tuple[View, ...],
        *,
        held: bool = False,
    ) -> None:
        """Shows the deal as one seat sees it. `held`: the last trick still lies there."""
        self.view, self.names, self.bots, self.finished, self.held = view, names, bots, finished, held
        if self.pick and self.pick not in view.hand:
            self.pick = None
        self._draw(None)

    def refuse(self, refusal: IllegalPlay, texts: Texts) -> None:
        """Says why a card can't be played."""
        self._draw(refused(refusal, texts))

    def note(self, text: str) -> None:
        """Says something besides."""
        self._draw([capital(text)])

    def _draw(self, note: Line | None) -> None:
        if not self.composed or not self.view:
            return
        self._fit()
        self.query_one(Say).note = note
        self.query_one("#act", Key).label = "page.go_on" if self.held else "page.play"
        for widget in self.query(SceneWidget):
            widget.scene = self.scene

    def on_mount(self) -> None:
        self.composed = True
        self._draw(None)

    def on_resize(self, event: Resize) -> None:
        self._fit()

    def _fit(self) -> None:
        if self.view:
            self.fit(self.view.players, OTHER_ROWS if self.size.height >= ROWS else OTHER_ROWS_WHERE_LOW)

    def choose(self, card: Card | None) -> None:
        self.pick, self.typed = card, ""
        self._draw(None)

    def action_move(self, step: int) -> None:
        """From card to card, round and round."""
        cards = list(self.view.hand) if self.view else []
        if cards and self.pick in cards:
            self.choose(cards[(cards.index(self.pick) + step) % len(cards)])
        elif cards and self.view:
            legal = list(self.view.legal_cards) or cards
            self.choose(legal[0 if step > 0 else -1])

    def action_jump(self, step: int) -> None:
        """From colour to colour."""
        if not self.view or not self.pick:
            return self.action_move(step)
        colours = [colour for colour in Colour if self.view.hand.of_colour(colour)]
        colour = colours[(colours.index(self.pick.colour) + step) % len(colours)]
        return self.choose(next(iter(self.view.hand.of_colour(colour))))

    def action_drop(self) -> None:
        self.choose(None)

    def action_act(self) -> None:
        """Goes on after a trick, or plays the card that is picked; with none, picks the first that can be played."""
        if self.held:
            self.post_message(self.WentOn())
        elif self.view and self.view.to_play == self.view.seat:
            if not self.pick:
                return self.action_move(1)
            self.typed = ""
            self.post_message(self.Chose(self.pick))
        return None

    def on_hand_tapped(self, tapped: Hand.Tapped) -> None:
        if self.held or tapped.card == self.pick:
            self.action_act()
        else:
            self.choose(tapped.card)

    def on_click(self) -> None:
        if self.held:
            self.post_message(self.WentOn())

    def on_key(self, event: KeyPress) -> None:
        """Cards may be typed: a colour's letter, then a value."""
        if event.key.lower() in LETTERS:
            self._type(event.key.upper())
        elif event.key.isdecimal() and self.typed:
            self._type(self.typed + event.key)

    def _type(self, typed: str) -> None:
        if not self.view:
            return
        try:
            wanted = (
                CardSet.of([Card.parse(typed)]) if len(typed) > 1 else self.view.hand.of_colour(Colour.parse(typed))
            )
        except Refusal:
            return
        found = self.view.hand & wanted
        card = self.pick if self.pick in list(found) else next(iter(found), None)
        self.choose(card)
        self.typed = typed
        if not found:
            legal = self.view.legal_cards or self.view.hand
            texts = self.query_one(Say).texts
            self._draw(refused(IllegalPlay(Reason.NOT_IN_HAND, card=typed, legal=legal), texts))

    def action_hint(self) -> None:
        if self.scene and self.scene.can_play:
            self.post_message(self.Wondered())

    def action_undo(self) -> None:
        self.post_message(self.TookBack())

    def action_scores(self) -> None:
        if self.scene:
            self.app.push_screen(ScoresDialog(self.scene, self.finished))

    def action_settings(self) -> None:
        self.app.push_screen(SettingsDialog(self.choices))
