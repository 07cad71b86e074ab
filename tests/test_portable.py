"""Tables, messages and rooms need neither a network nor threads: they play a whole match where there is neither.

So does the whole application, with all that is asked of it, for pages in the same process.
"""

import subprocess
import sys
from pathlib import Path

from tests.played import played

BLOCKED = (
    "uvicorn",
    "starlette",
    "websockets",
    "httptools",
    "uvloop",
    "prometheus_client",
    "psycopg",
    "numba",
    "numpy",
)
NOWHERE = """
import asyncio, importlib.abc, json, sys, threading
from pathlib import Path
from random import Random

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[2].split(","):
            raise ImportError(f"{name} isn't to be had here")

sys.meta_path.insert(0, Blocked())

def start(thread):
    raise RuntimeError("can't start new thread")

threading.Thread.start = start

from davidgoliath.server.ops import threads
threads.has_threads = False
"""
ROOMS = """
from davidgoliath.server.config import Timing
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.store.sqlite.store import SqliteStore

class Ann:
    token, address = None, ""
    def __init__(self, person):
        self.person, self.seq, self.over = person, 0, False
        self.legal, self.waiting = [], asyncio.Event()
    def send(self, *messages):
        for message in messages:
            heard = json.loads(message)
            kind = heard[0] if isinstance(heard, list) else heard["type"]
            if kind == "happened":
                self.seq = heard[1]
                self.over = self.over or "over" in message.decode()
            elif kind == "batch":
                self.seq = heard["first"] + len(heard["events"]) - 1
            elif kind == "turn":
                self.legal = heard["legal"]
        self.waiting.set()
    def dismiss(self, message):
        raise AssertionError(message)

async def play():
    store = SqliteStore(Path(sys.argv[1]))
    bots = BotPool(["casual", "beginner"], 1, lambda: Random(1))
    registry = Registry(store, bots, timing=Timing(bot=0.0, shares=0.0, scores=0.0))
    person, _ = await registry.new_person("Ann")
    table = await registry.new_table(person, [None, "casual", "beginner"], "single")
    async with registry.visit(table) as room:
        ann = Ann(person)
        await room.join(ann, 0)
        await room.hear(ann, m.Start(ann.seq))
        while room.table.phase != "over":
            await asyncio.wait_for(ann.waiting.wait(), 10)
            ann.waiting.clear()
            if ann.legal and room.table.to_play == 0:
                card, ann.legal = ann.legal[0], []
                await room.hear(ann, m.Play(ann.seq, card))
        await room.leave(ann)
        print(room.table.phase, len(room.table.match.deals[-1].tricks))
    async with registry.visit(table) as again:  # read from what is stored
        print(again.table.phase)
    bots.close()
    await store.close()

asyncio.run(play())
"""
GAMES = """
from tests.played import played
print(played(20))
"""
APPLICATION = """
import msgspec
from davidgoliath.site.rehearsal import rehearse
print(*asyncio.run(rehearse(sys.argv[1])))
"""


def test_a_match_is_played_without_a_network_and_without_threads(tmp_path: Path) -> None:
    assert ran(ROOMS, str(tmp_path / "tables.db"), *BLOCKED) == ["over", "15", "over"]


def test_the_whole_application_answers_a_page_in_the_same_process(tmp_path: Path) -> None:
    bots = ran(APPLICATION, str(tmp_path), *(name for name in BLOCKED if name != "starlette"))
    assert bots == ["random", "beginner", "casual", "regular", "club", "adept"]


def test_bots_play_the_same_cards_where_there_is_no_numpy(tmp_path: Path) -> None:
    assert ran(GAMES, str(tmp_path), *BLOCKED) == [played(20)]


def ran(program: str, place: str, *blocked: str) -> list[str]:
    """What a program says where there is nothing of these."""
    command = [sys.executable, "-W", "error", "-c", NOWHERE + program, place, ",".join(blocked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.split()
