"""`./dg bench store`: durable appends a second, alone and in company, beside bare disk flushes on the same disk.

Each appender plays a table of its own, and appends its next event when the one before is acknowledged. Rounds of all
sizes take turns, and medians are shown, since machines are noisy. The database is in the folder `build`: the system's
folder for temporary files may be in memory.
"""

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from davidgoliath.server.store.contract import Appended, Stored, TableRow
from davidgoliath.server.store.sqlite.store import SqliteStore

APPENDERS, SECONDS, REPEATS = (1, 8, 50, 200), 2.0, 5
BODY = b'{"type":"played","seat":2,"card":"V12"}'
PAGE = 4096


@dataclass(frozen=True)
class Measured:
    """What one round showed, or the medians of several."""

    appends_per_second: float
    p50_ms: float
    p99_ms: float
    group: float
    """Appends that shared a commit, on average."""


def main(as_json: bool) -> int:
    rounds: dict[int, list[Measured]] = {appenders: [] for appenders in APPENDERS}
    flushes: list[float] = []
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as folder:
        for repeat in range(REPEATS):
            for appenders in APPENDERS:
                print(f"\r{repeat + 1} of {REPEATS}: {appenders:>3} appenders", end="", file=sys.stderr, flush=True)
                file = Path(folder, f"{repeat}-{appenders}.db")
                rounds[appenders].append(asyncio.run(_append_for_a_while(file, appenders)))
            flushes.append(_flushes_per_second(Path(folder, "flushed")))
    print(file=sys.stderr)
    results = {appenders: _medians(measured) for appenders, measured in rounds.items()}
    bare = statistics.median(flushes)
    if as_json:
        by_appenders = {str(appenders): asdict(result) for appenders, result in results.items()}
        print(json.dumps({"flushes_per_second": bare, "appenders": by_appenders}))
        return 0
    print("appenders  appends/s  p50 ms  p99 ms  a commit")
    for appenders, one in results.items():
        times = f"{one.p50_ms:>6.2f}  {one.p99_ms:>6.2f}"
        print(f"{appenders:>9}  {one.appends_per_second:>9,.0f}  {times}  {one.group:>8.1f}")
    print(f"bare flushes of a page: {bare:,.0f} a second")
    return 0


async def _append_for_a_while(file: Path, appenders: int) -> Measured:
    store = SqliteStore(file)
    names = [f"table-{number:04}" for number in range(appenders)]
    await asyncio.gather(*(store.create_table(TableRow(name, 0.0)) for name in names))
    jobs, commits = store.writer.jobs, store.writer.commits
    start = time.perf_counter()
    latencies = await asyncio.gather(*(_append(store, name, start + SECONDS) for name in names))
    taken = time.perf_counter() - start
    every = sorted(latency for some in latencies for latency in some)
    group = (store.writer.jobs - jobs) / (store.writer.commits - commits)
    await store.close()
    p50, p99 = (1000 * every[int(len(every) * share)] for share in (0.5, 0.99))
    return Measured(len(every) / taken, p50, p99, group)


async def _append(store: SqliteStore, table: str, until: float) -> list[float]:
    latencies: list[float] = []
    while (start := time.perf_counter()) < until:
        answer = await store.append(table, len(latencies) + 1, Stored(1, start, BODY))
        assert answer is Appended.DONE
        latencies.append(time.perf_counter() - start)
    return latencies


def _flushes_per_second(file: Path) -> float:
    count, start = 0, time.perf_counter()
    with file.open("wb", buffering=0) as flushed:
        while time.perf_counter() - start < SECONDS / 2:
            flushed.write(bytes(PAGE))
            os.fsync(flushed.fileno())
            count += 1
    return count / (time.perf_counter() - start)


def _medians(measured: Iterable[Measured]) -> Measured:
    columns = zip(*(asdict(one).values() for one in measured), strict=True)
    return Measured(*map(statistics.median, columns))
