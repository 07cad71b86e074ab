"""The search with the two networks: one says what a trick leads to, the other which hands are likely.

Each card that another seat has played is looked up, in each world, in what the policy network would have thought of
that seat's legal cards. A world's weight is the product of these chances. They differ less from card to card than the
network has it, since nobody plays quite as it thinks.
"""

from typing import Final

import numpy as np

from davidgoliath.bots.inference import GuessingTree
from davidgoliath.bots.search import Tree
from davidgoliath.bots.worlds import Hands
from davidgoliath.kernel.bits import lowest
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import code_of
from davidgoliath.kernel.features import policy_features
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, WORDS, Floats, Ints, Longs, Shorts
from davidgoliath.kernel.network import add_up, changes, make_rooms, network, rate
from davidgoliath.kernel.play import bit_of, cell, colour_of
from davidgoliath.kernel.position import (
    FIELDS,
    PLAYERS,
    TRICK,
    count_remaining,
    led,
    legal_words,
    play_card,
    position_of,
    to_play,
)
from davidgoliath.kernel.shape import END, ONE, STEEP, WIDTH, policy_starts
from davidgoliath.kernel.vector import add_row
from davidgoliath.rules import Trick, View

TEMPERATURE: Final = 2.4
"""A card that appeals more by this is e times as likely: the network itself means 1, and is too sure of others."""
WHIM: Final = 0.05
"""How often any card is played, whatever its appeal."""


class ForesightTree(Tree):
    """A search that asks the value network what comes after a trick."""

    explore = 6.0

    @property
    def foresight(self) -> tuple[bool, Shorts]:
        return True, network("value", self.view.players)


class NetworkTree(ForesightTree, GuessingTree):
    """One that also guesses hands, by the policy network."""

    pool = 400

    def log_chances(self, worlds: Hands) -> Floats:
        return log_chances(self.view, worlds)


def log_chances(view: View, worlds: Hands, temperature: float = TEMPERATURE) -> Floats:
    """For each world the logarithm of the chance that the others play as they did."""
    first = view.tricks[0] if view.tricks else view.trick
    plays = [code_of(card) for trick in (*view.tricks, view.trick) for card in trick.cards]
    found = np.zeros(len(worlds))
    weights = network("policy", view.players)
    weigh(
        worlds,
        np.array(plays, np.int64),
        position_of(view.rules, Trick(view.players, first.leader), 0),
        -1 if view.seat is None else view.seat,
        weights,
        changes(view.players),
        *make_rooms(),
        make_rooms()[0],
        1.0 / (ONE * STEEP * temperature),
        found,
    )
    return found


@compiled(
    "void(int32[:, ::1], int64[::1], int64[::1], int64, int16[:, ::1], int16[:, ::1], int16[:, ::1], int32[:, ::1],"
    " int64[:, ::1], int64[::1], int16[:, ::1], float64, float64[::1])",
    inline=False,
)
def weigh(
    worlds: Hands,
    plays: Ints,
    position: Ints,
    own: int,
    weights: Shorts,
    changes: Shorts,
    rows: Shorts,
    sums: Longs,
    lists: Ints,
    counts: Ints,
    base: Shorts,
    sharpness: float,
    found: Floats,
) -> None:
    """Adds to each world the logarithm of the chance of every card that others than `own` have played.

    What the network sees differs between worlds only by a hand: which of the cards that are out are in it. So the rows
    are added up once, as if there were none, and for each world they are changed by its hand.
    """
    hands, piles, later = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    remaining, legal, voids = np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64), np.zeros(WORDS, np.int64)
    cards, appeals = np.empty(HAND, np.int64), np.empty(HAND, np.int64)
    seats = np.empty(plays.shape[0], np.int64)
    start = np.empty(FIELDS, np.int64)
    players = position[PLAYERS]
    inputs = policy_starts(players)[END]
    for field in range(FIELDS):
        start[field] = position[field]
    count_remaining(position, piles, remaining)
    for number in range(plays.shape[0]):  # who played what, and so what everyone held beside the world's hands
        seats[number] = to_play(position)
        later[cell(seats[number], colour_of(plays[number]))] |= bit_of(plays[number])
        play_card(position, hands, piles, remaining, plays[number])
    for field in range(FIELDS):
        position[field] = start[field]
    for place in range(CELLS):
        hands[place], piles[place] = 0, 0
    count_remaining(position, piles, remaining)
    for number in range(plays.shape[0]):
        seat, card, follow = seats[number], plays[number], led(position)
        if seat != own:
            policy_features(position, hands, piles, remaining, voids, lists, counts)
            add_up(weights, lists, counts, base)
            for world in range(worlds.shape[0]):
                for colour in range(COLOURS):
                    place = cell(seat, colour)
                    hands[place] = worlds[world, place] | later[place]
                legal_words(position, hands, seat, legal)
                choices = 0
                for colour in range(COLOURS):
                    choices += legal[colour] & (legal[colour] - 1)
                    choices += (legal[colour] != 0) & (legal[colour] != bit_of(card) or colour != colour_of(card))
                if choices == 0:  # there was no other card
                    continue
                for colour in range(COLOURS):
                    for column in range(WIDTH):
                        rows[colour, column] = base[colour, column]
                    held = hands[cell(seat, colour)]
                    while held:
                        add_row(changes, lowest(held), rows, colour)
                        held &= held - 1
                cards_there = rate(legal, inputs, position[TRICK], weights, rows, sums, cards, appeals)
                chosen, total, best = 0.0, 0.0, appeals[0]
                for other in range(1, cards_there):
                    best = max(best, appeals[other])
                for other in range(cards_there):
                    chance = np.exp((appeals[other] - best) * sharpness)
                    total += chance
                    if cards[other] == card:
                        chosen = chance
                found[world] += np.log((1.0 - WHIM) * chosen / total + WHIM / cards_there)
            for colour in range(COLOURS):
                hands[cell(seat, colour)] = 0
        if follow >= 0 and colour_of(card) != follow:
            voids[seat] |= 1 << follow
        later[cell(seat, colour_of(card))] ^= bit_of(card)
        play_card(position, hands, piles, remaining, card)
        for place in range(CELLS):
            hands[place] = 0
