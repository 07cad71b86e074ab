"""What people say without words: eight faces of one pebble, each told by its eyes, its mouth and what is beside it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from davidgoliath.art.face import PUPIL, WHITE
from davidgoliath.art.palette import Palette
from davidgoliath.art.pen import Path, Point, area, circle, ellipse, loop, rounded, stroke
from davidgoliath.art.stone import Stone, crescents, oval

BOX: Final = "-36 -36 72 72"
MIDDLE: Final = 5j
SIZE: Final = 27 + 24.5j
BODY: Final = Stone(0.05, MIDDLE, SIZE.real, SIZE.imag, 0, oval(SIZE, MIDDLE))
LEFT: Final = -9.5 + 0j
RIGHT: Final = 9.5 + 0j
MOUTH: Final = 15j
LINE: Final = 2.6


def _eye(at: Point, glance: Point, palette: Palette, size: float = 6.6) -> str:
    white = ellipse(at, size, size * 1.12, fill=WHITE, stroke=palette.line, stroke_width=1.7)
    return white + circle(at + glance, size * 0.52, fill=PUPIL) + circle(at + glance + 1.2 - 1.4j, 1.1, fill=WHITE)


def _shut(at: Point, bend: float, palette: Palette) -> str:
    """Happy if it bends up, at rest if it bends down."""
    return stroke(Path(at - 6.2).bend(at + 1j * bend, at + 6.2), palette.line, LINE + 0.4)


def _squeezed(at: Point, side: int, palette: Palette) -> str:
    corner = Path(at + complex(-5 * side, -5)).line(at + 4.5 * side, at + complex(-5 * side, 5))
    return stroke(corner, palette.line, LINE)


def _brow(at: Point, inner: float, side: int, palette: Palette) -> str:
    """Its inner end is so much higher than the outer one."""
    over, half = at - 11.4j, complex(6.5 * side, inner / 2)
    return stroke(Path(over + half).bend(over - 2j, over - half), palette.line, LINE)


def _curve(width: float, depth: float, palette: Palette) -> str:
    start = MOUTH - width - 1j * depth / 2
    return stroke(Path(start).bend(MOUTH + 1j * depth, start + 2 * width), palette.line, LINE + 0.2)


def _grin(width: float, depth: float, palette: Palette) -> str:
    start = MOUTH - width - 2.5j
    lips = Path(start).line(start + 2 * width).curve(start + 2 * width + 1j * depth, start + 1j * depth, start)
    return area(lips.close(), WHITE, palette.line, LINE)


def _marks(palette: Palette, *ends: tuple[Point, Point]) -> str:
    (start, end), *others = ends
    path = Path(start).line(end)
    for start, end in others:
        path.move(start).line(end)
    return stroke(path, palette.ink, 2.4)


def _hand(at: Point, palette: Palette) -> str:
    return ellipse(at, 6.4, 5.6, fill=palette.stone, stroke=palette.ink, stroke_width=2.2)


def _hello(palette: Palette) -> str:
    face = _eye(LEFT, 1.5 - 0.5j, palette) + _eye(RIGHT, 1.5 - 0.5j, palette) + _grin(8, 9, palette)
    waves = _marks(palette, (18 - 27j, 15.5 - 31j), (33 - 12.5j, 35 - 8.5j))
    return face + _hand(26 - 21j, palette) + waves


def _well_played(palette: Palette) -> str:
    face = _eye(LEFT, 1.6 - 0.4j, palette) + _shut(RIGHT, 1.6, palette) + _brow(RIGHT, -3, 1, palette)
    face += _curve(8.5, 7, palette) + _hand(-24 + 24j, palette) + _hand(-14 + 26j, palette)
    return face + _marks(palette, (-33 + 16j, -35 + 13.5j), (-26 + 14j, -26.5 + 10.5j))


def _thanks(palette: Palette) -> str:
    face = _shut(LEFT, 7, palette) + _shut(RIGHT, 7, palette) + _curve(6, 6, palette)
    blush = ellipse(-17 + 9j, 4, 2.4, fill=palette.light) + ellipse(17 + 9j, 4, 2.4, fill=palette.light)
    return blush + face + _marks(palette, (-8 - 27j, -9 - 32j), (8 - 27j, 9 - 32j), (0 - 28j, 0 - 34j))


def _oops(palette: Palette) -> str:
    lips = Path(MOUTH - 9 - 3j).line(MOUTH + 9 - 3j, MOUTH + 8 + 4j, MOUTH - 8 + 4j).close()
    teeth = area(lips, WHITE, palette.line, LINE)
    gaps = Path(MOUTH - 3 - 3j).line(MOUTH - 3 + 4j).move(MOUTH + 3 - 3j).line(MOUTH + 3 + 4j)
    return _squeezed(LEFT, 1, palette) + _squeezed(RIGHT, -1, palette) + teeth + stroke(gaps, palette.line, 1.7)


def _wow(palette: Palette) -> str:
    face = _eye(LEFT - 1j, 0.3j, palette, 8) + _eye(RIGHT - 1j, 0.3j, palette, 8)
    face += ellipse(MOUTH + 2j, 4.6, 5.8, fill=PUPIL, stroke=palette.line, stroke_width=1.5)
    rays = ((-27 - 15j, -32 - 18j), (-19 - 23j, -22.5 - 28.5j), (19 - 23j, 22.5 - 28.5j), (27 - 15j, 32 - 18j))
    return face + _marks(palette, *rays)


def _hurry(palette: Palette) -> str:
    face = _eye(LEFT, 2.8 + 0.6j, palette) + _eye(RIGHT, 2.8 + 0.6j, palette)
    face += _brow(LEFT, -3, -1, palette) + _brow(RIGHT, -3, 1, palette)
    mouth = stroke(Path(MOUTH - 5).line(MOUTH + 6 - 1j), palette.line, LINE + 0.2)
    glass = Path(20 - 33j).line(34 - 33j, 27 - 24j, 34 - 15j, 20 - 15j, 27 - 24j).close()
    sand = area(Path(23.4 - 15.6j).line(27 - 19.6j, 30.6 - 15.6j).close(), palette.ink, palette.ink, 0.6)
    return face + mouth + area(glass, "none", palette.ink, 2.2) + sand


def _sorry(palette: Palette) -> str:
    face = _eye(LEFT, 0.4 + 2.2j, palette) + _eye(RIGHT, -0.4 + 2.2j, palette)
    face += _brow(LEFT, 6, -1, palette) + _brow(RIGHT, 6, 1, palette)
    return face + _curve(6, -5, palette)


def _good_game(palette: Palette) -> str:
    face = _shut(LEFT, -6, palette) + _shut(RIGHT, -6, palette) + _grin(10.5, 13, palette)
    lower = ellipse(-24.5j, 9.5, 5.2, fill=palette.light, stroke=palette.line, stroke_width=2)
    upper = ellipse(-32j, 5.4, 3.4, fill=palette.light, stroke=palette.line, stroke_width=2)
    return face + upper + lower


FACES: Final[Mapping[str, Callable[[Palette], str]]] = MappingProxyType(
    {
        "hello": _hello,
        "well_played": _well_played,
        "thanks": _thanks,
        "oops": _oops,
        "wow": _wow,
        "hurry": _hurry,
        "sorry": _sorry,
        "good_game": _good_game,
    }
)


def emote(name: str, palette: Palette) -> str:
    return rounded(
        area(loop(BODY.outline, 1.0), palette.stone, palette.line, 2.6), crescents(BODY, palette), FACES[name](palette)
    )
