"""`davidgoliath tables`, for who runs a server."""

import asyncio
import errno
import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from davidgoliath.cli import main
from davidgoliath.server.store.contract import Stage, Stored
from davidgoliath.server.store.sqlite.store import SqliteStore
from davidgoliath.server.table.events import VERSION, Ended, Locked, encode
from tests.stores import GAME, everything, fill, run


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with the tables t1 and t2, and the persons ann and ben."""

    async def make() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        await fill(store, GAME)
        await store.close()

    run(make)
    return tmp_path / "tables.db"


def contents(file: Path) -> object:
    async def read() -> object:
        store = SqliteStore(file)
        try:
            return await everything(store)
        finally:
            await store.close()

    return asyncio.run(read())


def test_a_list_shows_tables_and_no_names(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "list", "--database", str(database)]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["Table", "Created", "Last", "active", "Stage", "Events"]
    assert sorted(line.split()[0] for line in lines) == ["t1", "t2"]
    assert main(["tables", "list", "--json", "--database", str(database)]) == 0
    out = capsys.readouterr().out
    rows = {row["id"]: row for row in map(json.loads, out.splitlines())}
    assert set(rows) == {"t1", "t2"}
    assert set(rows["t1"]) == {"id", "created", "active", "stage", "events"}
    assert rows["t1"]["events"] == 4
    assert rows["t1"]["created"].startswith("1970-01-01T")
    with closing(sqlite3.connect(database)) as connection:
        for (name,) in connection.execute("SELECT name FROM persons"):
            assert name not in out


@pytest.mark.parametrize(("is_ended", "stage", "said"), [(False, "running", "running"), (True, "finished", "finished")])
def test_a_finished_match_is_not_running(
    database: Path, capsys: pytest.CaptureFixture[str], is_ended: bool, stage: str, said: str
) -> None:
    async def play() -> None:
        store = SqliteStore(database)
        event = Ended() if is_ended else Locked(True)
        await store.append("t1", 5, Stored(VERSION, 30.0, encode(event)), stage=Stage.RUNNING)
        await store.close()

    run(play)
    assert main(["tables", "list", "--json", "--database", str(database)]) == 0
    rows = {row["id"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert (rows["t1"]["stage"], rows["t2"]["stage"]) == (stage, "waiting")
    assert main(["tables", "list", "--database", str(database)]) == 0
    assert f"  {said} " in capsys.readouterr().out


def test_no_tables_are_said_to_be_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(SqliteStore(tmp_path / "empty.db").close)
    assert main(["tables", "list", "--database", str(tmp_path / "empty.db")]) == 0
    assert capsys.readouterr().out == "There are no tables.\n"


def test_tables_are_closed_and_deleted_by_id(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--database", str(database)]
    assert main(["tables", "close", "t1", *where]) == 0
    assert main(["tables", "delete", "t2", *where]) == 0
    capsys.readouterr()
    main(["tables", "list", "--json", *where])
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["id"], row["stage"]) == ("t1", Stage.OVER)
    for command in ("close", "delete"):
        assert main(["tables", command, "t2", *where]) == 1
        assert "‘t2’" in capsys.readouterr().err


def test_a_missing_database_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "missing.db"
    for words in (["list"], ["close", "t1"], ["delete", "t1"], ["backup", "x"], ["export", "x"]):
        assert main(["tables", *words, "--database", str(file)]) == 1
        assert "missing.db" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_export_that_finds_the_disk_full_says_where(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def export(*_: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("davidgoliath.server.store.transfer.export_store", export)
    before, file = set(database.parent.iterdir()), database.with_name("all.jsonl")
    assert main(["tables", "export", str(file), "--database", str(database)]) == 1
    assert capsys.readouterr().err == f"davidgoliath: {file}: the disk is full\n"
    assert {path for path in database.parent.iterdir() if not path.name.startswith("tables.db")} <= before


def test_a_backup_is_a_whole_database(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = database.with_name("copy.db")
    assert main(["tables", "backup", str(copy), "--database", str(database)]) == 0
    assert contents(copy) == contents(database)
    assert main(["tables", "backup", str(copy), "--database", str(database)]) == 1
    assert "copy.db" in capsys.readouterr().err


def test_an_export_is_imported_elsewhere(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = database.with_name("all.jsonl"), database.with_name("other.db")
    assert main(["tables", "export", str(file), "--database", str(database)]) == 0
    assert "13" in capsys.readouterr().out
    assert file.stat().st_mode & 0o077 == 0
    assert main(["tables", "import", str(file), "--database", str(other)]) == 0
    assert contents(other) == contents(database)
    assert main(["tables", "export", str(file), "--database", str(database)]) == 1
    assert main(["tables", "import", str(file), "--database", str(other)]) == 1
    assert main(["tables", "import", str(file) + ".missing", "--database", str(other)]) == 1
    assert sorted(path.name for path in database.parent.iterdir()) == ["all.jsonl", "other.db", "tables.db"]


@pytest.mark.parametrize("command", ["backup", "export"])
def test_what_somebody_put_there_beforehand_is_not_written_to(
    database: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither under the file's own name nor under one that it might have while it is made."""
    victim, file = database.with_name("victim"), database.with_name("shared") / "copy"
    victim.write_text("mine")
    file.parent.mkdir()
    for name in ("copy", "copy.new", f"copy.{os.getpid()}"):
        file.with_name(name).symlink_to(victim)
    assert main(["tables", command, str(file), "--database", str(database)]) == 1
    assert "exists already" in capsys.readouterr().err
    file.unlink()
    assert main(["tables", command, str(file), "--database", str(database)]) == 0
    assert victim.read_text() == "mine"
    assert not file.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 or os.name == "nt"
