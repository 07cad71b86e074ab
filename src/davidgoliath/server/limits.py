"""How much one address may ask of the server: sockets at once, new people and tables, messages on a socket.

The limits are wide enough for a household or a class behind one address. Who is behind a proxy is known by
`X-Forwarded-For`, but only where the operator trusts the proxy, since anyone can write that header. Of an IPv6 address
its first 64 bits count: a household has all of the rest.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final

from davidgoliath.rules import Refusal

Network = IPv4Network | IPv6Network
MINUTE: Final = 60.0
MOST_BUCKETS: Final = 10_000
"""So many addresses are remembered before those that have long been quiet are forgotten."""
UNKNOWN: Final = "?"


@dataclass(frozen=True, slots=True)
class Limits:
    """What an operator may choose. 0 is no limit."""

    sockets: int = 200
    """At once, from one address."""
    new: int = 60
    """People, and tables as well, from one address in a minute."""
    messages: int = 30
    """In a second, on one socket; twice as many in a burst."""
    proxies: tuple[Network, ...] = ()
    """Whose `X-Forwarded-For` is believed."""


NO_LIMITS: Final = Limits(0, 0, 0)


class Bucket:
    """Fills up steadily, and is emptied one by one.

    >>> now = [0.0]
    >>> bucket = Bucket(rate=2.0, most=3, clock=lambda: now[0])
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

    def take(self) -> bool:
        """Takes one, if there is one."""
        self._fill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def is_full(self) -> bool:
        self._fill()
        return self._left >= self._most

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now


class Limiter:
    """Who has asked how much lately."""

    def __init__(self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits or Limits()
        self._clock = clock
        self._sockets: Counter[str] = Counter()
        self._made: dict[tuple[str, str], Bucket] = {}

    def make(self, what: str, address: str) -> None:
        """Somebody wants to be new here, or a new table."""
        if not self.limits.new:
            return
        if len(self._made) >= MOST_BUCKETS:
            self._made = {key: bucket for key, bucket in self._made.items() if not bucket.is_full}
        key = what, address
        if key not in self._made:
            self._made[key] = Bucket(self.limits.new / MINUTE, self.limits.new, self._clock)
        if not self._made[key].take():
            raise Refusal("too_many_new", most=self.limits.new)

    @contextmanager
    def socket(self, address: str) -> Iterator[Callable[[], None]]:
        """For as long as a socket is open. Gives what is to be called for each of its messages."""
        most = self.limits.sockets
        if most and self._sockets[address] >= most:
            raise Refusal("too_many_sockets", most=most)
        self._sockets[address] += 1
        bucket = Bucket(self.limits.messages, 2 * self.limits.messages, self._clock)

        def count() -> None:
            if self.limits.messages and not bucket.take():
                raise Refusal("too_many_messages", most=self.limits.messages)

        try:
            yield count
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    def address(self, peer: str | None, forwarded: str = "") -> str:
        """Where a request comes from: the last address that no trusted proxy has."""
        hops = [*(hop.strip() for hop in forwarded.split(",") if hop.strip()), peer or UNKNOWN]
        while len(hops) > 1 and self.trusts(hops[-1]):
            hops.pop()
        return grouped(hops[-1])

    def trusts(self, hop: str) -> bool:
        """Whether it is a proxy that the operator named."""
        try:
            address = ip_address(hop)
        except ValueError:
            return False
        return any(address in proxy for proxy in self.limits.proxies)


def grouped(address: str) -> str:
    """An address as it is counted.

    >>> grouped("192.0.2.7"), grouped("::ffff:192.0.2.7"), grouped("2001:db8:1:2:3:4:5:6"), grouped("what")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64', '?')
    """
    try:
        known = ip_address(address)
    except ValueError:
        return UNKNOWN
    if known.version == 4:
        return str(known)
    return str(known.ipv4_mapped or ip_network((int(known), 64), strict=False))
