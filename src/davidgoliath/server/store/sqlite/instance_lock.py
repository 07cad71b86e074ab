"""Which server runs on a database: a row with its address, and a lock that the system takes back when its process ends.

A process number alone would not do: numbers are used again, and mean nothing in another container. So a server holds
SQLite's own exclusive lock on an empty file beside the database, which works alike on all systems, and whoever can take
that lock knows that the row is stale. Both are looked at and changed within a write transaction on the
database, so nobody sees one without the other.
"""

import sqlite3
from pathlib import Path

from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.store.contract import Instance
from davidgoliath.server.store.sqlite.schema import connect, create_private


class InstanceLock:
    """This process's hold on a database, if it has one. To be used from the writer's thread."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._beside = file.with_name(f"{file.name}-instance")
        self._lock: sqlite3.Connection | None = None

    def announce(self, connection: sqlite3.Connection, instance: Instance) -> Instance:
        """Takes the place, or says who has it."""
        if not self.take():
            found = _row(connection)
            if found is None:
                raise Refusal(StoreFailure.STORE_BUSY, file=self._file)
            return found
        values = (instance.address, instance.pid, instance.started)
        connection.execute("INSERT OR REPLACE INTO instance VALUES (1, ?, ?, ?)", values)
        return instance

    def announced(self, connection: sqlite3.Connection) -> Instance | None:
        """Who has the place now."""
        if self._lock is None and (lock := self._try()):
            lock.close()
            return None
        return _row(connection)

    def take(self) -> bool:
        """Takes the place, if it is free, without a word: False if it isn't."""
        self._lock = self._lock or self._try()
        return self._lock is not None

    def drop(self) -> None:
        """Gives the place up, as the end of the process would: the row is stale from now on."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _try(self) -> sqlite3.Connection | None:
        create_private(self._beside, like=self._file)
        lock = connect(self._beside, timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            return None
        return lock


def _row(connection: sqlite3.Connection) -> Instance | None:
    row = connection.execute("SELECT address, pid, started FROM instance").fetchone()
    return Instance(*row) if row else None
