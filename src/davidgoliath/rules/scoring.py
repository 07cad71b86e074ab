"""Rule 13: what a pile is worth."""

from davidgoliath.rules.cards import CardSet, Colour

FEW = 2
"""Up to so many cards of a colour count their values; more count 1 point each."""


def score_by_colour(pile: CardSet) -> tuple[int, ...]:
    """The points for red, yellow, green, blue and violet.

    >>> score_by_colour(CardSet.parse("R4,10,11 Y8 G5,9 B2,3,6,10,12 V10,12"))
    (3, 8, 14, 5, 22)
    """
    return tuple([_points(pile.of_colour(colour)) for colour in Colour])


def score(pile: CardSet) -> int:
    """The sum over the five colours.

    >>> score(CardSet.parse("R4,10,11 Y8 G5,9 B2,3,6,10,12 V10,12"))
    52
    """
    return sum(score_by_colour(pile))


def _points(cards: CardSet) -> int:
    count = len(cards)
    if count > FEW:
        return count
    return sum([card.value for card in cards]) if count else 0
