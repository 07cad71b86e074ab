"""What each legal card of a view is worth, by the judge, in blocks (`blocks`).

The best card is chosen in some blocks, and all cards are priced in others. If one sample did both, the card that was
lucky in it would be called best and its luck be counted as value, so that every other choice would seem to lose. As it
is, a judge of the same strength loses nothing on average, and losses below 0 are said as they are.

The choice is sequential halving: all cards get some blocks, the better half of them twice as many, and so on until two
are left. What it saw also decides which cards are close, and those are priced by all blocks, the rest by a quarter.
Nothing that is priced decides how long it is priced: so an interval keeps its promise.

Each number of blocks has one answer, however one came to it; a larger one takes over the blocks of a smaller one.
"""

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from davidgoliath.rules import Card, View
from davidgoliath.study.blocks import Blocks
from davidgoliath.study.intervals import FEWEST, estimate, reach
from davidgoliath.study.judges import FINAL
from davidgoliath.study.values import Analysis, Estimate

FIRST: Final = 4
"""So many blocks are the least, and what a first review of a deal has."""
HINT: Final = FIRST
LEVELS: Final = tuple(blocks for blocks in (FIRST, 8, 16, 32) if blocks <= FINAL)
FAR: Final = 1.0
"""A card that seems to be so many points behind isn't close."""


def analyse(view: View, blocks: int = FINAL, played: Card | None = None) -> Analysis:
    """What the legal cards are worth. `played` is a card to price as well as the close ones."""
    return Analyst(view, played).analysis(blocks)


def analyses(view: View, played: Card | None = None) -> Iterator[Analysis]:
    """One analysis after another, each by more blocks."""
    analyst = Analyst(view, played)
    return (analyst.analysis(blocks) for blocks in LEVELS)


class Analyst:
    """Keeps the blocks of a view between one analysis and the next.

    `copy` makes a judge with other chance, to see how far two agree.
    """

    def __init__(self, view: View, played: Card | None = None, copy: int = 0) -> None:
        self.cards = sorted(view.legal_cards)
        if not self.cards:
            raise ValueError("a view of a seat whose turn it is, is needed here")
        self.played = played
        self._choosing = Blocks(view, "choose", copy)
        self._pricing = Blocks(view, "price", copy)

    def analysis(self, blocks: int, whole: bool = True) -> Analysis:
        """If it needn't be whole, cards that are plainly behind and that nobody played are left out."""
        best, close = self._chosen(blocks)
        asked = close | {best, self.played or best}
        numbers = {card: blocks if card in asked else max(FEWEST, blocks // 4) for card in self.cards}
        numbers[best] = max((number for card, number in numbers.items() if card is not best), default=FEWEST)
        priced = {card: self._pricing.values(card, numbers[card]) for card in self.cards if whole or card in asked}
        top = priced[best]
        losses = {card: estimate([a - b for a, b in zip(top, found, strict=False)]) for card, found in priced.items()}
        cards = {card: _around(fmean(top) - losses[card].value, reach(found)) for card, found in priced.items()}
        return Analysis(cards, losses, best, blocks)

    def best(self, blocks: int) -> Card:
        """The best card alone."""
        return self._chosen(blocks)[0]

    def _chosen(self, blocks: int) -> tuple[Card, set[Card]]:
        """The best card, and which others are close to it."""
        if len(self.cards) == 1:
            return self.cards[0], set()
        left, seen = self.cards, dict[Card, list[float]]()
        halvings = (len(left) - 1).bit_length()
        for halving in range(halvings - 1, -1, -1):
            number = max(1, blocks >> halving)
            seen |= {card: self._choosing.values(card, number) for card in left}
            left = sorted(left, key=lambda card: -fmean(seen[card]))[: (len(left) + 1) // 2]
        best = left[0]
        return best, {card for card in self.cards if card is not best and _behind(seen[best], seen[card]) < FAR}


def _behind(best: list[float], other: list[float]) -> float:
    """How far a card seems to be, in the blocks that have seen both."""
    return fmean([a - b for a, b in zip(best, other, strict=False)])


def _around(value: float, reach: float) -> Estimate:
    return Estimate(value, value - reach, value + reach)
