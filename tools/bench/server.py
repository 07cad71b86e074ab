"""`./dg bench server`: moves a second, every one durable before anyone sees it, and how long people wait for them.

The server is the real one, in a process of its own; all clients are in another (`tools/crowd.py`), over loopback. A
move counts when all clients of its table have it. Beside it, in the same run, a bare WebSocket echo on the same stack,
whose round trips have one message in and one out; a move has one in and five out. Rounds of all sizes take turns, and
medians are shown.

With `--against COMMIT` the server of that commit takes turns with ours, and the medians of what each pair shows are
compared: this computer may be busy, but then it is so for both.
"""

import json
import os
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tools.bench import workers
from tools.crowd import Task
from tools.rounds import Measured, build_of, measured, medians, say

PAIRS = 5
TABLES, SECONDS, REPEATS = (1, 8, 50), 4.0, 3
CROWD, EACH, OPEN_SECONDS = 1000, 5.0, 20.0
EXPERTS, EXPERT_EACH = 50, 2.0


def main(as_json: bool) -> int:
    if "--database" in sys.argv:
        return workers.main(as_json)
    if "--against" in sys.argv:
        return against(sys.argv[sys.argv.index("--against") + 1], as_json)
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


def against(commit: str, as_json: bool) -> int:
    """Ours and another commit's in turns: how many times as many moves, and how long they take."""
    tasks = {f"{tables} tables": Task("", tables, SECONDS) for tables in TABLES}
    tasks[f"{CROWD} tables, a move each {EACH:.0f} s"] = Task("", CROWD, OPEN_SECONDS, interval=EACH)
    pairs: dict[str, list[tuple[Measured, Measured]]] = {name: [] for name in tasks}
    with build_of(commit) as source:
        for number in range(PAIRS):
            for name, task in tasks.items():
                say(f"{number + 1} of {PAIRS}: {name}")
                theirs, ours = measured(task, source=source), measured(task)
                pairs[name].append((theirs, ours))
    print(file=sys.stderr)
    rows = {name: _compared(each) for name, each in pairs.items()}
    if as_json:
        print(json.dumps({"against": commit, "rows": rows}))
        return 0
    print(f"On {os.cpu_count()} processors, {PAIRS} pairs in turns; theirs is {commit}.\n")
    print("| | moves a second: theirs, ours | times as many | p99 ms | processor ms a move | bytes a move |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, row in rows.items():
        before, after = row["theirs"], row["ours"]
        print(
            f"| {name} | {before['moves_per_second']:,.0f}, {after['moves_per_second']:,.0f} | {row['times']:.2f}"
            f" | {before['p99_ms']:.1f}, {after['p99_ms']:.1f}"
            f" | {before['cpu_ms_per_move']:.2f}, {after['cpu_ms_per_move']:.2f}"
            f" | {before['bytes_per_move']:.0f}, {after['bytes_per_move']:.0f} |"
        )
    return 0


def _compared(pairs: Sequence[tuple[Measured, Measured]]) -> dict[str, Any]:
    times = statistics.median(ours.moves_per_second / theirs.moves_per_second for theirs, ours in pairs)
    theirs, ours = (asdict(medians(side)) for side in zip(*pairs, strict=True))
    return {"theirs": theirs, "ours": ours, "times": times}
