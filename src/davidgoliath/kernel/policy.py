"""The policy network asked about a view. Where there is no NumPy, `plain` gives the same.

What the network sees comes from the view alone, so it can't know more than a seat may.
"""

import numpy as np

from davidgoliath.kernel.convert import card_of, sets_to_array, voids_to_array
from davidgoliath.kernel.layout import COLOURS, HAND, Ints, Shorts
from davidgoliath.kernel.network import appraise, make_rooms, network
from davidgoliath.kernel.position import count_remaining, legal_words, position_of, to_play
from davidgoliath.rules import Card, View


def policy_arrays(view: View) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """The position, the hands, the piles, the cards that remain and the voids of a view, for `policy_features`."""
    position = position_of(view.rules, view.trick, len(view.tricks))
    hands = sets_to_array([view.hand] * view.players)  # everyone's would be the own one, but only that is looked at
    piles, remaining = sets_to_array(view.piles), np.empty(COLOURS, np.int64)
    count_remaining(position, piles, remaining)
    return position, hands, piles, remaining, voids_to_array(view.voids)


def appeals(view: View) -> dict[Card, int]:
    """By the package's network for that many players."""
    return appeals_of(view, network("policy", view.players))


def appeals_of(view: View, weights: Shorts) -> dict[Card, int]:
    """For each legal card how likely it is, as `network.appraise` says it."""
    arrays = position, hands, *_ = policy_arrays(view)
    legal, cards, appeals = (np.empty(size, np.int64) for size in (COLOURS, HAND, HAND))
    legal_words(position, hands, to_play(position), legal)
    number = appraise(*arrays, legal, weights, *make_rooms(), cards, appeals)
    return {card_of(cards[n]): int(appeals[n]) for n in range(number)}
