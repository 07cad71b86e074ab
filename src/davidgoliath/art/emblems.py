"""Pictures that are no cards: the helmet and the sling of the two roles, and the app's icon."""

from typing import Final

from davidgoliath.art.palette import DAY, NEUTRALS, Palette
from davidgoliath.art.pen import Point, element, short
from davidgoliath.art.stone import Stone, form, stone
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
        stroke_width=2.2,
        stroke_linecap="round",
        stroke_linejoin="round",
        d="M3 14.5C4.5 7.5 11 2.5 21.5 2.5 16 6 13.5 11 13 17.5",
    )
    + element("circle", cx=8, cy=17, r=5.2, fill="currentColor"),
}
"""A helmet, and a stone that leaves its sling, each in a box of 24 × 24."""


def glyph(name: str, tone: str) -> str:
    """The helmet or the sling in a tone of its own, where no page gives one."""
    return GLYPHS[name].replace("currentColor", tone)


def icon() -> str:
    """The app's icon: a bright pebble before a boulder that doesn't fit in.

    The pebble keeps to the middle, since some devices cut a circle out of the square.
    """
    sky = element("path", d="M0 0h100v100h-100z", fill=NEUTRALS["sand"][0])
    boulder = placed(form(18, 18), DAY[Colour.VIOLET], 60 + 60j, 1.15)
    pebble = placed(form(1, 18), DAY[Colour.YELLOW], 43 + 60j, 1.55)
    return element("svg", sky, boulder, pebble, xmlns="http://www.w3.org/2000/svg", viewBox="0 0 100 100")


def placed(form: Stone, palette: Palette, centre: Point, scale: float) -> str:
    """A stone alone, with its middle at this point."""
    corner = centre - form.centre * scale
    place = f"translate({short(corner.real)} {short(corner.imag)})scale({short(scale)})"
    return element("g", stone(form, palette), transform=place)
