"""`./dg bench workers`, or `./dg bench server --database`: the server on SQLite and on PostgreSQL, in one run.

The same crowd as in `./dg bench server`, against one process on SQLite, and one and two workers on a PostgreSQL of our
own, which waits for the disk as it does by itself. With two workers the four clients of a table are at either of them,
as the system spreads them, so a move mostly has to get across. Rounds take turns, and medians are shown. Processor time
is that of all processes of the server and of the database.
"""

import json
import os
import sys
from dataclasses import asdict

from tools.crowd import Task
from tools.postgres import Postgres, postgres
from tools.rounds import Measured, measured, medians, say

SIDES = {"SQLite": 0, "PostgreSQL, 1 worker": 1, "PostgreSQL, 2 workers": 2}
TABLES, SECONDS, REPEATS = (8, 50), 3.0, 3
LIGHT, EACH, LIGHT_SECONDS = 50, 2.0, 10.0


def main(as_json: bool) -> int:
    rounds: dict[str, list[Measured]] = {}
    with postgres() as database:
        for repeat in range(REPEATS):
            for side, workers in SIDES.items():
                for tables in TABLES:
                    name = f"{side}: {tables} tables"
                    say(f"{repeat + 1} of {REPEATS}: {name}")
                    rounds.setdefault(name, []).append(_measured(Task("", tables, SECONDS), workers, database))
                name = f"{side}: {LIGHT} tables, a move each {EACH:.0f} s"
                say(f"{repeat + 1} of {REPEATS}: {name}")
                light = Task("", LIGHT, LIGHT_SECONDS, interval=EACH)
                rounds.setdefault(name, []).append(_measured(light, workers, database))
    print(file=sys.stderr)
    rows = {name: medians(one) for name, one in sorted(rounds.items())}
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


def _measured(task: Task, workers: int, database: Postgres) -> Measured:
    """A round on SQLite, or with so many workers on PostgreSQL."""
    if not workers:
        return measured(task)
    return measured(task, "--workers", str(workers), database=database.create("bench"), beside=[database.process.pid])
