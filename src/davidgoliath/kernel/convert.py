"""From the rules to the kernel's arrays, and back."""

from collections.abc import Collection, Sequence

from davidgoliath.kernel.arrays import ints
from davidgoliath.kernel.layout import CODE_BITS, CODE_MASK, VALUES, WORDS, Ints
from davidgoliath.rules import Card, CardSet, Colour, RuleSet
from davidgoliath.rules.cards import CARDS

_COLOUR = (1 << VALUES) - 1


def code_of(card: Card) -> int:
    """
    >>> code_of(Card.parse("Y3"))
    34
    """
    return card.colour << CODE_BITS | card.value - 1


def card_of(code: int) -> Card:
    """
    >>> card_of(34)
    Card.parse('Y3')
    """
    return CARDS[(int(code) >> CODE_BITS) * VALUES + (int(code) & CODE_MASK)]


def words_of(cards: CardSet) -> list[int]:
    """A set as the words of a seat."""
    return [cards.mask >> VALUES * colour & _COLOUR for colour in range(WORDS)]


def set_of(words: "Sequence[int] | Ints") -> CardSet:
    """The set in the words of a seat."""
    return CardSet(sum(int(word) << VALUES * colour for colour, word in enumerate(words)))


def sets_to_array(sets: Sequence[CardSet]) -> Ints:
    """Hands or piles as an array of cells."""
    return ints(word for cards in sets for word in words_of(cards))


def voids_to_array(voids: Sequence[Collection[Colour]]) -> Ints:
    """For each seat a bit for each colour that it has shown not to hold."""
    shown = [sum(1 << colour for colour in colours) for colours in voids]
    return ints(shown + [0] * (WORDS - len(shown)))


def options_of(rules: RuleSet) -> tuple[int, int]:
    """`keeps` and `sweeps`."""
    return int(rules.lowest_card_to == "david"), int(rules.all_equal == "sweep")
