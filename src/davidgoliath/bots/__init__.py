"""Bots: a view in, a card out. They never see a `DealState`.

Bots are found by name. Ours are the ladder, from the weakest to the strongest, and `reference`, the yardstick;
other packages add theirs by an entry point of the group `davidgoliath.bots`. A bot is loaded only when it is
asked for, so that those which search cost nothing to anyone else.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from random import Random
from typing import Final, NamedTuple, Protocol, runtime_checkable

from davidgoliath.bots.simple import RandomBot, ReferenceBot
from davidgoliath.rules import Card, ReasonCode, Refusal, View

__all__ = [
    "APART",
    "BOT",
    "LADDER",
    "Bot",
    "BotReason",
    "Budget",
    "RandomBot",
    "ReferenceBot",
    "Searcher",
    "bots",
    "make_bot",
]

GROUP: Final = "davidgoliath.bots"
BOT: Final = "bot:"
"""What the name of a bot begins with where people sit too: at tables, and in records."""


class BotReason(ReasonCode):
    """Why there is no such bot."""

    NO_SUCH_BOT = "no_such_bot"
    BOT_UNFIT = "bot_unfit"


class Budget(NamedTuple):
    """How long a bot may think about a card: a number of iterations, or seconds.

    Only with iterations is a choice the same every time.
    """

    iterations: int | None = None
    seconds: float | None = None


class Bot(Protocol):
    """A program that plays."""

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Card:
        """A legal card. Without a budget, the bot's own is meant; those that don't search need none.

        For the same view, random state and number of iterations it is always the same card.
        """


@runtime_checkable
class Searcher(Bot, Protocol):
    """A bot that thinks as long as its budget says."""

    usual: Budget
    """Its own."""


_OURS: Final = {
    "random": "davidgoliath.bots.simple:RandomBot",
    "beginner": "davidgoliath.bots.people:BeginnerBot",
    "casual": "davidgoliath.bots.people:CasualBot",
    "regular": "davidgoliath.bots.intuition:RegularBot",
    "club": "davidgoliath.bots.club:ClubBot",
    "adept": "davidgoliath.bots.intuition:AdeptBot",
    "expert": "davidgoliath.bots.expert:ExpertBot",
    "master": "davidgoliath.bots.expert:MasterBot",
    "reference": "davidgoliath.bots.simple:ReferenceBot",
}
LADDER: Final = tuple(name for name in _OURS if name != "reference")
"""Our bots from the weakest to the strongest."""
APART: Final = ("random", "reference")
"""For studies, not for company: who wants to play isn't offered them."""


@lru_cache
def bots() -> Mapping[str, EntryPoint]:
    """All bots by name: ours first. Nobody takes the place of one of ours."""
    ours = {name: EntryPoint(name, place, GROUP) for name, place in _OURS.items()}
    others = {entry.name: entry for entry in entry_points(group=GROUP)}
    return {**ours, **others, **ours}


def make_bot(name: str) -> Bot:
    """A bot by the name that files have, such as "casual"; `davidgoliath bots` lists all.

    >>> type(make_bot("random")).__name__
    'RandomBot'
    """
    entry = bots().get(name) if isinstance(name, str) else None
    if entry is None:
        raise Refusal(BotReason.NO_SUCH_BOT, text=name, choices=", ".join(bots()))
    try:
        bot: Bot = entry.load()()
    except Exception as error:
        if name in _OURS:
            raise
        raise Refusal(BotReason.BOT_UNFIT, text=name, why=f"{type(error).__name__}: {error}") from error
    return bot
