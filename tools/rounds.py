"""Rounds of the server's benches: the real server and a crowd (`tools/crowd.py`), each in a process of its own."""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from tools.crowd import Result, Task
from tools.served import NO_LIMITS

LONGEST = 300.0


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
    cpu_ms_per_move: float
    """Of the server, and whatever works for it."""


def measured(
    task: Task, *options: str, database: str = "", beside: Sequence[int] = (), source: Path | None = None
) -> Measured:
    """One round, on SQLite if nothing else is said. `beside`: other processes that work for the server.

    With another `source` the server is another build.
    """
    with _serving(task, options, database, source) as (address, process):
        task = msgspec.structs.replace(task, address=address, server=process, roots=[process, *beside])
        command = [sys.executable, "-m", "tools.crowd"]
        done = subprocess.run(
            command, input=msgspec.json.encode(task), stdout=subprocess.PIPE, timeout=LONGEST, check=True
        )
    result = msgspec.json.decode(done.stdout, type=Result)
    every = sorted(result.latencies)
    p50, p99 = (1000 * every[int(len(every) * share)] for share in (0.5, 0.99))
    rate, memory, cpu = result.moves / result.seconds, result.memory_per_table / 1000, 1000 * result.cpu_per_move
    return Measured(rate, p50, p99, result.bytes_per_move, memory, cpu)


@contextmanager
def _serving(task: Task, options: Sequence[str], database: str, source: Path | None) -> Iterator[tuple[str, int]]:
    """A server, its address and its process. Files are in `build`: the system's own place for them may be in memory."""
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as folder:
        command = [sys.executable, "-m", "tools.echo", str(LONGEST)]
        if not task.is_echo:
            bots = [word for bot in {*task.seats} | {"random"} if bot for word in ("--bot", bot)]
            serve = ["serve", "--port", "0", "--pace", "0", "--database", database or str(Path(folder, "tables.db"))]
            command = [sys.executable, "-m", "davidgoliath", *serve, *bots, *_no_limits(source), *options]
        environment = _environment(source)
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as server:
            assert server.stdout is not None
            try:
                yield server.stdout.readline().decode().split()[-1], server.pid
            finally:
                server.terminate()


def _environment(source: Path | None) -> dict[str, str] | None:
    return {**os.environ, "PYTHONPATH": str(source)} if source else None


def _no_limits(source: Path | None) -> list[str]:
    """Of those that this build knows."""
    asked = [sys.executable, "-m", "davidgoliath", "serve", "--help"]
    known = subprocess.run(asked, capture_output=True, text=True, check=True, env=_environment(source)).stdout
    pairs = zip(NO_LIMITS[::2], NO_LIMITS[1::2], strict=True)
    return [word for option, value in pairs if option in known for word in (option, value)]


@contextmanager
def build_of(commit: str) -> Iterator[Path]:
    """The source of another commit, for as long as it is needed."""
    Path("build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir="build") as folder:
        tree = str(Path(folder, "tree").resolve())
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, commit], check=True)
        try:
            yield Path(tree, "src")
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], check=True)


def medians(rounds: Sequence[Measured]) -> Measured:
    columns = zip(*(asdict(one).values() for one in rounds), strict=True)
    return Measured(*map(statistics.median, columns))


def say(text: str) -> None:
    """Which round it is."""
    print(f"\r{text:<70}", end="", file=sys.stderr, flush=True)
