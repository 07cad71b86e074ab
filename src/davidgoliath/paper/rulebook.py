"""The rules on two pages, set from the text that the program shows, as large as the pages allow."""

import re
from cmath import rect
from collections.abc import Sequence
from math import radians
from typing import Final

from davidgoliath.art import DAY, card
from davidgoliath.paper.drawing import Box
from davidgoliath.paper.galley import CARD, Galley
from davidgoliath.paper.markdown import Paragraph, Section, sections
from davidgoliath.paper.setting import Piece, Slug, Slugs, flow, paragraph, put
from davidgoliath.paper.sheet import SAND, SOFT, Sheet
from davidgoliath.paper.stones import stones
from davidgoliath.rules import Card
from davidgoliath.rules.cards import HIGHEST_VALUE
from davidgoliath.texts import Texts

MARGIN: Final = 15.0
GUTTER: Final = 9.0
HEAD: Final = 51.0
SIZES: Final = tuple(size / 10 for size in range(105, 69, -1))
"""In points, the largest first: the one that fits is taken."""
STRIP: Final = 38.0
"""For the picture at the foot of the first page."""
FAN: Final = ("R1", "Y5", "G9", "B14", "V18")

Page = list[tuple[Box, Slugs]]
"""Its columns, and what comes into them."""


def print_rules(paper: str, language: str) -> Sheet:
    texts = Texts(language)
    # the last section is about the program, which isn't at this table
    title, *parts, _ = sections(texts.rules())
    sheet = Sheet(paper, title.title, language, two_sided=True)
    for number, page in enumerate(_pages(sheet, parts, texts), 1):
        sheet.add_page()
        if number == 1:
            _head(sheet, title)
            stones(sheet, Box(MARGIN, sheet.h - MARGIN - STRIP, sheet.w - 2 * MARGIN, STRIP), texts)
        for column, slugs in page:
            for slug, y in slugs:
                slug.paint(column.x, y)
        put(sheet, [Piece(f"{title.title} · {number}/2", "sans")], MARGIN, sheet.h - 8, 7, SOFT)
    return sheet


def _pages(sheet: Sheet, parts: Sequence[Section], texts: Texts) -> tuple[Page, Page]:
    """Box, words and rules on the first page, the rest on the second, in the largest size that fits both."""
    *opening, examples, questions, options = parts
    first, second = _columns(sheet, HEAD + 6, STRIP), _columns(sheet, MARGIN, 0)
    for size in SIZES:
        galley = Galley(sheet, texts, first[0].width, size)
        front = _even([slug for part in opening for slug in galley.text(part)], first)
        left = flow([*galley.examples(examples), *galley.text(questions)], second[:1])
        right = flow(galley.text(options), second[1:])
        if front and left and right:
            return list(zip(first, front, strict=True)), list(zip(second, left + right, strict=True))
    raise ValueError("the rules don't fit on two pages")


def _columns(sheet: Sheet, top: float, below: float) -> list[Box]:
    width = (sheet.w - 2 * MARGIN - GUTTER) / 2
    return [Box(x, top, width, sheet.h - top - MARGIN - below) for x in (MARGIN, MARGIN + width + GUTTER)]


def _even(slugs: Sequence[Slug], columns: Sequence[Box]) -> list[Slugs]:
    """The columns of a page, as short and even as can be; none if they don't fit."""
    made_up: list[Slugs] = []
    for height in range(int(columns[0].height), 0, -2):
        shorter = flow(slugs, [column._replace(height=height) for column in columns])
        if not shorter:
            break
        made_up = shorter
    return made_up


def _head(sheet: Sheet, title: Section) -> None:
    """Name, subtitle and what the game is about, beside some of its cards."""
    sheet.panel(Box(0, 0, sheet.w, HEAD), SAND)
    name, subtitle = re.split(r"\s*:\s*", title.title, maxsplit=1)
    put(sheet, [Piece(name, "serif")], MARGIN, 20, 28)
    put(sheet, [Piece(subtitle, "serif")], MARGIN, 27, 13, SOFT)
    (about,) = (block for block in title.blocks if isinstance(block, Paragraph))
    paragraph(sheet, about.text, Box(MARGIN, 30.5, 101, 0), 8.2)
    for place, shown in enumerate(FAN):
        which = Card.parse(shown)
        turn = 9 * (place - len(FAN) // 2)
        corner = complex(sheet.w - 52, 95) + rect(1, radians(turn)) * complex(-12, -82)
        drawn = card(which, HIGHEST_VALUE, DAY[which.colour])
        sheet.draw(drawn, corner.real, corner.imag, 0.24, CARD, turn)
