"""The two networks in plain Python, without NumPy: for where there is neither it nor Numba, and to test the fast ones.

It says the same as `features` and `network` in its own way: from the values of the rules, with lists.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import add, mul

from davidgoliath.kernel.shape import (
    ALL,
    CONSTANT_SHIFT,
    DAVID,
    END,
    GOLIATH,
    HALF,
    HIGH,
    LED,
    LOW,
    LYING,
    MOST,
    ONE,
    OUTPUTS,
    PILES,
    PLACES,
    PRIZE,
    SHIFT,
    TRICK_NUMBER,
    TRICKS,
    VOIDS,
    forms,
    policy_starts,
    value_inputs,
)
from davidgoliath.kernel.weights import weights_of
from davidgoliath.rules import Card, CardSet, Colour, Seat, View

Rows = Sequence[Sequence[int]]


@lru_cache
def rows_of(kind: str, players: int) -> Rows:
    """One of the package's networks."""
    return weights_of(kind, players).rows


def appeals(view: View) -> dict[Card, int]:
    """By the package's network for that many players, as `policy.appeals` says it."""
    return appeals_of(view, rows_of("policy", view.players))


def appeals_of(view: View, weights: Rows) -> dict[Card, int]:
    """For each legal card how likely it is, as `network.appraise` says it."""
    inputs = policy_starts(view.players)[END]
    shared = _shared_inputs(view)
    firsts = [_first_step(weights, [*shared, *_policy_inputs(view, colour)]) for colour in Colour]
    start = _start_second_step(weights, inputs, len(view.tricks), firsts)
    found = {}
    for colour in Colour:
        cards = list(view.legal_cards.of_colour(colour))
        second = _second_step(weights, inputs, firsts[colour], start) if cards else []
        for card in cards:
            row = inputs + OUTPUTS + 2 * (card.value - 1)
            found[card] = _dot(weights[row], firsts[colour]) + _dot(weights[row + 1], second)
    return found


def chosen(appeals: dict[Card, int]) -> Card:
    """The card of the greatest appeal; of equals the first one."""
    return max(sorted(appeals), key=lambda card: appeals[card])


def values(leader: Seat, trick: int, hands: Sequence[CardSet], piles: Sequence[CardSet], weights: Rows) -> list[int]:
    """What `network.evaluate` says of a position at the start of a trick, by seat."""
    players = len(hands)
    inputs, width = value_inputs(players), 3 * players + forms(players)
    firsts = []
    for colour in Colour:
        there = [players * width + trick]
        for place in range(players):
            seat, start = (leader + place) % players, place * width
            there += [start + card.value - 1 for card in hands[seat].of_colour(colour)]
            there.append(start + 3 * players + _form(piles[seat].of_colour(colour), players))
        firsts.append(_first_step(weights, there))
    start_of_all = _start_second_step(weights, inputs, trick, firsts)
    seconds = _total(_second_step(weights, inputs, first, start_of_all) for first in firsts)
    outputs, total = weights[inputs + OUTPUTS :], _total(firsts)
    by_place = [_dot(outputs[2 * p], total) + _dot(outputs[2 * p + 1], seconds) for p in range(players)]
    return [by_place[(seat - leader) % players] for seat in range(players)]


def _policy_inputs(view: View, colour: Colour) -> list[int]:
    """Those of a colour."""
    players, starts, trick = view.players, policy_starts(view.players), view.trick
    seat = trick.seat_of(len(trick.cards))
    there = [card.value - 1 for card in view.hand.of_colour(colour)]
    there += [3 * players + card.value - 1 for card in view.unseen.of_colour(colour)]
    for later in range(players):
        other = (seat + later) % players
        pile = view.piles[other].of_colour(colour)
        there.append(starts[PILES] + later * forms(players) + _form(pile, players))
        if later and colour in view.voids[other]:
            there.append(starts[VOIDS] + later)
    there += [starts[LYING] + card.value - 1 for card in trick.cards if card.colour == colour]
    if trick.led == colour:
        there.append(starts[LED])
    if trick.cards:
        high = _highest(trick.cards)
        if trick.cards[high].colour == colour:
            there.append(starts[PRIZE] + _seats_on(view, high))
    return there


def _shared_inputs(view: View) -> list[int]:
    """Those that all colours have."""
    starts, cards = policy_starts(view.players), view.trick.cards
    there = [starts[TRICK_NUMBER] + len(view.tricks), starts[PLACES] + len(cards)]
    if cards:
        high, low = _highest(cards), _lowest(cards)
        there += [starts[HIGH] + cards[high].value - 1, starts[LOW] + cards[low].value - 1]
        there += [starts[GOLIATH] + _seats_on(view, high), starts[DAVID] + _seats_on(view, low)]
    return there


def _highest(cards: Sequence[Card]) -> int:
    """Rule 6: the place of the highest card; of equals the later one."""
    return max(range(len(cards)), key=lambda place: (cards[place].value, place))


def _lowest(cards: Sequence[Card]) -> int:
    """Rule 7, were the trick to end: of equals the later one."""
    return min(range(len(cards)), key=lambda place: (cards[place].value, -place))


def _seats_on(view: View, place: int) -> int:
    """How many seats after the player the card at a place of the trick was played."""
    return view.players - len(view.trick.cards) + place


def _form(cards: CardSet, players: int) -> int:
    """As `features.form` says."""
    held = [card.value for card in cards]
    start = {0: 0, 1: 0, 2: 3 * players}.get(len(held))
    return start + sum(held) if start is not None else 9 * players + len(held)


def _first_step(weights: Rows, there: Iterable[int]) -> list[int]:
    return [min(max(number, 0), MOST) for number in _total(weights[row] for row in there)]


def _start_second_step(weights: Rows, inputs: int, trick: int, firsts: Rows) -> list[int]:
    constants = [number << CONSTANT_SHIFT for number in weights[inputs + TRICKS + trick][:HALF]]
    return list(map(add, constants, _multiplied(weights, inputs + ALL, _total(firsts))))


def _second_step(weights: Rows, inputs: int, first: Sequence[int], start: Sequence[int]) -> list[int]:
    sums = map(add, start, _multiplied(weights, inputs, first))
    return [*(min(max(number >> SHIFT, 0), MOST) for number in sums), ONE]


def _multiplied(weights: Rows, start: int, numbers: Sequence[int]) -> list[int]:
    """As `vector.multiply` says; where a number is 0, there is nothing to do."""
    sums = [0] * HALF
    for place, number in enumerate(numbers):
        if number:
            row = weights[start + place // 2][place % 2 :: 2]
            sums = [total + number * weight for total, weight in zip(sums, row, strict=True)]
    return sums


def _total(rows: Iterable[Sequence[int]]) -> list[int]:
    return list(map(sum, zip(*rows, strict=True)))


def _dot(weights: Sequence[int], numbers: Sequence[int]) -> int:
    return sum(map(mul, weights, numbers))
