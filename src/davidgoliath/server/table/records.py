"""What a table has to show of its deals: records, which anyone may keep."""

from collections.abc import Iterable, Mapping

import msgspec

from davidgoliath.notation import DealRecord, to_json
from davidgoliath.server.table.events import Person
from davidgoliath.server.table.table import Chair, Table


def finished(table: Table, name: str, names: Mapping[Person, str]) -> list[DealRecord]:
    """Records of the deals that are over, and at the end of one that was broken off: nothing of one that is played.

    Each has the names of those to whom it was dealt, whoever has their seats now.
    """
    states = [*(state for state in table.match.deals if state.is_over), *table.aborted]
    return [
        DealRecord.of(state, names=_called(chairs, names), match=name, shuffle=shuffle, hints=_hints(table, number))
        for number, (state, shuffle, chairs) in enumerate(zip(states, table.shuffles, table.dealt_to, strict=False))
    ]


def _called(chairs: Iterable[Chair], names: Mapping[Person, str]) -> tuple[str, ...]:
    return tuple(names.get(chair.person, "?") if chair.person else chair.player or "?" for chair in chairs)


def _hints(table: Table, dealt: int) -> tuple[tuple[int, ...], ...]:
    """By seat the tricks in which it had a hint, also for a card that it took back."""
    hints = [(hint.seat, hint.place // table.players + 1) for hint in table.hints if hint.dealt == dealt]
    return tuple(tuple(trick for seat, trick in hints if seat == own) for own in range(table.players))


def in_text(records: Iterable[DealRecord]) -> bytes:
    """One after the other, with a line between them."""
    return "\n".join(map(str, records)).encode()


def in_json_lines(records: Iterable[DealRecord]) -> bytes:
    """A line of JSON each."""
    return b"".join(msgspec.json.encode(to_json(record)) + b"\n" for record in records)
