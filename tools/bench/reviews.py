"""`./dg bench reviews`: whether anybody waits for a move because others have deals reviewed, and how long for a hint.

A real server, and people at fifty tables who play a card every second, in rounds by turns: nobody asks for a review; or
somebody always waits for twenty, of deals at four players. All the while somebody asks for a hint every second, at a
table where they play alone against bots.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.store.contract import PersonRow, TokenRow
from davidgoliath.server.store.sqlite.store import SqliteStore
from tools.crowd import Result, Task
from tools.decode_message import decode_message
from tools.made_tables import MadeTable
from tools.rounds import say
from tools.served import Served, served
from tools.soak.regulars import ask

TOKEN, ANN = "a token that only Ann has", "ann"
TABLES, SECONDS, INTERVAL, ROUNDS = 50, 15.0, 1.0, 3
AT_ONCE, DEALS = 20, 400
HINT_EVERY = 1.0
LONGEST = 300.0


def main(as_json: bool) -> int:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_prepare(Path(folder)))
        with served(Path(folder), "--bot", "casual", "--bot", "expert") as server:
            rows = asyncio.run(_rounds(server))
    print(file=sys.stderr)
    if as_json:
        print(json.dumps(rows))
        return 0
    print("| | p50 ms | p99 ms | most |\n|---|---:|---:|---:|")
    for name, times in rows.items():
        print(f"| {name} | {' | '.join(f'{value:.1f}' for value in times)} |")
    return 0


async def _prepare(folder: Path) -> None:
    """Ann, the deals that she has played, and one in which it is her turn."""
    store = SqliteStore(folder / "tables.db")
    await store.add_person(PersonRow(ANN, "Ann", time.time()), TokenRow(token_hash(TOKEN), ANN, time.time()))
    seats = (ANN, "bot:casual", "bot:casual", "bot:casual")
    for number in range(DEALS):
        await MadeTable(*seats, rules="single", seed=number).deal().play().store(store, f"t{number}", time.time())
    await MadeTable(*seats, rules="single").deal().play_to(0).store(store, "hints", time.time())
    await store.close()


async def _rounds(server: Served) -> dict[str, tuple[float, ...]]:
    found: dict[str, list[float]] = {}
    todo = iter(range(DEALS))
    async with connect(f"{server.address.replace('http', 'ws')}/api/tables/hints/socket") as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": 1, "build": "", "token": TOKEN}))
        asker = Asker(socket)
        await asker.hint()  # when the judge is loaded
        for number in range(ROUNDS):
            for name in ("nobody has a review", f"{AT_ONCE} reviews wait"):
                say(f"{number + 1} of {ROUNDS}: {name}")
                beside = [asyncio.create_task(asker.hints(found.setdefault(f"a hint, {name}", [])))]
                beside += [asyncio.create_task(_review(server, todo)) for _ in range(AT_ONCE) if "wait" in name]
                found.setdefault(f"a move, {name}", []).extend(await asyncio.to_thread(_moves, server))
                for task in beside:
                    task.cancel()
                await asyncio.gather(*beside, return_exceptions=True)
    return {name: _shown(times) for name, times in sorted(found.items())}


def _moves(server: Served) -> list[float]:
    task = Task(server.address, TABLES, SECONDS, interval=INTERVAL, server=server.process, roots=[server.process])
    command = [sys.executable, "-m", "tools.crowd"]
    done = subprocess.run(command, input=msgspec.json.encode(task), stdout=subprocess.PIPE, timeout=LONGEST, check=True)
    return msgspec.json.decode(done.stdout, type=Result).latencies


async def _review(server: Served, todo: Iterator[int]) -> None:
    """One after another, each until it is final."""
    while True:
        table, stage = next(todo), ""
        while stage != "final":
            answer = await ask(server.address, f"/api/tables/t{table}/reviews", {"deal": 1, "seat": 0}, TOKEN)
            stage = answer["stage"]
            await asyncio.sleep(0.5)


class Asker:
    """Ann at her table, who asks and asks for the same card."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket, self.seq = socket, 0

    async def hint(self) -> float:
        """Seconds from the wish to the advice."""
        begun = 0.0
        while True:
            if self.seq and not begun:
                begun = time.perf_counter()
                await self.socket.send(json.dumps({"type": "hint", "expect": self.seq}))
            message = decode_message(await self.socket.recv())
            match message["type"]:
                case "batch":
                    self.seq = message["first"] + len(message["events"]) - 1
                case "happened":
                    self.seq = message["seq"]
                case "refused":
                    begun, self.seq = 0.0, message["seq"]  # the table has gone on after a pause
                case "advice":
                    return time.perf_counter() - begun

    async def hints(self, times: list[float]) -> None:
        while True:
            times.append(await self.hint())
            await asyncio.sleep(HINT_EVERY)


def _shown(times: list[float]) -> tuple[float, ...]:
    every = sorted(1000 * one for one in times)
    return statistics.median(every), every[int(len(every) * 0.99)], every[-1]
