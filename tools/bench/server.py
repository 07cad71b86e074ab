"""`./dg bench server`: moves a second, every one durable before anyone sees it, and how long people wait for them.

The server is the real one, in a process of its own; all clients are in another (`tools/crowd.py`), over loopback. A
move counts when all clients of its table have it. Beside it, in the same run, a bare WebSocket echo on the same stack,
whose round trips have one message in and one out; a move has one in and five out. Rounds of all sizes take turns, and
medians are shown.
"""

import json
import os
import sys
from dataclasses import asdict

from tools.bench import workers
from tools.crowd import Task
from tools.rounds import Measured, measured, medians, say

TABLES, SECONDS, REPEATS = (1, 8, 50), 4.0, 3
CROWD, EACH, OPEN_SECONDS = 1000, 5.0, 20.0
EXPERTS, EXPERT_EACH = 50, 2.0


def main(as_json: bool) -> int:
    if "--database" in sys.argv:
        return workers.main(as_json)
    closed: dict[int, list[Measured]] = {tables: [] for tables in TABLES}
    echoes: dict[int, list[Measured]] = {tables: [] for tables in TABLES}
    for repeat in range(REPEATS):
        for tables in TABLES:
            say(f"{repeat + 1} of {REPEATS}: {tables} tables")
            closed[tables].append(measured(Task("", tables, SECONDS)))
            echoes[tables].append(measured(Task("", tables, SECONDS / 2, is_echo=True)))
    say(f"{CROWD} tables, a move each {EACH:.0f} s")
    crowd = measured(Task("", CROWD, OPEN_SECONDS, interval=EACH))
    say(f"{EXPERTS} tables with an expert")
    expert = measured(Task("", EXPERTS, OPEN_SECONDS, (None, None, None, "expert"), EXPERT_EACH))
    print(file=sys.stderr)
    rows = {f"{tables} tables": medians(rounds) for tables, rounds in closed.items()}
    bare = {f"{tables} tables": medians(rounds).moves_per_second for tables, rounds in echoes.items()}
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
