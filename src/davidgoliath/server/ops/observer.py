"""What is counted as it happens, for whoever wants to know (`metrics`): rooms and bots need not know who that is."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final


class Observer:
    """Whoever counts."""

    def played(self, by: str) -> None:
        """A card, by a person or a bot."""

    def thought(self, bot: str, seconds: float) -> None:
        """A bot has waited and thought so long for a card."""

    def hinted(self, seconds: float) -> None:
        """Somebody has waited so long for what the judge says of a position."""

    def reviewed(self) -> None:
        """The review of a hand is final."""

    def answered(self, seconds: float) -> None:
        """Everyone at a table was told of somebody's card so long after it was heard, or it was refused."""

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Meanwhile a client is connected."""
        yield

    def failed(self) -> None:
        """An error that nobody expected."""


_OBSERVERS: Final[list[Observer]] = []


def watch(observer: Observer) -> None:
    _OBSERVERS.append(observer)


def played(by: str) -> None:
    for observer in _OBSERVERS:
        observer.played(by)


def thought(bot: str, seconds: float) -> None:
    for observer in _OBSERVERS:
        observer.thought(bot, seconds)


def hinted(seconds: float) -> None:
    for observer in _OBSERVERS:
        observer.hinted(seconds)


def reviewed() -> None:
    for observer in _OBSERVERS:
        observer.reviewed()


def answered(seconds: float) -> None:
    for observer in _OBSERVERS:
        observer.answered(seconds)


@contextmanager
def connected() -> Iterator[None]:
    with ExitStack() as watched:
        for observer in _OBSERVERS:
            watched.enter_context(observer.connected())
        yield


def failed() -> None:
    for observer in _OBSERVERS:
        observer.failed()
