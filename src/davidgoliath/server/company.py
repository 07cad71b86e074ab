"""The other servers on the same store, and what they must know of each other.

An event is read from the store by whoever is told that there is one. All else that servers share is forgotten when they
end: who is at which table, a word in passing, and how much an address has asked lately. At each table one of the
servers that have somebody there acts: it deals, and plays for bots. A server that ends leaves nothing behind, and
another one acts in its place.

With SQLite there is one server, which is alone: `Alone`. PostgreSQL has `postgres.company`.
"""

import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final, Protocol

from davidgoliath.server.events import Person

MOST_BUDGETS: Final = 10_000
"""So many are remembered before those that have long been full are forgotten."""


@dataclass(frozen=True, slots=True)
class Company:
    """What a server knows of the others at a table."""

    acts: bool
    """Whether this one does what the server is to do there."""
    others: tuple[Person, ...] = ()
    """Who is connected elsewhere, one for each connection; a nameless spectator is an empty text."""


ALONE: Final = Company(acts=True)
NOBODY_ACTS: Final = Company(acts=False)


class Listener(Protocol):
    """Whoever wants to hear of the others."""

    def changed(self, table: str, seq: int) -> None:
        """A table has events up to this number."""

    def people_changed(self, table: str) -> None:
        """Somebody came to a table or went, or nobody acts there any more."""

    def told(self, table: str, message: bytes) -> None:
        """What `Neighbours.tell` was given elsewhere."""

    def person_changed(self, person: Person) -> None:
        """Somebody has another name, or none."""

    def lost(self) -> None:
        """From now on we may miss something, and act nowhere."""

    def found(self) -> None:
        """Nothing is missed from now on; whatever was before must be looked at again."""


class Ledger(Protocol):
    """How much has been asked lately, by whoever asks any of the servers."""

    async def take(self, key: str, most: int, rate: float) -> bool:
        """Takes one of a budget that holds so many and fills up at this rate a second; False if it is empty."""
        ...

    async def open_socket(self, address: str, most: int) -> bool:
        """Counts a socket; False if there are so many from this address already."""
        ...

    async def close_socket(self, address: str) -> None: ...


class Neighbours(Ledger, Protocol):
    """The way to the other servers."""

    is_shared: bool
    """Whether there may be others."""

    def start(self, listener: Listener) -> None:
        """Begins to listen: first the listener is told `found`."""

    async def ready(self) -> None:
        """Returns when it listens, or after some seconds without success: then it goes on trying."""

    async def settle(self, table: str, people: Sequence[Person]) -> Company:
        """Says who is connected here to a table, and gives what is so elsewhere.

        Takes on what the server is to do there if nobody does it; gives it up if there is nobody here.
        """
        ...

    async def tell(self, table: str, message: bytes) -> None:
        """A word in passing, for all other servers with somebody at that table. It may get lost."""

    async def tell_of(self, person: Person) -> None:
        """That somebody has another name, or none."""

    def duty(self, name: str, every: float) -> AbstractAsyncContextManager[bool]:
        """Whether it is for this server to do something that one of them must do so often, in seconds.

        Whoever fails in the middle leaves it to the next.
        """
        ...

    async def close(self) -> None: ...


class Budget:
    """Fills up steadily, and is emptied one by one.

    >>> now = [0.0]
    >>> budget = Budget(rate=2.0, most=3, clock=lambda: now[0])
    >>> [budget.take() for _ in range(4)]
    [True, True, True, False]
    >>> now[0] = 0.5
    >>> [budget.take() for _ in range(2)]
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


class Alone:
    """No other servers: everything is known here."""

    is_shared = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.sockets: Counter[str] = Counter()
        self.budgets: dict[str, Budget] = {}
        self._done: dict[str, float] = {}

    def start(self, listener: Listener) -> None:
        pass

    async def ready(self) -> None:
        pass

    async def settle(self, table: str, people: Sequence[Person]) -> Company:
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
        if len(self.budgets) >= MOST_BUDGETS:
            self.budgets = {key: budget for key, budget in self.budgets.items() if not budget.is_full}
        if key not in self.budgets:
            self.budgets[key] = Budget(rate, most, self._clock)
        return self.budgets[key].take()

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
