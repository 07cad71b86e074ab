"""Guessing hands from play: which worlds are likely, given the cards that the others chose.

Each card that another seat has played is compared, in each world, with what `club` would have thought of that seat's
legal cards: a card that appeals much is played more often. A world's weight is the product of these chances. They
differ little from card to card, since nobody plays quite like `club`.
"""

from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from davidgoliath.bots.club import judge, weights_for
from davidgoliath.bots.prospects import POINT, prospects_for
from davidgoliath.bots.search import Tree
from davidgoliath.bots.worlds import Hands
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import code_of
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, Floats, Ints
from davidgoliath.kernel.play import bit_of, cell, colour_of
from davidgoliath.kernel.position import FIELDS, count_remaining, legal_words, play_card, position_of, to_play
from davidgoliath.rules import Trick, View

TEMPERATURE: Final = 8.0
"""By how many points a card must appeal more to be about three times as likely."""
WHIM: Final = 0.1
"""How often any card is played, whatever its appeal."""


class GuessingTree(Tree):
    """A search that takes worlds as often as they are likely."""

    pool: ClassVar = 1000
    """So many worlds are weighed for a view, but not more than the search could use."""

    def sample(self, number: int) -> Hands:
        chosen: Hands = self.weighed[self.picks(number)]
        return chosen

    def picks(self, number: int) -> Ints:
        """A comb through the sums of all weights: each world as often as its weight says, up to one time."""
        start = (np.arange(number) + self.draws.random()) / number
        found: Ints = np.searchsorted(self._sums, start * self._sums[-1])
        return found

    @cached_property
    def weighed(self) -> Hands:
        """The worlds that there are to choose from."""
        return super().sample(min(self.pool, self.room))

    @cached_property
    def _sums(self) -> Floats:
        logs = self.log_chances(self.weighed)
        return np.asarray(np.cumsum(np.exp(logs - logs.max())), np.float64)

    def log_chances(self, worlds: Hands) -> Floats:
        return log_chances(self.view, worlds)


def log_chances(view: View, worlds: Hands) -> Floats:
    """For each world the logarithm of the chance that the others play as they did."""
    first = view.tricks[0] if view.tricks else view.trick
    plays = [code_of(card) for trick in (*view.tricks, view.trick) for card in trick.cards]
    found = np.zeros(len(worlds))
    weigh(
        worlds,
        np.array(plays, np.int64),
        position_of(view.rules, Trick(view.players, first.leader), 0),
        -1 if view.seat is None else view.seat,
        prospects_for(view.players),
        weights_for(view.players),
        1.0 / (POINT * TEMPERATURE),
        found,
    )
    return found


@compiled(
    "void(int32[:, ::1], int64[::1], int64[::1], int64, int64[::1], float64[::1], float64, float64[::1])",
    inline=False,
)
def weigh(
    worlds: Hands,
    plays: Ints,
    position: Ints,
    own: int,
    prospects: Ints,
    weights: Floats,
    sharpness: float,
    found: Floats,
) -> None:
    """Adds to each world the logarithm of the chance of every card that others than `own` have played."""
    hands, piles, later = np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    remaining, legal = np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64)
    cards, appeals = np.empty(HAND, np.int64), np.empty(HAND, np.float64)
    seats = np.empty(plays.shape[0], np.int64)
    start = np.empty(FIELDS, np.int64)
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
        piles[place] = 0
    count_remaining(position, piles, remaining)
    for number in range(plays.shape[0]):
        seat, card = seats[number], plays[number]
        if seat != own:
            for world in range(worlds.shape[0]):
                for colour in range(COLOURS):
                    place = cell(seat, colour)
                    hands[place] = worlds[world, place] | later[place]
                legal_words(position, hands, seat, legal)
                cards_there = judge(position, hands, piles, remaining, legal, prospects, weights, cards, appeals)
                chosen, total, best = 0.0, 0.0, appeals[0]
                for other in range(1, cards_there):
                    best = max(best, appeals[other])
                for other in range(cards_there):
                    chance = np.exp((appeals[other] - best) * sharpness)
                    total += chance
                    if cards[other] == card:
                        chosen = chance
                found[world] += np.log((1.0 - WHIM) * chosen / total + WHIM / cards_there)
        later[cell(seat, colour_of(card))] ^= bit_of(card)
        play_card(position, hands, piles, remaining, card)
