"""`./dg bench paper`: how long the things to print take, from the command to the file, and how much of it is work."""

import json
import os
import statistics
import subprocess
import sys
import time
from typing import Final

REPEATS: Final = 7
PRINTED: Final = ("deck", "rules", "scoresheet")


def main(as_json: bool) -> int:
    taken: dict[str, list[tuple[float, float, int]]] = {what: [] for what in PRINTED}
    for repeat in range(REPEATS):
        for what in PRINTED:
            print(f"\r{repeat + 1} of {REPEATS}: {what:<12}", end="", file=sys.stderr, flush=True)
            taken[what].append(_printed(what))
    print(file=sys.stderr)
    figures = {
        what: {
            name: statistics.median(column)
            for name, column in zip(("seconds", "processor", "bytes"), zip(*runs, strict=True), strict=True)
        }
        for what, runs in taken.items()
    }
    if as_json:
        print(json.dumps(figures))
    else:
        print("| | seconds | of processor time | kB |\n|---|---:|---:|---:|")
        for what, run in figures.items():
            size = f"{run['bytes'] / 1000:.0f}"
            print(f"| `print {what}` | {run['seconds']:.2f} | {run['processor']:.2f} | {size} |")
    return 0


def _printed(what: str) -> tuple[float, float, int]:
    before, start = os.times(), time.perf_counter()
    command = [sys.executable, "-m", "davidgoliath", "print", what, "--out", "-"]
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    seconds, after = time.perf_counter() - start, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, spent, len(ran.stdout)
