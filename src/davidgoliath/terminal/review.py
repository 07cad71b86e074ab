"""The review of a deal in the app: what came of it, the costliest choices in words, and each of them to try again."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.screen import Screen

from davidgoliath.rules import DealState, IllegalPlay, Reason, Seat
from davidgoliath.study.analysis import LEVELS, analyse
from davidgoliath.study.grades import right_cards
from davidgoliath.study.review import Moment, moments, review
from davidgoliath.study.values import Choice, Review
from davidgoliath.terminal.board import Hand, Say
from davidgoliath.terminal.choices import Choices
from davidgoliath.terminal.cramped import Cramped
from davidgoliath.terminal.dialogs import SaidDialog
from davidgoliath.terminal.form import Key, Keys
from davidgoliath.terminal.game import GameScreen
from davidgoliath.terminal.lines import columns, wrapped
from davidgoliath.terminal.look_back import because, chart, figure, how_strong, in_words, parts, signed, sum_up
from davidgoliath.terminal.narrator import capital
from davidgoliath.terminal.paint import rows
from davidgoliath.terminal.scene_widget import Spoken

BAR: Final = 30


class Progress(Spoken):
    """Which deal and seat this is, and how far the review is worked out."""

    done: reactive[float] = reactive(0.0)
    where: reactive[str] = reactive("")

    def render(self) -> Content:
        at = round(BAR * self.done)
        bar = Content.assemble("  ", "━" * at, self.paint.still("─" * (BAR - at))) if self.done < 1 else Content()
        return Content.assemble((f" {self.where}", "bold"), bar)


class Look(Spoken):
    """A review, as far as it is known. One of its errors is chosen."""

    found: reactive[Review | None] = reactive(None, layout=True)
    chosen: reactive[int] = reactive(0)
    names: tuple[str, ...] = ()
    others: tuple[Review, ...] = ()
    """All that is known of the seat in this match, this deal included."""

    @property
    def errors(self) -> tuple[Choice, ...]:
        return self.found.costliest if self.found else ()

    def render(self) -> Content:
        return self._drawn(self.size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._drawn(width).get_height({}, width)

    def _drawn(self, width: int) -> Content:
        return rows(line for block in self._blocks(width) for line in block)

    def place(self) -> Region:
        """Where the chosen error stands."""
        heights = list(map(len, self._blocks(self.size.width)[: self.chosen + 2]))
        return Region(0, sum(heights[:-1]), self.size.width, heights[-1])

    def _blocks(self, width: int) -> list[list[Content]]:
        """What is shown in lines of that width: a head, each of the errors, and where the points came from."""
        found, texts = self.found, self.texts

        def lines(*said: str, style: str = "") -> list[Content]:
            return [Content.styled(line, style) for text in said for line in wrapped(text, max(20, width)).split("\n")]

        if not found:
            return [lines(texts("study.page.looking"))]
        where, *more = how_strong(found.lost_per_choice, len(self.names), texts)
        heading = texts("study.page.costly") if self.errors else texts("study.page.costly_none")
        blocks = [[*lines(where, style="bold"), *lines(*more, ""), *lines(heading, style="bold")]]
        for number, choice in enumerate(self.errors):
            said, *because_of = in_words(choice, self.names, texts)
            mark = "▸" if number == self.chosen else " "
            first = lines("", f"{mark}   {said}", style="bold")
            blocks.append([*first, *lines(*(f"      {line}" for line in because_of))])
        if len(self.others) > 1:
            blocks.append(lines("", *sum_up(self.others, self.names[found.seat], len(self.names), texts).split("\n")))
        if found.ledger:
            table = columns(parts(found.ledger, texts), {1}, width)
            told = lines("", *table, "", *chart(found, len(self.names), texts), "", texts("study.page.parts_what"))
            blocks.append(told)
        return blocks


class ReviewScreen(Screen[None]):
    """The deals of a match, one review at a time: it becomes surer while one reads."""

    BINDINGS: ClassVar = [
        ("up", "choose(-1)"),
        ("down", "choose(1)"),
        ("pageup", "scroll(-10)"),
        ("pagedown,space", "scroll(10)"),
        ("left,left_square_bracket", "turn(-1)"),
        ("right,right_square_bracket", "turn(1)"),
        ("p", "seat"),
        ("enter,t", "try"),
        ("q,escape", "back"),
        ("ctrl+c", "app.leave"),
    ]

    def __init__(
        self, states: Sequence[DealState], names: tuple[str, ...], me: Seat, known: dict[tuple[DealState, Seat], Review]
    ) -> None:
        """`states` are over; the last one comes first. `known`: what has been worked out, and is kept there."""
        super().__init__()
        self.states, self.names, self.me, self.known = tuple(states), names, me, known
        self.number, self.seat = len(self.states) - 1, me

    def compose(self) -> ComposeResult:
        yield Cramped()
        yield Progress()
        with VerticalScroll(id="review", can_focus=False):
            yield Look()
        with Keys():
            yield Key("↵", "study.page.again", "try")
            yield Key("←→", "look_back.deals", "turn(1)")
            yield Key("p", "page.players", "seat")
            yield Key("q", "page.close", "back")

    def on_mount(self) -> None:
        look = self.query_one(Look)
        look.names = self.names
        self._begin()

    def _begin(self) -> None:
        """Shows a deal and a seat from the start."""
        look, state = self.query_one(Look), self.states[self.number]
        look.found, look.chosen, look.others = None, 0, ()
        deal = capital(look.texts("page.deal_of", deal=state.standing.deal, deals=state.standing.deals))
        self.query_one(Progress).where = f"{deal} · {self.names[self.seat]}"
        self.run_worker(self._work(), exclusive=True)

    async def _work(self) -> None:
        """Works the review out, beside the screen; whoever turns to another one ends it."""
        look, progress, key = self.query_one(Look), self.query_one(Progress), (self.states[self.number], self.seat)
        progress.done = 0.0
        if key not in self.known:
            state = self.states[self.number]
            steps = 1 + (len(LEVELS) - 1) * len(list(moments(state, self.seat)))
            reviews, done = review(state, self.seat), 0
            while found := await asyncio.to_thread(next, reviews, None):
                done += 1
                look.found, progress.done = found, done / steps
                look.chosen = min(look.chosen, max(0, len(look.errors) - 1))
            if look.found:
                self.known[key] = look.found
        look.others = tuple(self.known[state, self.seat] for state in self.states if (state, self.seat) in self.known)
        look.found, progress.done = self.known[key], 1.0
        look.refresh(layout=True)

    def action_choose(self, step: int) -> None:
        look = self.query_one(Look)
        if look.errors:
            look.chosen = max(0, min(len(look.errors) - 1, look.chosen + step))
            self.query_one("#review", VerticalScroll).scroll_to_region(look.place(), animate=False)
        else:
            self.action_scroll(step)

    def action_scroll(self, lines: int) -> None:
        self.query_one("#review", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_turn(self, step: int) -> None:
        number = max(0, min(len(self.states) - 1, self.number + step))
        if number != self.number:
            self.number = number
            self._begin()

    def action_seat(self) -> None:
        self.seat = (self.seat + 1) % len(self.names)
        self._begin()

    def action_try(self) -> None:
        """The chosen error once more."""
        look = self.query_one(Look)
        if look.errors:
            choice = look.errors[look.chosen]
            then = next(
                m for m in moments(self.states[self.number], self.seat) if len(m.view.tricks) + 1 == choice.trick
            )
            if set(choice.analysis.losses) != set(then.view.legal_cards):  # a first answer leaves out what is behind
                choice = choice._replace(analysis=analyse(then.view, choice.analysis.blocks, then.played))
            self.app.push_screen(Exercise(look.table.choices, then, choice, self.names))

    def action_back(self) -> None:
        self.app.pop_screen()


class Exercise(GameScreen):
    """An error once more, as a position to play: any card that is no error is right."""

    BINDINGS: ClassVar = [("q,escape", "back"), ("i", "show_me"), ("u", "drop"), ("s", "drop")]

    def __init__(self, choices: Choices, moment: Moment, choice: Choice, names: tuple[str, ...]) -> None:
        super().__init__(choices)
        self.moment, self.view, self.names, self.choice = moment, moment.view, names, choice

    def compose(self) -> ComposeResult:
        yield from self.compose_table(Say(), Hand())
        with Keys():
            yield Key("↵", "page.play", "act", name="act")
            yield Key("i", "study.page.show", "show_me")
            yield Key("d", "terminal.radar", "radar")
            yield Key("t", "terminal.trick", "trick")
            yield Key("p", "page.piles", "points")
            yield Key("?", "terminal.help_word", "help")
            yield Key("q", "page.close", "back")

    def on_mount(self) -> None:
        self.call_after_refresh(self.note, self.query_one(Say).texts("study.page.question"))

    def on_game_screen_chose(self, message: GameScreen.Chose) -> None:
        message.stop()
        card, analysis, texts = message.card, self.choice.analysis, self.query_one(Say).texts
        if card not in (legal := self.moment.view.legal_cards):
            return self.refuse(
                IllegalPlay(Reason.MUST_FOLLOW, card=card, colour=self.moment.view.trick.led, legal=legal), texts
            )
        right = card in right_cards(analysis)
        if card is analysis.best:
            head = texts("study.page.right_best", card=card)
        elif right:
            head = texts("study.page.right", card=card, best=analysis.best)
        else:
            head = texts("study.page.wrong", card=card, points=figure(analysis.losses[card].value, texts))
        self._say(head, right)
        return None

    def action_show_me(self) -> None:
        texts = self.query_one(Say).texts
        self._say(texts("study.page.answer", best=self.choice.analysis.best), True)

    def _say(self, head: str, is_over: bool) -> None:
        """What came of a card; at the end why, and then back to the review."""
        texts = self.query_one(Say).texts
        lines, choice = [head], self.choice
        if is_over:
            played, best, gain = choice.played, choice.analysis.best, signed(choice.loss.value, texts)
            lines.append(texts("study.page.then", played=played, points=gain))
            lines += because(choice.reasons, played, best, choice.loss, self.names, texts)
        self.app.push_screen(SaidDialog("study.page.again", lines), self._go_back if is_over else None)

    def _go_back(self, wish: str | None) -> None:
        self.app.pop_screen()

    def action_back(self) -> None:
        self.app.pop_screen()
