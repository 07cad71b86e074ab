"""Read this first: how the kernel keeps a deal.

Everything is int64, so that the same code means the same compiled and as plain Python; only random
numbers are uint64.

| array | what it holds |
|---|---|
| `hands[cell(seat, colour)]` | the cards in a hand: bit `value - 1` for each |
| `piles[cell(seat, colour)]` | the cards in a pile, likewise |
| `plays[k]` | the cards played so far, in order; trick t is `plays[t * players : (t + 1) * players]` |

One word a colour holds all 18 values, so one layout serves 3 to 6 players, "follow" is one look at
one word, and a colour's score needs no masking. A `CardSet.mask` is the same five words, 18 bits each, in a row.

A card is a code: its colour above five bits of its value, from 0 (`CODE_BITS`). The outside world uses `Card.index`.

A seat has eight words, of which five are used, so that `cell` is a shift; and `cell` cuts its result to
six bits, so that the compiler sees that it is not negative, and leaves out Python's counting from the end.

Rules are two numbers, 0 or 1: `keeps` (David keeps the lowest card) and `sweeps` (a trick of equal values
goes to one player).
"""

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:  # some of it runs where there is no NumPy
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"
Longs: TypeAlias = "NDArray[np.int32]"
Shorts: TypeAlias = "NDArray[np.int16]"

COLOURS: Final = 5
VALUES: Final = 18
HAND: Final = 15
MOST_PLAYERS: Final = 6
WORDS: Final = 8
"""The words of one seat."""
CELLS: Final = MOST_PLAYERS * WORDS
MOST_CARDS: Final = COLOURS * VALUES
CODE_BITS: Final = 5
CODE_MASK: Final = (1 << CODE_BITS) - 1
