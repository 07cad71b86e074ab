"""`./dg differential [DEALS]`: plays random deals in the kernel and in the rules side by side, and compares every move.

Each combination of players and options gets its share of the deals. A million take some minutes.
"""

import itertools
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from davidgoliath import Deal, DealState, RuleSet
from davidgoliath.kernel.batch import Batch
from davidgoliath.kernel.layout import COLOURS, VALUES, WORDS

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
        masks = _as_ints(batch.legal_mask())
        seats = batch.to_play.tolist()
        actions = []
        for number, state in enumerate(states):
            assert state.to_play == seats[number]
            assert state.legal_mask == masks[number]
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
    words = batch.piles.reshape(batch.size * batch.players, WORDS)[:, :COLOURS, np.newaxis]
    piles = iter(_as_ints((words >> np.arange(VALUES) & 1).reshape(batch.size * batch.players, -1)))
    for number, state in enumerate(states):
        result, masks = state.results[-1], [next(piles) for _ in range(batch.players)]
        assert state.leader == leaders[number] == result.goliath
        assert masks == list(state.pile_masks)
        assert masks[result.david] & result.prize.bit


def _as_ints(bits: NDArray[Any]) -> list[int]:
    """Rows of bits as `CardSet.mask`s."""
    rows = np.packbits(bits.astype(np.uint8), axis=1, bitorder="little")
    return [int.from_bytes(row, "little") for row in rows.view(f"V{rows.shape[1]}").ravel().tolist()]
