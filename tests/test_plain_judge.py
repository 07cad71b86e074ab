"""The judge in plain Python: worlds as often as they are likely, and what it says where there is nothing to compile."""

from collections import defaultdict
from itertools import islice
from math import sqrt
from random import Random

import pytest
from hypothesis import given

from davidgoliath import CardSet, Deal, DealState, View
from davidgoliath.kernel import plain as networks
from davidgoliath.kernel.value import expected_scores
from davidgoliath.study import plain
from davidgoliath.study.seed import seed_of
from tests.games import play_at_random, randoms, states
from tests.marks import slow
from tests.networks import random_states
from tests.possible_worlds import all_worlds, late_view
from tests.processes import in_a_process

NUMBER = 20_000


@pytest.mark.parametrize(
    ("players", "left", "voids"), [(3, 5, 2), (6, 2, 5), *slow((3, 5, 0), (3, 6, 3), (4, 3, 1), (4, 3, 4), (5, 2, 5))]
)
def test_worlds_weigh_so_much_that_all_are_as_likely(players: int, left: int, voids: int) -> None:
    view = late_view(players, 1, left, voids)
    possible = all_worlds(view)
    weights: defaultdict[tuple[CardSet, ...], float] = defaultdict(float)
    squares: defaultdict[tuple[CardSet, ...], float] = defaultdict(float)
    for world in islice(plain.worlds(view, Random(1)), NUMBER):
        weights[world.hands] += world.weight
        squares[world.hands] += world.weight**2
    assert set(weights) == possible
    even = sum(weights.values()) / len(possible)
    far = [(weights[world] - even) / sqrt(squares[world]) for world in possible]
    assert max(map(abs, far)) < 5
    assert sum(error**2 for error in far) / len(far) < 1.5


@given(states(), randoms)
def test_worlds_are_consistent_with_the_view(state: DealState, rng: Random) -> None:
    for seat in range(state.players):
        view = state.view(seat)
        world = next(plain.worlds(view, rng))
        assert world.hands[seat] == view.hand
        assert tuple(map(len, world.hands)) == view.hand_sizes
        assert CardSet.of(card for hand in world.hands for card in hand) == view.unseen | view.hand
        for hand, voids in zip(world.hands, view.voids, strict=True):
            assert not voids & {card.colour for card in hand}


def view_of_a_choice(plays: int, seed: int = 3) -> View:
    state = DealState.start(Deal.shuffled(4, Random(seed)))
    while not (len(state.plays) >= plays and len(state.legal_cards) > 2):
        state = play_at_random(state, Random(seed), 1)
    assert state.to_play is not None
    return state.view(state.to_play)


def test_a_hand_may_stand_in_the_place_of_the_own_one() -> None:
    for state in random_states(4, 120, seed=4):
        assert state.to_play is not None
        view = state.view(state.to_play)
        hands = [hand for hand in state.hands if len(hand) == len(view.hand)]
        for hand, found in zip(hands, networks.appeals_by_hand(view, hands), strict=True):
            appeals = networks.appeals(view._replace(hand=hand))
            assert found == (appeals if len(appeals) > 1 else dict.fromkeys(appeals, 0))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_value_of_a_position_is_the_same_to_the_last_bit(players: int) -> None:
    for state in random_states(players, 15 * players + 1, seed=2):
        assert networks.expected_scores(state) == expected_scores(state)


def test_a_card_that_would_have_been_played_makes_a_hand_less_likely() -> None:
    """Weights are the chances of what was played, one after another, and each of those is at most 1."""
    view = view_of_a_choice(20)
    even = [world.weight for world in islice(plain.worlds(view, Random(7)), plain.POOL)]
    likely = [world.weight for world in plain.weighed(view, Random(7), plain.POOL)]
    shares = [weight / before for weight, before in zip(likely, even, strict=True)]
    assert all(0 < share < 1 for share in shares)
    assert len(set(shares)) > plain.POOL / 2


def test_what_one_knows_of_hands_adds_up_to_the_cards_that_are_out() -> None:
    view = view_of_a_choice(25)
    expected = plain.expected_hands(view, 1)
    for seat, cards in expected.items():
        assert sum(cards) == pytest.approx(view.hand_sizes[seat])
        assert all(cards[colour] == 0 for colour in view.voids[seat])
    for colour, held in enumerate(zip(*expected.values(), strict=True)):
        assert sum(held) == pytest.approx(sum(card.colour == colour for card in view.unseen))


def test_a_card_is_worth_what_comes_of_it_in_some_world() -> None:
    for view in (late_view(3, seed, 2, 0) for seed in range(20)):
        seat = view.seat or 0
        for card in view.legal_cards:
            found = []
            for hands in all_worlds(view):
                scores = expected_scores(plain.state_of(view, hands).play(card))
                found.append(scores[seat] - (sum(scores) - scores[seat]) / (view.players - 1))
            said = plain.Block(view, 1).value_of(card)
            assert min(found) - 1e-9 <= said <= max(found) + 1e-9


WITHOUT = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
from itertools import islice
from davidgoliath.study import judges
from davidgoliath.study.blocks import Blocks
from davidgoliath.study.hints import hint
from davidgoliath.study.review import review
from tests.networks import random_states
*_, late = islice(random_states(4, 60, 1), 45)
while len(late.legal_cards) < 2:
    late = late.play(min(late.legal_cards))
view = late.view(late.to_play)
print({str(card): Blocks(view, "price").values(card, 3) for card in sorted(view.legal_cards)})
found = hint(view)
print(found.card is found.analysis.best, found.reasons, judges.JUDGE)
*_, over = random_states(4, 60, 1)
over = over.play(min(over.legal_cards))
first = next(review(over, 0))
print(len(first.choices) > 5, first.ledger is not None, first.judge)
"""


def test_it_judges_where_there_is_neither_numpy_nor_numba_and_says_the_same() -> None:
    """Its numbers depend on no library, so on no processor."""
    *_, late = islice(random_states(4, 60, 1), 45)
    while len(late.legal_cards) < 2:
        late = late.play(min(late.legal_cards))
    assert late.to_play is not None
    view = late.view(late.to_play)
    blocks = [plain.Block(view, seed_of(view, "price", number)) for number in range(3)]
    values = {str(card): [block.value_of(card) for block in blocks] for card in sorted(view.legal_cards)}
    told = in_a_process(WITHOUT).splitlines()
    assert told == [str(values), f"True () {plain.JUDGE}", f"True True {plain.JUDGE}"]
