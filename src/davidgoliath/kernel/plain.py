"""The two networks in plain Python, without NumPy: for where there is neither it nor Numba, and to test the fast ones.

It says the same as `features` and `network` in its own way. A row of weights is one whole number here, with a *lane*
for each weight: so Python adds up rows, or multiplies one by a number, in a single step, as a processor does with its
vectors. A lane may be negative and then borrows from the next one; that is made good when lanes are read. `shape` says
why no lane ever needs more room than it has.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import mul
from struct import Struct
from typing import Final

from davidgoliath.kernel.shape import (
    ALL,
    CONSTANT_SHIFT,
    DAVID,
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
    POINT,
    PRIZE,
    SHIFT,
    TRICK_NUMBER,
    TRICKS,
    VOIDS,
    WIDTH,
    forms,
    policy_starts,
)
from davidgoliath.kernel.shape import inputs as inputs_of
from davidgoliath.kernel.weights import Weights, weights_of
from davidgoliath.rules import Card, CardSet, Colour, DealState, Seat, View
from davidgoliath.rules.cards import HAND_SIZE, HIGHEST_VALUE
from davidgoliath.rules.scoring import mask_points

COLOUR: Final = (1 << HIGHEST_VALUE) - 1
"""All cards of a colour, as a mask from its 1 on."""
FIRST_BITS: Final = 16
"""Of a lane, in step 1; and in step 2."""
SECOND_BITS: Final = 32
FIRST_LANES: Final = Struct(f"<{WIDTH}H")
SECOND_LANES: Final = Struct(f"<{HALF}I")
FIRST_HALF: Final = 1 << FIRST_BITS - 1
"""What is added to a lane before it is read, so that it isn't negative."""
SECOND_HALF: Final = 1 << SECOND_BITS - 1
CUT: Final = [min(max(lane - FIRST_HALF, 0), MOST) for lane in range(1 << FIRST_BITS)]
"""A lane of step 1 as it is read, cut to 0 … MOST."""
MOST_LANE: Final = SECOND_HALF + (MOST << SHIFT)
"""A lane of step 2 from which on it is MOST; below `SECOND_HALF` it is 0."""
KEPT: Final = 8192
"""So many sums of rows are kept: hands come again and again."""


def packed(numbers: Iterable[int], bits: int) -> int:
    """Numbers as the lanes of one."""
    return sum(number << place * bits for place, number in enumerate(numbers))


FIRST_HALVES: Final = packed([FIRST_HALF] * WIDTH, FIRST_BITS)
SECOND_HALVES: Final = packed([SECOND_HALF] * HALF, SECOND_BITS)


class Network:
    """A network, ready to be asked."""

    def __init__(self, weights: Weights) -> None:
        rows, self.players = weights.rows, weights.players
        inputs = inputs_of(weights.kind, weights.players)
        self.first = [packed(row, FIRST_BITS) for row in rows[:inputs]]
        """The rows of step 1."""
        self._own, self._all = ([packed(row, SECOND_BITS) for row in _matrix(rows, inputs + at)] for at in (0, ALL))
        starts = rows[inputs + TRICKS : inputs + OUTPUTS]
        self._tricks = [packed(row[:HALF], SECOND_BITS) << CONSTANT_SHIFT for row in starts]
        outputs = rows[inputs + OUTPUTS :]
        self._outputs = list(zip(outputs[::2], outputs[1::2], strict=True))
        self.cards = lru_cache(KEPT)(self._cards)

    def _cards(self, start: int, mask: int) -> int:
        """The rows of cards of a colour, added up."""
        rows = self.first[start : start + mask.bit_length()]
        return sum([row for place, row in enumerate(rows) if mask >> place & 1])

    def start_second_step(self, trick: int, firsts: Iterable[Sequence[int]]) -> int:
        """What step 2 is for all colours."""
        return self._tricks[trick] + _dot(_total(firsts), self._all)

    def second_step(self, first: Sequence[int], start: int) -> list[int]:
        """Step 2 for a colour, with ONE behind it for the constant."""
        lanes = start + _dot(first, self._own) + SECOND_HALVES
        numbers = SECOND_LANES.unpack(lanes.to_bytes(SECOND_LANES.size, "little"))
        return [*[0 if n < SECOND_HALF else MOST if n > MOST_LANE else n - SECOND_HALF >> SHIFT for n in numbers], ONE]

    def output(self, number: int, first: Sequence[int], second: Sequence[int]) -> int:
        """Step 3."""
        one, two = self._outputs[number]
        return _dot(one, first) + _dot(two, second)


def _matrix(rows: list[list[int]], start: int) -> list[list[int]]:
    """A row for each number that is multiplied; two of them stand side by side (`vector.multiply`)."""
    return [rows[start + number // 2][number % 2 :: 2] for number in range(WIDTH)]


def cut(lanes: int) -> list[int]:
    """The end of step 1."""
    return [CUT[lane] for lane in FIRST_LANES.unpack((lanes + FIRST_HALVES).to_bytes(FIRST_LANES.size, "little"))]


@lru_cache
def network(kind: str, players: int) -> Network:
    """One of the package's."""
    return Network(weights_of(kind, players))


def appeals(view: View) -> dict[Card, int]:
    """By the package's network for that many players, as `policy.appeals` says it."""
    return appeals_of(view, network("policy", view.players))


def appeals_of(view: View, policy: Network) -> dict[Card, int]:
    """For each legal card how likely it is, as `network.appraise` says it."""
    return _rated(view, view.legal_cards, policy, _seen(view, policy))


def appeals_by_hand(view: View, hands: Iterable[CardSet]) -> Iterator[dict[Card, int]]:
    """The same for a seat's view with each of these hands in the place of its own; 0 where there is no choice."""
    policy, view = network("policy", view.players), view._replace(hand=CardSet())
    unseen, seen = 3 * view.players, list(_seen(view, policy))
    for hand in hands:
        legal = view.trick.legal_cards(hand)
        if len(legal) == 1:
            yield dict.fromkeys(legal, 0)
            continue
        held = [(_of(hand, colour), lanes) for colour, lanes in zip(Colour, seen, strict=True)]
        changed = [lanes + policy.cards(0, mask) - policy.cards(unseen, mask) for mask, lanes in held]
        yield _rated(view, legal, policy, changed)


def _rated(view: View, legal: CardSet, policy: Network, seen: Iterable[int]) -> dict[Card, int]:
    """What follows from the lanes of step 1. Only colours of legal cards take step 2."""
    firsts = list(map(cut, seen))
    start, found = policy.start_second_step(len(view.tricks), firsts), {}
    for colour in Colour:
        cards = list(legal.of_colour(colour))
        second = policy.second_step(firsts[colour], start) if cards else []
        for card in cards:
            found[card] = policy.output(card.value - 1, firsts[colour], second)
    return found


def chosen(appeals: dict[Card, int]) -> Card:
    """The card of the greatest appeal; of equals the first one."""
    return max(sorted(appeals), key=lambda card: appeals[card])


def values(leader: Seat, trick: int, hands: Sequence[CardSet], piles: Sequence[CardSet], value: Network) -> list[int]:
    """What `network.evaluate` says of a position at the start of a trick, by seat."""
    players, first = value.players, value.first
    width, firsts = 3 * players + forms(players), []
    order = [(leader + place) % players for place in range(players)]
    for colour in Colour:
        lanes = first[players * width + trick]
        for place, seat in enumerate(order):
            start = place * width
            lanes += value.cards(start, _of(hands[seat], colour))
            lanes += first[start + 3 * players + _form(_of(piles[seat], colour), players)]
        firsts.append(cut(lanes))
    start_of_all = value.start_second_step(trick, firsts)
    seconds = _total(value.second_step(first, start_of_all) for first in firsts)
    total = _total(firsts)
    by_place = [value.output(place, total, seconds) for place in range(players)]
    return [by_place[order.index(seat)] for seat in range(players)]


def expected_scores(state: DealState) -> tuple[float, ...]:
    """The final score that each seat may expect, as `value.expected_scores` says it."""
    policy = network("policy", state.players)
    while state.table or (len(state.tricks) == HAND_SIZE - 1 and not state.is_over):
        state = state.play(chosen(appeals_of(state.view(state.to_play), policy)))
    if state.is_over:
        return tuple(map(float, state.scores))
    value = network("value", state.players)
    return tuple(number / POINT for number in values(state.leader, len(state.tricks), state.hands, state.piles, value))


def _seen(view: View, policy: Network) -> Iterator[int]:
    """What the policy sees of each colour, as the lanes of step 1."""
    players, trick, first = view.players, view.trick, policy.first
    starts, voids, unseen, lying = policy_starts(players), view.voids, view.unseen, CardSet.of(trick.cards)
    others = [(trick.seat_of(len(trick.cards)) + later) % players for later in range(players)]
    high = _highest(trick.cards) if trick.cards else 0
    shared = sum(first[row] for row in _shared_inputs(view))
    for colour in Colour:
        lanes = shared + policy.cards(0, _of(view.hand, colour)) + policy.cards(3 * players, _of(unseen, colour))
        lanes += policy.cards(starts[LYING], _of(lying, colour))
        for later, other in enumerate(others):
            lanes += first[starts[PILES] + later * forms(players) + _form(_of(view.piles[other], colour), players)]
            if later and colour in voids[other]:
                lanes += first[starts[VOIDS] + later]
        if trick.led == colour:
            lanes += first[starts[LED]]
        if trick.cards and trick.cards[high].colour == colour:
            lanes += first[starts[PRIZE] + _seats_on(view, high)]
        yield lanes


def _of(cards: CardSet, colour: Colour) -> int:
    """The cards of a colour, as a mask from its 1 on."""
    return cards.mask >> colour * HIGHEST_VALUE & COLOUR


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


@lru_cache(KEPT)
def _form(mask: int, players: int) -> int:
    """As `features.form` says, for the mask of a colour from its 1 on."""
    start = {0: 0, 1: 0, 2: 3 * players}.get(mask.bit_count())
    return 9 * players + mask.bit_count() if start is None else start + mask_points(mask)


def _total(rows: Iterable[Sequence[int]]) -> list[int]:
    return list(map(sum, zip(*rows, strict=True)))


def _dot(numbers: Iterable[int], others: Iterable[int]) -> int:
    found: int = sum(map(mul, numbers, others))
    return found
