"""The two networks, compiled. `shape` explains their steps and their weights, `features` what they see.

`rows` and `sums` are room for the numbers of a position: `make_rooms` makes it.
"""

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from davidgoliath.kernel.bits import lowest
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.features import LISTS, LONGEST, SHARED, policy_features, value_features
from davidgoliath.kernel.layout import CODE_BITS, COLOURS, Ints, Longs, Shorts
from davidgoliath.kernel.play import seat_at
from davidgoliath.kernel.position import LEADER, PLAYERS, TRICK
from davidgoliath.kernel.shape import (
    ALL,
    CONSTANT_SHIFT,
    END,
    HALF,
    OUTPUTS,
    TRICKS,
    WIDTH,
    policy_starts,
    value_inputs,
)
from davidgoliath.kernel.vector import add_row, clip_row, clip_sums, dot, multiply
from davidgoliath.kernel.weights import Weights, weights_of

FIRSTS: Final = 5
"""Where the sum of the colours' rows, `s`, stands among the rows; the rows of all colours are before it."""
SECONDS: Final = 8
"""Where the colours' rows of step 2 start; their sum, `t`, is behind them."""
ROWS: Final = 16
LINE: Final = 64


def aligned(height: int, width: int, kind: type[np.signedinteger[Any]]) -> NDArray[Any]:
    """Rows of zeros that begin where a line of the processor's cache does: vectors across two lines are slow."""
    size = height * width * np.dtype(kind).itemsize
    room = np.zeros(size + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    return room[start : start + size].view(kind).reshape(height, width)


@lru_cache
def network(kind: str, players: int) -> Shorts:
    """The weights of one of the package's networks."""
    return to_array(weights_of(kind, players))


@lru_cache
def changes(players: int) -> Shorts:
    """For each value what it changes in the policy network's first step if a card is in the own hand rather than
    unseen."""
    weights, values = network("policy", players), 3 * players
    rows = aligned(values, WIDTH, np.int16)
    rows[:] = weights[:values] - weights[values : 2 * values]
    return rows


def to_array(weights: Weights) -> Shorts:
    """Weights for compiled code."""
    rows = aligned(len(weights.numbers) // WIDTH, WIDTH, np.int16)
    rows[:] = np.array(weights.numbers, np.int16).reshape(rows.shape)
    return rows


def make_rooms() -> "tuple[Shorts, Longs, Ints, Ints]":
    """Room for a network's rows and sums, and for the lists of a position's inputs."""
    return (
        aligned(ROWS, WIDTH, np.int16),
        aligned(2, HALF, np.int32),
        np.zeros((LISTS, LONGEST), np.int64),
        np.zeros(LISTS, np.int64),
    )


@compiled("void(int16[:, ::1], int64[:, ::1], int64[::1], int16[:, ::1])")
def add_up(weights: Shorts, found: Ints, counts: Ints, rows: Shorts) -> None:
    """The colours' rows, not cut yet."""
    for number in range(WIDTH):
        rows[FIRSTS + 1, number] = 0
    for number in range(counts[SHARED]):
        add_row(weights, found[SHARED, number], rows, FIRSTS + 1)
    for colour in range(COLOURS):
        for number in range(WIDTH):
            rows[colour, number] = rows[FIRSTS + 1, number]
        for number in range(counts[colour]):
            add_row(weights, found[colour, number], rows, colour)


@compiled("void(int16[:, ::1])")
def cut(rows: Shorts) -> None:
    """Cuts the colours' rows, and adds them up: the end of step 1."""
    for number in range(WIDTH):
        rows[FIRSTS, number] = 0
    for colour in range(COLOURS):
        clip_row(rows, colour)
        add_row(rows, colour, rows, FIRSTS)


@compiled("void(int16[:, ::1], int64, int64, int16[:, ::1], int32[:, ::1])")
def start_second_step(weights: Shorts, inputs: int, trick: int, rows: Shorts, sums: Longs) -> None:
    """What step 2 is for all colours, in `sums[0]`: the trick and `s`."""
    for number in range(HALF):
        sums[0, number] = int(weights[inputs + TRICKS + trick, number]) << CONSTANT_SHIFT
    multiply(weights, inputs + ALL, rows, FIRSTS, sums, 0)


@compiled("void(int16[:, ::1], int64, int64, int16[:, ::1], int32[:, ::1])")
def second_step(weights: Shorts, inputs: int, colour: int, rows: Shorts, sums: Longs) -> None:
    """A colour's row of step 2, with ONE behind it for the constant."""
    for number in range(HALF):
        sums[1, number] = sums[0, number]
    multiply(weights, inputs, rows, colour, sums, 1)
    clip_sums(sums, 1, rows, SECONDS + colour)


@compiled(
    "void(int64[::1], int64[::1], int64[::1], int16[:, ::1],"
    " int16[:, ::1], int32[:, ::1], int64[:, ::1], int64[::1], int64[::1])",
    inline=False,
)
def evaluate(
    position: Ints,
    hands: Ints,
    piles: Ints,
    weights: Shorts,
    rows: Shorts,
    sums: Longs,
    found: Ints,
    counts: Ints,
    values: Ints,
) -> None:
    """The value network at the start of a trick: fills in a value for each seat."""
    players = position[PLAYERS]
    inputs = value_inputs(players)
    value_features(position, hands, piles, found, counts)
    add_up(weights, found, counts, rows)
    cut(rows)
    start_second_step(weights, inputs, position[TRICK], rows, sums)
    total = SECONDS + COLOURS
    for number in range(WIDTH):
        rows[total, number] = 0
    for colour in range(COLOURS):
        second_step(weights, inputs, colour, rows, sums)
        add_row(rows, SECONDS + colour, rows, total)
    for place in range(players):
        row = inputs + OUTPUTS + 2 * place
        values[seat_at(position[LEADER], place, players)] = dot(weights, row, rows, FIRSTS) + dot(
            weights, row + 1, rows, total
        )


@compiled("int64(int64[::1], int64, int64, int16[:, ::1], int16[:, ::1], int32[:, ::1], int64[::1], int64[::1])")
def rate(
    legal: Ints, inputs: int, trick: int, weights: Shorts, rows: Shorts, sums: Longs, cards: Ints, appeals: Ints
) -> int:
    """What follows from the colours' rows as `add_up` leaves them.

    A card is exp(appeal / (ONE · STEEP)) times as likely as one of appeal 0. Only colours of legal cards take step 2.
    """
    cut(rows)
    start_second_step(weights, inputs, trick, rows, sums)
    number = 0
    for colour in range(COLOURS):
        mask = legal[colour]
        if mask:
            second_step(weights, inputs, colour, rows, sums)
        while mask:
            value = lowest(mask)
            mask &= mask - 1
            row = inputs + OUTPUTS + 2 * value
            cards[number] = colour << CODE_BITS | value
            appeals[number] = dot(weights, row, rows, colour) + dot(weights, row + 1, rows, SECONDS + colour)
            number += 1
    return number


@compiled(
    "int64(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int16[:, ::1],"
    " int16[:, ::1], int32[:, ::1], int64[:, ::1], int64[::1], int64[::1], int64[::1])",
    inline=False,
)
def appraise(
    position: Ints,
    hands: Ints,
    piles: Ints,
    remaining: Ints,
    voids: Ints,
    legal: Ints,
    weights: Shorts,
    rows: Shorts,
    sums: Longs,
    found: Ints,
    counts: Ints,
    cards: Ints,
    appeals: Ints,
) -> int:
    """The policy network: fills in the legal cards and their appeals. Gives how many there are."""
    policy_features(position, hands, piles, remaining, voids, found, counts)
    add_up(weights, found, counts, rows)
    return rate(legal, policy_starts(position[PLAYERS])[END], position[TRICK], weights, rows, sums, cards, appeals)


@compiled("int64(int64[::1], int64[::1], int64)")
def most_appealing(cards: Ints, appeals: Ints, number: int) -> int:
    """The card of the greatest appeal; of equals the first one."""
    best = 0
    for other in range(1, number):
        if appeals[other] > appeals[best]:
            best = other
    return int(cards[best])
