"""Colours, cards and sets of cards (rule 1).

There are ninety cards, and each exists once: `Card(Colour.RED, 9) is Card.parse("R9")`. So cards
compare and hash by identity, which is fast. A set of cards is one int, bit `card.index` for each card.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from functools import lru_cache, total_ordering
from operator import index
from typing import Final, NoReturn

from davidgoliath.rules.checks import CARD, CARD_SET, TEXT, check_kind, wrong_kind
from davidgoliath.rules.refusal import NotationError, Reason, Refusal

HIGHEST_VALUE: Final = 18
HAND_SIZE: Final = 15
FEWEST_PLAYERS: Final = 3
MOST_PLAYERS: Final = 6


class Colour(IntEnum):
    """The five colours, always in this order.

    >>> [str(colour) for colour in Colour]
    ['R', 'Y', 'G', 'B', 'V']
    """

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3
    VIOLET = 4

    def __str__(self) -> str:
        return self.name[0]

    def __repr__(self) -> str:
        return f"Colour.{self.name}"

    @classmethod
    def parse(cls, text: str) -> "Colour":
        """
        >>> Colour.parse("G")
        Colour.GREEN
        """
        for colour in cls:
            if str(text).upper() == str(colour):
                return colour
        raise NotationError(Reason.NO_SUCH_CARD, text=text, column=1)


COLOUR_MASKS: Final = tuple(((1 << HIGHEST_VALUE) - 1) << colour * HIGHEST_VALUE for colour in Colour)


@total_ordering
class Card:
    """A card: a colour and a value from 1 to 18.

    >>> Card(Colour.RED, 9)
    Card.parse('R9')
    >>> Card.parse("V12").value
    12
    """

    __slots__ = ("bit", "colour", "colour_mask", "index", "name", "value")

    colour: Colour
    value: int
    index: int
    """The card's place in the whole deck: red 1 to 18, then yellow, green, blue, violet."""
    bit: int
    """`1 << index`: the card in a `CardSet.mask`."""
    colour_mask: int
    """All cards of its colour, in a `CardSet.mask`."""
    name: str

    def __new__(cls, colour: Colour, value: int) -> "Card":
        if colour not in range(len(Colour)) or value not in range(1, HIGHEST_VALUE + 1):
            raise Refusal(Reason.NO_SUCH_CARD, text=f"{colour}{value}")
        return CARDS[int(colour) * HIGHEST_VALUE + int(value) - 1]

    @classmethod
    def parse(cls, text: str) -> "Card":
        """A colour letter and a value; small letters will do."""
        try:
            return CARDS_BY_NAME[text]
        except (KeyError, TypeError):
            raise NotationError(Reason.NO_SUCH_CARD, text=text, column=1) from None

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Card.parse({self.name!r})"

    def __lt__(self, other: "Card") -> bool:
        return self.index < other.index if isinstance(other, Card) else NotImplemented

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card never changes: {name}")

    def __reduce__(self) -> tuple[Callable[[str], "Card"], tuple[str]]:
        return Card.parse, (self.name,)


def _make(place: int) -> Card:
    colour, below = divmod(place, HIGHEST_VALUE)
    card: Card = object.__new__(Card)
    fields = {"colour": Colour(colour), "value": below + 1, "index": place, "bit": 1 << place}
    fields["colour_mask"] = COLOUR_MASKS[colour]
    for name, value in fields.items():
        object.__setattr__(card, name, value)
    object.__setattr__(card, "name", f"{card.colour}{card.value}")
    return card


WHOLE_DECK: Final = len(Colour) * HIGHEST_VALUE
CARDS: Final = tuple(_make(place) for place in range(WHOLE_DECK))
CARDS_BY_LENGTH: Final = (CARDS[0], *CARDS)
"""Each card at the `bit_length` of its bit; there is none at 0."""
CARDS_BY_NAME: Final = {name: card for card in CARDS for name in (card.name, card.name.lower())}


class CardSet:
    """An immutable set of cards, in colour and value order.

    >>> hand = CardSet.parse("R1,9,11 Y5 V3,12")
    >>> len(hand), Card.parse("R9") in hand, str(hand.of_colour(Colour.VIOLET))
    (6, True, 'V3,12')
    >>> str(CardSet())
    '-'
    """

    __slots__ = ("_mask",)
    _mask: int

    def __init__(self, mask: int = 0) -> None:
        if type(mask) is not int or mask >> WHOLE_DECK:  # of a negative one -1 is left
            raise wrong_kind(f"a mask of {WHOLE_DECK} bits", mask)
        self._mask = mask

    @classmethod
    def of(cls, cards: Iterable[Card]) -> "CardSet":
        mask = 0
        for card in cards:
            mask |= bit_of(card)
        return cls(mask)

    @property
    def mask(self) -> int:
        """The set as one int: bit `card.index` for each card."""
        return self._mask

    @classmethod
    def parse(cls, text: str) -> "CardSet":
        """Groups by colour, as `str` writes them: `R1,9,11 Y5`; `-` is the empty set."""
        check_kind(text, str, f"{TEXT} such as 'R1,9,11 Y5'")
        if text.strip() == "-":
            return cls()
        mask = 0
        for group in re.finditer(r"\S+", text):
            letter, values = group[0][0], group[0][1:].split(",")
            column = group.start() + 1
            for place, value in enumerate(values):
                try:
                    card = Card.parse(letter + value)
                except NotationError as error:
                    raise error.at(column=column) from None
                if mask & card.bit:
                    raise NotationError(Reason.CARD_TWICE, card=card, column=column)
                mask |= card.bit
                column += len(value) + (1 if place else 2)
        if not mask:
            raise NotationError(Reason.NO_CARDS, column=1)
        return cls(mask)

    def __str__(self) -> str:
        groups = [(colour, self.of_colour(colour)) for colour in Colour]
        return (
            " ".join(f"{colour}{','.join(str(card.value) for card in cards)}" for colour, cards in groups if cards)
            or "-"
        )

    def __repr__(self) -> str:
        return f"CardSet.parse({str(self)!r})"

    def __contains__(self, card: Card) -> bool:
        return self._mask & bit_of(card) != 0

    def __iter__(self) -> Iterator[Card]:
        mask, cards = self._mask, []
        while mask:  # from the top, since that bit is the quickest to find
            card = CARDS_BY_LENGTH[mask.bit_length()]
            cards.append(card)
            mask ^= card.bit
        cards.reverse()
        return iter(cards)

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __bool__(self) -> bool:
        return self._mask != 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self._mask == other._mask

    def __hash__(self) -> int:
        return hash(self._mask)

    def __or__(self, other: "CardSet") -> "CardSet":
        return CardSet(self._mask | mask_of(other))

    def __and__(self, other: "CardSet") -> "CardSet":
        return CardSet(self._mask & mask_of(other))

    def __sub__(self, other: "CardSet") -> "CardSet":
        return CardSet(self._mask & ~mask_of(other))

    def __le__(self, other: "CardSet") -> bool:
        return self._mask & ~mask_of(other) == 0

    def of_colour(self, colour: Colour) -> "CardSet":
        check_kind(colour, Colour, "a Colour, such as Colour.RED,")
        return CardSet(self._mask & COLOUR_MASKS[colour])

    def without(self, card: Card) -> "CardSet":
        return CardSet(self._mask & ~bit_of(card))


def bit_of(card: Card) -> int:
    """A card's bit, and for whatever else comes as one a sentence."""
    try:
        return card.bit
    except AttributeError:
        raise wrong_kind(CARD, card) from None


def mask_of(cards: CardSet) -> int:
    """A set's mask, and for whatever else comes as one a sentence."""
    try:
        return cards.mask
    except AttributeError:
        raise wrong_kind(CARD_SET, cards) from None


def deck(players: int) -> CardSet:
    """Rule 1: values 1 to three times the number of players, in five colours.

    >>> len(deck(4)), Card.parse("R12") in deck(4), Card.parse("R13") in deck(4)
    (60, True, False)
    """
    check_players(players)
    return _deck(players)


@lru_cache
def _deck(players: int) -> CardSet:
    return CardSet.of(card for card in CARDS if card.value <= 3 * players)


def check_players(players: int) -> None:
    try:
        fit = FEWEST_PLAYERS <= index(players) <= MOST_PLAYERS
    except TypeError:
        raise wrong_kind("a number of players", players) from None
    if not fit:
        raise Refusal(Reason.PLAYERS_RANGE, players=players)
