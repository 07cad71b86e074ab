"""The art as documents of symbols, which a page draws with `<use href="#face-9"/>`.

Tones are variables that a page sets by class (`palette.stylesheet`), so one face serves all five suits, by day and by
night.
"""

from typing import Final

from davidgoliath.art.back import raked
from davidgoliath.art.card import VIEW_BOX, figure, index, land, looms
from davidgoliath.art.emblems import GLYPHS
from davidgoliath.art.emotes import BOX as EMOTE_BOX
from davidgoliath.art.emotes import FACES, emote
from davidgoliath.art.numerals import number
from davidgoliath.art.own_stone import BOX, Form, own_stone
from davidgoliath.art.palette import PAGE
from davidgoliath.art.pen import element
from davidgoliath.art.shapes import shape
from davidgoliath.art.stone import crop, form, stone
from davidgoliath.rules import Card, Colour
from davidgoliath.rules.cards import HIGHEST_VALUE

ALONE: Final = (1, 2, 4, 6, 10, 14, 18)
"""The stones that pages show without a card: not all of them, since every page has these."""


def sprite(highest: int) -> str:
    """A deck whose highest value is `highest`: `face-1` … without the index, and `index-R1` … to lay over it."""
    values = range(1, highest + 1)
    shared = element(
        "defs",
        *(element("g", number(value), id=f"number-{value}") for value in values),
        *(element("g", shape(colour), id=f"shape-{colour}") for colour in Colour),
    )
    faces = (_symbol(f"face-{value}", VIEW_BOX, land(PAGE) + figure(value, highest, PAGE)) for value in values)
    indices = (_index(Card(colour, value), highest) for colour in Colour for value in values)
    return _document(shared, *faces, *indices)


def common() -> str:
    """What every page has: `suit-R` …, `goliath`, `david`, `stone-1` … alone, people's `own-round` …, and `back`."""
    suits = (_symbol(f"suit-{suit}", "-1.5 -1.5 27 27", _suit(suit)) for suit in Colour)
    glyphs = (_symbol(name, "0 0 24 24", drawn) for name, drawn in GLYPHS.items())
    forms = {value: form(value, HIGHEST_VALUE) for value in ALONE}
    stones = (
        _symbol(f"stone-{value}", crop(at), element("g", stone(at, PAGE), id=f"pebble-{value}"))
        for value, at in forms.items()
    )
    own = (_symbol(f"own-{form}", BOX, own_stone(form, PAGE)) for form in Form)
    return _document(*suits, *glyphs, *stones, *own, _symbol("back", VIEW_BOX, raked(PAGE, _use("pebble-2"))))


def emotes() -> str:
    """What a table where people talk has besides: `emote-hello` …"""
    return _document(*(_symbol(f"emote-{name}", EMOTE_BOX, emote(name, PAGE)) for name in FACES))


def _suit(colour: Colour) -> str:
    return element("g", shape(colour), fill=PAGE.stone, stroke=PAGE.rim, stroke_width=1.8)


def _index(card: Card, highest: int) -> str:
    drawn = index(_use(f"number-{card.value}"), _use(f"shape-{card.colour}"), looms(card.value, highest), PAGE)
    return _symbol(f"index-{card}", VIEW_BOX, drawn)


def _use(name: str) -> str:
    return element("use", href=f"#{name}")


def _symbol(name: str, view_box: str, drawn: str) -> str:
    return element("symbol", drawn, id=name, viewBox=view_box)


def _document(*parts: str) -> str:
    return element("svg", "\n", "\n".join(parts), "\n", xmlns="http://www.w3.org/2000/svg")
