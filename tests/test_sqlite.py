"""What the store in a SQLite file has of its own: durability, old and foreign files, trouble with the disk, backups."""

import asyncio
import errno
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.store.contract import DAY, Appended, Instance, PersonRow, Stage, Stored, TableRow, TokenRow
from davidgoliath.server.store.sqlite import schema
from davidgoliath.server.store.sqlite.private_files import new_file
from davidgoliath.server.store.sqlite.schema import log_of
from davidgoliath.server.store.sqlite.store import SqliteStore, default_file
from davidgoliath.server.table.events import Created, encode
from davidgoliath.texts import LANGUAGES, Texts
from tests.refusals import refuses
from tests.stores import event, everything, fill, opened, run, sweep_surely

ROOT = Path(__file__).parent.parent
VERSION_1 = Path(__file__).with_name("store_v1.sql")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder to work in as somebody who is not root, whom no permission stops."""
    if sys.platform == "win32":
        pytest.skip("permissions are another matter there")
    folder = Path(tempfile.mkdtemp())
    is_root = os.geteuid() == 0
    if is_root:
        os.chown(folder, 65534, -1)
        os.seteuid(65534)
    try:
        yield folder
    finally:
        folder.chmod(0o700)
        if is_root:
            os.seteuid(0)
        shutil.rmtree(folder)


def test_the_writer_waits_for_the_disk(file: Path) -> None:
    async def test() -> None:
        store = SqliteStore(file)
        ask = store.writer.do
        assert await ask(lambda connection: connection.execute("PRAGMA synchronous").fetchone()[0]) == schema.FULL
        assert await ask(lambda connection: connection.execute("PRAGMA journal_mode").fetchone()[0]) == "wal"
        assert await ask(lambda connection: connection.execute("PRAGMA foreign_keys").fetchone()[0]) == 1
        await store.close()

    run(test)


def test_those_who_wait_share_a_commit(file: Path) -> None:
    async def test() -> None:
        store = SqliteStore(file)
        await asyncio.gather(*(store.create_table(TableRow(f"t{number}", 0.0)) for number in range(200)))
        for seq in (1, 2, 3):
            await asyncio.gather(*(store.append(f"t{number}", seq, event(seq)) for number in range(200)))
        assert store.writer.jobs == 800
        assert store.writer.commits < 80
        await store.close()

    run(test)


def test_of_those_who_share_a_commit_one_that_comes_too_late_harms_no_other(file: Path) -> None:
    async def test() -> None:
        store = SqliteStore(file)
        await asyncio.gather(*(store.create_table(TableRow(name, 0.0), event(1)) for name in "abcde"))
        await store.close_table("e")
        wanted = [("a", 2), ("b", 1), ("c", 3), ("nowhere", 1), ("e", 2), ("d", 2), ("d", 3)]
        appended = await asyncio.gather(*(store.append(table, seq, event(seq)) for table, seq in wanted))
        assert [one.name for one in appended] == ["DONE", "TAKEN", "GAP", "NO_TABLE", "OVER", "DONE", "DONE"]
        assert [len(await store.events(table)) for table in "abcde"] == [2, 1, 1, 3, 1]
        await store.close()

    run(test)


def test_the_writer_outlives_work_that_breaks_the_transaction(file: Path) -> None:
    async def test() -> None:
        store = SqliteStore(file)
        broken = store.writer.do(lambda connection: connection.execute("COMMIT") and 1 / 0)
        beside = store.create_table(TableRow("t", 0.0))
        answers = await asyncio.gather(broken, beside, return_exceptions=True)
        assert all(isinstance(answer, Exception) for answer in answers)
        assert await store.create_table(TableRow("t", 0.0))
        await store.close()

    run(test)


def test_readers_do_not_wait_for_the_writer(file: Path) -> None:
    async def test() -> None:
        store = SqliteStore(file)
        await store.create_table(TableRow("t", 0.0), event(1))
        release, writing = threading.Event(), threading.Event()

        def hold(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE tables SET stage = 'over'")
            writing.set()
            release.wait(30)

        held = asyncio.create_task(store.writer.do(hold))
        append = asyncio.create_task(store.append("t", 2, event(2)))
        assert await asyncio.to_thread(writing.wait, 30)
        assert await store.events("t") == [event(1)]
        assert await store.table("t") == TableRow("t", 0.0)
        assert not append.done()
        release.set()
        await held
        assert await append is Appended.OVER
        await store.close()

    run(test)


def test_readers_can_not_write(file: Path) -> None:
    async def test() -> None:
        store = SqliteStore(file)
        with refuses("store_read_only"):
            await store._rows("DELETE FROM tables")
        await store.close()

    run(test)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = x'00' WHERE seq = 1",
        "UPDATE events SET seq = seq + 10",
        "DELETE FROM events WHERE seq = 1",
        "DELETE FROM events",
        "INSERT INTO events VALUES ('t1', 1, 1, 0, x'00')",
        "INSERT INTO events VALUES ('nowhere', 1, 1, 0, x'00')",
    ],
)
def test_events_never_change_whoever_tries(file: Path, statement: str) -> None:
    async def test() -> None:
        async with opened(str(file)) as store:
            await fill(store)
            before = await everything(store)
            with closing(schema.connect(file)) as connection, pytest.raises(sqlite3.IntegrityError):
                connection.execute(statement)
            assert await everything(store) == before

    run(test)


def test_a_database_of_version_1_is_read_forever(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(VERSION_1.read_text(encoding="utf-8"))

    async def test() -> None:
        async with opened(str(file)) as store:
            assert await store.events("t1") == [
                Stored(1, 20.0, b'{"n":1}'),
                Stored(1, 21.0, b'{"n":2}'),
                Stored(7, 22.125, b"\xff\x00base64:"),
                Stored(1, 23.0, b"base64:"),
            ]
            assert [(listed.table.id, listed.table.stage) for listed in await store.tables()] == [
                ("t3", Stage.OVER),
                ("t2", Stage.UNSTARTED),
                ("t1", Stage.RUNNING),
            ]
            person = await store.person_of(token_hash("ben"))
            assert person is not None
            assert person.name == "Ben"
            assert await store.announced() is None
            assert await store.append("t1", 5, event(5)) is Appended.DONE
            assert await store.listed(9) == []
            assert [await store.code(name, f"BBBBB{name}") for name in ("t1", "t2", "t3")] == [None, "BBBBBt2", None]
            assert (await sweep_surely(store, 9 * DAY, idle_for=DAY)).tables == ("t1", "t2", "t3")
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (len(schema.STEPS),)

    run(test)


def test_tables_of_version_1_that_want_to_be_found_are_found(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(VERSION_1.read_text(encoding="utf-8"))
        for name, stage, public in (
            ("open", "waiting", True),
            ("begun", "running", True),
            ("secret", "waiting", False),
        ):
            created = encode(Created("ann", ("ann", None, "bot:club"), "classic", public=public))
            connection.execute("INSERT INTO tables VALUES (?, 50.0, ?)", (name, stage))
            connection.execute("INSERT INTO events VALUES (?, 1, 1, 50.0, ?)", (name, created))
        connection.commit()

    async def test() -> None:
        async with opened(str(file)) as store:
            assert [entry.table.id for entry in await store.listed(9)] == ["open"]

    run(test)


def test_a_step_is_taken_once_and_whole(file: Path) -> None:
    with closing(schema.open_for_writing(file)) as connection:
        steps = [*schema.STEPS, ["CREATE TABLE more (id)", "INSERT INTO more VALUES (1)"]]
        schema.upgrade(connection, file, steps)
        schema.upgrade(connection, file, steps)
        assert connection.execute("SELECT count(*) FROM more").fetchone() == (1,)
        broken = [*steps, ["INSERT INTO more VALUES (2)", "CREATE TABLE more (id)"]]
        with pytest.raises(sqlite3.OperationalError):
            schema.upgrade(connection, file, broken)
        assert connection.execute("SELECT count(*) FROM more").fetchone() == (1,)
        assert connection.execute("PRAGMA user_version").fetchone() == (len(steps),)


def test_a_newer_database_is_refused_and_stays_as_it_is(file: Path) -> None:
    with closing(schema.open_for_writing(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = file.read_bytes()
    with refuses("store_newer") as error:
        SqliteStore(file)
    assert file.read_bytes() == before
    for language in LANGUAGES:
        assert "99" in Texts(language).error(error.value)
    with closing(schema.connect(file)) as connection, refuses("store_newer"):
        schema.upgrade(connection, file)


def test_other_files_are_refused_and_stay_as_they_are(file: Path) -> None:
    file.write_bytes(b"Dear diary, today I was Goliath. " * 100)
    before = file.read_bytes()
    with refuses("store_not_ours"):
        SqliteStore(file)
    assert file.read_bytes() == before

    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE diary (day)")
    before = file.read_bytes()
    with refuses("store_not_ours"):
        SqliteStore(file)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_damaged_file_is_refused(file: Path) -> None:
    async def test() -> None:
        async with opened(str(file)) as store:
            await store.create_table(TableRow("t", 0.0), *map(event, range(2000)))
        with file.open("r+b") as damaged:
            quarter = file.stat().st_size // 4  # the last one: what the tables are is written before their rows
            damaged.seek(3 * quarter)
            damaged.write(b"\x99" * quarter)
        async with opened(str(file)) as store:
            with refuses("store_damaged"):
                await store.events("t")

    run(test)


def test_a_full_disk_is_told_and_the_store_goes_on_after_it(file: Path) -> None:
    async def test() -> None:
        store = SqliteStore(file)
        await store.create_table(TableRow("t", 0.0), event(1))
        await store.create_table(TableRow("u", 0.0), event(1))
        limit = "PRAGMA max_page_count = {}"
        await store.writer.do(lambda connection: connection.execute(limit.format(1)).fetchone())
        big = Stored(1, 0.0, bytes(100_000))
        answers = await asyncio.gather(*(store.append(name, 2, big) for name in "tu"), return_exceptions=True)
        assert [getattr(answer, "reason", None) for answer in answers] == ["store_full", "store_full"]
        assert await store.events("t") == [event(1)]
        await store.writer.do(lambda connection: connection.execute(limit.format(10**6)).fetchone())
        assert await store.append("t", 2, big) is Appended.DONE
        await store.close()

    run(test)


def test_a_file_that_others_hold_is_told(file: Path) -> None:
    async def test() -> None:
        store = SqliteStore(file)
        await store.create_table(TableRow("t", 0.0))
        await store.writer.do(lambda connection: connection.execute("PRAGMA busy_timeout = 50").fetchone())
        with closing(schema.connect(file)) as other:
            other.execute("BEGIN IMMEDIATE")
            with refuses("store_busy"):
                await store.append("t", 1, event(1))
            assert await store.events("t") == []
            other.execute("ROLLBACK")
        assert await store.append("t", 1, event(1)) is Appended.DONE
        await store.close()

    run(test)


def test_a_read_only_file_is_refused(as_nobody: Path) -> None:
    file = as_nobody / "tables.db"
    schema.open_for_writing(file).close()
    file.chmod(0o400)
    with refuses("store_read_only"):
        SqliteStore(file)


def test_a_file_that_can_not_be_read_is_refused(as_nobody: Path) -> None:
    file = as_nobody / "tables.db"
    schema.open_for_writing(file).close()
    file.chmod(0)
    with refuses("store_no_access"):
        SqliteStore(file)


def test_a_folder_that_can_not_be_written_is_refused(as_nobody: Path) -> None:
    file = as_nobody / "tables.db"
    schema.open_for_writing(file).close()
    as_nobody.chmod(0o500)
    with refuses("store_no_folder"):
        SqliteStore(as_nobody / "other.db")
    with refuses("store_no_folder"):
        SqliteStore(as_nobody / "deeper" / "tables.db")
    with refuses("store_(no_access|read_only)"):
        SqliteStore(file)


def test_what_is_no_folder_or_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with refuses("store_no_folder"):
        SqliteStore(tmp_path / "file" / "tables.db")
    with refuses("store_no_folder"):
        SqliteStore(tmp_path / "file" / "deeper" / "tables.db")
    with refuses("store_no_access"):
        SqliteStore(tmp_path)


def test_folders_are_made_and_others_can_not_read_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "tables.db"

    async def test() -> None:
        store = SqliteStore(file)
        await fill(store)
        await store.backup(file.with_name("copy.db"))
        if sys.platform != "win32":
            for path in file.parent.glob("*.db*"):
                if path.stat().st_size:
                    assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        await store.close()

    run(test)


def test_a_backup_is_made_while_tables_are_played(file: Path) -> None:
    copy = file.with_name("copy.db")

    async def play(store: SqliteStore, table: str) -> None:
        await store.create_table(TableRow(table, 0.0))
        for seq in range(1, 101):
            await store.append(table, seq, event(seq))

    async def test() -> None:
        store = SqliteStore(file)
        await fill(store)
        players = asyncio.gather(*(play(store, f"p{number}") for number in range(5)))
        while len(await store.events("p1")) < 20:
            await asyncio.sleep(0)
        await store.backup(copy)
        assert not players.done()
        await players
        with refuses("backup_exists"):
            await store.backup(copy)
        with refuses("store_no_folder"):
            await store.backup(file / "copy.db")
        await store.close()
        async with opened(str(copy)) as restored:
            events = await restored.events("p1")
            assert events == [event(seq) for seq in range(1, len(events) + 1)]
            assert 20 <= len(events) < 100
            assert len(await restored.events("t1")) == 4
        assert sorted(path.name for path in file.parent.iterdir()) == ["copy.db", "tables.db"]

    run(test)


def test_a_backup_replaces_and_follows_nothing(file: Path) -> None:
    """Not in a folder where somebody else has put something beforehand either."""
    victim, there = file.with_name("victim"), file.with_name("copy.db")
    victim.write_text("mine")

    async def test() -> None:
        store = SqliteStore(file)
        await fill(store)
        for target in (victim, file.with_name("nowhere"), None):
            if target:
                there.symlink_to(target)
            else:
                there.write_text("x")
            with refuses("backup_exists"):
                await store.backup(there)
            there.unlink()
        await store.close()
        assert victim.read_text() == "mine"
        assert sorted(path.name for path in file.parent.iterdir()) == ["tables.db", "victim"]

    run(test)


@pytest.mark.parametrize("has_links", [True, False])
def test_what_comes_in_between_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not on this disk")

    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    file, victim = tmp_path / "new.db", tmp_path / "victim"
    victim.write_text("mine")
    with new_file(file) as beside:
        if os.name != "nt":
            assert beside.parent.stat().st_mode & 0o077 == 0
        assert not file.exists()
        beside.write_text("whole")
    assert file.read_text() == "whole"
    if os.name != "nt":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.unlink()
    with refuses("backup_exists"), new_file(file) as beside:
        beside.write_text("whole")
        file.symlink_to(victim)
    assert victim.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.db", "victim"]


def test_by_whatever_path_a_file_is_one_database(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link to it, or to its folder, leads to the same server, in another process too."""
    folder, link = file.parent / "linked", file.with_name("link.db")
    link.symlink_to(file)  # before there is a database: it is made where the link leads
    folder.symlink_to(file.parent, target_is_directory=True)
    here = Instance("http://here/", 1, 0.0)
    code = (
        "import asyncio, sys\n"
        "from davidgoliath.server.store.contract import Instance\n"
        "from tests.stores import opened\n"
        "async def main(address):\n"
        "    async with opened(address) as store:\n"
        "        print((await store.announce(Instance('http://there/', 2, 1.0))).address)\n"
        "asyncio.run(main(sys.argv[1]))\n"
    )

    async def test() -> None:
        async with opened(str(link)) as store:
            assert await store.announce(here) == here
            monkeypatch.chdir(file.parent)
            for path in (
                file,
                link,
                folder / "tables.db",
                folder / "link.db",
                Path("tables.db"),
                Path("linked/link.db"),
            ):
                async with opened(str(path)) as other:
                    assert await other.announced() == here
                    assert await other.announce(Instance("http://there/", 2, 1.0)) == here
            command = [sys.executable, "-c", code, str(folder / "link.db")]
            found = await asyncio.to_thread(subprocess.check_output, command, cwd=ROOT)
            assert found.split() == [b"http://here/"]
        if sys.platform != "win32":
            assert stat.S_IMODE(file.stat().st_mode) == 0o600

    run(test)


def test_a_file_with_two_names_is_refused(file: Path) -> None:
    schema.open_for_writing(file).close()
    file.with_name("second.db").hardlink_to(file)
    for name in ("tables.db", "second.db"):
        with refuses("store_two_names"):
            SqliteStore(file.with_name(name))


def test_what_root_makes_beside_a_database_is_its_owners(file: Path) -> None:
    if sys.platform == "win32" or os.geteuid() != 0:
        pytest.skip("for root alone")
    schema.open_for_writing(file).close()
    os.chown(file, 65534, 65534)

    async def test() -> None:
        async with opened(str(file)) as store:
            await store.announce(Instance("http://here/", 1, 0.0))
            assert {path.stat().st_uid for path in file.parent.iterdir()} == {65534}

    run(test)


def test_a_deleted_name_is_nowhere_in_the_file(file: Path) -> None:
    async def test() -> None:
        async with opened(str(file)) as store:
            await fill(store)
            await store.rename("ann", "Annegret Unmistakable")
        assert b"Unmistakable" in file.read_bytes()
        async with opened(str(file)) as store:
            await store.delete_person("ann")
        assert b"Unmistakable" not in file.read_bytes()
        assert b"Ben" in file.read_bytes()

    run(test)


def in_files(file: Path, text: bytes) -> list[str]:
    """The files in a folder in which a text is. Another process reads them: this one would drop SQLite's locks."""
    code = (
        "import sys, pathlib\n"
        "for path in pathlib.Path(sys.argv[1]).iterdir():\n"
        "    if sys.argv[2].encode() in path.read_bytes(): print(path.name)\n"
    )
    command = [sys.executable, "-I", "-c", code, str(file.parent), text.decode()]
    return sorted(subprocess.check_output(command, text=True).split())


async def gone(file: Path, text: bytes) -> None:
    while await asyncio.to_thread(in_files, file, text):
        await asyncio.sleep(0.05)


def test_a_deleted_name_is_soon_nowhere_in_the_log_either(file: Path) -> None:
    """The store stays open, as a server's does, and goes on."""
    name = "Annegret Unmistakable"
    persons = [PersonRow(f"p{number}", name, 0.0) for number in range(3)]

    async def test() -> None:
        async with opened(str(file)) as store:
            await fill(store)
            for person in persons:
                await store.add_person(person, TokenRow(token_hash(person.id), person.id, 0.0))
            assert log_of(file).name in in_files(file, name.encode())
            for person in persons:
                await store.delete_person(person.id)
            await gone(file, name.encode())
            await store.add_person(persons[0], TokenRow(token_hash("p0"), "p0", 0.0))
            await sweep_surely(store, 40 * DAY)
            await gone(file, name.encode())
            assert await store.append("t1", 5, event(5)) is Appended.NO_TABLE
            assert await store.create_table(TableRow("t", 0.0), event(1))

    run(test)


def test_a_name_is_deleted_from_the_log_when_readers_have_gone(file: Path) -> None:
    async def test() -> None:
        async with opened(str(file)) as store:
            await fill(store)
            await store.rename("ann", "Annegret Unmistakable")
            with closing(schema.connect(file)) as reader:
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM persons").fetchone()
                await store.delete_person("ann")
                await asyncio.sleep(0.5)
                assert in_files(file, b"Unmistakable")
                assert await store.append("t1", 5, event(5)) is Appended.DONE  # nobody waits for it
                reader.execute("ROLLBACK")
            await gone(file, b"Unmistakable")

    run(test)


def test_a_name_that_a_killed_server_left_in_the_log_goes_when_the_next_starts(file: Path) -> None:
    code = (
        "import asyncio, os, sys\n"
        "from davidgoliath.server.store.sqlite.store import SqliteStore\n"
        "from tests.stores import fill\n"
        "async def main():\n"
        "    store = SqliteStore(sys.argv[1])\n"
        "    await fill(store)\n"
        "    await store.rename('ann', 'Annegret Unmistakable')\n"
        "    store._erase_soon = lambda: None\n"
        "    await store.delete_person('ann')\n"
        "    os._exit(9)\n"
        "asyncio.run(main())\n"
    )
    subprocess.run([sys.executable, "-c", code, str(file)], cwd=ROOT, check=False)
    assert in_files(file, b"Unmistakable") == [log_of(file).name]

    async def test() -> None:
        async with opened(str(file)) as store:
            await store.announce(Instance("http://here/", 1, 0.0))
            await gone(file, b"Unmistakable")
            assert set(await store.persons("ann", "ben")) == {"ben"}

    run(test)


def test_the_store_is_in_the_data_directory_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAVIDGOLIATH_DATA", "games")
    assert default_file() == Path("games", "tables.db")
