"""What an event did, for those who hold no rules: clients are told it with the event.

What its card did (`match/effects.py`), where the match stands, and which tricks decided it (`match/turning_points.py`).
"""

from typing import NamedTuple

import msgspec

from davidgoliath.match import ranking
from davidgoliath.match.effects import Now, Took, played
from davidgoliath.match.turning_points import TurningPoint, turning_points
from davidgoliath.server.table.events import AnyEvent, Dealt, Played
from davidgoliath.server.table.table import Phase, Table


class Stand(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the table stands now, when that has changed."""

    phase: Phase
    """`gathering`, `dealing`, `playing`, `scores` or `over`."""
    deal: int
    """Which deal is played, or was the last."""
    totals: tuple[int, ...]
    """Of the deals that are over, for each seat."""
    places: tuple[int, ...]
    """Each seat's place by these totals, from 1; who is equal shares one."""
    solo: bool
    """Whether one person alone plays and has ever played here, who may take cards back."""
    counts: bool
    """Whether a win would count: solo, and so far no card was taken back, named by a hint, or played by a bot for the
    person."""
    turning_points: tuple[TurningPoint, ...] = ()
    """When the match is over: the tricks that changed it most, three at the most, in the order of play."""


class Outcome(NamedTuple):
    """What an event did."""

    now: Now | None = None
    took: Took | None = None
    stand: Stand | None = None


def outcome(before: Table | None, event: AnyEvent, table: Table) -> Outcome:
    """What an event did to a table: nothing in particular, for most."""
    state, now, took = table.state, None, None
    if state and isinstance(event, Played):
        now, took = played(state)
    elif state and isinstance(event, Dealt):
        now = Now(state.to_play)
    return Outcome(now, took, None if before and _told(before) == _told(table) else _stand(table))


def _told(table: Table) -> tuple[Phase, bool, bool]:
    """When one of these changes, all are told how the table stands."""
    return table.phase, table.is_solo, table.counts


def _stand(table: Table) -> Stand:
    totals, deals = table.match.totals, table.match.deals
    decisive = turning_points(deals) if table.phase is Phase.OVER else ()
    return Stand(table.phase, len(deals), totals, ranking(totals), table.is_solo, table.counts, decisive)
