"""An instruction card: the whole game on the size of a card, for whoever forgets what a third card does."""

from typing import Final

from davidgoliath.art import DAY, glyph, placed
from davidgoliath.art.stone import form
from davidgoliath.paper.drawing import Box
from davidgoliath.paper.setting import broken, paragraph, put
from davidgoliath.paper.sheet import INK, PAPER, POINT, SAND, SOFT, Sheet, Window
from davidgoliath.rules import Colour
from davidgoliath.texts import Texts

EDGE: Final = 5.0
"""Nothing that is read comes nearer to the cut."""
BAND: Final = 16.0
SIZE: Final = 7.2
SIGN: Final = 7.0
"""How wide the column of signs is."""


def instructions(sheet: Sheet, card: Box, bleed: float, language: str) -> None:
    texts = Texts(language)
    sheet.panel(card.grown(bleed), PAPER)
    _head(sheet, card, bleed, texts)
    width = card.width - 2 * EDGE
    y = _values(sheet, Box(card.x + EDGE, card.y + BAND + 1.6, width, 0), texts)
    text = Box(card.x + EDGE + SIGN, y, width - SIGN, 0)
    for sign, key in (("", "lead"), ("goliath", "goliath"), ("david", "david"), ("", "ties")):
        if sign:
            sheet.draw(glyph(sign, INK), card.x + EDGE, y + 0.3, 4.6 / 24)
        box = text if sign else Box(card.x + EDGE, y, width, 0)
        end = paragraph(sheet, texts(f"print.card.{key}"), box._replace(y=y), SIZE)
        y = max(end, y + 4.8 if sign else 0) + 1.3
    y += 0.3
    sheet.rule(card.x + EDGE, y, card.x + card.width - EDGE, y)
    y = paragraph(sheet, texts("print.card.score"), Box(card.x + EDGE, y + 1.3, width, 0), SIZE, family="bold") + 0.6
    for count, key in (("0", "none"), ("1–2", "few"), ("3+", "many")):
        put(sheet, broken(sheet, count, SIGN, SIZE, "bold")[0], card.x + EDGE, y + SIZE * POINT, SIZE)
        y = paragraph(sheet, texts(f"print.card.{key}"), text._replace(y=y), SIZE) + 0.2
    paragraph(sheet, texts("print.card.match"), Box(card.x + EDGE, y + 1.2, width, 0), SIZE)


def _head(sheet: Sheet, card: Box, bleed: float, texts: Texts) -> None:
    """The title before a boulder that doesn't fit in, and the pebble that doesn't mind."""
    band = Box(card.x - bleed, card.y - bleed, card.width + 2 * bleed, BAND + bleed)
    sheet.panel(band, SAND)
    for value, colour, at, size in ((18, Colour.VIOLET, 52.5 + 15.2j, 0.22), (1, Colour.YELLOW, 43 + 12.8j, 0.19)):
        drawn = placed(form(value, 18), DAY[colour], at, size)
        sheet.draw(drawn, card.x, card.y, 1, Window(Box(-bleed, -bleed, band.width, band.height)))
    sheet.face("serif", 12)
    sheet.text(card.x + EDGE, card.y + 10.2, texts("page.title"))


def _values(sheet: Sheet, box: Box, texts: Texts) -> float:
    """Which values are in play, by the number of players."""
    first = max(sheet.measure(texts(f"print.card.{key}"), "sans") for key in ("players", "values")) * SIZE + 2
    step = (box.width - first) / 4
    for row, key in enumerate(("players", "values")):
        baseline = box.y + 2.8 + row * 3.6
        put(sheet, [*broken(sheet, texts(f"print.card.{key}"), first, SIZE)[0]], box.x, baseline, SIZE, SOFT)
        for place, players in enumerate(range(3, 7)):
            told = f"1–{3 * players}" if row else str(players)
            right = box.x + first + (place + 1) * step - sheet.measure(told, "bold") * SIZE
            put(sheet, broken(sheet, told, step, SIZE, "bold")[0], right, baseline, SIZE)
    y = box.y + 8.0
    sheet.rule(box.x, y, box.x + box.width, y)
    return y + 1.3
