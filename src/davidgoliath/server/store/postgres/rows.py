"""All rows of a PostgreSQL store, out of it and into it: for export and import, each on a connection of its own."""

import math
from collections.abc import Callable, Iterable
from dataclasses import astuple
from typing import Any, Final, LiteralString

import psycopg

from davidgoliath.rules import Refusal
from davidgoliath.server.store.contract import (
    EventRow,
    FigureRow,
    LearnerRow,
    MemberRow,
    PersonRow,
    ReviewRow,
    Row,
    ShareRow,
    StoreReason,
    TableRow,
    TokenRow,
    row_key,
)
from davidgoliath.server.store.postgres.connection import with_defaults

AT_ONCE: Final = 500
"""So many rows are fetched together."""
TABLE: LiteralString = """
    SELECT id, created, stage, EXISTS (SELECT FROM davidgoliath.listed WHERE listed.id = tables.id)
    FROM davidgoliath.tables
"""
PERSON: LiteralString = "SELECT id, name, p.created, stone FROM davidgoliath.persons p"
REVIEW: LiteralString = """
    SELECT table_id, deal, seat, person_id, judge, position, at, is_final, is_counted
"""
FIGURES: LiteralString = "SELECT person_id, week, company, name, count, points FROM davidgoliath.figures"
QUERIES: Final[tuple[tuple[Callable[..., Row], LiteralString], ...]] = (
    (PersonRow, PERSON + " ORDER BY id"),
    (TokenRow, "SELECT hash, person_id, created FROM davidgoliath.tokens ORDER BY hash"),
    (TableRow.of, TABLE + " ORDER BY id"),
    (MemberRow, "SELECT table_id, person_id, joined FROM davidgoliath.members ORDER BY 1, 2"),
    (EventRow, "SELECT table_id, seq, version, at, body FROM davidgoliath.events ORDER BY 1, 2"),
    (ReviewRow, REVIEW + ", body FROM davidgoliath.reviews ORDER BY 1, 2, 3"),
    (ShareRow, "SELECT table_id, person_id FROM davidgoliath.shares ORDER BY 1, 2"),
    (LearnerRow, "SELECT id, seen FROM davidgoliath.learners ORDER BY 1"),
    (FigureRow, FIGURES + " ORDER BY 1, 2, 3, 4"),
)
LIST: LiteralString = "INSERT INTO davidgoliath.listed VALUES (%s)"
INSERTS: Final[dict[type[Row], LiteralString]] = {
    PersonRow: "INSERT INTO davidgoliath.persons VALUES (%s, %s, %s, %s)",
    TokenRow: "INSERT INTO davidgoliath.tokens VALUES (%s, %s, %s)",
    TableRow: "INSERT INTO davidgoliath.tables VALUES (%s, %s, %s)",
    MemberRow: "INSERT INTO davidgoliath.members VALUES (%s, %s, %s)",
    EventRow: "INSERT INTO davidgoliath.events VALUES (%s, %s, %s, %s, %s)",
    ReviewRow: "INSERT INTO davidgoliath.reviews VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
    ShareRow: "INSERT INTO davidgoliath.shares VALUES (%s, %s)",
    LearnerRow: "INSERT INTO davidgoliath.learners VALUES (%s, %s)",
    FigureRow: "INSERT INTO davidgoliath.figures VALUES (%s, %s, %s, %s, %s, %s)",
}


def dump(address: str, take: Callable[[Row], None]) -> None:
    """Hands over everything as it was at one moment, each row after those that it refers to."""
    with psycopg.connect(with_defaults(address)) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        for kind, query in QUERIES:
            with connection.cursor("rows") as cursor:
                cursor.itersize = AT_ONCE
                for values in cursor.execute(query):
                    take(kind(*values))


def load(address: str, rows: Iterable[Row]) -> None:
    """Stores all rows or none."""
    last: dict[str, int] = {}
    """The number of the last event of each table that came with these rows: others get none."""
    with psycopg.connect(with_defaults(address)) as connection:
        for row in rows:
            try:
                _load_row(connection, row, last)
            except psycopg.errors.UniqueViolation:
                raise Refusal(StoreReason.IMPORT_DUPLICATE, text=row_key(row)) from None
            except (psycopg.IntegrityError, psycopg.DataError, UnicodeEncodeError):
                raise Refusal(StoreReason.IMPORT_DAMAGED) from None


def _load_row(connection: "psycopg.Connection[Any]", row: Row, last: dict[str, int]) -> None:
    values: tuple[object, ...]
    match row:
        case PersonRow() | ReviewRow() | ShareRow() | LearnerRow() | FigureRow():
            values = astuple(row)
        case TokenRow():
            values = row.hash, row.person, row.created
        case TableRow():
            values = row.id, row.created, row.stage
            last[row.id] = 0
        case MemberRow():
            values = row.person, row.table, row.joined
        case EventRow():
            values = row.table, row.seq, row.version, row.at, row.body
            if row.seq != last.get(row.table, -1) + 1:
                raise Refusal(StoreReason.IMPORT_DAMAGED)
            last[row.table] = row.seq
    if any(isinstance(value, float) and not math.isfinite(value) for value in values):
        raise Refusal(StoreReason.IMPORT_DAMAGED)
    connection.execute(INSERTS[type(row)], values)
    if isinstance(row, TableRow) and row.is_listed:
        connection.execute(LIST, [row.id])
