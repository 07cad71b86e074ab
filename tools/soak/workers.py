"""`./dg soak workers`: workers on one PostgreSQL, killed at random in the middle of many games, and the database too.

As in `crash`, all that any client heard is compared with all that is stored in the end. A client whose worker dies
comes back to another as a page does, and is asked how long it took to know everything again.
"""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tools.postgres import postgres
from tools.soak.crash import MOST_CARDS, check, players
from tools.soak.race import race
from tools.soak.server import Server

LONGEST_RETURN = 10.0
"""So many seconds at most until a worker that was killed has been followed by another."""
LISTENS = "0A"
"""The state of a socket, in the system's list."""
AWAY = 0.5, 3.0
"""So many seconds the database is away, between these."""


def workers(
    folder: Path, times: int, tables: int, count: int, restarts: int, step: Callable[[int], None], thought: float = 0.0
) -> dict[str, float]:
    """Kills one of so many workers again and again, and then the database. Gives figures, or an `AssertionError`."""
    rng, begun = Random(7), time.monotonic()
    resumed: list[float] = []
    away: list[float] = []
    with postgres() as database, players(tables, thought) as people:
        address = database.create("soak")
        with Server(folder / "workers", "--workers", str(count), "--log", "json", address=address) as server:
            people.go_to(server.address)
            people.play_on(rng.randrange(MOST_CARDS))
            for _ in range(times):
                victim = rng.choice(sorted(_workers(server, count)))
                people.wait(0)
                os.kill(victim, 9)
                resumed.append(people.play_on(rng.randrange(MOST_CARDS)))
                step(1)
            returns, people.returns = sorted(people.returns), []
            assert people.waits == 0, "a table waited for its store, which was there"
            for _ in range(restarts):
                database.kill()
                people.wait(rng.uniform(*AWAY))
                database.start()
                away.append(people.play_on(rng.randrange(MOST_CARDS)))
                step(1)
            assert not restarts or people.waits, "nobody was told that the tables wait"
            _workers(server, count)
            raced = asyncio.run(race(server.address, times))
            people.finish()
            failures = [line for line in server.complaints.splitlines() if '"refused"' not in line]
            assert not failures, failures[0]
        played = asyncio.run(check(address, people, raced))
    resumed.sort()
    away.sort()
    return {
        "workers": count,
        "kills": times,
        "games_at_once": tables,
        "games": played,
        "cards": len(people.heard),
        "acknowledged_to_their_player": len(people.own),
        "clients_that_lost_their_worker": len(returns),
        "seconds_until_they_knew_all_median": round(returns[len(returns) // 2], 2),
        "seconds_until_they_knew_all_p99": round(returns[int(len(returns) * 0.99)], 2),
        "seconds_until_they_knew_all_most": round(returns[-1], 2),
        "of_these_after_more_than_a_second": sum(seconds > 1 for seconds in returns),
        "seconds_to_resume_all_tables_median": round(resumed[len(resumed) // 2], 1),
        "seconds_to_resume_all_tables_most": round(resumed[-1], 1),
        "restarts_of_the_database": restarts,
        "tables_said_to_wait": people.waits,
        "seconds_to_resume_after_it_most": round(away[-1], 1) if away else 0.0,
        "races_for_one_move": times,
        "seconds": round(time.monotonic() - begun),
    }


def _workers(server: Server, count: int) -> set[int]:
    """The worker processes, once all of them serve: whoever loses one finds another."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    deadline = time.monotonic() + LONGEST_RETURN
    while _open_doors(server) < count:
        assert time.monotonic() < deadline, "a worker wasn't followed by another"
        time.sleep(0.02)
    return set(map(int, children.read_text().split()))


def _open_doors(server: Server) -> int:
    """How many sockets listen on its port, as the system lists them: each worker has its own."""
    port = f":{int(server.address.rpartition(':')[2]):04X}"
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    return sum(fields[1].endswith(port) and fields[3] == LISTENS for fields in sockets)
