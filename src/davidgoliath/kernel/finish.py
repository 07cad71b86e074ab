"""Deals played to their end by the policy: everyone plays the card that appeals most, knowing what a seat may know."""

import numpy as np

from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, WORDS, Ints, Longs, Shorts
from davidgoliath.kernel.network import appraise, most_appealing
from davidgoliath.kernel.play import colour_of
from davidgoliath.kernel.position import (
    FIELDS,
    LEADER,
    PLACE,
    PLAYERS,
    TRICK,
    count_remaining,
    led,
    legal_words,
    play_card,
    to_play,
)


@compiled(
    "void(int32[:, ::1], int64, int64[::1], int64[::1], int64[::1], int16[:, ::1], int16[:, ::1], int32[:, ::1],"
    " int64[:, ::1], int64[::1], int64[:, ::1], int64[:, :, ::1], int32[:, :, ::1])",
    inline=False,
)
def finish(
    worlds: Longs,
    card: int,
    start: Ints,
    start_piles: Ints,
    start_voids: Ints,
    policy: Shorts,
    rows: Shorts,
    sums: Longs,
    found: Ints,
    counts: Ints,
    leaders: Ints,
    plays: Ints,
    piles_then: Longs,
) -> None:
    """Plays a card in each world, and then the deal to its end.

    Of each trick, the one that lies there first, it fills in who led, the cards in order, and the piles after it.
    """
    hands, piles, voids = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64), np.empty(WORDS, np.int64)
    position, remaining = np.empty(FIELDS, np.int64), np.empty(COLOURS, np.int64)
    cards, appeals, legal = np.empty(HAND, np.int64), np.empty(HAND, np.int64), np.empty(COLOURS, np.int64)
    players, first = start[PLAYERS], start[TRICK]
    for world in range(worlds.shape[0]):
        for place in range(players * WORDS):
            hands[place], piles[place] = worlds[world, place], start_piles[place]
        for field in range(FIELDS):
            position[field] = start[field]
        for seat in range(WORDS):
            voids[seat] = start_voids[seat]
        count_remaining(position, piles, remaining)
        for place in range(position[PLACE]):
            plays[world, 0, place] = position[place]
        choice = card
        while position[TRICK] < HAND:
            seat, follow, trick, place = to_play(position), led(position), position[TRICK] - first, position[PLACE]
            if choice < 0:
                legal_words(position, hands, seat, legal)
                number = appraise(
                    position, hands, piles, remaining, voids, legal, policy, rows, sums, found, counts, cards, appeals
                )
                choice = most_appealing(cards, appeals, number)
            if follow >= 0 and colour_of(choice) != follow:
                voids[seat] |= 1 << follow
            leaders[world, trick], plays[world, trick, place] = position[LEADER], choice
            play_card(position, hands, piles, remaining, choice)
            if position[PLACE] == 0:
                for number in range(players * WORDS):
                    piles_then[world, trick, number] = piles[number]
            choice = -1
