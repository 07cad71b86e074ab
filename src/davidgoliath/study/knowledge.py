"""What a seat knew at a moment of a deal: from its view alone, and from how the others had played by then."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from davidgoliath.bots.expert import MasterBot
from davidgoliath.kernel.play import cell
from davidgoliath.rules import Colour, Seat, View
from davidgoliath.study.analysis import HINT, analyse
from davidgoliath.study.blocks import seed_of
from davidgoliath.study.values import Analysis

WORLDS: Final = 1000


class Knowledge(NamedTuple):
    """What a seat could tell of the others' hands, and of its own cards."""

    expected: Mapping[Seat, tuple[float, ...]]
    """For each other seat: how many cards of each colour it may expect there."""
    analysis: Analysis | None
    """If it was its turn, and it had a choice."""


def knowledge(view: View) -> Knowledge:
    """By worlds that are as likely as the judge takes them to be."""
    worlds = MasterBot().tree(view, seed_of(view, "knowledge"), WORLDS).sample(WORLDS)
    others = [((view.seat or 0) + turn) % view.players for turn in range(1, view.players)]
    expected = {
        seat: tuple(float(np.bitwise_count(worlds[:, cell(seat, colour)]).mean()) for colour in Colour)
        for seat in others
    }
    return Knowledge(expected, analyse(view, HINT) if len(view.legal_cards) > 1 else None)
