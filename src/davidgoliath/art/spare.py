"""A spare card for one that got lost: its suit's land and shape, a stone without a face, and a field for the number."""

from davidgoliath.art.card import land, turned
from davidgoliath.art.face import WHITE
from davidgoliath.art.palette import Palette
from davidgoliath.art.pen import Path, area, element, loop, rounded
from davidgoliath.art.shapes import shape
from davidgoliath.art.stone import form, shadow
from davidgoliath.rules import Colour


def spare(colour: Colour, palette: Palette) -> str:
    """With a field at either end, as paper has it."""
    at = form(8, 18)
    field = (
        Path(11 + 6.5j).line(28 + 6.5j).bend(32.5 + 6.5j, 32.5 + 11j).line(32.5 + 31j).bend(32.5 + 35.5j, 28 + 35.5j)
    )
    field.line(11 + 35.5j).bend(6.5 + 35.5j, 6.5 + 31j).line(6.5 + 11j).bend(6.5 + 6.5j, 11 + 6.5j).close()
    mark = {"transform": "translate(6 40.5)scale(.83)", "fill": palette.stone, "stroke": palette.rim}
    index = rounded(area(field, WHITE, palette.line, 1.6)) + element("g", shape(colour), **mark, stroke_width=2.4)
    stone = rounded(area(loop(at.outline, at.tension), WHITE, palette.line, 2.6))
    return land(palette) + shadow(at, palette) + stone + index + turned(index)
