"""A token bucket: how much may be asked, and how soon again."""

from collections.abc import Callable


class TokenBucket:
    """Fills up steadily, and is emptied one by one.

    >>> now = [0.0]
    >>> bucket = TokenBucket(rate=2.0, most=3, clock=lambda: now[0])
    >>> [bucket.take() for _ in range(4)]
    [True, True, True, False]
    >>> now[0] = 0.5
    >>> [bucket.take() for _ in range(2)]
    [True, False]
    """

    __slots__ = ("_at", "_clock", "_left", "_most", "_rate")

    def __init__(self, rate: float, most: int, clock: Callable[[], float]) -> None:
        self._rate, self._most, self._clock = rate, most, clock
        self._left, self._at = float(most), clock()

    def take(self, cost: float = 1.0) -> bool:
        """Takes one, or so much, if there is as much."""
        self._fill()
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def give_back(self) -> None:
        """One that was taken wasn't needed."""
        self._left += 1

    def wait(self) -> float:
        """Takes one, if need be of what is to come; gives for how many seconds one has to wait for it."""
        self._fill()
        self._left -= 1
        return max(0.0, -self._left / self._rate)

    @property
    def is_full(self) -> bool:
        self._fill()
        return self._left >= self._most

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
