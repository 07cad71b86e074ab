"""`expert` and `master`: bots that search."""

from random import Random
from time import perf_counter
from typing import ClassVar

from davidgoliath.bots import Budget
from davidgoliath.bots.search import CHUNK, Tree
from davidgoliath.rules import Card, View


class ExpertBot:
    """Searches 6,000 iterations, unless told otherwise."""

    usual: ClassVar = Budget(iterations=6000)

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Card:
        begin = perf_counter()
        legal = view.legal_cards
        if len(legal) == 1:
            return next(iter(legal))
        iterations, seconds = budget if budget and budget != Budget() else self.usual
        if iterations is not None:
            iterations = max(iterations, 1)
        tree = self.tree(view, rng.getrandbits(64), iterations)
        if iterations is not None:
            tree.grow(iterations)
        if seconds is not None:
            last = 0.0
            while (now := perf_counter() - begin) + last < seconds or not tree.iterations:
                tree.grow(CHUNK)
                last = perf_counter() - begin - now
        return tree.best

    def tree(self, view: View, seed: int, iterations: int | None) -> Tree:
        return Tree(view, seed) if iterations is None else Tree(view, seed, iterations)
