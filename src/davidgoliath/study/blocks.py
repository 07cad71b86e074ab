"""Blocks: independent samples of worlds, each of which says once what a card is worth.

A block draws some worlds of a view and weighs them by what the others have played, as `master` does, and then values a
card by a small search that must play it: half of its iterations teach it how to go on, and half of them count. (If all
did, what it tries while it knows nothing would be part of the value: twice as many iterations were no better then.) All
cards of a block are valued in the same worlds with the same chance, so what two of them differ by is far surer than
what each is worth.

Blocks share nothing, so their differences are independent draws of one distribution, and an interval from them is
honest (`intervals`). That is why there are many small searches rather than one large one, whose own idea of how sure
it is would rest on worlds that it has seen again and again.

Chance comes from the view alone: whoever knows the same gets the same numbers, and hidden cards can't change them.
"""

from hashlib import blake2b
from random import Random
from typing import Final

from numpy import concatenate, int16

from davidgoliath.bots.expert import MasterBot
from davidgoliath.rules import Card, View

WORLDS: Final = 128
"""A block draws so many."""
PASSES: Final = 8
"""So often a search goes through them, each as often as it is likely."""


def seed_of(view: View, *words: object) -> int:
    """A number from all that a seat knows, and some words more."""
    tricks = (*view.tricks, view.trick)
    known = (view.seat, view.rules, view.standing, view.dealer, view.hand, [(t.leader, *t.cards) for t in tricks])
    return int.from_bytes(blake2b(repr((known, words)).encode(), digest_size=8).digest(), "little")


class Blocks:
    """The blocks of a view, made when they are asked for and kept."""

    def __init__(self, view: View, *words: object) -> None:
        self.view = view
        self.words = words
        self._blocks: list[_Block] = []

    def values(self, card: Card, number: int) -> list[float]:
        """What the first blocks say of a card: the own score less the mean of the others', in points."""
        while len(self._blocks) < number:
            self._blocks.append(_Block(self.view, seed_of(self.view, *self.words, len(self._blocks))))
        return [block.value_of(card) for block in self._blocks[:number]]


class _Block:
    def __init__(self, view: View, seed: int) -> None:
        chance = Random(seed)
        self.tree = MasterBot().tree(view, chance.getrandbits(64), WORLDS)
        self.seed = chance.getrandbits(63)
        self.picks = concatenate([self.tree.picks(WORLDS) for _ in range(PASSES)]).astype(int16)
        self.found: dict[Card, float] = {}

    def value_of(self, card: Card) -> float:
        if card not in self.found:
            self.found[card] = self.tree.value_of(card, self.tree.weighed[self.picks], self.seed)
        return self.found[card]
