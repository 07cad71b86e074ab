"""The tricks that changed a match most, for the page at its end and for replays."""

from collections.abc import Iterable, Iterator
from heapq import nlargest
from typing import Final

import msgspec

from davidgoliath.rules import CardSet, DealState
from davidgoliath.rules.scoring import score

MOST: Final = 3


class TurningPoint(msgspec.Struct, frozen=True, array_like=True, order=True):
    """A trick that brought two players far apart, or together."""

    deal: int
    trick: int
    """In its deal, from 1."""
    swing: int
    """By how many points the distance between two players has changed."""


def turning_points(deals: Iterable[DealState]) -> tuple[TurningPoint, ...]:
    """The three tricks with the largest swing, in the order of play; of equal ones, those that came later."""
    tricks = [
        TurningPoint(state.standing.deal, number, swing)
        for state in deals
        if state.is_over
        for number, swing in enumerate(_swings(state), 1)
        if swing
    ]
    return tuple(sorted(nlargest(MOST, tricks, key=lambda trick: (trick.swing, trick))))


def _swings(state: DealState) -> Iterator[int]:
    """What each trick changed between two players: those who took nothing stay where they were."""
    piles = (0,) * state.players
    for result in state.results:
        before, piles = piles, result.add_to(piles)
        takers = {result.goliath, result.david}
        gains = [0, *(score(CardSet(piles[seat])) - score(CardSet(before[seat])) for seat in takers)]
        yield max(gains) - min(gains)
