"""Pictures of figures, drawn by matplotlib into a file."""

from textwrap import fill
from typing import Any, BinaryIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import ScalarFormatter

from davidgoliath.match.simulation import Simulation
from davidgoliath.texts import Texts

SEAT_STYLES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))
"""So that nobody needs to see colour."""


def plot_simulation(result: Simulation, stream: BinaryIO, suffix: str, texts: Texts) -> None:
    """The distribution of scores by seat, of legal cards, and who wins."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    scores, choices, wins = figure.subplots(1, 3, width_ratios=(2, 1.2, 1))
    deals = len(result.scores)
    for seat in range(result.players):
        shares = np.bincount(result.scores[:, seat]) / deals
        name = texts("transcript.seat", seat=seat)
        scores.plot(np.arange(len(shares)), shares, label=name, linestyle=SEAT_STYLES[seat], linewidth=1.2)
    scores.set(xlabel=texts("simulate.points"), ylabel=texts("simulate.share"))
    scores.legend(frameon=False)
    choices.bar(np.arange(1, len(result.choices)), result.choices[1:] / result.choices.sum(), color="0.4")
    choices.set(xlabel=texts("simulate.legal"))
    alone, shared = result.wins / deals, result.shared_wins / deals
    seats = [str(seat) for seat in range(result.players)]
    wins.bar(seats, alone, color="0.4", label=texts("simulate.won"))
    wins.bar(seats, shared, bottom=alone, color="0.75", hatch="//", label=texts("simulate.shared"))
    wins.set(xlabel=texts("transcript.seat", seat="").strip(), ylim=(0, 1.45 * float((alone + shared).max())))
    wins.legend(frameon=False, loc="upper center")
    for axes in (scores, choices, wins):
        axes.spines[["top", "right"]].set_visible(False)
    _save(figure, stream, suffix, texts)


def plot_arena(summary: dict[str, Any], stream: BinaryIO, suffix: str, texts: Texts) -> None:
    """Every bot's score, and every difference, with their intervals; a hollow dot may be chance."""
    bots, pairs = sorted(summary["bots"], key=lambda bot: -bot["score"]), summary["pairs"]
    figure = Figure(figsize=(11, 1.6 + 0.4 * max(len(bots), len(pairs))), layout="constrained")
    scores, differences = figure.subplots(1, 2)
    for row, bot in enumerate(bots):
        _dot(scores, row, bot["score"], bot["score_ci"], texts.number(bot["score"], ".2f"))
    _name_rows(scores, [bot["name"] for bot in bots])
    scores.set(xlabel=f"{texts('arena.points')} · {texts('arena.between')}")
    for row, pair in enumerate(pairs):
        worded = texts.number(pair["difference"], "+.2f")
        _dot(differences, row, pair["difference"], pair["ci"], worded, is_full=pair["separated"])
    _name_rows(differences, [f"{pair['a']} – {pair['b']}" for pair in pairs])
    differences.axvline(0, color="0.6", linewidth=0.8, zorder=0)
    differences.set(xlabel=f"{texts('arena.difference')} · {texts('arena.between')}")
    _save(figure, stream, suffix, texts)


def plot_ladder(summary: dict[str, Any], stream: BinaryIO, suffix: str, texts: Texts) -> None:
    """The ratings with their intervals, and the cross-table."""
    bots = summary["ratings"]
    figure = Figure(figsize=(11, 2 + 0.45 * len(bots)), layout="constrained")
    rating, cross = figure.subplots(1, 2)
    for row, bot in enumerate(bots):
        _dot(rating, row, bot["rating"], bot["rating_ci"], texts.number(bot["rating"], ".0f"))
    names = [bot["name"] for bot in bots]
    _name_rows(rating, names)
    rating.set(xlabel=f"{texts('arena.rating')} · {texts('arena.between')}")
    _cross_table(cross, names, summary["cross"], texts)
    cross.set_xlabel(fill(texts("arena.cross"), 70), fontsize=9)
    _save(figure, stream, suffix, texts)


def _cross_table(axes: Axes, names: list[str], pairs: list[dict[str, Any]], texts: Texts) -> None:
    table = np.full((len(names), len(names)), np.nan)
    for pair in pairs:
        a, b = names.index(pair["a"]), names.index(pair["b"])
        table[a, b], table[b, a] = pair["difference"], -pair["difference"]
        form = "{:+.1f}" if pair["separated"] else "({:+.1f})"
        for row, column in ((a, b), (b, a)):
            axes.text(column, row, texts.figures(form, table[row, column]), ha="center", va="center", fontsize=9)
    most = float(np.nanmax(np.abs(table))) or 1
    axes.imshow(table, cmap="PuOr_r", vmin=-2 * most, vmax=2 * most, aspect="auto")
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _dot(axes: Axes, row: int, value: float, ends: list[float], worded: str, *, is_full: bool = True) -> None:
    """A value with its interval."""
    axes.plot(ends, [row, row], color="0.4", linewidth=2, solid_capstyle="butt")
    axes.plot([value], [row], "o", color="black", markersize=5, markerfacecolor="black" if is_full else "white")
    axes.annotate(worded, (value, row), (0, 6), textcoords="offset points", ha="center", fontsize=8)


def _name_rows(axes: Axes, names: list[str]) -> None:
    """The first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.7)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _save(figure: Figure, stream: BinaryIO, suffix: str, texts: Texts) -> None:
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if type(axis.get_major_formatter()) is ScalarFormatter:
                axis.set_major_formatter(_Figures(texts))
    form = suffix.removeprefix(".")
    figure.savefig(stream, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)


class _Figures(ScalarFormatter):
    """Numbers at an axis, as the reader writes them."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self.texts = texts

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self.texts.numerals(super().__call__(x, pos))
