"""A trick: what may be played to it, and who captures what (rules 4 to 9)."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from davidgoliath.rules.cards import MOST_PLAYERS, Card, CardSet, Colour, check_players, mask_of
from davidgoliath.rules.checks import CARD, check_kind, check_seat, check_tuple, whole_number
from davidgoliath.rules.ruleset import RuleSet

Seat = int
"""A place at the table, numbered clockwise from 0."""


class _Trick(NamedTuple):
    players: int
    leader: Seat
    cards: tuple[Card, ...]


class Trick(_Trick):
    """The cards on the table, in the order of play: the leader's first. (`_make` checks nothing.)"""

    __slots__ = ()

    def __new__(cls, players: int, leader: Seat, cards: tuple[Card, ...] = ()) -> "Trick":
        check_players(players)
        check_seat(leader, players, field="leader")
        check_tuple(cards, Card, CARD)
        whole_number("the cards of a trick", len(cards), 0, players)
        return cls._make((players, leader, cards))

    @property
    def led(self) -> Colour | None:
        """The colour to follow, once there is a card."""
        return self.cards[0].colour if self.cards else None

    @property
    def to_play(self) -> Seat | None:
        """Rule 3: play goes clockwise. None when everyone has played."""
        return None if self.is_complete else self.seat_of(len(self.cards))

    @property
    def is_complete(self) -> bool:
        return len(self.cards) == self.players

    def seat_of(self, position: int) -> Seat:
        """Who plays the first (0), second (1), … card."""
        return (self.leader + position) % self.players

    def with_card(self, card: Card) -> "Trick":
        check_kind(card, Card, CARD)
        return Trick._make((self.players, self.leader, (*self.cards, card)))

    def legal_cards(self, hand: CardSet) -> CardSet:
        """What a hand may play next.

        >>> trick = Trick(4, 0, (Card.parse("G4"),))
        >>> trick.legal_cards(CardSet.parse("R2 G7,9")), trick.legal_cards(CardSet.parse("R2 V3"))
        (CardSet.parse('G7,9'), CardSet.parse('R2 V3'))
        """
        return CardSet(legal_mask(mask_of(hand), self.cards))


def legal_mask(hand: int, table: tuple[Card, ...]) -> int:
    """Rules 4 and 5, on masks: the led colour if able, else anything."""
    return (hand & table[0].colour_mask if table else 0) or hand


class TrickResult(NamedTuple):
    """Who is who in a trick, and who captures which cards."""

    goliath: Seat
    """The player of the highest card, who leads the next trick."""
    david: Seat
    """The player of the lowest card."""
    prize: Card
    """The highest card: David captures it."""
    spoils: tuple[Card, ...]
    """What Goliath captures, in the order of play: all the other cards, but for one that David keeps."""
    kept: Card | None = None
    """The lowest card, where `lowest_card_to` gives it back to David."""

    def captured_by(self, seat: Seat) -> CardSet:
        """What a seat captures in this trick."""
        check_seat(seat, MOST_PLAYERS)
        return CardSet(self.add_to([0] * MOST_PLAYERS)[seat])

    def add_to(self, piles: Sequence[int]) -> tuple[int, ...]:
        """The piles with this trick captured, all as masks."""
        goliath, david, prize, spoils, kept = self
        mask, after = 0, list(piles)
        for card in spoils:
            mask |= card.bit
        after[goliath] |= mask
        after[david] |= prize.bit if kept is None else prize.bit | kept.bit
        return tuple(after)


def settle(trick: Trick, rules: RuleSet) -> TrickResult:
    """Rules 6 to 9, for the cards played so far: two at the least.

    >>> cards = tuple(map(Card.parse, ["G4", "G9", "R2", "G7"]))
    >>> result = settle(Trick(4, 0, cards), RuleSet())
    >>> result.goliath, result.david, str(result.prize), [str(card) for card in result.spoils]
    (1, 2, 'G9', ['G4', 'R2', 'G7'])
    """
    players, leader, cards = trick
    if len(cards) < 2:
        raise ValueError(f"a trick is settled from its second card on, and this has {len(cards)}")
    high = low = 0
    top = bottom = cards[0].value
    for place, card in enumerate(cards):
        value = card.value
        if value >= top:  # the later one among equals
            high, top = place, value
        if value <= bottom:
            low, bottom = place, value
    prize, kept = cards[high], None
    spoils = cards[:high] + cards[high + 1 :]
    if high == low and rules.all_equal == "split":  # all are equal: David's is the one before the last
        low -= 1
    if low != high and rules.lowest_card_to == "david":
        kept = cards[low]
        spoils = tuple(card for card in spoils if card is not kept)
    return TrickResult((leader + high) % players, (leader + low) % players, prize, spoils, kept)


Tie: TypeAlias = Literal["highest", "lowest", "both", "all"]
"""What is equal in a trick, so that the order of play decided: the highest cards, the lowest, both, or all cards."""


def tie(cards: Sequence[Card]) -> Tie | None:
    """What is equal among the cards of a trick.

    >>> tie([Card.parse("G4"), Card.parse("R2"), Card.parse("B2")])
    'lowest'
    """
    values = [card.value for card in cards]
    highest, lowest = values.count(max(values)) > 1, values.count(min(values)) > 1
    if len(set(values)) == 1:
        return "all"
    return "both" if highest and lowest else "highest" if highest else "lowest" if lowest else None
