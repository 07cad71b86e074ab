"""The card game David & Goliath by Reinhard Staupe, for 3 to 6 players.

In every trick Goliath, who played the highest card, captures the spoils, and David, who played the lowest, captures the
highest card. One or two cards of a colour count their values; a third makes each of them worth a single point.

Everything here is an immutable value: a play gives a new state, and the old one is still there. A card is a letter
for its colour, red, yellow, green, blue or violet, and its value.

>>> from random import Random
>>> from davidgoliath import Card, Deal, DealState, Match, MatchRecord, make_bot, play_out
>>> state = DealState.start(Deal.shuffled(4, Random(7), dealer=3))
>>> state.to_play, str(state.legal_cards)
(0, 'R2,4,7,9,11,12 Y3,10 G1,2,10,11 V4,7,9')
>>> state = state.play(Card.parse("G2"))

`DealState` knows everything. A `View` is all that one seat may know, and all that a player ever gets.

>>> state.view(1).trick.led, state.view(1).unseen & state.hands[1]
(Colour.GREEN, CardSet.parse('-'))

What can't be is refused in a sentence. `reason` is its code, for programs.

>>> state.play(Card.parse("G2"))
Traceback (most recent call last):
davidgoliath.rules.refusal.IllegalPlay: G2 is not in the hand; legal: G3,5,8,12

A `Match` is deals in sequence. Whoever has a method `choose`, from a view to a card, can play; `make_bot` has those of
`davidgoliath bots`, from "random" to "master".

>>> *_, match = play_out(Match(3), [make_bot("casual"), make_bot("beginner"), make_bot("random")], Random(2))
>>> match.totals, match.winners
((115, 81, 78), (0,))

Records are text, and `load` reads them from files.

>>> Match.replay(MatchRecord.parse(str(match.record(names=("Ann", "Ben", "Cleo"))))) == match
True

For many deals at once there is `Batch`, on NumPy arrays and compiled by Numba. Both are imported when it is first
asked for. How printed rules differ is in `RuleSet`; `davidgoliath.rules`, `notation`, `bots` and `match` have more.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from davidgoliath.match import Match, Player, play_out, ranking
from davidgoliath.notation import DealRecord, MatchRecord, load
from davidgoliath.rules import (
    Card,
    CardSet,
    Colour,
    Deal,
    DealState,
    IllegalPlay,
    NotationError,
    Refusal,
    RuleSet,
    Seat,
    Standing,
    Trick,
    TrickResult,
    View,
    deck,
    score,
    score_by_colour,
)

if TYPE_CHECKING:
    from davidgoliath.bots import make_bot
    from davidgoliath.kernel.batch import Batch

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Card",
    "CardSet",
    "Colour",
    "Deal",
    "DealRecord",
    "DealState",
    "IllegalPlay",
    "Match",
    "MatchRecord",
    "NotationError",
    "Player",
    "Refusal",
    "RuleSet",
    "Seat",
    "Standing",
    "Trick",
    "TrickResult",
    "View",
    "deck",
    "load",
    "make_bot",
    "play_out",
    "ranking",
    "score",
    "score_by_colour",
]

import_module("davidgoliath.texts")  # has the words of refusals

_LATER = {"Batch": "davidgoliath.kernel.batch", "make_bot": "davidgoliath.bots"}
"""What is imported when it is first asked for: NumPy and Numba take half a second."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
