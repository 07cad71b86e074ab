"""How good a choice was, in a word: by the numbers as everybody reads them, with one decimal.

So nobody reads that a choice which cost 1.5 points is a mistake, and another one isn't.
"""

from davidgoliath.rules import Card
from davidgoliath.study.values import ERRORS, LEAST, Analysis, Estimate, Grade


def grade_of(loss: Estimate, is_best: bool) -> Grade:
    """
    >>> grade_of(Estimate(1.46, 0.4, 2.52), is_best=False), grade_of(Estimate(2.0, 0.04, 3.96), is_best=False)
    (<Grade.MISTAKE: 'mistake'>, <Grade.FINE: 'fine'>)
    """
    if is_best:
        return Grade.BEST
    found = Grade.FINE
    if round(loss.low, 1) > 0:
        for grade, least in LEAST.items():
            if round(loss.value, 1) >= least:
                found = grade
    return found


def right_cards(analysis: Analysis) -> list[Card]:
    """The cards that nobody would call an error."""
    return [card for card, loss in analysis.losses.items() if grade_of(loss, card is analysis.best) not in ERRORS]
