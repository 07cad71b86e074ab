"""How a seat came to its result, card by card, by the fixed value of the true positions: so with open cards.

That says what luck was worth, the deal's and the others', and never how well anyone played: whoever couldn't see the
cards isn't to be judged by them. The three parts are added up apart, each from its own steps.
"""

from math import fsum

from davidgoliath.rules import DealState, Seat
from davidgoliath.study.judges import expected_scores
from davidgoliath.study.values import Ledger


def ledgers(state: DealState) -> tuple[Ledger, ...]:
    """The ledger of each seat of a deal that is over."""
    if not state.is_over:
        raise ValueError("a deal that is over is needed here")
    then = state.at(0)
    scores, movers = [expected_scores(then)], list[Seat | None]()
    for card in state.plays:
        movers.append(then.to_play)
        then = then.play(card)
        scores.append(expected_scores(then))
    return tuple(_ledger(seat, scores, movers) for seat in range(state.players))


def _ledger(seat: Seat, scores: list[tuple[float, ...]], movers: list[Seat | None]) -> Ledger:
    steps = [_ahead(each, seat) for each in scores]
    changes = [(mover, after - before) for mover, before, after in zip(movers, steps, steps[1:], strict=False)]
    return Ledger(
        dealt=steps[0],
        own=fsum(change for mover, change in changes if mover == seat),
        others=fsum(change for mover, change in changes if mover != seat),
        result=steps[-1],
        steps=tuple(steps),
    )


def _ahead(scores: tuple[float, ...], seat: Seat) -> float:
    """The own score less the mean of the others'."""
    return scores[seat] - (fsum(scores) - scores[seat]) / (len(scores) - 1)
