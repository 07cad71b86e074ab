"""Where the nine cards of a sheet lie, in millimetres from its upper left corner, and where to cut.

Without bleed cards touch, so that one cut serves two; with it each has its own, and the gutter between them is twice
as wide. Marks stand in the margin, outside all bleed. Backs lie mirrored, as paper turns over its long edge.
"""

from collections.abc import Iterator, Sequence
from math import floor
from typing import Final, NamedTuple

from davidgoliath.rules import ReasonCode, Refusal

PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
WIDTH: Final = 63.0
HEIGHT: Final = 88.0
ACROSS: Final = 3
PER_SHEET: Final = ACROSS * ACROSS
MOST_BLEED: Final = 3.0
"""What the art has beyond a card's edge."""
MARK: Final = 5.0
GAP: Final = 1.0
"""What a mark keeps from the cards, so that none has a trace of it, and half of it from their bleed."""
SHORTEST_MARK: Final = 1.0


class PaperReason(ReasonCode):
    """Why something can't be printed."""

    BLEED_RANGE = "bleed_range"
    ONE_BACK = "one_back"


class Place(NamedTuple):
    """A card's upper left corner."""

    x: float
    y: float


class Line(NamedTuple):
    """From one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float


class Grid(NamedTuple):
    """Three by three cards in the middle of a sheet."""

    paper: str
    bleed: float = 0.0

    @classmethod
    def fitting(cls, paper: str, bleed: float) -> "Grid":
        """The grid, unless its bleed leaves no room for marks or is more than the art has."""
        spare = min((PAPERS[paper][0] - ACROSS * WIDTH), (PAPERS[paper][1] - ACROSS * HEIGHT))
        most = floor(10 * (spare - GAP - 2 * SHORTEST_MARK) / (2 * ACROSS)) / 10
        check_bleed(bleed, min(MOST_BLEED, most), paper)
        return cls(paper, bleed)

    @property
    def size(self) -> tuple[float, float]:
        return PAPERS[self.paper]

    def fronts(self, count: int) -> list[Place]:
        """The places of the first so many cards, row by row."""
        return [self._place(at % ACROSS, at // ACROSS) for at in range(count)]

    def backs(self, count: int, offset: tuple[float, float] = (0.0, 0.0)) -> list[Place]:
        """Behind each of these cards, moved by what the printer is off."""
        behind = (self._place(ACROSS - 1 - at % ACROSS, at // ACROSS) for at in range(count))
        return [Place(x + offset[0], y + offset[1]) for x, y in behind]

    def _place(self, column: int, row: int) -> Place:
        gutter = 2 * self.bleed
        left, top = (
            (paper - ACROSS * card - (ACROSS - 1) * gutter) / 2
            for paper, card in zip(self.size, (WIDTH, HEIGHT), strict=True)
        )
        return Place(left + column * (WIDTH + gutter), top + row * (HEIGHT + gutter))


def check_bleed(bleed: float, most: float, paper: str) -> None:
    if not 0 <= bleed <= most:
        raise Refusal(PaperReason.BLEED_RANGE, most=f"{most:g}", paper=paper)


def cut_marks(places: Sequence[Place], bleed: float = 0.0) -> Iterator[Line]:
    """Marks round these cards, none of them on a card or in its bleed."""
    xs = sorted({edge for place in places for edge in (place.x, place.x + WIDTH)})
    ys = sorted({edge for place in places for edge in (place.y, place.y + HEIGHT)})
    near = max(GAP, bleed + GAP / 2)
    for low, high in ((ys[0] - near - MARK, ys[0] - near), (ys[-1] + near, ys[-1] + near + MARK)):
        yield from (Line(x, low, x, high) for x in xs)
    for left, right in ((xs[0] - near - MARK, xs[0] - near), (xs[-1] + near, xs[-1] + near + MARK)):
        yield from (Line(left, y, right, y) for y in ys)
