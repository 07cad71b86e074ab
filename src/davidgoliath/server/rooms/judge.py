"""Who judges hints and reviews, if anybody can here: the judge of `study`, here or where else there is time for it.

What is asked of a judge can be sent (pickled), and so can a judge: wherever that arrives, it is the judge there.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from importlib.util import find_spec
from itertools import count
from random import Random
from typing import Any, Final

from davidgoliath.kernel.compiled import IS_COMPILED
from davidgoliath.rules import Deal, DealState, Seat, View
from davidgoliath.rules.cards import FEWEST_PLAYERS, MOST_PLAYERS
from davidgoliath.server.ops.processes import HelpingProcess
from davidgoliath.server.ops.threads import has_threads
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.protocol import study_types as s
from davidgoliath.study.values import Review

NEEDED: Final = ("numpy", "numba")


def can_judge() -> bool:
    """Whether there is a judge in this process, which may still have to be compiled."""
    try:
        return has_threads and all(map(find_spec, NEEDED))
    except ImportError:
        return False


class Judge:
    """Of `study`. What it says of a position takes its time: ask it in another thread."""

    def __init__(self) -> None:
        from davidgoliath.study.hints import hint
        from davidgoliath.study.judges import FINAL, JUDGE
        from davidgoliath.study.knowledge import knowledge
        from davidgoliath.study.reviewer import Step, next_review
        from davidgoliath.study.strength import lost_by_bot, measured_by

        self.name, self._blocks = JUDGE, FINAL
        self._hint, self._knowledge, self._lost_by_bot, self._measured_by = hint, knowledge, lost_by_bot, measured_by
        self._step, self._numbers = Step, count()
        self._reviewer = HelpingProcess(next_review) if has_threads else None
        self.next_review: Callable[[Any], Review | None] = self._reviewer.ask if self._reviewer else next_review
        for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1) if IS_COMPILED else ():
            start = DealState.start(Deal.shuffled(players, Random(1)))
            hint(start.view(start.deal.first_leader))  # loads what it needs

    def __reduce__(self) -> tuple[Callable[[], "Judge"], tuple[()]]:
        return the_judge, ()

    def advice(self, seq: int, view: View) -> m.Advice:
        """What to play, and why."""
        analysis, instead, reasons = self._hint(view)
        return m.Advice(
            seq=seq,
            best=analysis.best.name,
            instead=None if instead is None else instead.name,
            cards=s.worths(analysis),
            reasons=s.whys(reasons, instead, analysis.best) if instead else [],
            judge=self.name,
        )

    def knowledge(self, view: View) -> s.KnowledgeShown:
        """What the seat of a view knew."""
        found = self._knowledge(view)
        guesses = [
            s.Guess(seat, [round(number, s.DIGITS) for number in cards]) for seat, cards in found.expected.items()
        ]
        return s.KnowledgeShown(str(view.hand), guesses, s.worths(found.analysis) if found.analysis else [], self.name)

    def reviewer(self, state: DealState, seat: Seat) -> Callable[[], Review | None]:
        """Works out a review, and then a better one each time; None after the last."""
        return partial(_next_review, self, self._step(next(self._numbers), state, seat))

    def close(self) -> None:
        if self._reviewer:
            self._reviewer.close()

    def ladder(self, players: int) -> dict[str, s.Between]:
        """What each bot of the ladder loses per choice, if that was measured by this judge."""
        if self._measured_by(players) != self.name:
            return {}
        return {bot: s.Between(*lost) for bot, lost in self._lost_by_bot(players).items()}

    def done(self, review: Review) -> float:
        """How much of the work is done, from 0 to 1."""
        known = [choice.analysis.blocks / self._blocks for choice in review.choices] or [1.0]
        return min(1.0, sum(known) / len(known))


def _next_review(judge: Judge, step: Any) -> Review | None:
    return judge.next_review(step)


@lru_cache
def the_judge() -> Judge:
    """That of this process."""
    return Judge()
