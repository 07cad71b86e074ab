"""Who judges here: the judge that searches as `master` does, or where nothing compiles it, a smaller one (`plain`)."""

from typing import TYPE_CHECKING

from davidgoliath.kernel.compiled import IS_COMPILED

if TYPE_CHECKING or IS_COMPILED:
    from davidgoliath.kernel.value import expected_scores
    from davidgoliath.study.master import FINAL, JUDGE, Block, expected_hands
    from davidgoliath.study.reasons import reasons
else:
    from davidgoliath.kernel.plain import expected_scores
    from davidgoliath.study.plain import FINAL, JUDGE, Block, expected_hands, reasons

__all__ = ("FINAL", "JUDGE", "Block", "expected_hands", "expected_scores", "reasons")
