"""Whole deals at random: shuffled, dealt, played and scored."""

import numpy as np

from davidgoliath.kernel.chance import below, stream_start, stream_step
from davidgoliath.kernel.compiled import compiled, count
from davidgoliath.kernel.layout import CODE_BITS, CODE_MASK, COLOURS, HAND, MOST_CARDS, MOST_PLAYERS, Ints
from davidgoliath.kernel.play import capture, nth, nth_card, score, seat_at


@compiled("uint64(uint64, uint64, int64, int64[::1], int64[:, ::1])")
def deal(state: np.uint64, step: np.uint64, players: int, deck: Ints, hands: Ints) -> np.uint64:
    """Rules 1 and 2: shuffles and deals, each card being any of those left. Gives the stream's new state."""
    values = 3 * players
    for colour in range(COLOURS):
        for value in range(values):
            deck[colour * values + value] = colour << CODE_BITS | value
    left = HAND * players
    for seat in range(players):
        for colour in range(COLOURS):
            hands[seat, colour] = 0
        for _ in range(HAND):
            state += step
            drawn = below(state, left)
            left -= 1
            card = deck[drawn]
            deck[drawn] = deck[left]
            hands[seat, card >> CODE_BITS] |= 1 << (card & CODE_MASK)
    return state


@compiled("uint64(uint64, uint64, int64, int64, int64, int64, int64[:, ::1], int64[:, ::1], int64[::1], int64[::1])")
def playout(
    state: np.uint64,
    step: np.uint64,
    players: int,
    leader: int,
    keeps: int,
    sweeps: int,
    hands: Ints,
    piles: Ints,
    plays: Ints,
    choices: Ints,
) -> np.uint64:
    """Plays a whole deal, every legal card being as likely as any other.

    `choices[k]` counts the decisions with k legal cards.
    """
    for trick in range(HAND):
        start = trick * players
        led = 0
        for place in range(players):
            seat = seat_at(leader, place, players)
            state += step
            mask = hands[seat, led] if place else 0
            if mask:
                legal = count(mask)
                card = led << CODE_BITS | nth(mask, below(state, legal))
            else:
                legal = HAND - trick
                card = nth_card(hands, seat, below(state, legal))
                if place == 0:
                    led = card >> CODE_BITS
            choices[legal] += 1
            hands[seat, card >> CODE_BITS] ^= 1 << (card & CODE_MASK)
            plays[start + place] = card
        leader = capture(piles, plays, start, players, leader, keeps, sweeps)
    return state


@compiled("boolean(int64[::1], int64, int64)")
def is_all_equal(plays: Ints, start: int, players: int) -> bool:
    """Whether all cards of a trick have the same value."""
    for place in range(1, players):
        if (plays[start + place] ^ plays[start]) & CODE_MASK:
            return False
    return True


@compiled(
    "void(uint64, int64, int64, int64, int64, int64,"
    " int16[:, ::1], int16[:, ::1], int16[:, ::1], int16[::1], int64[::1])"
)
def simulate(
    seed: np.uint64,
    first: int,
    last: int,
    players: int,
    keeps: int,
    sweeps: int,
    scores: Ints,
    captured: Ints,
    crowded: Ints,
    equal_tricks: Ints,
    choices: Ints,
) -> None:
    """Deals `first` up to `last` of a seed, in which seat 0 leads; results by deal and seat."""
    deck = np.empty(MOST_CARDS, np.int64)
    plays = np.empty(MOST_CARDS, np.int64)
    hands = np.empty((MOST_PLAYERS, COLOURS), np.int64)
    piles = np.empty((MOST_PLAYERS, COLOURS), np.int64)
    for number in range(first, last):
        state = stream_start(seed, number)
        step = stream_step(state)
        state = deal(state, step, players, deck, hands)
        for seat in range(players):
            for colour in range(COLOURS):
                piles[seat, colour] = 0
        playout(state, step, players, 0, keeps, sweeps, hands, piles, plays, choices)
        for seat in range(players):
            scores[number, seat] = score(piles, seat)
            for colour in range(COLOURS):
                cards = count(piles[seat, colour])
                captured[number, seat] += cards
                crowded[number, seat] += cards > 2
        for trick in range(HAND):
            equal_tricks[number] += is_all_equal(plays, trick * players, players)
