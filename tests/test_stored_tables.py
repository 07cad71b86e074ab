"""Tables that an earlier build stored: they are what they were, and play goes on, on every kind of store."""

import asyncio
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from davidgoliath.server.config import Timing
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.contract import Store
from davidgoliath.server.store.opening import open_store
from davidgoliath.server.store.transfer import copy_store
from davidgoliath.server.table.events import decode
from davidgoliath.server.table.records import finished
from davidgoliath.server.table.table import Phase, Table
from tests.marks import slow
from tests.room_clients import Person, play_on
from tests.stores import Place

BUILDS = ("tables_v1", "tables_v2")
"""Of November 2026: before events were of version 2, and before they were of version 3."""
WERE: dict[str, dict[str, dict[str, Any]]] = {
    build: json.loads(Path(__file__).with_name(f"{build}.json").read_text(encoding="utf-8")) for build in BUILDS
}
GOES_ON = [
    (build, name)
    for build, tables in WERE.items()
    for name, was in tables.items()
    if was["phase"] not in ("over", "gathering")
]
FIRST = [next(one for one in GOES_ON if one[0] == build) for build in BUILDS]
TIMING = Timing(bot=0.0, shares=0.05, scores=0.05, grace=30.0)


def table_facts(table: Table) -> dict[str, Any]:
    """As much of a table as there was to know when the file was made."""
    state = table.state
    return {
        "seq": table.seq,
        "phase": table.phase.value,
        "host": table.host,
        "owner": table.owner,
        "chairs": [[chair.player, chair.stand_in] for chair in table.chairs],
        "totals": list(table.match.totals),
        "to_play": table.to_play,
        "paused": table.paused is not None,
        "locked": table.is_locked,
        "pace": table.pace,
        "removed": sorted(table.removed),
        "rematch": table.rematch,
        "deals": [list(map(str, deal.plays)) for deal in table.match.deals],
        "hands": list(map(str, state.hands)) if state else [],
        "piles": list(map(str, state.piles)) if state else [],
        "legal": list(map(str, state.legal_cards)) if state and table.to_play is not None else [],
    }


def on_stored_tables(build: str, place: Place, tmp_path: Path, test: Callable[[Store], Any]) -> None:
    """Runs a test on a store that has what the earlier build had."""

    async def main() -> None:
        file = tmp_path / "of_earlier_build.db"
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(Path(__file__).with_name(f"{build}.sql").read_text(encoding="utf-8"))
        earlier = await open_store(str(file))
        async with place.open() as store:
            await copy_store(earlier, store)
            await earlier.close()
            await test(store)

    asyncio.run(asyncio.wait_for(main(), 120))


@pytest.mark.parametrize("build", BUILDS)
def test_they_are_what_they_were(place: Place, tmp_path: Path, build: str) -> None:
    async def test(store: Store) -> None:
        for name, was in WERE[build].items():
            table = Table.fold(decode(event.body, event.version) for event in await store.events(name))
            assert table_facts(table) == was, name
            assert (table.has_hints, table.hints) == (False, ())

    on_stored_tables(build, place, tmp_path, test)


@pytest.mark.parametrize(("build", "name"), [*FIRST, *slow(*(one for one in GOES_ON if one not in FIRST))])
def test_play_goes_on_to_the_end(place: Place, tmp_path: Path, build: str, name: str) -> None:
    async def test(store: Store) -> None:
        bot_pool = BotPool(["club", "random", "casual", "beginner"], 1, lambda: Random(1))
        room = await Room.open(name, store, bot_pool, timing=TIMING, source=os.urandom)
        assert room is not None
        people = [Person(room, person) for person in (*room.table.arrivals, *room.table.heirs)]
        for person in people:
            await room.join(person, 0)
        for person in people:
            await person.wish(m.Back)
        if room.table.paused:
            await people[0].wish(m.Resume)
        await asyncio.gather(*map(play_on, people))
        assert room.table.phase is Phase.OVER
        assert room.table == Table.fold(decode(event.body, event.version) for event in await store.events(name))
        records = finished(room.table, name, await room.names(*room.table.had_cards))
        assert len(records) == len(room.table.match.deals)
        await room.close()
        bot_pool.close()

    on_stored_tables(build, place, tmp_path, test)


def test_what_can_no_longer_happen_there_does_not(place: Place, tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        folded = {
            name: Table.fold(decode(event.body, event.version) for event in await store.events(name))
            for name in WERE["tables_v1"]
        }
        assert folded["undone"].is_solo
        assert not any(folded[name].is_solo for name in ("takeover", "opened", "rewritten", "over"))
        assert [chair.house for chair in folded["takeover"].chairs] == [None, None, "club", None]

    on_stored_tables("tables_v1", place, tmp_path, test)
