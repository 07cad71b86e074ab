"""Networks with any weights, and positions to ask them about."""

from array import array
from collections.abc import Iterator
from random import Random

from davidgoliath import Deal, DealState, RuleSet
from davidgoliath.kernel.shape import FIRST_LIMIT, LIMIT, WIDTH, height, inputs
from davidgoliath.kernel.weights import Weights


def random_weights(kind: str, players: int, seed: int, share: float = 0.15) -> Weights:
    """Any weights, up to a share of what they may be: by default so that numbers are cut off at either end at times."""
    rng = Random(f"{kind} {players} {seed}")
    first, size = inputs(kind, players) * WIDTH, height(kind, players) * WIDTH
    limits = [FIRST_LIMIT] * first + [LIMIT] * (size - first)
    return Weights(kind, players, array("h", [round(rng.uniform(-share, share) * limit) for limit in limits]), {})


def random_states(players: int, number: int, seed: int) -> Iterator[DealState]:
    """Every position of random deals, under random rules, until there are so many."""
    rng = Random(f"{players} {seed}")
    while True:
        rules = RuleSet.of(lowest_card_to=rng.choice(["goliath", "david"]), all_equal=rng.choice(["split", "sweep"]))
        state = DealState.start(Deal.shuffled(players, rng), rules)
        while not state.is_over:
            yield state
            number -= 1
            if not number:
                return
            state = state.play(rng.choice(list(state.legal_cards)))
