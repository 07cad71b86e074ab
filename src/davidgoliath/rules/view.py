"""What one seat may know of a deal. Built only by `DealState.view`."""

from typing import NamedTuple

from davidgoliath.rules.cards import HAND_SIZE, Card, CardSet, Colour, deck
from davidgoliath.rules.ruleset import RuleSet
from davidgoliath.rules.scoring import score
from davidgoliath.rules.standing import Standing
from davidgoliath.rules.trick import Seat, Trick, TrickResult, settle


class Preview(NamedTuple):
    """A trick, were it to end right after a card."""

    goliath: Seat | None
    """Nobody, for a lone card: it captures nothing."""
    david: Seat | None
    scores: tuple[int, ...]
    """What each pile would be worth."""


class View(NamedTuple):
    """A deal as a seat sees it: its own hand, what lies on the table, and what everyone can work out.

    Bots, browsers, terminals, spectators and research observations get this and nothing else.
    """

    seat: Seat | None
    """Whose view this is: None for a spectator."""
    rules: RuleSet
    standing: Standing
    dealer: Seat
    hand: CardSet
    """The seat's own cards: none for a spectator."""
    trick: Trick
    tricks: tuple[Trick, ...]
    results: tuple[TrickResult, ...]
    piles: tuple[CardSet, ...]

    @property
    def players(self) -> int:
        return len(self.piles)

    @property
    def is_over(self) -> bool:
        return len(self.tricks) == HAND_SIZE

    @property
    def to_play(self) -> Seat | None:
        """Whose turn it is; None when the deal is over."""
        return None if self.is_over else self.trick.to_play

    @property
    def legal_cards(self) -> CardSet:
        """What this seat may play now: nothing when it isn't its turn."""
        if self.seat is None or self.seat != self.to_play:
            return CardSet()
        return self.trick.legal_cards(self.hand)

    @property
    def scores(self) -> tuple[int, ...]:
        """What each pile is worth now."""
        return tuple(score(pile) for pile in self.piles)

    def preview(self, card: Card) -> Preview:
        """What a card would make of the trick as it lies."""
        trick = self.trick.with_card(card)
        if len(trick.cards) == 1:
            return Preview(None, None, self.scores)
        result = settle(trick, self.rules)
        piles = result.add_to([pile.mask for pile in self.piles])
        return Preview(result.goliath, result.david, tuple(score(CardSet(pile)) for pile in piles))

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat still holds."""
        played = {self.trick.seat_of(position) for position in range(len(self.trick.cards))}
        left = HAND_SIZE - len(self.tricks)
        return tuple(left - (seat in played) for seat in range(self.players))

    @property
    def unseen(self) -> CardSet:
        """The cards in hands that this seat can't see."""
        seen = CardSet.of(self.trick.cards) | self.hand
        for pile in self.piles:
            seen |= pile
        return deck(self.players) - seen

    @property
    def voids(self) -> tuple[frozenset[Colour], ...]:
        """For each seat the colours that it has shown not to hold any more."""
        shown: list[set[Colour]] = [set() for _ in range(self.players)]
        for trick in (*self.tricks, self.trick):
            for position, card in enumerate(trick.cards):
                if trick.led is not None and card.colour != trick.led:
                    shown[trick.seat_of(position)].add(trick.led)
        return tuple(frozenset(colours) for colours in shown)
