"""The trick that plays itself: one that can happen, for each number of players, and that shows both roles."""

import json

import pytest

from davidgoliath.rules import Card, RuleSet, Trick, deck, settle
from davidgoliath.tutorial.demonstration import Demonstration, as_json, demonstrations
from davidgoliath.tutorial.lessons import YOU


@pytest.mark.parametrize("one", demonstrations(), ids=lambda one: f"{one.players} players")
def test_the_strongest_card_falls_and_the_learner_snatches_it(one: Demonstration) -> None:
    cards = [Card.parse(fall.card) for fall in one.falls]
    result = settle(Trick(one.players, one.falls[0].seat, tuple(cards)), RuleSet())
    assert result.prize.value == max(deck(one.players)).value
    assert (result.david, one.falls[-1].david, one.falls[-1].goliath) == (YOU, YOU, result.goliath)
    assert [fall.seat for fall in one.falls] == [*range(1, one.players), YOU]
    taken = one.falls[-1].taken
    assert taken is not None
    assert taken.to_david == [str(result.prize)]
    assert {*taken.to_goliath} == {str(card) for card in result.spoils}
    assert taken.scores[YOU] == result.prize.value > taken.scores[result.goliath]
    assert [fall.taken for fall in one.falls[:-1]] == [None] * (one.players - 1)


def test_the_page_reads_one_for_each_number_of_players() -> None:
    assert [one["players"] for one in json.loads(as_json())] == [3, 4, 5, 6]
