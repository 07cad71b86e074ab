"""The cards, drawn by code: one source for the page and for print.

Drawings are SVG text of paths, circles, ellipses and groups, with two opacities and nothing else: no text, clip, mask,
gradient, filter, style or class. So a browser and a PDF draw the same thing.
"""

from davidgoliath.art.back import back
from davidgoliath.art.card import card
from davidgoliath.art.emblems import glyph, icon, placed
from davidgoliath.art.own_stone import Form
from davidgoliath.art.palette import DAY, NIGHT, PAGE, Palette, Rim, stylesheet
from davidgoliath.art.spare import spare
from davidgoliath.art.sprite import common, emotes, sprite

__all__ = [
    "DAY",
    "NIGHT",
    "PAGE",
    "Form",
    "Palette",
    "Rim",
    "back",
    "card",
    "common",
    "emotes",
    "glyph",
    "icon",
    "placed",
    "spare",
    "sprite",
    "stylesheet",
]
