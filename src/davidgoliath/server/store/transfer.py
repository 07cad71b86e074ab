"""A whole store as JSON Lines: to keep, to look into, or to move to another kind of store.

The first line names the format, the last counts the rows, so a file that was cut short is noticed; between them is
a row a line, `{"table": {"id": "k3f9", …}}`, each after those that it refers to. Bytes stand as text where they are
UTF-8, which events are, and in base64 behind `base64:` where not.
"""

import base64
import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, BinaryIO, Final

import msgspec

from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import NotationError, Refusal
from davidgoliath.server.ops.failures import is_newer
from davidgoliath.server.store.contract import (
    EventRow,
    FigureRow,
    LearnerRow,
    MemberRow,
    PersonRow,
    ReviewRow,
    Row,
    ShareRow,
    Store,
    StoreReason,
    TableRow,
    TokenRow,
)
from davidgoliath.server.table.events import decode
from davidgoliath.server.table.table import Table

FORMAT: Final = "davidgoliath-store/1"
KINDS: Final[dict[str, type[Row]]] = {
    "person": PersonRow,
    "token": TokenRow,
    "table": TableRow,
    "member": MemberRow,
    "event": EventRow,
    "review": ReviewRow,
    "share": ShareRow,
    "learner": LearnerRow,
    "figure": FigureRow,
}
NAMES: Final = {kind: name for name, kind in KINDS.items()}
BYTES: Final = ("hash", "body", "position")
BASE64: Final = "base64:"
LINES: Final = (
    StoreReason.IMPORT_DUPLICATE,
    StoreReason.IMPORT_DAMAGED,
    StoreReason.IMPORT_UNREADABLE,
    StoreReason.IMPORT_NEWER,
)
"""Refusals that are about a line."""


async def export_store(store: Store, file: BinaryIO) -> int:
    """Writes everything, and gives the number of rows. It is as secret as the database."""
    count = 0

    def take(row: Row) -> None:
        nonlocal count
        count += 1
        file.write(_line({NAMES[type(row)]: _to_json(row)}))

    file.write(_line({"format": FORMAT}))
    await store.dump(take)
    file.write(_line({"rows": count}))
    return count


async def import_store(store: Store, file: Iterable[bytes]) -> int:
    """Stores everything of an export, or nothing at all; a refusal names the line."""
    reader = _Reader(file)
    try:
        await store.load(reader)
    except Refusal as refusal:
        if refusal.reason in LINES:
            raise NotationError(refusal.reason, **refusal.arguments, line=reader.line) from None
        raise
    return reader.rows


async def add_to_store(store: Store, file: Iterable[bytes]) -> int:
    """Stores those tables of an export that aren't here yet, with their people; how many."""
    rows = list(_Reader(file))
    tables = {listed.table.id for listed in await store.tables()}
    persons = set(await store.persons(*(row.id for row in rows if isinstance(row, PersonRow))))

    def is_new(row: Row) -> bool:
        match row:
            case PersonRow(id=person) | TokenRow(person=person) | LearnerRow(person=person) | FigureRow(person=person):
                return person not in persons
            case (
                TableRow(id=table)
                | MemberRow(table=table)
                | EventRow(table=table)
                | ReviewRow(table=table)
                | ShareRow(table=table)
            ):
                return table not in tables

    new = [row for row in rows if is_new(row)]
    await store.load(new)
    return sum(isinstance(row, TableRow) for row in new)


async def copy_store(source: Store, target: Store) -> int:
    """Everything of a store in another one, or nothing; what is under way has no name that others could open."""
    with tempfile.TemporaryFile() as file:
        await export_store(source, file)
        file.seek(0)
        try:
            return await import_store(target, file)
        except NotationError as error:
            raise Refusal(error.reason, **error.arguments) from None  # nobody sees the line that it names


class _Reader:
    """The rows of an export, and the line that was read last."""

    def __init__(self, file: Iterable[bytes]) -> None:
        self.line = 0
        self.rows = 0
        self._file = file

    def __iter__(self) -> Iterator[Row]:
        expected, games = None, _Games()
        for text in self._file:
            self.line += 1
            value = _parsed(text, self.line)
            if self.line == 1:
                _check_format(value)
            elif expected is not None:
                raise Refusal(StoreReason.IMPORT_DAMAGED)
            elif isinstance(value.get("rows"), int):
                expected = value["rows"]
            else:
                self.rows += 1
                row = _from_json(value)
                if isinstance(row, EventRow):
                    games.take(row)
                yield row
        if expected is None:
            raise Refusal(StoreReason.IMPORT_CUT_SHORT)
        if expected != self.rows:
            raise Refusal(StoreReason.IMPORT_DAMAGED)


class _Games:
    """Folds the events of one table after another: a store takes in no table that nobody could open."""

    def __init__(self) -> None:
        self._name = ""
        self._table: Table | None = None

    def take(self, row: EventRow) -> None:
        before = self._table if row.table == self._name else None
        if row.seq != (before.seq + 1 if before else 1):
            raise Refusal(StoreReason.IMPORT_DAMAGED)  # the events of a table stand together, too
        try:
            event = decode(row.body, row.version)
            self._name, self._table = row.table, before.after(event) if before else Table.fold([event])
        except Exception as error:  # noqa: BLE001 - whatever stands there
            if is_newer(error):
                raise Refusal(StoreReason.IMPORT_NEWER, text=row.table) from None
            raise Refusal(StoreReason.IMPORT_UNREADABLE, text=row.table) from None


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _parsed(text: bytes, line: int) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise NotationError(NotationReason.JSON_SYNTAX, line=line) from None
    if not isinstance(value, dict):
        raise NotationError(NotationReason.NOT_AN_OBJECT, line=line)
    return value


def _check_format(value: dict[str, Any]) -> None:
    found = value.get("format")
    if found != FORMAT:
        raise NotationError(NotationReason.NO_SUCH_FORMAT, text=found, expected=FORMAT, line=1)


def _to_json(row: Row) -> dict[str, Any]:
    return {name: _as_text(value) if isinstance(value, bytes) else value for name, value in asdict(row).items()}


def _from_json(value: dict[str, Any]) -> Row:
    """A row of exactly the fields and types that its kind has."""
    try:
        ((name, fields),) = value.items()
        kind = KINDS[name]
        given = {key: _as_bytes(field) if key in BYTES else field for key, field in fields.items()}
        row: Row = msgspec.convert(given, kind, builtin_types=(bytes,))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Refusal(StoreReason.IMPORT_DAMAGED) from None
    return row


def _as_text(value: bytes) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = BASE64
    return BASE64 + base64.b64encode(value).decode() if text.startswith(BASE64) else text


def _as_bytes(text: str) -> bytes:
    return base64.b64decode(text[len(BASE64) :], validate=True) if text.startswith(BASE64) else text.encode()
