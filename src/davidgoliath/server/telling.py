"""A table's events for those who weren't there: as a seat may know them, and the replay of the deals that are over."""

from collections.abc import Sequence

import msgspec

from davidgoliath.server.events import AnyEvent, Dealt, Opened, Seat, encode
from davidgoliath.server.messages import Told
from davidgoliath.server.outcome import outcome
from davidgoliath.server.table import Table


def told(events: Sequence[AnyEvent], seat: Seat | None, since: int = 0) -> list[Told]:
    """The events of a table after this number as a seat may see them, with what each card did."""
    return _with_outcomes(events, [Table.told(event, seat) for event in events], since)


def replayed(events: Sequence[AnyEvent]) -> list[Told]:
    """The events up to the end of the last deal that is over, with all hands open: nothing of one that is played."""
    ends = [place for place, event in enumerate(events) if isinstance(event, Opened)]
    past = events[: ends[-1] + 1] if ends else ()
    shown = [
        Dealt(event.deal, event.dealer, event.hands) if isinstance(event, Dealt) else Table.told(event, None)
        for event in past
    ]
    return _with_outcomes(past, shown)


def _with_outcomes(events: Sequence[AnyEvent], shown: Sequence[AnyEvent], since: int = 0) -> list[Told]:
    table: Table | None = Table.fold(events[:since]) if since else None
    result = []
    for event, open_part in zip(events[since:], shown[since:], strict=True):
        before, table = table, table.after(event) if table else Table.fold([event])
        result.append(Told(msgspec.Raw(encode(open_part)), *outcome(before, event, table)))
    return result
