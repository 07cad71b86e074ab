"""Whole deals at random: shuffled, dealt, played and scored."""

import numpy as np

from davidgoliath.kernel.bits import count, nth
from davidgoliath.kernel.chance import below, stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CELLS, CODE_BITS, CODE_MASK, COLOURS, HAND, MOST_CARDS, Ints, Shorts
from davidgoliath.kernel.play import bit_of, capture, cell, colour_of, high_key, low_key, nth_card, score, seat_at


@compiled("uint64(uint64, uint64, int64, int64[::1], int64[::1])")
def deal(state: np.uint64, step: np.uint64, players: int, deck: Ints, hands: Ints) -> np.uint64:
    """Rules 1 and 2: each card dealt is any of those left, and the last hand is what remains.

    Gives the stream's new state.
    """
    values = 3 * players
    for colour in range(COLOURS):
        for value in range(values):
            deck[colour * values + value] = colour << CODE_BITS | value
    for seat in range(players):
        for colour in range(COLOURS):
            hands[cell(seat, colour)] = 0
    left = HAND * players
    for seat in range(players - 1):
        for _ in range(HAND):
            state += step
            drawn = below(state, left)
            left -= 1
            card = deck[drawn]
            deck[drawn] = deck[left]
            hands[cell(seat, colour_of(card))] |= bit_of(card)
    for rest in range(left):
        hands[cell(players - 1, colour_of(deck[rest]))] |= bit_of(deck[rest])
    return state


@compiled("uint64(uint64, uint64, int64, int64, int64, int64, int64, int64[::1], int64[::1], int64[::1], int64[::1])")
def playout(
    state: np.uint64,
    step: np.uint64,
    players: int,
    leader: int,
    first: int,
    keeps: int,
    sweeps: int,
    hands: Ints,
    piles: Ints,
    plays: Ints,
    choices: Ints,
) -> np.uint64:
    """Plays a deal from the trick `first` to its end, every legal card being as likely as any other.

    `choices[k]` counts the decisions with k legal cards.
    """
    for trick in range(first, HAND):
        start = trick * players
        held = HAND - trick
        choices[held] += 1
        state += step
        card = nth_card(hands, leader, below(state, held))
        led = colour_of(card)
        hands[cell(leader, led)] ^= bit_of(card)
        plays[start] = card
        top, bottom = high_key(card, 0), low_key(card, 0)
        for place in range(1, players):
            seat = seat_at(leader, place, players)
            state += step
            mask = hands[cell(seat, led)]
            if mask:
                legal = count(mask)
                card = led << CODE_BITS | nth(mask, below(state, legal))
            else:
                legal = held
                card = nth_card(hands, seat, below(state, legal))
            choices[legal] += 1
            hands[cell(seat, colour_of(card))] ^= bit_of(card)
            plays[start + place] = card
            top = max(top, high_key(card, place))
            bottom = min(bottom, low_key(card, place))
        leader = capture(piles, plays, start, players, leader, top, bottom, keeps, sweeps)
    return state


RUN = "void(uint64, int64, int64, int64, int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])"


@compiled(RUN)
def _run_deal(
    seed: np.uint64,
    number: int,
    players: int,
    keeps: int,
    sweeps: int,
    deck: Ints,
    hands: Ints,
    piles: Ints,
    plays: Ints,
    choices: Ints,
) -> None:
    state = stream_start(seed, number)
    step = stream_step(state)
    state = deal(state, step, players, deck, hands)
    for seat in range(players):
        for colour in range(COLOURS):
            piles[cell(seat, colour)] = 0
    playout(state, step, players, 0, 0, keeps, sweeps, hands, piles, plays, choices)


@compiled(RUN, inline=False)
def run_deal(
    seed: np.uint64,
    number: int,
    players: int,
    keeps: int,
    sweeps: int,
    deck: Ints,
    hands: Ints,
    piles: Ints,
    plays: Ints,
    choices: Ints,
) -> None:
    """A whole deal of a seed, in which seat 0 leads.

    Where players and options are constants, the compiler unrolls every loop over seats: a fifth faster.
    """
    if keeps or sweeps:
        _run_deal(seed, number, players, keeps, sweeps, deck, hands, piles, plays, choices)
    elif players == 3:
        _run_deal(seed, number, 3, 0, 0, deck, hands, piles, plays, choices)
    elif players == 4:
        _run_deal(seed, number, 4, 0, 0, deck, hands, piles, plays, choices)
    elif players == 5:
        _run_deal(seed, number, 5, 0, 0, deck, hands, piles, plays, choices)
    else:
        _run_deal(seed, number, 6, 0, 0, deck, hands, piles, plays, choices)


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
def tally_deals(
    seed: np.uint64,
    first: int,
    last: int,
    players: int,
    keeps: int,
    sweeps: int,
    scores: Shorts,
    captured: Shorts,
    crowded: Shorts,
    equal_tricks: Shorts,
    choices: Ints,
) -> None:
    """Deals `first` up to `last` of a seed, in which seat 0 leads; results by deal and seat."""
    deck = np.empty(MOST_CARDS, np.int64)
    plays = np.empty(MOST_CARDS, np.int64)
    hands = np.empty(CELLS, np.int64)
    piles = np.empty(CELLS, np.int64)
    for number in range(first, last):
        run_deal(seed, number, players, keeps, sweeps, deck, hands, piles, plays, choices)
        for seat in range(players):
            scores[number, seat] = score(piles, seat)
            for colour in range(COLOURS):
                cards = count(piles[cell(seat, colour)])
                captured[number, seat] += cards
                crowded[number, seat] += cards > 2
        for trick in range(HAND):
            equal_tricks[number] += is_all_equal(plays, trick * players, players)


@compiled("int64(uint64, int64, int64, int64, int64, int64)")
def play_deals(seed: np.uint64, first: int, last: int, players: int, keeps: int, sweeps: int) -> int:
    """The same deals for speed alone: gives the sum of all scores."""
    deck = np.empty(MOST_CARDS, np.int64)
    plays = np.empty(MOST_CARDS, np.int64)
    choices = np.zeros(HAND + 1, np.int64)
    hands = np.empty(CELLS, np.int64)
    piles = np.empty(CELLS, np.int64)
    total = 0
    for number in range(first, last):
        run_deal(seed, number, players, keeps, sweeps, deck, hands, piles, plays, choices)
        for seat in range(players):
            total += score(piles, seat)
    return total
