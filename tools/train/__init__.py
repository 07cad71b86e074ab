"""`./dg train`: the networks' weights from nothing. docs/training.md says what was run for those of the package.

    ./dg train all --players 4                             # from nothing to the package's: takes an hour
    ./dg train play --players 4 --deals 500000             # its parts: `club` against itself, with slips
    ./dg train play --players 4 --deals 16000 --search 250  # the search against itself
    ./dg train value --players 4                            # learns from all that was played
    ./dg train policy --players 4
    ./dg train refine --players 4                           # a policy learns what its cards are worth

Everything lies in one folder (`--folder`). What was broken off goes on where it was: deal k is the same whenever it is
played, and training keeps a checkpoint after every pass. From one seed come the same bytes.
"""

import argparse
from pathlib import Path

from tools.train import learn, play, recipe, refine

NETWORKS = Path(__file__).parent.parent.parent / "src/davidgoliath/kernel/networks"


def main() -> int:
    options = _parser().parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.stage == "all":
        print(recipe.cook(options.players, options.folder, options.seed, options.jobs))
    elif options.stage == "play":
        plan = play.Plan(options.players, options.seed, options.search, options.value)
        play.play(plan, options.deals, options.folder, options.jobs)
    elif options.stage == "refine":
        start, value = options.start or own("policy", options.players), options.value or own("value", options.players)
        task = refine.Plan(options.players, options.seed, options.passes, options.rate, start, value)
        print(refine.refine(task, options.folder))
    else:
        course = learn.Plan(
            options.stage,
            options.players,
            options.seed,
            options.passes,
            options.rate,
            tuple(options.games),
            options.start,
            options.fade,
        )
        weights = learn.learn(course, options.folder)
        print(weights)
    return 0


def own(kind: str, players: int) -> Path:
    """One of the package's networks."""
    return NETWORKS / f"{kind}-{players}.net"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dg train", description="Makes the networks' weights from nothing.")
    parser.add_argument("stage", choices=("all", "play", "value", "policy", "refine"))
    parser.add_argument("--players", type=int, choices=range(3, 7), default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("training"), help="where everything lies")
    playing = parser.add_argument_group("play")
    playing.add_argument("--deals", type=int, default=500_000)
    playing.add_argument("--search", type=int, default=0, help="iterations a card; without, `club` plays")
    playing.add_argument("--value", type=Path, help="a value network; without, the package's")
    playing.add_argument("--jobs", type=int, default=1, help="processes side by side")
    learning = parser.add_argument_group("value and policy")
    learning.add_argument("--games", nargs="+", default=["club"], help="names of what was played, such as search-250")
    learning.add_argument("--passes", type=int, default=12, help="in each of which every deal gives one position")
    learning.add_argument("--rate", type=float, default=2e-3)
    learning.add_argument("--start", type=Path, default=None, help="a network or a checkpoint to begin with")
    learning.add_argument("--lambda", type=float, default=1.0, dest="fade", help="TD(λ), with the start as the teacher")
    return parser
