"""The other servers on the same store (a cluster), and what they must know of each other.

An event is read from the store by whoever is told that there is one. All else that servers share is forgotten when they
end: who is at which table, a word in passing, and how much an address has asked lately. At each table one of the
servers that have somebody there acts: it deals, and plays for bots. A server that ends leaves nothing behind, and
another one acts in its place.

With SQLite there is one server, which is alone (`peers.alone`). PostgreSQL has `store.postgres.peers`.
"""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, Protocol

from davidgoliath.server.table.events import Person


@dataclass(frozen=True, slots=True)
class Membership:
    """What a server knows of the others at a table."""

    acts: bool
    """Whether this one does what the server is to do there."""
    others: tuple[Person, ...] = ()
    """Who is connected elsewhere, one for each connection; a nameless spectator is an empty text."""


ALONE: Final = Membership(acts=True)
NOBODY_ACTS: Final = Membership(acts=False)


class Listener(Protocol):
    """Whoever wants to hear of the others."""

    def changed(self, table: str, seq: int) -> None:
        """A table has events up to this number."""

    def people_changed(self, table: str) -> None:
        """Somebody came to a table or went, or nobody acts there any more."""

    def told(self, table: str, message: bytes) -> None:
        """What `Peers.tell` was given elsewhere."""

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

    async def give_back(self, key: str) -> None:
        """What was taken of a budget wasn't needed."""

    async def open_socket(self, address: str, most: int) -> bool:
        """Counts a socket; False if there are so many from this address already."""
        ...

    async def close_socket(self, address: str) -> None: ...


class Peers(Ledger, Protocol):
    """The way to the other servers."""

    is_shared: bool
    """Whether there may be others."""

    def start(self, listener: Listener) -> None:
        """Begins to listen: first the listener is told `found`."""

    async def ready(self) -> None:
        """Returns when it listens, or after some seconds without success: then it goes on trying."""

    async def settle(self, table: str, people: Sequence[Person]) -> Membership:
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
