"""What is counted as it happens, for whoever wants to know (`metrics`): rooms and bots need not know who that is."""

from typing import Final


class Observer:
    """Whoever counts."""

    def played(self, by: str) -> None:
        """A card, by a person or a bot."""

    def thought(self, bot: str, seconds: float) -> None:
        """A bot has waited and thought so long for a card."""

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


def failed() -> None:
    for observer in _OBSERVERS:
        observer.failed()
