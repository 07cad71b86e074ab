"""How strong somebody played: the points lost per choice, beside what the ladder's bots lose.

`ladder.json` has what they lose by this judge, for each number of players, and the command that measured it. A figure
of few choices says little, and so does what is said of it: only bots that are surely worse and surely better are named.
"""

import json
from functools import lru_cache
from importlib.resources import files
from itertools import takewhile
from typing import Any, NamedTuple

from davidgoliath.study.values import Estimate


class Strength(NamedTuple):
    """Between whom somebody stands: None where no bot is surely worse, or surely better."""

    above: str | None
    """The strongest of the bots that lose more, as all weaker ones do."""
    below: str | None
    """The weakest of those that lose less, as all stronger ones do."""


def strength(lost: Estimate, players: int) -> Strength:
    """
    >>> strength(Estimate(100.0, 99.0, 101.0), 4)
    Strength(above=None, below='random')
    """
    ladder = lost_by_bot(players)
    weaker = [*takewhile(lambda bot: ladder[bot].value > lost.high, ladder)]
    stronger = [*takewhile(lambda bot: ladder[bot].value < lost.low, reversed(ladder))]
    return Strength(weaker[-1] if weaker else None, stronger[-1] if stronger else None)


@lru_cache
def lost_by_bot(players: int) -> dict[str, Estimate]:
    """The points that each bot of the ladder loses per choice, among `club`s; the weakest comes first."""
    return {bot: Estimate(*figures) for bot, figures in _measured(players)["lost"].items()}


def measured_by(players: int) -> str:
    """The judge whose word that is: by another's they would lose more, or less."""
    return str(_measured(players)["judge"])


def _measured(players: int) -> dict[str, Any]:
    known = json.loads(files(__package__).joinpath("ladder.json").read_text(encoding="utf-8"))
    return dict(known[str(players)])
