"""Two bots that err as people do. They need nothing but the rules, so they also play while the kernel compiles.

Mere greed is hardly better than chance: who takes whatever is the most now is often Goliath, with everybody's low
cards and the lead. What lifts `beginner` above `random` is that it wants the prize only; what lifts `casual` above
`beginner` is a look at its own pile, and a vague dislike of being Goliath. Where David keeps the lowest card too
(`lowest_card_to`), the prize comes with a card that spoils colours, and `beginner` is no better than `random`.
"""

from random import Random
from typing import Any, Final

from davidgoliath.bots.turn import choices
from davidgoliath.rules import Card, CardSet, Seat, View, score, settle
from davidgoliath.rules.scoring import FEW


class BeginnerBot:
    """Wants the big card on the table: goes under it if it can, and else plays something big of its own.

    That a third card of a colour spoils the other two comes to its mind only if it captured those just now.
    It leads anything, and now and then it follows with anything.
    """

    WHIM: Final = 0.15
    """How often it plays any card."""
    MEMORY: Final = 2
    """How many tricks later it still knows what it captured."""

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        cards = _in_any_order(view, rng)
        if not view.trick.cards or rng.random() < self.WHIM:
            return cards[0]
        seat = _seat(view)
        remembered = CardSet()
        for result in view.results[-self.MEMORY :]:
            remembered |= result.captured_by(seat)

        def wish(card: Card) -> int:
            """The prize's value, if the card captures it as the trick lies."""
            result = settle(view.trick.with_card(card), view.rules)
            wants = result.david == seat and len(remembered.of_colour(result.prize.colour)) < FEW
            return result.prize.value if wants else 0

        return max(cards, key=lambda card: (wish(card), card.value))


class CasualBot:
    """Looks at this trick: what would its own pile be worth if the trick ended with its card?

    Others' piles, who plays after it, and the cards that are out don't bother it. It doesn't like to be Goliath,
    who has to lead, throws high cards where they do no harm, and leads low. At times it forgets to look at its pile.
    """

    GOLIATH: Final = 4
    """How many points it would give not to be Goliath."""
    SLIP: Final = 0.1
    """How often it forgets what lies in its pile."""

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        cards = _in_any_order(view, rng)
        if not view.trick.cards:
            return min(cards, key=lambda card: card.value)
        seat = _seat(view)
        pile = CardSet() if rng.random() < self.SLIP else view.piles[seat]

        def worth(card: Card) -> int:
            """The own pile as the trick lies, less the burden of the lead."""
            result = settle(view.trick.with_card(card), view.rules)
            return score(pile | result.captured_by(seat)) - (self.GOLIATH if result.goliath == seat else 0)

        return max(cards, key=lambda card: (worth(card), card.value))


def _in_any_order(view: View, rng: Random) -> list[Card]:
    """The legal cards, so that the first of equals is any of them."""
    cards = list(choices(view, rng))
    rng.shuffle(cards)
    return cards


def _seat(view: View) -> Seat:
    """Whose turn it is, and so whose view."""
    return view.trick.seat_of(len(view.trick.cards))
