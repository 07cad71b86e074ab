"""`./dg soak siege`: honest people play while one address asks the server for all that it gives, and more.

In the siege some processes (`besiegers.py`) share one address. In the control the same people play at another server,
and other processes keep the processor as busy as besiegers and server did: whoever plays on a computer that works hard
waits for it, and not for those who besiege it. In both, thirty people behind one address open the page within ten
seconds, and as many by a trusted proxy that holds hundreds of connections (`visitors.py`).
"""

import json
import multiprocessing
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import msgspec

from tools.crowd import cpu_of, memory_of
from tools.postgres import postgres
from tools.soak import besiegers, guests, visitors
from tools.soak.server import ROOT, Server

BESIEGER, CLASS, PROXY = "127.0.0.2", "127.0.0.3", "127.0.0.9"
FILES = ("sh", "-c", 'ulimit -n 1024 && exec "$@"', "sh")
"""Runs a command with as many open files as most systems allow."""
QUIET = 5.0
"""For so many seconds nobody asks for more than their share: what the server does and holds then is its own."""
LONGEST_START = 180.0
SLICE = 0.01
USUAL = "connections_full"
"""What a server tells its operator about those who have too many connections."""
PEOPLE, WITHIN, CONNECTIONS = 30, 10.0, 300
"""So many visitors come in so many seconds; and so many connections a proxy holds besides."""
MOST_MILLISECONDS, MOST_TIMES, MOST_MEGABYTES = 50.0, 2.0, 100.0
"""What is promised: at p99, or so many times as long as in the control; and what the memory grows by."""


@dataclass
class Run:
    """What came of a siege, or of its control."""

    result: guests.Result
    begun: float
    ended: float
    growth: float
    """The most memory that the server took besides what it had, in bytes."""
    shares: list[float]
    """How many processors each kind of besiegers kept busy, and the server for them."""
    counts: dict[str, dict[str, int]]
    """What became of the besiegers."""
    visits: dict[str, visitors.Result]

    def within(self, measured: Sequence[tuple[float, int, float]], table: int | None = None) -> list[float]:
        """What was measured while it lasted, in milliseconds, at one table or at all, the longest last."""
        return sorted(
            1000 * seconds
            for at, where, seconds in measured
            if self.begun <= at < self.ended and table in (None, where)
        )

    @property
    def refused(self) -> "Counter[str]":
        """What honest people were refused, whoever they were."""
        refused = sum((Counter(visit.refused) for visit in self.visits.values()), Counter(self.result.refused))
        refused["lost a connection"] = sum(self.begun <= at for at in self.result.lost)
        return +refused


def siege(
    folder: Path,
    seconds: float,
    tables: int,
    step: Callable[[int], None],
    *,
    on_postgres: bool = False,
    kinds: Sequence[str] = tuple(besiegers.KINDS),
    is_controlled: bool = True,
) -> tuple[dict[str, float], list[str]]:
    """Both, one after the other. Gives figures, and which promises were broken."""
    with ExitStack() as stack:
        database = stack.enter_context(postgres()) if on_postgres else None

        def server(name: str) -> Server:
            address = database.create(name) if database else ""
            proxy = ("--trusted-proxy", PROXY)
            return Server(folder / f"{name}.db", *proxy, address=address, within=FILES, usual=())

        with server("siege") as besieged:
            under = _run(besieged, seconds, tables, step, kinds, [])
            complaints = [line for line in besieged.complaints.splitlines() if USUAL not in line]
        figures = _figures("siege", under)
        if is_controlled:
            with server("control") as left_alone:
                figures |= _figures("control", _run(left_alone, seconds, tables, step, [], under.shares))
    for kind, counts in under.counts.items():
        figures |= {f"{kind}: {what}": count for what, count in sorted(counts.items())}
    return figures, _broken(figures, under, complaints)


def _run(
    server: Server,
    seconds: float,
    tables: int,
    step: Callable[[int], None],
    kinds: Sequence[str],
    shares: Sequence[float],
) -> Run:
    _await_bots(server)
    pid = server.process.pid
    with ExitStack() as stack:
        playing = stack.enter_context(_process("guests", guests.Task(server.address, tables)))
        assert playing.stdin is not None
        assert playing.stdout is not None
        names = json.loads(playing.stdout.readline())
        worked = cpu_of([pid])
        time.sleep(QUIET)
        own, before, worked = (cpu_of([pid]) - worked) / QUIET, memory_of(pid), cpu_of([pid])
        begun = time.time()
        task = besiegers.Task(server.address, BESIEGER, names, seconds)
        attacks = {kind: stack.enter_context(_process("besiegers", task, kind)) for kind in kinds}
        for share in shares:
            stack.enter_context(_busy(share))
        growth, visits = 0.0, _due_visits(server.address, seconds)
        coming: dict[str, subprocess.Popen[bytes]] = {}
        while (passed := time.time() - begun) < seconds:
            for name, (when, visit) in visits.items():
                if passed >= when and name not in coming:
                    coming[name] = stack.enter_context(_process("visitors", visit))
            time.sleep(min(1.0, seconds - passed))
            growth = max(growth, memory_of(pid) - before)
            busy = [cpu_of([attack.pid]) for attack in attacks.values()], cpu_of([pid])
            step(1)
        ended = time.time()
        used = [*busy[0], max(0.0, busy[1] - worked - own * (ended - begun))]
        visited = {name: msgspec.json.decode(_last(process), type=visitors.Result) for name, process in coming.items()}
        counts = {kind: json.loads(_last(attack)) for kind, attack in attacks.items()}
        playing.stdin.close()
        result = msgspec.json.decode(playing.stdout.read(), type=guests.Result)
        assert server.is_alive, "the server died"
    return Run(result, begun, ended, growth, [each / (ended - begun) for each in used], counts, visited)


def _await_bots(server: Server) -> None:
    deadline = time.monotonic() + LONGEST_START
    while True:
        with urlopen(f"{server.address}/api/server", timeout=30) as answer:  # noqa: S310
            if json.load(answer)["ready"]:
                return
        assert time.monotonic() < deadline, "the bots aren't ready"
        time.sleep(0.2)


def _due_visits(address: str, seconds: float) -> dict[str, tuple[float, visitors.Task]]:
    """At a quarter of the time a class comes, and at the half as many people by a proxy."""
    within = min(WITHIN, seconds / 4)
    by_proxy = visitors.Task(address, PROXY, PEOPLE, within, is_proxy=True, connections=CONNECTIONS)
    return {"class": (seconds / 4, visitors.Task(address, CLASS, PEOPLE, within)), "proxy": (seconds / 2, by_proxy)}


@contextmanager
def _process(module: str, task: msgspec.Struct, *words: str) -> "Iterator[subprocess.Popen[bytes]]":
    """One of the tools beside this one. Guests play until their input ends."""
    command = [sys.executable, "-m", f"tools.soak.{module}", *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin is not None
        try:
            process.stdin.write(msgspec.json.encode(task) + b"\n")
            process.stdin.flush()
            if module != "guests":
                process.stdin.close()
            yield process
        finally:
            process.kill()


def _last(process: "subprocess.Popen[bytes]") -> bytes:
    """What it says in the end."""
    assert process.stdout is not None
    return process.stdout.read()


@contextmanager
def _busy(share: float) -> Iterator[None]:
    """Keeps this share of a processor busy, or of two."""
    count = 2 if share > 1 else 1
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_burn, args=(min(1.0, share / count),), daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _burn(share: float) -> None:
    """Until it is ended."""
    due = time.process_time()
    while True:
        begun = time.perf_counter()
        due = max(due, time.process_time() - SLICE) + share * SLICE
        while time.process_time() < due:
            pass
        time.sleep(max(0.0, SLICE - (time.perf_counter() - begun)))


def _p99(values: Sequence[float]) -> float:
    return values[int(len(values) * 0.99)] if values else 0.0


def _figures(name: str, run: Run) -> dict[str, float]:
    cards, bots, looks = run.within(run.result.cards), run.within(run.result.bots), run.within(run.result.looks)
    numbers = {number for _, number, _ in run.result.cards}
    figures: dict[str, float] = {"cards": len(cards)}
    for what, times in (("card", cards), ("bot", bots), ("look", looks)):
        times = times or [0.0]
        figures |= {
            f"{what}_ms_median": times[len(times) // 2],
            f"{what}_ms_p99": _p99(times),
            f"{what}_ms_most": times[-1],
        }
    figures["card_ms_p99_at_the_worst_table"] = max(_p99(run.within(run.result.cards, number)) for number in numbers)
    for kind, visit in run.visits.items():
        seconds = sorted(visit.seconds) or [0.0]
        figures |= {
            f"{kind}_served": len(visit.seconds),
            f"{kind}_files": visit.files,
            f"{kind}_seconds_median": seconds[len(seconds) // 2],
            f"{kind}_seconds_most": seconds[-1],
        }
    figures["refused_to_honest_people"] = run.refused.total()
    figures["megabytes_grown"] = run.growth / 1e6
    if run.counts:
        figures["processors_of_besiegers"] = sum(run.shares[:-1])
        figures["processors_of_the_server_for_them"] = run.shares[-1]
    return {f"{name}_{what}": round(figure, 2) for what, figure in figures.items()}


def _broken(figures: dict[str, float], under: Run, complaints: list[str]) -> list[str]:
    """The promises that weren't kept, as sentences."""
    broken = []
    p99, beside = figures["siege_card_ms_p99"], figures.get("control_card_ms_p99", 0.0)
    if p99 >= MOST_MILLISECONDS and p99 > MOST_TIMES * beside:
        broken.append(f"a card took {p99} ms at p99, and {beside} ms in the control")
    if figures["siege_megabytes_grown"] >= MOST_MEGABYTES:
        broken.append(f"the memory grew by {figures['siege_megabytes_grown']} MB")
    for what, count in under.refused.items():
        broken.append(f"honest people met {count} times with: {what}")
    for name, visit in under.visits.items():
        if len(visit.seconds) < PEOPLE:
            broken.append(f"{len(visit.seconds)} of {PEOPLE} people were served ({name})")
    if complaints:
        broken.append("the server complained: " + "\n".join(complaints[:20]))
    return broken
