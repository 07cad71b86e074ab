"""A program that gives nonsense to what is compiled: whatever it is, it must be refused, and never crash."""

import random
import sys
from typing import Any

from davidgoliath import Batch, RuleSet
from davidgoliath.match.simulation import simulate, simulated_records

NUMBERS = [0, 1, 2, 3, 5, 7, 8, -1, 63, 64, 2**31, 2**63, 2**64, 10**30]
THINGS = [1.5, float("nan"), "3", None, True, [], RuleSet(), object()]
ATTRIBUTES = ["players", "size", "played", "hands", "piles", "leaders"]


def main(seed: int, batches: int) -> None:
    rng = random.Random(seed)
    made = refused = 0

    def perhaps(*good: Any) -> Any:
        return rng.choice(good if good and rng.random() < 0.7 else [*NUMBERS, *THINGS])

    for _ in range(batches):
        try:
            rules = perhaps(None, RuleSet(all_equal="sweep"))
            size, players = perhaps(1, 3, 20), perhaps(3, 4, 5, 6)
            batch = Batch(size, players, rules, seed=perhaps(7), threads=perhaps(1, 2))
            made += 1
            for _ in range(rng.randrange(100)):
                good = batch.legal_mask().argmax(axis=1)
                spoilt = [good - 1, good * 10**17, good.astype(float), good[:-1], perhaps(), [perhaps()] * len(good)]
                try:
                    batch.step(good if rng.random() < 0.5 else rng.choice([*spoilt, good.tolist()]))
                    _ = batch.hand(perhaps(0), perhaps(0)), batch.pile(perhaps(0), perhaps(0)), batch.scores()
                    setattr(batch, rng.choice(ATTRIBUTES), perhaps(7))
                except (AttributeError, TypeError, ValueError):
                    refused += 1
            batch.reset(perhaps(1))
            simulate(perhaps(3, 6), perhaps(5), perhaps(None), seed=perhaps(1), threads=perhaps(1, 2))
            list(simulated_records(perhaps(3, 6), perhaps(2), perhaps(None), seed=perhaps(1)))
        except (TypeError, ValueError):
            refused += 1
    print(f"{made} batches, {refused} refusals")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
