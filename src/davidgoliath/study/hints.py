"""A hint: the best card for whoever is to play, and why."""

from typing import NamedTuple

from davidgoliath.rules import Card, View
from davidgoliath.study.analysis import HINT, analyse
from davidgoliath.study.reasons import reasons
from davidgoliath.study.values import Analysis, Reason


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
    """Within a few tenths of a second."""
    analysis = analyse(view, HINT)
    others = [card for card in analysis.losses if card is not analysis.best]
    instead = min(others, key=lambda card: analysis.losses[card].value, default=None)
    return Hint(analysis, instead, reasons(view, instead, analysis.best) if instead else ())
