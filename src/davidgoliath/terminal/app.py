"""The terminal app: its screens, what the person likes, and the match that is played."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.screen import Screen

from davidgoliath.bots import BOT
from davidgoliath.match import Match
from davidgoliath.notation import DealRecord
from davidgoliath.rules import Card, DealState, IllegalPlay, Refusal, RuleSet, Seat, View
from davidgoliath.terminal.choices import PACES, Choices
from davidgoliath.terminal.company import bots_at, called
from davidgoliath.terminal.cramped import BY_HEIGHT, BY_WIDTH
from davidgoliath.terminal.dialogs import Between, Dialog, Ending, SaidDialog
from davidgoliath.terminal.film import Film
from davidgoliath.terminal.form import Choice, Keys
from davidgoliath.terminal.game import GameScreen
from davidgoliath.terminal.kept import Damaged, Kept
from davidgoliath.terminal.paint import Paint, theme
from davidgoliath.terminal.replay import ReplayScreen
from davidgoliath.terminal.saved import SavedMatch, Unfinished
from davidgoliath.terminal.scene import Scene
from davidgoliath.terminal.scene_widget import Spoken
from davidgoliath.terminal.solo import Solo
from davidgoliath.terminal.start import StartScreen
from davidgoliath.terminal.transcript import names_in
from davidgoliath.texts import Texts

if TYPE_CHECKING:
    from davidgoliath.study.values import Review


class TerminalApp(App[str]):
    """David & Goliath in the terminal. What it returns is to be said after it is gone."""

    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = BY_WIDTH
    VERTICAL_BREAKPOINTS = BY_HEIGHT
    BINDINGS: ClassVar = [("ctrl+q,ctrl+c", "leave")]

    def __init__(
        self,
        choices: Choices,
        bots: Sequence[str],
        *,
        rng: Random,
        unfinished: Sequence[Kept[Unfinished]] = (),
        damaged: Sequence[Damaged] = (),
        prefers_new: bool = False,
        rules: RuleSet | None = None,
        film: Sequence[DealRecord] = (),
    ) -> None:
        """With `rules` a match begins at once; with a `film`, its replay; else the person chooses.

        Who has asked for a table `prefers_new`: Enter begins it, though matches wait.
        """
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)  # then no colour at all, not greys
        self.choices, self.bots, self.rng = choices, list(bots), rng
        self.unfinished, self.damaged, self.prefers_new = list(unfinished), damaged, prefers_new
        self.wanted, self.film = rules, film
        self.texts, self.paint = Texts(choices.language), Paint(choices.light)
        self.solo: Solo | None = None
        self.chosen: asyncio.Future[Card] | None = None
        self.went_on = asyncio.Event()
        self.reviews: dict[tuple[DealState, Seat], Review] = {}

    def on_mount(self) -> None:
        for light in (True, False):
            self.register_theme(theme(light))
        self._wear()
        if self.film:
            self.push_screen(ReplayScreen(Film(self.film)))
        elif self.wanted:
            self._begin(self.wanted)
        else:
            self._welcome()

    def _wear(self) -> None:
        self.paint = Paint(self.choices.light)
        self.theme = "day" if self.choices.light else "night"

    def _show(self, screen: Screen[None]) -> None:
        """Leaves what was on the screen for another one."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def _welcome(self) -> None:
        self._show(StartScreen(self.choices, self.bots, self.unfinished, self.damaged, self.prefers_new))

    def on_choice_chosen(self, event: Choice.Chosen) -> None:
        """Keeps what was chosen, and lets everything follow at once."""
        name, chosen = event.choice.id or "", event.choice.chosen
        setattr(self.choices, name, int(chosen) if chosen.isdecimal() else chosen)
        self.choices.keep()
        self.texts = Texts(self.choices.language)
        self._wear()
        for screen in self.screen_stack:
            for choice in screen.query(Choice):
                if choice.id == name:
                    choice.chosen = chosen
            for widget in screen.query(Spoken):
                widget.refresh(layout=True)
            for keys in screen.query(Keys):
                keys.fit()
            if isinstance(screen, Dialog):
                screen.word()
        if self.solo and isinstance(self.screen_stack[1], GameScreen):
            self._table(self.screen_stack[1], held=self.screen_stack[1].held)

    def on_start_screen_began(self) -> None:
        self._begin(RuleSet.parse(self.choices.rules))

    def on_start_screen_resumed(self, message: StartScreen.Resumed) -> None:
        match, names, hints = message.kept.content
        self._sit_down(SavedMatch(message.kept.keeper, names, hints), match)

    def _begin(self, rules: RuleSet) -> None:
        names = (self.texts("page.you"), *[BOT + self.choices.bot] * (self.choices.players - 1))
        self._sit_down(SavedMatch.new(names), Match(self.choices.players, rules))

    def _sit_down(self, saved: SavedMatch, match: Match) -> None:
        screen = GameScreen(self.choices)
        self._show(screen)
        self.run_worker(self._play(screen, saved, match), group="match", exclusive=True)

    async def _play(self, screen: GameScreen, saved: SavedMatch, match: Match) -> None:
        try:
            self.solo = await asyncio.to_thread(Solo, match, saved, self.rng)
            await self._run(screen, self.solo)
        except (Refusal, OSError) as error:
            self._fail(error)

    def _fail(self, error: Refusal | OSError) -> None:
        """Leaves with a sentence."""
        why = self.texts.error(error) if isinstance(error, Refusal) else self.texts.trouble(error)
        self.exit(f"davidgoliath: {why}", return_code=1)

    async def _run(self, screen: GameScreen, solo: Solo) -> None:
        """Plays on until the person wants something else."""
        while True:
            if solo.view is None:
                solo.deal()
            elif solo.to_play is None:
                if not await self._between(screen, solo, solo.view):
                    return
            else:
                self._table(screen)
                await self._card(screen, solo, solo.to_play)

    def _table(self, screen: GameScreen, *, held: bool = False) -> None:
        solo = self.solo
        if solo and solo.view:
            names = called(solo.saved.names, self.texts, solo.me)
            screen.show(solo.view, names, bots_at(solo.saved.names), solo.finished, held=held)

    async def _card(self, screen: GameScreen, solo: Solo, seat: Seat) -> None:
        """The next card, and the trick for a while if it is the last one."""
        if seat == solo.me:
            await self._own_card(screen, solo)
        else:
            pace = PACES[self.choices.pace]
            card, _ = await asyncio.gather(asyncio.to_thread(solo.think), asyncio.sleep(pace))
            solo.play(card, seat)
        if solo.trick_is_over:
            self._table(screen, held=True)
            self.went_on.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.went_on.wait(), self.choices.stay or None)

    async def _own_card(self, screen: GameScreen, solo: Solo) -> None:
        """Waits for a card that may be played."""
        while True:
            self.chosen = asyncio.get_running_loop().create_future()
            try:
                return solo.play(await self.chosen, solo.me)
            except IllegalPlay as refusal:
                screen.refuse(refusal, self.texts)

    async def _between(self, screen: GameScreen, solo: Solo, view: View) -> bool:
        """After a deal: whether the match goes on."""
        names = called(solo.saved.names, self.texts, solo.me)
        bots = bots_at(solo.saved.names)
        screen.show(view, names, bots, solo.finished)
        dialog = Ending if solo.match.is_over else Between
        wish = await self.push_screen_wait(dialog(Scene(view, names, bots), solo.finished))
        match wish:
            case "undo":
                solo.undo()
            case "on":
                solo.deal()
            case "rematch":
                self.call_later(self._begin, solo.match.rules)
            case "replay":
                self.push_screen(ReplayScreen(Film(solo.saved.record(solo.match).deals)))
                return False
            case "home":
                self.unfinished = [kept for kept in self.unfinished if kept.file != solo.saved.file]
                self.call_later(self._welcome)
            case _:
                self.action_leave()
        return wish in ("undo", "on")

    def on_game_screen_chose(self, message: GameScreen.Chose) -> None:
        if self.chosen and not self.chosen.done():
            self.chosen.set_result(message.card)

    def on_game_screen_wondered(self) -> None:
        screen = self.screen_stack[1]
        if self.solo and isinstance(screen, GameScreen) and self.chosen and not self.chosen.done():
            self.run_worker(self._hint(screen, self.solo), group="hint", exclusive=True)

    async def _hint(self, screen: GameScreen, solo: Solo) -> None:
        """Says which card is best, unless the match has gone on meanwhile, and marks that in the record first."""
        state, names = solo.match.deals[-1], called(solo.saved.names, self.texts, solo.me)
        view = state.view(solo.me)
        if len(view.legal_cards) == 1:
            return screen.note(self.texts("study.page.forced"))
        screen.note(self.texts("study.page.looking"))
        card, lines = await asyncio.to_thread(_advice, view, names, self.texts)
        if solo.match.deals[-1] is not state:
            return None
        try:
            solo.mark_hint()
        except OSError as error:
            return self._fail(error)
        screen.choose(card)
        self.push_screen(
            SaidDialog("page.hint", lines, "page.play"), lambda wish: screen.action_act() if wish else None
        )
        return None

    async def action_review(self) -> None:
        """The deals that are over, the last one first."""
        if self.solo:
            states, me = self.solo.match.deals, self.solo.me
            names = called(self.solo.saved.names, self.texts, me)
        else:
            states = tuple(record.state for record in self.film)
            known = names_in(self.film[-1], self.texts)
            names, me = called(known, self.texts), bots_at(known).index("") if "" in bots_at(known) else 0
        over = [state for state in states if state.is_over and state.players == len(names)]
        if over:
            screens = await asyncio.to_thread(import_module, "davidgoliath.terminal.review")  # the judge loads slowly
            self.push_screen(screens.ReviewScreen(over, names, me, self.reviews))

    def on_game_screen_went_on(self) -> None:
        self.went_on.set()

    def on_game_screen_took_back(self) -> None:
        screen = self.screen_stack[1]
        if self.solo and isinstance(screen, GameScreen):
            if self.solo.undo():
                self.run_worker(self._play_on(screen, self.solo), group="match", exclusive=True)
            else:
                screen.note(self.texts("error.nothing_to_undo"))

    async def _play_on(self, screen: GameScreen, solo: Solo) -> None:
        try:
            await self._run(screen, solo)
        except (Refusal, OSError) as error:
            self._fail(error)

    async def action_back(self) -> None:
        """From a replay to where it was asked for."""
        if len(self.screen_stack) > 2:
            self.pop_screen()
            if self.solo and isinstance(self.screen, GameScreen):
                self.run_worker(self._play_on(self.screen, self.solo), group="match", exclusive=True)
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """The match is saved already."""
        if self.solo is None or not self.solo.match.deals:
            self.exit("")
        elif self.solo.match.is_over:
            self.exit(self.texts("play.record", file=self.solo.saved.file))
        else:
            self.exit(self.texts("play.saved"))


def _advice(view: View, names: Sequence[str], texts: Texts) -> tuple[Card, list[str]]:
    """The best card, and what there is to say of it. The judge takes a while to load."""
    from davidgoliath.study.hints import hint
    from davidgoliath.terminal.look_back import hint_in_words

    found = hint(view)
    return found.card, [*hint_in_words(found, names, texts), texts("study.page.hint_marked")]
