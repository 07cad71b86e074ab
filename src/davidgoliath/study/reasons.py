"""Why a card is better than another: the greatest of what the difference comes from (`causes`).

Some samples of worlds say which causes are named, and others what these amount to, so that being named doesn't inflate
a number. What isn't named is the rest of the deal.
"""

from statistics import fmean, stdev
from typing import Final

from davidgoliath.rules import Card, View
from davidgoliath.study.causes import NOTHING, Cause, Fate, Found, Sample
from davidgoliath.study.intervals import estimate
from davidgoliath.study.values import CLOSE, TOLD_BY_SHARE, Estimate, Reason, ReasonKind

NAMING: Final = 8
PRICING: Final = 16
"""How many samples say what is named, and what it amounts to."""
MOST_FOR: Final = 3
MOST_AGAINST: Final = 1
"""So many reasons are given for the best card, and against it."""
LEAST: Final = 0.3
LEAST_PART: Final = 0.15
"""Smaller causes aren't worth a sentence: in points, and beside the greatest reason."""
PLAIN: Final = 2.0
"""So many standard errors from 0 a cause is named: those that may be nothing would be told when they were lucky."""
SPECIFIC: Final = 1.6
"""So many times more must a cause come to than a part of it, or the part is named: once for each detail."""
OFTEN: Final = 0.5
"""From here on what becomes of a card is told."""
TELLING: Final = 0.25
"""So much of what later tricks bring must come from one of the two cards, for it to be about that card."""
EXACT: Final = 0.01
COPY: Final = 10_000
ROLES: Final = (ReasonKind.DAVID, ReasonKind.GOLIATH)


def reasons(
    view: View, played: Card, best: Card, samples: int = PRICING, first: int = NAMING, copy: int = 0
) -> tuple[Reason, ...]:
    """Why the best card is better than the one that was played: the greatest reason first.

    The last one may be of negative points, and so speak for the card that was played. There is none where the policy,
    playing on, doesn't do better with the best card: then the search has seen more than it. `copy` prices the same
    causes in other worlds, to see how far the numbers agree.
    """
    if played is best:
        return ()
    naming = [Sample.of(view, played, best, number) for number in range(first)]
    if fmean(sample.whole for sample in naming) <= 0:
        return ()
    start = first + copy * COPY
    pricing = [Sample.of(view, played, best, start + number) for number in range(samples)]
    found = [_reason(cause, played, best, naming, pricing) for cause in _named(naming)]
    sure = [reason for reason in found if reason.points.low > 0 or reason.points.high < 0]
    speak_for = [reason for reason in sure if reason.points.value > 0][:MOST_FOR]
    against = [reason for reason in sure if reason.points.value < 0][:MOST_AGAINST] if speak_for else []
    return tuple(sorted(speak_for + against, key=lambda reason: -reason.points.value))


def _named(samples: list[Sample]) -> list[Cause]:
    """The causes that matter and are plain to see, of which no two overlap; the greatest first."""
    causes = sorted({cause for sample in samples for cause in sample.causes if _differs(samples, cause)}, key=str)
    points = {cause: [_found(sample, cause).points for sample in samples] for cause in causes}
    size = {cause: abs(fmean(values)) for cause, values in points.items()}
    named: list[Cause] = []
    for cause in sorted(causes, key=lambda cause: -size[cause] * SPECIFIC**cause.details):
        if size[cause] >= LEAST and not any(cause.overlaps(other) for other in named):
            named.append(cause)
    plain = [cause for cause in named if size[cause] > PLAIN * stdev(points[cause]) / len(samples) ** 0.5]
    least = LEAST_PART * max((size[cause] for cause in plain), default=0.0)
    return sorted((cause for cause in plain if size[cause] >= least), key=lambda cause: -size[cause])


def _differs(samples: list[Sample], cause: Cause) -> bool:
    """Whether one of the cards brings it about more often, where nothing else is told of it."""
    found = _mean(samples, cause)
    return cause.kind not in TOLD_BY_SHARE or abs(found.share - found.best_share) >= CLOSE


def _reason(cause: Cause, played: Card, best: Card, naming: list[Sample], pricing: list[Sample]) -> Reason:
    points, share, best_share = _priced(pricing, cause)
    if cause.kind != ReasonKind.KEEP:
        return Reason(cause.kind, points, share, best_share, cause.colour, cause.seat, cause.card)
    kind, fate = _later(played, best, naming)
    if fate is None:
        return Reason(kind, points)
    card, role = fate
    if max(_mean(naming, fate)[1:]) < OFTEN:
        return Reason(kind, points, card=card)
    _, share, best_share = _priced(pricing, fate)
    if role == ReasonKind.VOID:
        return Reason(role, points, share, best_share, card.colour, card=card)
    return Reason(kind, points, share, best_share, card=card, role=role)


def _later(played: Card, best: Card, naming: list[Sample]) -> tuple[ReasonKind, Fate | None]:
    """Why later tricks bring more. Each of the two cards is kept where the other one is played: which is it about?"""
    points = _mean(naming, Cause(ReasonKind.KEEP)).points
    worth = {card: _mean(naming, Fate(card, ROLES[0])).points for card in (played, best)}
    part = {played: worth[played] / points, best: -worth[best] / points}
    card = max(part, key=lambda card: part[card])
    if part[card] >= TELLING:
        role = max(ROLES, key=lambda role: max(_mean(naming, Fate(card, role))[1:]))
        return ReasonKind.KEEP if worth[card] > 0 else ReasonKind.DROP, Fate(card, role)
    void = Fate(best if points > 0 else played, ReasonKind.VOID)
    return ReasonKind.KEEP, void if max(_mean(naming, void)[1:]) >= OFTEN else None


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
