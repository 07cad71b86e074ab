"""The rules as slugs of one size, before they are made up into pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from davidgoliath.art import DAY, card, glyph
from davidgoliath.paper.drawing import Box
from davidgoliath.paper.markdown import Block, Item, Paragraph, Section, Table
from davidgoliath.paper.setting import LEADING, Piece, Slug, broken, put
from davidgoliath.paper.sheet import HAIRLINE, INK, POINT, SOFT, Sheet, Window
from davidgoliath.rules import Card, Colour, score_by_colour
from davidgoliath.texts import Texts
from davidgoliath.texts.examples import PILE, TRICKS

CARD: Final = Window(Box(0, 0, 100, 140), 7)
COVERED: Final = 0.36
"""What is seen of a covered card: its index."""
APART: Final = 2.5
INDENT: Final = 2.1
"""Of a list, in sizes."""


@dataclass(frozen=True, slots=True)
class Galley:
    """Sets sections in a column of this width."""

    sheet: Sheet
    texts: Texts
    width: float
    size: float

    @property
    def line(self) -> float:
        """From one baseline to the next."""
        return self.size * POINT * LEADING

    def text(self, section: Section) -> Iterator[Slug]:
        yield self._heading(section.title)
        for block in section.blocks:
            yield from self._block(block)

    def examples(self, section: Section) -> Iterator[Slug]:
        """Two tricks and a pile, each with its picture."""
        yield self._heading(section.title)
        pictures = (*(self._trick(*trick) for trick in TRICKS), self._pile())
        for picture, block in zip(pictures, section.blocks, strict=True):
            yield picture
            yield from self._block(block)

    def _heading(self, title: str) -> Slug:
        size = self.size * 1.45

        def paint(x: float, y: float) -> None:
            put(self.sheet, [Piece(title, "serif")], x, y + size * POINT, size)

        return Slug(size * POINT * 1.45, paint, keep=True, above=self.line * 0.9)

    def _block(self, block: Block) -> Iterator[Slug]:
        match block:
            case Paragraph(text):
                yield from self._lines(text, 0, self.line * 0.4)
            case Item(label, text):
                indent = self.size * POINT * INDENT
                first, *rest = self._lines(text, indent, self.line * 0.25)
                lines = [first._replace(paint=partial(self._labelled, label, first)), *rest]
                yield from (line._replace(keep=True) for line in lines[:-1])
                yield lines[-1]
            case Table(rows):
                yield from self._table(rows)

    def _lines(self, text: str, indent: float, above: float) -> Iterator[Slug]:
        """No line of a paragraph stands alone in a column."""
        lines = broken(self.sheet, text, self.width - indent, self.size)
        for number, line in enumerate(lines):
            keep = number != len(lines) - 1 and number in (0, len(lines) - 2)
            yield Slug(self.line, partial(self._put, line, indent), keep, 0 if number else above)

    def _put(self, line: Sequence[Piece], indent: float, x: float, y: float, colour: str = INK) -> None:
        put(self.sheet, line, x + indent, y + self.size * POINT, self.size, colour)

    def _labelled(self, label: str, slug: Slug, x: float, y: float) -> None:
        self._put([Piece(label, "bold")], 0, x, y, SOFT)
        slug.paint(x, y)

    def _table(self, rows: Sequence[Sequence[str]]) -> Iterator[Slug]:
        widths = self._widths(rows)
        for number, row in enumerate(rows):
            family = "sans" if number else "bold"
            cells = [
                broken(self.sheet, text, width - 2, self.size, family) for text, width in zip(row, widths, strict=True)
            ]
            high = max(map(len, cells)) * self.line + 0.9
            paint = partial(self._row, cells, widths, high, INK if number else SOFT)
            yield Slug(high, paint, keep=not number, above=0 if number else self.line * 0.4)

    def _widths(self, rows: Sequence[Sequence[str]]) -> list[float]:
        """As wide as the cells want, but not much wider than their longest words; the last column takes the rest."""
        most = self.width / 5
        widths = []
        for column in list(zip(*rows, strict=True))[:-1]:
            words = max(self._natural(word) for cell in column for word in cell.split(" "))
            widths.append(max(words, min(most, max(map(self._natural, column)))) + 2.5)
        return [*widths, self.width - sum(widths)]

    def _natural(self, cell: str) -> float:
        """How wide a text is on a line of its own, in the widest font that it may have."""
        (line,) = broken(self.sheet, cell, 1000, self.size, "bold")
        return sum(self.sheet.measure(*piece) for piece in line) * self.size

    def _row(
        self,
        cells: Sequence[Sequence[Sequence[Piece]]],
        widths: Sequence[float],
        high: float,
        colour: str,
        x: float,
        y: float,
    ) -> None:
        self.sheet.rule(x, y + high - 0.2, x + self.width, y + high - 0.2, HAIRLINE, 0.15)
        for lines, width in zip(cells, widths, strict=True):
            for number, line in enumerate(lines):
                self._put(line, 0, x, y + number * self.line, colour)
            x += width

    def _trick(self, cards: str, highest: int) -> Slug:
        """The cards in the order of play, and who is who."""
        wide = (self.width - 4 * APART) / 5
        high = wide * 1.4

        def paint(x: float, y: float) -> None:
            for name in cards.split():
                self._card(Card.parse(name.strip("+-")), highest, x, y, wide)
                for sign, role in (("+", "goliath"), ("-", "david")):
                    if name.endswith(sign):
                        self.sheet.draw(glyph(role, INK), x, y + high + 0.8, 3.4 / 24)
                        told = [Piece(self.texts(f"page.{role}"), "bold")]
                        put(self.sheet, told, x + 4.2, y + high + 3.4, self.size * 0.9)
                x += wide + APART

        return Slug(high + 5.2, paint, keep=True, above=self.line * 0.6)

    def _pile(self) -> Slug:
        """The captured cards by colour, with their points."""
        stacks = [list(PILE.of_colour(colour)) for colour in Colour]
        seen = sum(1 + COVERED * (len(stack) - 1) for stack in stacks)
        wide = (self.width - APART * (len(stacks) - 1)) / seen
        high = wide * 1.4

        def paint(x: float, y: float) -> None:
            for stack, points in zip(stacks, score_by_colour(PILE), strict=True):
                for place, which in enumerate(stack):
                    self._card(which, 12, x + place * COVERED * wide, y, wide)
                put(self.sheet, [Piece(str(points), "bold")], x, y + high + self.size * POINT + 0.5, self.size)
                x += wide * (1 + COVERED * (len(stack) - 1)) + APART

        return Slug(high + self.line + 1, paint, keep=True, above=self.line * 0.6)

    def _card(self, which: Card, highest: int, x: float, y: float, wide: float) -> None:
        self.sheet.draw(card(which, highest, DAY[which.colour]), x, y, wide / 100, CARD)
