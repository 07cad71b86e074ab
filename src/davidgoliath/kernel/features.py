"""What the networks see of a position: for each colour, which of the inputs are there. `shape` explains them.

`found[colour]` has the numbers of a colour's inputs, `counts[colour]` of them; row SHARED has those that all colours
have. Training uses the same lists.
"""

from typing import Final

from davidgoliath.kernel.bits import count, lowest
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CODE_MASK, COLOURS, Ints
from davidgoliath.kernel.play import cell, colour_of, seat_at
from davidgoliath.kernel.position import BOTTOM, LEADER, PLACE, PLAYERS, TOP, TRICK, to_play
from davidgoliath.kernel.shape import forms, policy_starts

SHARED: Final = COLOURS
LISTS: Final = 8
LONGEST: Final = 32
"""Cards of a colour, piles, voids and marks of the trick: 18 + 6 + 5 + 2 at most."""


@compiled("int64(int64, int64)")
def form(mask: int, values: int) -> int:
    """What matters of a pile's cards of one colour, as one number: none, the value of one, the sum of two, how many.

    `values` is how many values there are, or more: from 0 to four times as many.
    """
    rest = mask & (mask - 1)
    first = lowest(mask) + 1 if mask else 0
    second = lowest(rest) + 1 + values if rest else 0
    cards = count(mask)
    return cards + 3 * values if cards > 2 else first + second


@compiled("void(int64[:, ::1], int64[::1], int64, int64)")
def add(found: Ints, counts: Ints, which: int, number: int) -> None:
    """One input more."""
    found[which, counts[which] & (LONGEST - 1)] = number
    counts[which] += 1


@compiled("void(int64[:, ::1], int64[::1], int64, int64, int64)")
def add_cards(found: Ints, counts: Ints, which: int, start: int, mask: int) -> None:
    """An input for each card."""
    while mask:
        add(found, counts, which, start + lowest(mask))
        mask &= mask - 1


@compiled("void(int64[::1], int64[::1], int64[::1], int64[:, ::1], int64[::1])")
def value_features(position: Ints, hands: Ints, piles: Ints, found: Ints, counts: Ints) -> None:
    """Those of the value network, at the start of a trick."""
    players, leader = position[PLAYERS], position[LEADER]
    values = 3 * players
    width = values + forms(players)
    for colour in range(COLOURS):
        counts[colour] = 0
        for place in range(players):
            where = cell(seat_at(leader, place, players), colour)
            add_cards(found, counts, colour, place * width, hands[where])
            add(found, counts, colour, place * width + values + form(piles[where], values))
    counts[SHARED] = 0
    add(found, counts, SHARED, players * width + position[TRICK])


@compiled("void(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[:, ::1], int64[::1])")
def policy_features(
    position: Ints, hands: Ints, piles: Ints, remaining: Ints, voids: Ints, found: Ints, counts: Ints
) -> None:
    """Those of the policy network. `voids[seat]` has a bit for each colour that the seat has shown not to hold.

    Of the hands it looks at the one of the seat to play alone.
    """
    players, place = position[PLAYERS], position[PLACE]
    seat, values = to_play(position), 3 * players
    pile, void, lying, led, prize, high, low, goliath, david, trick, places, _ = policy_starts(players)
    for colour in range(COLOURS):
        counts[colour] = 0
        own = hands[cell(seat, colour)]
        add_cards(found, counts, colour, 0, own)
        add_cards(found, counts, colour, values, remaining[colour] & ~own)
        for later in range(players):
            other = seat_at(seat, later, players)
            add(found, counts, colour, pile + later * forms(players) + form(piles[cell(other, colour)], values))
            if later and voids[other] >> colour & 1:
                add(found, counts, colour, void + later)
    counts[SHARED] = 0
    add(found, counts, SHARED, trick + position[TRICK])
    add(found, counts, SHARED, places + place)
    if place:
        top, bottom = position[TOP], position[BOTTOM]
        highest, lowest_place = top & 7, 7 - (bottom & 7)
        for other in range(place):
            card = position[other]
            add(found, counts, colour_of(card), lying + (card & CODE_MASK))
        add(found, counts, colour_of(position[0]), led)
        add(found, counts, colour_of(position[highest]), prize + players - place + highest)
        add(found, counts, SHARED, high + (top >> 3))
        add(found, counts, SHARED, low + (bottom >> 3))
        add(found, counts, SHARED, goliath + players - place + highest)
        add(found, counts, SHARED, david + players - place + lowest_place)
