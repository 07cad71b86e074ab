"""Blocks: independent samples of worlds, each of which says once what a card is worth.

All cards of a block are valued in the same worlds with the same chance, so what two of them differ by is far surer than
what each is worth. Blocks share nothing, so their differences are independent draws of one distribution, and an
interval from them is honest (`intervals`). That is why there are many small samples rather than one large one, whose
own idea of how sure it is would rest on worlds that it has seen again and again.
"""

from davidgoliath.rules import Card, View
from davidgoliath.study.judges import Block
from davidgoliath.study.seed import seed_of


class Blocks:
    """The blocks of a view, made when they are asked for and kept."""

    def __init__(self, view: View, *words: object) -> None:
        self.view = view
        self.words = words
        self._blocks: list[tuple[Block, dict[Card, float]]] = []

    def values(self, card: Card, number: int) -> list[float]:
        """What the first blocks say of a card: the own score less the mean of the others', in points."""
        while len(self._blocks) < number:
            self._blocks.append((Block(self.view, seed_of(self.view, *self.words, len(self._blocks))), {}))
        for block, found in self._blocks[:number]:
            if card not in found:
                found[card] = block.value_of(card)
        return [found[card] for _, found in self._blocks[:number]]
