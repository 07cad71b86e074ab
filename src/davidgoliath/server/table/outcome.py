"""What an event did, for those who hold no rules: clients are told it with the event.

What its card did (`match/effects.py`), and where the match stands.
"""

from typing import NamedTuple

import msgspec

from davidgoliath.match import ranking
from davidgoliath.match.effects import Now, Took, played
from davidgoliath.server.table.events import AnyEvent, Dealt, Played
from davidgoliath.server.table.table import Phase, Table


class Stand(msgspec.Struct, frozen=True):
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
    is_same = before and (before.phase, before.is_solo) == (table.phase, table.is_solo)
    return Outcome(now, took, None if is_same else _stand(table))


def _stand(table: Table) -> Stand:
    totals = table.match.totals
    return Stand(table.phase, len(table.match.deals), totals, ranking(totals), table.is_solo)
