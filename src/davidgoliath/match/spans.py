"""How long a bot takes for a card: its span, whatever it holds.

A search stops early where the choice is plain, and a card without an alternative needs none. Whoever saw how long a bot
really thinks would learn something about its hand. So its card comes after its span: enough for nearly all that it ever
thinks about on this computer, and the same for every card.
"""

import math
import time
from functools import lru_cache
from random import Random
from typing import Final

from davidgoliath.match import Player
from davidgoliath.rules import Deal, DealState, View

LEAST: Final = 0.01
"""Seconds. All spans are multiples of it: bots that don't search take no longer."""
AMPLE: Final = 2.5
"""How much longer a span is than what the positions below take on average: one thought in a hundred takes longer."""
TRIES: Final = 3
"""How often each is thought about: some computers count their processor's time in steps of 16 milliseconds."""

SIZES: Final = (3, 4, 5, 6)
DEALS: Final = 3
"""Of each size, for positions."""


def span_of(bot: Player) -> float:
    """Seconds for each card of a bot, measured here and now.

    What counts is the processor's time: whatever else runs on the computer just now makes no span longer.
    """
    for view in _every_size():
        bot.choose(view, Random(1))  # loads what it needs
    begun = _clock()
    for view in _long_thoughts() * TRIES:
        bot.choose(view, Random(1))
    mean = (_clock() - begun) / (TRIES * len(_long_thoughts()))
    return LEAST * max(1, math.ceil(AMPLE * mean / LEAST))


def _clock() -> float:
    """The processor's time; in a browser there is only the wall's."""
    return time.thread_time() if hasattr(time, "thread_time") else time.perf_counter()


def rest_of(span: float, elapsed: float) -> float:
    """How long it still takes: what takes longer than its span ends with the next multiple of it.

    >>> rest_of(10, 0), rest_of(10, 9), rest_of(10, 10), rest_of(10, 12)
    (10, 1, 0, 8)
    """
    return max(1, math.ceil(elapsed / span)) * span - elapsed


def instead_of(view: View, rng: Random) -> View:
    """Another position, as far on and with a choice, for a bot that has one card only: it thinks about that one.

    So it is late as often as others where the computer has too much to do.
    """
    return rng.choice(_choices()[view.players, max(2, len(view.hand))])


@lru_cache
def _every_size() -> tuple[View, ...]:
    return tuple(_choices()[players, 15][0] for players in SIZES)


@lru_cache
def _long_thoughts() -> tuple[View, ...]:
    """Six players and a free choice."""
    return tuple(_choices()[max(SIZES), cards][0] for cards in (15, 12, 9))


@lru_cache
def _choices() -> dict[tuple[int, int], list[View]]:
    """Positions with a choice in some deals, by the number of players and of cards in the hand."""
    found: dict[tuple[int, int], list[View]] = {}
    for players in SIZES:
        rng = Random(players)
        for _ in range(DEALS):
            state = DealState.start(Deal.shuffled(players, rng))
            while state.to_play is not None:
                if len(legal := list(state.legal_cards)) > 1:
                    view = state.view(state.to_play)
                    found.setdefault((players, len(view.hand)), []).append(view)
                state = state.play(rng.choice(legal))
    return found
