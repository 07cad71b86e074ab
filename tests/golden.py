"""Golden positions: 200 of them, with the card that each of our bots plays there.

`python -m tests.golden` writes the moves anew, after bots have been retuned or added: the positions stay. With names of
bots it prints their moves instead. The tests ask for them in this process, in another one, and without Numba.
"""

import json
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

from davidgoliath import Deal, DealRecord, DealState, RuleSet, Standing
from davidgoliath.bots import LADDER, Budget, ReferenceBot, make_bot
from davidgoliath.notation import to_json
from davidgoliath.notation.jsonform import from_json

FILE: Final = Path(__file__).with_name("golden_positions.jsonl")
NAMES: Final = (*LADDER, "reference")
ITERATIONS: Final = {"expert": 16, "master": 4}
"""Few, since plain Python is some hundred times as slow, and `master` weighs as many worlds as it tries."""
DEALS, CUTS = 40, 5

Moves = list[dict[str, dict[str, str]]]
"""For each deal, by the number of cards played: the card of each bot."""


def entries() -> list[Any]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def moves(deals: list[Any], names: Sequence[str] = NAMES) -> Moves:
    """What our bots play in the positions of the file."""
    bots = {name: make_bot(name) for name in names}
    found: Moves = []
    for entry in deals:
        record = from_json(entry["record"])
        found.append({})
        for cut in entry["moves"]:
            state = record.state.at(int(cut))
            view = state.view(state.to_play)
            found[-1][cut] = {name: str(bot.choose(view, Random(cut), _budget(name))) for name, bot in bots.items()}
    return found


def _budget(name: str) -> Budget | None:
    return Budget(ITERATIONS[name]) if name in ITERATIONS else None


def new_entries() -> list[Any]:
    """Deals at 3 to 6 players with all options and any standing, cut where there is a choice."""
    options = list(product((3, 4, 5, 6), (None, 150), ("goliath", "david"), ("split", "sweep")))
    rng, deals = Random("golden"), []
    for number in range(DEALS):
        players, target, lowest, equal = options[number * len(options) // DEALS]
        rules = RuleSet.of(target_score=target, lowest_card_to=lowest, all_equal=equal)
        totals = tuple(rng.randrange(100) if number % 2 else 0 for _ in range(players))
        standing = Standing(totals, 1 + number % players, players, target)
        state = DealState.start(Deal.shuffled(players, rng), rules, standing)
        choices = []
        while state.to_play is not None:
            if len(state.legal_cards) > 1:
                choices.append(len(state.plays))
            card = ReferenceBot().choose(state.view(state.to_play), rng)
            state = state.play(card if rng.random() < 0.7 else rng.choice(list(state.legal_cards)))
        cuts = sorted(rng.sample(choices, CUTS))
        deals.append({"record": to_json(DealRecord.of(state)), "moves": {str(cut): {} for cut in cuts}})
    return deals


def main() -> None:
    deals = entries() if FILE.exists() else new_entries()
    found = moves(deals, sys.argv[1:] or NAMES)
    if sys.argv[1:]:
        print(json.dumps(found))
        return
    lines = [json.dumps({**entry, "moves": new}) + "\n" for entry, new in zip(deals, found, strict=True)]
    FILE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
