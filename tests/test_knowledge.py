"""What a seat knew: it adds up to the hands, keeps to what was shown, and comes from the view alone."""

from random import Random

import pytest

from davidgoliath import Colour, Deal, DealState
from davidgoliath.server.rooms.judge import Judge
from davidgoliath.study.knowledge import knowledge
from tests.games import swapped


def position(players: int, cards: int) -> DealState:
    rng = Random(7)
    state = DealState.start(Deal.shuffled(players, rng))
    for _ in range(cards):
        state = state.play(rng.choice(sorted(state.legal_cards)))
    return state


@pytest.mark.parametrize(("players", "cards"), [(3, 31), (4, 42), (6, 75)])
def test_expected_cards_are_the_size_of_a_hand_and_none_of_a_void(players: int, cards: int) -> None:
    state = position(players, cards)
    for seat in range(players):
        view = state.view(seat)
        known = knowledge(view)
        assert [*known.expected] == [(seat + turn) % players for turn in range(1, players)]
        for other, expected in known.expected.items():
            assert sum(expected) == pytest.approx(view.hand_sizes[other])
            assert all(expected[colour] == 0 for colour in view.voids[other])
        unseen = [len(view.unseen.of_colour(colour)) for colour in Colour]
        assert [sum(column) for column in zip(*known.expected.values(), strict=True)] == pytest.approx(unseen)
        assert (known.analysis is not None) == (len(view.legal_cards) > 1)


def test_hidden_cards_change_nothing() -> None:
    state = position(4, 30)
    assert state.to_play is not None
    other = swapped(state, state.to_play, Random(3))
    assert other.hands != state.hands
    assert knowledge(state.view(state.to_play)) == knowledge(other.view(state.to_play))


def test_advice_is_for_a_forced_card_too() -> None:
    state = position(4, 20)
    while len(state.legal_cards) > 1:
        state = state.play(max(state.legal_cards))
    assert state.to_play is not None
    judge = Judge()
    advice = judge.advice(9, state.view(state.to_play))
    judge.close()
    assert (advice.seq, advice.best, advice.instead, advice.reasons) == (9, str(min(state.legal_cards)), None, [])
    assert [card.card for card in advice.cards] == [advice.best]
