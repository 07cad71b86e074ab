"""Whose turn it is: what every bot asks before it thinks."""

from random import Random

from davidgoliath.rules import CardSet, IllegalPlay, Reason, View
from davidgoliath.rules.checks import RANDOM, check_kind


def choices(view: View, rng: Random) -> CardSet:
    """What a bot may play that is asked for a card; one that isn't to play is refused.

    >>> choices("the table", Random(7))
    Traceback (most recent call last):
    TypeError: a View, such as state.view(0), is needed here, not 'the table'
    """
    check_kind(view, View, "a View, such as state.view(0),")
    check_kind(rng, Random, RANDOM)
    if view.to_play is None:
        raise IllegalPlay(Reason.DEAL_IS_OVER)
    if view.seat != view.to_play:
        raise IllegalPlay(Reason.NOT_YOUR_TURN, seat=view.seat, to_play=view.to_play)
    return view.legal_cards
