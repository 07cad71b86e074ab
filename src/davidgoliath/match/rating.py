"""Ratings from finishing orders: the Plackett–Luce model, fitted by the MM algorithm of Hunter (2004).

In the model a game is a sequence of draws: first place goes to a seat with a chance in proportion to its bot's
strength, the next place to one of the remaining seats in the same way, and so on. Seats that share places count as
all their orders, in equal parts. A bot may hold several seats, so all that matters of a draw is how many seats of each
bot are left and whose is drawn: a deal comes down to a short row of numbers, and a resample of deals to their sum.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, groupby, permutations
from typing import Any, Final

import numpy as np

from davidgoliath.match.comparison import Comparison, Floats, bootstrap, intervals

POINTS: Final = 400 / math.log(10)
"""As in chess: 400 points are ten to one for being ahead."""
PRIOR: Final = 0.5
"""So often any two bots are taken to have been ahead of each other before: one who never was has a rating too."""
RESAMPLES: Final = 400

Draw = tuple[tuple[int, ...], int]
"""How many seats of each bot are left, and which bot's is drawn."""


@lru_cache(maxsize=10_000)
def draws(order: tuple[tuple[int, ...], ...], bots: int) -> dict[Draw, float]:
    """The draws of a finishing order, the best first, with their weights; bots that share places stand together.

    >>> draws(((0,), (1,), (0,)), 2)
    {((2, 1), 0): 1.0, ((1, 1), 1): 1.0}
    >>> draws(((0, 1),), 2)
    {((1, 1), 0): 0.5, ((1, 1), 1): 0.5}
    """
    left = [sum(group.count(bot) for group in order) for bot in range(bots)]
    weights: dict[Draw, float] = {}
    for group in order:
        orders = list(permutations(group))
        for shared in orders:
            now = left.copy()
            for bot in shared:
                if sum(map(bool, now)) > 1:  # else nothing is decided
                    draw = (tuple(now), bot)
                    weights[draw] = weights.get(draw, 0) + 1 / len(orders)
                now[bot] -= 1
        for bot in group:
            left[bot] -= 1
    return weights


def finishing_order(bots: Sequence[int], scores: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The bots of the seats by score.

    >>> finishing_order([0, 1, 0], [30, 41, 30])
    ((1,), (0, 0))
    """
    ranked = sorted(zip(scores, bots, strict=True), key=lambda seat: (-seat[0], seat[1]))
    return tuple(tuple(bot for _, bot in group) for _, group in groupby(ranked, key=lambda seat: seat[0]))


def strengths(left: Floats, drawn: Floats, times: Floats) -> Floats:
    """The strengths that make the draws likeliest, as logarithms, for each of several sets of draws.

    `left[t]`: how many seats of each bot are left in a draw of kind t; `times[r, t]`: how often set r has it;
    `drawn[r, b]`: how often bot b is drawn in set r.
    """
    gamma, change = np.ones_like(drawn), math.inf
    while change > 1e-8:
        better = drawn / ((times / (gamma @ left.T)) @ left)
        better /= np.exp(np.log(better).mean(axis=1, keepdims=True))
        change = float(np.abs(np.log(better / gamma)).max())
        gamma = better
    return np.log(gamma)


def fit(deals: Iterable[Iterable[dict[Draw, float]]], bots: int) -> tuple[Floats, Floats]:
    """The strengths as logarithms, and those of each resample of the deals, from each deal's games."""
    sums: list[dict[Draw, float]] = []
    for games in deals:
        of_deal: dict[Draw, float] = {}
        for game in games:
            for draw, weight in game.items():
                of_deal[draw] = of_deal.get(draw, 0) + weight
        sums.append(of_deal)
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(kind for row in sums for kind, _ in row))}
    times, drawn = np.zeros((len(sums), len(kinds))), np.zeros((len(sums), bots))
    for number, row in enumerate(sums):
        for (kind, bot), weight in row.items():
            times[number, kinds[kind]] += weight
            drawn[number, bot] += weight
    before = np.array([[float(bot in pair) for bot in range(bots)] for pair in combinations(range(bots), 2)])
    left = np.vstack([np.array(list(kinds), np.float64).reshape(-1, bots), before])
    columns = np.hstack([times, drawn])
    totals = np.vstack([columns.sum(axis=0), len(sums) * bootstrap(columns, RESAMPLES)])
    times = np.hstack([totals[:, : len(kinds)], np.full((len(totals), len(before)), 2 * PRIOR)])
    result = strengths(left, totals[:, len(kinds) :] + PRIOR * (bots - 1), times)
    return result[0], result[1:]


def ratings(comparison: Comparison) -> list[dict[str, Any]]:
    """A rating for each bot, the best first. `random` has 0, or the weakest where it doesn't play."""
    names = comparison.arena.bots
    numbers = [[names.index(name) for name in seating.names] for seating in comparison.arena.seatings]
    deals = [
        [draws(finishing_order(own, scores), len(names)) for own, scores in zip(numbers, games, strict=True)]
        for games in comparison.scores.tolist()
    ]
    found, resampled = fit(deals, len(names))
    zero = names.index("random") if "random" in names else int(found.argmin())
    points, between = POINTS * (found - found[zero]), intervals(POINTS * (resampled - resampled[:, [zero]]))
    rows = [
        {"name": name, "rating": rating, "rating_ci": interval}
        for name, rating, interval in zip(names, points.tolist(), between, strict=True)
    ]
    return sorted(rows, key=lambda row: -row["rating"])


def ladder_summary(comparison: Comparison) -> dict[str, Any]:
    """Ratings, with each bot's figures against all others, and the cross-table."""
    figures = {row["name"]: row for row in comparison.bots()}
    rows = [{**row, **figures[row["name"]]} for row in ratings(comparison)]
    return {**comparison.terms(), "ratings": rows, "cross": comparison.pairs()}
