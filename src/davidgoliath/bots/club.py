"""`club`: a player who counts cards, and knows what the third card of a colour does. Tuned rules, no search.

It judges each legal card by what the trick would bring if the card ended up highest, lowest, or neither; how likely
that is, given the cards of the led colour that are still elsewhere; what it gives to others; and a few habits: how
glad it is to be rid of a high card, how little it likes to be Goliath and lead, how much it likes to become void.
What a captured card is worth is its `prospects`. The weights were tuned by playing (`./dg tune`).
"""

from functools import lru_cache
from random import Random
from typing import Any, Final

from davidgoliath.bots.prospects import POINT, gain, learnt, prospects_for
from davidgoliath.bots.turn import choices
from davidgoliath.kernel.arrays import floats, ints
from davidgoliath.kernel.bits import count, lowest, nth
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import card_of, sets_to_array
from davidgoliath.kernel.layout import CODE_BITS, CODE_MASK, COLOURS, HAND, MOST_PLAYERS, Floats, Ints
from davidgoliath.kernel.play import bit_of, cell, colour_of, high_key, low_key, seat_at
from davidgoliath.kernel.position import (
    BOTTOM,
    LEADER,
    PLACE,
    PLAYERS,
    TOP,
    count_remaining,
    legal_words,
    position_of,
    to_play,
)
from davidgoliath.rules import Card, View

WEIGHTS: Final = ("top", "low", "to_come", "high", "high_squared", "goliath", "void", "prize", "others")
TOP_FEAR, LOW_FEAR, TO_COME, HIGH, HIGH_SQUARED, GOLIATH, VOID, PRIZE, OTHERS = range(len(WEIGHTS))
"""How fast the chances to stay highest and lowest fall with every player to come; what cards to come count for Goliath;
by value, and by its square, the wish to be rid of a card; what it is worth to be Goliath and lead, and to become void;
how far from the top the prize is expected, as a share of the cards that are out; and what gains of others count."""
CHANCES: Final = 16
"""Where the chances stand, behind the weights."""
STEPS: Final = 16


@lru_cache
def weights_for(players: int) -> Floats:
    """The weights of a number of players, and the chances that follow from them."""
    return with_chances(floats(learnt(players)["weights"][name] for name in WEIGHTS))


def with_chances(weights: Floats) -> Floats:
    """The weights, and behind them the chances to stay highest, and lowest, by players to come and cards beyond."""
    both = [*map(float, weights), *[0.0] * (CHANCES - len(WEIGHTS) + MOST_PLAYERS * 64)]
    for later in range(1, MOST_PLAYERS):
        start = CHANCES + later * 64
        for step in range(STEPS + 1):
            both[start + step] = (step / STEPS) ** (later * both[TOP_FEAR])
            both[start + 32 + step] = (step / STEPS) ** (later * both[LOW_FEAR])
    return floats(both)


@compiled(
    "int64(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], float64[::1], int64[::1], float64[::1])"
)
def judge(
    position: Ints,
    hands: Ints,
    piles: Ints,
    remaining: Ints,
    legal: Ints,
    prospects: Ints,
    weights: Floats,
    cards: Ints,
    appeals: Floats,
) -> int:
    """Fills in the legal cards and how much each of them appeals to the seat to play. Gives how many there are.

    Of the hands it looks at the seat's own alone.
    """
    players, leader, place = position[PLAYERS], position[LEADER], position[PLACE]
    seat, later, share = to_play(position), players - 1 - place, weights[OTHERS] / (players - 1)
    led, goliath, david = -1, seat, seat
    spoils, spoils_given, prize_value, prize_gain, prize_given = 0, 0, -1, 0, 0
    if place:
        led = colour_of(position[0])
        high = position[TOP] & 7
        goliath, david = seat_at(leader, high, players), seat_at(leader, 7 - (position[BOTTOM] & 7), players)
        for other in range(place):
            colour, bit = colour_of(position[other]), bit_of(position[other])
            out = max(0, count(remaining[colour]) - (later if colour == led else 0))
            own = gain(prospects, piles[cell(seat, colour)], out, bit)
            spoils += own
            if other == high:
                prize_value, prize_gain = position[other] & CODE_MASK, own
                prize_given = gain(prospects, piles[cell(david, colour)], out, bit)
            else:
                spoils_given += gain(prospects, piles[cell(goliath, colour)], out, bit)
    number = 0
    for colour in range(COLOURS):
        mask = legal[colour]
        if not mask:
            continue
        suit = led if place else colour
        elsewhere = remaining[suit] & ~hands[cell(seat, suit)]
        out = max(0, count(remaining[colour]) - 1 - (later if colour == suit else 0))
        to_come, hoped = 0.0, prize_gain
        if later:
            middle, expected = players * 3 // 2, players * 2
            others = count(elsewhere)
            if others:
                middle = nth(elsewhere, others >> 1)
                expected = nth(elsewhere, others - 1 - int(others * weights[PRIZE]))
            left = max(0, count(remaining[suit]) - 1 - later)
            pile = piles[cell(seat, suit)]
            to_come = weights[TO_COME] * later * gain(prospects, pile, left, 1 << middle)
            if expected > prize_value:
                hoped = gain(prospects, pile, left, 1 << expected)
        void = weights[VOID] if mask & (mask - 1) == 0 else 0.0
        while mask:
            value = lowest(mask)
            bit = 1 << value
            mask ^= bit
            card = colour << CODE_BITS | value
            is_top = 1.0 if high_key(card, place) > position[TOP] else 0.0
            is_low = 1.0 if low_key(card, place) < position[BOTTOM] else 0.0
            if later:
                above, below = count(elsewhere >> value), count(elsewhere & ((bit << 1) - 1))
                if above + below == 0:
                    above, below = players * 3 - 1 - value, value
                part = below * STEPS // (above + below)
                is_top *= weights[CHANCES + later * 64 + part]
                is_low *= weights[CHANCES + later * 64 + 32 + STEPS - part]
            to_goliath, to_david = 0, 0
            if place:
                to_goliath = gain(prospects, piles[cell(goliath, colour)], out, bit)
                to_david = gain(prospects, piles[cell(david, colour)], out, bit)
            cards[number] = card
            appeals[number] = (
                is_top * (spoils + to_come - share * to_david + weights[GOLIATH])
                + is_low * (hoped - share * (spoils_given + to_goliath))
                - (1.0 - is_top - is_low) * share * (spoils_given + prize_given + to_goliath)
                + weights[HIGH] * value
                + weights[HIGH_SQUARED] * value * value
                + void
            )
            number += 1
    return number


@compiled(
    "int64(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1],"
    " int64[::1], float64[::1], int64[::1], float64[::1])"
)
def club_card(
    position: Ints,
    hands: Ints,
    piles: Ints,
    remaining: Ints,
    legal: Ints,
    prospects: Ints,
    weights: Floats,
    cards: Ints,
    appeals: Floats,
) -> int:
    """The legal card that appeals most; of equals the first one."""
    best = 0
    for number in range(1, judge(position, hands, piles, remaining, legal, prospects, weights, cards, appeals)):
        if appeals[number] > appeals[best]:
            best = number
    return int(cards[best])


class ClubBot:
    """Plays by tuned rules."""

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        choices(view, rng)
        appeals = appeals_of(view)
        return max(sorted(appeals), key=lambda card: appeals[card])


def appeals_of(view: View) -> dict[Card, float]:
    """For each legal card how much it appeals to `club`, in points."""
    position = position_of(view.rules, view.trick, len(view.tricks))
    hands = sets_to_array([view.hand] * view.players)  # everyone's would be the own one, but only that is looked at
    piles = sets_to_array(view.piles)
    remaining, legal, cards = (ints([0] * size) for size in (COLOURS, COLOURS, HAND))
    appeals = floats([0.0] * HAND)
    count_remaining(position, piles, remaining)
    legal_words(position, hands, to_play(position), legal)
    known = prospects_for(view.players), weights_for(view.players)
    number = judge(position, hands, piles, remaining, legal, *known, cards, appeals)
    return {card_of(cards[n]): float(appeals[n]) / POINT for n in range(number)}
