"""A stone's face: quick eyes and a smirk that sink, with the years, into lids, a nose and a flat lip."""

from math import asin, cos, sin
from typing import TYPE_CHECKING, Final

from davidgoliath.art.palette import Palette
from davidgoliath.art.pen import Path, Point, area, between, circle, ellipse, ramp, stroke

if TYPE_CHECKING:
    from davidgoliath.art.stone import Stone

WHITE: Final = "#fffaf0"
PUPIL: Final = "#1c1512"


def face(stone: "Stone", palette: Palette) -> str:
    pride = stone.pride
    middle = stone.centre + complex(between(1.2, 0.5, pride), between(-2.0, -3.0, pride))
    gap = between(6.6, 16.0, pride)
    eyes = _eye(middle - gap, -1, pride, palette) + _eye(middle + gap, 1, pride, palette)
    return eyes + _nose(middle, pride, palette) + _mouth(middle, pride, palette)


def _eye(at: Point, side: int, pride: float, palette: Palette) -> str:
    rx = between(5.8, 8.6, pride)
    ry = rx * between(1.12, 0.98, pride)
    # the pupil: wide and looking for mischief, up and aside; later small, low and nowhere in particular
    pupil = rx * between(0.6, 0.4, pride)
    glance = complex(
        rx * between(0.3, side * -0.06, ramp(pride, 0, 0.75)),
        ry * between(-0.06, 0.4, pride),
    )
    drawn = ellipse(at, rx, ry, fill=WHITE, stroke=palette.line, stroke_width=between(1.5, 2.1, pride))
    drawn += circle(at + glance, pupil, fill=PUPIL)
    glint = 1 - ramp(pride, 0.25, 0.8)
    if glint > 0.05:
        drawn += circle(at + glance + complex(0.32, -0.38) * pupil, pupil * 0.36 * glint + 0.15, fill=WHITE)
    drawn += _lid(at, rx, ry, side, pride, palette)
    bag = ramp(pride, 0.55, 1)
    if bag > 0:
        start = at + complex(-0.8 * rx, 1.32 * ry)
        fold = Path(start).bend(start + complex(0.8, 0.42 * bag) * rx, start + 1.6 * rx)
        drawn += stroke(fold, palette.line, between(0.6, 1.6, bag))
    return drawn + _brow(at, rx, ry, side, pride, palette)


def _lid(at: Point, rx: float, ry: float, side: int, pride: float, palette: Palette) -> str:
    cover = between(0.2 if side < 0 else 0.1, 0.6, pride**0.85)
    lean = between(0.34, 0.02, ramp(pride, 0, 0.8)) * side
    height = asin(1 - 2 * cover)
    left = at + complex(-rx * cos(height - lean), -ry * sin(height - lean))
    right = at + complex(rx * cos(height + lean), -ry * sin(height + lean))
    path = Path(left).arc(rx, ry, height < 0, right).close()
    return area(path, palette.stone, palette.line, between(1.8, 2.5, pride))


def _brow(at: Point, rx: float, ry: float, side: int, pride: float, palette: Palette) -> str:
    """A quick flick, later a ledge."""
    half = rx * between(0.85, 1.22, pride)
    over = at - 1j * ry * between(1.32 if side < 0 else 1.72, 1.3, pride**0.7)
    tilt = complex(half, between(1.9 if side < 0 else -1.2, side * -0.9, ramp(pride, 0, 0.9)))
    path = Path(over - tilt).bend(over - 1j * between(2.4, 3.6, pride), over + tilt)
    return stroke(path, palette.line, between(2.1, 5.6, pride))


def _nose(middle: Point, pride: float, palette: Palette) -> str:
    """It grows with the opinion of itself."""
    size = ramp(pride, 0.18, 1)
    if size <= 0.12:
        return ""
    top = middle + 1j * between(5.8, 8.6, pride) * 0.15
    width, height = 7.6 * size, 12j * size
    path = Path(top - 0.55 * width)
    path.curve(top - 1.5 * width + 0.9 * height, top - width + 1.25 * height, top + 1.25 * height)
    path.curve(top + width + 1.25 * height, top + 1.5 * width + 0.9 * height, top + 0.55 * width)
    return area(path, palette.light, palette.line, between(1.4, 2.2, size))


def _mouth(middle: Point, pride: float, palette: Palette) -> str:
    """A smirk to one side, then a line, then a pout."""
    at = middle + 1j * between(8.4, 26.0, pride)
    left = at + complex(-between(4.2, 14.0, pride), between(-0.6, 1.5, pride))
    right = at + complex(between(6.8, 15.0, pride), between(-3.0, 0.4, pride))
    control = at + complex(between(2.6, 0.0, pride), between(4.8, -2.6, pride))
    drawn = stroke(Path(left).bend(control, right), palette.line, between(2.0, 3.2, pride))
    dimple = 1 - ramp(pride, 0.05, 0.45)
    if dimple > 0:
        start = right + complex(-0.6, -1.6)
        drawn += stroke(
            Path(start).bend(start + 1.6 + 0.6j, start + 1.7 + 2.2j), palette.line, between(0.6, 1.5, dimple)
        )
    lip = ramp(pride, 0.45, 1)
    if lip > 0:
        start = at + complex(-6, 6.4)
        drawn += stroke(
            Path(start).bend(start + complex(6, 2.8 * lip), start + 12), palette.line, between(0.8, 2.0, lip)
        )
    return drawn
