"""Commands that make something to print. fpdf2 is imported only when one runs."""

from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from davidgoliath.cli.output import FILE, FORCE, STANDARD, check_files, output, say
from davidgoliath.cli.reader import LANG, PLAYERS, TEXTS, Group, OneOf, WholeNumber, option
from davidgoliath.texts import LANGUAGES

if TYPE_CHECKING:
    from davidgoliath.paper import Sheet

FARTHEST: Final = 10.0
"""No printer is farther off, in millimetres."""


class Millimetres(click.ParamType[float]):
    """A length within limits."""

    name = "mm"

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        length = _length(str(value).replace(",", "."))  # as most of Europe writes it
        if length is None or not self.low <= length <= self.high:
            limits = {"low": f"{self.low:g}", "high": f"{self.high:g}"}
            self.fail(TEXTS("error.not_millimetres", text=value, **limits), param, ctx)
        return length


class Offset(click.ParamType[tuple[float, float]]):
    """How far to the right, and how far down; behind a semicolon where commas are for decimals.

    >>> Offset().convert("0.5,-1", None, None), Offset().convert("0,5;-1", None, None)
    ((0.5, -1.0), (0.5, -1.0))
    """

    name = "x,y"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        text = str(value)
        across, _, down = text.replace(",", ".").partition(";") if ";" in text else text.partition(",")
        x, y = _length(across), _length(down)
        if x is None or y is None or max(abs(x), abs(y)) > FARTHEST:
            self.fail(TEXTS("error.not_an_offset", text=value, most=f"{FARTHEST:g}"), param, ctx)
        return x, y


def _length(text: str) -> float | None:
    """
    >>> _length("0.5"), _length("1e400"), _length("nan"), _length("long")
    (0.5, None, None, None)
    """
    try:
        length = float(text)
    except ValueError:
        return None
    return length if isfinite(length) else None


OUT: Final = option("--out", text="cli.print.out", type=FILE)
PAPER: Final = option("--paper", text="cli.print.paper", type=OneOf(["a4", "letter"]), default="a4")


@click.group("print", cls=Group, help=TEXTS("cli.print"))
def print_() -> None:
    pass


@print_.command(help=TEXTS("cli.print.deck"))
@option("--players", text="cli.print.players", type=WholeNumber(3, 6))
@option("--paper", text="cli.print.deck_paper", type=OneOf(["a4", "letter", "card"]), default="a4")
@option("--bleed", text="cli.print.bleed", type=Millimetres(0, 3))
@option("--offset", text="cli.print.offset", type=Offset())
@option("--no-backs", text="cli.print.no_backs", is_flag=True)
@option("--one-back", text="cli.print.one_back", is_flag=True)
@option("--no-instructions", text="cli.print.no_instructions", is_flag=True)
@option("--no-spares", text="cli.print.no_spares", is_flag=True)
@option("--lang", text="cli.print.lang", type=OneOf([*LANGUAGES, "all"]), default="all")
@OUT
@FORCE
def deck(
    players: int | None,
    paper: str,
    bleed: float | None,
    offset: tuple[float, float] | None,
    no_backs: bool,
    one_back: bool,
    no_instructions: bool,
    no_spares: bool,
    lang: str,
    out: Path | None,
    force: bool,
) -> None:
    from davidgoliath.paper import DeckPlan, print_deck

    languages = LANGUAGES if lang == "all" else (lang,) * len(LANGUAGES)
    plan = DeckPlan(
        players=players or 6,
        paper=paper,
        bleed=bleed,
        offset=offset or (0.0, 0.0),
        backs=not no_backs,
        one_back=one_back,
        instructions=() if no_instructions else languages,
        spares=not no_spares,
    )
    _write(lambda: print_deck(plan, TEXTS), out, f"davidgoliath-deck-{paper}.pdf", force)


@print_.command(help=TEXTS("cli.print.rules"))
@PAPER
@LANG
@OUT
@FORCE
def rules(paper: str, lang: str, out: Path | None, force: bool) -> None:
    from davidgoliath.paper import print_rules

    _write(lambda: print_rules(paper, lang), out, f"davidgoliath-rules-{lang}-{paper}.pdf", force)


@print_.command(help=TEXTS("cli.print.scoresheet"))
@PLAYERS
@PAPER
@LANG
@OUT
@FORCE
def scoresheet(players: int, paper: str, lang: str, out: Path | None, force: bool) -> None:
    from davidgoliath.paper import print_scoresheet

    name = f"davidgoliath-scoresheet-{players}-{lang}-{paper}.pdf"
    _write(lambda: print_scoresheet(paper, players, lang), out, name, force)


def _write(make: "Callable[[], Sheet]", out: Path | None, name: str, force: bool) -> None:
    file = out or Path(name)
    check_files(file, force=force)
    sheet = make()
    printed = bytes(sheet.output())
    with output(file, force=force) as stream:
        stream.write(printed)
    if file != STANDARD:
        say(TEXTS("print.written", file=file, count=sheet.pages_count))
