"""`./dg judge [BOT …]`: the points that bots lose per move by the search's judgement, and their commonest errors.

The bot sits among `club`s, in each seat of each deal in turn. So all bots are judged in the same company on the same
cards, and what they lose is their own doing. Among its own kind, a weak bot would be judged in positions that only
weak bots get into.

Wherever it has a choice, a search names the best card. If that is another one than the bot's, two more searches
value the two, each with one of them as its only card, and both on the same worlds. The first search alone would be
unfair: it leaves a card that looks bad after few tries, so that its mean is noisy and too low. What the best card is
worth more, if it is, is lost. Values are noisy all the same: `expert` is this search from another seed, and what it
loses is what chance makes anyone lose.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from enum import StrEnum
from functools import lru_cache
from multiprocessing import get_context
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from davidgoliath import Card, Deal, DealState, Seat, View, score_by_colour
from davidgoliath.bots import LADDER, Bot, bots, make_bot
from davidgoliath.bots.search import TOTAL, VISITS, Tree, add_child
from davidgoliath.kernel.convert import code_of
from davidgoliath.kernel.shape import POINT
from davidgoliath.match.comparison import bootstrap, intervals
from davidgoliath.rules import settle

COMPANY: Final = "club"
COSTLY: Final = 1.0
"""So many points must a move lose for its error to count."""
HOPELESS: Final = -(10**12)
"""The value of cards that a search shall leave alone."""


class Terms(NamedTuple):
    """On what terms bots are judged."""

    players: int = 4
    seed: int = 0
    iterations: int = 6000
    """Of each search."""


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

    lost: float
    error: Error | None
    """None for the best card."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dg judge", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("bot", nargs="*", help="all of ours, unless given")
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5, 6))
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--iterations", type=int, default=Terms().iterations, help="of each search")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--json", action="store_true")
    words = parser.parse_args()
    for name in words.bot:
        if name not in bots():
            parser.error(f"there is no bot {name!r}, only {', '.join(bots())}")
    terms = Terms(words.players, words.seed, max(1, words.iterations))
    report = judge(words.bot or [*LADDER, "reference"], terms, max(1, words.deals), max(1, words.jobs))
    print(json.dumps(report, indent=1) if words.json else as_table(report))
    return 0


def judge(names: Sequence[str], terms: Terms, deals: int, jobs: int = 1) -> dict[str, Any]:
    """The figures of each bot."""
    tasks = [(name, deal, seat) for name in names for deal in range(deals) for seat in range(terms.players)]
    moves: dict[str, list[list[Move]]] = {name: [[] for _ in range(deals)] for name in names}
    for done, ((name, deal, _), found) in enumerate(zip(tasks, _judged(tasks, terms, jobs), strict=True), 1):
        moves[name][deal] += found
        print(f"\r{name}: {done} of {len(tasks)} games ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return {**terms._asdict(), "deals": deals, "bots": [summary(name, moves[name]) for name in names]}


def _judged(tasks: list[tuple[str, int, Seat]], terms: Terms, jobs: int) -> Iterator[list[Move]]:
    if jobs == 1:
        yield from (judge_game(*task, terms) for task in tasks)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(judge_game, *zip(*tasks, strict=True), [terms] * len(tasks))


def judge_game(name: str, number: int, seat: Seat, terms: Terms) -> list[Move]:
    """Plays a deal with the bot in one seat, and judges its moves."""
    cards = Deal.shuffled(terms.players, Random(f"{terms.seed}:{number}"), dealer=terms.players - 1)
    chances = [Random(f"{terms.seed}:{number}:{player}") for player in range(terms.players)]
    judging = Random(f"judge:{terms.seed}:{number}:{seat}")
    state, moves = DealState.start(cards), []
    while (player := state.to_play) is not None:
        view = state.view(player)
        card = _bot(name if player == seat else COMPANY).choose(view, chances[player])
        if player == seat and len(view.legal_cards) > 1:
            moves.append(judge_move(view, card, judging, terms.iterations))
        state = state.play(card)
    return moves


@lru_cache
def _bot(name: str) -> Bot:
    return make_bot(name)


def judge_move(view: View, card: Card, rng: Random, iterations: int) -> Move:
    """What a card loses against the best one, and what kind of error it is."""
    tree, again = Tree(view, rng.getrandbits(64), iterations), rng.getrandbits(64)
    tree.grow(iterations)
    best = tree.best
    if best is card:
        return Move(0.0, None)
    lost = value_of(view, best, again, iterations) - value_of(view, card, again, iterations)
    return Move(max(0.0, lost), error_of(view, card, best))


def value_of(view: View, card: Card, seed: int, iterations: int) -> float:
    """What a search expects of a card that it must play: own score less the mean of the others', in points."""
    tree = Tree(view, seed, iterations + len(view.legal_cards))
    for legal in view.legal_cards:
        child = add_child(tree.nodes, 0, code_of(legal))
        tree.nodes[child, VISITS] = 1
        if legal is card:
            only = child
        else:
            tree.nodes[child, TOTAL] = HOPELESS
    tree.grow(iterations)
    return float(tree.nodes[only, TOTAL] / iterations / (view.players - 1) / POINT)


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
    by_deal = np.array([[sum(move.lost for move in moves), len(moves)] for moves in deals])
    lost, moves = by_deal.sum(axis=0)
    means = bootstrap(by_deal)
    costly = [move for found in deals for move in found if move.lost >= COSTLY]
    total = sum(move.lost for move in costly)
    errors = []
    for kind in Error:
        points = [move.lost for move in costly if move.error is kind]
        if points:
            errors.append({"kind": kind, "moves": len(points), "points": sum(points), "share": sum(points) / total})
    return {
        "name": name,
        "moves": int(moves),
        "lost": float(lost / moves),
        "lost_ci": intervals(means[:, :1] / means[:, 1:])[0],
        "costly": len(costly) / int(moves),
        "errors": sorted(errors, key=lambda error: -error["points"]),
    }


def as_table(report: dict[str, Any]) -> str:
    """The figures in Markdown."""
    lines = [
        "| bot | points lost per move | 95 % | costly moves | commonest errors, by points lost in costly moves |",
        "|---|---:|---:|---:|---|",
    ]
    for bot in report["bots"]:
        low, high = bot["lost_ci"]
        errors = ", ".join(f"{error['kind']} {100 * error['share']:.0f} %" for error in bot["errors"][:3])
        figures = f"{bot['lost']:.2f} | {low:.2f} to {high:.2f} | {100 * bot['costly']:.0f} %"
        lines.append(f"| `{bot['name']}` | {figures} | {errors or 'none'} |")
    return "\n".join(lines)
