"""The card's back: raked sand round two pebbles, head to foot, so that it tells nothing whichever way it lies."""

from davidgoliath.art.palette import Palette
from davidgoliath.art.pen import element, ellipse
from davidgoliath.art.stone import form, stone


def back(palette: Palette) -> str:
    return raked(palette, stone(form(2, 18), palette))


def raked(palette: Palette, pebble: str) -> str:
    """The back round a pebble that may be drawn elsewhere."""
    rings = (ellipse(50 + 70j, radius, radius * 1.12) for radius in range(96, 20, -9))
    frame = "M5 13Q5 5 13 5H87Q95 5 95 13V127Q95 135 87 135H13Q5 135 5 127Z"
    one = element("g", pebble, transform="translate(5.6-29.2)scale(.78)")
    return (
        element("path", d="M-5-5h110v150h-110z", fill=palette.sky)
        + element("g", *rings, fill="none", stroke=palette.ground, stroke_width=2.6)
        + element("path", d=frame, fill="none", stroke=palette.line, stroke_width=1.8)
        + one
        + element("g", one, transform="rotate(180 50 70)")
    )
