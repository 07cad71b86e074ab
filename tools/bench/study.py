"""`./dg bench study WHAT [--players N] [--positions N]`: what the judge's word is worth.

- *times*: milliseconds until the first review of a seat's deal, until the final one, and of a hint.
- *coverage*: how often the interval of the difference of two cards holds the mean of many other blocks. The two are the
  lowest and the highest that are legal, whatever they are worth.
- *found*, *found-final*: of the moves of `random` that cost 3 points or more by a hundred times the blocks of the first
  review, or of the final one, how many that review calls errors. What loses less than a point by 16 blocks, and surely,
  isn't looked at further.
- *reasons*: for what `beginner` played where another card was plainly better, how many intervals of their reasons hold
  what eight times as many other worlds say; and how many do if they are as much wider as those worlds may err, too.

How far two judges agree is `./dg judge copy`.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean, median
from time import perf_counter
from typing import Any, Final

from davidgoliath import Card, Deal, DealState, View
from davidgoliath.bots import make_bot
from davidgoliath.study.analysis import FIRST, LEVELS, Analyst
from davidgoliath.study.blocks import Blocks
from davidgoliath.study.grades import grade_of
from davidgoliath.study.hints import hint
from davidgoliath.study.intervals import estimate
from davidgoliath.study.judges import FINAL
from davidgoliath.study.reasons import PRICING, reasons
from davidgoliath.study.review import Moment, moments, review
from davidgoliath.study.values import ERRORS, Estimate, Grade

COSTLY: Final = 3.0
GROUPS: Final = 20
MANY: Final = 100
"""So many times more blocks say what is costly, or positions are looked at for those with a clearly best card."""
TIMES: Final = 8


def main(as_json: bool) -> int:
    parser = argparse.ArgumentParser(prog="./dg bench study")
    parser.add_argument("name")
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5, 6))
    parser.add_argument("--positions", type=int, default=50, help="of times: deals")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = MEASURES[options.what](options.players, options.positions)
    print(json.dumps(found) if as_json else "\n".join(f"{name}: {value}" for name, value in found.items()))
    return 0


def times(players: int, number: int) -> dict[str, Any]:
    """Of a seat's deal, in milliseconds."""
    firsts, finals, hints = [], [], []
    for deal in range(number):
        state = played_out(players, deal, "club")
        begin = perf_counter()
        for count, _ in enumerate(review(state, deal % players)):
            if not count:
                firsts.append(1000 * (perf_counter() - begin))
        finals.append(1000 * (perf_counter() - begin))
        for moment in moments(state, deal % players):
            begin = perf_counter()
            hint(moment.view)
            hints.append(1000 * (perf_counter() - begin))
    columns = {"first review": firsts, "final review": finals, "hint": hints}
    return {
        f"{name}, {words}": round(measure(found))
        for name, found in columns.items()
        for words, measure in (("median", median), ("most", max))
    }


def coverage(players: int, number: int) -> dict[str, Any]:
    """Of intervals from as many blocks as each level has."""
    held: dict[int, list[bool]] = {level: [] for level in LEVELS}
    for moment in positions(players, number, "club"):
        blocks, cards = Blocks(moment.view, "coverage"), sorted(moment.view.legal_cards)
        low, high = min(cards, key=_height), max(cards, key=_height)
        total = GROUPS * max(held)
        behind = [a - b for a, b in zip(blocks.values(low, total), blocks.values(high, total), strict=True)]
        for level, found in held.items():
            for start in range(0, total, level)[:GROUPS]:
                here, others = behind[start : start + level], behind[:start] + behind[start + level :]
                interval = estimate(here)
                found.append(interval.low - 1e-9 <= fmean(others) <= interval.high + 1e-9)
    return {f"{level} blocks": f"{100 * fmean(found):.1f} % of {len(found)}" for level, found in held.items()}


def found(players: int, number: int, blocks: int = FIRST) -> dict[str, Any]:
    """What a review of so many blocks finds of what is costly."""
    called = []
    for moment in positions(players, number, "random"):
        if estimate(_loss(moment, 4 * FIRST)).high < 1 or fmean(_loss(moment, MANY * blocks)) < COSTLY:
            continue
        analysis = Analyst(moment.view, moment.played).analysis(blocks, whole=False)
        called.append(grade_of(analysis.losses[moment.played], moment.played is analysis.best) in ERRORS)
    share = f"{sum(called)} ({100 * fmean(called):.1f} %)" if called else "0"
    return {"choices": number, f"costly by {MANY * blocks} blocks": len(called), f"found by {blocks}": share}


def reproduced(players: int, number: int) -> dict[str, Any]:
    """Of the numbers of reasons."""
    looked, told, held = 0, 0, dict[str, list[bool]]()
    for moment in positions(players, MANY * number, "beginner"):
        analysis = Analyst(moment.view, moment.played).analysis(2 * FIRST)
        if grade_of(analysis.losses[moment.played], moment.played is analysis.best) not in (
            Grade.MISTAKE,
            Grade.BLUNDER,
        ):
            continue
        looked += 1
        pair = moment.view, moment.played, analysis.best
        why = reasons(*pair)
        told += bool(why)
        fresh = {reason[:1] + reason[4:]: reason for reason in reasons(*pair, samples=TIMES * PRICING, copy=1)}
        for reason in why:
            other = fresh.get(reason[:1] + reason[4:])
            for name in ("points", "share", "best_share"):
                interval, value = getattr(reason, name), getattr(other, name, None)
                if interval:
                    for kind, wider in ((name, 1.0), (f"{name}, both may err", sqrt(1 + 1 / TIMES))):
                        held.setdefault(kind, []).append(value is not None and _is_near(value, interval, wider))
        if looked == number:
            break
    shares = {name: f"{100 * fmean(found):.1f} % of {len(found)}" for name, found in held.items()}
    return {"positions": looked, "with reasons": told, **shares}


def _is_near(found: Estimate, interval: Estimate, wider: float) -> bool:
    value, low, high = interval
    return value - wider * (value - low) - 1e-9 <= found.value <= value + wider * (high - value) + 1e-9


MEASURES: Final[dict[str, Callable[[int, int], dict[str, Any]]]] = {
    "times": times,
    "coverage": coverage,
    "found": found,
    "found-final": partial(found, blocks=FINAL),
    "reasons": reproduced,
}


def _loss(moment: Moment, blocks: int) -> list[float]:
    """By another judge's chance."""
    best = Analyst(moment.view, copy=2).best(blocks)
    pricing = Blocks(moment.view, "found", blocks)
    both = zip(pricing.values(best, blocks), pricing.values(moment.played, blocks), strict=True)
    return [a - b for a, b in both]


def _height(card: Card) -> tuple[int, int]:
    return card.value, card.index


def played_out(players: int, number: int, bot: str) -> DealState:
    """A deal that the bot has played with `club`s: it sits in one seat, another one each time."""
    rng = Random(f"study {players} {number}")
    state, mover, company = DealState.start(Deal.shuffled(players, rng)), make_bot(bot), make_bot("club")
    while (seat := state.to_play) is not None:
        view: View = state.view(seat)
        state = state.play((mover if seat == number % players else company).choose(view, rng))
    return state


def positions(players: int, number: int, bot: str) -> Iterator[Moment]:
    """So many choices of a bot, a few from each deal."""
    deal = 0
    while number > 0:
        there = list(moments(played_out(players, deal, bot), deal % players))
        some = Random(deal).sample(there, min(4, number, len(there)))
        yield from some
        deal, number = deal + 1, number - len(some)
