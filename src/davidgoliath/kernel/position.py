"""A deal in progress, for those who play it card by card in compiled code: bots that search.

`hands` and `piles` are as `layout` says. What else there is to know of the deal is one small array, the position: the
cards of the trick being played at 0 to 5, and behind them the fields below. `remaining[colour]` has the cards that
nobody has played yet.
"""

from typing import Final

from davidgoliath.kernel.arrays import ints
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import code_of, options_of
from davidgoliath.kernel.layout import COLOURS, Ints
from davidgoliath.kernel.play import bit_of, capture, cell, colour_of, high_key, low_key, seat_at
from davidgoliath.rules import RuleSet, Trick

PLAYERS: Final = 6
LEADER: Final = 7
PLACE: Final = 8
"""How many cards lie in the trick."""
TRICK: Final = 9
"""How many tricks are finished."""
TOP: Final = 10
"""The greatest of the trick's `high_key`, and -1 before the first card."""
BOTTOM: Final = 11
"""The least of the trick's `low_key`."""
KEEPS: Final = 12
SWEEPS: Final = 13
FIELDS: Final = 16
NO_BOTTOM: Final = 1 << 30


def position_of(rules: RuleSet, trick: Trick, finished: int) -> Ints:
    """The position with a trick, after so many finished ones."""
    position = ints([0] * FIELDS)
    position[PLAYERS], position[LEADER], position[TRICK] = trick.players, trick.leader, finished
    position[TOP], position[BOTTOM] = -1, NO_BOTTOM
    position[KEEPS], position[SWEEPS] = options_of(rules)
    for card in trick.cards:
        put_card(position, code_of(card))
    return position


@compiled("int64(int64[::1])")
def to_play(position: Ints) -> int:
    return seat_at(position[LEADER], position[PLACE], position[PLAYERS])


@compiled("int64(int64[::1])")
def led(position: Ints) -> int:
    """The colour to follow, or -1 for the leader."""
    return colour_of(position[0]) if position[PLACE] else -1


@compiled("void(int64[::1], int64[::1], int64, int64[::1])")
def legal_words(position: Ints, hands: Ints, seat: int, legal: Ints) -> None:
    """Rules 4 and 5: what a seat may play, a word a colour."""
    follow = led(position)
    must = follow >= 0 and hands[cell(seat, follow)] != 0
    for colour in range(COLOURS):
        legal[colour] = hands[cell(seat, colour)] if not must or colour == follow else 0


@compiled("void(int64[::1], int64)")
def put_card(position: Ints, card: int) -> None:
    """A card comes to the trick."""
    place = position[PLACE]
    position[place] = card
    position[TOP] = max(position[TOP], high_key(card, place))
    position[BOTTOM] = min(position[BOTTOM], low_key(card, place))
    position[PLACE] = place + 1


@compiled("void(int64[::1], int64[::1], int64[::1], int64[::1], int64)")
def play_card(position: Ints, hands: Ints, piles: Ints, remaining: Ints, card: int) -> None:
    """The seat to play plays a card; a complete trick is captured."""
    hands[cell(to_play(position), colour_of(card))] ^= bit_of(card)
    remaining[colour_of(card)] ^= bit_of(card)
    put_card(position, card)
    players = position[PLAYERS]
    if position[PLACE] == players:
        position[LEADER] = capture(
            piles,
            position,
            0,
            players,
            position[LEADER],
            position[TOP],
            position[BOTTOM],
            position[KEEPS],
            position[SWEEPS],
        )
        position[PLACE], position[TOP], position[BOTTOM] = 0, -1, NO_BOTTOM
        position[TRICK] += 1


@compiled("void(int64[::1], int64[::1], int64[::1])")
def count_remaining(position: Ints, piles: Ints, remaining: Ints) -> None:
    """Fills `remaining`: the deck without the piles and the trick."""
    players = position[PLAYERS]
    for colour in range(COLOURS):
        remaining[colour] = (1 << 3 * players) - 1
        for seat in range(players):
            remaining[colour] ^= piles[cell(seat, colour)]
    for place in range(position[PLACE]):
        remaining[colour_of(position[place])] ^= bit_of(position[place])
