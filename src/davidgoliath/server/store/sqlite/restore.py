"""Puts a backup of a SQLite database into its place, and keeps what was there.

A database is a file and the log beside it, which has the last commits after a crash. Whoever copies a backup over the
file alone leaves that log, and SQLite would apply it to what it doesn't belong to. So here the file moves together with
all that lies beside it, under another name, and the backup comes into its place at once, as a copy that was checked.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.store.contract import StoreReason
from davidgoliath.server.store.sqlite.instance_lock import InstanceLock
from davidgoliath.server.store.sqlite.private_files import flush, flush_folder, private_folder
from davidgoliath.server.store.sqlite.schema import (
    APPLICATION_ID,
    check_whole,
    connect,
    create_private,
    explained,
    has_foreign_log,
    log_of,
    without_log,
)

BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file."""
PAGES: Final = 4096
"""So many are copied between two reports."""
SHARED: Final = 0x40000002, 510
"""The bytes of a file on which everyone who uses it has a lock: see SQLite's file format."""


class Restored(NamedTuple):
    """What came of it."""

    tables: int
    """So many the backup holds: none, perhaps, if somebody copied the file of a running server without its log."""
    kept: Path | None
    """Where is now what was there."""


def restore(
    backup: Path, file: Path, now: datetime, progress: Callable[[int, int], None] = lambda done, pages: None
) -> Restored:
    """Puts a copy of a backup in the place of a database that nobody uses."""
    backup, file = Path(os.path.realpath(backup)), Path(os.path.realpath(file))
    if not backup.is_file():
        raise Refusal(StoreReason.NO_DATABASE, file=backup)
    if file.exists() and backup.samefile(file):
        raise Refusal(StoreReason.RESTORE_ITSELF, file=file)
    with private_folder(file.parent) as folder:
        new = folder / "new"
        create_private(new, like=file)
        try:
            _copy(backup, new, progress)
            tables = _check(new, backup)
        except sqlite3.Error as error:
            refusal = explained(error, backup)
            if refusal.reason == StoreFailure.STORE_DAMAGED:
                raise Refusal(StoreReason.BACKUP_DAMAGED, file=backup) from None
            if explained(error, file).reason == StoreFailure.STORE_FULL:  # its disk is where the copy is made
                raise Refusal(StoreFailure.STORE_FULL, file=file) from None
            raise refusal from None
        flush(new)
        with _alone(file):
            kept = _set_aside(file, now)
            new.replace(file)
            flush_folder(file.parent)
    return Restored(tables, kept)


def _copy(backup: Path, new: Path, progress: Callable[[int, int], None]) -> None:
    """With what is in its own log, if it has one; without, the file is all there is, and may be on a disk as it is."""
    has_log = log_of(backup).exists() and not has_foreign_log(backup)
    way = f"{backup.as_uri()}?mode=ro{'' if has_log else '&immutable=1'}"
    with closing(sqlite3.connect(way, uri=True)) as source, closing(connect(new)) as target:
        source.backup(target, pages=PAGES, progress=lambda _, left, pages: progress(pages - left, pages))
        without_log(target)


def _check(new: Path, backup: Path) -> int:
    """How many tables are in it, if it is whole and ours."""
    with closing(connect(new)) as connection:
        if connection.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
            raise Refusal(StoreFailure.STORE_NOT_OURS, file=backup)
        check_whole(connection, backup)
        tables: int = connection.execute("SELECT count(*) FROM tables").fetchone()[0]
        return tables


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Nobody uses a database meanwhile: no server runs on it, and nobody has it open."""
    instance_lock = InstanceLock(file)
    if not instance_lock.take():
        raise Refusal(StoreReason.RESTORE_RUNS, file=file)
    try:
        with _locked(file):
            yield
    finally:
        instance_lock.drop()


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Windows moves no file that somebody has open; elsewhere those who have it open share a lock."""
    if os.name == "nt" or not file.exists():
        yield
        return
    import fcntl

    handle = os.open(file, os.O_RDWR)
    try:
        start, length = SHARED
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        yield
    except BlockingIOError:
        raise Refusal(StoreFailure.STORE_BUSY, file=file) from None
    finally:
        os.close(handle)


def _set_aside(file: Path, now: datetime) -> Path | None:
    """Gives all that belongs to a database another name. Its file has both for a moment, so there always is one."""
    there = [suffix for suffix in ("", *BESIDE) if os.path.lexists(f"{file}{suffix}")]
    if not there:
        return None
    kept = _free_name(f"{file}.before-{now:%Y%m%d-%H%M%S}")
    if "" in there:
        try:
            os.link(file, kept)
            there.remove("")
        except FileExistsError:
            raise
        except OSError:  # a disk without links
            there = [*there[1:], ""]
    for suffix in there:
        Path(f"{file}{suffix}").rename(f"{kept}{suffix}")
    return kept


def _free_name(wanted: str) -> Path:
    names = (f"{wanted}{'' if number == 1 else f'-{number}'}" for number in count(1))
    return Path(next(name for name in names if not any(os.path.lexists(name + beside) for beside in ("", *BESIDE))))
