"""The deck to print: the cards, the instruction cards and the spares, nine to a sheet, each followed by its backs.

On paper of a card's size it is for print shops: a page a card, bleed all round, the box to trim to, and no marks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from davidgoliath.art import DAY, back, card, spare
from davidgoliath.art.palette import GREY_DAY
from davidgoliath.paper.drawing import Box
from davidgoliath.paper.grid import (
    HEIGHT,
    MOST_BLEED,
    PAPERS,
    PER_SHEET,
    WIDTH,
    Grid,
    PaperReason,
    Place,
    check_bleed,
    cut_marks,
)
from davidgoliath.paper.instructions import instructions
from davidgoliath.paper.sheet import INK, SOFT, Sheet, Window
from davidgoliath.rules import Card, Colour, Refusal, deck
from davidgoliath.rules.cards import MOST_PLAYERS, check_players
from davidgoliath.rules.checks import check_kind, wrong_kind
from davidgoliath.texts import LANGUAGES, Texts, catalogue

CARD: Final = "card"
"""The paper of print shops: a card, and its bleed."""

SPARES: Final = {Colour.RED: 2, Colour.YELLOW: 3, Colour.GREEN: 2, Colour.BLUE: 3, Colour.VIOLET: 2}
"""As many as the box has."""
UNIT: Final = WIDTH / 100
RISE: Final = (HEIGHT - 140 * UNIT) / 2
"""The art is a hair taller than the card, and loses as much above as below."""
TOLERANCE: Final = 2.0
"""Backs run so far over the outer edges at least, since no printer puts both sides exactly on each other."""
MARK_WIDTH: Final = 0.15

Face = Callable[[Sheet, Box, float], None]
"""Draws one card into a box, and as much beyond its edges as the bleed is."""


@dataclass(frozen=True, slots=True)
class DeckPlan:
    """What is to be printed, and how."""

    players: int = MOST_PLAYERS
    """Only the cards that so many need, and their highest looks it."""
    paper: str = "a4"
    """Or `letter`, or `card`: a page for each, for print shops."""
    bleed: float | None = None
    """In millimetres; None is none on sheets, and all that the art has for print shops."""
    offset: tuple[float, float] = (0.0, 0.0)
    """How far to the right and down the backs are moved, in millimetres."""
    backs: bool = True
    one_back: bool = False
    """For print shops: all fronts, and then the back once, instead of one behind each front."""
    instructions: tuple[str, ...] = LANGUAGES
    """The languages of the instruction cards, one after another."""
    spares: bool = True

    def __post_init__(self) -> None:
        check_players(self.players)
        if self.paper not in (*PAPERS, CARD):
            raise ValueError(f"there is no paper {self.paper!r}; there are {', '.join((*PAPERS, CARD))}")
        for language in self.instructions:
            catalogue(language)
        if not isinstance(self.offset, tuple) or len(self.offset) != 2:
            raise wrong_kind("an offset of two lengths, such as (0.5, 0.0),", self.offset)
        if self.one_back and self.paper != CARD:
            raise Refusal(PaperReason.ONE_BACK)


def print_deck(plan: DeckPlan, texts: Texts) -> Sheet:
    check_kind(plan, DeckPlan, "a DeckPlan")
    if plan.paper == CARD:
        return _for_print_shops(plan, texts)
    grid = Grid.fitting(plan.paper, plan.bleed or 0.0)
    sheet = Sheet(plan.paper, texts("print.deck.title"), texts.language, two_sided=plan.backs)
    faces = deck_faces(plan)
    sheets = [faces[at : at + PER_SHEET] for at in range(0, len(faces), PER_SHEET)]
    for place, shown in enumerate(sheets, 1):
        told = "print.deck.two_sided" if plan.backs else "print.deck.one_sided"
        caption = texts(told, sheet=place, sheets=len(sheets))
        _fronts(sheet, grid, shown, caption)
        if plan.backs:
            _backs(sheet, grid, grid.backs(len(shown), plan.offset), caption)
    return sheet


def _for_print_shops(plan: DeckPlan, texts: Texts) -> Sheet:
    """A page for each card, and its back behind it; or all cards, and one back."""
    bleed = MOST_BLEED if plan.bleed is None else plan.bleed
    check_bleed(bleed, MOST_BLEED, plan.paper)
    place = Box(bleed, bleed, WIDTH, HEIGHT)
    size = place.grown(bleed)
    each_back = plan.backs and not plan.one_back
    sheet = Sheet((size.width, size.height), texts("print.deck.title"), texts.language, two_sided=each_back)

    def add_back() -> None:
        sheet.add_trimmed_page(place)
        sheet.panel(size, GREY_DAY.sky)  # shows only where the back is moved
        _art(sheet, back(GREY_DAY), place._replace(x=place.x + plan.offset[0], y=place.y + plan.offset[1]), bleed)

    for face in deck_faces(plan):
        sheet.add_trimmed_page(place)
        face(sheet, place, bleed)
        if each_back:
            add_back()
    if plan.backs and plan.one_back:
        add_back()
    return sheet


def deck_faces(plan: DeckPlan) -> list[Face]:
    """Every card of the plan in the order of printing: colour by colour, so that a bad cut shows no other colour."""
    faces: list[Face] = [partial(_card, which=which, highest=3 * plan.players) for which in deck(plan.players)]
    faces += [partial(instructions, language=language) for language in plan.instructions]
    if plan.spares:
        faces += [partial(_spare, colour=colour) for colour, count in SPARES.items() for _ in range(count)]
    return faces


def _fronts(sheet: Sheet, grid: Grid, faces: Sequence[Face], caption: str) -> None:
    sheet.add_page()
    places = grid.fronts(len(faces))
    for face, place in zip(faces, places, strict=True):
        face(sheet, _box(place), grid.bleed)
    _margin(sheet, grid, places, grid.bleed, caption)


def _backs(sheet: Sheet, grid: Grid, places: Sequence[Place], caption: str) -> None:
    sheet.add_page()
    over = max(grid.bleed, TOLERANCE)
    for place in places:
        sheet.panel(_box(place).grown(over), GREY_DAY.sky)
    drawn = back(GREY_DAY)
    for place in places:
        _art(sheet, drawn, _box(place), grid.bleed)
    _margin(sheet, grid, places, over, caption)


def _margin(sheet: Sheet, grid: Grid, places: Sequence[Place], bleed: float, caption: str) -> None:
    """The cut marks, and small below the cards how to print them, where there is room for it."""
    for line in cut_marks(places, bleed):
        sheet.rule(*line, INK, MARK_WIDTH)
    sheet.face("sans", 6, SOFT)
    baseline = places[-1].y + HEIGHT + grid.bleed + 4.5
    if baseline + 2 < grid.size[1]:
        sheet.text((grid.size[0] - sheet.get_string_width(caption)) / 2, baseline, caption)


def _box(place: Place) -> Box:
    return Box(*place, WIDTH, HEIGHT)


def _card(sheet: Sheet, box: Box, bleed: float, *, which: Card, highest: int) -> None:
    _art(sheet, card(which, highest, DAY[which.colour], both_ways=True), box, bleed)
    _name(sheet, box, str(which))


def _spare(sheet: Sheet, box: Box, bleed: float, *, colour: Colour) -> None:
    _art(sheet, spare(colour, DAY[colour]), box, bleed)
    _name(sheet, box, f"{colour}_")


def _art(sheet: Sheet, svg: str, box: Box, bleed: float) -> None:
    shown = Box(0, -RISE / UNIT, WIDTH / UNIT, HEIGHT / UNIT).grown(bleed / UNIT)
    sheet.draw(svg, box.x, box.y + RISE, UNIT, Window(shown))


def _name(sheet: Sheet, box: Box, name: str) -> None:
    """The card's notation where its number is, to be found and copied."""
    sheet.face("sans", 40)
    sheet.hidden(box.x + 4, box.y + 20, name)
