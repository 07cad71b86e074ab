"""What is told of tables to those who aren't in them: somebody's own games, and the list that everyone sees.

To know how a table stands, all its events are folded, which takes some milliseconds after a long match. So that is done
once, however many ask, and what came of it is kept until the table has another event.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from davidgoliath.match import ranking
from davidgoliath.rules import Refusal
from davidgoliath.server.people.names import named
from davidgoliath.server.people.stones import stones
from davidgoliath.server.protocol import http_types
from davidgoliath.server.rooms.table_cache import folded
from davidgoliath.server.store.contract import Listed, PersonRow, Stage, Store, Stored
from davidgoliath.server.table.events import Person, Seat
from davidgoliath.server.table.table import Chair, Phase, Table

MOST_GAMES: Final = 50
"""Of somebody's tables so many are shown as they stand, the latest; of the others there is only the link."""
MOST_WANTED: Final = 100
"""So many tables that want to be found are looked at, the latest: a few of them may be full by now."""
MOST_LISTED: Final = 50
MOST_KEPT: Final = 5000


@dataclass(frozen=True, slots=True)
class Glimpse:
    """As much of a table as overviews need, at the event `seq`."""

    seq: int
    host: Person
    chairs: tuple[Chair, ...]
    arrivals: tuple[Person, ...]
    rules: str
    phase: Phase
    totals: tuple[int, ...]
    unfinished: tuple[int, ...] | None
    counts: bool
    to_play: Seat | None
    open_seats: int
    is_listed: bool
    has_hints: bool

    @classmethod
    def of(cls, table: Table) -> "Glimpse":
        return cls(
            seq=table.seq,
            host=table.host,
            chairs=table.chairs,
            arrivals=table.arrivals,
            rules=str(table.match.rules),
            phase=table.phase,
            totals=tuple(table.match.totals),
            unfinished=_unfinished(table),
            counts=table.counts,
            to_play=table.to_play,
            open_seats=len(table.open_seats),
            is_listed=table.is_listed,
            has_hints=table.has_hints,
        )

    def seat_of(self, person: Person) -> Seat | None:
        return next((seat for seat, chair in enumerate(self.chairs) if chair.person == person), None)


class Overview:
    """Glimpses of the tables of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, tuple[int, Glimpse | None]] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def games(self, person: Person, tables: Sequence[Listed]) -> list[http_types.MyTable]:
        """Somebody's tables, in the order given: the latest first."""
        glimpses = {entry.table.id: await self._glimpse(entry) for entry in tables[:MOST_GAMES]}
        known = await self._known(who for glimpse in glimpses.values() if glimpse for who in glimpse.arrivals)
        games = {name: _game(person, glimpse, known) for name, glimpse in glimpses.items() if glimpse}
        return [
            http_types.MyTable(
                table=row.id,
                link=f"/t/{row.id}",
                created=row.created,
                active=entry.active,
                stage=row.stage,
                game=games.get(row.id),
            )
            for entry in tables
            for row in (entry.table,)
        ]

    async def finished(self, tables: Sequence[Listed]) -> list[tuple[Listed, bool]]:
        """Each table, and whether its match is over though nobody has closed it."""
        found = []
        for entry in tables:
            glimpse = await self._glimpse(entry) if entry.table.stage is Stage.RUNNING else None
            found.append((entry, glimpse is not None and glimpse.phase is Phase.OVER))
        return found

    async def listed(self) -> list[http_types.ListedTable]:
        """The tables that anyone may join and that want to be found, the latest first."""
        entries = await self._store.listed(MOST_WANTED)
        glimpses = [(entry, await self._glimpse(entry)) for entry in entries]
        found = [(entry, glimpse) for entry, glimpse in glimpses if glimpse and glimpse.is_listed][:MOST_LISTED]
        known = _names(await self._known(glimpse.host for _, glimpse in found))
        return [
            http_types.ListedTable(
                table=entry.table.id,
                host=named([glimpse.host], known)[glimpse.host],
                players=len(glimpse.chairs),
                open_seats=glimpse.open_seats,
                rules=glimpse.rules,
                active=entry.active,
                hints=glimpse.has_hints,
            )
            for entry, glimpse in found
        ]

    async def _glimpse(self, entry: Listed) -> Glimpse | None:
        """None if the table has gone meanwhile, or can't be read: others shall not suffer for it."""
        name = entry.table.id
        if not self._has_seen(entry):
            async with self._one_at_a_time:
                if not self._has_seen(entry):  # as somebody else may have by now
                    await self._look(name)
        if name not in self._kept:
            return None
        self._kept.move_to_end(name)
        return self._kept[name][1]

    def _has_seen(self, entry: Listed) -> bool:
        return entry.table.id in self._kept and self._kept[entry.table.id][0] >= entry.seq

    async def _look(self, name: str) -> None:
        self._kept.pop(name, None)
        stored = await self._store.events(name)
        if stored:
            self._kept[name] = len(stored), await _glimpsed(name, stored)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    async def _known(self, persons: Iterable[Person]) -> dict[Person, PersonRow]:
        return await self._store.persons(*set(persons))


def _names(known: dict[Person, PersonRow]) -> dict[Person, str]:
    return {person: row.name for person, row in known.items()}


async def _glimpsed(name: str, stored: Sequence[Stored]) -> Glimpse | None:
    try:
        return Glimpse.of(await folded(name, stored))
    except Refusal:
        return None


def _unfinished(table: Table) -> tuple[int, ...] | None:
    if not table.is_broken_off:
        return None
    return table.aborted[-1].scores if table.aborted else (0,) * table.players


def _game(person: Person, glimpse: Glimpse, known: dict[Person, PersonRow]) -> http_types.Game:
    names = named(glimpse.arrivals, _names(known))
    looks = stones(glimpse.arrivals, {person: row.stone for person, row in known.items()})
    seat = glimpse.seat_of(person)
    return http_types.Game(
        players=[names[chair.person] if chair.person else chair.player for chair in glimpse.chairs],
        seat=seat,
        rules=glimpse.rules,
        phase=glimpse.phase,
        totals=glimpse.totals,
        places=ranking(glimpse.totals),
        unfinished=glimpse.unfinished,
        counts=glimpse.counts,
        turn=seat is not None and seat == glimpse.to_play,
        stones=[looks[chair.person] if chair.person else None for chair in glimpse.chairs],
    )
