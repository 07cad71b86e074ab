"""The suits' shapes: what a stone sees all its life. Peak, sun, clover, rain and moon, each in a box of 24 × 24."""

from cmath import rect
from collections.abc import Mapping
from math import pi
from types import MappingProxyType
from typing import Final

from davidgoliath.art.pen import Path, element
from davidgoliath.rules import Colour


def _sun() -> str:
    """A burst of eight rays."""
    tips = [12 + 12j + rect(6.6 if corner % 2 else 11.9, (corner / 8 - 0.5) * pi) for corner in range(16)]
    return str(Path(tips[0]).line(*tips[1:]).close())


SHAPES: Final[Mapping[Colour, str]] = MappingProxyType(
    {
        Colour.RED: "M12 2.6 22.4 21.4H1.6Z",
        Colour.YELLOW: _sun(),
        Colour.GREEN: (
            "M10.8 13.4A5 5 0 1 1 8.6 9.6 5 5 0 1 1 15.4 9.6 5 5 0 1 1 13.2 13.4"
            "C13.2 17.4 14 20 15.8 22.6H8.2C10 20 10.8 17.4 10.8 13.4Z"
        ),
        Colour.BLUE: "M12 1.2C12 1.2 3.9 10.2 3.9 15.1c0 4.5 3.6 7.7 8.1 7.7s8.1-3.2 8.1-7.7C20.1 10.2 12 1.2 12 1.2Z",
        Colour.VIOLET: "M14.6 1.6A10.6 10.6 0 1 0 22.6 15.6 8.7 8.7 0 0 1 14.6 1.6Z",
    }
)


def shape(colour: Colour) -> str:
    """The shape alone; whoever places it chooses fill and stroke."""
    return element("path", d=SHAPES[colour], stroke_linejoin="round")
