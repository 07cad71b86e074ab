"""`./dg bench workers`, or `./dg bench server --database`: the server on SQLite and on PostgreSQL, in one run.

The same crowd as in `./dg bench server`, against one process on SQLite, and one and two workers on a PostgreSQL of our
own, which waits for the disk as it does by itself. With two workers the four clients of a table are at either of them,
as the system spreads them, so a move mostly has to get across. Rounds take turns, and medians are shown. Processor time
is that of all processes of the server and of the database.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from tools.crowd import Result, Task
from tools.postgres import Postgres, postgres

SIDES = {"SQLite": 0, "PostgreSQL, 1 worker": 1, "PostgreSQL, 2 workers": 2}
TABLES, SECONDS, REPEATS = (8, 50), 3.0, 3
LIGHT, EACH, LIGHT_SECONDS = 50, 2.0, 10.0
LONGEST = 300.0
NO_LIMITS = ("--most-sockets", "0", "--most-new", "0", "--most-messages", "0")


@dataclass(frozen=True)
class Measured:
    """What one round showed, or the medians of several."""

    moves_per_second: float
    p50_ms: float
    p99_ms: float
    cpu_ms_per_move: float


def main(as_json: bool) -> int:
    rounds: dict[str, list[Measured]] = {}
    with postgres() as database:
        for repeat in range(REPEATS):
            for side, workers in SIDES.items():
                for tables in TABLES:
                    name = f"{side}: {tables} tables"
                    _say(f"{repeat + 1} of {REPEATS}: {name}")
                    rounds.setdefault(name, []).append(_measure(Task("", tables, SECONDS), workers, database))
                name = f"{side}: {LIGHT} tables, a move each {EACH:.0f} s"
                _say(f"{repeat + 1} of {REPEATS}: {name}")
                light = Task("", LIGHT, LIGHT_SECONDS, interval=EACH)
                rounds.setdefault(name, []).append(_measure(light, workers, database))
    print(file=sys.stderr)
    rows = {name: _medians(measured) for name, measured in sorted(rounds.items())}
    if as_json:
        print(json.dumps({name: asdict(row) for name, row in rows.items()}))
        return 0
    print(f"On {os.cpu_count()} processors, for the server, the database and all clients.\n")
    print("| | moves a second | p50 ms | p99 ms | processor ms a move |")
    print("|---|---:|---:|---:|---:|")
    for name, row in rows.items():
        times = f"{row.p50_ms:.1f} | {row.p99_ms:.1f} | {row.cpu_ms_per_move:.2f}"
        print(f"| {name} | {row.moves_per_second:,.0f} | {times} |")
    return 0


def _say(text: str) -> None:
    print(f"\r{text:<70}", end="", file=sys.stderr, flush=True)


def _measure(task: Task, workers: int, database: Postgres) -> Measured:
    with _serving(workers, database) as (address, process):
        roots = [process, database.process.pid] if workers else [process]
        task = msgspec.structs.replace(task, address=address, roots=roots)
        command = [sys.executable, "-m", "tools.crowd"]
        done = subprocess.run(
            command, input=msgspec.json.encode(task), stdout=subprocess.PIPE, timeout=LONGEST, check=True
        )
    result = msgspec.json.decode(done.stdout, type=Result)
    every = sorted(result.latencies)
    p50, p99 = (1000 * every[int(len(every) * share)] for share in (0.5, 0.99))
    return Measured(result.moves / result.seconds, p50, p99, 1000 * result.cpu_per_move)


@contextmanager
def _serving(workers: int, database: Postgres) -> Iterator[tuple[str, int]]:
    """A server on SQLite, or so many workers on PostgreSQL: its address and its process."""
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as folder:
        address = database.create("bench") if workers else str(Path(folder, "tables.db"))
        serve = ["serve", "--port", "0", "--bot", "random", "--pace", "0", "--workers", str(workers or 1)]
        command = [sys.executable, "-m", "davidgoliath", *serve, *NO_LIMITS, "--database", address]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            try:
                yield server.stdout.readline().decode().split()[-1], server.pid
            finally:
                server.terminate()


def _medians(measured: list[Measured]) -> Measured:
    columns = zip(*(asdict(one).values() for one in measured), strict=True)
    return Measured(*map(statistics.median, columns))
