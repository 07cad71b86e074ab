"""Rate limits: how many requests, connections and sockets at once, joins, new people and tables one address may have.

The limits are wide enough for a household or a class behind one address. Who is behind a proxy is known by
`X-Forwarded-For`, but only where the operator trusts the proxy, since anyone can write that header. Of an IPv6 address
its first 64 bits count: a household has all of the rest.
"""

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address, ip_network
from math import ceil
from typing import Final

from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.reasons import RequestReason
from davidgoliath.server.config import Limits
from davidgoliath.server.peers.alone import Alone
from davidgoliath.server.peers.contract import Ledger
from davidgoliath.server.peers.token_bucket import TokenBucket

MINUTE: Final = 60.0
DAY: Final = 86_400.0
UNKNOWN: Final = "?"
BURST: Final = 20
"""So many seconds of requests may come at once: thirty people behind one address open a page of sixty files."""
FILE: Final = 0.25
ASKED: Final = 1.0
WORK: Final = 4.0
"""What a request costs of its address's budget: a file that lies ready, a question, and work that isn't done yet."""
VOICES: Final = 4
"""So many sockets of one address may say as much as one may; with more, messages wait for each other."""
GUESSERS: Final = 6
"""So many addresses may give as many wrong codes as each of them may; then nobody's codes are looked at for a while."""
HOUSEHOLD: Final = 4
"""So many people of one address may ask for as many hints and reviews as one may."""
MOST_BUCKETS: Final = 10_000
"""So many addresses are remembered; who has asked least lately is forgotten first."""


class RateLimiter:
    """Who has asked how much lately, of this server and of all others on the same store."""

    def __init__(
        self, limits: Limits | None = None, ledger: Ledger | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits or Limits()
        self._ledger = ledger or Alone(clock)
        self._here = Alone(clock)
        self._clock = clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def ask(self, address: str, cost: float = ASKED) -> None:
        """Somebody asks for something: of this server, since to count elsewhere would cost more than to answer."""
        rate = self.limits.requests
        if rate and not self._bucket(f"asks {address}", rate, BURST * rate).take(cost):
            raise Refusal(RequestReason.TOO_MANY_REQUESTS, seconds=ceil(cost / rate))

    def _bucket(self, key: str, rate: float, most: int) -> TokenBucket:
        bucket = self._buckets.pop(key, None) or TokenBucket(rate, most, self._clock)
        self._buckets[key] = bucket
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket

    async def make(self, what: str, address: str) -> None:
        """Somebody wants to be new here, or a new table."""
        most = self.limits.new
        if most and not await self._ledger.take(f"{what} {address}", most, most / MINUTE):
            raise Refusal(RequestReason.TOO_MANY_NEW, most=most)

    async def join(self, place: str, shares: int = 1) -> None:
        """Somebody comes from an address, or to a table: counted by each server for itself, since it is soon done.

        What is one of several shares has that much less.
        """
        most = ceil(self.limits.joins / shares)
        if most and not await self._here.take(place, most, most / MINUTE):
            raise Refusal(RequestReason.TOO_MANY_JOINS, most=most)

    async def hint(self, person: str, address: str) -> None:
        """Somebody wants to know what to play, or what a bot knew."""
        most = self.limits.hints
        if not await self._person_takes("hint", person, address, most, MINUTE):
            raise Refusal(RequestReason.TOO_MANY_HINTS, most=most)

    async def review(self, person: str, address: str) -> None:
        """Somebody wants a review that nobody has worked out yet."""
        most = self.limits.reviews
        if not await self._person_takes("review", person, address, most, DAY):
            raise Refusal(RequestReason.REVIEWS_USED_UP, most=most)

    async def _person_takes(self, what: str, person: str, address: str, most: int, seconds: float) -> bool:
        """Of the own budget, and of that of the address, since anyone can be many people."""
        budgets = ((f"{what} {person}", most), (f"{what} at {address}", HOUSEHOLD * most))
        for key, size in budgets if most else ():
            if not await self._ledger.take(key, size, size / seconds):
                return False
        return True

    @asynccontextmanager
    async def guess(self, address: str) -> AsyncIterator[None]:
        """While somebody's code is looked up: if that is refused, it was a wrong one, and counts."""
        own, everyones = f"code {address}", "code"
        for bucket, most in ((own, self.limits.codes), (everyones, GUESSERS * self.limits.codes)):
            if most and not await self._ledger.take(bucket, most, most / MINUTE):
                raise Refusal(RequestReason.TOO_MANY_CODES)
        yield
        await self._ledger.give_back(own)
        await self._ledger.give_back(everyones)

    @asynccontextmanager
    async def socket(self, address: str) -> AsyncIterator[Callable[[], float]]:
        """For as long as a socket is open. Gives what is to be called for each of its messages.

        That says how many seconds the message has to wait, for others of the same address: by many sockets together
        nobody says much more than by a few.
        """
        most = self.limits.sockets
        if most and not await self._ledger.open_socket(address, most):
            raise Refusal(RequestReason.TOO_MANY_SOCKETS, most=most)
        bucket = TokenBucket(self.limits.messages, 2 * self.limits.messages, self._clock)

        def count() -> float:
            if not self.limits.messages:
                return 0.0
            if not bucket.take():
                raise Refusal(RequestReason.TOO_MANY_MESSAGES, most=self.limits.messages)
            together = VOICES * self.limits.messages
            return self._bucket(f"talks {address}", together, 2 * together).wait()

        try:
            yield count
        finally:
            if most:
                await self._ledger.close_socket(address)

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
