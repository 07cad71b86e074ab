"""The rules on masks: what may be played, who captures what, what it is worth. `layout` explains the arrays.

`davidgoliath.rules` says the same in its own way, and a test plays both side by side.
"""

from davidgoliath.kernel.bits import count, lowest, nth
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CODE_BITS, CODE_MASK, COLOURS, Ints


@compiled("int64(int64)")
def colour_of(card: int) -> int:
    return card >> CODE_BITS


@compiled("int64(int64)")
def bit_of(card: int) -> int:
    """The card in its colour's mask."""
    return 1 << (card & CODE_MASK)


@compiled("int64(int64, int64)")
def cell(seat: int, colour: int) -> int:
    """Where a seat's cards of a colour are in `hands` and `piles`."""
    return (seat << 3 | colour) & 63


@compiled("int64(int64, int64, int64)")
def seat_at(leader: int, place: int, players: int) -> int:
    """Who plays the card at a place of a trick. (Not with %, which is slow for a variable divisor.)"""
    seat = leader + place
    return seat - players if seat >= players else seat


@compiled("int64(int64[::1], int64, int64)")
def nth_card(hands: Ints, seat: int, n: int) -> int:
    """The n-th card of a whole hand, from 0."""
    colour, before, seen = 0, 0, 0
    for number in range(COLOURS - 1):  # all of them, since leaving early would be guessed wrong too often
        seen += count(hands[cell(seat, number)])
        if n >= seen:
            colour, before = number + 1, seen
    return colour << CODE_BITS | nth(hands[cell(seat, colour)], n - before)


@compiled("boolean(int64[::1], int64, int64, int64)")
def is_legal(hands: Ints, seat: int, led: int, card: int) -> bool:
    """Rules 4 and 5. `led` is the colour to follow, or -1 for the leader."""
    if not hands[cell(seat, colour_of(card))] & bit_of(card):
        return False
    return led < 0 or colour_of(card) == led or hands[cell(seat, led)] == 0


@compiled("int64(int64, int64)")
def high_key(card: int, place: int) -> int:
    """Rule 6: the highest card of a trick has the greatest of these; of equals the later one."""
    return (card & CODE_MASK) << 3 | place


@compiled("int64(int64, int64)")
def low_key(card: int, place: int) -> int:
    """Rule 7: the lowest card has the least of these; of equals the later one."""
    return (card & CODE_MASK) << 3 | (7 - place)


@compiled("UniTuple(int64, 2)(int64, int64, int64, int64)")
def settle(top: int, bottom: int, players: int, sweeps: int) -> tuple[int, int]:
    """The places of the highest and the lowest card, by the greatest and the least key.

    Only if all values are equal do both keys name the last card: then the lowest is the one before
    it, unless one card is to be both.
    """
    high, low = top & 7, 7 - (bottom & 7)
    if high == low and not sweeps:
        low = players - 2
    return high, low


@compiled("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64, int64, int64)")
def capture(
    piles: Ints,
    plays: Ints,
    start: int,
    players: int,
    leader: int,
    top: int,
    bottom: int,
    keeps: int,
    sweeps: int,
) -> int:
    """Rules 6 to 11: a complete trick goes to the piles. Gives Goliath's seat, who leads the next one."""
    high, low = settle(top, bottom, players, sweeps)
    goliath, david = seat_at(leader, high, players), seat_at(leader, low, players)
    for place in range(players):
        card = plays[start + place]
        taker = david if place == high or (keeps and place == low) else goliath
        piles[cell(taker, colour_of(card))] |= bit_of(card)
    return goliath


@compiled("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64)")
def capture_trick(piles: Ints, plays: Ints, start: int, players: int, leader: int, keeps: int, sweeps: int) -> int:
    """The same for a trick whose keys nobody has kept."""
    top, bottom = -1, 1 << 30
    for place in range(players):
        top = max(top, high_key(plays[start + place], place))
        bottom = min(bottom, low_key(plays[start + place], place))
    return capture(piles, plays, start, players, leader, top, bottom, keeps, sweeps)


@compiled("int64(int64)")
def points(mask: int) -> int:
    """Rule 13, for the cards of one colour."""
    rest = mask & (mask - 1)
    first = lowest(mask) + 1 if mask else 0
    second = lowest(rest) + 1 if rest else 0
    cards = count(mask)
    return cards if cards > 2 else first + second


@compiled("int64(int64[::1], int64)")
def score(piles: Ints, seat: int) -> int:
    """Rule 13: what a pile is worth."""
    total = 0
    for colour in range(COLOURS):
        total += points(piles[cell(seat, colour)])
    return total
