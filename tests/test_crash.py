"""The server dies in the middle of many games, again and again: no card that anybody heard of is lost or doubled."""

import asyncio
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from davidgoliath.server.events import Played, decode
from davidgoliath.server.sqlite import SqliteStore
from davidgoliath.server.table import Phase, Table

CRASHES = int(os.environ.get("DAVIDGOLIATH_CRASHES", "3"))
"""How often the server is killed: more on request."""
TABLES = 50
ROOT = Path(__file__).parent.parent


class Server:
    """The real one, in a process of its own."""

    def __init__(self, database: Path) -> None:
        command = [sys.executable, "-m", "davidgoliath", "serve", "--port", "0", "--bot", "random", "--pace", "0"]
        command += ["--most-sockets", "0", "--most-new", "0", "--most-messages", "0"]
        environment = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [*command, "--database", str(database)], stdout=subprocess.PIPE, cwd=ROOT, env=environment
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().decode().split()[-1]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Players:
    """People in one other process, and what they have heard."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.players", str(TABLES)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        self.heard: dict[tuple[str, int], tuple[int, str]] = {}
        self.own: set[tuple[str, int]] = set()

    def go_to(self, address: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{address}\n".encode())
        self.process.stdin.flush()

    def listen(self) -> Iterator[str]:
        """Takes in what they hear; gives the table of each card."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            table, seq, seat, card, *own = line.decode().split()
            what, where = (int(seat), card), (table, int(seq))
            assert self.heard.setdefault(where, what) == what, "two clients heard different things"
            if own:
                assert where not in self.own, "a card was acknowledged twice"
                self.own.add(where)
            yield table

    def finish(self) -> None:
        """They play their tables to the end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        for _ in self.listen():
            pass
        assert self.process.wait(60) == 0


@contextmanager
def players() -> Iterator[Players]:
    people = Players()
    try:
        yield people
    finally:
        people.process.kill()
        people.process.wait()
        assert people.process.stdin is not None
        assert people.process.stdout is not None
        people.process.stdin.close()
        people.process.stdout.close()


def test_a_killed_server_loses_no_card_and_every_table_resumes(tmp_path: Path) -> None:
    rng, database = Random(5), tmp_path / "tables.db"
    with players() as people:
        server = Server(database)
        try:
            people.go_to(server.address)
            for _ in range(CRASHES):
                _play_on(people, rng.randrange(200))
                server.kill()
                server = Server(database)
                people.go_to(server.address)
            _play_on(people, 0)
            people.finish()
        finally:
            server.kill()
        asyncio.run(_check(database, people))


def _play_on(people: Players, cards: int) -> None:
    """Until something has happened at so many tables as are played at once, and then for some cards more.

    So after each crash every table has resumed before the next one; tables that end are followed by others.
    """
    tables: set[str] = set()
    begun = time.monotonic()
    for table in people.listen():
        assert time.monotonic() - begun < 60
        tables.add(table)
        cards -= len(tables) >= TABLES
        if cards < 0:
            return
    raise AssertionError("the players gave up")


async def _check(database: Path, people: Players) -> None:
    store = SqliteStore(database)
    stored: dict[tuple[str, int], tuple[int, str]] = {}
    tables: dict[str, Table] = {}
    for listed in await store.tables():
        events = [decode(event.body) for event in await store.events(listed.table.id)]
        assert listed.seq == len(events)
        tables[listed.table.id] = Table.fold(events)
        for seq, event in enumerate(events, 1):
            if isinstance(event, Played):
                stored[listed.table.id, seq] = event.seat, event.card
    await store.close()
    assert people.heard == stored
    cards = defaultdict(list)
    for (table, _), (_, card) in stored.items():
        cards[table].append(card)
    assert len(cards) >= TABLES
    for table, played in cards.items():
        assert len(set(played)) == len(played) == 45
        assert tables[table].phase is Phase.OVER
