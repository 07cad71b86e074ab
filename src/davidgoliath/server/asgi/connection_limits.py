"""The connections that are open: how long each may wait, how many there may be, and which one goes for another.

A connection costs a file of the system, whoever made it and whatever it is for. So each of them has some seconds for
what it owes us, an address has only so many, and together they are fewer than the system allows: if they weren't, the
server couldn't take anybody in, and wouldn't know. Where there are too many, those go first that haven't asked for
anything, and of these the oldest; whoever has asked is answered, and who is at a table stays there. An address that has
more than its share pays with its own.
"""

import contextlib
import logging
import sys
import time
from asyncio import Transport
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from davidgoliath.server.asgi.rate_limits import RateLimiter, grouped
from davidgoliath.server.ops.logs import note

LOG: Final = logging.getLogger(__name__)
MOST_FILES: Final = 65_536
"""More than these the server doesn't ask of the system."""
OTHER_FILES: Final = 64
"""So many are for the store, the log and the rest."""
QUIET: Final = 10.0
"""So many seconds lie between two lines of the log that say the same."""


class ConnectionStage(Enum):
    """What a connection is at."""

    HEAD = auto()
    """We wait for a request, or for the rest of its head."""
    BODY = auto()
    """For the rest of what it sends."""
    ANSWER = auto()
    """It waits for us, or doesn't read."""
    IDLE = auto()
    """It has had its answer, and may ask again."""
    SOCKET = auto()
    """It is a WebSocket, which has rules of its own."""


PATIENCE: Final = {
    ConnectionStage.HEAD: 10.0,
    ConnectionStage.BODY: 10.0,
    ConnectionStage.ANSWER: 120.0,
    ConnectionStage.IDLE: 60.0,
}
"""How many seconds it may take. Who has had an answer is told goodbye after five (uvicorn), if they have read it."""
GOES_FIRST: Final = (ConnectionStage.HEAD, ConnectionStage.BODY, ConnectionStage.IDLE)


@dataclass(eq=False, slots=True)
class Line:
    """A connection."""

    transport: Transport
    address: str | None
    """As it is counted; a proxy's isn't."""
    stage: ConnectionStage
    since: float


class ConnectionLimiter:
    """All connections of this process."""

    def __init__(
        self, limiter: RateLimiter, most: int = sys.maxsize, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limiter, self._clock = limiter, clock
        self._most = most
        self._lines: dict[Transport, Line] = {}
        self._at: dict[ConnectionStage, dict[Line, None]] = {stage: {} for stage in ConnectionStage}
        """By stage, those that have been there longest first."""
        self._from: dict[str, dict[Line, None]] = {}
        self._refused = self._dropped = 0
        self._said = -QUIET

    def __len__(self) -> int:
        return len(self._lines)

    def enter(self, transport: Transport, peer: str | None) -> None:
        """Somebody connects, and is let in, if need be for another; or cut off at once."""
        is_counted = peer is not None and not self._limiter.trusts(peer)
        address = grouped(peer) if peer is not None and is_counted else None
        if not self._has_room(address):
            self._refused += 1
            transport.abort()
            return
        line = Line(transport, address, ConnectionStage.HEAD, self._clock())
        self._lines[transport] = line
        self._at[line.stage][line] = None
        if address is not None:
            self._from.setdefault(address, {})[line] = None

    def move(self, transport: Transport, stage: ConnectionStage) -> None:
        """A connection is at something else now, or still at the same."""
        line = self._lines.get(transport)
        if line and line.stage is not stage:
            del self._at[line.stage][line]
            line.stage, line.since = stage, self._clock()
            self._at[stage][line] = None

    def leave(self, transport: Transport) -> None:
        if line := self._lines.pop(transport, None):
            del self._at[line.stage][line]
            if line.address is not None:
                del self._from[line.address][line]
                if not self._from[line.address]:
                    del self._from[line.address]

    def sweep(self) -> None:
        """To be done often: cuts off who takes too long, and tells the operator of who had to go."""
        now = self._clock()
        for stage, seconds in PATIENCE.items():
            while (line := next(iter(self._at[stage]), None)) and line.since + seconds <= now:
                self._cut(line)
        if (self._refused or self._dropped) and now >= self._said + QUIET:
            turned = {"refused": self._refused, "dropped": self._dropped}
            note(LOG, logging.WARNING, "connections_full", None, **turned, open=len(self))
            self._said, self._refused, self._dropped = now, 0, 0

    def _has_room(self, address: str | None) -> bool:
        """Whether there is, or is made."""
        own = self._from.get(address or "", {})
        most = self._limiter.limits.connections
        if (most and len(own) >= most) or 2 * len(own) >= self._most:
            return self._drops(self._waiting(own))
        if len(self) < self._most:
            return True
        has_share = len(own) * len(self._from) > self._most
        return self._drops(self._waiting(own) if has_share else self._longest_waiting())

    def _waiting(self, lines: Iterable[Line]) -> Line | None:
        """The one of these that can go."""
        found = (line for stage in GOES_FIRST for line in lines if line.stage is stage)
        return next(found, None)

    def _longest_waiting(self) -> Line | None:
        found = (line for stage in GOES_FIRST for line in self._at[stage])
        return next(found, None)

    def _drops(self, line: Line | None) -> bool:
        if line is None:
            return False
        self._dropped += 1
        self._cut(line)
        return True

    def _cut(self, line: Line) -> None:
        self.leave(line.transport)
        line.transport.abort()


def most_connections() -> int:
    """How many connections the system lets this process have, after it was asked for more."""
    try:
        import resource
    except ImportError:  # Windows has no such bound
        return sys.maxsize
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        with contextlib.suppress(OSError, ValueError):  # some systems say more than they give
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
            now = wanted
    files = MOST_FILES if now == resource.RLIM_INFINITY else now
    return max(1, files - OTHER_FILES)
