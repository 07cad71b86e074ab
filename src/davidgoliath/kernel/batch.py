"""Many deals side by side in arrays, for researchers: `reset`, `legal_mask`, `step`, `scores`.

An action is a card's place in the whole deck, `Card.index`, so there are 90 at any number of players. All
deals of a batch are at the same point: each `step` plays one card in every deal.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from davidgoliath.kernel.chance import stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import options_of, set_of
from davidgoliath.kernel.layout import CODE_BITS, COLOURS, HAND, MOST_CARDS, VALUES, WORDS, Ints
from davidgoliath.kernel.play import bit_of, capture_trick, cell, colour_of, is_legal, score, seat_at
from davidgoliath.kernel.playout import deal
from davidgoliath.rules import CardSet, RuleSet
from davidgoliath.rules.cards import check_players
from davidgoliath.rules.checks import RULE_SET, check_kind, check_seat, whole_number, wrong_kind

Bools = NDArray[np.bool_]

MOST_DEALS: Final = 10**9
MOST_THREADS: Final = 1024
HIGHEST_SEED: Final = 2**64 - 1


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
        check_players(players)
        self._size, self._players = whole_number("size", size, 1, MOST_DEALS), int(players)
        self._threads = whole_number("threads", threads, 1, MOST_THREADS)
        rules = RuleSet() if rules is None else rules
        check_kind(rules, RuleSet, RULE_SET)
        self._keeps, self._sweeps = options_of(rules)
        self._hands = np.zeros((self.size, self.players * WORDS), np.int64)
        self._piles = np.zeros((self.size, self.players * WORDS), np.int64)
        self._plays = np.zeros((self.size, MOST_CARDS), np.int64)
        self._leaders = np.zeros(self.size, np.int64)
        self._played = 0
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Deals anew. The dealer is the last seat, so seat 0 leads."""
        start = np.uint64(whole_number("seed", seed, 0, HIGHEST_SEED))
        self._played = 0
        self._piles[:] = 0
        self._leaders[:] = 0
        self._over_threads(lambda first, last: _deal_all(start, first, last, self.players, self._hands))

    @property
    def size(self) -> int:
        """How many deals there are."""
        return self._size

    @property
    def players(self) -> int:
        return self._players

    @property
    def played(self) -> int:
        """How many cards have been played in each deal."""
        return self._played

    @property
    def hands(self) -> Ints:
        """The kernel's own words, to be read: `davidgoliath.kernel.layout` explains them."""
        return _to_read(self._hands)

    @property
    def piles(self) -> Ints:
        """Likewise."""
        return _to_read(self._piles)

    @property
    def leaders(self) -> Ints:
        """Who led, or leads, the trick being played, to be read."""
        return _to_read(self._leaders)

    @property
    def is_over(self) -> bool:
        return self._played == HAND * self._players

    @property
    def to_play(self) -> Ints:
        """Whose turn it is in each deal."""
        return (self._leaders + self._played % self._players) % self._players

    def legal_mask(self) -> Bools:
        """For each deal and card whether it may be played now."""
        mask = np.zeros((self._size, MOST_CARDS), np.bool_)
        if not self.is_over:
            self._over_threads(
                lambda first, last: _legal_all(first, last, self._played, self._players, *self._arrays, mask)
            )
        return mask

    def step(self, actions: NDArray[np.integer]) -> None:
        """Plays one card in every deal. An illegal one is refused with its deal, and nothing changes."""
        given = np.asarray(actions)
        if given.shape != (self._size,):
            raise ValueError(f"one action for each of the {self._size} deals is needed, not an array of {given.shape}")
        if given.dtype.kind not in "iu":
            raise wrong_kind("an array of whole numbers, Card.index,", given)
        if self.is_over:
            raise ValueError("all deals are over")
        chosen = given.astype(np.int64)  # a copy, which nobody changes between the check and the play
        refused = _first_illegal(self._played, self._players, *self._arrays, chosen)
        if refused >= 0:
            raise ValueError(f"action {given[refused]} is not legal in deal {refused}")
        terms = self._played, self._players, self._keeps, self._sweeps
        self._over_threads(lambda first, last: _step_all(first, last, *terms, *self._arrays, self._piles, chosen))
        self._played += 1

    def scores(self) -> Ints:
        """What each pile is worth now, by deal and seat."""
        scores = np.zeros((self._size, self._players), np.int64)
        self._over_threads(lambda first, last: _score_all(first, last, self._players, self._piles, scores))
        return scores

    def hand(self, deal: int, seat: int) -> CardSet:
        """One hand, for people."""
        return set_of(self._words(self._hands, deal, seat))

    def pile(self, deal: int, seat: int) -> CardSet:
        """One pile, for people."""
        return set_of(self._words(self._piles, deal, seat))

    def _words(self, cells: Ints, deal: int, seat: int) -> Ints:
        whole_number("deal", deal, 0, self._size - 1)
        check_seat(seat, self._players)
        return cells[deal, seat * WORDS : (seat + 1) * WORDS]

    @property
    def _arrays(self) -> tuple[Ints, Ints, Ints]:
        return self._hands, self._plays, self._leaders

    def _over_threads(self, work: Callable[[int, int], None]) -> None:
        over_threads(work, 0, self._size, self._threads)


def _to_read(array: Ints) -> Ints:
    """The same array for those who mustn't write: compiled code trusts what it holds."""
    seen = array.view()
    seen.flags.writeable = False
    return seen


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
