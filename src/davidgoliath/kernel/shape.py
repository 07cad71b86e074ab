"""Read this first: the shape of the two networks, and where each of their weights stands.

The *value network* sees a position with all hands at the start of a trick, and says what each seat's final score will
be. The *policy network* sees what the seat to play may know, and says how likely each of its cards is. Both have the
same shape, and one of each serves one number of players, since piles, hands and scores differ too much between them.

Colours share their weights. What there is to know of a colour is a few *inputs*, each of which is there or not:

1. Each colour: the rows of its inputs are added up, cut to 0 … MOST: 64 numbers. `s` is their sum over the colours.
2. Each colour again: the 64 numbers times one matrix, `s` times another, and a row for the trick, cut likewise: 32
   numbers. `t` is their sum over the colours.
3. A final score is a sum of products with `s` and `t`; a card's appeal is one with its own colour's 64 and 32 numbers.

Seats are counted from the leader (value) or from the player (policy), so that a table which has moved on by a seat
looks the same.

Everything is a whole number, so that every processor, and plain Python, gives exactly the same. In steps 1 and 2, ONE
stands for 1; weights of step 1 are in parts of ONE too, and all others in parts of STEEP. Nothing overflows, whatever
the weights, as long as they keep to their limits:

| what | at most | fits |
|---|---|---|
| step 1: 18 cards of a colour, 6 piles, 5 voids, 2 marks of the trick, 6 shared inputs | 37 · 885 | 16 bits |
| `s`, `t` | 5 · 2047 | 16 bits |
| step 2 | 64 · 2047 · 2047 + 64 · 10235 · 2047 + 2047 · 256 | 32 bits |
| step 3: each of its two sums | 64 · 10235 · 2047 | 32 bits |

The weights are one array of rows of 64:

| rows | what |
|---|---|
| one an input | step 1 |
| 32 | step 2: the matrix for a colour's numbers, the weights of two of them side by side (`vector.multiply`) |
| 32 | the matrix for `s`, likewise |
| 15 | the row for the trick; 32 of each |
| 2 an output | step 3: those for 64 numbers; then those for 32, and a constant that counts once a colour |

This module and `plain` need no NumPy.
"""

from typing import Final

from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import HAND

WIDTH: Final = 64
HALF: Final = WIDTH // 2
ONE: Final = 256
STEEP: Final = 1024
SHIFT: Final = 10
"""From ONE · STEEP to ONE."""
CONSTANT_SHIFT: Final = 8
"""From STEEP to ONE · STEEP."""
MOST: Final = 8 * ONE - 1
FIRST_LIMIT: Final = 885
"""The greatest weight of step 1; `LIMIT` is that of all others."""
LIMIT: Final = 2 * STEEP - 1
POINTS: Final = 16
"""So many points are 1 to the value network."""
POINT: Final = ONE * STEEP // POINTS
"""Values are whole numbers: so many make a point."""
VALUES: Final = 3
"""The version of the value function: another one whenever a position may have another value, by its weights too."""

ALL: Final = HALF
"""Behind the inputs: where the matrix for `s` starts, the rows for the trick, and the outputs."""
TRICKS: Final = ALL + HALF
OUTPUTS: Final = TRICKS + HAND

STARTS: Final = 12
PILES, VOIDS, LYING, LED, PRIZE, HIGH, LOW, GOLIATH, DAVID, TRICK_NUMBER, PLACES, END = range(STARTS)
"""The parts of the policy's inputs behind the own cards (from 0) and the unseen ones (from the number of values)."""


@compiled("int64(int64)")
def forms(players: int) -> int:
    """How many forms a pile's cards of a colour have: see `features.form`."""
    return 12 * players + 1


@compiled("int64(int64)")
def value_inputs(players: int) -> int:
    """How many there are: for each seat its cards of the colour and the form of its pile; and the trick's number."""
    return players * (3 * players + forms(players)) + HAND


@compiled("UniTuple(int64, 12)(int64)")
def policy_starts(players: int) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int]:
    """Where each part of the policy's inputs starts, and where they end."""
    values = 3 * players
    piles = 2 * values
    voids = piles + players * forms(players)
    lying = voids + players
    led = lying + values
    prize = led + 1
    high = prize + players
    low = high + values
    goliath = low + values
    david = goliath + players
    trick = david + players
    places = trick + HAND
    return piles, voids, lying, led, prize, high, low, goliath, david, trick, places, places + players


def inputs(kind: str, players: int) -> int:
    """How many inputs a network has."""
    return value_inputs(players) if kind == "value" else policy_starts(players)[END]


def height(kind: str, players: int) -> int:
    """How many rows of weights a network has.

    >>> height("value", 4), height("policy", 4)
    (346, 395)
    """
    outputs = players if kind == "value" else 3 * players
    return inputs(kind, players) + OUTPUTS + 2 * outputs
