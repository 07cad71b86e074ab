"""Worlds: consistent with the view, all of them, and evenly."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given

from davidgoliath import CardSet, DealState, View
from davidgoliath.bots.worlds import Worlds
from davidgoliath.kernel.convert import set_of
from davidgoliath.kernel.layout import WORDS
from tests.games import randoms, states
from tests.marks import slow
from tests.possible_worlds import all_worlds, late_view


def sampled(view: View, seed: int, number: int) -> list[tuple[CardSet, ...]]:
    hands = Worlds.of(view).sample(seed, number)
    return [tuple(set_of(words) for words in world.reshape(-1, WORDS)) for world in hands]


@pytest.mark.parametrize(
    ("players", "left", "voids"), [(3, 5, 2), (6, 2, 5), *slow((3, 5, 0), (3, 6, 3), (4, 3, 1), (4, 3, 4), (5, 2, 5))]
)
def test_worlds_are_all_there_are_and_uniform(players: int, left: int, voids: int) -> None:
    view = late_view(players, 1, left, voids)
    possible = all_worlds(view)
    draws = 100 * len(possible)
    counts = Counter(sampled(view, 3, draws))
    assert set(counts) == possible
    statistic = sum((count - 100) ** 2 / 100 for count in counts.values())
    freedom = len(possible) - 1
    assert freedom > 0
    assert abs(statistic - freedom) < 5 * np.sqrt(2 * freedom)


@given(states(), randoms)
def test_worlds_are_consistent_with_the_view(state: DealState, rng: Random) -> None:
    for seat in range(state.players):
        view = state.view(seat)
        (world,) = sampled(view, rng.getrandbits(64), 1)
        assert world[seat] == view.hand
        assert tuple(map(len, world)) == view.hand_sizes
        assert CardSet.of(card for hand in world for card in hand) == view.unseen | view.hand
        for hand, voids in zip(world, view.voids, strict=True):
            assert not voids & {card.colour for card in hand}
