"""Somebody's connection, as a room sees it: whatever carries it."""

from typing import Protocol

from davidgoliath.server.table.events import Person


class Client(Protocol):
    """Somebody's connection."""

    person: Person | None
    token: bytes | None
    """The hash of what the person showed."""
    address: str
    """Where they are; empty if nobody knows."""

    def send(self, *messages: bytes) -> None:
        """Together, if there are several. Never waits: whoever reads too slowly is cut off."""

    def dismiss(self, message: bytes) -> None:
        """The last thing that it is told: then the connection ends."""
