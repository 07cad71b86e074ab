"""`./dg train all`: from nothing to the package's weights, round by round.

In the first round `club` plays, in the others the search with the value network of the round before. Both networks go
on from those of the round before, and learn what the searches of all rounds have played.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tools.train import learn, play


class Course(NamedTuple):
    """How a network learns in a round."""

    passes: int
    rate: float
    fade: float = 1.0


class Round(NamedTuple):
    deals: int
    iterations: int
    """Of the search, a card; 0 for `club`."""
    value: Course
    policy: Course


BEGIN: Final = Round(500_000, 0, Course(6, 2e-3), Course(3, 2e-3))
VALUE: Final = Course(80, 1e-3, 0.6)
POLICY: Final = Course(200, 1.5e-3)
RECIPE: Final[Mapping[int, tuple[Round, ...]]] = {
    3: (BEGIN, Round(10_000, 200, VALUE, POLICY), Round(16_000, 300, VALUE, POLICY)),
    4: (
        BEGIN,
        Round(16_000, 200, VALUE, POLICY),
        Round(24_000, 300, VALUE, POLICY),
        Round(40_000, 400, VALUE, POLICY),
    ),
    5: (BEGIN, Round(10_000, 200, VALUE, POLICY), Round(10_000, 300, VALUE, POLICY)),
    6: (BEGIN, Round(8_000, 200, VALUE, POLICY), Round(8_000, 300, VALUE, POLICY)),
}


def cook(players: int, folder: Path, seed: int = 0, jobs: int = 1, recipe: tuple[Round, ...] = ()) -> Path:
    """Goes through the rounds, or goes on with them, and gives the folder of the last one."""
    place, games, starts = folder, list[str](), dict[str, Path | None]()
    for number, each in enumerate(recipe or RECIPE[players]):
        place = folder / f"round-{number}"
        place.mkdir(parents=True, exist_ok=True)
        plan = play.Plan(players, seed + number, each.iterations, starts.get("value"))
        play.play(plan, each.deals, place, jobs)
        known = (*games, plan.name)
        for kind, course in (("value", each.value), ("policy", each.policy)):
            lesson = learn.Plan(kind, players, seed, course.passes, course.rate, known, starts.get(kind), course.fade)
            starts[kind] = learn.learn(lesson, place)
        if each.iterations:
            games.append(f"../{place.name}/{plan.name}")
    return place
