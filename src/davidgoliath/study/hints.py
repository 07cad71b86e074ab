"""A hint: the best card for whoever is to play, and why."""

from typing import Final, NamedTuple

from davidgoliath.rules import Card, View
from davidgoliath.study.analysis import HINT, analyse
from davidgoliath.study.reasons import reasons
from davidgoliath.study.values import Analysis, Reason

NAMING: Final = 4
PRICING: Final = 6
"""So many blocks of reasons."""


class Hint(NamedTuple):
    """What a seat is told that asks for help."""

    analysis: Analysis
    instead: Card | None
    """The next best card, which the reasons compare it with; None if there is no other."""
    reasons: tuple[Reason, ...]

    @property
    def card(self) -> Card:
        return self.analysis.best


def hint(view: View) -> Hint:
    """Within 300 ms: with fewer worlds than a review has."""
    analysis = analyse(view, HINT)
    others = [card for card in analysis.losses if card is not analysis.best]
    instead = min(others, key=lambda card: analysis.losses[card].value, default=None)
    why = reasons(view, instead, analysis.best, PRICING, NAMING) if instead else ()
    return Hint(analysis, instead, why)
