"""`./dg tune [PLAYERS …]`: learns what `club` knows, and writes it to bots/learnt.json.

First `expert` plays against itself, and each colour of each pile after each trick is held against what it was worth
in the end: those are the prospects. Then the weights of `club` are varied, and those that win most points
against three of the best so far are kept. It takes some minutes for a number of players.
"""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from random import Random

import numpy as np

from davidgoliath import CardSet, Colour, Deal, DealState, score_by_colour
from davidgoliath.bots import Budget, make_bot, prospects
from davidgoliath.bots.club import WEIGHTS, club_card, with_chances
from davidgoliath.bots.prospects import prospects_for
from davidgoliath.kernel.chance import stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, MOST_CARDS, Floats, Ints
from davidgoliath.kernel.play import score
from davidgoliath.kernel.playout import deal
from davidgoliath.kernel.position import (
    BOTTOM,
    FIELDS,
    NO_BOTTOM,
    PLAYERS,
    TOP,
    TRICK,
    count_remaining,
    legal_words,
    play_card,
    to_play,
)

FILE = Path(prospects.__file__).with_name("learnt.json")
DEALS, ITERATIONS = 300, 2000
"""Of the games of `expert` from which the prospects are learnt."""
FEW = 30
"""With fewer samples, a row takes the numbers of the one before it."""
GENERATIONS, BROOD, PARENTS, TRIAL = 60, 20, 5, 1000
"""Of the weights; a trial is so many deals, in all seatings."""
PLAIN = dict(zip(WEIGHTS, (1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.5), strict=True))
"""Where the weights start; `SPREAD` is how far they vary at first. Those in points count in `POINT`s."""
SPREAD = np.array([0.5, 0.5, 0.3, 20, 1.5, 100, 60, 0.1, 0.3])
LOW, HIGH = np.array([0.05, 0.05, *[-np.inf] * 5, 0.0, 0.0]), np.array([*[np.inf] * 7, 0.9, 2.0])


def main() -> int:
    for players in map(int, sys.argv[1:] or "3456"):
        learnt = json.loads(FILE.read_text(encoding="utf-8"))
        learnt[str(players)] = {"prospects": learn_prospects(players), "weights": learnt[str(players)]["weights"]}
        _write(learnt)
        learnt[str(players)]["weights"] = tune_weights(players)
        _write(learnt)
    return 0


def _write(learnt: dict[str, dict[str, object]]) -> None:
    """A row of numbers a line, so that changes can be read."""
    text = json.dumps(learnt).replace("], [", "],\n[").replace("}, ", "},\n")
    FILE.write_text(text + "\n", encoding="utf-8")
    for cache in (prospects.learnt, prospects_for):
        cache.cache_clear()


def learn_prospects(players: int) -> list[list[float]]:
    """For each count of cards out: what no card, one, two and more of a colour become, as straight lines."""
    samples: list[tuple[int, int, int, int]] = []
    with ProcessPoolExecutor() as pool:
        for number, found in enumerate(pool.map(_samples, [players] * DEALS, range(DEALS))):
            samples += found
            _say(f"{players} players: {number + 1} of {DEALS} deals")
    out, cards, total, final = np.array(samples, float).T
    rows: list[list[float]] = []
    for left in range(3 * players + 1):
        here = out == left
        before = rows[-1] if rows else [0.0, 1.0, 0.0, 1.0, 0.0, 0.0]
        one, two, many = (here & (cards == 1)), (here & (cards == 2)), (here & (cards > 2))
        rows.append(
            [
                _mean(final[here & (cards == 0)], before[0]),
                *_line(total[one], final[one], before[1:3]),
                *_line(total[two], final[two], before[3:5]),
                _mean((final - cards)[many], before[5]),
            ]
        )
    return [[round(number, 3) for number in row] for row in rows]


def _samples(players: int, number: int) -> list[tuple[int, int, int, int]]:
    """From one deal: cards out, cards held, their sum, and the points in the end, for every colour of every pile."""
    rng = Random(f"{players}:{number}")
    bot, state = make_bot("expert"), DealState.start(Deal.shuffled(players, rng))
    while not state.is_over:
        state = state.play(bot.choose(state.view(state.to_play), rng, Budget(ITERATIONS)))
    final = [score_by_colour(pile) for pile in state.piles]
    found = []
    for piles in _piles_after_each_trick(state):
        for colour in Colour:
            held = [pile.of_colour(colour) for pile in piles]
            out = 3 * players - sum(map(len, held))
            for seat, cards in enumerate(held):
                found.append((out, len(cards), sum(card.value for card in cards), final[seat][colour]))
    return found


def _piles_after_each_trick(state: DealState) -> Iterator[list[CardSet]]:
    masks: tuple[int, ...] = (0,) * state.players
    for result in state.results:
        yield [CardSet(mask) for mask in masks]
        masks = result.add_to(masks)
    yield [CardSet(mask) for mask in masks]


def _mean(values: Floats, without: float) -> float:
    return float(values.mean()) if len(values) >= FEW else without


def _line(values: Floats, results: Floats, without: list[float]) -> list[float]:
    """Slope and start of the straight line through some results."""
    if len(values) < FEW or values.min() == values.max():
        return without
    return [float(number) for number in np.polyfit(values, results, 1)]


def tune_weights(players: int) -> dict[str, float]:
    """An evolution: the best of a brood are averaged into the next parent, and now and then it becomes the rival."""
    rng = np.random.default_rng(players)
    parent = rival = np.array(list(PLAIN.values()))
    for generation in range(GENERATIONS):
        spread = SPREAD * 0.97**generation
        brood = np.clip(parent + spread * rng.normal(size=(BROOD, len(WEIGHTS))), LOW, HIGH)
        with ThreadPoolExecutor() as pool:
            gains = list(pool.map(trial, repeat(players), brood, repeat(rival), repeat(generation)))
        parent = brood[np.argsort(gains)[-PARENTS:]].mean(axis=0)
        _say(f"{players} players: generation {generation + 1} of {GENERATIONS}, {max(gains):+.2f} points")
        if generation % 10 == 9:
            rival = parent
    print(file=sys.stderr)
    return {name: round(float(weight), 3) for name, weight in zip(WEIGHTS, parent, strict=True)}


def trial(players: int, weights: Floats, rival: Floats, seed: int) -> float:
    """The points a deal by which weights beat those of the other seats."""
    known = prospects_for(players), with_chances(weights), with_chances(rival)
    return float(_trial(np.uint64(seed), players, *known)) / (TRIAL * players * (players - 1))


@compiled("int64(uint64, int64, int64[::1], float64[::1], float64[::1])")
def _trial(seed: np.uint64, players: int, prospects: Ints, weights: Floats, rival: Floats) -> int:
    """Over many deals, each with the weights in every seat once: their score times the players, less all scores."""
    deck, dealt = np.empty(MOST_CARDS, np.int64), np.empty(CELLS, np.int64)
    hands, piles, position = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64), np.empty(FIELDS, np.int64)
    legal, remaining = np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64)
    cards, appeals = np.empty(HAND, np.int64), np.empty(HAND, np.float64)
    total = 0
    for number in range(TRIAL):
        state = stream_start(seed, number)
        deal(state, stream_step(state), players, deck, dealt)
        for own in range(players):
            hands[:], piles[:], position[:] = dealt, 0, 0
            position[PLAYERS], position[TOP], position[BOTTOM] = players, -1, NO_BOTTOM
            count_remaining(position, piles, remaining)
            while position[TRICK] < HAND:
                seat = to_play(position)
                legal_words(position, hands, seat, legal)
                taste = weights if seat == own else rival
                card = club_card(position, hands, piles, remaining, legal, prospects, taste, cards, appeals)
                play_card(position, hands, piles, remaining, card)
            for seat in range(players):
                total += players * score(piles, seat) if seat == own else 0
                total -= score(piles, seat)
    return total


def _say(text: str) -> None:
    print(f"\r{text} ", end="", file=sys.stderr, flush=True)
