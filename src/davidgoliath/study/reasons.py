"""Why a card is better than another: the greatest of what the difference comes from (`causes`).

Some samples of worlds say which causes are named, and others what these amount to, so that being named doesn't inflate
a number. What isn't named is the rest of the deal.
"""

from statistics import fmean
from typing import Final

from davidgoliath.rules import Card, View
from davidgoliath.study.causes import NOTHING, Cause, Fate, Found, Sample
from davidgoliath.study.intervals import estimate
from davidgoliath.study.values import Estimate, Reason, ReasonKind

NAMING: Final = 8
PRICING: Final = 16
"""How many samples say what is named, and what it amounts to."""
MOST_FOR: Final = 3
MOST_AGAINST: Final = 1
"""So many reasons are given for the best card, and against it."""
LEAST: Final = 0.3
LEAST_PART: Final = 0.15
"""Smaller causes aren't worth a sentence: in points, and beside the greatest reason."""
SPECIFIC: Final = 1.6
"""So many times more must a cause come to than a part of it, or the part is named: once for each detail."""
OFTEN: Final = 0.5
"""From here on what becomes of a card is told."""
TELLING: Final = 0.25
"""So much of what later tricks bring must come from one of the two cards, for it to be about that card."""
EXACT: Final = 0.01
ROLES: Final = (ReasonKind.DAVID, ReasonKind.GOLIATH)


def reasons(view: View, played: Card, best: Card, samples: int = PRICING, first: int = NAMING) -> tuple[Reason, ...]:
    """Why the best card is better than the one that was played: the greatest reason first.

    The last one may be of negative points, and so speak for the card that was played. There is none where the policy,
    playing on, doesn't do better with the best card: then the search has seen more than it.
    """
    if played is best:
        return ()
    naming = [Sample.of(view, played, best, number) for number in range(first)]
    pricing = [Sample.of(view, played, best, first + number) for number in range(samples)]
    if fmean(sample.whole for sample in pricing) <= 0:
        return ()
    found = [_reason(cause, played, best, naming, pricing) for cause in _named(naming)]
    sure = sorted((r for r in found if r.points.low > 0 or r.points.high < 0), key=lambda r: -abs(r.points.value))
    speak_for = [reason for reason in sure if reason.points.value > 0][:MOST_FOR]
    against = [reason for reason in sure if reason.points.value < 0][:MOST_AGAINST]
    least = max((LEAST_PART * reason.points.value for reason in speak_for[:1]), default=0.0)
    return tuple(r for r in speak_for + against if speak_for and abs(r.points.value) >= least)


def _named(samples: list[Sample]) -> list[Cause]:
    """The greatest causes, of which no two overlap."""
    causes = sorted({cause for sample in samples for cause in sample.causes}, key=str)
    points = {cause: abs(_mean(samples, cause).points) for cause in causes}
    named: list[Cause] = []
    for cause in sorted(causes, key=lambda cause: -points[cause] * SPECIFIC**cause.details):
        if points[cause] >= LEAST and not any(cause.overlaps(other) for other in named):
            named.append(cause)
    return named


def _reason(cause: Cause, played: Card, best: Card, naming: list[Sample], pricing: list[Sample]) -> Reason:
    points, share, best_share = _priced(pricing, cause)
    if cause.kind != ReasonKind.KEEP:
        return Reason(cause.kind, points, share, best_share, cause.colour, cause.seat, cause.card)
    # each of the two cards is kept where the other one is played: which of them is it about, and what becomes of it?
    worth = {card: _mean(naming, Fate(card, ROLES[0])).points for card in (played, best)}
    sides = {played: worth[played] / points.value, best: -worth[best] / points.value}
    card = max(sides, key=lambda card: sides[card])
    if sides[card] >= TELLING:
        kind = ReasonKind.KEEP if worth[card] > 0 else ReasonKind.DROP
        role = max(ROLES, key=lambda role: max(_mean(naming, Fate(card, role))[1:]))
        told = Reason(kind, points, card=card, role=role)
        return _with_fate(told, Fate(card, role), pricing) or Reason(kind, points, card=card)
    last = best if points.value > 0 else played
    void = Reason(ReasonKind.VOID, points, colour=last.colour, card=last)
    return _with_fate(void, Fate(last, ReasonKind.VOID), pricing) or Reason(ReasonKind.KEEP, points)


def _with_fate(reason: Reason, fate: Fate, pricing: list[Sample]) -> Reason | None:
    """The reason with how often that becomes of its card; None if it doesn't often."""
    _, share, best_share = _priced(pricing, fate)
    if max(share.value, best_share.value) < OFTEN:
        return None
    return reason._replace(share=share, best_share=best_share)


def _mean(samples: list[Sample], what: Cause | Fate) -> Found:
    return Found(*map(fmean, zip(*(_found(sample, what) for sample in samples), strict=True)))


def _priced(samples: list[Sample], what: Cause | Fate) -> tuple[Estimate, Estimate, Estimate]:
    points, share, best_share = map(estimate, zip(*(_found(sample, what) for sample in samples), strict=True))
    return points, _as_share(share), _as_share(best_share)


def _found(sample: Sample, what: Cause | Fate) -> Found:
    return sample.fates[what] if isinstance(what, Fate) else sample.causes.get(what, NOTHING)


def _as_share(found: Estimate) -> Estimate:
    """Between 0 and 1, and no more exact than it is shown: what always came to pass may still fail once."""
    value, reach = found.value, max(found.high - found.value, EXACT)
    return Estimate(value, max(value - reach, 0.0), min(value + reach, 1.0))
