"""The server in trouble: nobody hears of what isn't stored, nothing is lost, and a table goes on when it can."""

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

from davidgoliath import Refusal
from davidgoliath.server.config import Offer
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.ops.logs import Text
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.cleanup import keep_swept
from davidgoliath.server.store.contract import DAY, Appended, Stage, Stored
from davidgoliath.server.store.sqlite.store import SqliteStore
from davidgoliath.server.table.events import decode
from davidgoliath.server.table.table import Phase, Table
from tests.app_server import Site, hear, say, serve
from tests.refusals import refuses
from tests.room_clients import QUICK, Person, play, play_on

HINT = "Anna has R9"


class Moody(SqliteStore):
    """A store that can be made to wait, or to fail, and that may look around while it stores."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.opened = asyncio.Event()
        self.opened.set()
        self.fails = False
        self.attempts = 0
        self.look: Callable[[int], None] = lambda seq: None

    async def append(
        self, table: str, seq: int, *events: Stored, stage: Stage | None = None, is_listed: bool | None = None
    ) -> Appended:
        self.attempts += 1
        self.look(seq)
        await self.opened.wait()
        self.look(seq)
        if self.fails:
            raise Refusal(StoreFailure.STORE_FULL, file="/somewhere/tables.db")
        appended = await super().append(table, seq, *events, stage=stage, is_listed=is_listed)
        self.look(seq)
        return appended


def moody(room: Room) -> Moody:
    assert isinstance(room.store, Moody)
    return room.store


def written(caplog: pytest.LogCaptureFixture) -> str:
    """All records so far, as people read them."""
    return "\n".join(map(Text().format, caplog.records))


def heard(*people: Person) -> list[int]:
    """How many events each has heard of."""
    return [len(person.events()) for person in people]


async def gathered(room: Room) -> tuple[Person, Person, Person]:
    people = Person(room, "ann"), Person(room, "ben"), Person(room, None)
    for person in people:
        await room.join(person, 0)
    return people


def test_nobody_hears_of_an_event_before_it_is_stored(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        store, people = moody(room), await gathered(room)
        store.opened.clear()
        starting = asyncio.create_task(people[0].wish(m.Start))
        while not store.attempts:
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        assert heard(*people) == [1, 1, 1]
        assert room.table.phase is Phase.GATHERING
        store.opened.set()
        await starting
        assert min(heard(*people)) > 1

    play(scenario, tmp_path, "ann", "ben", "bot:random", store_kind=Moody)


def test_no_event_of_a_whole_match_is_heard_of_before_it_is_stored(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        store, people = moody(room), await gathered(room)
        looks: list[tuple[int, list[int]]] = []
        store.look = lambda seq: looks.append((seq, heard(*people)))
        await people[0].wish(m.Start)
        await asyncio.gather(*map(play_on, people[:2]))
        assert len(looks) > 3 * 90
        assert [told for _, told in looks] == [[seq - 1] * 3 for seq, _ in looks]

    play(scenario, tmp_path, "ann", "ben", "bot:random", store_kind=Moody)


def test_nobody_ever_hears_of_what_could_not_be_stored(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        store, people = moody(room), await gathered(room)
        store.fails = True
        await people[0].wish(m.Start)
        assert heard(*people) == [1, 1, 1]
        assert people[0].of("refused") == [{"type": "refused", "reason": "not_stored", "arguments": {}, "seq": 1}]
        assert not people[1].of("refused")
        assert "somewhere" not in json.dumps(people[0].got)
        assert "refused reason=store_full" in written(caplog)
        store.fails = False
        await people[0].wish(m.Start)
        await asyncio.gather(*map(play_on, people[:2]))
        stored = [decode(event.body) for event in await store.events("t1")]
        assert Table.fold(stored) == room.table
        assert heard(*people) == [len(stored)] * 3

    play(scenario, tmp_path, "ann", "ben", "bot:random", store_kind=Moody)


def test_a_store_that_fails_is_asked_less_and_less_often_and_the_table_goes_on_by_itself(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        store, ann = moody(room), Person(room, "ann")
        await room.join(ann, 0)
        store.look = lambda seq: setattr(store, "fails", seq > 2)  # what comes after the start is the server's
        await ann.wish(m.Start)
        await asyncio.sleep(1.0)
        assert 2 <= store.attempts <= 5
        assert heard(ann) == [2]
        late = Person(room, None)
        await room.join(late, 0)
        assert ann.of("saving") == late.of("saving") == [{"type": "saving", "ready": False}]
        store.look, store.fails = lambda seq: None, False
        await ann.until(lambda: bool(ann.of("turn")))
        assert (
            [told["ready"] for told in ann.of("saving")]
            == [told["ready"] for told in late.of("saving")]
            == [False, True]
        )

    play(scenario, tmp_path, store_kind=Moody)


def test_a_scheduler_that_stumbles_says_so_without_a_card_and_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, choose, failures = Person(room, "ann"), room.bot_pool.choose, 0

        async def stumble(*what: Any) -> Any:
            nonlocal failures
            failures += 1
            if failures <= 2:
                raise RuntimeError(HINT)
            return await choose(*what)

        monkeypatch.setattr(room.bot_pool, "choose", stumble)
        await room.join(ann, 0)
        await ann.wish(m.Start)
        await play_on(ann)
        assert failures > 2
        assert written(caplog).count("failed kind=RuntimeError") == 2
        assert "_bot_plays" in written(caplog)
        assert HINT not in written(caplog)

    play(scenario, tmp_path)


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        store, ann = room.store, Person(room, "ann")
        assert isinstance(store, SqliteStore)
        await room.join(ann, 0)
        await store.writer.do(lambda connection: connection.execute("PRAGMA max_page_count = 1"))
        refused = 0
        while not refused:  # some events still fit into the pages that there are
            await ann.wish(m.Lock, not room.table.is_locked)
            refused = len(ann.of("refused"))
        assert ann.of("refused")[0]["reason"] == "not_stored"
        assert len(await store.events("t1")) == room.table.seq == heard(ann)[0]
        await store.writer.do(lambda connection: connection.execute("PRAGMA max_page_count = 1000000"))
        await ann.wish(m.Start)
        await play_on(ann)
        assert len(ann.of("refused")) == 1
        assert len(await store.events("t1")) == room.table.seq == heard(ann)[0]

    play(scenario, tmp_path)


def test_a_locked_database_is_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    async def scenario(room: Room, file: Path) -> None:
        store, ann = room.store, Person(room, "ann")
        assert isinstance(store, SqliteStore)
        await room.join(ann, 0)
        await store.writer.do(lambda connection: connection.execute("PRAGMA busy_timeout = 20"))
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await ann.wish(m.Start)
            assert ann.of("refused")[-1]["reason"] == "not_stored"
            assert heard(ann) == [1]
            other.execute("ROLLBACK")
        await ann.wish(m.Start)
        await play_on(ann)
        assert len(await store.events("t1")) == room.table.seq == heard(ann)[0]

    play(scenario, tmp_path)


def test_people_who_ask_over_http_hear_the_same_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> None:
        raise Refusal(StoreFailure.STORE_FULL, file="/somewhere/tables.db")

    async def scenario(site: Site) -> None:
        monkeypatch.setattr(SqliteStore, "add_person", full)
        status, said = await site.ask("/api/people", {"name": "Anna"}, **{"Accept-Language": "de"})
        assert (status, said["reason"]) == (503, "not_stored")
        assert "somewhere" not in json.dumps(said)
        assert said["text"].startswith("der Server kann gerade nichts speichern")

    serve(scenario, tmp_path)


def test_what_breaks_a_socket_is_logged_without_its_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError(HINT)

    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        monkeypatch.setattr(Room, "join", broken)
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="")
            await socket.wait_closed()
            assert socket.close_code == 1011
        assert (await site.ask(f"/api/tables/{table}"))[0] == 200

    serve(scenario, tmp_path)
    assert "failed kind=RuntimeError" in written(caplog)
    assert HINT not in written(caplog)


def test_a_room_is_open_as_long_as_anybody_is_in_it_and_its_table_is_not_swept(tmp_path: Path) -> None:
    async def main() -> None:
        store, bot_pool = SqliteStore(tmp_path / "tables.db"), BotPool(["random"], 1, lambda: Random(1))
        registry, clock = Registry(store, bot_pool, timing=QUICK, source=os.urandom, now=lambda: 0.0), 40 * DAY
        person, _ = await registry.new_person("Anna")
        table = await registry.new_table(person, [None, "random", "random"])
        async with registry.visit(table) as room:
            async with registry.visit(table) as same:
                assert same is room
            ann = Person(room, person)
            await room.join(ann, 0)
            swept = keep_swept(store, Offer(), in_use=lambda: registry.tables, every=0.01, now=lambda: clock)
            sweeping = asyncio.create_task(swept)
            await asyncio.sleep(0.1)
            await store.count_running(DAY)
            await asyncio.sleep(0.1)
            await ann.wish(m.Start)
            await ann.until(lambda: bool(ann.of("turn")))
            await room.leave(ann)
        assert not registry.tables
        while await store.tables():
            await asyncio.sleep(0.01)
            await store.count_running(DAY / 4)
        sweeping.cancel()
        with refuses("no_such_table"):
            async with registry.visit(table):
                pass
        bot_pool.close()
        await store.close()

    asyncio.run(asyncio.wait_for(main(), 20))


def test_asking_for_a_table_leaves_no_room_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = 0
    close = Room.close

    async def count(room: Room) -> None:
        nonlocal closed
        closed += 1
        await close(room)

    async def scenario(site: Site) -> None:
        monkeypatch.setattr(Room, "close", count)
        table = await site.table(await site.person("Anna"), [None, "random", "random"])
        await site.ask(f"/api/tables/{table}")
        assert closed == 1
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="")
            await hear(socket, "present")
            await site.ask(f"/api/tables/{table}/record.dgn")
            assert closed == 1

    serve(scenario, tmp_path)


def test_a_room_that_closes_just_as_something_changes_stops(tmp_path: Path) -> None:
    async def scenario(room: Room, _file: Path) -> None:
        ann, ben, _ = await gathered(room)
        await ann.wish(m.Start)
        await ann.until(lambda: bool(ann.of("turn") or ben.of("turn")))
        await room.leave(ben)
        await asyncio.sleep(0.01)  # the scheduler waits for Ann's card, or for her time to be over
        await room.leave(ann)
        await room.close()
        await asyncio.sleep(0.01)
        assert not [task for task in asyncio.all_tasks() if "_beat" in str(task.get_coro())]

    play(scenario, tmp_path, "ann", "ben", "bot:random", turn_seconds=60)
