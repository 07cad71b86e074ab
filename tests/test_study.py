"""Study: what cards are worth, by what a seat may know; reviews, grades and the ledger.

Nothing here depends on what the networks have learnt: they may be exchanged.
"""

import json
from itertools import pairwise, permutations
from math import exp
from random import Random
from statistics import fmean, stdev

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given, settings

from davidgoliath import Card, CardSet, Deal, DealState
from davidgoliath.bots import LADDER, make_bot
from davidgoliath.bots.expert import MasterBot
from davidgoliath.bots.inference import GuessingTree
from davidgoliath.kernel.convert import sets_to_array
from davidgoliath.server.protocol.study_types import review_body
from davidgoliath.study import master
from davidgoliath.study.analysis import FIRST, LEVELS, Analyst, analyse, analyses
from davidgoliath.study.blocks import Blocks
from davidgoliath.study.grades import grade_of, right_cards
from davidgoliath.study.hints import hint
from davidgoliath.study.intervals import estimate, t_quantile
from davidgoliath.study.jsonform import choice_to_json, hint_to_json, ledger_to_json, review_to_json
from davidgoliath.study.judges import JUDGE
from davidgoliath.study.knowledge import knowledge
from davidgoliath.study.ledger import ledgers
from davidgoliath.study.review import final_review, moments, review
from davidgoliath.study.seed import seed_of
from davidgoliath.study.strength import Strength, lost_by_bot, strength
from davidgoliath.study.values import Analysis, Choice, Estimate, Grade, Ledger, Review
from tests.games import play_at_random, randoms, states, swapped
from tests.marks import slow

START = DealState.start(Deal.shuffled(4, Random(7), dealer=3))


@pytest.fixture(autouse=True)
def _small_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here holds for any, and these are quicker."""
    monkeypatch.setattr(master, "PASSES", 2)


def halfway(players: int, plays: int, seed: int = 1) -> DealState:
    return play_at_random(DealState.start(Deal.shuffled(players, Random(seed))), Random(seed), plays)


LATE = halfway(4, 40)


def before_the_end(players: int, seed: int) -> DealState:
    """The last seat of the trick before the last is to play, from two cards: all that follows is forced."""
    state = halfway(players, 14 * players - 1, seed)
    while len(state.legal_cards) < 2:
        seed += 1000
        state = halfway(players, 14 * players - 1, seed)
    return state


# the judge


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_where_all_worlds_can_be_told_the_values_are_those(players: int) -> None:
    """By playing each of them to its end with the rules, weighed as the judge weighs worlds."""
    for seed in range(4):
        state = before_the_end(players, seed)
        seat = state.to_play
        assert seat is not None
        view = state.view(seat)
        exact = exact_values(state, seat)
        for card, value in Analyst(view).analysis(32).cards.items():
            # an interval misses one time in twenty, and 32 of them are looked at: twice as far is as good as never
            reach = 2 * (value.high - value.low) / 2 + 1e-6
            assert value.value == pytest.approx(exact[card], abs=reach), (seed, card)


def exact_values(state: DealState, seat: int) -> dict[Card, float]:
    """For each card the mean over all deals of the unseen cards, each as likely as the judge's tree says."""
    view = state.view(seat)
    others = [other for other in range(state.players) if other != seat]
    sums, total = dict.fromkeys(state.legal_cards, 0.0), 0.0
    worlds = [
        dict(zip(others, cards, strict=True))
        for cards in permutations(view.unseen)
        if all(card.colour not in view.voids[other] for other, card in zip(others, cards, strict=True))
    ]
    rows = [with_hands(state, world, seat) for world in worlds]
    tree = MasterBot().tree(view, 1, 1)
    assert isinstance(tree, GuessingTree)
    logs = tree.log_chances(np.array([sets_to_array(each.hands) for each in rows], np.int32))
    for each, log in zip(rows, logs.tolist(), strict=True):
        weight = exp(log - max(logs))
        total += weight
        for card in sums:
            end = each.play(card)
            while not end.is_over:
                end = end.play(next(iter(end.legal_cards)))
            scores = end.scores
            sums[card] += weight * (scores[seat] - (sum(scores) - scores[seat]) / (state.players - 1))
    return {card: value / total for card, value in sums.items()}


def with_hands(state: DealState, world: dict[int, Card], seat: int) -> DealState:
    hands = [CardSet.of([world[other]]) if other in world else state.hands[seat] for other in range(state.players)]
    played = [dealt - now for dealt, now in zip(state.deal.hands, state.hands, strict=True)]
    deal = Deal(state.deal.dealer, tuple(hand | gone for hand, gone in zip(hands, played, strict=True)))
    return DealState.start(deal, state.rules, state.standing).play_all(state.plays)


def test_a_better_card_is_worth_more_to_the_judge_too() -> None:
    """Where a card is better in every world, by the rules."""
    for seed in range(20):
        state = before_the_end(4, seed)
        seat = state.to_play
        assert seat is not None
        exact = exact_values(state, seat)
        better, worse = sorted(exact, key=lambda card: -exact[card])
        if exact[better] > exact[worse] + 5:
            analysis = analyse(state.view(seat), FIRST, worse)
            assert analysis.best is better
            assert analysis.losses[worse].low > 0
            assert right_cards(analysis) == [better]
            return
    raise AssertionError("no such position")


def test_blocks_of_one_number_are_the_same_however_one_comes_to_them() -> None:
    view = LATE.view(LATE.to_play)
    first, second, *_ = analyses(view)
    assert first == analyse(view, LEVELS[0])
    assert second == Analyst(view).analysis(LEVELS[1])
    assert first != second
    assert (first.blocks, second.blocks) == LEVELS[:2]


def test_another_copy_of_the_judge_has_other_chance() -> None:
    view = LATE.view(LATE.to_play)
    assert Analyst(view, copy=1).analysis(FIRST).cards != Analyst(view).analysis(FIRST).cards


def test_cards_are_compared_in_the_same_worlds() -> None:
    """So their difference is surer than either of them."""
    sample, (one, two, *_) = Blocks(START.view(0)), sorted(START.legal_cards)
    ones, twos = sample.values(one, 12), sample.values(two, 12)
    assert stdev(a - b for a, b in zip(ones, twos, strict=True)) < stdev(ones) + stdev(twos)
    assert sample.values(one, 5) == ones[:5]


def test_an_analysis_says_of_each_card_what_it_is_worth_and_loses() -> None:
    view = START.view(0)
    analysis = analyse(view, FIRST)
    assert list(analysis.cards) == list(analysis.losses) == sorted(view.legal_cards)
    assert analysis.losses[analysis.best] == Estimate(0.0, 0.0, 0.0)
    for card, value in analysis.cards.items():
        loss = analysis.losses[card]
        assert value.low <= value.value <= value.high
        assert loss.low <= loss.value <= loss.high
        assert value.value + loss.value == pytest.approx(analysis.cards[analysis.best].value)


def test_a_first_answer_may_leave_out_what_is_plainly_behind() -> None:
    analyst = Analyst(START.view(0), min(START.legal_cards))
    whole, first = analyst.analysis(FIRST), analyst.analysis(FIRST, whole=False)
    assert first.best is whole.best
    assert set(first.cards) < set(whole.cards)
    assert {first.best, min(START.legal_cards)} <= set(first.cards)
    assert first.losses.items() <= whole.losses.items()


def test_the_only_card_is_the_best() -> None:
    state = halfway(4, 56)
    assert state.to_play is not None
    analysis = analyse(state.view(state.to_play), FIRST)
    assert analysis.best in state.legal_cards
    assert analysis.losses == {analysis.best: Estimate(0.0, 0.0, 0.0)}


def test_nobody_is_analysed_out_of_turn() -> None:
    with pytest.raises(ValueError, match="whose turn it is"):
        analyse(START.view(1))


@settings(max_examples=settings().max_examples // 10)
@given(states(), randoms)
def test_cards_that_a_seat_cant_know_change_nothing(state: DealState, rng: Random) -> None:
    """Non-interference: analysis, hints, grades and reasons are the same to the last byte."""
    seat = state.to_play
    assume(seat is not None)
    other = swapped(state, seat, rng)
    assume(other.deal != state.deal)
    card = min(state.legal_cards)
    one, two = state.view(seat), other.view(seat)
    assert repr(analyse(one, FIRST, card)) == repr(analyse(two, FIRST, card))
    assert json.dumps(hint_to_json(hint(one))) == json.dumps(hint_to_json(hint(two)))


@pytest.mark.parametrize("players", [3, 4, *slow(5, 6)])
def test_a_swapped_deal_has_the_same_review_hint_and_knowledge(players: int) -> None:
    """To the last byte, in both kinds of JSON; reasons are among what is compared."""
    state = halfway(players, 9 * players + 1)
    while len(state.legal_cards) < 2:
        state = state.play(min(state.legal_cards))
    seat = state.to_play
    assert seat is not None
    other = swapped(state, seat, Random(players))
    assert other.deal != state.deal
    one, two = (final_review(each, seat, FIRST) for each in (state, other))
    assert any(choice.reasons for choice in one.choices)
    assert json.dumps(review_to_json(one, cards=True)) == json.dumps(review_to_json(two, cards=True))
    assert msgspec.json.encode(review_body(one)) == msgspec.json.encode(review_body(two))
    views = [each.view(seat) for each in (state, other)]
    one_hint, other_hint = (json.dumps(hint_to_json(hint(view))) for view in views)
    assert one_hint == other_hint
    assert repr(knowledge(views[0])) == repr(knowledge(views[1]))


def test_a_leak_would_be_noticed() -> None:
    """Another hand of its own is something that a seat knows."""
    other = swapped(START, 1, Random(1))
    assert other.hands[0] != START.hands[0]
    assert seed_of(START.view(0)) != seed_of(other.view(0))


def test_seeds_are_of_all_that_a_seat_knows() -> None:
    view = START.view(0)
    later = view._replace(standing=view.standing._replace(totals=(1, 0, 0, 0)))
    seeds = {
        seed_of(view),
        seed_of(view, "x"),
        seed_of(later),
        seed_of(START.view(1)),
        seed_of(view._replace(dealer=0)),
    }
    assert len(seeds) == 5
    assert seed_of(START.view(0)) == seed_of(view)


# intervals and grades


def test_quantiles_are_students() -> None:
    for freedom, quantile in {3: 3.1824, 4: 2.7764, 7: 2.3646, 15: 2.1314, 31: 2.0395}.items():
        assert t_quantile(freedom) == pytest.approx(quantile, rel=2e-3)


def test_intervals_hold_what_they_promise() -> None:
    rng = Random(1)
    for number in (4, 8):
        held = [
            found.low <= 0 <= found.high
            for found in (estimate([rng.gauss(0, 3) for _ in range(number)]) for _ in range(4000))
        ]
        assert 0.93 < fmean(held) < 0.97


def test_few_values_have_no_interval() -> None:
    with pytest.raises(ValueError, match="needs 4 values, not 3"):
        estimate([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("value", "low", "grade"),
    [
        (9.0, -0.1, Grade.FINE),
        (9.0, 0.04, Grade.FINE),
        (9.0, 0.1, Grade.BLUNDER),
        (3.96, 0.1, Grade.BLUNDER),
        (3.9, 0.1, Grade.MISTAKE),
        (1.4, 0.1, Grade.INACCURACY),
        (0.46, 0.3, Grade.INACCURACY),
        (0.4, 0.3, Grade.FINE),
        (-3.0, -4.0, Grade.FINE),
    ],
)
def test_nothing_is_an_error_that_may_be_none(value: float, low: float, grade: Grade) -> None:
    assert grade_of(Estimate(value, low, 2 * value - low), is_best=False) is grade


# reviews


def test_a_review_begins_with_all_choices_and_then_knows_each_better() -> None:
    state = play_at_random(halfway(3, 39), Random(1))
    seat = 0
    known = list(moments(state, seat))
    reviews = list(review(state, seat, (4, 5)))
    assert len(reviews) == 1 + len(known)
    for number, each in enumerate(reviews):
        assert [choice.played for choice in each.choices] == [moment.played for moment in known]
        assert [choice.analysis.blocks for choice in each.choices] == [5] * number + [4] * (len(known) - number)
        assert each.ledger == ledgers(state)[seat]
        assert each.judge == JUDGE
    assert reviews[-1] == final_review(state, seat, 5)


def test_forced_cards_are_no_choices() -> None:
    state = play_at_random(halfway(4, 30), Random(1))
    for seat in range(4):
        for moment in moments(state, seat):
            assert len(moment.view.legal_cards) > 1
            assert moment.played in moment.view.legal_cards
            assert moment.view.seat == seat
    assert not list(moments(START, 0))


def test_a_deal_that_is_being_played_has_no_ledger() -> None:
    state = halfway(4, 9)
    first = next(review(state, 1, (FIRST,)))
    assert first.ledger is None
    assert first.lost_per_choice is None
    with pytest.raises(ValueError, match="that is over"):
        ledgers(state)


# the ledger


@settings(max_examples=settings().max_examples // 2)
@given(states(finished=True))
def test_the_ledger_adds_up(state: DealState) -> None:
    check_ledgers(state)


@pytest.mark.slow
def test_the_ledger_adds_up_in_ten_thousand_random_deals() -> None:
    for number in range(10_000):
        rng = Random(number)
        check_ledgers(play_at_random(DealState.start(Deal.shuffled(3 + number % 4, rng)), rng))


def check_ledgers(state: DealState) -> None:
    """The parts are worked out apart, and what is printed of them adds up as well."""
    scores = state.scores
    for seat, found in enumerate(ledgers(state)):
        result = scores[seat] - (sum(scores) - scores[seat]) / (state.players - 1)
        assert found.result == pytest.approx(result, abs=1e-9)
        assert found.dealt + found.own + found.others == pytest.approx(result, abs=1e-9)
        assert found.steps[0] == found.dealt
        assert found.steps[-1] == found.result
        assert len(found.steps) == 15 * state.players + 1
        printed = ledger_to_json(found)
        assert round(printed["dealt"] + printed["own"] + printed["others"] - printed["result"], 9) == 0
        assert abs(printed["others"] - found.others) < 0.2


def test_forced_cards_at_the_end_change_nothing() -> None:
    for ledger in ledgers(play_at_random(START, Random(3))):
        assert len(set(ledger.steps[-5:])) == 1


# how strong


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_there_is_a_ladder_for_each_number_of_players(players: int) -> None:
    """In its order, and no two neighbours are plainly in the wrong one."""
    lost = lost_by_bot(players)
    assert [*lost] == [*LADDER]
    for weaker, stronger in pairwise(lost.values()):
        assert weaker.high > stronger.low


def test_where_bots_differ_by_chance_the_ladder_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = {"random": 1.5, "casual": 0.7, "club": 0.9, "master": 0.1}
    ladder = {bot: Estimate(value, value, value) for bot, value in lost.items()}
    monkeypatch.setattr("davidgoliath.study.strength.lost_by_bot", lambda _: ladder)
    assert strength(Estimate(0.8, 0.75, 0.85), 4) == Strength("random", "master")
    assert strength(Estimate(0.5, 0.4, 0.6), 4) == Strength("club", "master")
    assert strength(Estimate(1.2, 1.0, 1.4), 4) == Strength("random", "casual")


def test_only_who_is_surely_worse_or_better_is_named() -> None:
    ladder = sorted(lost_by_bot(4).items(), key=lambda item: -item[1].value)
    (worst, most), (best, least) = ladder[0], ladder[-1]
    assert strength(Estimate(0.0, -99.0, 99.0), 4) == Strength(None, None)
    assert strength(Estimate(99.0, 98.0, 100.0), 4) == Strength(None, worst)
    assert strength(Estimate(-99.0, -100.0, -98.0), 4) == Strength(best, None)
    between = (most.value + least.value) / 2
    assert strength(Estimate(between, least.value, most.value), 4) == Strength(None, None)
    found = strength(Estimate(between, between, between), 4)
    assert found.above is not None
    assert found.below is not None
    assert lost_by_bot(4)[found.above].value > between > lost_by_bot(4)[found.below].value


# JSON


def test_a_review_as_json() -> None:
    red, green = Card.parse("R2"), Card.parse("G7")
    losses = {red: Estimate(0.0, 0.0, 0.0), green: Estimate(2.44, 1.06, 3.82)}
    cards = {red: Estimate(1.0, 0.0, 2.0), green: Estimate(-1.44, -2.0, -0.96)}
    choice = Choice(3, green, Analysis(cards, losses, red, 4), Grade.MISTAKE, ())
    ledger = Ledger(4.24, -6.14, 3.04, 1.14, (4.24, 1.14))
    found = review_to_json(Review(1, 0, (choice,), ledger, Estimate(0.314, 0.2, 0.42), "me"))
    assert found == {
        "deal": 1,
        "seat": 0,
        "choices": [
            {
                "trick": 3,
                "played": "G7",
                "best": "R2",
                "loss": 2.4,
                "low": 1.1,
                "high": 3.8,
                "grade": "mistake",
                "reasons": [],
            }
        ],
        "lost_per_choice": 0.31,
        "low": 0.2,
        "high": 0.42,
        "ledger": {"dealt": 4.2, "own": -6.1, "others": 3.0, "result": 1.1},
        "judge": "me",
    }
    assert choice_to_json(choice, cards=True)["cards"] == {"R2": [1.0, 0.0, 2.0, 0.0], "G7": [-1.4, -2.0, -1.0, 2.4]}
    assert choice_to_json(choice, cards=True)["right"] == ["R2"]
    assert review_to_json(Review(1, 0, (), None, None, "me"))["ledger"] is None


def test_the_costliest_are_errors_in_the_order_of_play() -> None:
    card = Card.parse("R2")
    choices = tuple(
        Choice(trick, card, Analysis({}, {card: Estimate(loss, 0.1, 9.0)}, card, 4), grade, ())
        for trick, (loss, grade) in enumerate(
            [
                (1.0, Grade.INACCURACY),
                (5.0, Grade.BLUNDER),
                (0.9, Grade.FINE),
                (0.7, Grade.INACCURACY),
                (2.0, Grade.MISTAKE),
            ]
        )
    )
    assert [choice.trick for choice in Review(1, 0, choices, None, None, "me").costliest] == [0, 1, 4]


def test_a_whole_review_is_small() -> None:
    """A store keeps one for each seat and deal."""
    rng, bot = Random(1), make_bot("club")
    state = DealState.start(Deal.shuffled(6, rng))
    while (seat := state.to_play) is not None:
        state = state.play(bot.choose(state.view(seat), rng))
    found = review_to_json(next(review(state, 0, (FIRST,))), cards=True)
    assert len(json.dumps(found)) < 10_000
