"""`./dg bench kernel`: player decisions a second in random play, shuffling and dealing included on all sides.

The sides take turns and medians are compared. OpenSpiel's games are played from Python, and by its own loop in C++
(`evaluate_bots` with its uniform random bots); how many decisions one of its games has is counted beforehand.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np

from davidgoliath import Deal, DealState
from davidgoliath.kernel.batch import over_threads
from davidgoliath.kernel.playout import play_deals

try:
    import pyspiel
except ImportError:
    pyspiel = None

REPEATS = 7
BASE, RULES = "kernel, 4 players, 1 thread", "rules in Python, 4 players"
PEERS = ("hearts", "oh_hell(players=4)")


class Side(NamedTuple):
    games: int
    decisions: float
    """Of one game."""
    run: Callable[[int], None]


def main(as_json: bool) -> int:
    sides = _sides()
    times: dict[str, list[float]] = {name: [] for name in sides}
    for repeat in range(REPEATS):
        for name, side in sides.items():
            print(f"\r{repeat + 1} of {REPEATS}: {name:<40}", end="", file=sys.stderr, flush=True)
            start = time.perf_counter()
            side.run(side.games)
            times[name].append(time.perf_counter() - start)
    print(file=sys.stderr)
    rates = {name: sides[name].games / statistics.median(taken) for name, taken in times.items()}
    decisions = {name: rates[name] * side.decisions for name, side in sides.items()}
    if as_json:
        print(json.dumps({"games_per_second": rates, "decisions_per_second": decisions}))
        return 0
    print("| side | games a second | decisions a second | kernel on one thread is … times that |")
    print("|---|---:|---:|---:|")
    for name in sides:
        print(f"| {name} | {rates[name]:,.0f} | {decisions[name]:,.0f} | {decisions[BASE] / decisions[name]:.2f} |")
    if pyspiel is None:
        print("\nOpenSpiel is not installed here, so its games are missing.")
    return 0


def _sides() -> dict[str, Side]:
    sides = {}
    for players in (4, 3, 5, 6):
        for threads in (1, 2):
            name = f"kernel, {players} players, {threads} thread{'s' if threads > 1 else ''}"
            sides[name] = Side(600_000, 15 * players, _kernel(players, threads))
    sides[RULES] = Side(1000, 60, _rules)
    if pyspiel is not None:
        for name in PEERS:
            game = pyspiel.load_game(name)
            decisions = statistics.mean(_play_in_python(game, Random(seed)) for seed in range(300))
            sides[f"OpenSpiel {name}, C++ loop"] = Side(5000, decisions, _peer_in_cpp(game))
            sides[f"OpenSpiel {name}, from Python"] = Side(500, decisions, _peer_in_python(game))
    return sides


def _kernel(players: int, threads: int) -> Callable[[int], None]:
    def work(first: int, last: int) -> None:
        play_deals(np.uint64(1), first, last, players, 0, 0)

    return lambda games: over_threads(work, 0, games, threads)


def _rules(games: int) -> None:
    rng = Random(1)
    for _ in range(games):
        state = DealState.start(Deal.shuffled(4, rng, 3))
        while state.to_play is not None:
            cards = list(state.legal_cards)
            state = state.play(cards[int(rng.random() * len(cards))])
        assert state.scores


def _peer_in_cpp(game: "pyspiel.Game") -> Callable[[int], None]:
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]

    def run(games: int) -> None:
        for seed in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

    return run


def _peer_in_python(game: "pyspiel.Game") -> Callable[[int], None]:
    def run(games: int) -> None:
        for seed in range(games):
            _play_in_python(game, Random(seed))

    return run


def _play_in_python(game: "pyspiel.Game", rng: Random) -> int:
    """Plays a game at random, and gives how many decisions its players had."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            action = outcomes[int(rng.random() * len(outcomes))][0]  # all are equally likely in these games
        else:
            actions = state.legal_actions()
            action = actions[int(rng.random() * len(actions))]
            decisions += 1
        state.apply_action(action)
    return decisions
