"""Why a card is better than another: counted fairly, on what a seat may know, and said in every language."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from davidgoliath import Card, Deal, DealState, RuleSet
from davidgoliath.kernel.convert import card_of, set_of, words_of
from davidgoliath.kernel.plain import appeals, chosen
from davidgoliath.rules import View
from davidgoliath.study.causes import Cause, Deals, Found, Sample
from davidgoliath.study.reasons import _named, reasons
from davidgoliath.study.values import Reason, ReasonKind
from davidgoliath.study.wording import Sentence, sentence, worded
from davidgoliath.texts import LANGUAGES, Texts
from tests.games import swapped

CLASSIC = RuleSet.parse("classic")
NAMES = ("Ann", "Slate", "Ben", "Flint", "Cleo", "Dan")


def at_random(players: int, plays: int, seed: int, rules: RuleSet) -> DealState:
    """A position after so many cards."""
    rng = Random(seed)
    state = DealState.start(Deal.shuffled(players, rng, dealer=rng.randrange(players)), rules)
    for _ in range(plays):
        state = state.play(rng.choice(list(state.legal_cards)))
    return state


def with_choice(players: int, plays: int, seed: int, rules: RuleSet = CLASSIC) -> DealState:
    state = at_random(players, plays, seed, rules)
    while len(view_of(state).legal_cards) < 2:
        seed += 1000
        state = at_random(players, plays, seed, rules)
    return state


def view_of(state: DealState) -> View:
    assert state.to_play is not None
    return state.view(state.to_play)


def two_of(view: View) -> tuple[Card, Card]:
    first, *_, last = view.legal_cards
    return first, last


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_what_a_seat_cant_know_changes_no_reason(players: int) -> None:
    state = with_choice(players, 8 * players + 1, seed=players)
    own = state.to_play
    assert own is not None
    other = swapped(state, own, Random(players))
    assert other is not None
    assert other.hands != state.hands
    played, best = two_of(state.view(own))
    found = reasons(state.view(own), played, best, samples=4)
    assert repr(found) == repr(reasons(other.view(own), played, best, samples=4))


@pytest.mark.parametrize("rules", ["classic", "manual", "classic all_equal=sweep"], ids=["classic", "manual", "sweep"])
def test_deals_are_finished_by_the_policy_and_the_rules(rules: str) -> None:
    """The slow way is the oracle: everyone's own view, the rules, and the networks in plain Python."""
    start = with_choice(3, 29, seed=4, rules=RuleSet.parse(rules))
    view = view_of(start)
    card = two_of(view)[0]
    world = np.array([[*words_of(hand)] for hand in start.hands], np.int32).reshape(1, -1)
    deals = Deals(view, card, world)
    state = start.play(card)
    while state.to_play is not None:
        state = state.play(chosen(appeals(state.view(state.to_play))))
    tricks = state.tricks[len(view.tricks) :]
    assert deals.leaders[0].tolist() == [trick.leader for trick in tricks]
    assert [[card_of(code) for code in row] for row in deals.plays[0]] == [list(trick.cards) for trick in tricks]
    assert [set_of([*words, 0, 0, 0]) for words in deals.piles[0, -1]] == list(state.piles)
    results = state.results[len(view.tricks) :]
    assert deals.is_goliath[0].tolist() == [result.goliath == view.seat for result in results]
    assert deals.is_david[0].tolist() == [result.david == view.seat for result in results]
    assert [card_of(code) for code in deals.prizes[0]] == [result.prize for result in results]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_causes_that_dont_overlap_add_up_to_the_whole(players: int) -> None:
    view = view_of(with_choice(players, 6 * players + 2, seed=players))
    sample = Sample.of(view, *two_of(view), number=1)
    kinds = {ReasonKind.RIVAL_THIRD_CARD, ReasonKind.RIVAL_GAIN, ReasonKind.THIRD_CARD}
    whole = [
        cause
        for cause in sample.causes
        if cause.seat is None and cause.card is None and (cause.colour is None or cause.kind in kinds)
    ]
    assert not any(one.overlaps(other) for one, other in combinations(whole, 2))
    assert sum(sample.causes[cause].points for cause in whole) == pytest.approx(sample.whole)
    seats = [cause for cause in sample.causes if cause.seat is not None]
    assert sum(sample.causes[cause].points for cause in seats) == pytest.approx(
        sum(sample.causes[cause].points for cause in whole if cause.kind in kinds - {ReasonKind.THIRD_CARD})
    )


def test_a_prize_that_is_there_for_the_taking_is_a_reason() -> None:
    """Whoever plays last sees the prize: the lowest card takes it for sure, and another one never does."""
    views = (view_of(with_choice(4, 51, seed)) for seed in range(1000))
    found = ((view, prize) for view in views if (prize := prize_at_hand(view)))
    view, prize = next(found)
    low, high = two_of_values(view)
    reason = reasons(view, high, low, samples=4)[0]
    assert (reason.kind, reason.card) == (ReasonKind.DAVID, prize)
    assert reason.share is not None
    assert reason.best_share is not None
    assert (reason.share.value, reason.best_share.value) == (0, 1)
    assert reason.points.value > prize.value / 2
    assert sentence(reason, high, low) == (
        "study.reason.prize_pays",
        {"card": str(low), "other": str(high), "prize": str(prize), "often": 100, "less": 0},
    )


def two_of_values(view: View) -> tuple[Card, Card]:
    low, *_, high = sorted(view.legal_cards, key=lambda card: card.value)
    return low, high


def prize_at_hand(view: View) -> Card | None:
    """A high card of a colour that the own pile has none of: the lowest card makes David, the highest doesn't."""
    low, high = two_of_values(view)
    prize = max(view.trick.cards, key=lambda card: card.value)
    assert view.seat is not None
    is_new = not view.piles[view.seat].of_colour(prize.colour)
    good = view.preview(low).david == view.seat and high.value < prize.value and view.preview(high).david != view.seat
    return prize if good and is_new and prize.value > 8 else None


@pytest.fixture(scope="module")
def some() -> list[tuple[Card, Card, Reason]]:
    """Reasons of real positions, with the card that was played and the best one."""
    found = []
    for seed in range(8):
        view = view_of(with_choice(4, 7 + 5 * seed, seed))
        one, other = two_of(view)
        for played, best in ((one, other), (other, one)):
            found += [(played, best, reason) for reason in reasons(view, played, best, samples=4)]
    return found


@pytest.mark.parametrize(("share", "named"), [(0.6, [ReasonKind.LEAD, ReasonKind.KEEP]), (0.7, [ReasonKind.KEEP])])
def test_what_is_as_frequent_with_either_card_is_no_reason(share: float, named: list[ReasonKind]) -> None:
    """Where a reason says nothing but how often."""
    samples = [
        Sample(
            1.7,
            {Cause(ReasonKind.LEAD): Found(1 + chance, share, 0.73), Cause(ReasonKind.KEEP): Found(0.7 - chance, 0, 0)},
            {},
        )
        for chance in (0.1, 0.0, -0.1, 0.0)
    ]
    assert [cause.kind for cause in _named(samples)] == named


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_what_has_just_been_said_is_left_out(language: str) -> None:
    """“In 60% of cases, the other in 2%”, but “for sure, the other in 2% of cases”."""
    texts = Texts(language)
    short, full = texts("study.often.less", count=2), texts("study.often.some", count=2)
    for often, there in ((60, False), (100, True)):
        arguments = {"card": "R1", "other": "Y2", "often": often, "less": 2}
        said = worded(Sentence("study.reason.goliath_pays", arguments), texts, NAMES)
        assert (full in said) is there
        assert short in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_can_be_said(language: str, some: list[tuple[Card, Card, Reason]]) -> None:
    texts = Texts(language)
    said = [sentence(reason, played, best) for played, best, reason in some]
    assert len({key for key, _ in said}) > 5
    for text in (worded(one, texts, NAMES) for one in said):
        assert "{" not in text
        assert text.endswith(".")
        assert text[0].isupper()
