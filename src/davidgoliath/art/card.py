"""A card of 100 × 140: sky, hill, the stone on its shadow, and the index in the corner above it all."""

from typing import Final

from davidgoliath.art.numerals import HEIGHT, number
from davidgoliath.art.palette import Palette
from davidgoliath.art.pen import element, short
from davidgoliath.art.shapes import shape
from davidgoliath.art.stone import form, shadow, stone
from davidgoliath.rules import Card
from davidgoliath.rules.checks import CARD, check_kind

VIEW_BOX: Final = "0 0 100 140"
TURNED: Final = 0.6
LOOMS: Final = 0.55
"""From this pride on the boulder stands behind the index, which then keeps a rim of its own sky."""


def card(which: Card, highest: int, palette: Palette, *, both_ways: bool = False) -> str:
    """The whole card, for a deck whose highest value is `highest`; on paper it is read from either end."""
    check_kind(which, Card, CARD)
    drawn = index(number(which.value), shape(which.colour), looms(which.value, highest), palette)
    upside_down = turned(index(number(which.value), shape(which.colour), True, palette)) if both_ways else ""
    return land(palette) + figure(which.value, highest, palette) + drawn + upside_down


def turned(index: str) -> str:
    """An index in the opposite corner, smaller: the stone stands there."""
    return element("g", index, transform=f"rotate(180 50 70)translate(2.3 2.3)scale({TURNED})")


def land(palette: Palette) -> str:
    """Sky and hill; both run over the edge by 5, as printers want."""
    return element("path", d="M-5-5h110v150h-110z", fill=palette.sky) + element(
        "path", d="M-5 119C17 109 38 111 55 114S90 118 105 108V145H-5Z", fill=palette.ground
    )


def figure(value: int, highest: int, palette: Palette) -> str:
    """The stone and its shadow."""
    at = form(value, highest)
    return shadow(at, palette) + stone(at, palette)


def looms(value: int, highest: int) -> bool:
    return form(value, highest).pride > LOOMS


def index(number: str, shape: str, looming: bool, palette: Palette) -> str:
    """Number over shape in the left 36, so that a covered card is read from a narrow strip."""
    figure = {"transform": f"translate(6.5 6.5)scale({short(28 / HEIGHT)})"}
    mark = {"transform": f"translate(6 40.5)scale({short(20 / 24)})"}
    rim = ""
    if looming:
        rim = element("g", number, **figure, stroke=palette.sky, stroke_width=7.6) + element(
            "g", shape, **mark, fill=palette.sky, stroke=palette.sky, stroke_width=9
        )
    return (
        rim
        + element("g", number, **figure, stroke=palette.ink, stroke_width=3.3)
        + element("g", shape, **mark, fill=palette.stone, stroke=palette.rim, stroke_width=2.4)
    )
