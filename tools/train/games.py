"""Deals that were played, as training keeps them: a row a deal, a byte a card.

The cards in the order in which they were played are all there is to say: seat 0 leads first, everyone's hand is what
they played, and scores follow. A byte is a card's `Card.index`, and ASIDE more if nobody should learn to play it, since
it was a slip. Where a search played, 15 bytes stand behind each card: how often it tried each of the legal ones, in
their order, the most tried one 255 times; all 0 where there was no choice.
"""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CELLS, CODE_BITS, CODE_MASK, HAND, VALUES, Ints
from davidgoliath.kernel.play import colour_of, score
from davidgoliath.kernel.position import (
    BOTTOM,
    NO_BOTTOM,
    PLAYERS,
    TOP,
    count_remaining,
    led,
    play_card,
    to_play,
)

Bytes = NDArray[np.uint8]
ASIDE: Final = 128


def file_of(folder: Path, name: str, players: int) -> Path:
    return folder / f"{name}-{players}.npy"


def load(folder: Path, name: str, players: int) -> tuple[Bytes, Bytes]:
    """The cards of what was played, and the visits, if there are any."""
    found = np.load(file_of(folder, name, players))
    if found.ndim == 2:
        return found, np.empty((0, found.shape[1], HAND), np.uint8)
    return np.ascontiguousarray(found[:, :, 0]), np.ascontiguousarray(found[:, :, 1:])


@compiled("int64(uint8)")
def code_in(byte: int) -> int:
    """The kernel's code of a card."""
    index = int(byte) & (ASIDE - 1)
    colour = index // VALUES
    return colour << CODE_BITS | (index - colour * VALUES)


@compiled("uint8(int64)")
def byte_of(card: int) -> np.uint8:
    return np.uint8(colour_of(card) * VALUES + (card & CODE_MASK))


@compiled("void(int64[::1], int64[::1], int64[::1], int64)")
def begin(position: Ints, piles: Ints, remaining: Ints, players: int) -> None:
    """The start of a deal."""
    for field in range(position.shape[0]):
        position[field] = 0
    for place in range(CELLS):
        piles[place] = 0
    position[PLAYERS], position[TOP], position[BOTTOM] = players, -1, NO_BOTTOM
    count_remaining(position, piles, remaining)


@compiled("void(uint8[::1], int64, int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])")
def replay(
    game: Bytes,
    players: int,
    plays: int,
    position: Ints,
    hands: Ints,
    piles: Ints,
    remaining: Ints,
    voids: Ints,
    scores: Ints,
) -> None:
    """The position after so many cards of a deal, with all hands and the voids shown; and the deal's scores."""
    for place in range(CELLS):
        hands[place] = 0
    begin(position, piles, remaining, players)
    for number in range(game.shape[0]):  # what a seat plays, it was dealt: each card enters the hand that it leaves
        play_card(position, hands, piles, remaining, code_in(game[number]))
    for seat in range(players):
        scores[seat] = score(piles, seat)
        voids[seat] = 0
    begin(position, piles, remaining, players)
    for number in range(plays):
        card, follow = code_in(game[number]), led(position)
        if follow >= 0 and colour_of(card) != follow:
            voids[to_play(position)] |= 1 << follow
        play_card(position, hands, piles, remaining, card)
