"""What the games of an arena say about its bots.

Every figure is first a figure of one deal, over all seatings: a seat's mean. Deals are independent, the games of
one deal are not, so intervals are bootstrapped over deals. Differences are of the same deals, and so free of the
luck of the cards.

Sums are of whole numbers, shared wins in sixtieths and places in halves: what is equal is equal to the last digit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from davidgoliath.match.arena import Arena, Game

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

RESAMPLES: Final = 2000
SIXTIETHS: Final = 60
"""Divisible by any number of winners."""
LEAST_DEALS: Final = 10
"""Fewer deals separate nobody: an interval from them is too narrow to trust."""


def bootstrap(columns: Floats, resamples: int = RESAMPLES) -> Floats:
    """Means of each column over rows drawn again and again, always the same draws: one row a resample.

    >>> bootstrap(np.ones((20, 3))).shape
    (2000, 3)
    """
    rng, rows = np.random.default_rng(0), len(columns)
    means = np.empty((resamples, columns.shape[1]))
    for mean in means:
        mean[:] = np.bincount(rng.integers(rows, size=rows), minlength=rows) @ columns / rows
    return means


def intervals(means: Floats) -> list[list[float]]:
    """The 95 % interval of each column of resampled means."""
    low_high: list[list[float]] = np.quantile(means, (0.025, 0.975), axis=0).T.tolist()
    return low_high


@dataclass(frozen=True)
class Comparison:
    """The games of an arena, whole deals only."""

    arena: Arena
    games: Sequence[Game]

    @property
    def deals(self) -> int:
        return len(self.games) // len(self.arena.seatings)

    @cached_property
    def scores(self) -> Ints:
        """By deal, seating and seat."""
        shape = (self.deals, len(self.arena.seatings), self.arena.players)
        return np.array([game.scores for game in self.games], np.int64).reshape(shape)

    @cached_property
    def wins(self) -> Ints:
        """In sixtieths: a shared win is split."""
        best = self.scores == self.scores.max(axis=2, keepdims=True)
        return np.asarray(SIXTIETHS * best // best.sum(axis=2, keepdims=True), np.int64)

    @cached_property
    def places(self) -> Ints:
        """In halves: those who share places have the mean of them."""
        mine, theirs = self.scores[..., :, None], self.scores[..., None, :]
        return np.asarray(2 * (theirs > mine).sum(axis=3) + (theirs == mine).sum(axis=3) + 1, np.int64)

    @cached_property
    def ms(self) -> Floats:
        """By deal, seating, seat and card."""
        return np.array([game.ms for game in self.games]).reshape(*self.scores.shape, -1)

    def seats_of(self, name: str) -> Bools:
        """By seating and seat: where a bot sits."""
        return np.array([[seat == name for seat in seating.names] for seating in self.arena.seatings])

    def by_deal(self, values: Ints, seats: Bools, unit: int = 1) -> Floats:
        """The mean of one of these seats, deal by deal."""
        return np.asarray(values[:, seats].sum(axis=1) / (unit * seats.sum()), np.float64)

    def bots(self) -> list[dict[str, Any]]:
        """A row of figures for each bot."""
        seats = [self.seats_of(name) for name in self.arena.bots]
        scores = np.stack([self.by_deal(self.scores, own) for own in seats], axis=1)
        rows = []
        for name, own, score, interval in zip(
            self.arena.bots, seats, scores.T, intervals(bootstrap(scores)), strict=True
        ):
            at_table = own[own.any(axis=1)]
            ms = self.ms[:, own]
            rows.append(
                {
                    "name": name,
                    "seats": float(at_table.sum() / len(at_table)),
                    "games": int(self.deals * own.sum()),
                    "win_share": float(self.by_deal(self.wins, own, SIXTIETHS).mean()),
                    "score": float(score.mean()),
                    "score_ci": interval,
                    "rank": float(self.by_deal(self.places, own, 2).mean()),
                    "ms_per_move": float(ms.mean()),
                    "ms_p95": float(np.quantile(ms, 0.95)),
                }
            )
        return rows

    def pairs(self) -> list[dict[str, Any]]:
        """For every two bots that meet: how far a seat of the first is ahead of one of the second."""
        meetings = self._meetings()
        differences = [
            self.by_deal(values, a, unit) - self.by_deal(values, b, unit)
            for values, unit in ((self.scores, 1), (self.wins, SIXTIETHS))
            for _, _, a, b in meetings
        ]
        columns = np.stack(differences, axis=1)
        means, between = columns.mean(axis=0).tolist(), intervals(bootstrap(columns))
        rows = []
        for number, (name, other, _, _) in enumerate(meetings):
            low, high = between[number]
            rows.append(
                {
                    "a": name,
                    "b": other,
                    "difference": means[number],
                    "ci": [low, high],
                    "win_difference": means[number + len(meetings)],
                    "win_ci": between[number + len(meetings)],
                    "separated": self.deals >= LEAST_DEALS and (low > 0 or high < 0),
                }
            )
        return rows

    def _meetings(self) -> list[tuple[str, str, Bools, Bools]]:
        """Two names, and the seats of each where they meet. A bot alone meets itself, by places in the list."""
        meetings = []
        at = np.array([seating.table for seating in self.arena.seatings])[:, None]
        for number, table in enumerate(self.arena.tables):
            names = dict.fromkeys(table)
            if len(names) == 1:
                places = np.array([seating.places for seating in self.arena.seatings])
                meetings.append((table[0], table[0], (at == number) & (places == 0), (at == number) & (places == 1)))
            for a, b in combinations(names, 2):
                meetings.append((a, b, (at == number) & self.seats_of(a), (at == number) & self.seats_of(b)))
        return meetings

    def summary(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {**self.terms(), "bots": self.bots(), "pairs": self.pairs()}

    def terms(self) -> dict[str, Any]:
        """What was played."""
        return {
            "players": self.arena.players,
            "deals": self.deals,
            "seed": self.arena.seed,
            "rules": str(self.arena.rules),
            "iterations": self.arena.iterations,
        }
