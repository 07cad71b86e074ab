"""`./dg bench strength CONTEST`: how much stronger `master` is than others, in the same deals.

Each contest has its number of deals, fixed before it is played, and takes from minutes to an hour; what was broken off
goes on where it was. `--jobs` spreads it over processes. The time of both sides is measured in the same games.
"""

import argparse
import json
import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from davidgoliath.bots import Bot, Budget, make_bot
from davidgoliath.bots.expert import ExpertBot, MasterBot
from davidgoliath.bots.inference import GuessingTree
from davidgoliath.bots.search import Tree
from davidgoliath.match.arena import Arena, load_bots, play_games
from davidgoliath.match.comparison import Comparison
from davidgoliath.match.results import Results
from davidgoliath.rules import RuleSet, View
from tools.train.progress import Progress

FOLDER: Final = Path("build/strength")


class FormerMaster(ExpertBot):
    """`master` as it was without networks."""

    usual = Budget(iterations=16000)

    def tree(self, view: View, seed: int, room: int) -> Tree:
        return GuessingTree(view, seed, room)


class BoldExpert(ExpertBot):
    """`expert` that tries seldom visited cards as rarely as `master` does: what the networks themselves bring."""

    def tree(self, view: View, seed: int, room: int) -> Tree:
        return BoldTree(view, seed, room)


class BoldTree(Tree):
    explore = 6.0


MADE: Final[dict[str, Callable[[], ExpertBot]]] = {
    "master": MasterBot,
    "expert": ExpertBot,
    "former": FormerMaster,
    "bold": BoldExpert,
}


class Contest(NamedTuple):
    """Bots at one table, repeated until it is full; `NAME@N` has N iterations a card."""

    bots: str
    deals: int


QUICK: Final = {3: 2800, 4: 2800, 5: 4000, 6: 4000}
"""With so many iterations `master` takes as long as `expert`."""
CONTESTS: Final = {
    "equal": Contest("master@quick expert", 2000),
    "one": Contest("master@quick expert expert expert", 1500),
    "former": Contest("master former", 1000),
    "former-equal": Contest("master@quick former@quick", 1000),
    "expert": Contest("master expert", 400),
    "policy": Contest("adept club", 2000),
    "bold": Contest("bold expert", 1000),
    "options": Contest("master former", 400),
}


@dataclass(frozen=True)
class Meeting(Arena):
    """An arena for contenders too."""

    def bot(self, name: str) -> Bot:
        return _contender(name)


@lru_cache
def _contender(name: str) -> Bot:
    plain, _, iterations = name.partition("@")
    if not iterations:
        return MADE[plain]() if plain in MADE else make_bot(plain)
    bot = MADE[plain]()
    bot.usual = Budget(iterations=int(iterations))
    return bot


def main(as_json: bool) -> int:
    options = _parser().parse_args()
    contest = CONTESTS[options.contest]
    deals, quick = options.deals or contest.deals, str(options.quick or QUICK[options.players])
    names = contest.bots.replace("quick", quick).split()
    meeting = Meeting.of(names, options.players, rules=RuleSet.parse(options.rules), seed=options.seed)
    load_bots(meeting)
    FOLDER.mkdir(parents=True, exist_ok=True)
    words = options.contest, options.players, *options.rules.split(), options.seed, quick
    with Results(meeting, FOLDER / f"{'-'.join(map(str, words))}.jsonl") as results:
        done, last = len(results.games), meeting.games(deals)
        progress = Progress(options.contest, last, done)
        with closing(play_games(meeting, done, last, options.jobs)) as games:
            for game in games:
                results.add(game)
                progress.show(len(results.games))
    summary = Comparison(meeting, results.games[:last]).summary()
    print(json.dumps(summary) if as_json else _line(options.contest, options.players, summary))
    return 0


def _line(name: str, players: int, summary: dict[str, Any]) -> str:
    pair, (first, second, *_) = summary["pairs"][0], summary["bots"]
    low, high = pair["ci"]
    return (
        f"| {name}: {pair['a']} against {pair['b']}, {players} players | {summary['deals']}"
        f" | {pair['difference']:+.2f} ({low:+.2f} to {high:+.2f})"
        f" | {first['win_share']:.1%}, {second['win_share']:.1%}"
        f" | {first['ms_per_move']:.2f}, {second['ms_per_move']:.2f} |"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dg bench strength")
    parser.add_argument("name")
    parser.add_argument("contest", choices=CONTESTS)
    parser.add_argument("--players", type=int, default=4, choices=(3, 4, 5, 6))
    parser.add_argument("--deals", type=int, help="other than the contest's own number")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--seed", type=int, default=20261119)
    parser.add_argument("--quick", type=int, help="iterations in place of those that take as long as expert")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    return parser
