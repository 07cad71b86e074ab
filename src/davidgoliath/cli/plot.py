"""Pictures of figures, drawn by matplotlib into a file."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from davidgoliath.match.simulation import Simulation
from davidgoliath.texts import Texts

SEAT_STYLES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))
"""So that nobody needs to see colour."""


def plot_simulation(result: Simulation, file: Path, texts: Texts) -> None:
    """The distribution of scores by seat, of legal cards, and who wins."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    scores, choices, wins = figure.subplots(1, 3, width_ratios=(2, 1.2, 1))
    deals = len(result.scores)
    for seat in range(result.players):
        shares = np.bincount(result.scores[:, seat]) / deals
        name = texts("sheet.seat", seat=seat)
        scores.plot(np.arange(len(shares)), shares, label=name, linestyle=SEAT_STYLES[seat], linewidth=1.2)
    scores.set(xlabel=texts("simulate.points"), ylabel=texts("simulate.share"))
    scores.legend(frameon=False)
    choices.bar(np.arange(1, len(result.choices)), result.choices[1:] / result.choices.sum(), color="0.4")
    choices.set(xlabel=texts("simulate.legal"))
    alone, shared = result.wins / deals, result.shared_wins / deals
    seats = [str(seat) for seat in range(result.players)]
    wins.bar(seats, alone, color="0.4", label=texts("simulate.won"))
    wins.bar(seats, shared, bottom=alone, color="0.75", hatch="//", label=texts("simulate.shared"))
    wins.set(xlabel=texts("sheet.seat", seat="").strip(), ylim=(0, 1.45 * float((alone + shared).max())))
    wins.legend(frameon=False, loc="upper center")
    for axes in (scores, choices, wins):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix == ".svg" else None)
