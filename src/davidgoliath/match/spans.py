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


def span_of(bot: Player) -> float:
    """Seconds for each card of a bot, measured here and now.

    What counts is the processor's time: whatever else runs on the computer just now makes no span longer.
    """
    for view in _every_size():
        bot.choose(view, Random(1))  # loads what it needs
    begun = time.thread_time()
    for view in _long_thoughts() * TRIES:
        bot.choose(view, Random(1))
    mean = (time.thread_time() - begun) / (TRIES * len(_long_thoughts()))
    return LEAST * max(1, math.ceil(AMPLE * mean / LEAST))


def rest_of(span: float, elapsed: float) -> float:
    """How long it still takes: what takes longer than its span ends with the next multiple of it.

    >>> rest_of(10, 0), rest_of(10, 9), rest_of(10, 10), rest_of(10, 12)
    (10, 1, 0, 8)
    """
    return max(1, math.ceil(elapsed / span)) * span - elapsed


@lru_cache
def _every_size() -> tuple[View, ...]:
    return tuple(_lead(players, 0) for players in (3, 4, 5, 6))


@lru_cache
def _long_thoughts() -> tuple[View, ...]:
    """Six players and a free choice."""
    return tuple(_lead(6, tricks) for tricks in (0, 3, 6))


def _lead(players: int, tricks: int) -> View:
    """Somebody leads after so many tricks."""
    rng = Random(players)
    state = DealState.start(Deal.shuffled(players, rng))
    while len(state.tricks) < tricks:
        state = state.play(rng.choice(list(state.legal_cards)))
    return state.view(state.leader)
