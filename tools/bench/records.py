"""`./dg bench records`: deals a second of `record show - --json`, beside the rules alone on the same deals.

The sides take turns, and medians are compared, since machines are noisy. The command's time includes its start.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from random import Random

from davidgoliath import Deal, DealRecord, DealState, RuleSet
from davidgoliath.notation import to_json

PLAYERS, DEALS, REPEATS = 4, 10_000, 5


def main(as_json: bool) -> int:
    records = [_random_record(Random(seed)) for seed in range(DEALS)]
    lines = "".join(json.dumps(to_json(record)) + "\n" for record in records).encode()
    sides: dict[str, Callable[[], None]] = {
        "rules, replaying": lambda: _replay(records),
        "rules, random play": _play_at_random,
        "record show - --json": lambda: _show(lines),
    }
    times: dict[str, list[float]] = {name: [] for name in sides}
    for repeat in range(REPEATS):
        for name, side in sides.items():
            print(f"\r{repeat + 1} of {REPEATS}: {name:<24}", end="", file=sys.stderr, flush=True)
            start = time.perf_counter()
            side()
            times[name].append(time.perf_counter() - start)
    print(file=sys.stderr)
    rates = {name: DEALS / statistics.median(taken) for name, taken in times.items()}
    ratio = rates["record show - --json"] / rates["rules, replaying"]
    if as_json:
        print(json.dumps({"players": PLAYERS, "deals": DEALS, "deals_per_second": rates, "ratio": ratio}))
    else:
        for name, rate in rates.items():
            print(f"{name:<22} {rate:>8,.0f} deals/s")
        print(f"record show / replaying  {ratio:.2f}")
    return 0


def _random_record(rng: Random) -> DealRecord:
    state = DealState.start(Deal.shuffled(PLAYERS, rng))
    while not state.is_over:
        state = state.play(rng.choice(list(state.legal_cards)))
    return DealRecord.of(state)


def _replay(records: list[DealRecord]) -> None:
    rules = RuleSet()
    for record in records:
        state = DealState.start(record.deal, rules)
        for card in record.plays:
            state = state.play(card)
        assert state.scores == record.state.scores


def _play_at_random() -> None:
    rng = Random(1)
    for _ in range(DEALS):
        state = DealState.start(Deal.shuffled(PLAYERS, rng))
        while not state.is_over:
            cards = list(state.legal_cards)
            state = state.play(cards[int(rng.random() * len(cards))])
        assert state.scores


def _show(lines: bytes) -> None:
    command = [sys.executable, "-m", "davidgoliath", "record", "show", "-", "--json"]
    done = subprocess.run(command, input=lines, capture_output=True, check=True)
    assert done.stdout.count(b"\n") == DEALS
