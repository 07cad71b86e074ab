"""Names that people give themselves: short visible text, and no two at a table that look alike."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import Final

from davidgoliath.bots import BOT
from davidgoliath.rules import ReasonCode, Refusal
from davidgoliath.server.people import confusables
from davidgoliath.server.table.events import Person

NOBODY: Final = "?"
"""The name of a person whose data was deleted, and of one whose name shows nothing."""
LONGEST: Final = 20
"""Characters as people count them: marks belong to the letter before them."""
MOST_MARKS: Final = 2
"""On one letter: names don't spill over others."""
REMEMBERED: Final = 2000
"""Of so many names we keep in mind how they look."""
WAYS: Final = ("right", "left", "both")


class NameReason(ReasonCode):
    """Why somebody can't be called so."""

    NAME_UNFIT = "name_unfit"
    NAME_TOO_LONG = "name_too_long"
    NAME_RESERVED = "name_reserved"


def cleaned(name: str) -> str:
    """A name in its one form (NFC, single spaces), or a refusal.

    >>> cleaned("  Zoe\u0308   Müller ")
    'Zoë Müller'
    """
    text = " ".join(unicodedata.normalize("NFC", name).split())
    letters = marks = 0
    for place, sign in enumerate(text):
        kind = unicodedata.category(sign)
        if confusables.is_idle(text, place):
            raise Refusal(NameReason.NAME_UNFIT)
        if confusables.is_unseen(sign):
            continue
        if kind.startswith("M"):
            marks += 1
            if not place or marks > MOST_MARKS:
                raise Refusal(NameReason.NAME_UNFIT)
        elif kind[0] in "CZ" and sign != " ":  # control and format characters, bidi ones too, and odd spaces
            raise Refusal(NameReason.NAME_UNFIT)
        else:
            letters, marks = letters + 1, 0
    if not _shows(text):
        raise Refusal(NameReason.NAME_UNFIT)
    if letters > LONGEST:
        raise Refusal(NameReason.NAME_TOO_LONG, most=LONGEST)
    if _is_reserved(text):
        raise Refusal(NameReason.NAME_RESERVED, text=BOT)
    return text


@lru_cache(REMEMBERED)
def shown(name: str) -> str:
    """A stored name as people see it. Those of earlier builds may hold what is refused today.

    >>> shown("An\u200dna"), shown("\u3164"), shown("b\u200dot:club")
    ('Anna', '?', '?')
    """
    seen = "".join(sign for place, sign in enumerate(name) if not confusables.is_idle(name, place))
    text = " ".join(seen.split())
    return NOBODY if not _shows(text) or _is_reserved(text) else text


def _shows(text: str) -> bool:
    return any(unicodedata.category(sign)[0] in "LNPS" for sign in text)


def _is_reserved(text: str) -> bool:
    """Whether it could be taken for a bot."""
    return any(look.startswith(bot) for look, bot in zip(confusables.looks(text), confusables.looks(BOT), strict=True))


@lru_cache(REMEMBERED)
def _alike(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """How a name looks, and how one must look that could be taken for it."""
    way, looks = confusables.runs(name), set(confusables.looks(name))
    loose = {confusables.signs_of(look) for look in looks}
    others = {f"{other} {look}" for other in WAYS if other != way or way == "both" for look in loose}
    return frozenset(looks | {f"{way} {look}" for look in loose}), frozenset(looks | others)


def _forms(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name} {number}" for number in count(2))


def named(persons: Iterable[Person], known: Mapping[Person, str]) -> dict[Person, str]:
    """What people at a table are called: a second Anna is `Anna 2`, and who is known no longer has no name.

    >>> named(["p1", "p2", "p3"], {"p1": "Anna", "p3": "Anna"})
    {'p1': 'Anna', 'p2': '?', 'p3': 'Anna 2'}
    """
    names: dict[Person, str] = {}
    looks: set[str] = set()
    left: dict[str, Iterator[str]] = {}
    for person in persons:
        name = shown(known[person]) if person in known else NOBODY
        if person in known:
            forms = left.setdefault(name, _forms(name))  # a hundredth guest doesn't count from the second again
            name = next(form for form in forms if _alike(form)[1].isdisjoint(looks))
        names[person] = name
        looks |= _alike(name)[0]
    return names
