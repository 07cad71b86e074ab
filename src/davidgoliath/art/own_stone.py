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
from davidgoliath.art.pen import Path, Point, area, ellipse, loop, rounded
from davidgoliath.art.stone import Stone, crescents, oval

BOX: Final = "-39 -39 78 78"
"""The same for all, so that none looks larger than another."""
BAND: Final = 6.6
EDGE: Final = 1.7


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


def _even(_: float) -> float:
    return 1.0


def _polygon(corners: int, turned: float) -> Callable[[float], float]:
    """Straight edges."""
    slice_ = 2 * pi / corners
    return lambda angle: cos(slice_ / 2) / cos((angle - turned) % slice_ - slice_ / 2)


def _notched(angle: float) -> float:
    """Two humps, and a dent between them."""
    return 1 - 0.42 * exp(-(_off(angle, -pi / 2) ** 2) / 0.16) - 0.05 * cos(2 * angle)


SQUARE: Final = pi / 4 + 0.07
HEXAGON: Final = pi / 6
RADII: Final[Mapping[Form, tuple[Point, Callable[[float], float]]]] = MappingProxyType(
    {
        Form.ROUND: (25.5 + 25j, _even),
        Form.FLAT: (29.5 + 18j, _even),
        Form.TALL: (19 + 29.5j, _even),
        Form.SQUARE: (32 + 31j, _polygon(4, SQUARE)),
        Form.HEXAGON: (30.6 + 30.4j, _polygon(6, HEXAGON)),
        Form.BEAN: (27 + 26.5j, _notched),
    }
)
"""Half the width and height, and the distance from the middle in each direction."""

CORNERS_AT: Final[Mapping[Form, tuple[float, ...]]] = MappingProxyType(
    {
        Form.SQUARE: tuple(SQUARE + corner * pi / 2 for corner in range(4)),
        Form.HEXAGON: tuple(HEXAGON + corner * pi / 3 for corner in range(6)),
    }
)
"""The directions of those that have corners."""
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
    inner = Stone(PRIDE[form], _middle(form), size.real, size.imag, 0, oval(size, radius=radius))
    return rounded(
        _body(form, "none", palette.ink, 2 * (BAND + EDGE)),
        _body(form, "none", palette.rim, 2 * BAND),
        _body(form, palette.stone, palette.line, EDGE),
        crescents(inner, palette),
        face(inner, palette),
    )


def _body(form: Form, fill: str, colour: str, width: float) -> str:
    """With few corners: thick lines round them, and every page has all of these."""
    size, radius = RADII[form]
    if form in CORNERS_AT:
        corners = [rect(radius(angle), angle) for angle in CORNERS_AT[form]]
        first, *others = [complex(point.real * size.real, point.imag * size.imag) for point in corners]
        return area(Path(first).line(*others).close(), fill, colour, width)
    if form is Form.BEAN:
        return area(loop(oval(size, radius=radius), 1.0), fill, colour, width)
    return ellipse(0j, size.real, size.imag, fill=fill, stroke=colour, stroke_width=width)


def _middle(form: Form) -> Point:
    """Where the face is: below a dent, high on a tall stone."""
    return {Form.BEAN: 3j, Form.TALL: -5j, Form.FLAT: -1.5j}.get(form, -1j)
