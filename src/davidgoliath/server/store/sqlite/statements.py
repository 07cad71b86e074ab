"""What a SQLite store does on a connection: each function is one piece of a transaction that its caller began.

Writers check first and write then, so a refused piece has changed nothing: the transaction has the write lock from
its beginning, and nobody can come between.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple
from itertools import chain, starmap
from pathlib import Path
from typing import Any, NamedTuple

from davidgoliath.rules import Refusal
from davidgoliath.server.store.contract import (
    Appended,
    EventRow,
    FigureRow,
    LearnerRow,
    Listed,
    MemberRow,
    PersonalData,
    PersonRow,
    ReviewRow,
    Row,
    ShareRow,
    Stage,
    Stored,
    StoreReason,
    TableRow,
    TokenRow,
    row_key,
)
from davidgoliath.server.store.sqlite.private_files import new_file
from davidgoliath.server.store.sqlite.schema import connect, explained, without_log

LISTED = """
    SELECT t.id, t.created, t.stage, l.id IS NOT NULL, coalesce(e.seq, 0), coalesce(e.at, t.created)
    FROM tables t LEFT JOIN listed l ON l.id = t.id LEFT JOIN events e
        ON e.table_id = t.id AND e.seq = (SELECT max(seq) FROM events WHERE table_id = t.id)
"""
TABLE = "SELECT id, created, stage, EXISTS (SELECT 1 FROM listed WHERE listed.id = tables.id) FROM tables"
RECENT_FIRST = " ORDER BY 6 DESC, 1"
CODE = "SELECT code FROM codes WHERE table_id = ?"
LIST = "INSERT OR IGNORE INTO listed VALUES (?)"
PERSON = "SELECT id, name, p.created, stone FROM persons p"
INSERT_PERSON = "INSERT INTO persons VALUES (?, ?, ?, ?)"
INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?)"
INSERT_REVIEW = "INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_SHARE = "INSERT INTO shares VALUES (?, ?)"
INSERT_LEARNER = "INSERT INTO learners VALUES (?, ?)"
INSERT_FIGURE = "INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?)"
NEXT_REVIEW = """
    ON CONFLICT (table_id, deal, seat) DO UPDATE SET person_id = excluded.person_id, judge = excluded.judge,
        position = excluded.position, at = excluded.at, is_final = excluded.is_final, body = excluded.body
"""
"""In the place of another; whether that was counted stays."""
MAY_BEGIN = """
    WHERE judge <> excluded.judge OR position <> excluded.position OR (NOT is_final AND at < ?)
"""
MAY_PUT = " WHERE excluded.is_final OR NOT is_final OR judge <> excluded.judge OR position <> excluded.position"
REVIEW = "SELECT table_id, deal, seat, person_id, judge, position, at, is_final, is_counted"
FIGURES = "SELECT person_id, week, company, name, count, points FROM figures"
INSERT_NEXT = """
    INSERT INTO events SELECT ?1, ?2, ?3, ?4, ?5 FROM tables
    WHERE id = ?1 AND stage <> 'over' AND ?2 = 1 + coalesce((SELECT max(seq) FROM events WHERE table_id = ?1), 0)
"""
"""If it is the next event of a table that isn't over: mostly it is, and one statement says so."""
INSERT_ALL_NEXT = """
    INSERT INTO events SELECT column1, CASE
        WHEN stage <> 'over' AND column2 = 1 + coalesce((SELECT max(seq) FROM events WHERE table_id = column1), 0)
        THEN column2 END, column3, column4, column5
    FROM (VALUES {rows}) LEFT JOIN tables ON id = column1
"""
"""The same for several tables, or for none of them: one that isn't the next has no number, which can't be."""


def create_table(connection: sqlite3.Connection, table: TableRow, events: Sequence[Stored]) -> bool:
    values = (table.id, table.created, table.stage)
    if connection.execute("INSERT OR IGNORE INTO tables VALUES (?, ?, ?)", values).rowcount == 0:
        return False
    if table.is_listed:
        connection.execute(LIST, (table.id,))
    _insert_events(connection, table.id, 1, events)
    return True


class NextEvent(NamedTuple):
    """One event that comes next at a table, and nothing else: of such, many are written by one statement."""

    table: str
    seq: int
    version: int
    at: float
    body: bytes

    def append(self, connection: sqlite3.Connection) -> Appended:
        is_next = connection.execute(INSERT_NEXT, self).rowcount
        return Appended.DONE if is_next else _why_not(connection, self.table, self.seq)


def append_all(connection: sqlite3.Connection, events: Sequence[NextEvent]) -> bool:
    """Whether all of them were the next ones; if not, nothing has changed."""
    insert = INSERT_ALL_NEXT.format(rows=", ".join(["(?, ?, ?, ?, ?)"] * len(events)))
    try:
        connection.execute(insert, list(chain.from_iterable(events)))
    except sqlite3.IntegrityError:
        return False
    return True


def append(
    connection: sqlite3.Connection,
    table: str,
    seq: int,
    events: Sequence[Stored],
    stage: Stage | None,
    is_listed: bool | None,
) -> Appended:
    first, *others = events
    if (appended := NextEvent(table, seq, *first).append(connection)) is not Appended.DONE:
        return appended
    _insert_events(connection, table, seq + 1, others)
    if stage is not None:
        connection.execute("UPDATE tables SET stage = ? WHERE id = ?", (stage, table))
    if is_listed is not None:
        connection.execute(LIST if is_listed else "DELETE FROM listed WHERE id = ?", (table,))
    return Appended.DONE


def _why_not(connection: sqlite3.Connection, table: str, seq: int) -> Appended:
    """Why an event isn't the next one of a table."""
    query = "SELECT stage, (SELECT max(seq) FROM events WHERE table_id = id) FROM tables WHERE id = ?"
    row = connection.execute(query, (table,)).fetchone()
    if row is None:
        return Appended.NO_TABLE
    if seq <= (row[1] or 0):
        return Appended.TAKEN
    return Appended.OVER if row[0] == Stage.OVER else Appended.GAP


def _insert_events(connection: sqlite3.Connection, table: str, seq: int, events: Sequence[Stored]) -> None:
    for number, event in enumerate(events, seq):
        connection.execute(INSERT_EVENT, (table, number, event.version, event.at, event.body))


def new_code(connection: sqlite3.Connection, table: str, code: str) -> str | None:
    """The code of a waiting table: this one, unless somebody was quicker with another."""
    insert = "INSERT OR IGNORE INTO codes SELECT ?, id FROM tables WHERE id = ? AND stage = 'waiting'"
    connection.execute(insert, (code, table))
    row = connection.execute(CODE, (table,)).fetchone()
    return str(row[0]) if row else None


def change_each(
    connection: sqlite3.Connection, statement: str, ids: Sequence[str], values: Sequence[object] = ()
) -> list[str]:
    """Which of these a statement has changed."""
    return [one for one in ids if connection.execute(statement, (one, *values)).rowcount > 0]


def add_person(connection: sqlite3.Connection, person: PersonRow, token: TokenRow) -> bool:
    query = "SELECT 1 FROM persons WHERE id = ? UNION SELECT 1 FROM tokens WHERE hash = ?"
    if connection.execute(query, (person.id, token.hash)).fetchone():
        return False
    connection.execute(INSERT_PERSON, astuple(person))
    connection.execute("INSERT INTO tokens VALUES (?, ?, ?)", (token.hash, person.id, token.created))
    return True


def add_token(connection: sqlite3.Connection, token: TokenRow, most: int) -> bool:
    insert = """
        INSERT OR IGNORE INTO tokens SELECT ?, id, ? FROM persons
        WHERE id = ? AND (SELECT count(*) FROM tokens WHERE person_id = id) < ?
    """
    return connection.execute(insert, (token.hash, token.created, token.person, most)).rowcount > 0


def revoke(connection: sqlite3.Connection, person: str, keep: bytes) -> int | None:
    query = "SELECT 1 FROM tokens WHERE person_id = ? AND hash = ?"
    if not connection.execute(query, (person, keep)).fetchone():
        return None
    return connection.execute("DELETE FROM tokens WHERE person_id = ? AND hash <> ?", (person, keep)).rowcount


def persons(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, PersonRow]:
    found = (connection.execute(PERSON + " WHERE id = ?", (person,)).fetchone() for person in ids)
    return {row[0]: PersonRow(*row) for row in found if row}


def join(connection: sqlite3.Connection, member: MemberRow) -> bool:
    insert = "INSERT OR IGNORE INTO members SELECT p.id, t.id, ? FROM persons p, tables t WHERE p.id = ? AND t.id = ?"
    connection.execute(insert, (member.joined, member.person, member.table))
    query = "SELECT 1 FROM members WHERE person_id = ? AND table_id = ?"
    return connection.execute(query, (member.person, member.table)).fetchone() is not None


def personal_data(connection: sqlite3.Connection, person: str) -> PersonalData | None:
    connection.execute("BEGIN")
    try:
        found = persons(connection, [person]).get(person)
        if found is None:
            return None
        tokens = connection.execute("SELECT created FROM tokens WHERE person_id = ? ORDER BY 1", (person,)).fetchall()
        mine = " JOIN members m ON m.table_id = t.id WHERE m.person_id = ?"
        tables = connection.execute(LISTED + mine + RECENT_FIRST, (person,)).fetchall()
        return PersonalData(found, tuple(row[0] for row in tokens), tuple(starmap(Listed.of, tables)))
    finally:
        connection.execute("ROLLBACK")


def _has_place(connection: sqlite3.Connection, table: str, person: str | None) -> bool:
    """Whether there are the table and the person that a row refers to."""
    query = """
        SELECT EXISTS (SELECT 1 FROM tables WHERE id = ?1)
            AND (?2 IS NULL OR EXISTS (SELECT 1 FROM persons WHERE id = ?2))
    """
    return bool(connection.execute(query, (table, person)).fetchone()[0])


def begin_review(connection: sqlite3.Connection, review: ReviewRow, since: float) -> bool:
    if not _has_place(connection, review.table, review.person):
        return False
    return connection.execute(INSERT_REVIEW + NEXT_REVIEW + MAY_BEGIN, (*astuple(review), since)).rowcount > 0


def put_review(connection: sqlite3.Connection, review: ReviewRow, figures: Sequence[FigureRow]) -> bool:
    if not _has_place(connection, review.table, review.person):
        return False
    if not connection.execute(INSERT_REVIEW + NEXT_REVIEW + MAY_PUT, astuple(review)).rowcount:
        return False
    count = "UPDATE reviews SET is_counted = 1 WHERE table_id = ? AND deal = ? AND seat = ? AND NOT is_counted"
    if figures and connection.execute(count, (review.table, review.deal, review.seat)).rowcount:
        seen = " ON CONFLICT (id) DO UPDATE SET seen = max(seen, excluded.seen)"
        add = """ ON CONFLICT (person_id, week, company, name)
            DO UPDATE SET count = count + excluded.count, points = points + excluded.points"""
        connection.execute(INSERT_LEARNER + seen, (review.person, review.at))
        connection.executemany(INSERT_FIGURE + add, map(astuple, figures))
    return True


def review(values: Sequence[Any]) -> ReviewRow:
    """A review as the database gives its columns."""
    table, deal, seat, person, judge, position, at, is_final, is_counted, body = values
    return ReviewRow(table, deal, seat, person, judge, position, at, bool(is_final), bool(is_counted), body)


def share_reviews(connection: sqlite3.Connection, share: ShareRow, is_shared: bool) -> bool:
    if not _has_place(connection, share.table, share.person):
        return False
    if is_shared:
        connection.execute(INSERT_SHARE + " ON CONFLICT DO NOTHING", astuple(share))
    else:
        connection.execute("DELETE FROM shares WHERE table_id = ? AND person_id = ?", astuple(share))
    return True


def dump(connection: sqlite3.Connection, take: Callable[[Row], None]) -> None:
    """Within one transaction, so that it is one moment."""
    connection.execute("BEGIN")
    try:
        for row in _all_rows(connection):
            take(row)
    finally:
        connection.execute("ROLLBACK")


def _all_rows(connection: sqlite3.Connection) -> Iterator[Row]:
    for values in connection.execute(f"{PERSON} ORDER BY id"):
        yield PersonRow(*values)
    for values in connection.execute("SELECT hash, person_id, created FROM tokens ORDER BY hash"):
        yield TokenRow(*values)
    for values in connection.execute(TABLE + " ORDER BY id"):
        yield TableRow.of(*values)
    for values in connection.execute("SELECT table_id, person_id, joined FROM members ORDER BY 1, 2"):
        yield MemberRow(*values)
    for values in connection.execute("SELECT table_id, seq, version, at, body FROM events ORDER BY 1, 2"):
        yield EventRow(*values)
    for values in connection.execute(REVIEW + ", body FROM reviews ORDER BY 1, 2, 3"):
        yield review(values)
    for values in connection.execute("SELECT table_id, person_id FROM shares ORDER BY 1, 2"):
        yield ShareRow(*values)
    for values in connection.execute("SELECT id, seen FROM learners ORDER BY 1"):
        yield LearnerRow(*values)
    for values in connection.execute(FIGURES + " ORDER BY 1, 2, 3, 4"):
        yield FigureRow(*values)


def load(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    last: dict[str, int] = {}
    """The number of the last event of each table that came with these rows: others get none."""
    for row in rows:
        try:
            _load_row(connection, row, last)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE):
                raise Refusal(StoreReason.IMPORT_DUPLICATE, text=row_key(row)) from None
            raise Refusal(StoreReason.IMPORT_DAMAGED) from None
        except (OverflowError, UnicodeEncodeError):  # a number or a text that SQLite can't hold
            raise Refusal(StoreReason.IMPORT_DAMAGED) from None


def _load_row(connection: sqlite3.Connection, row: Row, last: dict[str, int]) -> None:
    match row:
        case PersonRow():
            connection.execute(INSERT_PERSON, astuple(row))
        case TokenRow():
            connection.execute("INSERT INTO tokens VALUES (?, ?, ?)", (row.hash, row.person, row.created))
        case TableRow():
            connection.execute("INSERT INTO tables VALUES (?, ?, ?)", (row.id, row.created, row.stage))
            if row.is_listed:
                connection.execute(LIST, (row.id,))
            last[row.id] = 0
        case MemberRow():
            connection.execute("INSERT INTO members VALUES (?, ?, ?)", (row.person, row.table, row.joined))
        case EventRow():
            if row.seq != last.get(row.table, -1) + 1:
                raise Refusal(StoreReason.IMPORT_DAMAGED)
            last[row.table] = row.seq
            connection.execute(INSERT_EVENT, (row.table, row.seq, row.version, row.at, row.body))
        case ReviewRow():
            connection.execute(INSERT_REVIEW, astuple(row))
        case ShareRow():
            connection.execute(INSERT_SHARE, astuple(row))
        case LearnerRow():
            connection.execute(INSERT_LEARNER, astuple(row))
        case FigureRow():
            connection.execute(INSERT_FIGURE, astuple(row))


def backup(connection: sqlite3.Connection, file: Path) -> None:
    """A whole database in one file, which says that it has no log: see `schema.has_foreign_log`."""
    with new_file(file) as beside:
        try:
            with closing(connect(beside)) as copy:
                connection.backup(copy)
                without_log(copy)
        except sqlite3.Error as error:
            raise explained(error, file) from None
