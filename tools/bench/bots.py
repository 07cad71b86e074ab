"""`./dg bench bots`: how fast bots think.

- Simulations a second of our search on one thread, beside OpenSpiel's ISMCTS in C++ (`ISMCTSBot`, each simulation in a
  world of its own, with one random rollout) on its games of four players: from the first card of the play and from the
  middle of it, as many simulations a call on all sides. The sides take turns, and medians are compared. Of oh_hell the
  longest deals are taken, twelve tricks; hearts has thirteen, and ours fifteen.
- How long a move takes over whole deals, where there is a choice.
- By how much a move exceeds its time.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import numpy as np

from davidgoliath import Deal, DealState, View
from davidgoliath.bots import Budget, bots, make_bot
from davidgoliath.bots.search import Tree

try:
    import pyspiel
except ImportError:
    pyspiel = None

SIMULATIONS, POSITIONS, REPEATS = 6000, 3, 7
OURS = "our search"
PEERS = {"hearts()": (0, 52), "oh_hell(players=4)": (-1, 48)}
"""What the first chance decides, the first of its outcomes (nobody passes cards) or the last (twelve tricks), and how
many cards are then played."""
DECK = 52
"""Actions from here on are bids."""
PLACES = {"first card": 0.0, "middle": 0.5}
"""By the share of the cards that have been played."""

MOVES = (("expert", 3), ("expert", 4), ("expert", 5), ("expert", 6), ("club", 4))
TIMED = ("expert", "master")
LIMITS = ((4, 0.1), (4, 0.5), (6, 0.1))
"""Players and seconds."""
DEALS = 3


class MoveTimes(NamedTuple):
    """How long moves took, in milliseconds."""

    moves: int
    median: float
    p95: float
    most: float
    p95_of_processor: float
    """The same, of the time that the processor worked for it: on a busy machine the better figure."""


class Overshoot(NamedTuple):
    """By how much moves exceeded their time, in per cent of it; less than nothing if they were quicker."""

    moves: int
    median: float
    p95: float
    most: float


def main(as_json: bool) -> int:
    rates = _simulation_rates()
    _say("moves over whole deals")
    times = {
        f"{name}, {players} players": _move_times(name, players, 5 * DEALS if name == "club" else DEALS)
        for name, players in MOVES
    }
    over = {}
    for name in TIMED:
        for players, seconds in LIMITS if name in bots() else ():
            side = f"{name}, {players} players, {seconds} seconds"
            _say(side)
            over[side] = _overshoot(name, players, seconds)
    print(file=sys.stderr)
    if as_json:
        tables: dict[str, Any] = {
            "simulations_per_second": rates,
            "times_as_fast": {
                side: {place: rates[OURS][place] / rate for place, rate in by_place.items()}
                for side, by_place in rates.items()
            },
            "move_milliseconds": {name: row._asdict() for name, row in times.items()},
            "overshoot_per_cent": {name: row._asdict() for name, row in over.items()},
        }
        print(json.dumps(tables))
        return 0
    print(f"| side | {' | '.join(f'{place}: simulations a second | ours is … times that' for place in PLACES)} |")
    print("|---|" + "---:|---:|" * len(PLACES))
    for side, by_place in rates.items():
        cells = [f"{rate:,.0f} | {rates[OURS][place] / rate:.1f}" for place, rate in by_place.items()]
        print(f"| {side} | {' | '.join(cells)} |")
    if pyspiel is None:
        print("\nOpenSpiel is not installed here, so its games are missing.")
    print("\n| milliseconds of a move | moves | median | p95 | most | p95 of processor time |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, row in times.items():
        print(f"| {name} | {row.moves} | {' | '.join(f'{value:.2f}' for value in row[1:])} |")
    print("\n| beyond its time, in per cent | moves | median | p95 | most |")
    print("|---|---:|---:|---:|---:|")
    for name, excess in over.items():
        print(f"| {name} | {excess.moves} | {' | '.join(f'{value:+.1f}' for value in excess[1:])} |")
    return 0


def _say(text: str) -> None:
    print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)


def _simulation_rates() -> dict[str, dict[str, float]]:
    """By side and place: the median rate of all calls."""
    sides = {OURS: {place: _our_calls(share) for place, share in PLACES.items()}}
    if pyspiel is not None:
        for name in PEERS:
            game = pyspiel.load_game(name)
            sides[f"OpenSpiel {name}"] = {place: _peer_calls(game, share) for place, share in PLACES.items()}
    found: dict[str, dict[str, list[float]]] = {side: {place: [] for place in PLACES} for side in sides}
    for repeat in range(REPEATS):
        for side, by_place in sides.items():
            _say(f"{repeat + 1} of {REPEATS}: {side}")
            for place, calls in by_place.items():
                for call in calls:
                    start = time.perf_counter()
                    call()
                    found[side][place].append(SIMULATIONS / (time.perf_counter() - start))
    return {
        side: {place: statistics.median(all_rates) for place, all_rates in by_place.items()}
        for side, by_place in found.items()
    }


def _our_calls(share: float) -> list[Callable[[], object]]:
    calls = []
    for seed in range(POSITIONS):
        rng = Random(seed)
        state = DealState.start(Deal.shuffled(4, rng))
        while len(state.plays) < share * 60 or len(state.legal_cards) == 1:
            state = state.play(rng.choice(list(state.legal_cards)))
        calls.append(_our_call(state.view(state.to_play)))
        calls[-1]()
    return calls


def _our_call(view: View) -> Callable[[], object]:
    def call() -> object:
        tree = Tree(view, 1, SIMULATIONS)
        tree.grow(SIMULATIONS)
        assert tree.iterations == SIMULATIONS
        return tree.best

    return call


def _peer_calls(game: "pyspiel.Game", share: float) -> list[Callable[[], object]]:
    return [_peer_call(_peer_position(game, share, Random(seed))) for seed in range(POSITIONS)]


def _peer_call(state: "pyspiel.State") -> Callable[[], object]:
    def call() -> object:
        return pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, SIMULATIONS).step(state)

    return call


def _peer_position(game: "pyspiel.Game", share: float, rng: Random) -> "pyspiel.State":
    """A position in the play at random, with a choice."""
    deal, cards = PEERS[str(game)]
    state, played = game.new_initial_state(), 0
    state.apply_action(state.chance_outcomes()[deal][0])
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])  # all are equally likely in these games
    while state.legal_actions()[0] >= DECK:
        state.apply_action(rng.choice(state.legal_actions()))
    while played < share * cards or len(state.legal_actions()) == 1:
        state.apply_action(rng.choice(state.legal_actions()))
        played += 1
    return state


def _move_times(name: str, players: int, deals: int) -> MoveTimes:
    taken = list(_moves(name, players, deals, None))
    wall, processor = np.array(taken).T * 1000
    return MoveTimes(len(taken), *_quantiles(wall), float(np.quantile(processor, 0.95)))


def _overshoot(name: str, players: int, seconds: float) -> Overshoot:
    taken = [wall for wall, _ in _moves(name, players, 1, Budget(seconds=seconds))]
    return Overshoot(len(taken), *_quantiles((np.array(taken) / seconds - 1) * 100))


def _quantiles(values: "np.ndarray[Any, np.dtype[np.float64]]") -> tuple[float, float, float]:
    median, p95, most = np.quantile(values, [0.5, 0.95, 1])
    return float(median), float(p95), float(most)


def _moves(name: str, players: int, deals: int, budget: Budget | None) -> Iterator[tuple[float, float]]:
    """Over whole deals of a bot with itself: for each move with a choice the time, and that of the processor."""
    bot, rng = make_bot(name), Random(players)
    bot.choose(DealState.start(Deal.shuffled(players, rng, players - 1)).view(0), rng, budget)  # loads what it needs
    for _ in range(deals):
        state = DealState.start(Deal.shuffled(players, rng))
        while state.to_play is not None:
            view, has_choice = state.view(state.to_play), len(state.legal_cards) > 1
            start, start_of_processor = time.perf_counter(), time.process_time()
            card = bot.choose(view, rng, budget)
            if has_choice:
                yield time.perf_counter() - start, time.process_time() - start_of_processor
            state = state.play(card)
