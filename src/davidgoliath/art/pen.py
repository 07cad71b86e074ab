"""How a drawing is written: short numbers, elements, and paths that go from point to point.

A point is a complex number, `x + y * 1j`, so that points add up and scale.
"""

from collections.abc import Sequence
from typing import Final, Self, TypeVar

Point = complex
Number = TypeVar("Number", float, complex)

TENTHS: Final = 10
"""Paths keep one decimal: a tenth of a unit is less than a pixel on the largest stone that a page shows."""


def between(start: Number, end: Number, share: float) -> Number:
    """
    >>> between(10.0, 20.0, 0.25)
    12.5
    """
    return start + (end - start) * share


def ramp(x: float, start: float, end: float) -> float:
    """0 up to `start`, 1 from `end` on, and even in between.

    >>> ramp(0.1, 0.2, 0.6), ramp(0.5, 0.25, 0.75), ramp(0.9, 0.2, 0.6)
    (0.0, 0.5, 1.0)
    """
    return min(1.0, max(0.0, (x - start) / (end - start)))


def short(number: float) -> str:
    """
    >>> short(0.5), short(-0.256), short(3.0), short(-0.001)
    ('.5', '-.26', '3', '0')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("0", "-0") else text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def element(name: str, *inside: str, **attributes: str | float) -> str:
    """
    >>> element("g", element("circle", r=2.5), stroke_width=0.5)
    '<g stroke-width=".5"><circle r="2.5"/></g>'
    """
    written = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else short(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def ellipse(centre: Point, rx: float, ry: float, **attributes: str | float) -> str:
    return element("ellipse", cx=centre.real, cy=centre.imag, rx=rx, ry=ry, **attributes)


def circle(centre: Point, radius: float, **attributes: str | float) -> str:
    return element("circle", cx=centre.real, cy=centre.imag, r=radius, **attributes)


def stroke(path: "Path", colour: str, width: float) -> str:
    return area(path, "none", colour, width)


def area(path: "Path", fill: str, colour: str, width: float) -> str:
    """What a path encloses, with its outline."""
    return element("path", d=str(path), fill=fill, stroke=colour, stroke_width=width)


def rounded(*drawn: str) -> str:
    """All lines in it have round ends and corners."""
    return element("g", *drawn, stroke_linecap="round", stroke_linejoin="round")


class Path:
    """A path, written as steps from where the pen is, since these are short. Rounding doesn't add up.

    >>> str(Path(1 + 2j).line(1.5 + 1j, 3 + 3j).close())
    'M1 2l.5-1 1.5 2z'
    """

    def __init__(self, start: Point) -> None:
        self._text = self._letter = self._last = ""
        self._pen = _tenths(start)
        self._write("M", *self._pen)

    def move(self, to: Point) -> Self:
        return self._step("m", to)

    def line(self, *points: Point) -> Self:
        for point in points:
            self._step("l", point)
        return self

    def bend(self, control: Point, end: Point) -> Self:
        """A curve with one control point."""
        return self._step("q", control, end)

    def curve(self, first: Point, second: Point, end: Point) -> Self:
        """A curve with two control points."""
        return self._step("c", first, second, end)

    def arc(self, rx: float, ry: float, large: bool, end: Point) -> Self:
        """A piece of an ellipse, clockwise."""
        x, y = _tenths(end)
        radii = _tenths(complex(rx, ry))
        self._write("a", *radii, 0, TENTHS * large, TENTHS, x - self._pen[0], y - self._pen[1])
        self._pen = x, y
        return self

    def spline(self, before: Point, points: Sequence[Point], after: Point, tension: float) -> Self:
        """A smooth line from the pen, which is at the first of the points, through the others (Catmull-Rom)."""
        around = [before, *points, after]
        pull = tension / 6
        for a, b, c, d in zip(around, around[1:], around[2:], around[3:], strict=False):
            self.curve(b + (c - a) * pull, c - (d - b) * pull, c)
        return self

    def close(self) -> Self:
        self._text += "z"
        self._letter = "z"
        return self

    def __str__(self) -> str:
        return self._text

    def _step(self, letter: str, *points: Point) -> Self:
        steps = [_tenths(point) for point in points]
        x, y = self._pen
        self._write(letter, *(number for at in steps for number in (at[0] - x, at[1] - y)))
        self._pen = steps[-1]
        return self

    def _write(self, letter: str, *tenths: int) -> None:
        if letter != self._letter:
            self._text += letter
            self._letter, self._last = letter, ""
        for number in tenths:
            text = short(number / TENTHS)
            if self._last and not (text[0] == "-" or (text[0] == "." and "." in self._last)):
                self._text += " "
            self._text += text
            self._last = text


def _tenths(point: Point) -> tuple[int, int]:
    return round(point.real * TENTHS), round(point.imag * TENTHS)


def loop(points: Sequence[Point], tension: float) -> Path:
    """A smooth closed line through the points: round with tension 1, nearly straight edges with less."""
    return Path(points[0]).spline(points[-1], [*points, points[0]], points[1], tension).close()
