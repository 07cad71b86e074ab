"""A replay as a list of stops: each deal before its first card, and after each card."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from davidgoliath.notation import DealRecord
from davidgoliath.rules import DealState


class Film:
    """Records of deals, one after another.

    >>> from random import Random
    >>> from davidgoliath import Deal, RuleSet
    >>> film = Film([DealRecord(RuleSet(), Deal.shuffled(3, Random(7)))])
    >>> film.stops, film.at(0).is_over
    (1, False)
    """

    def __init__(self, records: Sequence[DealRecord]) -> None:
        self.records = tuple(records)
        self.firsts = [0]
        """The first stop of each deal; behind them, how many stops there are."""
        for record in self.records:
            self.firsts.append(self.firsts[-1] + len(record.plays) + 1)

    @property
    def stops(self) -> int:
        return self.firsts[-1]

    def deal_at(self, stop: int) -> int:
        """Which of the deals a stop belongs to."""
        return bisect_right(self.firsts, stop) - 1

    def at(self, stop: int) -> DealState:
        """The deal at a stop."""
        deal = self.deal_at(stop)
        return self.records[deal].state.at(stop - self.firsts[deal])

    def within(self, stop: int) -> int:
        """The nearest stop that there is."""
        return max(0, min(self.stops - 1, stop))

    def first(self, stop: int) -> int:
        """Before the first card of the deal."""
        return self.firsts[self.deal_at(stop)]

    def last(self, stop: int) -> int:
        """After the last card of the deal."""
        return self.firsts[self.deal_at(stop) + 1] - 1

    def by_trick(self, stop: int, step: int) -> int:
        """The end of this trick or of the next (1), or of the one before (-1)."""
        first, last = self.first(stop), self.last(stop)
        ends: list[int] = [*range(first, last, self.records[self.deal_at(stop)].players), last]
        place = bisect_right(ends, stop) if step > 0 else bisect_left(ends, stop) - 1
        return ends[max(0, min(len(ends) - 1, place))]

    def by_deal(self, stop: int, step: int) -> int:
        """The beginning of another deal."""
        return self.firsts[max(0, min(len(self.records) - 1, self.deal_at(stop) + step))]
