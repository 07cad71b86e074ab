"""Pictures that are no cards: the helmet and the sling of the two roles, and the app's icon."""

from typing import Final

from davidgoliath.art.palette import DAY, NEUTRALS
from davidgoliath.art.pen import element, ellipse
from davidgoliath.art.stone import form, shadow, stone
from davidgoliath.rules import Colour

GLYPHS: Final = {
    "goliath": element(
        "path",
        fill="currentColor",
        d="M10.4 1h3.2v3.2a9 9 0 0 1 7.4 8.9V23h-6.2v-7.4L18 12H6l3.2 3.6V23H3v-9.9a9 9 0 0 1 7.4-8.9Z",
    ),
    "david": element(
        "path",
        fill="none",
        stroke="currentColor",
        stroke_width=2.4,
        stroke_linecap="round",
        d="M6 2C2.2 9.5 3.6 14 8 16.4M18 2c3.8 7.5 2.4 12-2 14.4",
    )
    + element("circle", cx=12, cy=17, r=5.2, fill="currentColor"),
}
"""A helmet and a sling, each in a box of 24 × 24."""


def icon() -> str:
    """The app's icon: a pebble on raked sand. It keeps to the middle, since some devices cut the corners off."""
    sand, groove = NEUTRALS["sand"][0], NEUTRALS["groove"][0]
    pebble = form(1, 18)
    rings = "".join(
        ellipse(pebble.centre, radius, radius * 0.9, fill="none", stroke=groove, stroke_width=1.6)
        for radius in (24, 29, 34)
    )
    drawn = shadow(pebble, DAY[Colour.YELLOW]) + stone(pebble, DAY[Colour.YELLOW])
    ground = element("path", d="M0 0h200v200h-200z", fill=sand)
    side = 56.0
    x, y = pebble.centre.real - side / 2, pebble.centre.imag - side / 2
    return element(
        "svg",
        ground,
        rings,
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{x:.1f} {y:.1f} {side:.0f} {side:.0f}",
    )
