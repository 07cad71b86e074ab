"""The command in which bots meet. NumPy, matplotlib and the bots are imported only when it runs."""

import json
import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from davidgoliath.bots import LADDER
from davidgoliath.cli.output import FILE, FORCE, ON_DISK, check_files, check_plot, output, progress, say
from davidgoliath.cli.reader import BOT_NAMES, JSON, PLAYERS, RULES, TEXTS, Command, WholeNumber, option, typed_bot
from davidgoliath.rules import RuleSet
from davidgoliath.terminal import columns
from davidgoliath.terminal.company import both_names
from davidgoliath.texts import NO_BREAK

if TYPE_CHECKING:
    from davidgoliath.match.arena import Arena
    from davidgoliath.match.results import Results


@click.command(cls=Command, help=TEXTS("cli.arena", **BOT_NAMES))
@click.argument("bot", metavar="BOT...", nargs=-1, required=True)
@PLAYERS
@option("--deals", text="cli.arena.deals", type=WholeNumber(1, 10**9), default=500)
@option("--seed", text="cli.seed", type=WholeNumber(0, 2**63 - 1), default=0)
@RULES
@option("--iterations", text="cli.arena.iterations", type=WholeNumber(1, 10**9))
@option("--jobs", text="cli.arena.jobs", type=WholeNumber(1, 1024))
@option("--results", "file", text="cli.arena.results", type=ON_DISK)
@option("--plot", text="cli.arena.plot", type=FILE)
@FORCE
@JSON
def arena(
    bot: tuple[str, ...],
    players: int,
    deals: int,
    seed: int,
    rule_set: RuleSet,
    iterations: int | None,
    jobs: int | None,
    file: Path | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    if plot:
        check_plot(plot)
    check_files(plot, None if file and file.is_file() else file, force=force)
    from davidgoliath.kernel.compiled import announce
    from davidgoliath.match.arena import Arena, load_bots
    from davidgoliath.match.results import Results

    is_ladder = bot[0] == "ladder"
    setup, bots = (Arena.ladder, bot[1:] or LADDER) if is_ladder else (Arena.of, bot)
    meeting = setup(tuple(map(typed_bot, bots)), players, rules=rule_set, seed=seed, iterations=iterations)
    announce(lambda: say(TEXTS("kernel.compiling"), err=True))
    load_bots(meeting)
    with Results(meeting, file) as results:
        try:
            _play(results, deals, jobs or os.cpu_count() or 1)
        except KeyboardInterrupt:
            say("\n" + _stopped(results, deals), err=True)
            return 130
    summary = _summary(results, deals, is_ladder)
    if plot:
        from davidgoliath.cli.plot import plot_arena, plot_ladder

        with output(plot, force=force) as stream:
            (plot_ladder if is_ladder else plot_arena)(summary, stream, plot.suffix, TEXTS)
    if as_json:
        click.echo(json.dumps(summary))
    else:
        say("\n".join([_title(summary, meeting), "", *(_ladder if is_ladder else _table)(summary)]))
    return 0


def _play(results: "Results", deals: int, jobs: int) -> None:
    from davidgoliath.match.arena import play_games

    done, last = len(results.games), results.arena.games(deals)
    with closing(play_games(results.arena, done, last, jobs)) as games, progress(last, counts=True) as bar:
        bar.update(min(done, last))
        for game in games:
            results.add(game)
            bar.update(1)


def _stopped(results: "Results", deals: int) -> str:
    if not results.file:
        return TEXTS("arena.stopped")
    return TEXTS("arena.goes_on", done=len(results.games), games=results.arena.games(deals), file=results.file)


def _summary(results: "Results", deals: int, is_ladder: bool) -> dict[str, Any]:
    from davidgoliath.match.comparison import Comparison
    from davidgoliath.match.rating import ladder_summary

    comparison = Comparison(results.arena, results.games[: results.arena.games(deals)])
    return ladder_summary(comparison) if is_ladder else comparison.summary()


def _title(summary: dict[str, Any], meeting: "Arena") -> str:
    return TEXTS(
        "arena.title",
        deals=TEXTS("count.deals", count=summary["deals"]),
        players=TEXTS("count.players", count=meeting.players),
        seatings=TEXTS("count.seatings", count=len(meeting.seatings)),
        rules=meeting.rules,
        seed=meeting.seed,
    )


def _table(summary: dict[str, Any]) -> list[str]:
    """The bots, the best first, and what stands between them."""
    rows = [[TEXTS(f"arena.{head}") for head in ("bot", "seats", "wins", "score", "between", "rank", "ms", "p95")]]
    for bot in sorted(summary["bots"], key=lambda bot: -bot["score"]):
        form = "{both}|{seats:.3g}|{win_share:.1%}|{score:.2f}|{between}|{rank:.2f}|{ms_per_move:.3g}|{ms_p95:.3g}"
        rows.append(TEXTS.figures(form, **bot, both=_both(bot), between=_between(bot["score_ci"], ".2f")).split("|"))
    lines = columns(rows, right=range(1, len(rows[0])))
    return [*lines, "", TEXTS("arena.pairs"), *(f"  {_in_words(pair)}" for pair in summary["pairs"])]


def _both(bot: dict[str, Any]) -> str:
    return both_names(TEXTS, bot["name"])


def _in_words(pair: dict[str, Any]) -> str:
    """A difference as a sentence, told from the side that is ahead."""
    if pair["a"] == pair["b"]:
        return TEXTS("arena.itself", a=pair["a"], points=TEXTS.number(pair["difference"], ".2f"))
    ahead = pair["difference"] >= 0
    a, b = (pair["a"], pair["b"]) if ahead else (pair["b"], pair["a"])
    points, ends = _seen_from(pair["difference"], pair["ci"], ahead)
    wins, win_ends = _seen_from(100 * pair["win_difference"], [100 * end for end in pair["win_ci"]], ahead)
    return TEXTS(
        "arena.ahead" if pair["separated"] else "arena.even",
        a=a,
        b=b,
        points=TEXTS.number(points, "+.2f"),
        between=_between(ends, "+.2f"),
        wins=TEXTS.number(wins, "+.1f"),
        wins_between=_between(win_ends, "+.1f"),
    )


def _seen_from(difference: float, ci: list[float], ahead: bool) -> tuple[float, list[float]]:
    return (difference, ci) if ahead else (-difference, [-end for end in reversed(ci)])


def _between(ends: list[float], form: str) -> str:
    low, high = (TEXTS.number(end, form) for end in ends)
    return TEXTS("arena.range", low=low, high=high).replace(" ", NO_BREAK[0])  # one thing, in a table and a sentence


def _ladder(summary: dict[str, Any]) -> list[str]:
    """The ratings, the best first, and the cross-table in the same order."""
    rows = [[TEXTS(f"arena.{head}") for head in ("bot", "rating", "between", "wins", "score", "ms")]]
    for bot in summary["ratings"]:
        form = "{both}|{rating:.0f}|{between}|{win_share:.1%}|{score:.2f}|{ms_per_move:.3g}"
        rows.append(TEXTS.figures(form, **bot, both=_both(bot), between=_between(bot["rating_ci"], ".0f")).split("|"))
    lines = columns(rows, right=range(1, len(rows[0])))
    return [*lines, "", TEXTS("arena.cross"), *_cross_table(summary), "", TEXTS("arena.scale")]


def _cross_table(summary: dict[str, Any]) -> list[str]:
    """By how many points a deal the row's bot is ahead of the column's; in brackets where that may be chance."""
    cells = {}
    for pair in summary["cross"]:
        form = "{:+.2f}" if pair["separated"] else "({:+.2f})"
        cells[pair["a"], pair["b"]] = TEXTS.figures(form, pair["difference"])
        cells[pair["b"], pair["a"]] = TEXTS.figures(form, -pair["difference"])
    names = [bot["name"] for bot in summary["ratings"]]
    rows = [["", *names], *([name, *(cells.get((name, other), "·") for other in names)] for name in names)]
    return columns(rows, right=range(1, len(rows[0])))
