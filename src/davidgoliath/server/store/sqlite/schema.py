"""The SQLite file: its tables, how it is opened and brought up to date, and what its errors mean.

The file carries our `application_id`, so another program's database is never touched, and in `user_version` the number
of the last of `STEPS` that it took. A step that has been published never changes; a new one follows it.
"""

import errno
import os
import shutil
import sqlite3
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.store.contract import StoreReason

APPLICATION_ID: Final = 0x44476F31
"""`DGo1`: what makes a SQLite file ours."""

BUSY_SECONDS: Final = 10.0
"""How long we wait for another process that writes."""

CHECK_SECONDS: Final = 5.0
"""So long a server looks at its database before it starts, at most: enough for some gigabytes."""

NO_LOG: Final = b"\x01\x01"
"""What the header of a file has (at its bytes 18 and 19) that is used without a log."""

SHORT_BUSY_SECONDS: Final = 0.02
"""The same, for what can be tried again: the writer may wait for us meanwhile."""

PAGES_TO_START: Final = 65_536
"""So many bytes free are too few even to open a database."""

SHARES_MEMORY: Final = sys.platform != "emscripten"

FULL: Final = 2
"""`PRAGMA synchronous`: a commit returns when the disk has it."""

STEPS: Final = (
    (
        """CREATE TABLE tables (
            id TEXT NOT NULL PRIMARY KEY,
            created REAL NOT NULL,
            stage TEXT NOT NULL CHECK (stage IN ('waiting', 'running', 'over'))
        ) WITHOUT ROWID""",
        """CREATE TABLE events (
            table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
            seq INTEGER NOT NULL CHECK (seq > 0),
            version INTEGER NOT NULL,
            at REAL NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (table_id, seq)
        ) WITHOUT ROWID""",
        """CREATE TRIGGER events_never_change BEFORE UPDATE ON events
            BEGIN SELECT RAISE(ABORT, 'events never change'); END""",
        """CREATE TRIGGER events_go_with_their_table BEFORE DELETE ON events
            WHEN EXISTS (SELECT 1 FROM tables WHERE id = OLD.table_id)
            BEGIN SELECT RAISE(ABORT, 'events go only with their table'); END""",
        """CREATE TABLE persons (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            created REAL NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE tokens (
            hash BLOB NOT NULL PRIMARY KEY,
            person_id TEXT NOT NULL REFERENCES persons ON DELETE CASCADE,
            created REAL NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX tokens_by_person ON tokens (person_id)",
        """CREATE TABLE members (
            person_id TEXT NOT NULL REFERENCES persons ON DELETE CASCADE,
            table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
            joined REAL NOT NULL,
            PRIMARY KEY (person_id, table_id)
        ) WITHOUT ROWID""",
        "CREATE INDEX members_by_table ON members (table_id)",
        """CREATE TABLE instance (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            address TEXT NOT NULL,
            pid INTEGER NOT NULL,
            started REAL NOT NULL
        )""",
    ),
    (
        """CREATE TABLE listed (
            id TEXT NOT NULL PRIMARY KEY REFERENCES tables ON DELETE CASCADE
        ) WITHOUT ROWID""",
        """INSERT INTO listed SELECT id FROM tables JOIN events ON table_id = id
            WHERE stage = 'waiting' AND seq = 1 AND instr(body, CAST('"public":true' AS BLOB))""",
        "CREATE TABLE running (one INTEGER PRIMARY KEY CHECK (one = 1), seconds REAL NOT NULL)",
        "INSERT INTO running VALUES (1, 0)",
        """CREATE TABLE idle_tables (
            id TEXT NOT NULL PRIMARY KEY REFERENCES tables ON DELETE CASCADE,
            since REAL NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE idle_persons (
            id TEXT NOT NULL PRIMARY KEY REFERENCES persons ON DELETE CASCADE,
            since REAL NOT NULL
        ) WITHOUT ROWID""",
    ),
    ("ALTER TABLE persons ADD COLUMN stone TEXT",),
    (
        """CREATE TABLE codes (
            code TEXT NOT NULL PRIMARY KEY,
            table_id TEXT NOT NULL UNIQUE REFERENCES tables ON DELETE CASCADE
        ) WITHOUT ROWID""",
        """CREATE TRIGGER codes_end_with_waiting AFTER UPDATE OF stage ON tables WHEN NEW.stage <> 'waiting'
            BEGIN DELETE FROM codes WHERE table_id = NEW.id; END""",
    ),
    (
        """CREATE TABLE reviews (
            table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
            deal INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            person_id TEXT REFERENCES persons ON DELETE CASCADE,
            judge TEXT NOT NULL,
            position BLOB NOT NULL,
            at REAL NOT NULL,
            is_final INTEGER NOT NULL,
            is_counted INTEGER NOT NULL,
            body BLOB NOT NULL CHECK (length(body) <= 10240),
            PRIMARY KEY (table_id, deal, seat)
        ) WITHOUT ROWID""",
        "CREATE INDEX reviews_by_person ON reviews (person_id)",
        """CREATE TABLE shares (
            table_id TEXT NOT NULL REFERENCES tables ON DELETE CASCADE,
            person_id TEXT NOT NULL REFERENCES persons ON DELETE CASCADE,
            PRIMARY KEY (table_id, person_id)
        ) WITHOUT ROWID""",
        "CREATE INDEX shares_by_person ON shares (person_id)",
        """CREATE TABLE learners (
            id TEXT NOT NULL PRIMARY KEY REFERENCES persons ON DELETE CASCADE,
            seen REAL NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE idle_learners (
            id TEXT NOT NULL PRIMARY KEY REFERENCES learners ON DELETE CASCADE,
            since REAL NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE figures (
            person_id TEXT NOT NULL REFERENCES learners ON DELETE CASCADE,
            week TEXT NOT NULL,
            company TEXT NOT NULL,
            name TEXT NOT NULL,
            count INTEGER NOT NULL,
            points REAL NOT NULL,
            PRIMARY KEY (person_id, week, company, name)
        ) WITHOUT ROWID""",
    ),
)


def open_for_writing(file: Path, *, checks: bool = False) -> sqlite3.Connection:
    """The writer's connection to a database that is there, ours and up to date from then on.

    If somebody `checks`, it is read first, as far as there is time for it: see `check_quickly`.
    """
    create_private(file)
    before = _identity(file)
    try:
        if file.is_file() and file.stat().st_nlink > 1:  # SQLite would keep a log and locks beside each name
            raise Refusal(StoreFailure.STORE_TWO_NAMES, file=file)
        connection = connect(file)
    except sqlite3.Error as error:
        raise explained(error, file) from None
    try:
        _check_ours(connection, file)
        _use_log(connection)
        if _identity(file) != before:  # from here on we have it open, and nobody replaces it
            raise Refusal(StoreFailure.STORE_BUSY, file=file)
        if checks:
            check_quickly(connection, file)
        upgrade(connection, file)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # on macOS fsync alone leaves data in the drive
        connection.execute("PRAGMA checkpoint_fullfsync = ON")
        connection.execute("PRAGMA secure_delete = ON")  # a deleted name is overwritten
        connection.execute("PRAGMA journal_size_limit = 67108864")
        if _number(connection, "synchronous") != FULL:
            raise RuntimeError("this SQLite doesn't wait for the disk")
    except sqlite3.Error as error:
        connection.close()
        raise explained(error, file) from None
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(file: Path) -> sqlite3.Connection:
    """A connection that sees what is committed, never waits for a writer, and can't write."""
    try:
        connection = connect(file)
        connection.execute("PRAGMA query_only = ON")
    except sqlite3.Error as error:
        raise explained(error, file) from None
    return connection


def connect(file: Path, timeout: float = BUSY_SECONDS) -> sqlite3.Connection:
    """A connection for any one thread at a time, in which transactions begin when we say so."""
    connection = sqlite3.connect(file, timeout=timeout, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def upgrade(connection: sqlite3.Connection, file: Path, steps: Sequence[Sequence[str]] = STEPS) -> None:
    """Takes the steps that a database hasn't taken yet: all, or none.

    Writes in any case, since SQLite lets a write transaction begin on a file that it can't write.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _number(connection, "user_version")
        if version > len(steps):
            raise Refusal(StoreFailure.STORE_NEWER, file=file, found=version, expected=len(steps))
        for statements in steps[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def explained(error: sqlite3.Error, file: Path) -> Refusal:
    """What a SQLite error means to whoever runs the server."""
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:  # the rest says more than we need
        case sqlite3.SQLITE_FULL:
            return Refusal(StoreFailure.STORE_FULL, file=file)
        case sqlite3.SQLITE_IOERR if shutil.disk_usage(file.parent).free < PAGES_TO_START:
            # there was no room for what SQLite keeps beside the file
            return Refusal(StoreFailure.STORE_FULL, file=file)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Refusal(StoreFailure.STORE_BUSY, file=file)
        case sqlite3.SQLITE_NOTADB:
            return Refusal(StoreFailure.STORE_NOT_OURS, file=file)
        case sqlite3.SQLITE_CORRUPT:
            return Refusal(StoreFailure.STORE_DAMAGED, file=file)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return Refusal(StoreFailure.STORE_READ_ONLY, file=file)
        case sqlite3.SQLITE_CANTOPEN:
            return Refusal(StoreFailure.STORE_NO_ACCESS, file=file)
        case _:
            return Refusal(StoreFailure.STORE_TROUBLE, file=file, why=error)


def create_private(file: Path, like: Path | None = None) -> None:
    """Makes an empty file that only its owner can read: running deals will be in it.

    What root makes belongs to whom another file, or its folder, belongs: the server may be another user. An existing
    file is not even opened here: closing it would drop SQLite's locks on it in this process.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        try:
            if like is not None and os.name != "nt" and os.geteuid() == 0:
                owner = (like if like.exists() else like.parent).stat()
                os.fchown(handle, owner.st_uid, owner.st_gid)
        finally:
            os.close(handle)
    except FileExistsError:
        if not file.parent.is_dir():
            raise Refusal(StoreFailure.STORE_NO_FOLDER, folder=file.parent) from None
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise Refusal(StoreFailure.STORE_FULL, file=file) from None
        raise Refusal(StoreFailure.STORE_NO_FOLDER, folder=file.parent) from None


def log_of(file: Path) -> Path:
    """Where SQLite keeps a database's last commits."""
    return file.with_name(f"{file.name}-wal")


def has_foreign_log(file: Path) -> bool:
    """Whether the log beside a file is of another database.

    A file says in its header whether it is used with a log. A backup says no, and so does any database that was closed
    as it should be (`without_log`). If there is a log none the less, somebody has copied the file there.
    """
    log = log_of(file)
    try:
        before = _identity(log)
        with file.open("rb") as stream:
            says_no = stream.read(20)[18:] == NO_LOG
        return says_no and log.stat().st_size > 0 and _identity(log) == before  # it may just have been closed
    except OSError:
        return False


def empty_log(file: Path) -> bool:
    """Empties the log of a database that is in use, so that nothing is left of what was deleted; False if it can't be.

    Most of it is done without anybody waiting, and the rest only if nobody reads or writes at that moment.
    """
    with closing(connect(file, timeout=SHORT_BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA checkpoint_fullfsync = ON")
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        is_busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not is_busy


def without_log(connection: sqlite3.Connection) -> None:
    """Puts all that is in its log into a database, which is one file from then on, until it is opened again.

    If others have it open, it stays as it is.
    """
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()


def check_log(file: Path) -> None:
    """Before SQLite opens a file: from then on it would be too late, and to read the file would drop its locks."""
    if has_foreign_log(file):
        raise Refusal(StoreFailure.STORE_FOREIGN_LOG, file=file, log=log_of(file))


def check_quickly(connection: sqlite3.Connection, file: Path, seconds: float = CHECK_SECONDS) -> None:
    """Refuses a damaged database. One that is too large to be read in that time is taken on trust."""
    stop = threading.Timer(seconds, connection.interrupt)
    stop.start()
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        return
    finally:
        stop.cancel()
        stop.join()
    if found != ("ok",):
        raise Refusal(StoreFailure.STORE_DAMAGED, file=file)


def check_whole(connection: sqlite3.Connection, file: Path) -> None:
    """Reads all of a database of ours, and refuses one that is damaged, or newer than we are."""
    _check_ours(connection, file)
    if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise Refusal(StoreReason.BACKUP_DAMAGED, file=file)
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        raise Refusal(StoreReason.BACKUP_DAMAGED, file=file)


def _identity(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_dev, found.st_ino


def _check_ours(connection: sqlite3.Connection, file: Path) -> None:
    is_new = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if not is_new and _number(connection, "application_id") != APPLICATION_ID:
        raise Refusal(StoreFailure.STORE_NOT_OURS, file=file)
    version = _number(connection, "user_version")
    if version > len(STEPS):
        raise Refusal(StoreFailure.STORE_NEWER, file=file, found=version, expected=len(STEPS))


def _use_log(connection: sqlite3.Connection) -> None:
    """Readers and the writer won't wait for each other. Two that switch at once can't wait: one tries again.

    In a browser there is no memory to share, so no such log either: there what a commit changes is put aside first.
    """
    if not SHARES_MEMORY:
        connection.execute("PRAGMA journal_mode = TRUNCATE")
        return
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
            time.sleep(0.01)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    number: int = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return number
