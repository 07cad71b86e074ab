"""Turning points: they are the tricks whose scores, by the rules, changed most between two players."""

from itertools import pairwise
from random import Random

from hypothesis import given

from davidgoliath import DealState, Match
from davidgoliath.bots import RandomBot
from davidgoliath.match import play_out
from davidgoliath.match.turning_points import MOST, turning_points
from tests.games import states


def slow_swings(state: DealState) -> list[int]:
    """The swing of each trick, from the scores of the deal as it was after each of them."""
    players = state.players
    scores = [state.at(players * tricks).scores for tricks in range(len(state.tricks) + 1)]
    gains = [[new - old for new, old in zip(after, before, strict=True)] for before, after in pairwise(scores)]
    return [max(gain) - min(gain) for gain in gains]


@given(states(finished=True))
def test_no_other_trick_had_a_larger_swing(state: DealState) -> None:
    swings = slow_swings(state)
    found = turning_points([state])
    assert [point.swing for point in found] == [swings[point.trick - 1] for point in found]
    assert sorted(point.swing for point in found) == sorted(swings)[-MOST:]
    assert [point.trick for point in found] == sorted(point.trick for point in found)
    least = min(found, key=lambda point: (point.swing, point.trick))
    assert least.swing not in swings[least.trick :] or swings[least.trick :].count(least.swing) <= len(found) - 1


def test_those_of_a_match_come_from_any_of_its_deals_that_is_over() -> None:
    *_, match = play_out(Match(3), [RandomBot()] * 3, Random(2))
    found = turning_points(match.deals)
    every = [point for state in match.deals for point in turning_points([state])]
    assert set(found) <= set(every)
    assert sorted(point.swing for point in found) == sorted(point.swing for point in every)[-MOST:]
    unfinished = match.take_back(1).deals
    assert {point.deal for point in turning_points(unfinished)} <= {1, 2}
    assert turning_points([]) == ()
