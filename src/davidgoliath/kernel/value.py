"""What a position is worth: each seat's expected final score, with all hands known.

This function is public, fixed and versioned, so that whoever measures by it, a review or an arena, measures the same
everywhere. At the start of a trick it is the value network's word. In the middle of one, the trick is first finished
by the policy: everyone plays the card that appeals most, knowing what a seat may know. The last trick is played as it
must be, and so its scores are exact.

The network knows the default rules only: others give a value as if they were the default, but for the trick that is
being finished.
"""

from typing import Final

import numpy as np

from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import sets_to_array, voids_to_array
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, MOST_PLAYERS, WORDS, Ints, Longs, Shorts
from davidgoliath.kernel.network import appraise, evaluate, make_rooms, most_appealing, network
from davidgoliath.kernel.play import colour_of, score
from davidgoliath.kernel.position import (
    PLACE,
    PLAYERS,
    TRICK,
    count_remaining,
    led,
    legal_words,
    play_card,
    position_of,
    to_play,
)
from davidgoliath.kernel.shape import POINT, VALUES
from davidgoliath.rules import DealState

VERSION: Final = VALUES


def expected_scores(state: DealState) -> tuple[float, ...]:
    """The final score that each seat may expect."""
    players = state.players
    position = position_of(state.rules, state.trick, len(state.tricks))
    hands, piles = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    hands[: players * WORDS], piles[: players * WORDS] = sets_to_array(state.hands), sets_to_array(state.piles)
    voids, found = voids_to_array(state.view(None).voids), np.zeros(MOST_PLAYERS, np.int64)
    value, policy = network("value", players), network("policy", players)
    foresee(position, hands, piles, voids, value, policy, *make_rooms(), found)
    return tuple(int(value) / POINT for value in found[:players])


@compiled(
    "void(int64[::1], int64[::1], int64[::1], int64[::1], int16[:, ::1], int16[:, ::1],"
    " int16[:, ::1], int32[:, ::1], int64[:, ::1], int64[::1], int64[::1])",
    inline=False,
)
def foresee(
    position: Ints,
    hands: Ints,
    piles: Ints,
    voids: Ints,
    value: Shorts,
    policy: Shorts,
    rows: Shorts,
    sums: Longs,
    found: Ints,
    counts: Ints,
    values: Ints,
) -> None:
    """Fills in each seat's value. A trick that has begun is played to its end, in the arrays that are given."""
    players = position[PLAYERS]
    if position[PLACE] or position[TRICK] == HAND - 1:
        remaining, legal = np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64)
        cards, appeals = np.empty(HAND, np.int64), np.empty(HAND, np.int64)
        count_remaining(position, piles, remaining)
        while position[TRICK] < HAND and (position[PLACE] or position[TRICK] == HAND - 1):
            seat, follow = to_play(position), led(position)
            legal_words(position, hands, seat, legal)
            number = appraise(
                position, hands, piles, remaining, voids, legal, policy, rows, sums, found, counts, cards, appeals
            )
            card = most_appealing(cards, appeals, number)
            if follow >= 0 and colour_of(card) != follow:
                voids[seat] |= 1 << follow
            play_card(position, hands, piles, remaining, card)
    if position[TRICK] == HAND:
        for seat in range(players):
            values[seat] = score(piles, seat) * POINT
        return
    evaluate(position, hands, piles, value, rows, sums, found, counts, values)
