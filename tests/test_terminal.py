"""The terminal app, driven by keys and mouse: what it shows, that everything fits, and that nothing is lost."""

import asyncio
import colorsys
import json
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.color import Color
from textual.pilot import Pilot
from textual.widget import Widget

from davidgoliath import Card, CardSet, Deal, MatchRecord, RuleSet
from davidgoliath.art.palette import DAY, NIGHT
from davidgoliath.bots import make_bot
from davidgoliath.match import Match, play_out
from davidgoliath.rules import Trick, View, deck, settle
from davidgoliath.study.review import review
from davidgoliath.terminal.app import TerminalApp
from davidgoliath.terminal.board import Hand, Hands, Ledger, Say, TrickRow
from davidgoliath.terminal.choices import Choices
from davidgoliath.terminal.company import STONES
from davidgoliath.terminal.cramped import Cramped
from davidgoliath.terminal.dialogs import (
    Between,
    Dialog,
    Ending,
    HelpDialog,
    PointsDialog,
    Said,
    SaidDialog,
    SettingsDialog,
    TrickDialog,
)
from davidgoliath.terminal.film import Film
from davidgoliath.terminal.form import Choice, Key, Keys
from davidgoliath.terminal.game import GameScreen
from davidgoliath.terminal.kept import Kept
from davidgoliath.terminal.matches import MatchesDialog, Unreadable
from davidgoliath.terminal.panels import OneTrick, Points, Radar, Scores, Story, Title
from davidgoliath.terminal.replay import ReplayScreen
from davidgoliath.terminal.review import Exercise, Look, Progress, ReviewScreen
from davidgoliath.terminal.saved import SavedMatch, Unfinished, unfinished_matches
from davidgoliath.terminal.scene import swings
from davidgoliath.terminal.scene_widget import SceneWidget
from davidgoliath.terminal.start import StartScreen
from davidgoliath.texts import LANGUAGES, Texts
from tests.marks import slow

SMALL, LARGE = (80, 24), (140, 45)
BOTS = ["beginner", "casual", "regular", "club", "adept", "expert", "master"]
ROOT = Path(__file__).parent.parent


def new_app(players: int = 3, rules: str | None = "single", language: str = "en") -> TerminalApp:
    choices = Choices(players=players, pace="instant", stay=0, language=language, look="dark")
    return TerminalApp(choices, BOTS, rng=Random(7), rules=RuleSet.parse(rules) if rules else None)


def app_at(
    tricks: int, players: int = 3, rules: str = "single", language: str = "en", lead: bool | None = None
) -> TerminalApp:
    """A match that waits for the person, who has so many tricks behind them; with `lead`, to lead or to follow."""
    bot, rng = make_bot("casual"), Random(7)
    match = Match(players, RuleSet.parse(rules)).begin(Deal.shuffled(players, rng))
    while True:
        state = match.deals[-1]
        seat = state.trick.seat_of(len(state.table))
        if seat == 0 and len(state.tricks) >= tricks and lead in (None, not state.table):
            break
        match = match.play(bot.choose(state.view(seat), rng), seat)
    app = new_app(rules=None, language=language)
    app.unfinished = [waiting(match)]
    return app


def waiting(match: Match) -> Kept[Unfinished]:
    """A match that was left."""
    saved = SavedMatch.new(("You", *["bot:casual"] * (match.players - 1)))
    saved.save(match)
    return Kept(saved.kept, Unfinished(match, saved.names), saved.file.stat().st_mtime)


def drive(
    app: TerminalApp,
    play: Callable[[Pilot[str]], Awaitable[None]],
    size: tuple[int, int] = SMALL,
    *,
    resume: bool = True,
) -> None:
    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            if app.unfinished and resume:
                await pilot.press("enter")
                await until(pilot, lambda: waits(pilot))
                await pilot.pause()
            await play(pilot)

    asyncio.run(run())


async def until(pilot: Pilot[str], ready: Callable[[], bool], most: int = 1000) -> None:
    for _ in range(most):
        if ready():
            return
        await pilot.pause(0.005)
    pytest.fail("it never came to that")


def table(pilot: Pilot[str]) -> GameScreen:
    screen = pilot.app.screen_stack[1]
    assert isinstance(screen, GameScreen)
    return screen


def my_view(pilot: Pilot[str]) -> View:
    view = table(pilot).view
    assert view is not None
    assert view.seat == 0
    return view


def waits(pilot: Pilot[str]) -> bool:
    """Whether the app waits for the person."""
    screen = pilot.app.screen
    if isinstance(screen, Between):
        return True
    scene = screen.scene if isinstance(screen, GameScreen) else None
    return scene is not None and (scene.held or (scene.can_play and pilot.app.chosen is not None))  # type: ignore[attr-defined]


async def play_on(pilot: Pilot[str], tricks: int) -> None:
    """Types legal cards until so many tricks of the deal are over, and it is the person's turn or the deal is over."""
    while True:
        await until(pilot, lambda: waits(pilot))
        if isinstance(pilot.app.screen, Between):
            return
        screen, view = table(pilot), my_view(pilot)
        if screen.held:
            await pilot.press("enter")
            await until(pilot, lambda: not table(pilot).held or isinstance(pilot.app.screen, Between))
        elif len(view.tricks) >= tricks:
            return
        else:
            card = min(view.legal_cards)
            await pilot.press(*str(card).lower(), "enter")
            await until(pilot, lambda: card not in my_view(pilot).hand)  # noqa: B023


def saved() -> MatchRecord:
    (file,) = Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn")
    return MatchRecord.parse(file.read_text(encoding="utf-8"))


def words(widget: SceneWidget) -> str:
    content = widget.render()
    return content.plain


def check_fit(app: TerminalApp) -> None:
    """Everything lies on the screen, nothing on anything else, and no line is cut off."""
    width, height = app.size
    shown = [widget for widget in app.screen.query(Widget) if not widget.children and widget.region.area]
    taken: dict[tuple[int, int], Widget] = {}
    for widget in shown:
        region = widget.region
        assert region.x >= 0
        assert region.right <= width, widget
        assert region.y >= 0
        if any(up.id in ("side", "review") for up in widget.ancestors):
            continue  # which scroll
        assert region.bottom <= height, widget
        for row in range(region.y, region.bottom):
            for column in range(region.x, region.right):
                assert taken.setdefault((column, row), widget) is widget
    for widget in app.screen.query(SceneWidget):
        assert widget in shown or not isinstance(app.screen, Dialog), widget
        if widget in shown:
            lines = widget.render().wrap(widget.content_size.width)
            assert len(lines) <= widget.content_size.height, words(widget)
            if not isinstance(widget, Say | Story):
                assert len(lines) == words(widget).count("\n") + 1, words(widget)
    for keys in app.screen.query(Keys):
        assert all(key.region.right <= width for key in keys.query(Key) if key.display)
        assert sum(key.region.width for key in keys.query(Key) if key.display) <= keys.region.width


@pytest.mark.slow
def test_a_whole_match_by_keys() -> None:
    app = new_app(rules="classic deals=2")

    async def play(pilot: Pilot[str]) -> None:
        await play_on(pilot, 99)
        assert type(app.screen) is Between
        await pilot.press("enter")
        await until(pilot, lambda: my_view(pilot).standing.deal == 2)
        await play_on(pilot, 99)
        assert isinstance(app.screen, Ending)
        assert re.search("win|Shared", str(app.screen.query_one("#dialog").border_title))
        await pilot.press("q")

    drive(app, play)
    match = Match.replay(saved())
    assert match.is_over
    assert app.solo is not None
    assert app.return_value == f"The record is in {app.solo.saved.file}"


@pytest.mark.parametrize(("players", "tricks"), [(6, 9), *slow((3, 0), (3, 9), (6, 0))])
def test_everything_fits_and_stays_when_the_terminal_changes(players: int, tricks: int) -> None:
    app = app_at(tricks, players)

    async def play(pilot: Pilot[str]) -> None:
        await pilot.press("right")
        before = my_view(pilot), table(pilot).pick
        for size in (SMALL, LARGE, (120, 35), (100, 30), SMALL):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            check_fit(app)
            assert app.screen.has_class("wide") == (size[0] >= 120)
        assert (my_view(pilot), table(pilot).pick) == before

    drive(app, play)


@pytest.mark.parametrize("language", ["pl", *slow(*(language for language in LANGUAGES if language != "pl"))])
def test_every_language_fits_the_smallest_terminal(language: str) -> None:
    app = app_at(5, 6, language=language)

    async def play(pilot: Pilot[str]) -> None:
        for keys in ((), ("right",), ("question_mark",), ("d",), ("t",), ("p",), ("s",), ("o",)):
            await pilot.press(*keys)
            await pilot.pause()
            if isinstance(app.screen, HelpDialog):
                text, room = Texts(language)("terminal.help"), app.screen.query_one("#body").size.width - 1
                assert all(len(line) <= room for line in text.splitlines())
                assert "14. " in Texts(language).rules()
            else:
                check_fit(app)
            if isinstance(app.screen, Dialog):
                await pilot.press("escape")
        await pilot.press("enter")
        await until(pilot, lambda: table(pilot).held)
        check_fit(app)

    drive(app, play)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_screen_fits(language: str) -> None:
    app = app_at(2, language=language)
    app.unfinished, _ = unfinished_matches(BOTS)

    async def play(pilot: Pilot[str]) -> None:
        assert isinstance(app.screen, StartScreen)
        assert app.focused is app.screen.query_one("#resume")
        check_fit(app)
        for choice in app.screen.query(Choice):
            for option in choice.options:
                choice.chosen = option
                assert all(end <= choice.size.width for _, end, _ in choice.places())
                assert len(choice.render().wrap(choice.size.width)) <= choice.size.height

    drive(app, play, resume=False)


def test_in_a_small_terminal_keys_reach_everything_on_the_start_screen() -> None:
    app = app_at(2)

    async def play(pilot: Pilot[str]) -> None:
        assert app.screen.query_one(Cramped).display
        reached = []
        for _ in range(6):
            await pilot.press("down")
            await pilot.pause()
            assert app.focused is not None
            assert app.screen.query_one("#start").region.contains_region(app.focused.region)
            reached.append(app.focused.id)
        assert reached == ["players", "bot", "rules", "language", "begin", "resume"]

    drive(app, play, (60, 16), resume=False)


@pytest.mark.parametrize("language", ["pl", *slow(*(language for language in LANGUAGES if language != "pl"))])
def test_matches_that_wait_are_a_list(language: str) -> None:
    app = new_app(rules=None, language=language)
    for players in (3, 6, 4):
        waiting(Match(players).begin(Deal.shuffled(players, Random(players))))
    folder = Path(os.environ["DAVIDGOLIATH_DATA"]) / "matches"
    for number in (1, 2, 3):
        os.utime(folder / f"{number:04}.dgn", (number, number))
    (folder / "0004.dgn").write_text("rubbish", encoding="utf-8")
    app.unfinished, app.damaged = unfinished_matches(BOTS)

    async def play(pilot: Pilot[str]) -> None:
        check_fit(app)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, MatchesDialog)
        for size in ((50, 24), SMALL):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            check_fit(app)
            assert [row for row in app.screen.query("#body Act") if "Pebble" in str(row.render())] or language != "en"
        assert "0004.dgn" in str(app.screen.query_one(Unreadable).render())
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, GameScreen) and app.solo is not None)
        assert app.solo
        assert (app.solo.match.players, app.solo.saved.file.name) == (6, "0002.dgn")

    drive(app, play, resume=False)


def test_who_asks_for_a_table_gets_it_by_one_key() -> None:
    app = app_at(2)
    app.prefers_new, app.choices.rules = True, "classic deals=2"

    async def play(pilot: Pilot[str]) -> None:
        assert app.focused is app.screen.query_one("#begin")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, GameScreen) and app.solo is not None)
        assert app.solo
        assert (str(app.solo.match.rules), app.solo.saved.file.name) == ("classic deals=2", "0002.dgn")

    drive(app, play, resume=False)


def test_the_longest_sentences_fit() -> None:
    app = app_at(1, 6)

    async def play(pilot: Pilot[str]) -> None:
        view = my_view(pilot)
        equal = Trick(6, 0, tuple(next(iter(deck(6).of_colour(card.colour))) for card in view.tricks[0].cards))
        for language in LANGUAGES:
            app.texts = Texts(language)
            table(pilot).show(view._replace(tricks=(equal,)), STONES, ("master",) * 6, (), held=True)
            await pilot.pause()
            check_fit(app)

    drive(app, play)


def test_a_match_begins_from_the_start_screen_and_the_choices_are_kept() -> None:
    app = new_app(rules=None)

    async def play(pilot: Pilot[str]) -> None:
        app.screen.query_one("#players").focus()
        await pilot.press("left", "right", "right", "down", "left")
        app.screen.query_one("#language").focus()
        await pilot.press("left")
        assert words(app.screen.query_one("#begin")).strip() == "[ Jetzt spielen ]"  # type: ignore[arg-type]
        await pilot.press("down", "enter")
        await until(pilot, lambda: waits(pilot))
        assert my_view(pilot).players == 5

    app.choices.players = 4
    drive(app, play)
    assert saved().deals[0].names == ("Du", *["bot:beginner"] * 4)
    kept = Choices.kept(tuple(BOTS))
    assert (kept.players, kept.bot, kept.language) == (5, "beginner", "de")


def test_choices_that_make_no_sense_are_forgotten() -> None:
    file = Path(os.environ["DAVIDGOLIATH_DATA"]) / "terminal.json"
    for text in ("rubbish", "[1]", json.dumps({"players": 9, "bot": "nobody", "stay": [], "pace": "slow"})):
        file.write_text(text, encoding="utf-8")
        kept = Choices.kept(tuple(BOTS))
        assert (kept.players, kept.bot, kept.stay) == (4, "casual", 4)
    assert kept.pace == "slow"


def test_help_and_the_other_dialogs() -> None:
    app = app_at(3, 4)

    async def play(pilot: Pilot[str]) -> None:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpDialog)
        body = app.screen.query_one("#body")
        await pilot.press("down", "pagedown")
        await pilot.pause()
        assert body.scroll_y > 5
        await pilot.press("escape", "d")
        radar = words(app.screen.query_one(Radar))
        assert all(name in radar for name in ("Onyx", "Agate", "Slate", "You"))
        await pilot.press("d")
        assert len(app.screen_stack) == 2
        await pilot.press("h")
        assert app.screen.query(Story)
        await pilot.press("h")
        assert len(app.screen_stack) == 2
        await pilot.press("t")
        assert isinstance(app.screen, TrickDialog)
        assert app.screen.query_one("#dialog").border_title == "Trick 3"
        await pilot.press("left", "left", "left")
        assert app.screen.query_one("#dialog").border_title == "Trick 1"
        assert words(app.screen.query_one(OneTrick)).count("▲") == 2
        await pilot.press("t", "p")
        assert isinstance(app.screen, PointsDialog)
        for name in ("Your points", "Onyx, a Pebble", "Agate, a Pebble"):
            assert app.screen.query_one("#dialog").border_title == name
            points = words(app.screen.query_one(Points)).splitlines()[-1].split()[0]
            assert int(points) == my_view(pilot).scores[app.screen.seat]
            await pilot.press("right")
        await pilot.press("p")
        assert len(app.screen_stack) == 2

    drive(app, play)


def test_the_match_counts_the_deal_that_is_played() -> None:
    app = app_at(9, rules="classic")

    async def play(pilot: Pilot[str]) -> None:
        view = my_view(pilot)
        row = next(line for line in words(app.screen.query_one(Ledger)).splitlines() if " You " in line)
        await pilot.press("s")
        assert app.screen.query_one("#dialog").border_title == "Match"
        mine = next(line for line in words(app.screen.query_one(Scores)).splitlines() if "You" in line)
        assert int(mine.split()[2]) == int(row.split()[-1]) == view.scores[0] > 0

    drive(app, play)


def test_bots_are_called_by_their_level_below_their_names() -> None:
    app = app_at(1, 3)

    async def play(pilot: Pilot[str]) -> None:
        assert [line.split()[0] for line in words(app.screen.query_one(Ledger)).splitlines() if "Pebble" in line] == [
            "Pebble",
            "Pebble",
        ]

    drive(app, play)


@pytest.mark.parametrize("size", [(60, 20), *slow(((80, 20),), ((60, 30),), ((40, 12),))])
@pytest.mark.parametrize("language", ["de", *slow(*(language for language in LANGUAGES if language != "de"))])
def test_a_terminal_that_is_too_small_is_told_so_and_shows_the_hand(size: tuple[int, int], language: str) -> None:
    app = app_at(1, 6, language=language)

    async def play(pilot: Pilot[str]) -> None:
        for keys in ((), ("right",)):
            await pilot.press(*keys)
            await pilot.pause()
            said, hand = app.screen.query_one(Cramped), app.screen.query_one(Hand)
            assert said.region.height == 1
            assert f"{size[0]}×{size[1]}" in str(said.render())
            assert all(str(card) in words(hand).split() for card in my_view(pilot).hand - picked(pilot))
            assert hand.region.height == words(hand).count("\n") + 1
            assert hand.region.bottom == size[1] - 1
            assert hand.region.right <= size[0]
            if size != (40, 12):
                check_fit(app)
        _, column, card = hand.places()[-1]
        await pilot.click(Hand, offset=(column + 1, hand.places()[-1][0]))
        assert table(pilot).pick == card
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert not app.screen.query_one(Cramped).display
        check_fit(app)

    drive(app, play, size)


def picked(pilot: Pilot[str]) -> CardSet:
    pick = table(pilot).pick
    return CardSet.of([pick] if pick else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_and_the_foot_are_whole(language: str) -> None:
    app = app_at(1, language=language)

    async def play(pilot: Pilot[str]) -> None:
        assert {"act", "undo", "radar", "trick"} <= {key.action for key in app.screen.query(Key) if key.display}
        for size in (SMALL, (60, 20)):
            await pilot.resize_terminal(*size)
            await pilot.press("o")
            await pilot.pause()
            for choice in app.screen.query(Choice):
                assert all(end <= choice.size.width for _, end, _ in choice.places())
                assert choice.render().get_height({}, choice.size.width) == choice.size.height
            assert "polski" in str(app.screen.query_one("#language", Choice).render())
            await pilot.press("escape")

    drive(app, play)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_cards_behind_a_dialog_keep_their_colours_in_a_terminal_of_256(look: str) -> None:
    app = app_at(1)
    app.choices.look = look

    async def play(pilot: Pilot[str]) -> None:
        await pilot.press("d")
        veil, shown = app.screen.styles.background, []
        for tones in (DAY if look == "light" else NIGHT).values():
            stone = Color.parse(tones.stone)
            behind = stone.blend(veil, veil.a)
            code = RichColor.parse(behind.hex6).downgrade(ColorSystem.EIGHT_BIT)
            red, green, blue = code.get_truecolor()
            hue, saturation, _ = colorsys.rgb_to_hsv(red, green, blue)
            assert saturation > 0.4
            assert min(abs(hue - stone.hsv.h), 1 - abs(hue - stone.hsv.h)) < 0.09
            shown.append(code.number)
        assert len(set(shown)) == 5

    drive(app, play)


def test_the_mouse_picks_a_card_and_plays_it() -> None:
    app = app_at(2)

    async def play(pilot: Pilot[str]) -> None:
        hand = app.screen.query_one(Hand)
        card = max(my_view(pilot).legal_cards)
        ((_, column, _),) = [place for place in hand.places() if place[2] == card]
        await pilot.click(Hand, offset=(column + 1, 2))
        assert table(pilot).pick == card
        assert card in my_view(pilot).hand
        await pilot.click(Hand, offset=(column + 1, 2))
        await until(pilot, lambda: card not in my_view(pilot).hand)
        await until(pilot, lambda: table(pilot).held)
        await pilot.click(TrickRow)
        await until(pilot, lambda: not table(pilot).held)
        ((key,),) = [[key for key in app.screen.query(Key) if key.action == "radar"]]
        await pilot.click(key)
        assert app.screen.query(Radar)

    drive(app, play)


def test_the_preview_shows_what_the_trick_would_do() -> None:
    app = app_at(4, lead=False)

    async def play(pilot: Pilot[str]) -> None:
        view = my_view(pilot)
        for card in view.legal_cards:
            await pilot.press(*str(card).lower())
            scene = table(pilot).scene
            assert scene is not None
            preview = view.preview(card)
            assert scene.result is not None
            assert (scene.result.goliath, scene.result.david) == (preview.goliath, preview.david)
            for seat in range(3):
                change = sum(points for (who, _), points in scene.swings.items() if who == seat)
                assert view.scores[seat] + change == preview.scores[seat]
            said = words(app.screen.query_one(Say))
            is_last = len(view.trick.cards) == view.players - 1
            assert said.startswith("This ends the trick:" if is_last else "If the trick ended now:")
            assert f" {card} " in words(app.screen.query_one(TrickRow))

    drive(app, play)


def test_a_card_that_cant_be_played_is_explained_and_stays() -> None:
    app = app_at(2, lead=False)

    async def play(pilot: Pilot[str]) -> None:
        view = my_view(pilot)
        card = min(view.hand - view.legal_cards)
        await pilot.press(*str(card).lower(), "enter")
        await until(pilot, lambda: "can’t be played" in words(app.screen.query_one(Say)))
        assert my_view(pilot).hand == view.hand
        await pilot.press("v", "1", "7")
        assert "V17 is not in the hand" in words(app.screen.query_one(Say))

    drive(app, play)


def test_undo_goes_back_to_the_last_choice() -> None:
    app = app_at(13)

    async def play(pilot: Pilot[str]) -> None:
        before = my_view(pilot)
        await pilot.press(*str(min(before.legal_cards)).lower(), "enter")
        await until(pilot, lambda: table(pilot).held)
        await pilot.press("u")
        await until(pilot, lambda: waits(pilot) and not table(pilot).held)
        assert my_view(pilot) == before
        await play_on(pilot, 99)
        await pilot.press("u")
        await until(pilot, lambda: waits(pilot) and app.screen is table(pilot))
        assert len(my_view(pilot).hand) == 1

    drive(app, play)
    assert not saved().deals[0].state.is_over


def test_a_hint_names_a_card_says_why_and_is_in_the_record() -> None:
    app = app_at(12)

    async def play(pilot: Pilot[str]) -> None:
        legal = my_view(pilot).legal_cards
        await pilot.press("i")
        await until(pilot, lambda: isinstance(app.screen, SaidDialog), 10_000)
        said = app.screen.query_one(Said)
        check_fit(app)
        assert "Play the " in said.lines[0]
        assert said.lines[-1] == "The record says that you had a hint."
        assert saved().deals[0].hints == ((13,), (), ())
        picked = table(pilot).pick
        assert picked
        assert picked in legal
        await pilot.press("enter")
        await until(pilot, lambda: picked not in my_view(pilot).hand)

    drive(app, play)
    assert saved().deals[0].hints == ((13,), (), ())


def test_there_is_no_hint_where_there_is_no_choice() -> None:
    app = app_at(14)

    async def play(pilot: Pilot[str]) -> None:
        await pilot.press("i")
        await until(pilot, lambda: "no choice" in words(app.screen.query_one(Say)))

    drive(app, play)
    assert saved().deals[0].hints is None


@pytest.mark.parametrize(("size", "language"), [(SMALL, "en"), *slow((LARGE, "pl"), ((60, 20), "de"), (SMALL, "fr"))])
def test_a_review_after_a_match_and_an_error_to_try_again(
    size: tuple[int, int], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the first results, which leave out what is plainly behind."""
    monkeypatch.setattr("davidgoliath.terminal.review.review", lambda *deal: islice(review(*deal), 1))
    app = app_at(14, language=language)

    async def play(pilot: Pilot[str]) -> None:
        await play_on(pilot, 99)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen), 10_000)
        screen, look = app.screen, app.screen.query_one(Look)
        await until(pilot, lambda: look.found is not None, 10_000)
        assert look.found is not None
        assert look.found.seat == 0
        assert Texts(language)("study.ledger.own")[1:] in look.render().plain
        assert all(len(line) <= size[0] - 4 for line in look.render().plain.splitlines())
        await pilot.press("down", "up")
        choice = look.errors[look.chosen]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Exercise))
        exercise = app.screen
        assert isinstance(exercise, Exercise)
        assert exercise.view is not None
        assert exercise.view.seat == 0
        assert len(exercise.view.tricks) + 1 == choice.trick
        assert set(exercise.choice.analysis.cards) == set(exercise.view.legal_cards)
        for card, is_over in ((choice.played, False), (choice.analysis.best, True)):
            exercise.choose(card)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, SaidDialog))
            assert len(app.screen.query_one(Said).lines) > is_over
            await pilot.press("enter")
            await until(pilot, lambda: app.screen is (screen if is_over else exercise))  # noqa: B023
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, Ending))

    drive(app, play, size)


def test_there_may_be_nothing_to_take_back() -> None:
    app = app_at(0)

    async def play(pilot: Pilot[str]) -> None:
        await pilot.press("u")
        assert "nothing to take back" in words(app.screen.query_one(Say))

    drive(app, play)


def test_the_language_changes_at_once() -> None:
    app = app_at(1)

    async def play(pilot: Pilot[str]) -> None:
        await pilot.press("o")
        assert isinstance(app.screen, SettingsDialog)
        await pilot.press("left")
        assert app.screen.query_one("#dialog").border_title == "Einstellungen"
        await pilot.press("down", "left", "escape")
        assert app.theme == "day"
        assert words(app.screen.query_one(Title)).split("·")[0].split() == [
            "David",
            "&",
            "Goliath",
            "Stich",
            "2",
            "von",
            "15",
        ]
        assert "Du" in words(app.screen.query_one(Ledger))

    drive(app, play)


def test_nothing_that_is_shown_depends_on_hidden_cards() -> None:
    deal = Deal.shuffled(4, Random(5), dealer=3)
    swapped = Deal(3, (deal.hands[0], deal.hands[2], deal.hands[3], deal.hands[1]))
    shown = []
    for hands in (deal, swapped):
        app = new_app(rules=None)
        app.unfinished = [waiting(Match(4).begin(hands))]

        async def play(pilot: Pilot[str], app: TerminalApp = app) -> None:
            await pilot.press("right")
            await pilot.pause()
            shown.append([words(widget) for widget in app.screen.query(SceneWidget)])

        drive(app, play, LARGE)
    assert shown[0] == shown[1]


def test_a_replay_step_by_step() -> None:
    *_, match = play_out(Match(4, RuleSet(deals=2)), [make_bot("casual")] * 4, Random(3))
    records = match.record(names=("Ann", "bot:club", "Ben", "Cleo")).deals
    app = TerminalApp(Choices(language="en", look="dark"), BOTS, rng=Random(1), film=records)

    async def play(pilot: Pilot[str]) -> None:
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        assert words(screen.query_one(Hands)).count("\n") == 3
        assert screen.query_one(Hands).hands == records[0].deal.hands
        for keys, stop in (
            (("right", "right", "left"), 1),
            (("pagedown",), 4),
            (("pagedown", "pagedown", "pageup"), 8),
            (("end",), 60),
            (("right",), 61),
            (("right_square_bracket", "end"), 121),
            (("right",), 121),
            (("left_square_bracket",), 0),
        ):
            await pilot.press(*keys)
            await pilot.pause()
            assert screen.stop == stop, keys
            check_fit(app)
        await pilot.press("end")
        assert screen.scene.view.scores == records[0].state.scores
        assert "Onyx" in words(screen.query_one(Ledger))
        await pilot.press("home", "plus", "plus", "space")
        await until(pilot, lambda: screen.stop == 2)
        await pilot.press("space")
        assert screen.timer is None
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        check_fit(app)
        await pilot.press("q")

    drive(app, play)
    assert app.return_value == ""


def test_a_replay_has_the_reviews_of_the_deals_that_are_over() -> None:
    *_, match = play_out(Match(3, RuleSet(deals=2)), [make_bot("random")] * 3, Random(3))
    first, second = match.record(names=("bot:club", "Ann", "Ben")).deals
    app = TerminalApp(Choices(look="dark", language="en"), BOTS, rng=Random(1), film=[first, replace(second, plays=())])

    async def play(pilot: Pilot[str]) -> None:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen), 10_000)
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        assert screen.states == (first.state,)
        assert app.screen.query_one(Progress).where == "Deal 1 of 2 · Ann"
        check_fit(app)
        await pilot.press("p")
        assert app.screen.query_one(Progress).where == "Deal 1 of 2 · Ben"
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))

    drive(app, play)


def test_a_match_is_replayed_from_its_end() -> None:
    app = app_at(14)

    async def play(pilot: Pilot[str]) -> None:
        await play_on(pilot, 99)
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("end", "q")
        await until(pilot, lambda: isinstance(app.screen, Ending))
        await pilot.press("m")
        await until(pilot, lambda: app.screen is table(pilot) and waits(pilot))
        assert len(my_view(pilot).tricks) == 0

    drive(app, play)
    assert len(list(Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn"))) == 2


def test_a_film_by_trick_ends_where_an_unfinished_deal_does() -> None:
    match = Match(3).begin(Deal.shuffled(3, Random(2)))
    for _ in range(5):
        match = match.play(min(match.deals[-1].legal_cards))
    film = Film(match.record().deals)
    assert film.stops == 6
    assert [film.by_trick(stop, 1) for stop in range(6)] == [3, 3, 3, 5, 5, 5]
    assert [film.by_trick(stop, -1) for stop in range(6)] == [0, 0, 0, 0, 3, 3]


def test_swings_of_a_swept_trick() -> None:
    rules = RuleSet.parse("classic all_equal=sweep")
    cards = tuple(map(Card.parse, ("R4", "Y4", "G4")))
    result = settle(Trick(3, 0, cards), rules)
    assert sum(swings(result, (CardSet(),) * 3, taken=False).values()) == 12
