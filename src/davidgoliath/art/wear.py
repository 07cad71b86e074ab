"""What a life leaves on a stone: freckles while it is young, then cracks, then moss, and at last a sprout."""

from typing import TYPE_CHECKING, Final

from davidgoliath.art.palette import Palette
from davidgoliath.art.pen import Path, Point, area, between, circle, ramp, stroke

if TYPE_CHECKING:
    from davidgoliath.art.stone import Stone

FRECKLES: Final = ((-0.62, 0.3, 1.3), (-0.48, 0.52, 0.9), (0.66, 0.22, 1.0))
"""Where, and how large."""
FRECKLE: Final = 0.55
"""How dark."""


def freckles(stone: "Stone", palette: Palette) -> str:
    youth = 1 - stone.pride * 1.6
    if youth <= 0.2:
        return ""
    spots = ((stone.spot(x, y), size * youth + 0.2) for x, y, size in FRECKLES)
    return "".join(circle(at, size, fill=palette.line, fill_opacity=FRECKLE) for at, size in spots)


def cracks(stone: "Stone", palette: Palette) -> str:
    pride = stone.pride
    width = between(1.3, 2.0, pride)
    drawn = ""
    for since, degrees, longest, bend in ((0.34, 322, 0.34, 5), (0.6, 150, 0.26, -6), (0.8, 20, 0.2, 5)):
        if pride > since:
            length = between(0.1, longest, ramp(pride, since, 1))
            corners = ((0, 0), (bend, 0.4), (-0.6 * bend, 0.7), (0.7 * bend, 1))
            start, *rest = [stone.edge(degrees + turn, 1 - length * share) for turn, share in corners]
            drawn += stroke(Path(start).line(*rest), palette.line, width)
    return drawn


def moss(stone: "Stone", palette: Palette) -> str:
    """It settles on those who never move."""
    age = ramp(stone.pride, 0.5, 1)
    if age == 0:
        return ""
    start, end, scallops = between(285.0, 262.0, age), between(303.0, 334.0, age), round(between(2.0, 5.0, age))
    top = [stone.edge(between(start, end, step / 8), 1.035) for step in range(9)]
    path = Path(top[0]).line(*top[1:])
    hem = between(0.97, 0.93, age)
    path.line(stone.edge(end, hem))
    for scallop in range(scallops):
        middle = stone.edge(between(end, start, (scallop + 0.5) / scallops), between(0.9, 0.8, age))
        path.bend(middle, stone.edge(between(end, start, (scallop + 1) / scallops), hem))
    drawn = area(path.close(), palette.light, palette.line, between(1.7, 2.2, stone.pride))
    if age > 0.62:
        drawn += _sprout(stone.edge(between(start, end, 0.5), 1.03), between(4.0, 10.0, ramp(age, 0.62, 1)), palette)
    return drawn


def _sprout(root: Point, height: float, palette: Palette) -> str:
    """A stem and two leaves; they stand before the sky, where a dark line is lost at night."""
    tip = root + complex(0.6, -height)
    stem = Path(root).bend(root + complex(-0.5, -0.6 * height), tip)
    left, right = tip + complex(-0.8, -0.55) * height, tip + complex(0.85, -0.5) * height
    leaves = Path(tip).bend(tip + complex(-0.75, 0.1) * height, left).bend(left + complex(0.7, -0.1) * height, tip)
    leaves.bend(tip + complex(0.1, -0.7) * height, right).bend(right + complex(-0.05, 0.6) * height, tip).close()
    return stroke(stem, palette.rim, 1.7) + area(leaves, palette.light, palette.rim, 1.4)
