"""A record, step by step, with all hands open."""

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Resize
from textual.timer import Timer

from davidgoliath.rules import Card
from davidgoliath.terminal.board import Hands
from davidgoliath.terminal.company import bots_at, called
from davidgoliath.terminal.film import Film
from davidgoliath.terminal.form import Key, Keys
from davidgoliath.terminal.narrator import Line, Strong, outcome, rich, why
from davidgoliath.terminal.paint import rows
from davidgoliath.terminal.panels import Title
from davidgoliath.terminal.scene import Scene
from davidgoliath.terminal.scene_widget import SceneWidget
from davidgoliath.terminal.tabletop import Tabletop
from davidgoliath.terminal.transcript import names_in
from davidgoliath.texts import Texts

A_CARD: Final = 1.1
"""Seconds, at the speed 1."""
A_TRICK: Final = 2.6
SPEEDS: Final = (0.5, 1.0, 2.0, 4.0)
OTHER_ROWS: Final = 12
"""What the table takes besides the rows of the piles and the hands."""


class Narration(SceneWidget):
    """What happened at a stop."""

    def draw(self, scene: Scene, width: int) -> Content:
        return rows(map(self.paint.line, told(scene, self.texts)))


def told(scene: Scene, texts: Texts) -> list[Line]:
    """The narrator's sentences for a stop."""
    if scene.held and scene.result:
        head = why(scene.trick, scene.result, scene.names, texts)
        return [[Strong(head)], outcome(scene.result, scene.swings, scene.names, texts)]
    trick = scene.trick
    if not trick.cards:
        return [[texts("page.replay_dealt", name=scene.names[trick.leader])]]
    key = "page.replay_plays" if len(trick.cards) > 1 else "page.replay_leads"
    name: str = scene.names[trick.seat_of(len(trick.cards) - 1)]
    card: Card = trick.cards[-1]
    return [rich(texts, key, name=Strong(name), card=card)]


class Slide(SceneWidget):
    """How far the deal has been shown."""

    done, speed, playing = 0.0, 1.0, False

    def draw(self, scene: Scene, width: int) -> Content:
        sign = self.texts("page.pause") if self.playing else self.texts("page.replay_play")
        end = f" ×{self.speed:g}  {sign}"
        room = width - len(end) - 2
        at = round(self.done * (room - 1))
        return Content.assemble(" " + "━" * at, ("●", "bold"), self.paint.still("─" * (room - 1 - at)), end)


class ReplayScreen(Tabletop):
    """Steps through a film by card, trick and deal, or lets it run."""

    HELP = "terminal.help_replay"

    BINDINGS: ClassVar = [
        ("left", "step(-1)"),
        ("right", "step(1)"),
        ("pageup", "by_trick(-1)"),
        ("pagedown", "by_trick(1)"),
        ("home", "first"),
        ("end", "last"),
        ("left_square_bracket,shift+pageup", "by_deal(-1)"),
        ("right_square_bracket,shift+pagedown", "by_deal(1)"),
        ("plus,equals_sign", "speed(1)"),
        ("minus", "speed(-1)"),
        ("space,enter", "run"),
        ("r", "app.review"),
        ("d", "radar"),
        ("t,l", "trick"),
        ("p", "points"),
        ("h", "story"),
        ("question_mark,f1", "help"),
        ("q,escape,ctrl+c", "app.back"),
    ]

    def __init__(self, film: Film) -> None:
        super().__init__()
        self.film = film
        self.stop = 0
        self.speed = 1.0
        self.timer: Timer | None = None

    def compose(self) -> ComposeResult:
        yield from self.compose_table(Narration(), Hands(), Slide())
        with Keys():
            yield Key("←", "page.earlier", "step(-1)")
            yield Key("→", "page.later", "step(1)")
            yield Key("␣", "page.replay_play", "run")
            yield Key("r", "page.review", "app.review")
            yield Key("p", "page.piles", "points")
            yield Key("d", "terminal.radar", "radar")
            yield Key("t", "terminal.trick", "trick")
            yield Key("?", "terminal.help_word", "help")
            yield Key("q", "terminal.leave", "app.back")

    @property
    def scene(self) -> Scene:
        state = self.film.at(self.stop)
        held = not state.table and bool(state.tricks)
        record = self.film.records[self.film.deal_at(self.stop)]
        texts = self.query_one(Title).texts
        names = names_in(record, texts)
        return Scene(state.view(None), called(names, texts), bots_at(names), held=held)

    def on_mount(self) -> None:
        self.draw()

    def on_resize(self, event: Resize) -> None:
        self.draw()

    def draw(self) -> None:
        """Shows the stop."""
        film, stop = self.film, self.stop
        scene = self.scene
        self.fit(scene.view.players, OTHER_ROWS + scene.view.players)
        slide = self.query_one(Slide)
        slide.done = (stop - film.first(stop)) / max(1, film.last(stop) - film.first(stop))
        slide.speed, slide.playing = self.speed, self.timer is not None
        self.query_one(Hands).hands = film.at(stop).hands
        for widget in self.query(SceneWidget):
            widget.scene = scene

    def go(self, stop: int) -> None:
        self.stop = self.film.within(stop)
        self.draw()

    def pause(self) -> None:
        if self.timer:
            self.timer.stop()
        self.timer = None

    def action_step(self, step: int) -> None:
        self.pause()
        self.go(self.stop + step)

    def action_by_trick(self, step: int) -> None:
        self.pause()
        self.go(self.film.by_trick(self.stop, step))

    def action_by_deal(self, step: int) -> None:
        self.pause()
        self.go(self.film.by_deal(self.stop, step))

    def action_first(self) -> None:
        self.pause()
        self.go(self.film.first(self.stop))

    def action_last(self) -> None:
        self.pause()
        self.go(self.film.last(self.stop))

    def action_speed(self, step: int) -> None:
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, SPEEDS.index(self.speed) + step))]
        self.draw()

    def action_run(self) -> None:
        """Lets the film run, or stops it; from its end it begins anew."""
        if self.timer:
            self.pause()
        else:
            if self.stop == self.film.stops - 1:
                self.stop = self.film.first(self.stop)
            self._wait()
        self.draw()

    def _wait(self) -> None:
        """The next card comes soon; a finished trick stays longer."""
        self.timer = self.set_timer((A_TRICK if self.scene.held else A_CARD) / self.speed, self._next)

    def _next(self) -> None:
        self.pause()
        if self.stop < self.film.stops - 1:
            self.stop += 1
            self._wait()
        self.draw()
