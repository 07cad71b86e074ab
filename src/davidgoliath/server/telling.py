"""A table's events for those who weren't there: as a seat may know them, and the replay of the deals that are over.

What an event did follows from all events before it, so it is worked out once, when it happens or when a table is read,
and then lies there as it is written to clients: whoever comes gets a slice, and nothing is folded again.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

import msgspec

from davidgoliath.server.events import AnyEvent, Dealt, Opened, Seat, encode
from davidgoliath.server.messages import Told
from davidgoliath.server.outcome import Outcome, outcome
from davidgoliath.server.stopwatch import is_new_turn
from davidgoliath.server.table import Table


class Step(NamedTuple):
    """An event, and what it did."""

    event: AnyEvent
    at: float
    """When it happened, in seconds since 1970."""
    table: Table
    """As it is after the event."""
    did: Outcome


def steps(table: Table | None, events: Iterable[tuple[AnyEvent, float]]) -> Iterator[Step]:
    """What further events do to a table, with their times; without a table, the first of them makes it."""
    for event, at in events:
        before, table = table, table.after(event) if table else Table.fold([event])
        yield Step(event, at, table, outcome(before, event, table))


class Past:
    """All that has happened at a table, as it is told."""

    def __init__(self, begun: Step) -> None:
        self.table, self.last, self.at = begun.table, begun.event, begun.at
        self.waited = 0.0
        """For how many seconds the table had been waiting when its last event happened."""
        self._texts = [_written(Table.told(begun.event, None), begun.did)]
        """As a spectator gets them."""
        self._dealt: dict[int, tuple[Dealt, Outcome]] = {}
        """The events of which a seat sees more, by their places."""
        self._opened = 0
        """How many events there were when the last deal was over."""

    def add(self, step: Step) -> None:
        """One more event has happened."""
        if isinstance(step.event, Dealt):
            self._dealt[len(self._texts)] = step.event, step.did
        self._texts.append(_written(Table.told(step.event, None), step.did))
        if isinstance(step.event, Opened):
            self._opened = len(self._texts)
        passed = 0.0 if self.table.paused else max(0.0, step.at - self.at)
        self.waited = 0.0 if is_new_turn(self.table, step.table) else self.waited + passed
        self.table, self.last, self.at = step.table, step.event, step.at

    def told(self, seat: Seat | None, since: int = 0) -> list[Told]:
        """The events after this number as a seat may see them, with what each card did: written already."""
        texts = self._texts[since:]
        if seat is not None:
            for place, (dealt, did) in self._dealt.items():
                if place >= since:
                    texts[place - since] = _written(Table.told(dealt, seat), did)
        return _listed(texts)

    def replayed(self) -> list[Told]:
        """The events up to the end of the last deal that is over, with all hands open: none of one that is played."""
        texts = self._texts[: self._opened]
        for place, (dealt, did) in self._dealt.items():
            if place < self._opened:
                texts[place] = _written(Dealt(dealt.deal, dealt.dealer, dealt.hands), did)
        return _listed(texts)


def _written(shown: AnyEvent, did: Outcome) -> bytes:
    return msgspec.json.encode(Told(msgspec.Raw(encode(shown)), *did))


def _listed(texts: list[bytes]) -> list[Told]:
    """A list that is written already: to those who write it on, it is one of told events."""
    return cast("list[Told]", msgspec.Raw(b"[" + b",".join(texts) + b"]"))
