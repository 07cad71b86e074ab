"""A score sheet for one match: every deal by colour, its sum and the total so far, and whose deal it is."""

from typing import Final

from davidgoliath.art import DAY, placed
from davidgoliath.art.pen import element
from davidgoliath.art.shapes import shape
from davidgoliath.art.stone import form
from davidgoliath.paper.drawing import Box
from davidgoliath.paper.setting import Piece, paragraph, put
from davidgoliath.paper.sheet import HAIRLINE, INK, PAPER, POINT, SAND, SOFT, Sheet, Window
from davidgoliath.rules import Colour
from davidgoliath.rules.cards import check_players
from davidgoliath.texts import Texts

MARGIN: Final = 15.0
HEAD: Final = 25.0
NAMES: Final = 12.0
FOOT: Final = 22.0
NUMBER: Final = 12.0
"""How wide the column with the deal's number is."""
LABEL: Final = 30.0
BETWEEN: Final = 2.0
TALLEST: Final = 10.5
ROWS: Final = len(Colour) + 2


def print_scoresheet(paper: str, players: int, language: str) -> Sheet:
    """As many deals as players, which is a match by the classic rules."""
    check_players(players)
    texts = Texts(language)
    title = f"{texts('page.title')}: {texts('print.score.title')}"
    sheet = Sheet(paper, title, language)
    sheet.add_page()
    _head(sheet, texts)
    left = MARGIN + NUMBER + LABEL
    wide = (sheet.w - MARGIN - left) / players
    top = HEAD + 5
    _names(sheet, Box(left, top, wide * players, NAMES), players, texts)
    top += NAMES + BETWEEN
    room = sheet.h - top - FOOT - BETWEEN * (players - 1)
    high = min(TALLEST, room / (players * ROWS))
    for deal in range(players):
        _deal(sheet, Box(left, top, wide, high), deal, players, texts)
        top += high * ROWS + BETWEEN
    paragraph(sheet, texts("print.score.how"), Box(MARGIN, top + 2, sheet.w - 2 * MARGIN, 0), 8.5, colour=SOFT)
    return sheet


def _head(sheet: Sheet, texts: Texts) -> None:
    band = Box(0, 0, sheet.w, HEAD)
    sheet.panel(band, SAND)
    right = sheet.w - MARGIN
    for value, colour, at, size in (
        (18, Colour.VIOLET, complex(right - 17, 24.5), 0.34),
        (1, Colour.YELLOW, complex(right - 36.5, 20), 0.28),
    ):
        sheet.draw(placed(form(value, 18), DAY[colour], at, size), 0, 0, 1, Window(band))
    put(sheet, [Piece(texts("page.title"), "serif")], MARGIN, 14, 22)
    put(sheet, [Piece(texts("print.score.title"), "serif")], MARGIN, 20.5, 12, SOFT)


def _names(sheet: Sheet, box: Box, players: int, texts: Texts) -> None:
    note = Box(MARGIN, box.y + 1, NUMBER + LABEL - 3, 0)
    paragraph(sheet, texts("print.score.names"), note, 7, colour=SOFT)
    for column in range(players):
        x = box.x + column * box.width / players
        sheet.rule(x + 1.5, box.y + box.height - 1, x + box.width / players - 1.5, box.y + box.height - 1, INK, 0.3)


def _deal(sheet: Sheet, cell: Box, deal: int, players: int, texts: Texts) -> None:
    """One deal; `cell` is its first one."""
    high, size = cell.height, min(9.0, cell.height * 1.55)
    whole = Box(MARGIN, cell.y, NUMBER + LABEL + cell.width * players, high * ROWS)
    sheet.panel(whole._replace(width=NUMBER), SAND)
    _centred(sheet, texts("print.score.sum"), whole._replace(width=NUMBER), cell.y + 4, 5.5, "sans", SOFT)
    _centred(sheet, str(deal + 1), whole._replace(width=NUMBER), cell.y + whole.height / 2 + 3, 24, "serif", INK)
    for row in range(ROWS):
        y = cell.y + row * high
        label = Box(MARGIN + NUMBER, y, LABEL, high)
        baseline = y + high / 2 + size * POINT * 0.34
        if row < len(Colour):
            _colour(sheet, tuple(Colour)[row], label, size, baseline, texts)
        else:
            key = "sum" if row == len(Colour) else "total"
            tone = PAPER if key == "sum" else SAND
            sheet.panel(whole._replace(x=MARGIN + NUMBER, width=whole.width - NUMBER, y=y, height=high), tone)
            put(sheet, [Piece(texts(f"print.score.{key}"), "bold")], label.x + 3, baseline, size)
    _lines(sheet, whole, cell, players)
    put(sheet, [Piece(texts("print.score.dealer"), "sans")], cell.x + deal * cell.width + 0.9, cell.y + 2.3, 5.5, SOFT)


def _colour(sheet: Sheet, colour: Colour, box: Box, size: float, baseline: float, texts: Texts) -> None:
    tones = DAY[colour]
    sheet.panel(box, tones.sky)
    mark = min(4.4, box.height * 0.72)
    drawn = element("g", shape(colour), fill=tones.stone, stroke=tones.rim, stroke_width=2)
    sheet.draw(drawn, box.x + 3, box.y + (box.height - mark) / 2, mark / 24)
    put(sheet, [Piece(texts(f"colour.{colour}"), "sans")], box.x + 4.5 + mark, baseline, size, tones.ink)


def _lines(sheet: Sheet, whole: Box, cell: Box, players: int) -> None:
    """Hairlines between the rows, stronger ones round the deal and above its sum."""
    right, low = whole.x + whole.width, whole.y + whole.height
    for row in range(1, ROWS):
        strong = row >= len(Colour)
        y = cell.y + row * cell.height
        sheet.rule(whole.x + NUMBER, y, right, y, SOFT if strong else HAIRLINE, 0.3 if strong else 0.2)
    for x in (whole.x, whole.x + NUMBER, *(cell.x + column * cell.width for column in range(players + 1))):
        sheet.rule(x, whole.y, x, low, SOFT, 0.3)
    for y in (whole.y, low):
        sheet.rule(whole.x, y, right, y, SOFT, 0.3)


def _centred(sheet: Sheet, text: str, box: Box, baseline: float, size: float, family: str, colour: str) -> None:
    wide = sheet.measure(text, family) * size
    put(sheet, [Piece(text, family)], box.x + (box.width - wide) / 2, baseline, size, colour)
