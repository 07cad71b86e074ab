"""People's own stones: one of six forms, and a rim of one of six colours.

Neither is a suit's: nobody shall take a player for a card. Forms and rims each differ for every kind of eyes, so people
are told apart by either. The stone itself is grey; bots have no rim.
"""

from cmath import rect
from collections.abc import Callable, Mapping
from enum import StrEnum
from math import atan2, cos, exp, pi
from types import MappingProxyType
from typing import Final

from davidgoliath.art.face import face
from davidgoliath.art.palette import Palette
from davidgoliath.art.pen import Point, area, loop, rounded, stroke
from davidgoliath.art.stone import Stone, crescents, oval

BOX: Final = "-39 -39 78 78"
"""The same for all, so that none looks larger than another."""
BAND: Final = 6.6
EDGE: Final = 1.7
POINTS: Final = 30


class Form(StrEnum):
    """What somebody's stone looks like from afar."""

    ROUND = "round"
    FLAT = "flat"
    TALL = "tall"
    SQUARE = "square"
    HEXAGON = "hexagon"
    BEAN = "bean"


def _off(angle: float, other: float) -> float:
    """How far one direction is from another."""
    return atan2(rect(1, angle - other).imag, rect(1, angle - other).real)


def _polygon(corners: int, turned: float) -> Callable[[float], float]:
    """Straight edges; the line through its points rounds the corners."""
    slice_ = 2 * pi / corners
    return lambda angle: cos(slice_ / 2) / cos((angle - turned) % slice_ - slice_ / 2)


def _notched(angle: float) -> float:
    """Two humps, and a dent between them."""
    return 1 - 0.42 * exp(-(_off(angle, -pi / 2) ** 2) / 0.16) - 0.05 * cos(2 * angle)


def _tapered(angle: float) -> float:
    """Broad below, like a standing stone."""
    return 1 + 0.1 * exp(-(_off(angle, 0.9) ** 2) / 0.2) + 0.1 * exp(-(_off(angle, pi - 0.9) ** 2) / 0.2)


RADII: Final[Mapping[Form, tuple[Point, Callable[[float], float]]]] = MappingProxyType(
    {
        Form.ROUND: (25.5 + 25j, lambda _: 1.0),
        Form.FLAT: (29.5 + 18j, lambda angle: 1 + 0.03 * cos(3 * angle)),
        Form.TALL: (18 + 28.5j, _tapered),
        Form.SQUARE: (32 + 31j, _polygon(4, pi / 4 + 0.07)),
        Form.HEXAGON: (30.6 + 30.4j, _polygon(6, pi / 6)),
        Form.BEAN: (27 + 26.5j, _notched),
    }
)
"""Half the width and height, and the distance from the middle in each direction."""

PRIDE: Final[Mapping[Form, float]] = MappingProxyType(
    {
        Form.ROUND: 0.06,
        Form.FLAT: 0.2,
        Form.TALL: 0.1,
        Form.SQUARE: 0.28,
        Form.HEXAGON: 0.17,
        Form.BEAN: 0.02,
    }
)
"""People are clever, some a little less quick: so their faces differ too."""


def own_stone(form: Form, palette: Palette) -> str:
    """Its rim is the palette's, and has an edge on both sides: every colour is seen on every ground."""
    size, radius = RADII[form]
    body = loop(oval(size, radius=radius, corners=POINTS), 0.85)
    inner = Stone(PRIDE[form], _middle(form), size.real, size.imag, 0, oval(size, radius=radius))
    return rounded(
        stroke(body, palette.ink, 2 * (BAND + EDGE)),
        stroke(body, palette.rim, 2 * BAND),
        area(body, palette.stone, palette.line, EDGE),
        crescents(inner, palette),
        face(inner, palette),
    )


def _middle(form: Form) -> Point:
    """Where the face is: below a dent, high on a tall stone."""
    return {Form.BEAN: 3j, Form.TALL: -5j, Form.FLAT: -1.5j}.get(form, -1j)
