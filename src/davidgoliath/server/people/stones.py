"""The stones by which people are told apart: one that somebody has chosen, or one that nobody else at the table has."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from typing import Final

import msgspec

from davidgoliath.art import Form, Rim
from davidgoliath.server.table.events import Person


class Stone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stone of one's own. None has a suit's colour or shape."""

    form: Form
    rim: Rim
    """The colour round it."""

    def __str__(self) -> str:
        """As it is stored."""
        return f"{self.form} {self.rim}"


ALL: Final = tuple(Stone(form, rim) for form, rim in product(Form, Rim))


def chosen_stone(text: str | None) -> Stone | None:
    """What is stored, if we know it: another version of the server may have more to choose from.

    >>> chosen_stone("round plaid"), chosen_stone(None)
    (None, None)
    """
    return next((stone for stone in ALL if str(stone) == text), None)


def stones(persons: Iterable[Person], texts: Mapping[Person, str | None]) -> dict[Person, Stone]:
    """Which stone each person at a table has: all differ, and those of people who chose none in form and rim, if they
    can.

    The first who chose a stone has it; whoever chose the same keeps the form, with another rim.

    >>> {person: str(stone) for person, stone in stones(["p1", "p2"], {"p2": "round orange"}).items()}
    {'p1': 'square berry', 'p2': 'round orange'}
    """
    chosen = {person: stone for person, text in texts.items() if (stone := chosen_stone(text))}
    people, given = list(persons), dict[Person, Stone]()
    for person in sorted(people, key=lambda person: person not in chosen):  # who is alike stays in order
        wish, taken, order = chosen.get(person), [*given.values()], _order(person)
        free = [stone for stone in order if stone not in taken] or order
        given[person] = min(free, key=lambda stone: _distance(stone, wish, taken))
    return {person: given[person] for person in people}


@lru_cache(maxsize=4096)
def _order(person: Person) -> tuple[Stone, ...]:
    """All stones by chance, which is the same for somebody wherever they are."""
    return tuple(sorted(ALL, key=lambda stone: hashlib.sha256(f"{person} {stone}".encode()).digest()))


def _distance(stone: Stone, wish: Stone | None, taken: list[Stone]) -> tuple[bool, ...]:
    """How far a stone is from what somebody should have."""
    if wish:
        return stone != wish, stone.form != wish.form, any(stone.rim == other.rim for other in taken)
    return any(stone.form == other.form for other in taken), any(stone.rim == other.rim for other in taken)
