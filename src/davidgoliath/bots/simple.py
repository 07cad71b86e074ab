"""Two bots that need nothing but the rules."""

from random import Random
from typing import Any

from davidgoliath.bots.turn import choices
from davidgoliath.rules import Card, View


class RandomBot:
    """Plays any legal card."""

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        return rng.choice(list(choices(view, rng)))


class ReferenceBot:
    """Plays for the trick as it lies: the yardstick, never tuned.

    It maximises its own pile's score less the mean of the others', were the trick to end right
    after its card. Among equals it plays the lowest value, then the first colour.
    """

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        return min(choices(view, rng), key=lambda card: (-self._gain(view, card), card.value, card.colour))

    def _gain(self, view: View, card: Card) -> int:
        scores = list(view.preview(card).scores)
        own = scores.pop(view.trick.seat_of(len(view.trick.cards)))
        return own * len(scores) - sum(scores)  # the difference from the mean, without fractions
