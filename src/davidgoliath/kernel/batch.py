"""Many deals side by side in arrays, for researchers: `reset`, `legal_mask`, `step`, `scores`.

An action is a card's place in the whole deck, `Card.index`, so there are 90 at any number of players. All
deals of a batch are at the same point: each `step` plays one card in every deal.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from davidgoliath.kernel.chance import stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import options_of, set_of
from davidgoliath.kernel.layout import CODE_BITS, COLOURS, HAND, MOST_CARDS, VALUES, WORDS, Ints
from davidgoliath.kernel.play import bit_of, capture_trick, cell, colour_of, is_legal, score, seat_at
from davidgoliath.kernel.playout import deal
from davidgoliath.rules import CardSet, RuleSet

Bools = NDArray[np.bool_]


class Batch:
    """`size` deals of a seed, played in step. Deal k has the same cards whatever the size and the threads.

    >>> batch = Batch(size=1000, players=4, seed=7)
    >>> while not batch.is_over:
    ...     batch.step(batch.legal_mask().argmax(axis=1))  # everyone plays the first legal card
    >>> batch.scores().shape
    (1000, 4)
    """

    def __init__(
        self, size: int, players: int, rules: RuleSet | None = None, *, seed: int = 0, threads: int = 1
    ) -> None:
        self.size, self.players = size, players
        self.keeps, self.sweeps = options_of(rules or RuleSet())
        self.threads = threads
        self.hands = np.zeros((size, players * WORDS), np.int64)
        self.piles = np.zeros((size, players * WORDS), np.int64)
        self.plays = np.zeros((size, MOST_CARDS), np.int64)
        self.leaders = np.zeros(size, np.int64)
        self.played = 0
        """How many cards have been played in each deal."""
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Deals anew. The dealer is the last seat, so seat 0 leads."""
        self.played = 0
        self.piles[:] = 0
        self.leaders[:] = 0
        self._over_threads(lambda first, last: _deal_all(np.uint64(seed), first, last, self.players, self.hands))

    @property
    def is_over(self) -> bool:
        return self.played == HAND * self.players

    @property
    def to_play(self) -> Ints:
        """Whose turn it is in each deal."""
        return (self.leaders + self.played % self.players) % self.players

    def legal_mask(self) -> Bools:
        """For each deal and card whether it may be played now."""
        mask = np.zeros((self.size, MOST_CARDS), np.bool_)
        if not self.is_over:
            self._over_threads(
                lambda first, last: _legal_all(first, last, self.played, self.players, *self._arrays, mask)
            )
        return mask

    def step(self, actions: NDArray[np.integer]) -> None:
        """Plays one card in every deal. An illegal one is refused with its deal, and nothing changes."""
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.size,):
            raise ValueError(f"one action for each of the {self.size} deals is needed, not an array of {chosen.shape}")
        if self.is_over:
            raise ValueError("all deals are over")
        refused = _first_illegal(self.played, self.players, *self._arrays, chosen)
        if refused >= 0:
            raise ValueError(f"action {chosen[refused]} is not legal in deal {refused}")
        self._over_threads(
            lambda first, last: _step_all(
                first, last, self.played, self.players, self.keeps, self.sweeps, *self._arrays, self.piles, chosen
            )
        )
        self.played += 1

    def scores(self) -> Ints:
        """What each pile is worth now, by deal and seat."""
        scores = np.zeros((self.size, self.players), np.int64)
        self._over_threads(lambda first, last: _score_all(first, last, self.players, self.piles, scores))
        return scores

    def hand(self, deal: int, seat: int) -> CardSet:
        """One hand, for people."""
        return set_of(self._words(self.hands, deal, seat))

    def pile(self, deal: int, seat: int) -> CardSet:
        """One pile, for people."""
        return set_of(self._words(self.piles, deal, seat))

    @staticmethod
    def _words(cells: Ints, deal: int, seat: int) -> Ints:
        return cells[deal, seat * WORDS : (seat + 1) * WORDS]

    @property
    def _arrays(self) -> tuple[Ints, Ints, Ints]:
        return self.hands, self.plays, self.leaders

    def _over_threads(self, work: Callable[[int, int], None]) -> None:
        over_threads(work, 0, self.size, self.threads)


def over_threads(work: Callable[[int, int], None], first: int, last: int, threads: int) -> None:
    """Splits a range evenly; kernels release the lock, so the parts run side by side."""
    bounds = [first + (last - first) * part // threads for part in range(threads + 1)]
    with np.errstate(over="ignore"):  # as plain Python, the random numbers overflow on purpose
        if threads == 1:
            work(first, last)
            return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, low, high) for low, high in pairwise(bounds)]:
            done.result()


@compiled("void(uint64, int64, int64, int64, int64[:, ::1])")
def _deal_all(seed: np.uint64, first: int, last: int, players: int, hands: Ints) -> None:
    deck = np.empty(MOST_CARDS, np.int64)
    for number in range(first, last):
        state = stream_start(seed, number)
        deal(state, stream_step(state), players, deck, hands[number])


@compiled("int64(int64[:, ::1], int64, int64, int64)")
def _led(plays: Ints, number: int, played: int, players: int) -> int:
    """The colour to follow, or -1 for the leader."""
    place = played % players
    return plays[number, played - place] >> CODE_BITS if place else -1


@compiled("void(int64, int64, int64, int64, int64[:, ::1], int64[:, ::1], int64[::1], boolean[:, ::1])")
def _legal_all(
    first: int, last: int, played: int, players: int, hands: Ints, plays: Ints, leaders: Ints, mask: Bools
) -> None:
    for number in range(first, last):
        seat = seat_at(leaders[number], played % players, players)
        led = _led(plays, number, played, players)
        for colour in range(COLOURS):
            if led < 0 or colour == led or hands[number, cell(seat, led)] == 0:
                word = hands[number, cell(seat, colour)]
                for value in range(VALUES):
                    mask[number, colour * VALUES + value] = word >> value & 1


@compiled("int64(int64, int64, int64[:, ::1], int64[:, ::1], int64[::1], int64[::1])")
def _first_illegal(played: int, players: int, hands: Ints, plays: Ints, leaders: Ints, actions: Ints) -> int:
    for number in range(actions.shape[0]):
        action = actions[number]
        if action < 0 or action >= MOST_CARDS:
            return number
        seat = seat_at(leaders[number], played % players, players)
        card = action // VALUES << CODE_BITS | action % VALUES
        if not is_legal(hands[number], seat, _led(plays, number, played, players), card):
            return number
    return -1


@compiled(
    "void(int64, int64, int64, int64, int64, int64,"
    " int64[:, ::1], int64[:, ::1], int64[::1], int64[:, ::1], int64[::1])"
)
def _step_all(
    first: int,
    last: int,
    played: int,
    players: int,
    keeps: int,
    sweeps: int,
    hands: Ints,
    plays: Ints,
    leaders: Ints,
    piles: Ints,
    actions: Ints,
) -> None:
    place = played % players
    for number in range(first, last):
        card = actions[number] // VALUES << CODE_BITS | actions[number] % VALUES
        seat = seat_at(leaders[number], place, players)
        hands[number, cell(seat, colour_of(card))] ^= bit_of(card)
        plays[number, played] = card
        if place == players - 1:
            start = played - place
            leaders[number] = capture_trick(
                piles[number], plays[number], start, players, leaders[number], keeps, sweeps
            )


@compiled("void(int64, int64, int64, int64[:, ::1], int64[:, ::1])")
def _score_all(first: int, last: int, players: int, piles: Ints, scores: Ints) -> None:
    for number in range(first, last):
        for seat in range(players):
            scores[number, seat] = score(piles[number], seat)
