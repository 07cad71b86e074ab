"""How good a choice was, in a word."""

from davidgoliath.rules import Card
from davidgoliath.study.values import ERRORS, LEAST, Analysis, Estimate, Grade


def grade_of(loss: Estimate, is_best: bool) -> Grade:
    """
    >>> grade_of(Estimate(2.0, 0.4, 3.6), is_best=False), grade_of(Estimate(2.0, -0.1, 4.1), is_best=False)
    (<Grade.MISTAKE: 'mistake'>, <Grade.FINE: 'fine'>)
    """
    if is_best:
        return Grade.BEST
    found = Grade.FINE
    if loss.low > 0:
        for grade, least in LEAST.items():
            if loss.value >= least:
                found = grade
    return found


def right_cards(analysis: Analysis) -> list[Card]:
    """The cards that nobody would call an error."""
    return [card for card, loss in analysis.losses.items() if grade_of(loss, card is analysis.best) not in ERRORS]
