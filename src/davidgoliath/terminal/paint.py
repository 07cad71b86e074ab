"""Lines and cards in colour: the stones' colours from the cards' palette, and always a letter beside them."""

from collections.abc import Iterable, Mapping
from typing import Final

from textual.content import Content
from textual.theme import Theme

from davidgoliath.art.palette import DAY, NEUTRALS, NIGHT, Palette
from davidgoliath.rules import Card, CardSet, Colour
from davidgoliath.rules.scoring import FEW
from davidgoliath.terminal.narrator import Line, Strong

TONES: Final[Mapping[bool, Mapping[Colour, Palette]]] = {True: DAY, False: NIGHT}


def theme(light: bool) -> Theme:
    """The page's neutrals, by day or by night."""
    tones = {name: day if light else night for name, (day, night) in NEUTRALS.items()}
    return Theme(
        name="day" if light else "night",
        dark=not light,
        primary=tones["act"],
        secondary=tones["edge"],
        accent=tones["focus"],
        foreground=tones["text"],
        background=tones["sand"],
        surface=tones["paper"],
        panel=tones["tray"],
    )


class Paint:
    """How cards and lines look, by day or by night."""

    def __init__(self, light: bool) -> None:
        self.light, self.tones = light, TONES[light]
        self.quiet = NEUTRALS["text-2"][0 if light else 1]

    def stone(self, colour: Colour) -> str:
        """Text on the suit's own colour."""
        tones = self.tones[colour]
        return f"bold {tones.on} on {tones.stone}"

    def sky(self, colour: Colour) -> str:
        """Text on the suit's face colour, which is weaker."""
        tones = self.tones[colour]
        return f"{tones.ink} on {tones.sky}"

    def bare(self, colour: Colour) -> str:
        """Text in the suit's colour, as far as it can be read."""
        tones = self.tones[colour]
        return tones.ink if self.light else tones.light

    def pile(self, cards: CardSet, colour: Colour) -> str:
        """Two cards stand out, one less so, and rubble is bare."""
        if not cards:
            return self.quiet
        if len(cards) > FEW:
            return self.bare(colour)
        return self.stone(colour) if len(cards) == FEW else self.sky(colour)

    def chip(self, card: Card) -> Content:
        """A card among words."""
        return Content.styled(f" {card} ", self.stone(card.colour))

    def line(self, line: Line) -> Content:
        """Words and cards."""
        return Content.assemble(
            *(
                self.chip(part)
                if isinstance(part, Card)
                else Content.styled(part, "bold" if isinstance(part, Strong) else "")
                for part in line
            )
        )

    def still(self, text: str) -> Content:
        """Words that step back."""
        return Content.styled(text, self.quiet)

    def letter(self, colour: Colour, width: int, *, led: bool = False) -> Content:
        """The head of a colour's column; the led colour is marked."""
        return centred(Content.styled(f"▶{colour}◀" if led else str(colour), self.stone(colour)), width)

    def brick(self, card: Card, width: int, *, flat: bool = False) -> list[Content]:
        """A card as three rows; flat: one that can't be played."""
        tones, name = self.tones[card.colour], centred(Content(str(card)), width)
        if flat:
            return [Content(" " * width), name.stylize(self.bare(card.colour)), Content(" " * width)]
        return [
            Content.styled("▄" * width, tones.stone),
            name.stylize(self.stone(card.colour)),
            Content.styled("▀" * width, tones.stone),
        ]

    def frame(self, inside: Content, width: int) -> list[Content]:
        """A place for a card, with something written in it."""
        rim = self.still
        middle = Content.assemble(rim("│"), centred(inside, width - 2), rim("│"))
        return [rim(f"╭{'─' * (width - 2)}╮"), middle, rim(f"╰{'─' * (width - 2)}╯")]


def rows(lines: Iterable[Content]) -> Content:
    """Lines one below the other."""
    return Content("\n").join(lines)


def beside(blocks: Iterable[list[Content]], gap: str = "") -> list[Content]:
    """Blocks of the same height side by side."""
    return [Content(gap).join(parts) for parts in zip(*blocks, strict=True)]


def centred(content: Content, width: int) -> Content:
    """In the middle of so many cells, spaces and all; rather to the right, since a card's letter comes first."""
    room = max(0, width - content.cell_length)
    return content.pad_left((room + 1) // 2).pad_right(room // 2)
