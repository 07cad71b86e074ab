"""What is to be said of a seat's deal: every choice, what it cost, and how the result came about.

The judge sees each choice through the view that the seat had then, and nothing else of the deal. The ledger alone looks
at all cards, and no grade comes from it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from davidgoliath.rules import Card, DealState, Seat, View
from davidgoliath.study.analysis import LEVELS, Analyst
from davidgoliath.study.grades import grade_of
from davidgoliath.study.intervals import FEWEST, estimate
from davidgoliath.study.judges import JUDGE, reasons
from davidgoliath.study.ledger import ledgers
from davidgoliath.study.values import ERRORS, Analysis, Choice, Estimate, Ledger, Review


class Moment(NamedTuple):
    """A choice as a seat had it, and the card that it took."""

    view: View
    played: Card


def moments(state: DealState, seat: Seat) -> Iterator[Moment]:
    """Where a seat had several cards to choose from."""
    then = state.at(0)
    for card in state.plays:
        if then.to_play == seat and len(then.legal_cards) > 1:
            yield Moment(then.view(seat), card)
        then = then.play(card)


def review(state: DealState, seat: Seat, levels: Sequence[int] = LEVELS) -> Iterator[Review]:
    """First one of all choices by the least blocks; then another one for each choice that is known better.

    What takes time comes later: cards that are plainly behind after the first, reasons of errors with the most blocks.
    """
    known = [(moment, Analyst(moment.view, moment.played)) for moment in moments(state, seat)]
    ledger = ledgers(state)[seat] if state.is_over else None
    first, *later = levels
    choices = [_choice(moment, analyst.analysis(first, not later), not later) for moment, analyst in known]
    yield _review(state, seat, choices, ledger)
    for level in later:
        for number, (moment, analyst) in enumerate(known):
            choices[number] = _choice(moment, analyst.analysis(level), level == later[-1])
            yield _review(state, seat, choices, ledger)


def final_review(state: DealState, seat: Seat, blocks: int = LEVELS[-1]) -> Review:
    """The last of them at once."""
    return next(review(state, seat, (blocks,)))


def explained(found: Review, state: DealState) -> Review:
    """A review that was broken off, with the reasons of its costliest errors."""
    views = {len(view.tricks) + 1: view for view, _ in moments(state, found.seat)}
    why = {
        choice.trick: reasons(views[choice.trick], choice.played, choice.analysis.best)
        for choice in found.costliest
        if not choice.reasons
    }
    choices = (choice._replace(reasons=why.get(choice.trick, choice.reasons)) for choice in found.choices)
    return found._replace(choices=tuple(choices))


def lost_per_choice(choices: Iterable[Choice]) -> Estimate | None:
    """The mean loss of choices, as a sample of how the player plays: of one deal or of many.

    Its interval is therefore wider than how surely each loss is known. None where there is too little to say.
    """
    losses = [choice.loss.value for choice in choices]
    return estimate(losses) if len(losses) >= FEWEST else None


def _choice(moment: Moment, analysis: Analysis, with_reasons: bool) -> Choice:
    view, played = moment
    grade = grade_of(analysis.losses[played], played is analysis.best)
    why = reasons(view, played, analysis.best) if with_reasons and grade in ERRORS else ()
    return Choice(len(view.tricks) + 1, played, analysis, grade, why)


def _review(state: DealState, seat: Seat, choices: list[Choice], ledger: Ledger | None) -> Review:
    return Review(state.standing.deal, seat, tuple(choices), ledger, lost_per_choice(choices), JUDGE)
