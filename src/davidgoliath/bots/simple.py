"""Two bots that need nothing but the rules."""

from random import Random
from typing import Any

from davidgoliath.rules import Card, CardSet, View, score, settle


class RandomBot:
    """Plays any legal card."""

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        return rng.choice(list(view.legal_cards))


class ReferenceBot:
    """Plays for the trick as it lies: the yardstick, never tuned.

    It maximises its own pile's score less the mean of the others', were the trick to end right
    after its card. Among equals it plays the lowest value, then the first colour.
    """

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        return min(view.legal_cards, key=lambda card: (-self._gain(view, card), card.value, card.colour))

    def _gain(self, view: View, card: Card) -> int:
        trick = view.trick.with_card(card)
        piles = [pile.mask for pile in view.piles]
        if len(trick.cards) > 1:
            piles = list(settle(trick, view.rules).add_to(piles))
        scores = [score(CardSet(pile)) for pile in piles]
        own = scores.pop(trick.seat_of(len(trick.cards) - 1))
        return own * len(scores) - sum(scores)  # the difference from the mean, without fractions
