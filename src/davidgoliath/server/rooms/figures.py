"""Somebody's figures: sums of how they played, by week and company. No game can be told from them."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from davidgoliath.server.protocol import study_types as s
from davidgoliath.server.store.contract import FigureRow
from davidgoliath.server.table.events import Person
from davidgoliath.study.values import Choice, Grade, Review

GRADE: Final = "grade:"
REASON: Final = "reason:"
RIGHT: Final = (Grade.BEST, Grade.FINE)


def week_of(at: float) -> str:
    """
    >>> week_of(1.79e9)
    '2026-W39'
    """
    year, week, _ = datetime.fromtimestamp(at, UTC).isocalendar()
    return f"{year}-W{week:02}"


def figures_of(person: Person, company: str, review: Review, at: float) -> list[FigureRow]:
    """What a hand adds."""
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0, 0.0])

    def add(name: str, points: float) -> None:
        sums[name][0] += 1
        sums[name][1] += points

    ledger = review.ledger
    if ledger is None:
        return []
    for name, points in (
        ("deals", ledger.result),
        ("dealt", ledger.dealt),
        ("own", ledger.own),
        ("others", ledger.others),
    ):
        add(name, points)
    for choice in review.choices:
        lost = choice.loss.value
        add("choices", lost)
        add("squares", lost**2)
        add(GRADE + choice.grade, lost)
        if kind := _why(choice):
            add(REASON + kind, lost)
    week = week_of(at)
    return [FigureRow(person, week, company, name, int(count), points) for name, (count, points) in sums.items()]


def _why(choice: Choice) -> str | None:
    """The kind of an error: that of the reason that weighs most against the card."""
    if choice.grade in RIGHT or not choice.reasons:
        return None
    return max(choice.reasons, key=lambda reason: reason.points.value).kind


def shown(rows: Iterable[FigureRow]) -> list[s.WeekShown]:
    """By week and company, in their order."""
    return [
        _week(week, company, list(some)) for (week, company), some in groupby(rows, lambda row: (row.week, row.company))
    ]


def _week(week: str, company: str, rows: list[FigureRow]) -> s.WeekShown:
    sums = {row.name: s.Sum(row.count, round(row.points, s.DIGITS)) for row in rows}
    none = s.Sum(0, 0.0)
    return s.WeekShown(
        week=week,
        company=company,
        deals=sums.get("deals", none),
        choices=sums.get("choices", none),
        squares=sums.get("squares", none).points,
        dealt=sums.get("dealt", none).points,
        own=sums.get("own", none).points,
        others=sums.get("others", none).points,
        grades=_named(sums, GRADE),
        reasons=_named(sums, REASON),
    )


def _named(sums: dict[str, s.Sum], kind: str) -> dict[str, s.Sum]:
    return {name.removeprefix(kind): one for name, one in sums.items() if name.startswith(kind)}
