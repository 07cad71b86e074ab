"""The game: immutable values, no input or output, no clock, no hidden randomness, standard library only."""

from davidgoliath.rules.cards import Card, CardSet, Colour, deck
from davidgoliath.rules.deal import Deal, DealState
from davidgoliath.rules.refusal import IllegalPlay, NotationError, Reason, ReasonCode, Refusal
from davidgoliath.rules.ruleset import PRESETS, RuleSet
from davidgoliath.rules.scoring import score, score_by_colour
from davidgoliath.rules.standing import Standing
from davidgoliath.rules.trick import Seat, Trick, TrickResult, settle
from davidgoliath.rules.view import Preview, View

__all__ = [
    "PRESETS",
    "Card",
    "CardSet",
    "Colour",
    "Deal",
    "DealState",
    "IllegalPlay",
    "NotationError",
    "Preview",
    "Reason",
    "ReasonCode",
    "Refusal",
    "RuleSet",
    "Seat",
    "Standing",
    "Trick",
    "TrickResult",
    "View",
    "deck",
    "score",
    "score_by_colour",
    "settle",
]
