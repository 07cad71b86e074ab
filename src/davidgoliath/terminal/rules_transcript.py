"""The rules, set for a terminal by Rich."""

from io import StringIO
from typing import ClassVar, Final

from rich.console import Console
from rich.markdown import Heading, Markdown
from rich.theme import Theme

from davidgoliath.terminal.lines import terminal_width
from davidgoliath.texts import NO_BREAK, Texts

WIDEST: Final = 100
"""Longer lines are hard to read."""
THEME: Final = Theme({"markdown.code": "bold", "markdown.h1": "bold", "markdown.h2": "bold underline"})
"""Rich's own code is on black, also where the terminal is light."""
KEPT: Final = {ord(space): chr(0xE000 + number) for number, space in enumerate(NO_BREAK)}
"""Rich breaks lines at these spaces too: it gets signs for them that it doesn't know."""
SPACES: Final = {ord(sign): chr(space) for space, sign in KEPT.items()}


class _Heading(Heading):
    LEVEL_ALIGN: ClassVar = {}


class RulesMarkdown(Markdown):
    """The rules for whatever shows what Rich can show."""

    elements: ClassVar = {**Markdown.elements, "heading_open": _Heading}


def rules_transcript(texts: Texts, *, styled: bool = False) -> str:
    """Headings, paragraphs, lists and tables; `styled`: with a terminal's codes for bold and the like."""
    console = Console(
        file=StringIO(), width=min(WIDEST, terminal_width()), theme=THEME, force_terminal=styled, legacy_windows=False
    )
    with console.capture() as caught:
        console.print(RulesMarkdown(texts.rules().translate(KEPT)))
    return "\n".join(line.rstrip() for line in caught.get().translate(SPACES).strip("\n").split("\n"))
