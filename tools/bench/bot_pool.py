"""`./dg bench bot_pool`: what a bot's time tells, and who waits for whom.

- A real server at pace 0, and one person with three bots of a level at a table. From each turn's beginning to its card,
  as the person's socket sees it: how well does the best limit on time tell a card without an alternative from a choice?
  Beside it the bot's thinking itself, which is what would be seen if it played at once; and what luck and the number of
  the trick would give, by exchanging answers within tricks. Then once more while other processes keep all processors
  busy.
- Sixty tables with five `master` each that never pause: how long others wait meanwhile for `casual` and for `master`.
"""

import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from websockets.asyncio.client import connect

from davidgoliath import Card, Deal, DealState, View
from davidgoliath.bots import LADDER, make_bot
from davidgoliath.match.shuffle import Shuffle
from davidgoliath.server.rooms.bot_pool import BotPool
from tools.decode_message import decode_message
from tools.guess import best_guess
from tools.rounds import say
from tools.served import Served, served

PLAYERS, DEALS, LUCK = 4, 12, 200
TABLES, MASTERS, SECONDS, EACH = 60, 5, 12.0, 0.1
RULES = f"classic deals={DEALS}"


class Told(NamedTuple):
    """What the times of one kind of thing tell."""

    one: float
    several: float
    """Medians in milliseconds: of cards without an alternative, and of choices."""
    guess: float
    luck: float
    """What the best limit reaches by luck, in 95 of 100 cases."""


Times = list[tuple[int, bool, float]]
"""The number of the trick, whether there was one legal card only, and seconds."""


def main(as_json: bool) -> int:
    rows: dict[str, Told] = {}
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        for bot in LADDER:
            say(f"{bot}: thinking")
            rows[f"`{bot}`, its thinking"] = told(thoughts(bot))
            say(f"{bot}: at a table")
            rows[f"`{bot}`, at a table"] = told(asyncio.run(watched(server, bot)))
        with busy(os.cpu_count() or 2):
            for bot in LADDER:
                say(f"{bot}: at a table, all processors busy")
                rows[f"`{bot}`, at a table, all processors busy"] = told(asyncio.run(watched(server, bot)))
    waits = asyncio.run(crowded())
    print(file=sys.stderr)
    if as_json:
        print(json.dumps({"told": {name: row._asdict() for name, row in rows.items()}, "waits_ms": waits}))
        return 0
    print("| | one legal card, ms | several, ms | the best guess | by luck |\n|---|---:|---:|---:|---:|")
    for name, row in rows.items():
        print(f"| {name} | {row.one:.2f} | {row.several:.2f} | {row.guess:.0%} | {row.luck:.0%} |")
    print("\n| milliseconds until a card | p50 | p99 | most |\n|---|---:|---:|---:|")
    for name, values in waits.items():
        print(f"| {name} | {' | '.join(f'{value:.0f}' for value in values)} |")
    return 0


def told(times: Times) -> Told:
    rng, luck = Random(1), []
    for _ in range(LUCK):
        mixed: Times = []
        for number in {trick for trick, _, _ in times}:
            kinds = [is_one for trick, is_one, _ in times if trick == number]
            rng.shuffle(kinds)
            taken = (seconds for trick, _, seconds in times if trick == number)
            mixed += [(number, is_one, seconds) for is_one, seconds in zip(kinds, taken, strict=True)]
        luck.append(best_guess(*_both(mixed)))
    one, several = _both(times)
    by_luck = statistics.quantiles(luck, n=20)[-1]
    return Told(statistics.median(one), statistics.median(several), best_guess(one, several), by_luck)


def _both(times: Times) -> tuple[list[float], list[float]]:
    """Milliseconds of cards without an alternative, and of choices."""
    one = [1000 * seconds for _, is_one, seconds in times if is_one]
    return one, [1000 * seconds for _, is_one, seconds in times if not is_one]


def thoughts(name: str) -> Times:
    bot, rng, found = make_bot(name), Random(1), Times()
    for _ in range(DEALS):
        state = DealState.start(Deal.shuffled(PLAYERS, rng))
        while state.to_play is not None:
            view, begun = state.view(state.to_play), time.perf_counter()
            card = bot.choose(view, rng)
            found.append((len(state.tricks), len(state.legal_cards) == 1, time.perf_counter() - begun))
            state = state.play(card)
    return found[PLAYERS:]  # the first ones load what they need


async def watched(server: Served, bot: str) -> Times:
    """A match, as its person sees it."""
    host = server.person()
    table = server.table(host, [None, *[bot] * (PLAYERS - 1)], RULES).removeprefix("/t/")
    found, turns = Times(), list[tuple[int, str, float]]()
    async with connect(f"{server.address.replace('http', 'ws')}/api/tables/{table}/socket", proxy=None) as socket:

        async def say(**what: Any) -> None:
            await socket.send(json.dumps(what))

        await say(type="hello", protocol=1, build="", token=host.token, since=0)
        began = 0.0
        async for text in socket:
            now, message = time.perf_counter(), decode_message(text)
            if message["type"] == "batch":
                await say(type="start", expect=len(message["events"]))
            elif message["type"] == "turn":
                await say(type="play", expect=message["seq"], card=message["legal"][0])
            elif message["type"] == "happened":
                event, seq = message["event"], message["seq"]
                if event["type"] == "played":
                    turns.append((event["seat"], event["card"], now - began))
                elif event["type"] == "committed":
                    await say(type="share", deal=event["deal"], share="00" * 16)
                elif event["type"] == "opened":
                    found += _judged(Shuffle.parse(event["shuffle"]).deal(), turns)
                    turns.clear()
                    if event["deal"] == DEALS:
                        return found
                    await say(type="goon", expect=seq)
                began = now
    return found


def _judged(deal: Deal, turns: list[tuple[int, str, float]]) -> Times:
    state, found = DealState.start(deal), Times()
    for seat, card, seconds in turns:
        if seat:
            found.append((len(state.tricks), len(state.legal_cards) == 1, seconds))
        state = state.play(Card.parse(card))
    return found


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that do nothing but that."""
    workers = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(processes)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()


def _spin() -> None:
    ends = time.monotonic() + 600
    while time.monotonic() < ends:
        pass


async def crowded() -> dict[str, list[float]]:
    """How long an answer takes: alone, while one person has many tables, and while many persons have one each."""
    threads = max(1, (os.cpu_count() or 2) - 1)
    bot_pool = BotPool(["casual", "master"], threads, lambda: Random(1))
    await bot_pool.loaded()
    found = {}
    crowds: dict[str, Callable[[int], str]] = {
        "of one person": lambda _: "eve",
        "of as many persons": lambda number: f"p{number}",
    }
    for bot in ("casual", "master"):
        say(f"{bot}, alone")
        found[f"`{bot}`, alone"] = await _waits(bot_pool, bot)
        for whose, owner in crowds.items():
            say(f"{bot}, beside {TABLES} tables {whose}")
            others = [asyncio.create_task(_keep_playing(bot_pool, owner(number), number)) for number in range(TABLES)]
            await asyncio.sleep(1)
            found[f"`{bot}`, beside {TABLES} tables {whose}"] = await _waits(bot_pool, bot)
            for other in others:
                other.cancel()
            await asyncio.sleep(1)
    bot_pool.close()
    return found


async def _keep_playing(bot_pool: BotPool, owner: str, seed: int) -> None:
    rng = Random(seed)
    while True:
        state = DealState.start(Deal.shuffled(MASTERS + 1, rng))
        while state.to_play is not None:
            legal = list(state.legal_cards)
            is_bot = state.to_play < MASTERS
            state = state.play(
                await bot_pool.choose("master", state.view(state.to_play), owner) if is_bot else legal[0]
            )


async def _waits(bot_pool: BotPool, bot: str) -> list[float]:
    """Median, 99th percentile and the longest, in milliseconds."""
    views, times = list(_views(Random(5))), list[float]()
    ends = time.perf_counter() + SECONDS
    while time.perf_counter() < ends:
        begun = time.perf_counter()
        await bot_pool.choose(bot, views[len(times) % len(views)], "ann")
        times.append(1000 * (time.perf_counter() - begun))
        await asyncio.sleep(EACH)
    return [statistics.median(times), statistics.quantiles(times, n=100)[-1], max(times)]


def _views(rng: Random) -> Iterator[View]:
    state = DealState.start(Deal.shuffled(PLAYERS, rng))
    while state.to_play is not None:
        yield state.view(state.to_play)
        state = state.play(rng.choice(list(state.legal_cards)))
