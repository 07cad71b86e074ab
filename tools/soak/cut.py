"""`./dg soak cut`: workers in networks of their own, whose way to PostgreSQL is cut again and again.

Each worker is in a network namespace with two cables: one for its clients, and one to the database, which is pulled.
Nothing tells either side; whoever waits for an answer finds out by its patience. Needs root, and Linux.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tools.postgres import postgres
from tools.soak.crash import MOST_CARDS, check, players
from tools.soak.server import Server

WORKERS = 2
SHORTEST = 0.5
"""So many seconds a cable is pulled at least: shorter than everyone's patience, which lasts for 5."""


def why_not() -> str:
    """Why there can be no networks of our own here, or nothing if there can."""
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("ip"):
        return "only root can make networks, on Linux, with the program ip"
    done = subprocess.run(["ip", "netns", "add", "dg-try"], capture_output=True, check=False)
    if done.returncode == 0:
        _ip("netns", "delete", "dg-try")
    return "" if done.returncode == 0 else "this computer makes no networks"


@dataclass(frozen=True)
class Network:
    """Of one worker."""

    name: str
    own: str
    """Its address, for clients."""
    database: str
    """The address of the database, as it sees it."""
    cable: str

    @property
    def within(self) -> tuple[str, ...]:
        return "ip", "netns", "exec", self.name

    def pull(self) -> None:
        _ip("link", "set", self.cable, "down")

    def plug_in(self) -> None:
        _ip("link", "set", self.cable, "up")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextmanager
def network(number: int) -> Iterator[Network]:
    """A namespace with two cables to this one."""
    name, place = f"dg{os.getpid()}-{number}", 4 * number
    _ip("netns", "add", name)
    try:
        for kind, net in (("c", 201), ("d", 202)):
            here, there = f"dg{kind}{os.getpid() % 10_000}-{number}", f"dg{kind}"
            _ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
            _ip("address", "add", f"10.{net}.77.{place + 1}/30", "dev", here)
            _ip("-n", name, "address", "add", f"10.{net}.77.{place + 2}/30", "dev", there)
            _ip("link", "set", here, "up")
            _ip("-n", name, "link", "set", there, "up")
        _ip("-n", name, "link", "set", "lo", "up")
        cable = f"dgd{os.getpid() % 10_000}-{number}"
        yield Network(name, f"10.201.77.{place + 2}", f"10.202.77.{place + 1}", cable)
    finally:
        _ip("netns", "delete", name)


def cut(folder: Path, times: int, tables: int, longest: float, step: Callable[[int], None]) -> dict[str, float]:
    """Pulls the cable of one worker, or of all, again and again. Gives figures, or an `AssertionError`."""
    assert not why_not(), why_not()
    rng, begun = Random(11), time.monotonic()
    resumed: list[float] = []
    with ExitStack() as stack:
        networks = [stack.enter_context(network(number)) for number in range(WORKERS)]
        database = stack.enter_context(postgres(",".join(one.database for one in networks)))
        name = database.create("soak").partition("///")[2].partition("?")[0]
        people = stack.enter_context(players(tables))
        servers = [
            stack.enter_context(
                Server(
                    folder / one.name,
                    *("--host", one.own, "--log", "json"),
                    address=f"postgresql://dg@{one.database}/{name}",
                    within=one.within,
                )
            )
            for one in networks
        ]
        people.go_to(*(server.address for server in servers))
        people.play_on(rng.randrange(MOST_CARDS))
        for turn in range(times):
            pulled = networks if turn % 3 == 2 else [rng.choice(networks)]
            for one in pulled:
                one.pull()
            people.wait(rng.uniform(SHORTEST, longest))
            for one in pulled:
                one.plug_in()
            resumed.append(people.play_on(rng.randrange(MOST_CARDS)))
            step(1)
        people.finish()
        for server in servers:
            failures = [line for line in server.complaints.splitlines() if '"refused"' not in line]
            assert not failures, failures[0]
        played = asyncio.run(check(database.address(name), people))
    resumed.sort()
    return {
        "workers": WORKERS,
        "cuts": times,
        "games_at_once": tables,
        "games": played,
        "cards": len(people.heard),
        "acknowledged_to_their_player": len(people.own),
        "tables_said_to_wait": people.waits,
        "seconds_to_resume_all_tables_median": round(resumed[len(resumed) // 2], 1),
        "seconds_to_resume_all_tables_most": round(resumed[-1], 1),
        "seconds": round(time.monotonic() - begun),
    }
