"""`./dg soak crash`: the server is killed in the middle of many games, and nobody loses or doubles a card.

Players are in another process (`players.py`), which logs every card that a client heard of. After each kill a new
server on the same data takes over, and the next kill waits until something has happened at all tables again. In the end
all that was heard is compared with all that is stored.
"""

import asyncio
import math
import queue
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from davidgoliath.server.store.opening import open_store
from davidgoliath.server.table.events import Played, decode
from davidgoliath.server.table.table import Phase, Table
from tools.soak.server import ROOT, Server

LONGEST_RESUME = 60.0
MOST_CARDS = 200
"""So many cards are played at most between the tables' return and the next kill."""


class Players:
    """People in one other process, and what they have heard."""

    def __init__(self, tables: int, thought: float) -> None:
        command = [sys.executable, "-m", "tools.soak.players", str(tables), str(thought)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        self.tables = tables
        self.heard: dict[tuple[str, int], tuple[int, str]] = {}
        self.own: set[tuple[str, int]] = set()
        self.returns: list[float] = []
        """How long it took whoever lost a connection to have all that they missed."""
        self.waits = 0
        """How often somebody was told that a table waits for its store."""
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def go_to(self, *addresses: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{' '.join(addresses)}\n".encode())
        self.process.stdin.flush()

    def listen(self, end: float = math.inf) -> Iterator[str]:
        """Takes in what they hear until this moment, or until they go; gives the table of each card."""
        while line := self._next(end):
            match line.decode().split():
                case ["back", seconds]:
                    self.returns.append(float(seconds))
                case ["waits"]:
                    self.waits += 1
                case [table, seq, seat, card, *own]:
                    what, where = (int(seat), card), (table, int(seq))
                    assert self.heard.setdefault(where, what) == what, "two clients heard different things"
                    if own:
                        assert where not in self.own, "a card was acknowledged twice"
                        self.own.add(where)
                    yield table

    def _next(self, end: float) -> bytes:
        try:
            return self._lines.get(timeout=None if end == math.inf else max(0.0, end - time.monotonic()))
        except queue.Empty:
            return b""

    def wait(self, seconds: float) -> None:
        """Takes in what they hear meanwhile."""
        for _ in self.listen(time.monotonic() + seconds):
            pass

    def play_on(self, cards: int) -> float:
        """Until something has happened at as many tables as are played at once, and then for some cards more.

        So all tables have resumed before the next crash; tables that end are followed by others. Gives how many
        seconds the first part took.
        """
        tables: set[str] = set()
        begun = time.monotonic()
        resumed = 0.0
        for table in self.listen():
            assert time.monotonic() - begun < LONGEST_RESUME, f"only {len(tables)} of {self.tables} tables go on"
            tables.add(table)
            if len(tables) >= self.tables:
                resumed = resumed or time.monotonic() - begun
                cards -= 1
            if cards < 0:
                return resumed
        raise AssertionError("the players gave up")

    def finish(self) -> None:
        """They play their tables to the end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        for _ in self.listen():
            pass
        assert self.process.wait(60) == 0, "the players gave up"


@contextmanager
def players(tables: int, thought: float = 0.0) -> Iterator[Players]:
    """So many tables of them. `thought`: so many seconds over each card."""
    people = Players(tables, thought)
    try:
        yield people
    finally:
        people.process.kill()
        people.process.wait()
        assert people.process.stdin is not None
        assert people.process.stdout is not None
        people.process.stdin.close()
        people.process.stdout.close()


def crash(folder: Path, times: int, tables: int, step: Callable[[int], None]) -> dict[str, float]:
    """Kills the server so many times in the middle of so many games. Gives figures, or an `AssertionError`."""
    rng, database, begun = Random(5), folder / "tables.db", time.monotonic()
    resumed: list[float] = []
    with players(tables) as people:
        server = Server(database)
        try:
            people.go_to(server.address)
            people.play_on(rng.randrange(MOST_CARDS))
            for _ in range(times):
                server.kill()
                killed = time.monotonic()
                server = Server(database)
                people.go_to(server.address)
                started = time.monotonic() - killed
                resumed.append(started + people.play_on(rng.randrange(MOST_CARDS)))
                step(1)
            people.finish()
        finally:
            server.kill()
        assert not server.complaints, server.complaints
        played = asyncio.run(check(str(database), people))
    resumed.sort()
    return {
        "kills": times,
        "games_at_once": tables,
        "games": played,
        "cards": len(people.heard),
        "acknowledged_to_their_player": len(people.own),
        "seconds_to_resume_all_median": round(resumed[len(resumed) // 2], 1),
        "seconds_to_resume_all_most": round(resumed[-1], 1),
        "seconds": round(time.monotonic() - begun),
    }


async def check(address: str, people: Players, others: Collection[str] = ()) -> int:
    """What was heard is what is stored, and every deal is whole. Gives the number of games, without those of others."""
    store = await open_store(address)
    stored: dict[tuple[str, int], tuple[int, str]] = {}
    tables: dict[str, Table] = {}
    for listed in [one for one in await store.tables() if one.table.id not in others]:
        events = [decode(event.body) for event in await store.events(listed.table.id)]
        assert listed.seq == len(events), "events have gaps"
        tables[listed.table.id] = Table.fold(events)
        for seq, event in enumerate(events, 1):
            if isinstance(event, Played):
                stored[listed.table.id, seq] = event.seat, event.card
    await store.close()
    lost, unheard = people.heard.items() - stored.items(), stored.items() - people.heard.items()
    assert not lost, f"{len(lost)} cards that somebody heard of are lost"
    assert not unheard, f"{len(unheard)} cards that are stored were never told"
    cards = defaultdict(list)
    for (table, _), (_, card) in stored.items():
        cards[table].append(card)
    assert len(cards) >= people.tables, "there were too few games"
    for table, played in cards.items():
        assert len(set(played)) == len(played) == 45, "a card is doubled, or missing"
        assert tables[table].phase is Phase.OVER, "a table didn't resume"
    return len(cards)
