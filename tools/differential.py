"""`./dg differential [DEALS]`: plays random deals in the kernel and in the rules side by side, and compares every move.

Each combination of players and options gets its share of the deals; a million took some twenty minutes on two cores.
"""

import itertools
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random

import numpy as np

from davidgoliath import Deal, DealState, RuleSet
from davidgoliath.kernel.batch import Batch
from davidgoliath.kernel.convert import set_of
from davidgoliath.kernel.layout import WORDS

SHARE = 2500


def main() -> int:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    options = list(itertools.product((3, 4, 5, 6), ("goliath", "david"), ("split", "sweep")))
    tasks = list(itertools.islice(itertools.cycle(options), -(-deals // SHARE)))
    done = 0
    with ProcessPoolExecutor() as pool:
        futures = [pool.submit(_task, seed, *task) for seed, task in enumerate(tasks)]
        for future in as_completed(futures):
            done += future.result()
            print(f"\r{done:,} of {len(tasks) * SHARE:,} deals agree", end="", file=sys.stderr, flush=True)
    print(f"\n{done:,} deals: kernel and rules agree on every move", flush=True)
    return 0


def _task(seed: int, players: int, lowest_card_to: str, all_equal: str) -> int:
    rules = RuleSet.of(lowest_card_to=lowest_card_to, all_equal=all_equal)
    return compare(players, rules, SHARE, seed)


def compare(players: int, rules: RuleSet, deals: int, seed: int) -> int:
    """Plays deals at random on both sides, and asserts that they agree. Gives how many."""
    batch, rng = Batch(deals, players, rules, seed=seed), Random(seed)
    states = []
    for number in range(deals):
        hands = tuple(batch.hand(number, seat) for seat in range(players))
        states.append(DealState.start(Deal(players - 1, hands), rules))
    while not batch.is_over:
        masks = np.packbits(batch.legal_mask(), axis=1, bitorder="little")
        seats = batch.to_play.tolist()
        actions = []
        for number, state in enumerate(states):
            assert state.to_play == seats[number]
            assert state.legal_mask == int.from_bytes(masks[number].tobytes(), "little")
            card = rng.choice(list(state.legal_cards))
            states[number] = state.play(card)
            actions.append(card.index)
        batch.step(np.array(actions))
        if batch.played % players == 0:
            _compare_tricks(batch, states)
    scores = batch.scores().tolist()
    assert all(state.is_over and list(state.scores) == scores[number] for number, state in enumerate(states))
    return deals


def _compare_tricks(batch: Batch, states: list[DealState]) -> None:
    """After a trick: who leads, who was David, and all piles."""
    leaders = batch.leaders.tolist()
    piles = batch.piles.reshape(batch.size, batch.players, WORDS).tolist()
    for number, state in enumerate(states):
        assert state.leader == leaders[number] == state.results[-1].goliath
        assert [set_of(words).mask for words in piles[number]] == list(state.pile_masks)
        assert state.results[-1].prize in set_of(piles[number][state.results[-1].david])
