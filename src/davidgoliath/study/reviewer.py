"""Reviews step by step, for whoever has them worked out in another process."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final, NamedTuple

from davidgoliath.rules import DealState, Seat
from davidgoliath.study.review import review
from davidgoliath.study.values import Review

MOST: Final = 8
"""So many reviews are under way at once: what was known of one that nobody asks for any more is forgotten."""


class Step(NamedTuple):
    """What is asked for: the first step of a review, or the next."""

    number: int
    """Which review: each has one of its own."""
    state: DealState
    seat: Seat


_UNDER_WAY: Final[OrderedDict[int, Iterator[Review]]] = OrderedDict()


def next_review(step: Step) -> Review | None:
    """A better review than the one before; None after the last."""
    steps = _UNDER_WAY.pop(step.number, None) or review(step.state, step.seat)
    found = next(steps, None)
    if found is not None:
        _UNDER_WAY[step.number] = steps
    if len(_UNDER_WAY) > MOST:
        _UNDER_WAY.popitem(last=False)
    return found
