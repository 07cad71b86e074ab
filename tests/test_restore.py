"""Backups of a SQLite file, put back in its place: also by an operator in a hurry, after a crash."""

import asyncio
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from davidgoliath.cli import main
from davidgoliath.server.store.contract import Appended, Row, TableRow
from davidgoliath.server.store.opening import open_store
from davidgoliath.server.store.sqlite import schema
from davidgoliath.server.store.sqlite.restore import restore
from davidgoliath.server.store.sqlite.schema import check_quickly, log_of
from davidgoliath.server.store.sqlite.store import SqliteStore
from davidgoliath.texts import LANGUAGES, Texts
from tests.refusals import refuses
from tests.stores import GAME, event, everything, fill, opened, run

ROOT = Path(__file__).parent.parent
VERSION_1 = Path(__file__).with_name("store_v1.sql")
NOW = datetime(2026, 3, 1, 19, 4, 11, tzinfo=UTC)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "tables.db"


@pytest.fixture
def backup(file: Path, tmp_path: Path) -> Path:
    """Made before what came next."""
    copy = tmp_path / "backup.db"

    async def make() -> None:
        store = SqliteStore(file)
        await fill(store, GAME)
        await store.backup(copy)
        await store.create_table(TableRow("later", 50.0), *map(event, range(300)))
        await store.close()

    run(make)
    return copy


def contents(file: Path) -> list[Row]:
    async def read() -> list[Row]:
        async with opened(str(file)) as store:
            return await everything(store)

    return asyncio.run(read())


def crash(file: Path) -> None:
    """A process is killed in the middle of writing, and leaves a log."""
    command = [sys.executable, "-m", "tests.appender", str(file), "crash"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        for number, _ in enumerate(child.stdout):
            if number == 200:
                child.kill()
    assert log_of(file).stat().st_size


def look(file: Path) -> tuple[str, int]:
    """Whether a database is whole, and how many tables are in it: only after SQLite has applied what it likes."""
    with closing(sqlite3.connect(file)) as connection:
        ((whole,),) = connection.execute("PRAGMA integrity_check(1)").fetchall()
        return whole, connection.execute("SELECT count(*) FROM tables").fetchone()[0]


def test_after_a_crash_a_backup_is_back_as_it_was_and_so_is_what_was_there(
    file: Path, backup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(backup)
    crash(file)
    log = log_of(file).read_bytes()
    assert main(["tables", "restore", str(backup), "--database", str(file)]) == 0
    kept = next(path for path in file.parent.iterdir() if ".before-" in path.name and path.suffix[-4:] != "-wal")
    kept = Path(str(kept).removesuffix("-shm"))
    said = " ".join(capsys.readouterr().out.split())
    assert str(kept) in said
    assert "It holds 2 tables." in said  # of a running server's file, copied without its log, fewer than one expects
    assert log_of(kept).read_bytes() == log
    assert contents(file) == before
    assert contents(backup) == before
    if os.name != "nt":
        assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}

    assert main(["tables", "restore", str(kept), "--database", str(file)]) == 0
    after = {getattr(row, "id", None) for row in contents(file)}
    assert {"t1", "t2", "later", "t0", "t11"} <= after
    assert len(list(file.parent.glob("*.before-*"))) >= 2


def test_a_copy_over_the_file_is_refused_while_the_old_log_is_there(
    file: Path, backup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a server and by commands, before SQLite spoils it; and then `restore` helps."""
    before = contents(backup)
    crash(file)
    shutil.copyfile(backup, file)
    copied, log = file.read_bytes(), log_of(file).read_bytes()
    for checks in (True, False):
        with refuses("store_foreign_log") as error:
            asyncio.run(open_store(str(file), checks=checks))
    assert (file.read_bytes(), log_of(file).read_bytes()) == (copied, log)
    for language in LANGUAGES:
        said = Texts(language).error(error.value)
        assert "tables restore" in said
        assert str(log_of(file)) in said
    assert main(["tables", "restore", str(backup), "--database", str(file)]) == 0
    assert contents(file) == before
    kept = next(path for path in file.parent.glob("*.before-*") if path.name[-4:] not in ("-wal", "-shm"))
    assert main(["tables", "restore", str(kept), "--database", str(file)]) == 0
    assert contents(file) == before  # its log is still none of its own


def test_a_log_of_its_own_is_none_that_is_refused(file: Path, backup: Path) -> None:
    crash(file)
    assert {"t1", "t2", "later", "t0"} <= {getattr(row, "id", None) for row in contents(file)}
    for _ in range(2):
        backup.unlink()
        shutil.copyfile(file, backup)
        assert len(contents(file)) == len(contents(backup))


def test_a_database_may_be_missing_and_a_forgotten_log_is_kept(file: Path, backup: Path, tmp_path: Path) -> None:
    before = contents(backup)
    assert restore(backup, tmp_path / "new" / "tables.db", NOW) == (2, None)
    assert contents(tmp_path / "new" / "tables.db") == before
    crash(file)
    file.unlink()
    _, kept = restore(backup, file, NOW)
    assert kept is not None
    assert log_of(kept).stat().st_size
    assert contents(file) == before


def test_what_is_kept_replaces_nothing(file: Path, backup: Path) -> None:
    names = [restore(backup, file, NOW).kept for _ in range(3)]
    assert len(set(names)) == 3
    assert all(name is not None and look(name)[0] == "ok" for name in names)


def test_a_disk_without_links_will_do(file: Path, backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError("not on this disk")

    crash(file)
    monkeypatch.setattr(os, "link", no_links)
    _, kept = restore(backup, file, NOW)
    assert kept is not None
    assert log_of(kept).exists()
    assert contents(file) == contents(backup)


def test_a_damaged_backup_changes_nothing(file: Path, backup: Path, tmp_path: Path) -> None:
    before = file.read_bytes()

    def still(reason: str, bad: Path) -> None:
        with refuses(reason):
            restore(bad, file, NOW)
        assert file.read_bytes() == before
        assert [path.name for path in file.parent.iterdir()] == ["tables.db"]

    data = bytearray(backup.read_bytes())
    data[8192:12288] = b"\x99" * 4096
    (tmp_path / "hole.db").write_bytes(data)
    still("backup_damaged", tmp_path / "hole.db")
    (tmp_path / "short.db").write_bytes(backup.read_bytes()[:-4096])
    still("backup_damaged", tmp_path / "short.db")
    (tmp_path / "diary").write_text("Dear diary, " * 1000)
    still("store_not_ours", tmp_path / "diary")
    (tmp_path / "empty").touch()
    still("store_not_ours", tmp_path / "empty")
    still("no_database", tmp_path / "missing")
    still("no_database", tmp_path)
    still("restore_itself", file)
    link = tmp_path / "link.db"
    link.symlink_to(file)
    still("restore_itself", link)
    with closing(schema.connect(backup)) as connection:
        connection.execute("PRAGMA user_version = 99")
    still("store_newer", backup)


def test_rows_that_refer_to_nothing_are_damage_too(file: Path, backup: Path) -> None:
    with closing(sqlite3.connect(backup)) as connection:
        connection.execute("DELETE FROM persons")
        connection.commit()
    with refuses("backup_damaged"):
        restore(backup, file, NOW)


def test_a_backup_of_version_1_is_restored_and_upgraded(file: Path, backup: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    with closing(sqlite3.connect(old)) as connection:
        connection.executescript(VERSION_1.read_text(encoding="utf-8"))
    restore(old, file, NOW)

    async def test() -> None:
        async with opened(str(file)) as store:
            assert {entry.table.id for entry in await store.tables()} == {"t1", "t2", "t3"}
            assert await store.append("t1", 5, event(5)) is Appended.DONE

    run(test)


@contextmanager
def held(file: Path, *, announced: bool) -> Iterator[None]:
    """Another process has a database open, and may be a server on it."""
    code = (
        "import asyncio, sys\n"
        "from davidgoliath.server.store.contract import Instance\n"
        "from tests.stores import opened\n"
        "async def main():\n"
        "    async with opened(sys.argv[1]) as store:\n"
        f"        if {announced}: await store.announce(Instance('http://here/', 7, 1.0))\n"
        "        print('ready', flush=True)\n"
        "        sys.stdin.read()\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", code, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        assert child.stdout.readline().split() == [b"ready"]
        yield
        child.communicate()


@pytest.mark.parametrize(("announced", "reason"), [(True, "restore_runs"), (False, "store_busy")])
def test_nothing_is_moved_while_somebody_uses_it(file: Path, backup: Path, announced: bool, reason: str) -> None:
    before = contents(file)
    with held(file, announced=announced):
        files = sorted(path.name for path in file.parent.iterdir())
        with refuses(reason):
            restore(backup, file, NOW)
        assert sorted({*files, "tables.db-instance"}) == sorted(
            {*(path.name for path in file.parent.iterdir()), "tables.db-instance"}
        )
    assert contents(file) == before
    assert restore(backup, file, NOW).kept
    assert contents(file) == contents(backup)


def test_what_root_restores_belongs_to_the_servers_user(file: Path, backup: Path) -> None:
    if sys.platform == "win32" or os.geteuid() != 0:
        pytest.skip("for root alone")
    os.chown(file, 65534, 65534)
    restore(backup, file, NOW)
    assert file.stat().st_uid == 65534


def test_postgresql_has_its_own_tool(backup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "restore", str(backup), "--database", "postgresql://db.example/club"]) == 1
    assert "pg_restore" in capsys.readouterr().err


def test_a_server_does_not_start_on_damage(file: Path, backup: Path) -> None:
    """A page in the middle, which nobody would have looked at before somebody came to that table."""
    with file.open("r+b") as damaged:
        damaged.seek(file.stat().st_size - 4096)
        damaged.write(b"\x99" * 4096)
    with refuses("store_damaged") as error:
        asyncio.run(open_store(str(file), checks=True))
    for language in LANGUAGES:
        assert "tables restore" in Texts(language).error(error.value)
    restore(backup, file, NOW)

    async def test() -> None:
        await (await open_store(str(file), checks=True)).close()

    run(test)


def test_a_check_that_takes_too_long_is_broken_off(file: Path, backup: Path) -> None:
    async def more() -> None:
        async with opened(str(file)) as store:
            await store.create_table(TableRow("long", 0.0), *map(event, range(60_000)))

    run(more)
    with closing(schema.connect(file)) as connection:
        check_quickly(connection, file, seconds=0.0)
        check_quickly(connection, file)
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (4,)
