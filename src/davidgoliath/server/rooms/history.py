"""A table's events for those who weren't there: as a seat may know them, and the replay of the deals that are over.

What an event did follows from all events before it, so it is worked out once, when it happens or when a table is read.
It is written once too, for the first who comes after it: whoever comes gets a slice, and nothing is folded again.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

import msgspec

from davidgoliath.server.protocol.messages import Told
from davidgoliath.server.rooms.stopwatch import is_new_turn
from davidgoliath.server.store.contract import Stored
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import AnyEvent, Ended, Opened, Seat, decode, encode
from davidgoliath.server.table.outcome import Outcome, outcome
from davidgoliath.server.table.table import Table
from davidgoliath.server.table.visibility import differs_by_seat, is_plain, opened, told


class Step(NamedTuple):
    """An event, and what it did."""

    event: AnyEvent
    body: bytes
    """As it is stored."""
    at: float
    """When it happened, in seconds since 1970."""
    table: Table
    """As it is after the event."""
    did: Outcome

    @property
    def shown(self) -> bytes:
        """As a spectator sees it."""
        return self.body if is_plain(self.event) else encode(told(self.event, None))


def steps(table: Table | None, stored: Iterable[Stored]) -> Iterator[Step]:
    """What further events do to a table as they are read; without a table, the first of them makes it."""
    for event, body, at in ((decode(one.body, one.version), one.body, one.at) for one in stored):
        before, table = table, table.after(event) if table else Table.fold([event])
        yield Step(event, body, at, table, outcome(before, event, table))


def taken_by(table: Table, change: Change, at: float) -> list[Step]:
    """What a command does to a table, worked out already."""
    befores = [table, *change.tables]
    return [
        Step(event, encode(event), at, after, outcome(before, event, after))
        for before, event, after in zip(befores, change.events, change.tables, strict=False)
    ]


class History:
    """All that has happened at a table, as it is told."""

    def __init__(self, begun: Step) -> None:
        self.table, self.last, self.at = begun.table, begun.event, begun.at
        self.waited = 0.0
        """For how many seconds the table had been waiting when its last event happened."""
        self._texts: list[bytes] = []
        """As a spectator gets them, up to when somebody last came."""
        self._unwritten = [(begun.shown, begun.did)]
        """And those that have happened since."""
        self._count = 1
        self._dealt: dict[int, tuple[AnyEvent, Outcome]] = {}
        """The events of which a seat sees more, by their places."""
        self._opened = 0
        """How many events there were when the last deal was over, or the match."""

    def add(self, step: Step) -> None:
        """One more event has happened."""
        if differs_by_seat(step.event):
            self._dealt[self._count] = step.event, step.did
        self._unwritten.append((step.shown, step.did))
        self._count += 1
        if isinstance(step.event, Opened | Ended):
            self._opened = self._count
        passed = 0.0 if self.table.paused else max(0.0, step.at - self.at)
        self.waited = 0.0 if is_new_turn(self.table, step.table) else self.waited + passed
        self.table, self.last, self.at = step.table, step.event, step.at

    def told(self, seat: Seat | None, since: int = 0) -> list[Told]:
        """The events after this number as a seat may see them, with what each card did: written already."""
        self.write()
        texts = self._texts[since:]
        if seat is not None:
            for place, (dealt, did) in self._dealt.items():
                if place >= since:
                    texts[place - since] = _written(encode(told(dealt, seat)), did)
        return _listed(texts)

    def replayed(self) -> list[Told]:
        """The events up to the end of the last deal that is over, with all hands open: none of one that is played."""
        self.write()
        texts = self._texts[: self._opened]
        for place, (dealt, did) in self._dealt.items():
            if place < self._opened:
                texts[place] = _written(encode(opened(dealt)), did)
        return _listed(texts)

    def write(self) -> None:
        """What has happened since somebody last came."""
        self._texts += [_written(shown, did) for shown, did in self._unwritten]
        self._unwritten.clear()


def _written(shown: bytes, did: Outcome) -> bytes:
    return msgspec.json.encode(Told(msgspec.Raw(shown), *did))


def _listed(texts: list[bytes]) -> list[Told]:
    """A list that is written already: to those who write it on, it is one of told events."""
    return cast("list[Told]", msgspec.Raw(b"[" + b",".join(texts) + b"]"))
