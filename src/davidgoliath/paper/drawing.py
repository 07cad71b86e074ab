"""The art as PDF operators: what `davidgoliath.art` draws, and nothing else of SVG.

fpdf2 draws SVG too, but takes 4 seconds for a deck; suits share their paths, so here most are worked out once.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from math import cos, radians, sin
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path

KAPPA: Final = 0.5523
"""How far the control points of a quarter circle are from its ends, in radii."""
CAPS: Final = {"butt": 0, "round": 1}
JOINS: Final = {"miter": 0, "round": 1}
START: Final = {"fill": "#000000", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt"}
INHERITED: Final = (*START, "stroke-linejoin")


class Box(NamedTuple):
    """A rectangle in whatever units its user has."""

    x: float
    y: float
    width: float
    height: float

    def grown(self, by: float) -> "Box":
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


class Ink(NamedTuple):
    """Some operators, and how opaque what they fill is."""

    operators: str
    opacity: float = 1.0


@lru_cache
def drawing(svg: str) -> tuple[Ink, ...]:
    """The inks of a drawing, one after another; they keep its coordinates, with y down."""
    root = ElementTree.fromstring(f"<g>{svg}</g>")  # noqa: S314 - our own art
    by_opacity = groupby(_group(root, START), key=lambda ink: ink.opacity)
    return tuple(Ink("\n".join(ink.operators for ink in inks), opacity) for opacity, inks in by_opacity)


def _group(group: "ElementTree.Element[str]", outside: Mapping[str, str]) -> Iterator[Ink]:
    style = {**outside, **{name: value for name, value in group.attrib.items() if name in INHERITED}}
    yield Ink(f"q {_matrix(group.get('transform', ''))}")
    for child in group:
        if child.tag == "g":
            yield from _group(child, style)
        else:
            yield _shape(child, {**style, **child.attrib})
    yield Ink("Q")


def _shape(shape: "ElementTree.Element[str]", look: Mapping[str, str]) -> Ink:
    outline = _path(look["d"]) if shape.tag == "path" else _ellipse(look)
    filled, stroked = look["fill"] != "none", look["stroke"] != "none"
    state = [_matrix(shape.get("transform", ""))]
    if filled:
        state.append(f"{colour(look['fill'])} rg")
    if stroked:
        cap, join = CAPS[look["stroke-linecap"]], JOINS[look.get("stroke-linejoin", "miter")]
        state.append(f"{colour(look['stroke'])} RG {look['stroke-width']} w {cap} J {join} j")
    paint = "B" if filled and stroked else "f" if filled else "S"
    return Ink(f"q {' '.join(state)}\n{outline} {paint} Q", float(look.get("fill-opacity", 1)))


def colour(tone: str) -> str:
    """
    >>> colour("#ff0080")
    '1 0 0.502'
    """
    return " ".join(number(int(tone[at : at + 2], 16) / 255) for at in (1, 3, 5))


def number(value: float) -> str:
    """
    >>> number(-0.5), number(12.0), number(1.23456), number(-0.00001)
    ('-0.5', '12', '1.235', '0')
    """
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class _Pen(BasePen):  # type: ignore[misc]
    """Writes a path's steps as operators."""

    def __init__(self) -> None:
        super().__init__(None)
        self.steps: list[str] = []

    def _moveTo(self, point: Any) -> None:  # noqa: N802
        self.steps.append(f"{_points(point)} m")

    def _lineTo(self, point: Any) -> None:  # noqa: N802
        self.steps.append(f"{_points(point)} l")

    def _curveToOne(self, first: Any, second: Any, end: Any) -> None:  # noqa: N802
        self.steps.append(f"{_points(first, second, end)} c")

    def _closePath(self) -> None:  # noqa: N802
        self.steps.append("h")


def _points(*points: tuple[float, float]) -> str:
    return " ".join(number(coordinate) for point in points for coordinate in point)


@lru_cache(maxsize=2048)
def _path(steps: str) -> str:
    pen = _Pen()
    parse_path(steps, pen)
    return " ".join(pen.steps)


def _ellipse(look: Mapping[str, str]) -> str:
    x, y = float(look["cx"]), float(look["cy"])
    rx, ry = (float(look.get(radius) or look["r"]) for radius in ("rx", "ry"))
    pen = _Pen()
    pen.moveTo((x + rx, y))
    for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1)):  # from this direction a quarter further
        first = x + rx * (c - KAPPA * s), y + ry * (s + KAPPA * c)
        second = x + rx * (KAPPA * c - s), y + ry * (c + KAPPA * s)
        pen.curveTo(first, second, (x - rx * s, y + ry * c))
    pen.closePath()
    return " ".join(pen.steps)


def rounded_box(box: Box, radius: float) -> str:
    """A path round a box; with radius 0 its corners are sharp."""
    x, y, r = box.x, box.y, radius
    right, low = x + box.width, y + box.height
    bow = r * (1 - KAPPA)
    pen = _Pen()
    pen.moveTo((x + r, y))
    for start, first, second, end in (
        ((right - r, y), (right - bow, y), (right, y + bow), (right, y + r)),
        ((right, low - r), (right, low - bow), (right - bow, low), (right - r, low)),
        ((x + r, low), (x + bow, low), (x, low - bow), (x, low - r)),
        ((x, y + r), (x, y + bow), (x + bow, y), (x + r, y)),
    ):
        pen.lineTo(start)
        pen.curveTo(first, second, end)
    pen.closePath()
    return " ".join(pen.steps)


def _matrix(transform: str) -> str:
    """
    >>> _matrix("translate(5 6)scale(2)")
    '1 0 0 1 5 6 cm 2 0 0 2 0 0 cm'
    """
    return " ".join(_step(name, *map(float, re.findall(NUMBER, inside))) for name, inside in STEP.findall(transform))


STEP: Final = re.compile(r"(\w+)\(([^)]*)\)")
NUMBER: Final = r"-?(?:\d+\.?\d*|\.\d+)"


def _step(name: str, first: float, x: float = 0, y: float = 0) -> str:
    if name == "translate":
        return f"1 0 0 1 {number(first)} {number(x)} cm"
    if name == "scale":
        return f"{number(first)} 0 0 {number(first)} 0 0 cm"
    c, s = cos(radians(first)), sin(radians(first))
    turned = (c, s, -s, c, x - c * x + s * y, y - s * x - c * y)
    return " ".join(map(number, turned)) + " cm"
