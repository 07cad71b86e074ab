"""How well somebody can guess by time alone: the best limit, found with all answers at hand."""

from bisect import bisect_right
from collections.abc import Sequence

CHANCE = 0.5


def best_guess(one: Sequence[float], other: Sequence[float]) -> float:
    """How often the best limit on time tells one kind from another if both are as frequent. At best 1, at worst 0.5.

    >>> best_guess([1, 1, 2], [3, 4]), best_guess([1, 2, 3], [1, 2, 3])
    (1.0, 0.5)
    """
    one, other = sorted(one), sorted(other)
    limits = {*one, *other}
    ahead = max(abs(bisect_right(one, limit) / len(one) - bisect_right(other, limit) / len(other)) for limit in limits)
    return CHANCE + ahead / 2
