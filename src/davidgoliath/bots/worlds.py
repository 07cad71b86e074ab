"""Worlds: deals that are consistent with a view, each as likely as any other.

What a seat can't see are the cards in the other hands. It knows how many cards each hand has, and in which colours
it has shown to be void. So colours with the same void seats are all one to it: the cards fall into *classes*. And only
*bound* seats need care, those with a void in a colour that is still out: the others are *free*.

The bound seats are dealt to one after another, class by class: those are the steps. How many ways there are to go on
is counted once for a view, from the last step to the first, for every number of cards that may be left of each class.
A world is then drawn step by step: how many cards, in proportion to the ways to go on; and which ones, at
random. The free seats share the rest at random.
"""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from davidgoliath.kernel.chance import below, fraction, stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import code_of, sets_to_array
from davidgoliath.kernel.layout import COLOURS, HAND, MOST_CARDS, Floats, Ints
from davidgoliath.kernel.play import bit_of, cell, colour_of
from davidgoliath.rules import Card, CardSet, Colour, View

Hands = NDArray[np.int32]
"""The hands of many worlds: a row for each, with its cells as `layout` says."""

WAYS_TO_CHOOSE = np.array([[float(comb(n, k)) for k in range(HAND + 1)] for n in range(MOST_CARDS + 1)])


class Worlds(NamedTuple):
    """All worlds of a view, as arrays from which compiled code draws."""

    hands: Ints
    """The seat's own hand; the others' are empty."""
    cards: Ints
    """The unseen cards, class by class."""
    classes: Ints
    """For each class: where its cards start, how many there are, and the stride of its count in `ways`."""
    bound: Ints
    """For each bound seat: the seat, its number of cards, and the classes that it may have, as bits."""
    free: Ints
    """For each free seat: the seat, and its number of cards."""
    ways: Floats
    """`ways[step, Σ count * stride]`: how many ways there are to go on, with that count of each class left."""

    @classmethod
    def of(cls, view: View) -> "Worlds":
        others = [seat for seat in range(view.players) if seat != view.seat]
        unseen, sizes, voids = view.unseen, view.hand_sizes, view.voids
        groups: dict[tuple[int, ...], list[Card]] = {}
        for colour in Colour:
            cards = list(unseen.of_colour(colour))
            if cards:
                groups.setdefault(tuple(seat for seat in others if colour in voids[seat]), []).extend(cards)
        patterns = list(groups)
        bound = [seat for seat in others if any(seat in pattern for pattern in patterns)]
        allowed = [sum(1 << k for k, pattern in enumerate(patterns) if seat not in pattern) for seat in bound]
        classes, start, stride = [], 0, 1
        for cards in groups.values():
            classes.append((start, len(cards), stride))
            start, stride = start + len(cards), stride * (len(cards) + 1)
        ways = np.zeros((len(bound) * len(classes) + 1, stride if bound else 1))
        worlds = cls(
            hands=sets_to_array([view.hand if seat == view.seat else CardSet() for seat in range(view.players)]),
            cards=np.array([code_of(card) for cards in groups.values() for card in cards], np.int64),
            classes=_rows(classes, 3),
            bound=_rows([(seat, sizes[seat], mask) for seat, mask in zip(bound, allowed, strict=True)], 3),
            free=_rows([(seat, sizes[seat]) for seat in others if seat not in bound], 2),
            ways=ways,
        )
        if bound:
            count_ways(worlds.classes, worlds.bound, worlds.free, WAYS_TO_CHOOSE, ways)
        return worlds

    def sample(self, seed: int, number: int) -> Hands:
        """So many worlds."""
        found = np.empty((number, len(self.hands)), np.int32)
        with np.errstate(over="ignore"):
            draw_worlds(np.uint64(seed), *self, WAYS_TO_CHOOSE, found)
        return found


def _rows(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    return np.array(rows, np.int64).reshape(len(rows), width)


@compiled("void(int64[:, ::1], int64[:, ::1], int64[:, ::1], float64[:, ::1], float64[:, ::1])")
def count_ways(classes: Ints, bound: Ints, free: Ints, choose: Floats, ways: Floats) -> None:
    """Fills `ways`, from the last step to the first."""
    steps, size = ways.shape[0] - 1, ways.shape[1]
    last_class = classes.shape[0] - 1
    after = 0
    for row in range(free.shape[0]):
        after += free[row, 1]
    ways[steps, :] = 1.0
    for seat in range(bound.shape[0] - 1, -1, -1):
        for kind in range(last_class, -1, -1):
            step = seat * (last_class + 1) + kind
            stride = classes[kind, 2]
            may = bound[seat, 2] >> kind & 1
            for place in range(size):
                left = -after  # what the seat still gets: all that is left, but for those after it
                for number in range(last_class + 1):
                    left += place // classes[number, 2] % (classes[number, 1] + 1)
                if left < 0 or left > bound[seat, 1]:
                    continue
                held = place // stride % (classes[kind, 1] + 1)
                fewest = left if kind == last_class else 0
                most = min(left, held) if may else 0
                total = 0.0
                for taken in range(fewest, most + 1):
                    total += choose[held, taken] * ways[step + 1, place - taken * stride]
                ways[step, place] = total
        after += bound[seat, 1]


@compiled("uint64(uint64, uint64, int64[::1], int64, int64, int64, int64, int64[::1])")
def _draw_cards(
    state: np.uint64, step: np.uint64, cards: Ints, start: int, held: int, number: int, seat: int, hands: Ints
) -> np.uint64:
    """Gives a seat some of the cards from `start`, at random; those that are left move together."""
    for _ in range(number):
        state += step
        drawn = start + below(state, held)
        held -= 1
        card = cards[drawn]
        cards[drawn] = cards[start + held]
        cards[start + held] = card
        hands[cell(seat, colour_of(card))] |= bit_of(card)
    return state


@compiled(
    "uint64(uint64, uint64, int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], float64[:, ::1], float64[:, ::1],"
    " int64[::1], int64[::1], int64[::1])"
)
def draw_world(
    state: np.uint64,
    step: np.uint64,
    cards: Ints,
    classes: Ints,
    bound: Ints,
    free: Ints,
    ways: Floats,
    choose: Floats,
    left: Ints,
    rest: Ints,
    hands: Ints,
) -> np.uint64:
    """Deals the unseen cards to the other hands, which are empty. Gives the stream's new state.

    `left` is room for the count of each class, and `rest` for the cards of the free seats.
    """
    kinds, place = classes.shape[0], 0
    for kind in range(kinds):
        left[kind] = classes[kind, 1]
        place += left[kind] * classes[kind, 2]
    for row in range(bound.shape[0]):
        seat, size = bound[row, 0], bound[row, 1]
        for kind in range(kinds):
            number = 0
            if bound[row, 2] >> kind & 1:
                if kind == kinds - 1:
                    number = size
                else:
                    state += step
                    chance = fraction(state) * ways[row * kinds + kind, place]
                    for taken in range(min(size, left[kind]) + 1):
                        weight = (
                            choose[left[kind], taken] * ways[row * kinds + kind + 1, place - taken * classes[kind, 2]]
                        )
                        if weight > 0.0:
                            number = taken
                            chance -= weight
                            if chance < 0.0:
                                break
            state = _draw_cards(state, step, cards, classes[kind, 0], left[kind], number, seat, hands)
            left[kind] -= number
            size -= number
            place -= number * classes[kind, 2]
    held = 0
    for kind in range(kinds):
        for number in range(left[kind]):
            rest[held] = cards[classes[kind, 0] + number]
            held += 1
    for row in range(free.shape[0]):
        state = _draw_cards(state, step, rest, 0, held, free[row, 1], free[row, 0], hands)
        held -= free[row, 1]
    return state


@compiled(
    "void(uint64, int64[::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], float64[:, ::1],"
    " float64[:, ::1], int32[:, ::1])"
)
def draw_worlds(
    seed: np.uint64,
    own: Ints,
    cards: Ints,
    classes: Ints,
    bound: Ints,
    free: Ints,
    ways: Floats,
    choose: Floats,
    found: Hands,
) -> None:
    """Fills in worlds."""
    size = own.shape[0]
    hands, rest, left = np.empty(size, np.int64), np.empty(MOST_CARDS, np.int64), np.empty(COLOURS, np.int64)
    state = stream_start(seed, 0)
    step = stream_step(state)
    for number in range(found.shape[0]):
        for place in range(size):
            hands[place] = own[place]
        state = draw_world(state, step, cards, classes, bound, free, ways, choose, left, rest, hands)
        for place in range(size):
            found[number, place] = hands[place]
