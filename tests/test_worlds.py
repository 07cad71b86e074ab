"""Worlds: consistent with the view, all of them, and evenly."""

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given

from davidgoliath import CardSet, Deal, DealState, View
from davidgoliath.bots.worlds import Worlds
from davidgoliath.kernel.convert import set_of
from davidgoliath.kernel.layout import WORDS
from tests.games import randoms, states
from tests.marks import slow


def all_worlds(view: View) -> set[tuple[CardSet, ...]]:
    """Every consistent world, by trying each seat for each unseen card."""
    others = [seat for seat in range(view.players) if seat != view.seat]
    found: set[tuple[CardSet, ...]] = set()
    cards = list(view.unseen)
    choices = [[seat for seat in others if card.colour not in view.voids[seat]] for card in cards]
    for owners in product(*choices):
        if all(owners.count(seat) == view.hand_sizes[seat] for seat in others):
            hands = [
                CardSet.of(c for c, owner in zip(cards, owners, strict=True) if owner == s) for s in range(view.players)
            ]
            found.add(tuple(view.hand if seat == view.seat else hands[seat] for seat in range(view.players)))
    return found


def sampled(view: View, seed: int, number: int) -> list[tuple[CardSet, ...]]:
    hands = Worlds.of(view).sample(seed, number)
    return [tuple(set_of(words) for words in world.reshape(-1, WORDS)) for world in hands]


def late_view(players: int, seed: int, left: int, least_voids: int) -> View:
    """A view near the end of a random deal in which so many voids still matter."""
    for attempt in range(10_000):
        rng = Random(f"{seed} {attempt}")
        state = DealState.start(Deal.shuffled(players, rng))
        while len(state.plays) < players * (15 - left) + attempt % players:
            state = state.play(rng.choice(list(state.legal_cards)))
        assert state.to_play is not None
        view = state.view(state.to_play)
        out = {card.colour for card in view.unseen}
        if sum(len(voids & out) for seat, voids in enumerate(view.voids) if seat != view.seat) >= least_voids:
            return view
    raise AssertionError("no such view")


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
