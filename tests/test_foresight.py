"""Guessing hands: a world's weight is the product of the chances that the policy network gives to what was played."""

from math import exp, log
from random import Random

import numpy as np
import pytest

from davidgoliath import CardSet, Deal, DealState
from davidgoliath.bots.foresight import WHIM, log_chances
from davidgoliath.bots.worlds import Worlds
from davidgoliath.kernel import plain
from davidgoliath.kernel.convert import set_of
from davidgoliath.kernel.layout import WORDS
from davidgoliath.kernel.shape import ONE, STEEP
from tests.games import play_at_random


def log_chance_by_the_rules(state: DealState, seat: int, world: list[CardSet]) -> float:
    """The same from the values of the rules, by playing the world's own deal, with the network in plain Python."""
    played: list[set[object]] = [set() for _ in range(state.players)]
    for trick in (*state.tricks, state.trick):
        for place, card in enumerate(trick.cards):
            played[trick.seat_of(place)].add(card)
    hands = tuple(
        CardSet.of([*hand, *cards])  # type: ignore[list-item]
        for hand, cards in zip(world, played, strict=True)
    )
    then, found = DealState.start(Deal(state.deal.dealer, hands), state.rules), 0.0
    for card in state.plays:
        assert then.to_play is not None
        if then.to_play != seat and len(then.legal_cards) > 1:
            appeals = plain.appeals(then.view(then.to_play))
            chances = {each: exp((appeal - max(appeals.values())) / (ONE * STEEP)) for each, appeal in appeals.items()}
            found += log((1 - WHIM) * chances[card] / sum(chances.values()) + WHIM / len(chances))
        then = then.play(card)
    return found


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_worlds_weigh_what_the_policy_says_of_each_card(players: int) -> None:
    rng = Random(players)
    for played in (0, 1, 17, 34, 13 * players):
        state = play_at_random(DealState.start(Deal.shuffled(players, rng)), rng, played)
        assert state.to_play is not None
        view = state.view(state.to_play)
        worlds = Worlds.of(view).sample(7, 3)
        hands = [[set_of(words) for words in world.reshape(-1, WORDS)[:players]] for world in worlds]
        expected = [log_chance_by_the_rules(state, state.to_play, world) for world in hands]
        assert np.allclose(log_chances(view, worlds, 1.0), expected, atol=1e-9)


def test_little_is_known_of_whom_nobody_has_seen_play() -> None:
    view = DealState.start(Deal.shuffled(4, Random(1))).view(0)
    assert not log_chances(view, Worlds.of(view).sample(7, 3)).any()
