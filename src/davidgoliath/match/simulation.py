"""Many deals at random, and what comes of them, as NumPy arrays."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from davidgoliath.kernel.batch import HIGHEST_SEED, MOST_DEALS, MOST_THREADS, Bools, over_threads
from davidgoliath.kernel.convert import card_of, options_of
from davidgoliath.kernel.layout import CELLS, HAND, MOST_CARDS, Ints, Shorts
from davidgoliath.kernel.playout import run_deal, tally_deals
from davidgoliath.notation import DealRecord
from davidgoliath.rules import Card, CardSet, Deal, RuleSet, Trick, settle
from davidgoliath.rules.cards import check_players
from davidgoliath.rules.checks import RULE_SET, check_kind, whole_number

CHUNK = 20_000
"""So many deals go between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What came of many deals in which everybody plays at random. Seat 0 leads the first trick of each.

    >>> result = simulate(players=4, deals=1000, seed=7)
    >>> result.scores.shape, int(result.captured.sum(axis=1).min())
    ((1000, 4), 60)
    """

    players: int
    rules: RuleSet
    seed: int
    scores: Shorts
    """By deal and seat."""
    captured: Shorts
    """How many cards each seat captured, by deal and seat."""
    crowded: Shorts
    """In how many colours each seat has three cards or more, by deal and seat."""
    equal_tricks: Shorts
    """How many tricks had equal values only, by deal."""
    choices: Ints
    """`choices[k]`: how many decisions had k legal cards."""

    @property
    def wins(self) -> Ints:
        """How many deals each seat won alone."""
        return self._wins(self.winners == 1)

    @property
    def shared_wins(self) -> Ints:
        """How many deals each seat won together with others."""
        return self._wins(self.winners > 1)

    @property
    def winners(self) -> Ints:
        """How many seats share the highest score, by deal."""
        return np.asarray(self._is_best.sum(axis=1), np.int64)

    @property
    def _is_best(self) -> Bools:
        return np.asarray(self.scores == self.scores.max(axis=1, keepdims=True), np.bool_)

    def summary(self) -> dict[str, Any]:
        """The figures as plain values: mean, deviation and distribution, by seat and over all."""
        deals = len(self.scores)
        choices, legal = self.choices / self.choices.sum(), np.arange(HAND + 1)
        mean = float(choices @ legal)
        won, shared = self.wins / deals, self.shared_wins / deals

        def summary_of(seats: slice) -> dict[str, Any]:
            quantiles = np.quantile(self.scores[:, seats], (0.05, 0.25, 0.5, 0.75, 0.95))
            return {
                "score": {**_figures(self.scores[:, seats]), "quantiles": quantiles.tolist()},
                "won": float(won[seats].mean()),
                "shared": float(shared[seats].mean()),
                "captured": _figures(self.captured[:, seats]),
                "crowded": _figures(self.crowded[:, seats]),
            }

        preset, options = self.rules.preset_and_options()
        return {
            "players": self.players,
            "deals": deals,
            "rules": {"preset": preset, **options},
            "seed": self.seed,
            "seats": [{"seat": seat, **summary_of(slice(seat, seat + 1))} for seat in range(self.players)],
            "all": summary_of(slice(None)),
            "shared_deals": float((self.winners > 1).mean()),
            "choices": {
                "mean": mean,
                "deviation": float(np.sqrt(choices @ (legal - mean) ** 2)),
                "distribution": choices.tolist(),
            },
            "equal_tricks": {
                "total": int(self.equal_tricks.sum()),
                "share_of_deals": float((self.equal_tricks > 0).mean()),
                **_figures(self.equal_tricks),
            },
        }

    def _wins(self, among: Bools) -> Ints:
        return np.asarray(self._is_best[among].sum(axis=0), np.int64)


def _figures(values: Shorts) -> dict[str, Any]:
    """`distribution[k]` is the share of value k."""
    shares = np.bincount(values.ravel()) / values.size
    return {"mean": float(values.mean()), "deviation": float(values.std()), "distribution": shares.tolist()}


def simulate(
    players: int,
    deals: int,
    rules: RuleSet | None = None,
    *,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Simulation:
    """Plays deals at random. A seed gives the same deals on any number of threads."""
    rules, players, deals, seed = _terms(rules, players, deals, seed)
    threads = whole_number("threads", threads, 1, MOST_THREADS)
    scores, captured, crowded = (np.zeros((deals, players), np.int16) for _ in range(3))
    equal_tricks = np.zeros(deals, np.int16)
    keeps, sweeps = options_of(rules)

    def work(first: int, last: int) -> None:
        own = np.zeros(HAND + 1, np.int64)
        tally_deals(np.uint64(seed), first, last, players, keeps, sweeps, scores, captured, crowded, equal_tricks, own)
        counts.append(own)

    counts: list[Ints] = []
    for first in range(0, deals, CHUNK * threads):
        last = min(deals, first + CHUNK * threads)
        over_threads(work, first, last, threads)
        progress(last)
    return Simulation(
        players=players,
        rules=rules,
        seed=seed,
        scores=scores,
        captured=captured,
        crowded=crowded,
        equal_tricks=equal_tricks,
        choices=np.sum(counts, axis=0),
    )


def simulated_records(players: int, deals: int, rules: RuleSet | None = None, *, seed: int = 0) -> Iterator[DealRecord]:
    """The very deals of a simulation, as records."""
    return _records(*_terms(rules, players, deals, seed))


def _terms(rules: RuleSet | None, players: int, deals: int, seed: int) -> tuple[RuleSet, int, int, int]:
    """What is asked for, checked: compiled code trusts it."""
    rules = RuleSet() if rules is None else rules
    check_kind(rules, RuleSet, RULE_SET)
    check_players(players)
    deals, seed = whole_number("deals", deals, 1, MOST_DEALS), whole_number("seed", seed, 0, HIGHEST_SEED)
    return rules, int(players), deals, seed


def _records(rules: RuleSet, players: int, deals: int, seed: int) -> Iterator[DealRecord]:
    keeps, sweeps = options_of(rules)
    cards, plays, choices = (np.zeros(size, np.int64) for size in (MOST_CARDS, MOST_CARDS, HAND + 1))
    hands, piles = (np.zeros(CELLS, np.int64) for _ in range(2))
    for number in range(deals):
        with np.errstate(over="ignore"):
            run_deal(np.uint64(seed), number, players, keeps, sweeps, cards, hands, piles, plays, choices)
        yield _record(rules, [card_of(code) for code in plays[: HAND * players]], players)


def _record(rules: RuleSet, played: list[Card], players: int) -> DealRecord:
    """The record of a deal by its plays alone: whoever leads follows from them, and so do the hands."""
    leader, hands = 0, [CardSet()] * players
    for start in range(0, len(played), players):
        trick = Trick._make((players, leader, tuple(played[start : start + players])))
        for place, card in enumerate(trick.cards):
            hands[trick.seat_of(place)] |= CardSet.of([card])
        leader = settle(trick, rules).goliath
    return DealRecord(rules, Deal(players - 1, tuple(hands)), tuple(played))
