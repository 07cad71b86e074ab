"""Names that people give themselves: short visible text, and no two alike at a table."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from davidgoliath.rules import Refusal
from davidgoliath.server.events import BOT, Person

NOBODY: Final = "?"
"""The name of a person whose data was deleted."""
LONGEST: Final = 20
"""Characters as people count them: marks belong to the letter before them."""
MOST_MARKS: Final = 2
"""On one letter: names don't spill over others."""
JOINERS: Final = "\u200c\u200d"
"""Invisible, but part of spelling in some scripts, and of some emoji."""


def cleaned(name: str) -> str:
    """A name in its one form (NFC, single spaces), or a refusal.

    >>> cleaned("  Zoe\u0308   Müller ")
    'Zoë Müller'
    """
    text = " ".join(unicodedata.normalize("NFC", name).split())
    letters = marks = 0
    for place, sign in enumerate(text):
        kind = unicodedata.category(sign)
        if kind.startswith("M") or sign in JOINERS:
            marks += 1
            if not place or marks > MOST_MARKS:
                raise Refusal("name_unfit")
        elif kind[0] in "CZ" and sign != " ":  # control and format characters, bidi ones too, and odd spaces
            raise Refusal("name_unfit")
        else:
            letters, marks = letters + 1, 0
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in text):
        raise Refusal("name_unfit")
    if letters > LONGEST:
        raise Refusal("name_too_long", most=LONGEST)
    if alike(text).startswith(BOT):
        raise Refusal("name_reserved", text=BOT)
    return text


def alike(name: str) -> str:
    """What two names have in common that people can't tell apart by case or width."""
    return unicodedata.normalize("NFKC", name).casefold()


def told_apart(name: str, taken: Collection[str]) -> str:
    """The name, or the first of `Anna 2`, `Anna 3`, … that nobody has.

    >>> told_apart("anna", ["Anna", "Anna 2"])
    'anna 3'
    """
    others = {alike(other) for other in taken}
    number, found = 2, name
    while alike(found) in others:
        found = f"{name} {number}"
        number += 1
    return found


def named(persons: Iterable[Person], known: Mapping[Person, str]) -> dict[Person, str]:
    """What people at a table are called: a second Anna is `Anna 2`, and who is known no longer has no name.

    >>> named(["p1", "p2", "p3"], {"p1": "Anna", "p3": "Anna"})
    {'p1': 'Anna', 'p2': '?', 'p3': 'Anna 2'}
    """
    names: dict[Person, str] = {}
    for person in persons:
        names[person] = told_apart(known[person], names.values()) if person in known else NOBODY
    return names
