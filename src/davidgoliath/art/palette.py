"""The colours: what each suit looks like by day and by night, and the neutrals round it.

Only stones have colour; sand, paper and text are warm neutrals. The five stones differ in lightness on purpose (yellow
is the lightest, violet the darkest), so that they stay apart for every kind of eyes, and each suit has a shape besides.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from davidgoliath.rules import Colour


class Palette(NamedTuple):
    """The tones of one suit."""

    sky: str
    """The card's face, and chips."""
    ground: str
    stone: str
    """The suit's colour."""
    shade: str
    light: str
    line: str
    """Outlines on the face."""
    rim: str
    """The outline of the suit's shape: `line` by day, `stone` by night, when a dark one would eat the shape."""
    ink: str
    """The number on the sky."""
    on: str
    """Text on the stone."""


class Rim(StrEnum):
    """The colour round somebody's own stone: no suit's, and apart from the others for all eyes."""

    ORANGE = "orange"
    CYAN = "cyan"
    BERRY = "berry"
    OLIVE = "olive"
    CHALK = "chalk"
    INK = "ink"


def _day(sky: str, ground: str, stone: str, shade: str, light: str, line: str, ink: str, on: str) -> Palette:
    return Palette(sky, ground, stone, shade, light, line, line, ink, on)


def _night(sky: str, ground: str, stone: str, shade: str, light: str, line: str, ink: str, on: str) -> Palette:
    return Palette(sky, ground, stone, shade, light, line, stone, ink, on)


DAY: Final[Mapping[Colour, Palette]] = MappingProxyType(
    {
        Colour.RED: _day("#ffc2b6", "#eda193", "#cf3e2a", "#a41704", "#e68776", "#400a04", "#551209", "#ffffff"),
        Colour.YELLOW: _day("#ffebbc", "#eecd7d", "#fcc82c", "#e6980a", "#fde68a", "#532e00", "#442600", "#1b1310"),
        Colour.GREEN: _day("#c0f0d7", "#9bd7b9", "#38ab7c", "#08865c", "#7cc5a1", "#00442b", "#003823", "#1b1310"),
        Colour.BLUE: _day("#b4d6fd", "#92bbea", "#2676c6", "#00549c", "#76a9e2", "#001f42", "#002e5d", "#ffffff"),
        Colour.VIOLET: _day("#dec4ef", "#c4a1db", "#773099", "#571974", "#b47fd1", "#190425", "#3f1a51", "#ffffff"),
    }
)
NIGHT: Final[Mapping[Colour, Palette]] = MappingProxyType(
    {
        Colour.RED: _night("#5b221a", "#46120b", "#db5743", "#b03524", "#e98776", "#2c0804", "#ffe9e4", "#1b1310"),
        Colour.YELLOW: _night("#5a431a", "#47330a", "#fbca43", "#e59b2a", "#fde68a", "#260f00", "#fbedcd", "#1b1310"),
        Colour.GREEN: _night("#1f4634", "#0f3524", "#60cf9d", "#3fa87c", "#9fe9c4", "#001d0e", "#d5f9e5", "#1b1310"),
        Colour.BLUE: _night("#133559", "#042545", "#5299e5", "#3275bb", "#86b8f1", "#001630", "#e4f0fe", "#1b1310"),
        Colour.VIOLET: _night("#38184c", "#270839", "#9654c1", "#723399", "#ad7fce", "#1e0c2a", "#f5e9ff", "#ffffff"),
    }
)
GREY_DAY: Final = _day("#efe4cf", "#dfcfb0", "#a99a8a", "#84766a", "#cdc0b0", "#3a302a", "#2a211b", "#1b1310")
"""Stones that belong to no suit: people's faces, and the card's back."""
GREY_NIGHT: Final = _night("#383233", "#4b4344", "#a99a8a", "#84766a", "#cdc0b0", "#1b1310", "#f5ecdf", "#1b1310")
RIMS: Final[Mapping[Rim, str]] = MappingProxyType(
    {
        Rim.ORANGE: "#fd9320",
        Rim.CYAN: "#21c5e5",
        Rim.BERRY: "#75184f",
        Rim.OLIVE: "#686f2c",
        Rim.CHALK: "#fdf9f2",
        Rim.INK: "#12100f",
    }
)
BOT_TONES: Final = ("stone", "shade", "light", "line")
BOTS: Final[Mapping[str, tuple[str, str, str, str]]] = MappingProxyType(
    {
        "flint": ("#676c77", "#484d57", "#80858e", "#14161b"),
        "onyx": ("#58504d", "#3a3230", "#6f6866", "#0a0706"),
        "agate": ("#9d7d68", "#7b5d49", "#b39887", "#211208"),
        "slate": ("#95a4ad", "#74838c", "#b2bec6", "#10171b"),
        "opal": ("#e5e1d9", "#c2bdb5", "#f9f5ee", "#181612"),
        "jade": ("#b4c3b1", "#92a08f", "#d1ddce", "#121810"),
    }
)
"""What bots are made of, by the names that they have at the table. They
differ in lightness, and have too little colour to be a suit."""
PAGE: Final = Palette(*(f"var(--{tone})" for tone in Palette._fields))
"""Tones that a page chooses by class: `stylesheet` sets them."""

NEUTRALS: Final = MappingProxyType(
    {
        "sand": ("#efe4cf", "#1f1b1c"),
        "groove": ("#e2d3b6", "#282325"),
        "ridge": ("#f8f0e0", "#191617"),
        "tray": ("#dfcfb0", "#171415"),
        "paper": ("#fffaf0", "#2d2829"),
        "paper-2": ("#f6ecd9", "#383233"),
        "text": ("#2a211b", "#f5ecdf"),
        "text-2": ("#65574b", "#c3b5a5"),
        "rule": ("#d8c6a4", "#4b4344"),
        "edge": ("#8d7b66", "#94857a"),
        "act": ("#2a211b", "#f5ecdf"),
        "on-act": ("#fffaf0", "#241d1a"),
        "focus": ("#0b57d0", "#9cc3ff"),
    }
)
"""By name, for light and dark: the table, its rake lines, the tray under the hand; panels; text; hairlines and
outlines; the one main button; the focus ring."""


def stylesheet() -> str:
    """CSS for both themes: the neutrals and `--R-sky` …; classes `R` … and `grey` choose a suit's tones.

    Of people's rims and of what bots are made of it has the tones that aren't grey: `--orange-rim`, `--flint-stone` …
    """
    day = {str(colour): tones for colour, tones in DAY.items()} | {"grey": GREY_DAY}
    night = {str(colour): tones for colour, tones in NIGHT.items()} | {"grey": GREY_NIGHT}
    light = {name: tone for name, (tone, _) in NEUTRALS.items()}
    dark = {name: tone for name, (_, tone) in NEUTRALS.items()}
    own = {f"{rim}-rim": tone for rim, tone in RIMS.items()}
    own |= {f"{bot}-{tone}": value for bot, tones in BOTS.items() for tone, value in zip(BOT_TONES, tones, strict=True)}
    rules = [_rule(":root", light | own | _named(day)), _rule('[data-theme="dark"]', dark | _named(night))]
    rules += [_rule(f".{suit}", {tone: f"var(--{suit}-{tone})" for tone in Palette._fields}) for suit in day]
    return "".join(rules)


def _named(suits: Mapping[str, Palette]) -> dict[str, str]:
    return {f"{suit}-{name}": tone for suit, tones in suits.items() for name, tone in tones._asdict().items()}


def _rule(selector: str, properties: Mapping[str, str]) -> str:
    return f"{selector}{{{';'.join(f'--{name}:{value}' for name, value in properties.items())}}}\n"
