"""A hint: the best card for whoever is to play, and why."""

from typing import Final, NamedTuple

from davidgoliath.rules import Card, View
from davidgoliath.study.analysis import HINT, analyse
from davidgoliath.study.judges import reasons
from davidgoliath.study.values import LEAST, Analysis, Grade, Reason

NAMING: Final = 4
PRICING: Final = 6
"""So many blocks of reasons."""


class Hint(NamedTuple):
    """What a seat is told that asks for help."""

    analysis: Analysis
    instead: Card | None
    """The card that the reasons compare it with, or the next best if there are none; None if there is no other."""
    reasons: tuple[Reason, ...]

    @property
    def card(self) -> Card:
        return self.analysis.best


def hint(view: View) -> Hint:
    """Within 300 ms: with fewer worlds than a review has.

    Between cards that are about as good there is little to say. So it says why the best is better than the next one
    that is worth less; and if nothing speaks for that, than the worst.
    """
    analysis = analyse(view, HINT)
    losses = {card: loss.value for card, loss in analysis.losses.items() if card is not analysis.best}
    others = sorted(losses, key=lambda card: losses[card])
    worse = [card for card in others if losses[card] >= LEAST[Grade.INACCURACY]]
    for card in dict.fromkeys([*worse[:1], *worse[-1:]]):
        if why := reasons(view, card, analysis.best, PRICING, NAMING):
            return Hint(analysis, card, why)
    return Hint(analysis, others[0] if others else None, ())
