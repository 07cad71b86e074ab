"""What is PostgreSQL's own: its schema, its errors, and the way to it from SQLite."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, LiteralString

import psycopg
import pytest
from tools.postgres import Postgres, postgres

from davidgoliath import Refusal
from davidgoliath.cli import main
from davidgoliath.server.store.contract import DAY, Appended, Instance, Stage, Stored, TableRow
from davidgoliath.server.store.opening import open_store
from davidgoliath.server.store.postgres import schema
from davidgoliath.server.store.postgres.connection import answer, connect
from davidgoliath.server.store.postgres.store import PostgresStore
from davidgoliath.server.table.events import Created, encode
from davidgoliath.texts import LANGUAGES, Texts
from tests.refusals import refuses
from tests.stores import GAME, event, everything, fill, opened, run, sweep_surely


@pytest.fixture
def address(new_database: Callable[[], str]) -> str:
    return new_database()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE davidgoliath.events SET body = ''",
        "DELETE FROM davidgoliath.events",
        "INSERT INTO davidgoliath.events VALUES ('t1', 1, 1, 0, '')",
        "INSERT INTO davidgoliath.events VALUES ('nowhere', 1, 1, 0, '')",
    ],
)
def test_events_never_change_whoever_tries(address: str, statement: str) -> None:
    async def test() -> None:
        async with opened(address) as store:
            await fill(store)
            before = await everything(store)
            async with await connect(address) as connection:
                with pytest.raises(psycopg.Error):
                    await connection.execute(statement.encode())
            assert await everything(store) == before

    run(test)


def test_steps_are_taken_once_and_a_newer_database_is_left_alone(address: str) -> None:
    more = (*schema.STEPS, ("CREATE TABLE davidgoliath.more (one int)",))

    async def test() -> None:
        async with opened(address) as store:
            await fill(store)
            before = await everything(store)
            async with await connect(address) as connection:
                for _ in range(2):
                    await schema.upgrade(connection, "club", more)
                    await connection.execute("SELECT one FROM davidgoliath.more")
            assert await everything(store) == before
        with refuses("store_newer"):
            await open_store(address)

    run(test)


def test_a_database_of_version_1_goes_on_and_so_does_a_server_that_runs_on_it(address: str) -> None:
    """The new build upgrades it; the old one beside it still makes tables and appends as it did."""
    public = encode(Created("ann", ("ann", None, "bot:club"), "classic", public=True))
    create: LiteralString = "INSERT INTO davidgoliath.tables VALUES (%s, 50.0, 'waiting')"
    old_append: LiteralString = "SELECT davidgoliath.append(7, %s::jsonb)"

    async def test() -> None:
        async with await connect(address) as old:
            await schema.upgrade(old, "club", schema.STEPS[:1])
            await old.execute(create, ["t"])
            await old.execute("INSERT INTO davidgoliath.events VALUES ('t', 1, 1, 50.0, %s)", [public])
            await old.execute("INSERT INTO davidgoliath.events VALUES ('t', 2, 7, 50.0, '\\xff00')")
            async with opened(address) as store:
                assert [entry.table.id for entry in await store.listed(9)] == ["t"]
                await old.execute(create, ["u"])
                for name, seq in (("t", 3), ("u", 1)):
                    job = f'[["{name}", {seq}, null, [[1, 51.0, "e30="]]]]'
                    row = await (await old.execute(old_append, [job])).fetchone()
                    assert row == (["done"],)
                    assert (await store.events(name))[-1] == Stored(1, 51.0, b"{}")
                assert [entry.table.id for entry in await store.listed(9)] == ["t"]
                assert [await store.code(name, f"BBBBB{name}") for name in "tu"] == ["BBBBBt", "BBBBBu"]
                await old.execute(old_append, ['[["u", 2, "running", [[1, 52.0, "e30="]]]]'])
                assert [await store.table_of(f"BBBBB{name}") for name in "tu"] == ["t", None]
                assert await store.append("t", 4, event(4), is_listed=False) is Appended.DONE
                assert await store.listed(9) == []
                assert (await sweep_surely(store, 40 * DAY)).tables == ("t", "u")

    run(test)


def test_a_step_that_fails_changes_nothing(address: str) -> None:
    async def test() -> None:
        async with await connect(address) as connection:
            with pytest.raises(psycopg.Error):
                await schema.upgrade(
                    connection, "club", (*schema.STEPS, ("CREATE TABLE davidgoliath.tables (one int)",))
                )
        async with opened(address) as store:
            assert await store.tables() == []

    run(test)


def test_servers_are_as_many_as_there_are(address: str) -> None:
    async def test() -> None:
        async with opened(address) as one, opened(address) as two:
            for number, store in enumerate((one, two)):
                here = Instance(f"http://{number}/", number, 0.0)
                assert await store.announce(here) == here

    run(test)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("postgresql:///nothing?host=/nowhere", "store_away"),
        ("postgresql://127.0.0.1:1/nothing?password=secret", "store_away"),
        ("postgresql:///nothing?colour=red", "store_no_address"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_sentence(wrong: str, reason: str) -> None:
    async def test() -> None:
        with refuses(reason) as error:
            await open_store(wrong)
        for language in LANGUAGES:
            said = Texts(language).error(error.value)
            assert "secret" not in said
            assert "\n" not in said

    run(test)


def test_a_database_that_does_not_wait_for_the_disk_is_refused(address: str) -> None:
    async def test() -> None:
        with refuses("store_not_durable") as error:
            await open_store(f"{address}&options=-csynchronous_commit%3Doff")
        assert "synchronous_commit" in Texts("en").error(error.value)

    run(test)


def test_a_database_that_goes_away_is_refused_and_is_there_again() -> None:
    async def test(server: Postgres) -> None:
        async with opened(server.address()) as store:
            assert isinstance(store, PostgresStore)
            await store.create_table(TableRow("t", 0.0), event(1))
            server.kill()
            for _ in range(2):
                with refuses("store_away"):
                    await store.append("t", 2, event(2))
                with refuses("store_away"):
                    await store.events("t")
            server.start()
            for attempt in range(20):  # connections that broke are noticed one by one
                try:
                    assert await store.events("t") == [event(1)]
                    break
                except Refusal:
                    assert attempt < 19
            assert await store.append("t", 2, event(2), stage=Stage.RUNNING) is Appended.DONE

    with postgres(in_memory=True) as server:
        run(lambda: test(server))


def test_a_club_moves_from_sqlite_to_postgresql_and_back_with_one_command(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, back = str(tmp_path / "old.db"), str(tmp_path / "back.db")

    async def contents(where: str, *, new: bool = False) -> object:
        async with opened(where) as store:
            if new:
                await fill(store, GAME)
            return await everything(store)

    before = asyncio.run(contents(old, new=True))
    assert main(["tables", "copy", address, "--database", old]) == 0
    assert capsys.readouterr().out == "13 rows copied.\n"
    assert main(["tables", "copy", back, "--database", address]) == 0
    assert asyncio.run(contents(address)) == asyncio.run(contents(back)) == before
    assert main(["tables", "copy", address, "--database", old]) == 1
    assert "nothing was imported" in capsys.readouterr().err
    assert asyncio.run(contents(address)) == before


def test_a_database_in_use_by_a_server_is_not_moved(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "tables.db")

    async def test() -> None:
        async with opened(file) as store:
            await store.announce(Instance("http://127.0.0.1:8642", 1, 0.0))
            assert await asyncio.to_thread(main, ["tables", "copy", address, "--database", file]) == 1

    run(test)
    assert "http://127.0.0.1:8642" in capsys.readouterr().err


def test_an_operators_commands_take_the_address_and_a_backup_is_for_pg_dump(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def prepare() -> None:
        async with opened(address) as store:
            await fill(store)

    run(prepare)
    assert main(["tables", "list", "--database", address]) == 0
    assert "t2" in capsys.readouterr().out
    assert main(["tables", "close", "t2", "--database", address]) == 0
    assert main(["tables", "delete", "t1", "--database", address]) == 0
    assert main(["tables", "export", str(tmp_path / "all.jsonl"), "--database", address]) == 0
    capsys.readouterr()
    assert main(["tables", "backup", str(tmp_path / "copy.db"), "--database", address]) == 1
    assert "pg_dump" in capsys.readouterr().err


def test_a_pooler_before_the_database_is_noticed() -> None:
    class Cursor:
        async def fetchone(self) -> tuple[int]:
            return (7,)

    class Pooled:
        """Says what a connection through PgBouncer does: another process than the one that was promised."""

        pgconn = SimpleNamespace(backend_pid=8)

        async def execute(self, _: str) -> Cursor:
            return Cursor()

    async def test() -> None:
        with refuses("store_pooled") as error:
            await schema.check_direct(Pooled(), "club")  # type: ignore[arg-type]
        assert "--listen-database" in Texts("en").error(error.value)

    run(test)


def test_without_the_extra_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "davidgoliath.server.store.postgres.store", None)

    async def test() -> None:
        with refuses("no_postgresql") as error:
            await open_store("postgresql:///club")
        assert "davidgoliath[postgresql]" in Texts("en").error(error.value)

    run(test)


def test_a_server_on_sqlite_does_not_load_psycopg() -> None:
    code = "import sys, davidgoliath.server.run; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_who_stops_waiting_for_an_answer_leaves_no_complaint_behind(address: str) -> None:
    complaints: list[dict[str, Any]] = []

    async def stop() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        connection = await connect(address)
        waiting = asyncio.create_task(answer(connection, connection.execute("SELECT pg_sleep(20)"), 30))
        await asyncio.sleep(0.2)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await asyncio.sleep(0.2)
        connection.pgconn.finish()
        del waiting
        gc.collect()

    asyncio.run(stop())
    assert complaints == []
