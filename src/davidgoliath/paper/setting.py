"""Typesetting: words into lines, and lines into columns.

Inline Markdown is all the markup there is: `**bold**`, `*italic*` and code, which is italic on paper.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from davidgoliath.paper.drawing import Box
from davidgoliath.paper.sheet import INK, POINT, Sheet

MARKUP: Final = re.compile(r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|`(?P<code>.+?)`")
ALONE: Final = re.compile(r"(?<!\S)([^\W\d_]) ")
"""A word of one letter goes to the next one's line, as Polish demands and others like."""
LEADING: Final = 1.28
"""From one baseline to the next, in sizes."""


class Piece(NamedTuple):
    """Some text in one font."""

    text: str
    family: str


Word = list[Piece]
"""What must stay together on a line."""


class Slug(NamedTuple):
    """Something as high as this that goes across a column, and paints itself from its upper left corner on."""

    height: float
    paint: Callable[[float, float], None]
    keep: bool = False
    """Never the last one of a column."""
    above: float = 0.0
    """The space to the slug above, if there is one."""


Slugs = list[tuple[Slug, float]]
"""What comes into a column, and how far down."""


def words(text: str, family: str = "sans") -> list[Word]:
    """
    >>> words("the **goliath**, w lewie")[1:]
    [[Piece(text='goliath', family='bold'), Piece(text=',', family='sans')], [Piece(text='w\\xa0lewie', family='sans')]]
    """
    found: list[Word] = [[]]
    for piece in _pieces(ALONE.sub("\\1\u00a0", text), family):
        for place, part in enumerate(re.split("[ \n]+", piece.text)):
            if place:
                found.append([])
            if part:
                found[-1].append(Piece(part, piece.family))
    return [word for word in found if word]


def _pieces(text: str, family: str) -> Iterable[Piece]:
    at = 0
    for match in MARKUP.finditer(text):
        yield Piece(text[at : match.start()], family)
        kind = match.lastgroup or ""
        yield Piece(match[kind], "italic" if kind == "code" else kind)
        at = match.end()
    yield Piece(text[at:], family)


def broken(sheet: Sheet, text: str, width: float, size: float, family: str = "sans") -> list[list[Piece]]:
    """The lines of a text, each as few pieces as its fonts allow."""
    space = sheet.measure(" ", family) * size
    lines: list[list[Word]] = [[]]
    used = 0.0
    for word in words(text, family):
        wide = sum(sheet.measure(piece.text, piece.family) for piece in word) * size
        if lines[-1] and used + space + wide > width:
            lines.append([])
        used = used + space + wide if lines[-1] else wide
        lines[-1].append(word)
    return [_joined(line) for line in lines]


def _joined(line: Sequence[Word]) -> list[Piece]:
    joined: list[Piece] = []
    for word in line:
        for place, piece in enumerate(word):
            gap = "" if place or not joined else " "
            if joined and joined[-1].family == piece.family:
                joined[-1] = Piece(joined[-1].text + gap + piece.text, piece.family)
            else:
                if gap:
                    joined[-1] = Piece(joined[-1].text + gap, joined[-1].family)
                joined.append(piece)
    return joined


def put(sheet: Sheet, line: Sequence[Piece], x: float, baseline: float, size: float, colour: str = INK) -> None:
    for text, family in line:
        sheet.face(family, size, colour)
        sheet.text(x, baseline, text)
        x += sheet.measure(text, family) * size


def paragraph(sheet: Sheet, text: str, box: Box, size: float, *, family: str = "sans", colour: str = INK) -> float:
    """Sets a text from the box's upper edge on, and tells where it ends; how long it gets is the caller's matter."""
    y = box.y
    for line in broken(sheet, text, box.width, size, family):
        put(sheet, line, box.x, y + size * POINT, size, colour)
        y += size * POINT * LEADING
    return y


def flow(slugs: Iterable[Slug], columns: Sequence[Box]) -> list[Slugs] | None:
    """What comes into each column; nothing if they don't have room for all."""
    placed: list[Slugs] = [[] for _ in columns]
    at, y = 0, columns[0].y
    for chunk in _chunks(slugs):
        high = sum(slug.above + slug.height for slug in chunk)
        if y + high > columns[at].y + columns[at].height:
            at += 1
            if at == len(columns) or high > columns[at].height:
                return None
            y = columns[at].y
        for slug in chunk:
            y += slug.above if placed[at] else 0
            placed[at].append((slug, y))
            y += slug.height
    return placed


def _chunks(slugs: Iterable[Slug]) -> Iterable[list[Slug]]:
    chunk: list[Slug] = []
    for slug in slugs:
        chunk.append(slug)
        if not slug.keep:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
