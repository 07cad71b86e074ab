"""The stone of a value: a clever pebble that grows into a proud boulder.

Everything follows from the value and the deck's highest one, so at every table the strongest card looks it. A value's
stone has the same form in each suit.
"""

from cmath import rect
from collections.abc import Callable
from math import atan2, cos, exp, floor, pi, radians, sin
from typing import Final, NamedTuple

from davidgoliath.art.face import face
from davidgoliath.art.palette import Palette
from davidgoliath.art.pen import Path, Point, between, element, ellipse, loop, ramp, rounded, stroke
from davidgoliath.art.wear import cracks, freckles, moss

CORNERS: Final = 15
FIRST_ANGLE: Final = 0.1
FLOOR: Final = 127.0
SHADOW: Final = 0.38


class Stone(NamedTuple):
    """A stone's form on a card of 100 × 140, before it has colours."""

    pride: float
    """From 0, the clever pebble, to 1, the dull boulder."""
    centre: Point
    rx: float
    ry: float
    lift: float
    """How far it hops above the floor."""
    outline: tuple[Point, ...]

    @property
    def tension(self) -> float:
        """A pebble is round; a boulder's edges are nearly straight."""
        return between(1.0, 0.5, self.pride)

    def edge(self, degrees: float, depth: float = 1.0) -> Point:
        """The point in that direction, clockwise from the right, so far from the centre to the outline."""
        corner = (radians(degrees) - FIRST_ANGLE) % (2 * pi) / (2 * pi) * CORNERS
        start, end = self.outline[floor(corner) % CORNERS], self.outline[(floor(corner) + 1) % CORNERS]
        return between(self.centre, between(start, end, corner % 1), depth)

    def spot(self, x: float, y: float) -> Point:
        """A point inside, in half widths and half heights from the centre."""
        return self.centre + complex(x * self.rx, y * self.ry)


def oval(
    size: Point, centre: Point = 0j, radius: Callable[[float], float] = lambda _: 1.0, corners: int = CORNERS
) -> tuple[Point, ...]:
    """An outline of half this width and height; `radius` says how far it is in each direction."""
    angles = [corner / corners * 2 * pi + FIRST_ANGLE for corner in range(corners)]
    around = [rect(radius(angle), angle) for angle in angles]
    return tuple(centre + complex(point.real * size.real, point.imag * size.imag) for point in around)


def form(value: int, highest: int) -> Stone:
    pride = (value - 1) / (highest - 1)
    rx, ry = between(19.0, 56.0, pride**0.94), between(15.8, 48.0, pride**0.97)
    lift = 13 * (1 - pride) ** 3
    centre = complex(between(57.0, 54.5, pride), FLOOR - lift - ry * 0.93 + pride * 6)
    angles = [corner / CORNERS * 2 * pi + FIRST_ANGLE for corner in range(CORNERS)]
    outline = tuple(centre + _corner(angle, value, pride, rx, ry) for angle in angles)
    return Stone(pride, centre, rx, ry, lift, outline)


def _corner(angle: float, value: int, pride: float, rx: float, ry: float) -> Point:
    c, s = cos(angle), sin(angle)
    power = between(2.05, 2.85, pride)
    radius: float = (abs(c) ** power + abs(s) ** power) ** (-1 / power)
    wobble = 0.62 * sin(3 * angle + value * 1.3) + 0.38 * sin(5 * angle + value * 2.3)
    radius *= 1 + wobble * between(0.018, 0.05, pride)
    # the left shoulder drops away under the index
    off = atan2(sin(angle - 3.98), cos(angle - 3.98))
    radius *= 1 - 0.17 * pride * exp(-off * off / 0.22)
    # a proud one is broad below and carries its head high, leaning a little to the right
    x, y = c * radius * rx * (1 + 0.05 * pride * s), s * radius * ry
    if s > 0:
        y *= between(0.93, 0.96, pride)
    return complex(x - y * 0.06 * pride, y)


def shadow(stone: Stone, palette: Palette) -> str:
    """Small and far below while a pebble hops, wide and flat under a boulder; hop marks beside the quickest."""
    pride, x = stone.pride, stone.centre.real
    size = stone.rx * between(0.78, 1.02, pride), between(2.6, 7.0, pride)
    drawn = ellipse(complex(x, FLOOR + 1 + pride * 4), *size, fill=palette.shade, fill_opacity=SHADOW)
    hop = 1 - pride / 0.3
    if hop > 0.2:
        side, step = stone.rx * 0.95, complex(3.4, 3) * hop
        left, right = complex(x - side, FLOOR - stone.lift / 4 - 2), complex(x + side, FLOOR - stone.lift / 4 - 2)
        marks = Path(left).line(left + complex(-step.real, step.imag)).move(right).line(right + step)
        drawn += rounded(stroke(marks, palette.rim, between(1.0, 1.7, hop)))
    return drawn


def stone(form: Stone, palette: Palette) -> str:
    pride = form.pride
    body = loop(form.outline, form.tension)
    return rounded(
        element("path", d=str(body), fill=palette.stone),
        crescents(form, palette),
        cracks(form, palette),
        freckles(form, palette),
        stroke(body, palette.line, between(2.3, 3.1, pride)),
        moss(form, palette),
        face(form, palette),
    )


def crescents(form: Stone, palette: Palette) -> str:
    """A shadow below, light above."""
    below, above = between(0.34, 0.3, form.pride), between(0.3, 0.2, form.pride)
    return element("path", d=_crescent(form, -38, 172, below), fill=palette.shade) + element(
        "path", d=_crescent(form, 188, 268, above), fill=palette.light
    )


def _crescent(form: Stone, start: float, end: float, depth: float) -> str:
    """What lies along the edge from one direction to another."""
    steps = max(4, round((end - start) / 24))
    turns = [between(start, end, step / steps) for step in range(steps + 1)]
    outer = [form.edge(turn, 0.985) for turn in turns]
    inner = [form.edge(turn, 1 - depth * sin(pi * step / steps)) for step, turn in enumerate(turns)][::-1]
    return str(Path(outer[0]).line(*outer[1:]).spline(inner[0], inner, inner[-1], 1.0).close())


def crop(form: Stone) -> str:
    """The view box of the stone alone, with its moss and the sprout that it may have."""
    left, right = (pick(point.real for point in form.outline) for pick in (min, max))
    top, low = (pick(point.imag for point in form.outline) for pick in (min, max))
    top -= between(3.0, 17.0, ramp(form.pride, 0.75, 0.95))
    return f"{left - 2.5:.1f} {top:.1f} {right - left + 5:.1f} {low - top + 2.5:.1f}"
