"""The card game David & Goliath by Reinhard Staupe, for 3 to 6 players.

>>> from random import Random
>>> state = DealState.start(Deal.shuffled(4, Random(7), dealer=3))
>>> state.to_play, str(state.legal_cards)
(0, 'R2,4,7,9,11,12 Y3,10 G1,2,10,11 V4,7,9')
>>> state = state.play(Card.parse("G2"))
>>> state.view(1).trick.led
Colour.GREEN
"""

from davidgoliath.match import Match, Player, play_out, ranking
from davidgoliath.notation import DealRecord, MatchRecord
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

__version__ = "0.1.0"

__all__ = [
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
    "play_out",
    "ranking",
    "score",
    "score_by_colour",
]
