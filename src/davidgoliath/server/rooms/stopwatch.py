"""For how long a table has been waiting. It stands still while the table does: in a pause, without the store."""

import time
from collections.abc import Callable

from davidgoliath.server.table.table import Table


class Stopwatch:
    """Counts seconds while it runs.

    >>> now = [0.0]
    >>> watch = Stopwatch(clock=lambda: now[0])
    >>> watch.run(True)
    >>> now[0] = 2.0
    >>> watch.run(False)
    >>> now[0] = 10.0
    >>> watch.run(True)
    >>> now[0] = 11.0
    >>> watch.seconds
    3.0
    """

    __slots__ = ("_clock", "_since", "_so_far")

    def __init__(self, so_far: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._so_far, self._clock = so_far, clock
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        return self._so_far if self._since is None else self._so_far + self._clock() - self._since

    @property
    def is_running(self) -> bool:
        return self._since is not None

    def run(self, runs: bool) -> None:
        """Goes on, or stands still from now on."""
        if runs != self.is_running:
            self._so_far = self.seconds
            self._since = self._clock() if runs else None


def is_new_turn(before: Table, table: Table) -> bool:
    """Whether the table waits for something else now: a card, the next deal, or a person who was away until now."""
    if before.match is not table.match or before.phase is not table.phase:
        return True
    seat = table.to_play
    return seat is not None and bool(before.chairs[seat].bot) and not table.chairs[seat].bot
