"""`./dg bench guesses`: how much better than chance a search that guesses hands knows who holds a card, in nats.

A bot plays deals against itself. At every choice worlds are drawn for the seat to play, and weighed by what the others
have played. For each card that it can't see, the chance that its holder has by these weights is compared with the
chance if all worlds weigh the same. Nothing is searched, so in a minute this tells how much the network's word should
count (`foresight.TEMPERATURE`).
"""

import argparse
import json
from random import Random
from typing import Final

import numpy as np

from davidgoliath import Deal, DealState, View
from davidgoliath.bots import make_bot
from davidgoliath.bots.foresight import TEMPERATURE, NetworkTree, log_chances
from davidgoliath.bots.worlds import Worlds
from davidgoliath.kernel.convert import code_of
from davidgoliath.kernel.layout import Floats
from davidgoliath.kernel.play import bit_of, cell, colour_of
from davidgoliath.match.comparison import bootstrap, intervals

SEED: Final = "guesses"
DOUBT: Final = 0.02
"""The worlds are but a few: so much of each chance is the one that all worlds give, since none should be 0."""


def main(as_json: bool) -> int:
    options = _parser().parse_args()
    rows = [gained(options.bot, options.players, number, options.temperatures) for number in range(options.deals)]
    nats = np.array([[*sums, cards] for sums, cards in rows])
    means = bootstrap(nats)
    found = []
    for column, temperature in enumerate(options.temperatures):
        ((low, high),) = intervals(means[:, column : column + 1] / means[:, -1:])
        found.append(
            {"temperature": temperature, "nats": nats[:, column].sum() / nats[:, -1].sum(), "low": low, "high": high}
        )
    if as_json:
        print(json.dumps(found))
        return 0
    print("| temperature | nats a card | 95 % |\n|---:|---:|---:|")
    for row in found:
        print(f"| {row['temperature']} | {row['nats']:.4f} | {row['low']:.4f} to {row['high']:.4f} |")
    return 0


def gained(bot: str, players: int, number: int, temperatures: list[float]) -> tuple[list[float], int]:
    """In a deal: for each temperature the nats gained, summed over all unseen cards; and how many these were."""
    rng, player = Random(f"{SEED} {players} {number}"), make_bot(bot)
    state, sums, cards = DealState.start(Deal.shuffled(players, rng)), np.zeros(len(temperatures)), 0
    while (seat := state.to_play) is not None:
        view = state.view(seat)
        if len(view.legal_cards) > 1 and state.plays:
            found = nats(view, state, rng.getrandbits(32), temperatures)
            sums, cards = sums + found.sum(axis=1), cards + found.shape[1]
        state = state.play(player.choose(view, rng))
    return sums.tolist(), cards


def nats(view: View, state: DealState, seed: int, temperatures: list[float]) -> Floats:
    """For each temperature and each card that a seat can't see."""
    worlds = Worlds.of(view).sample(seed, NetworkTree.pool)
    holders = [(card, seat) for seat, hand in enumerate(state.hands) if seat != view.seat for card in hand]
    codes = [(code_of(card), seat) for card, seat in holders]
    holds = np.array([worlds[:, cell(seat, colour_of(code))] & bit_of(code) != 0 for code, seat in codes], np.float64)
    even = holds.mean(axis=1)
    found = np.empty((len(temperatures), len(holders)))
    for row, temperature in zip(found, temperatures, strict=True):
        logs = log_chances(view, worlds, temperature)
        weights = np.exp(logs - logs.max())
        chances = holds @ weights / weights.sum()
        known = even > 0
        row[:] = 0
        row[known] = np.log((1 - DOUBT) * chances[known] / even[known] + DOUBT)
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dg bench guesses")
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5, 6))
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--bot", default="expert", help="whose cards are to be guessed")
    parser.add_argument("--temperatures", type=float, nargs="+", default=[TEMPERATURE])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("name", nargs="?")
    return parser
