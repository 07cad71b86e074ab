"""`expert` and `master`: bots that search."""

from random import Random
from time import perf_counter
from typing import Final

from davidgoliath.bots import Budget
from davidgoliath.bots.foresight import NetworkTree
from davidgoliath.bots.inference import GuessingTree
from davidgoliath.bots.search import CHUNK, MOST_ITERATIONS, Tree
from davidgoliath.bots.turn import choices
from davidgoliath.rules import Card, View
from davidgoliath.rules.checks import check_kind, whole_number

FORESEEN: Final = 4
"""With up to so many players the networks are better than what they replace."""


class ExpertBot:
    """Searches: it plays thousands of sampled worlds, and takes the card that it came back to most often."""

    usual = Budget(iterations=6000)

    def tree(self, view: View, seed: int, room: int) -> Tree:
        return Tree(view, seed, room)

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Card:
        begin = perf_counter()
        legal = choices(view, rng)
        iterations, seconds = _checked(budget) if budget is not None and budget != Budget() else self.usual
        if len(legal) == 1:
            return next(iter(legal))
        left, last = iterations or MOST_ITERATIONS, 0.0
        tree = self.tree(view, rng.getrandbits(64), left)
        while left and not tree.is_decided(left):
            now = perf_counter() - begin
            if seconds is not None and now + last > seconds and tree.iterations:
                break
            tree.grow(min(left, CHUNK))
            left -= min(left, CHUNK)
            last = perf_counter() - begin - now
        return tree.best


def _checked(budget: Budget) -> Budget:
    check_kind(budget, Budget, "a Budget, such as Budget(iterations=1000),")
    iterations, seconds = budget
    if iterations is not None:
        iterations = min(max(1, whole_number("iterations", iterations, 0, 2**63)), MOST_ITERATIONS)
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"seconds is a number from 0 on, not {seconds}")
    return Budget(iterations, seconds)


class MasterBot(ExpertBot):
    """Searches longer, in worlds that are likely given what the others played, and foresees what a trick leads to.

    Networks tell it, where they have learnt enough: with more players it guesses by `club`, and plays deals out.
    """

    usual = Budget(iterations=16000)

    def tree(self, view: View, seed: int, room: int) -> GuessingTree:
        return (NetworkTree if view.players <= FORESEEN else GuessingTree)(view, seed, room)
