"""Rule 13: what a pile is worth."""

from functools import lru_cache
from typing import Final

from davidgoliath.rules.cards import COLOUR_MASKS, CardSet, mask_of

FEW: Final = 2
"""Up to so many cards of a colour count their values; more count 1 point each."""


def score_by_colour(pile: CardSet) -> tuple[int, ...]:
    """The points for red, yellow, green, blue and violet.

    >>> score_by_colour(CardSet.parse("R4,10,11 Y8 G5,9 B2,3,6,10,12 V10,12"))
    (3, 8, 14, 5, 22)
    """
    mask = mask_of(pile)
    return tuple([mask_points(mask & colour) for colour in COLOUR_MASKS])


def score(pile: CardSet) -> int:
    """The sum over the five colours.

    >>> score(CardSet.parse("R4,10,11 Y8 G5,9 B2,3,6,10,12 V10,12"))
    52
    """
    return sum(score_by_colour(pile))


def points(cards: CardSet) -> int:
    """What cards of one colour are worth.

    >>> points(CardSet.parse("R4,10")), points(CardSet.parse("R4,10,11"))
    (14, 3)
    """
    return mask_points(mask_of(cards))


def next_card(cards: CardSet) -> int | None:
    """What one more card would change, for cards of one colour: None is its own value, whatever that is.

    >>> [next_card(CardSet.parse(cards)) for cards in ("R4", "R4,10", "R4,10,11")]
    [None, -11, 1]
    """
    return None if len(cards) < FEW else len(cards) + 1 - points(cards)


def mask_points(mask: int) -> int:
    """`points` of a mask (`CardSet.mask`), for those who need many."""
    count = mask.bit_count()
    return count if count > FEW or not mask else _values(mask)


@lru_cache(maxsize=1024)
def _values(mask: int) -> int:
    """The sum of the values of one card or two of a colour: there are 855 such masks."""
    return sum([card.value for card in CardSet(mask)])
