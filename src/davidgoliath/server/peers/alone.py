"""No other servers: everything is known here."""

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

from davidgoliath.server.peers.contract import ALONE, Listener, Membership
from davidgoliath.server.peers.token_bucket import TokenBucket
from davidgoliath.server.table.events import Person

MOST_BUCKETS: Final = 10_000
"""So many are remembered before those that have long been full are forgotten, and then at least twice what is left."""


class Alone:
    """No other servers: everything is known here."""

    is_shared = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.sockets: Counter[str] = Counter()
        self.buckets: dict[str, TokenBucket] = {}
        self._most = MOST_BUCKETS
        self._done: dict[str, float] = {}

    def start(self, listener: Listener) -> None:
        pass

    async def ready(self) -> None:
        pass

    async def settle(self, table: str, people: Sequence[Person]) -> Membership:
        return ALONE

    async def tell(self, table: str, message: bytes) -> None:
        pass

    async def tell_of(self, person: Person) -> None:
        pass

    @asynccontextmanager
    async def duty(self, name: str, every: float) -> AsyncIterator[bool]:
        is_due = name not in self._done or self._clock() >= self._done[name] + every
        if is_due:
            self._done[name] = self._clock()
        yield is_due

    async def take(self, key: str, most: int, rate: float) -> bool:
        if len(self.buckets) >= self._most:
            self.buckets = {key: bucket for key, bucket in self.buckets.items() if not bucket.is_full}
            self._most = max(MOST_BUCKETS, 2 * len(self.buckets))
        if key not in self.buckets:
            self.buckets[key] = TokenBucket(rate, most, self._clock)
        return self.buckets[key].take()

    async def give_back(self, key: str) -> None:
        if key in self.buckets:
            self.buckets[key].give_back()

    async def open_socket(self, address: str, most: int) -> bool:
        if self.sockets[address] >= most:
            return False
        self.sockets[address] += 1
        return True

    async def close_socket(self, address: str) -> None:
        self.sockets[address] -= 1
        if not self.sockets[address]:
            del self.sockets[address]

    async def close(self) -> None:
        pass
