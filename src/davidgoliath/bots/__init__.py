"""Bots: a view in, a card out. They never see a `DealState`."""

from collections.abc import Callable
from random import Random
from typing import Final, Protocol

from davidgoliath.bots.simple import RandomBot, ReferenceBot
from davidgoliath.rules import Card, View

__all__ = ["BOTS", "Bot", "RandomBot", "ReferenceBot"]


class Bot(Protocol):
    """A program that plays."""

    def choose(self, view: View, rng: Random) -> Card:
        """A legal card. For the same view and random state it is always the same."""


BOTS: Final[dict[str, Callable[[], Bot]]] = {"random": RandomBot, "reference": ReferenceBot}
"""The bots by name."""
