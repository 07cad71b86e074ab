"""`./dg bench server`: moves a second, every one durable before anyone sees it, and how long people wait for them.

The server is the real one, in a process of its own; all clients are in another (`tools/crowd.py`), over loopback. A
move counts when all clients of its table have it. Beside it, in the same run, a bare WebSocket echo on the same stack,
whose round trips have one message in and one out; a move has one in and five out. Rounds of all sizes take turns, and
medians are shown. The database is in the folder `build`: the system's folder for temporary files may be in memory.
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

from tools.bench import workers
from tools.crowd import Result, Task

TABLES, SECONDS, REPEATS = (1, 8, 50), 4.0, 3
CROWD, EACH, OPEN_SECONDS = 1000, 5.0, 20.0
EXPERTS, EXPERT_EACH = 50, 2.0
LONGEST = 300.0
NO_LIMITS = ("--most-sockets", "0", "--most-new", "0", "--most-messages", "0")


@dataclass(frozen=True)
class Measured:
    """What one round showed, or the medians of several."""

    moves_per_second: float
    p50_ms: float
    p99_ms: float
    bytes_per_move: float
    """To one client, its turns and deals included."""
    kilobytes_per_table: float
    """Of the server's memory."""


def main(as_json: bool) -> int:
    if "--database" in sys.argv:
        return workers.main(as_json)
    closed: dict[int, list[Measured]] = {tables: [] for tables in TABLES}
    echoes: dict[int, list[Measured]] = {tables: [] for tables in TABLES}
    for repeat in range(REPEATS):
        for tables in TABLES:
            _say(f"{repeat + 1} of {REPEATS}: {tables} tables")
            closed[tables].append(_measure(Task("", tables, SECONDS)))
            echoes[tables].append(_measure(Task("", tables, SECONDS / 2, is_echo=True)))
    _say(f"{CROWD} tables, a move each {EACH:.0f} s")
    crowd = _measure(Task("", CROWD, OPEN_SECONDS, interval=EACH))
    _say(f"{EXPERTS} tables with an expert")
    expert = _measure(Task("", EXPERTS, OPEN_SECONDS, (None, None, None, "expert"), EXPERT_EACH))
    print(file=sys.stderr)
    rows = {f"{tables} tables": _medians(measured) for tables, measured in closed.items()}
    bare = {f"{tables} tables": _medians(measured).moves_per_second for tables, measured in echoes.items()}
    rows[f"{CROWD} tables, a move each {EACH:.0f} s"] = crowd
    rows[f"{EXPERTS} tables with an expert, a move each {EXPERT_EACH:.0f} s"] = expert
    if as_json:
        print(json.dumps({"rows": {name: asdict(row) for name, row in rows.items()}, "echoes_per_second": bare}))
        return 0
    print(f"On {os.cpu_count()} processors, for the server and all clients.\n")
    print("| | moves a second | share of a bare echo | p50 ms | p99 ms | bytes a move to a client | kB a table |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, row in rows.items():
        share = f"{row.moves_per_second / bare[name]:.0%} of {bare[name]:,.0f}" if name in bare else ""
        times = f"{row.p50_ms:.1f} | {row.p99_ms:.1f}"
        print(
            f"| {name} | {row.moves_per_second:,.0f} | {share} | {times} | {row.bytes_per_move:.0f}"
            f" | {row.kilobytes_per_table:.0f} |"
        )
    return 0


def _say(text: str) -> None:
    print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)


def _measure(task: Task) -> Measured:
    with _serving(task) as (address, process):
        task = msgspec.structs.replace(task, address=address, server=process)
        command = [sys.executable, "-m", "tools.crowd"]
        done = subprocess.run(
            command, input=msgspec.json.encode(task), stdout=subprocess.PIPE, timeout=LONGEST, check=True
        )
    result = msgspec.json.decode(done.stdout, type=Result)
    every = sorted(result.latencies)
    p50, p99 = (1000 * every[int(len(every) * share)] for share in (0.5, 0.99))
    return Measured(result.moves / result.seconds, p50, p99, result.bytes_per_move, result.memory_per_table / 1000)


@contextmanager
def _serving(task: Task) -> Iterator[tuple[str, int]]:
    """A server, its address and its process."""
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as folder:
        command = [sys.executable, "-m", "tools.echo", str(LONGEST)]
        if not task.is_echo:
            bots = [word for bot in {*task.seats} | {"random"} if bot for word in ("--bot", bot)]
            file = str(Path(folder, "tables.db"))
            command = [sys.executable, "-m", "davidgoliath", "serve", "--port", "0", "--database", file, *bots]
            command += ["--pace", "0", *NO_LIMITS]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            try:
                yield server.stdout.readline().decode().split()[-1], server.pid
            finally:
                server.kill()


def _medians(measured: list[Measured]) -> Measured:
    columns = zip(*(asdict(one).values() for one in measured), strict=True)
    return Measured(*map(statistics.median, columns))
