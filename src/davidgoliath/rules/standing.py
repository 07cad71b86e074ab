"""How a match stands when a deal begins."""

from typing import NamedTuple

from davidgoliath.rules.cards import check_players
from davidgoliath.rules.checks import RULE_SET, check_kind
from davidgoliath.rules.ruleset import RuleSet


class Standing(NamedTuple):
    """What everyone at the table knows of the match around a deal.

    >>> Standing.at_start(RuleSet(), players=4)
    Standing(totals=(0, 0, 0, 0), deal=1, deals=4, target_score=None)
    """

    totals: tuple[int, ...]
    """Each seat's total before this deal."""
    deal: int
    """Which deal this is, from 1."""
    deals: int
    """How many there are at the most."""
    target_score: int | None

    @classmethod
    def at_start(cls, rules: RuleSet, players: int) -> "Standing":
        check_kind(rules, RuleSet, RULE_SET)
        check_players(players)
        return cls((0,) * players, 1, rules.deals_for(players), rules.target_score)

    def after(self, scores: tuple[int, ...]) -> "Standing":
        """The standing for the next deal."""
        if len(scores) != len(self.totals):
            raise ValueError(f"{len(self.totals)} scores are needed here, not {len(scores)}")
        totals = tuple(total + score for total, score in zip(self.totals, scores, strict=True))
        return self._replace(totals=totals, deal=self.deal + 1)

    @property
    def is_over(self) -> bool:
        """Rule 14, and `target_score`: there is no such deal to play any more."""
        reached = self.target_score is not None and max(self.totals) >= self.target_score
        return self.deal > self.deals or reached
