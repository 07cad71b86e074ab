"""What a seat knew at a moment of a deal: from its view alone, and from how the others had played by then."""

from collections.abc import Mapping
from typing import NamedTuple

from davidgoliath.rules import Seat, View
from davidgoliath.study.analysis import HINT, analyse
from davidgoliath.study.judges import expected_hands
from davidgoliath.study.seed import seed_of
from davidgoliath.study.values import Analysis


class Knowledge(NamedTuple):
    """What a seat could tell of the others' hands, and of its own cards."""

    expected: Mapping[Seat, tuple[float, ...]]
    """For each other seat: how many cards of each colour it may expect there."""
    analysis: Analysis | None
    """If it was its turn, and it had a choice."""


def knowledge(view: View) -> Knowledge:
    """By worlds that are as likely as the judge takes them to be."""
    expected = expected_hands(view, seed_of(view, "knowledge"))
    return Knowledge(expected, analyse(view, HINT) if len(view.legal_cards) > 1 else None)
