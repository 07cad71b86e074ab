"""The command that plays many deals at random. NumPy, Numba and matplotlib are imported only when it runs."""

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from davidgoliath.cli.output import FILE, FORCE, STANDARD, check_files, check_plot, output, progress, say
from davidgoliath.cli.reader import JSON, PLAYERS, RULES, TEXTS, Command, WholeNumber, option
from davidgoliath.notation import to_json
from davidgoliath.rules import RuleSet
from davidgoliath.terminal import columns

if TYPE_CHECKING:
    from davidgoliath.match.simulation import Simulation


@click.command(cls=Command, help=TEXTS("cli.simulate"))
@PLAYERS
@option("--deals", text="cli.simulate.deals", type=WholeNumber(1, 10**9), default=100_000)
@option("--seed", text="cli.seed", type=WholeNumber(0, 2**63 - 1), default=0)
@option("--threads", text="cli.simulate.threads", type=WholeNumber(1, 1024))
@RULES
@option("--records", text="cli.simulate.records", type=FILE)
@option("--plot", text="cli.simulate.plot", type=FILE)
@FORCE
@JSON
def simulate(
    players: int,
    deals: int,
    seed: int,
    threads: int | None,
    rule_set: RuleSet,
    records: Path | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    if plot:
        check_plot(plot)
    check_files(records, plot, force=force)
    from davidgoliath.kernel.compiled import announce

    announce(lambda: say(TEXTS("kernel.compiling"), err=True))
    from davidgoliath.match import simulation

    with progress(deals) as bar:
        start = time.perf_counter()
        result = simulation.simulate(
            players,
            deals,
            rule_set,
            seed=seed,
            threads=threads or os.cpu_count() or 1,
            progress=lambda done: bar.update(done - bar.pos),
        )
        seconds = time.perf_counter() - start
    if records:
        _write_records(result, records, force)
    if plot:
        from davidgoliath.cli.plot import plot_simulation

        with output(plot, force=force) as stream:
            plot_simulation(result, stream, plot.suffix, TEXTS)
    beside = records == STANDARD  # where the records are, nothing else may be
    if as_json:
        click.echo(json.dumps(result.summary()), err=beside)
    else:
        say(_table(result), err=beside)
        say(TEXTS("simulate.speed", rate=TEXTS.number(deals / seconds, ",.0f")), err=beside)


def _write_records(result: "Simulation", file: Path, force: bool) -> None:
    from davidgoliath.match.simulation import simulated_records

    deals = len(result.scores)
    records = simulated_records(result.players, deals, result.rules, seed=result.seed)
    with output(file, force=force) as stream, progress(deals, records, label=file.name) as bar:
        for record in bar:
            stream.write(msgspec.json.encode(to_json(record)) + b"\n")


def _table(result: "Simulation") -> str:
    summary = result.summary()
    seats = [*summary["seats"], summary["all"]]
    title = TEXTS(
        "simulate.title",
        deals=TEXTS("count.deals", count=summary["deals"]),
        players=TEXTS("count.players", count=result.players),
        rules=result.rules,
        seed=result.seed,
    )
    heads = [TEXTS("transcript.seat", seat=seat) for seat in range(result.players)] + [TEXTS("simulate.all")]
    rows = [["", *heads]]
    for key, form in (
        ("score", "{score[mean]:.2f}"),
        ("deviation", "{score[deviation]:.2f}"),
        ("quantiles", "{score[quantiles][0]:.0f}–{score[quantiles][4]:.0f}"),
        ("won", "{won:.2%}"),
        ("shared", "{shared:.2%}"),
        ("captured", "{captured[mean]:.2f}"),
        ("crowded", "{crowded[mean]:.2f}"),
    ):
        rows.append([TEXTS(f"simulate.{key}"), *(TEXTS.figures(form, **seat) for seat in seats)])
    choices, equal = summary["choices"], summary["equal_tricks"]
    return "\n".join(
        [
            title,
            "",
            *columns(rows, right=range(1, len(rows[0]))),
            "",
            TEXTS(
                "simulate.choices",
                mean=TEXTS.number(choices["mean"], ".2f"),
                forced=TEXTS.number(choices["distribution"][1], ".1%"),
            ),
            TEXTS(
                "simulate.equal",
                count_of=TEXTS.number(equal["total"], ",d"),
                share=TEXTS.number(equal["share_of_deals"], ".2%"),
            ),
        ]
    )
