"""`./dg soak crash|fuzz|workers|cut|siege`: hours of trouble for the server in minutes, told in docs/reliability.md.

The tests of the same names do the same for some seconds.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import click

CONCLUSIONS = {
    "crash": "No card was lost or doubled, and every table resumed.",
    "workers": "No card was lost or doubled, nobody won a race twice, and every table resumed.",
    "cut": "Nothing diverged, and every table resumed.",
    "siege": "Honest people played on, nobody was refused, and the server kept its size.",
    "fuzz": "The server didn't falter, no table was changed, and nobody saw a card that wasn't theirs.",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dg soak", description="Trouble for the server, and what came of it.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    killing = kinds.add_parser("crash", help="kill -9 in the middle of many games, again and again")
    killing.add_argument("--times", type=_positive, default=100, help="how often it is killed")
    killing.add_argument("--tables", type=_positive, default=50, help="games at once")
    lying = kinds.add_parser("fuzz", help="nonsense, lies and theft over WebSockets, beside a game")
    lying.add_argument("--messages", type=_positive, default=100_000, help="how many")
    lying.add_argument("--seed", type=int, default=1, help="of the nonsense")
    several = kinds.add_parser("workers", help="kill -9 of workers on PostgreSQL at random, and of PostgreSQL itself")
    several.add_argument("--times", type=_positive, default=100, help="how often a worker is killed")
    several.add_argument("--tables", type=_positive, default=50, help="games at once")
    several.add_argument("--workers", type=_positive, default=2, help="how many there are")
    several.add_argument("--restarts", type=_positive, default=10, help="how often PostgreSQL is killed")
    several.add_argument("--thought", type=float, default=0.0, help="seconds that people think over a card")
    cutting = kinds.add_parser("cut", help="workers that lose the network to PostgreSQL; as root, on Linux")
    cutting.add_argument("--times", type=_positive, default=10, help="how often")
    cutting.add_argument("--tables", type=_positive, default=20, help="games at once")
    cutting.add_argument("--longest", type=_positive, default=8, help="so many seconds a cable is pulled at most")
    besieging = kinds.add_parser("siege", help="one address asks for all it can get, while others play; on Linux")
    besieging.add_argument("--minutes", type=_positive, default=5, help="how long, and as long again for the control")
    besieging.add_argument("--tables", type=_positive, default=10, help="games of honest people at once")
    besieging.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite", help="where tables are")
    for each in (killing, lying, several, cutting, besieging):
        each.add_argument("--json", action="store_true", help="figures for programs")
    words = parser.parse_args()
    Path("build").mkdir(exist_ok=True)  # the system's folder for temporary files may be in memory
    with tempfile.TemporaryDirectory(dir="build") as folder:
        try:
            figures, broken = _soak(words, Path(folder).resolve())
        except AssertionError as failure:
            print(f"\n{failure}", file=sys.stderr)
            return 1
    if words.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name.replace('_', ' '):<44}{figure:>12,}")
    if broken:
        print("", *broken, sep="\n", file=sys.stderr)
    elif not words.json:
        print(CONCLUSIONS[words.kind])
    return 1 if broken else 0


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"a number from 1 on is expected, not {text!r}")
    return int(text)


def _soak(words: argparse.Namespace, folder: Path) -> tuple[dict[str, float], list[str]]:
    """Figures, and which promises weren't kept, if that didn't end it already."""
    with click.progressbar(
        length=_length(words), file=sys.stderr, show_pos=True, hidden=not sys.stderr.isatty()
    ) as bar:
        if words.kind == "siege":
            from tools.soak.siege import siege  # not above: players are a module of this package, and need little

            on_postgres = words.database == "postgresql"
            return siege(folder, 60 * words.minutes, words.tables, bar.update, on_postgres=on_postgres)
        if words.kind == "crash":
            from tools.soak.crash import crash

            return crash(folder, words.times, words.tables, bar.update), []
        if words.kind == "workers":
            from tools.soak.workers import workers

            counts = words.times, words.tables, words.workers, words.restarts
            return workers(folder, *counts, bar.update, words.thought), []
        if words.kind == "cut":
            from tools.soak.cut import cut

            return cut(folder, words.times, words.tables, words.longest, bar.update), []
        from tools.soak.fuzz import fuzz

        return fuzz(folder, words.messages, words.seed, bar.update), []


def _length(words: argparse.Namespace) -> int:
    """Of its progress."""
    match words.kind:
        case "fuzz":
            return int(words.messages)
        case "siege":
            return 2 * 60 * int(words.minutes)
    return int(words.times) + getattr(words, "restarts", 0)
