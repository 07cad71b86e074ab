"""`beginner` and `casual`: legal, reproducible and quick, with the errors that are theirs."""

import subprocess
import sys
import time
from collections import Counter
from random import Random

import pytest
from hypothesis import given

from davidgoliath import CardSet, Deal, DealState, RuleSet, View
from davidgoliath.bots import LADDER, Bot, make_bot
from davidgoliath.bots.people import BeginnerBot, CasualBot
from davidgoliath.match.arena import Arena, play_games
from davidgoliath.match.comparison import Comparison
from davidgoliath.rules import Standing, Trick, TrickResult
from tests.games import cards, play_at_random, states

PEOPLE = ["beginner", "casual"]
OFTEN = 0.8
ELSEWHERE = TrickResult(2, 3, cards("V12")[0], tuple(cards("V4 V5 V6")))
"""A trick in which seat 0 captures nothing."""


def view_of(hand: str, table: str, captured: tuple[str, ...] = (), since: int = 0) -> View:
    """What seat 0 of four sees: it captured these prizes, and `since` tricks without it followed."""
    prizes = [TrickResult(1, 0, cards(prize)[0], tuple(cards("B1 B2 B3"))) for prize in captured]
    pile, played = CardSet.of(result.prize for result in prizes), tuple(cards(table))
    return View(
        seat=0,
        rules=RuleSet(),
        standing=Standing.at_start(RuleSet(), 4),
        dealer=0,
        hand=CardSet.parse(hand),
        trick=Trick(4, -len(played) % 4, played),
        tricks=(),
        results=(*prizes, *[ELSEWHERE] * since),
        piles=(pile, CardSet(), CardSet(), CardSet()),
    )


def shares(bot: Bot, view: View) -> dict[str, float]:
    """How often the bot plays which card."""
    count = Counter(str(bot.choose(view, Random(seed))) for seed in range(400))
    return {card: number / 400 for card, number in count.items()}


@pytest.mark.parametrize("name", PEOPLE)
@given(state=states())
def test_they_play_legal_cards_with_all_players_and_options(name: str, state: DealState) -> None:
    if state.to_play is not None:
        view = state.view(state.to_play)
        card = make_bot(name).choose(view, Random(5))
        assert card in view.legal_cards
        assert card is make_bot(name).choose(view, Random(5))


def test_they_stand_on_the_ladder() -> None:
    assert LADDER[:5] == ("random", "beginner", "casual", "regular", "club")


@pytest.mark.parametrize(("better", "worse"), [("beginner", "random"), ("casual", "beginner")])
def test_each_is_better_than_the_one_below(better: str, worse: str) -> None:
    arena = Arena.of([better, worse], 4)
    comparison = Comparison(arena, list(play_games(arena, 0, arena.games(200), 1)))
    assert comparison.summary()["pairs"][0]["ci"][0] > 0


def test_the_third_card_catches_the_beginner_but_not_the_casual_player() -> None:
    view = view_of("R1,8", "R12 R7", captured=("R10", "R11"), since=BeginnerBot.MEMORY)
    assert shares(BeginnerBot(), view)["R1"] > OFTEN
    assert shares(CasualBot(), view)["R8"] > OFTEN


def test_the_beginner_remembers_what_it_captured_just_now() -> None:
    view = view_of("R1,8", "R12 R7", captured=("R10", "R11"))
    assert shares(BeginnerBot(), view)["R8"] > OFTEN


def test_both_take_a_prize_that_counts() -> None:
    view = view_of("R1,8", "R12 R7", captured=("R10",))
    assert shares(BeginnerBot(), view)["R1"] > OFTEN
    assert shares(CasualBot(), view) == {"R1": 1.0}


def test_at_times_the_casual_player_forgets_its_pile() -> None:
    view = view_of("R1,8", "R12 R7", captured=("R10", "R11"))
    assert 0 < shares(CasualBot(), view)["R1"] < 2 * CasualBot.SLIP


def test_the_beginner_would_rather_be_goliath_and_the_casual_player_would_not() -> None:
    view = view_of("R4,6,9", "R3 R8", captured=("R1", "R2"))
    assert shares(BeginnerBot(), view)["R9"] > OFTEN
    assert shares(CasualBot(), view)["R6"] > OFTEN


def test_the_casual_player_does_not_think_of_who_plays_after() -> None:
    low_enough_so_far = view_of("R6,11", "R12")
    assert shares(CasualBot(), low_enough_so_far)["R11"] == 1.0


def test_how_they_lead() -> None:
    view = view_of("R5,11 Y2 G9 V2", "")
    assert set(shares(BeginnerBot(), view)) == {"R5", "R11", "Y2", "G9", "V2"}
    assert set(shares(CasualBot(), view)) == {"Y2", "V2"}


@pytest.mark.parametrize("name", PEOPLE)
def test_they_are_about_as_quick_as_the_reference(name: str) -> None:
    state = DealState.start(Deal.shuffled(6, Random(1)), RuleSet())
    later = [play_at_random(state, Random(most), most) for most in range(90)]
    views = [state.view(state.to_play) for state in later if state.to_play is not None]

    def seconds(bot: Bot) -> float:
        start = time.perf_counter()
        for view in views:
            bot.choose(view, Random(1))
        return time.perf_counter() - start

    mine, reference = (min(seconds(make_bot(bot)) for _ in range(5)) for bot in (name, "reference"))
    assert mine < 2 * reference


def test_they_need_neither_numpy_nor_the_kernel() -> None:
    code = """if True:
        import sys
        from random import Random
        from davidgoliath import Deal, DealState, RuleSet
        from davidgoliath.bots import make_bot
        state = DealState.start(Deal.shuffled(4, Random(1)), RuleSet())
        while not state.is_over:
            bot = make_bot("beginner" if state.to_play % 2 else "casual")
            state = state.play(bot.choose(state.view(state.to_play), Random(1)))
        assert not {"numpy", "numba", "davidgoliath.kernel"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", code], check=True)
