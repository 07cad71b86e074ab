"""Blocks of the judge that searches as `master` does.

A block draws some worlds of a view and weighs them by what the others have played, and then values a card by a small
search that must play it: half of its iterations teach it how to go on, and half of them count. (If all did, what it
tries while it knows nothing would be part of the value: twice as many iterations were no better then.)
"""

from random import Random
from typing import Final

from numpy import bitwise_count, concatenate, int16

from davidgoliath.bots.expert import MasterBot
from davidgoliath.kernel.play import cell
from davidgoliath.kernel.value import VERSION
from davidgoliath.rules import Card, Colour, Seat, View

JUDGE: Final = f"master 1, networks {VERSION}"
FINAL: Final = 32
"""So many blocks are the most."""
WORLDS: Final = 128
"""A block draws so many."""
PASSES: Final = 8
"""So often a search goes through them, each as often as it is likely."""
GUESSES: Final = 1000
"""So many worlds say what a seat could tell of the others' hands."""


class Block:
    """An independent sample of worlds."""

    def __init__(self, view: View, seed: int) -> None:
        chance = Random(seed)
        self.tree = MasterBot().tree(view, chance.getrandbits(64), WORLDS)
        self.seed = chance.getrandbits(63)
        self.picks = concatenate([self.tree.picks(WORLDS) for _ in range(PASSES)]).astype(int16)

    def value_of(self, card: Card) -> float:
        """The own score less the mean of the others', in points."""
        return self.tree.value_of(card, self.tree.weighed[self.picks], self.seed)


def expected_hands(view: View, seed: int) -> dict[Seat, tuple[float, ...]]:
    """How many cards of each colour each other seat may hold."""
    worlds = MasterBot().tree(view, seed, GUESSES).sample(GUESSES)
    others = [((view.seat or 0) + turn) % view.players for turn in range(1, view.players)]
    return {
        seat: tuple(float(bitwise_count(worlds[:, cell(seat, colour)]).mean()) for colour in Colour) for seat in others
    }
