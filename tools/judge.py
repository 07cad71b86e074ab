"""`./dg judge [BOT …]`: the points that bots lose per move by the judgement of `study`, and their commonest errors.

The bot sits among `club`s, in one seat of each deal, another one each time. So all bots are judged in the same company
on the same cards, and what they lose is their own doing. Among its own kind, a weak bot would be judged in positions
that only weak bots get into.

Losses are as the analysis has them, below nothing too: so chance makes nobody lose. `copy` is the judge itself with
other chance: what it loses and how often it is accused tell what the judge's word is worth.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from davidgoliath import Card, Deal, DealState, View, score_by_colour
from davidgoliath.bots import LADDER, Bot, Budget, bots, make_bot
from davidgoliath.match.comparison import bootstrap, intervals
from davidgoliath.rules import settle
from davidgoliath.study.analysis import Analyst
from davidgoliath.study.grades import grade_of
from davidgoliath.study.intervals import FEWEST
from davidgoliath.study.judges import JUDGE
from davidgoliath.study.values import Estimate, Grade

COMPANY: Final = "club"
COPY: Final = "copy"
OUTSIDE: Final = "reference"
"""Stands outside the ladder."""
COSTLY: Final = 1.0
"""So many points must a move lose for its error to count."""
LADDER_FILE: Final = Path(__file__).parent.parent / "src/davidgoliath/study/ladder.json"


class Terms(NamedTuple):
    """On what terms bots are judged."""

    players: int = 4
    seed: int = 0
    blocks: int = 8
    """Of each analysis."""


class Error(StrEnum):
    """How a card differs from the best one, in a card player's words."""

    LEADS_TOO_HIGH = "leads too high"
    LEADS_TOO_LOW = "leads too low"
    LEADS_WRONG_COLOUR = "leads the wrong colour"
    TAKES_THIRD_CARD = "takes a third card of a colour"
    TAKES = "takes where it should duck"
    DUCKS = "ducks where it should take"
    TAKES_PRIZE = "goes for a prize it should leave"
    LEAVES_PRIZE = "leaves David's prize to others"
    PLAYS_TOO_HIGH = "plays too high"
    PLAYS_TOO_LOW = "plays too low"
    DISCARDS_WRONG_COLOUR = "discards the wrong colour"


class Move(NamedTuple):
    """A choice between legal cards, as judged."""

    loss: Estimate
    grade: Grade
    error: Error | None
    """None for the best card."""


class Copy:
    """The judge as a bot, with other chance."""

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Card:
        return Analyst(view, copy=1).best(self.blocks)


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dg judge", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("bot", nargs="*", help="all of ours, unless given; `copy` is the judge with other chance")
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5, 6))
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--blocks", type=int, default=Terms().blocks, help="of each analysis")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", action="store_true", help="as what `study` knows of the ladder for so many players")
    words = parser.parse_args()
    for name in words.bot:
        if name not in (*bots(), COPY):
            parser.error(f"there is no bot {name!r}, only {', '.join((*bots(), COPY))}")
    terms = Terms(words.players, words.seed, max(FEWEST, words.blocks))
    report = judge(words.bot or [*LADDER, "reference"], terms, max(1, words.deals), max(1, words.jobs))
    print(json.dumps(report, indent=1) if words.json else as_table(report))
    if words.keep:
        keep(report, LADDER_FILE)
    return 0


def judge(names: Sequence[str], terms: Terms, deals: int, jobs: int = 1) -> dict[str, Any]:
    """The figures of each bot."""
    tasks = [(name, deal) for name in names for deal in range(deals)]
    moves: dict[str, list[list[Move]]] = {name: [] for name in names}
    for done, ((name, _), found) in enumerate(zip(tasks, _judged(tasks, terms, jobs), strict=True), 1):
        moves[name].append(found)
        print(f"\r{name}: {done} of {len(tasks)} games ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    figures = [summary(name, moves[name]) for name in names]
    return {"judge": JUDGE, **terms._asdict(), "deals": deals, "bots": figures, "steps": steps(moves)}


def _judged(tasks: list[tuple[str, int]], terms: Terms, jobs: int) -> Iterator[list[Move]]:
    if jobs == 1:
        yield from (judge_game(*task, terms) for task in tasks)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(judge_game, *zip(*tasks, strict=True), [terms] * len(tasks))


def judge_game(name: str, number: int, terms: Terms) -> list[Move]:
    """Plays a deal with the bot in one seat, and judges its moves."""
    cards = Deal.shuffled(terms.players, Random(f"{terms.seed}:{number}"), dealer=terms.players - 1)
    chances = [Random(f"{terms.seed}:{number}:{player}") for player in range(terms.players)]
    seat, state, moves = number % terms.players, DealState.start(cards), []
    while (player := state.to_play) is not None:
        view = state.view(player)
        card = _bot(name if player == seat else COMPANY, terms.blocks).choose(view, chances[player])
        if player == seat and len(view.legal_cards) > 1:
            moves.append(judge_move(view, card, terms.blocks))
        state = state.play(card)
    return moves


@lru_cache
def _bot(name: str, blocks: int) -> Bot:
    return Copy(blocks) if name == COPY else make_bot(name)


def judge_move(view: View, card: Card, blocks: int) -> Move:
    """What a card loses against the best one, and what kind of error it is."""
    analysis = Analyst(view, card).analysis(blocks, whole=False)
    loss, best = analysis.losses[card], analysis.best
    return Move(loss, grade_of(loss, card is best), None if card is best else error_of(view, card, best))


def error_of(view: View, card: Card, best: Card) -> Error:
    """What is wrong with a card. Roles and captures are as the trick lies right after it: others may still follow.

    Between cards of two colours it takes a third of all values for one to be higher: else the colour is the matter.
    """
    height = card.value - best.value
    wrong_colour = card.colour != best.colour and abs(height) < view.players
    if not view.trick.cards:
        if wrong_colour:
            return Error.LEADS_WRONG_COLOUR
        return Error.LEADS_TOO_HIGH if height > 0 else Error.LEADS_TOO_LOW
    if _crowds(view, card) and not _crowds(view, best):
        return Error.TAKES_THIRD_CARD
    (is_goliath, is_david), (be_goliath, be_david) = _roles(view, card), _roles(view, best)
    if is_goliath != be_goliath:
        return Error.TAKES if is_goliath else Error.DUCKS
    if is_david != be_david:
        return Error.TAKES_PRIZE if is_david else Error.LEAVES_PRIZE
    if wrong_colour:
        return Error.DISCARDS_WRONG_COLOUR
    return Error.PLAYS_TOO_HIGH if height > 0 else Error.PLAYS_TOO_LOW


def _roles(view: View, card: Card) -> tuple[bool, bool]:
    """Whether the card makes its player Goliath, and David."""
    result = settle(view.trick.with_card(card), view.rules)
    return result.goliath == view.seat, result.david == view.seat


def _crowds(view: View, card: Card) -> bool:
    """Whether what its player would capture makes a colour of the own pile worth less."""
    seat = view.trick.seat_of(len(view.trick.cards))
    pile = view.piles[seat]
    after = pile | settle(view.trick.with_card(card), view.rules).captured_by(seat)
    return any(now < then for now, then in zip(score_by_colour(after), score_by_colour(pile), strict=True))


def summary(name: str, deals: list[list[Move]]) -> dict[str, Any]:
    """The figures of a bot, from its moves by deal. Only costly moves count as errors; the dearest kind is first."""
    by_deal = _by_deal(deals)
    lost, number = by_deal.sum(axis=0)
    means = bootstrap(by_deal)
    moves = [move for found in deals for move in found]
    costly = [move for move in moves if move.loss.value >= COSTLY]
    total = sum(move.loss.value for move in costly)
    errors = []
    for kind in Error:
        points = [move.loss.value for move in costly if move.error is kind]
        if points:
            errors.append({"kind": kind, "moves": len(points), "points": sum(points), "share": sum(points) / total})
    return {
        "name": name,
        "moves": int(number),
        "lost": float(lost / number),
        "lost_ci": intervals(means[:, :1] / means[:, 1:])[0],
        "grades": {grade.value: sum(move.grade is grade for move in moves) / len(moves) for grade in Grade},
        "errors": sorted(errors, key=lambda error: -error["points"]),
    }


def steps(moves: dict[str, list[list[Move]]]) -> list[dict[str, Any]]:
    """By how much each bot loses more per move than the next one, on the same deals."""
    found = []
    for name, other in pairwise([name for name in moves if name != OUTSIDE]):
        both = np.hstack([_by_deal(moves[name]), _by_deal(moves[other])])
        lost, number, less, others = both.sum(axis=0)
        means = bootstrap(both)
        ((low, high),) = intervals(means[:, :1] / means[:, 1:2] - means[:, 2:3] / means[:, 3:])
        found.append({"from": name, "to": other, "more": float(lost / number - less / others), "ci": [low, high]})
    return found


def _by_deal(deals: list[list[Move]]) -> Any:
    return np.array([[sum(move.loss.value for move in moves), len(moves)] for moves in deals])


def keep(report: dict[str, Any], file: Path) -> None:
    """Writes what bots of the ladder lose into the table that `study` compares people with."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    players, deals, blocks = report["players"], report["deals"], report["blocks"]
    known[str(players)] = {
        "command": f"./dg judge --players {players} --deals {deals} --blocks {blocks} --keep",
        "judge": report["judge"],
        "lost": {
            bot["name"]: [round(number, 3) for number in (bot["lost"], *bot["lost_ci"])]
            for bot in report["bots"]
            if bot["name"] in LADDER
        },
    }
    file.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")


def as_table(report: dict[str, Any]) -> str:
    """The figures in Markdown."""
    errors = [grade for grade in Grade if grade not in (Grade.BEST, Grade.FINE)]
    lines = [
        f"| bot | points lost per move | 95 % | {' | '.join(errors)} | commonest errors, by points lost |",
        f"|---|---:|---:|{'---:|' * len(errors)}---|",
    ]
    for bot in report["bots"]:
        low, high = bot["lost_ci"]
        kinds = ", ".join(f"{error['kind']} {100 * error['share']:.0f} %" for error in bot["errors"][:3])
        grades = " | ".join(f"{100 * bot['grades'][grade]:.1f} %" for grade in errors)
        lines.append(
            f"| `{bot['name']}` | {bot['lost']:.2f} | {low:.2f} to {high:.2f} | {grades} | {kinds or 'none'} |"
        )
    for step in report["steps"]:
        low, high = step["ci"]
        wrong = " **(the wrong order)**" if high < 0 else ""
        lines.append(
            f"\n`{step['from']}` loses {step['more']:.2f} more than `{step['to']}` ({low:.2f} to {high:.2f}){wrong}"
        )
    return "\n".join(lines)
