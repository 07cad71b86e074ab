"""A PostgreSQL of our own for tests, soaks and measurements: the system's programs on a data directory that goes.

It refuses to run as root, so there the data belongs to the user `postgres`. `dg` asks this module what is missing
before anything is installed, so it needs no more than the standard library until a server is asked for.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

INSTALLED: Final = Path("/usr/lib/postgresql")
"""Where Debian has the programs of each version, of which only some are on the path."""
UNPRIVILEGED: Final = "postgres"
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder with a random name is made in it
LONGEST_START: Final = 30.0
SETTINGS: Final = {
    "max_connections": "200",
    "shared_buffers": "64MB",
    "max_wal_size": "512MB",
    "log_min_messages": "panic",
    "unix_socket_permissions": "0777",
    "client_min_messages": "warning",
}


def programs() -> Path | None:
    """The folder with `postgres` and `initdb`, of the newest version that is here."""
    versions = [path for path in INSTALLED.glob("*/bin") if (path / "postgres").exists()]
    found = shutil.which("postgres")
    elsewhere = Path(found).resolve().parent if found else None
    return max(versions, key=lambda path: float(path.parent.name), default=elsewhere)


def missing() -> list[str]:
    """The Debian packages that are needed and that aren't here."""
    return [] if programs() else ["postgresql"]


def why_not() -> str:
    """Why there can be no PostgreSQL here, or nothing if there can."""
    if os.name == "nt":
        return "these tests start PostgreSQL on Linux and macOS only"
    return "" if programs() else "without the package postgresql there is no database"


class Postgres:
    """A server with its data in a folder of its own, reached by a socket in it, and by TCP at hosts that are given."""

    def __init__(self, folder: Path, host: str = "", **settings: str) -> None:
        found = programs()
        assert found is not None, why_not()
        self.folder, self.host = folder, host
        self._programs, self._settings = found, {**SETTINGS, **settings}
        self._user = UNPRIVILEGED if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        self._run("initdb", "--no-sync", "--auth", "trust", "--username", "dg", "--pgdata", str(folder / "data"))
        with (folder / "data" / "pg_hba.conf").open("a") as rights:
            rights.write("host all all samenet trust\n")
        self.process = self._start()

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=self._user, cwd=self.folder)

    def _start(self) -> "subprocess.Popen[bytes]":
        """Tries again where the remains of one that was killed are still in the way."""
        deadline = time.monotonic() + LONGEST_START
        options = [word for name, value in self._settings.items() for word in ("-c", f"{name}={value}")]
        command = [str(self._programs / "postgres"), "-D", "data", "-k", str(self.folder), "-h", self.host, *options]
        while True:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                user=self._user,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # an interrupt at the terminal is for the test
            )
            while process.poll() is None:
                if self._is_ready():
                    return process
                time.sleep(0.05)
                if time.monotonic() > deadline:
                    process.kill()
            assert time.monotonic() < deadline, "PostgreSQL doesn't start"
            time.sleep(0.1)

    def _is_ready(self) -> bool:
        ask = [str(self._programs / "pg_isready"), "--quiet", "--host", str(self.folder)]
        return subprocess.run(ask, check=False).returncode == 0

    def kill(self) -> None:
        """As the system would when memory is short: the next start has to recover."""
        self.process.kill()
        self.process.wait()

    def start(self) -> None:
        self.process = self._start()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGQUIT)  # at once: nobody needs the data any more
        self.process.wait()

    def address(self, database: str = "postgres") -> str:
        return f"postgresql:///{database}?host={self.folder}&user=dg"

    def create(self, database: str) -> str:
        """The address of a database with nothing of ours in it."""
        import psycopg
        from psycopg import sql

        with psycopg.connect(self.address(), autocommit=True) as connection:
            if connection.execute("SELECT FROM pg_database WHERE datname = %s", [database]).rowcount == 0:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
            connection.execute(
                "SELECT pg_terminate_backend(pid, 9999) FROM pg_stat_activity WHERE datname = %s", [database]
            )
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS davidgoliath CASCADE")
        return self.address(database)


@contextmanager
def postgres(host: str = "", *, in_memory: bool = False, **settings: str) -> Iterator[Postgres]:
    """A server in a folder for temporary files, since other users can't look into this one's.

    In memory a flush costs nothing: for tests of what it does, and not of how long that takes.
    """
    is_quick = in_memory and MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    folder = Path(tempfile.mkdtemp(prefix="davidgoliath-", dir=MEMORY if is_quick else None))
    try:
        server = Postgres(folder, host, **settings)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
