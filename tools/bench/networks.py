"""`./dg bench networks`: nanoseconds for a value and for a look of the policy, in positions all through deals.

With any weights, since time doesn't depend on them. The least of several runs is told: what else goes on in a computer
only adds to it.
"""

import json
import time
from collections.abc import Callable

import numpy as np

from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, WORDS, Ints, Longs, Shorts
from davidgoliath.kernel.network import aligned, appraise, evaluate, make_rooms
from davidgoliath.kernel.position import FIELDS, legal_words, to_play
from davidgoliath.kernel.shape import WIDTH, height
from tools.train.games import Bytes, replay
from tools.train.play import Plan, club_games

DEALS, TIMES, RUNS = 40, 50, 15
KINDS = ("value", "policy that leads", "policy that follows")


def main(as_json: bool) -> int:
    found = {players: {kind: _nanoseconds(kind, players) for kind in KINDS} for players in (3, 4, 5, 6)}
    if as_json:
        print(json.dumps(found))
        return 0
    print(f"| players | {', ns | '.join(KINDS)}, ns |")
    print("|---:" * (len(KINDS) + 1) + "|")
    for players, row in found.items():
        print(f"| {players} | {' | '.join(f'{row[kind]:.0f}' for kind in KINDS)} |")
    return 0


def _nanoseconds(kind: str, players: int) -> float:
    weights = aligned(height(kind.split()[0], players), WIDTH, np.int16)
    weights[:] = np.random.default_rng(1).integers(-100, 100, weights.shape)
    games, rooms, follows = club_games(Plan(players), 0, DEALS), make_rooms(), int(kind == KINDS[2])

    def ask(times: int) -> int:
        if kind == KINDS[0]:
            return _values(games, players, times, weights, *rooms)
        return _looks(games, players, follows, times, weights, *rooms)

    ask(1)
    return min(_time(ask, TIMES) - _time(ask, 0) for _ in range(RUNS)) / (DEALS * (HAND - 1) * TIMES)


def _time(ask: Callable[[int], int], times: int) -> float:
    start = time.perf_counter_ns()
    ask(times)
    return time.perf_counter_ns() - start


@compiled(
    "int64(uint8[:, ::1], int64, int64, int16[:, ::1], int16[:, ::1], int32[:, ::1], int64[:, ::1], int64[::1])",
    inline=False,
)
def _values(
    games: Bytes, players: int, times: int, weights: Shorts, rows: Shorts, sums: Longs, found: Ints, counts: Ints
) -> int:
    """Values the start of each trick of each deal so many times."""
    position, hands, piles = np.empty(FIELDS, np.int64), np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    remaining, voids, scores = np.empty(COLOURS, np.int64), np.empty(WORDS, np.int64), np.zeros(WORDS, np.int64)
    total = 0
    for number in range(games.shape[0]):
        for trick in range(HAND - 1):
            replay(games[number], players, trick * players, position, hands, piles, remaining, voids, scores)
            for _ in range(times):
                evaluate(position, hands, piles, weights, rows, sums, found, counts, scores)
                total += scores[0]
    return total


@compiled(
    "int64(uint8[:, ::1], int64, int64, int64, int16[:, ::1], int16[:, ::1], int32[:, ::1], int64[:, ::1], int64[::1])",
    inline=False,
)
def _looks(
    games: Bytes,
    players: int,
    follows: int,
    times: int,
    weights: Shorts,
    rows: Shorts,
    sums: Longs,
    found: Ints,
    counts: Ints,
) -> int:
    """Asks the policy as often at each trick's lead, or at its second card."""
    position, hands, piles = np.empty(FIELDS, np.int64), np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    remaining, voids, scores = np.empty(COLOURS, np.int64), np.empty(WORDS, np.int64), np.zeros(WORDS, np.int64)
    legal, cards, appeals = np.empty(COLOURS, np.int64), np.empty(HAND, np.int64), np.empty(HAND, np.int64)
    total = 0
    for number in range(games.shape[0]):
        for trick in range(HAND - 1):
            plays = trick * players + follows
            replay(games[number], players, plays, position, hands, piles, remaining, voids, scores)
            legal_words(position, hands, to_play(position), legal)
            for _ in range(times):
                total += appraise(
                    position, hands, piles, remaining, voids, legal, weights, rows, sums, found, counts, cards, appeals
                )
    return total
