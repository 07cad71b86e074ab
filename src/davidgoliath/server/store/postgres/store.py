"""The store in PostgreSQL: events are written and read in groups, everything else goes through a pool of connections.

Any number of servers use one database at the same time; what they tell each other is in `company`. Where the
connection breaks in the middle of a commit, nobody can know whether it took place: the call is refused (`store_away`),
and whoever asks next finds out.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict, astuple
from itertools import starmap
from typing import Any, Final, LiteralString

from psycopg.errors import ForeignKeyViolation

from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.store.contract import (
    SURE_AFTER,
    Appended,
    FigureRow,
    Instance,
    Listed,
    MemberRow,
    PersonalData,
    PersonRow,
    ReviewRow,
    Row,
    ShareRow,
    Stage,
    Stored,
    Swept,
    TableRow,
    TokenRow,
)
from davidgoliath.server.store.postgres import batching
from davidgoliath.server.store.postgres import rows as every_row
from davidgoliath.server.store.postgres.batching import Groups
from davidgoliath.server.store.postgres.connection import (
    FAILURES,
    Connection,
    Pool,
    connect,
    explained,
    make_pool,
    shown,
)
from davidgoliath.server.store.postgres.peers import PostgresPeers
from davidgoliath.server.store.postgres.schema import check_direct, check_durable, upgrade

NO_TEXT: Final = "\0"
"""No text of PostgreSQL has it: whoever makes up a table with it in its address would fail all who ask meanwhile."""
SWEPT_AT_ONCE = 50
"""How many deletions of a clean-up share a commit: people's moves shall not wait for all of them."""

LISTED: LiteralString = """
    SELECT t.id, t.created, t.stage, l.id IS NOT NULL, coalesce(e.seq, 0), coalesce(e.at, t.created)
    FROM davidgoliath.tables t LEFT JOIN davidgoliath.listed l ON l.id = t.id LEFT JOIN LATERAL (
        SELECT seq, at FROM davidgoliath.events WHERE table_id = t.id ORDER BY seq DESC LIMIT 1
    ) e ON TRUE
"""
RECENT_FIRST: LiteralString = " ORDER BY 6 DESC, 1"
CREATE_TABLE: LiteralString = """
    WITH made AS (INSERT INTO davidgoliath.tables VALUES (%s, %s, %s) ON CONFLICT DO NOTHING RETURNING id),
        begun AS (
            INSERT INTO davidgoliath.events
            SELECT id, place, version, at, body
            FROM made, unnest(%s::bigint[], %s::float8[], %s::bytea[]) WITH ORDINALITY AS e (version, at, body, place)
        ),
        found AS (INSERT INTO davidgoliath.listed SELECT id FROM made WHERE %s)
    SELECT 1 FROM made
"""
CODE: LiteralString = "SELECT code FROM davidgoliath.codes WHERE table_id = %s"
NEW_CODE: LiteralString = """
    WITH waits AS (SELECT id FROM davidgoliath.tables WHERE id = %s AND stage = 'waiting' FOR SHARE)
    INSERT INTO davidgoliath.codes SELECT %s, id FROM waits ON CONFLICT DO NOTHING RETURNING code
"""
"""The table can't start before its code is there, and so takes it along."""
ADD_PERSON: LiteralString = """
    WITH made AS (
        INSERT INTO davidgoliath.persons
        SELECT %s, %s, %s, %s WHERE NOT EXISTS (SELECT FROM davidgoliath.tokens WHERE hash = %s)
        ON CONFLICT DO NOTHING RETURNING id
    )
    INSERT INTO davidgoliath.tokens SELECT %s, id, %s FROM made
"""
ONE_MORE: LiteralString = """
    INSERT INTO davidgoliath.tokens SELECT %s, id, %s FROM davidgoliath.persons p
    WHERE id = %s AND (SELECT count(*) FROM davidgoliath.tokens WHERE person_id = p.id) < %s
    ON CONFLICT DO NOTHING
"""
JOIN: LiteralString = """
    INSERT INTO davidgoliath.members
    SELECT p.id, t.id, %s FROM davidgoliath.persons p, davidgoliath.tables t WHERE p.id = %s AND t.id = %s
    ON CONFLICT (person_id, table_id) DO UPDATE SET joined = members.joined
"""
ACTIVE: LiteralString = """
    coalesce((SELECT at FROM davidgoliath.events WHERE table_id = id ORDER BY seq DESC LIMIT 1), created)
"""
IDLE_TABLE: LiteralString = f"""
    ({ACTIVE} < %s OR (stage = 'waiting' AND {ACTIVE} < %s))
    AND NOT EXISTS (SELECT FROM davidgoliath.present WHERE table_id = id)
"""
LOST_PERSON: LiteralString = """
    created < %s AND NOT EXISTS (SELECT FROM davidgoliath.members WHERE person_id = id)
    AND NOT EXISTS (SELECT FROM davidgoliath.learners l WHERE l.id = persons.id)
"""
PUT_REVIEW: LiteralString = """
    INSERT INTO davidgoliath.reviews AS r
    SELECT id, %(deal)s, %(seat)s, %(person)s, %(judge)s, %(position)s, %(at)s, %(is_final)s, %(is_counted)s, %(body)s
    FROM davidgoliath.tables WHERE id = %(table)s
        AND (%(person)s::text IS NULL OR EXISTS (SELECT FROM davidgoliath.persons p WHERE p.id = %(person)s))
    ON CONFLICT (table_id, deal, seat) DO UPDATE SET person_id = excluded.person_id, judge = excluded.judge,
        position = excluded.position, at = excluded.at, is_final = excluded.is_final, body = excluded.body
"""
"""In the place of another; whether that was counted stays."""
MAY_BEGIN: LiteralString = """
    WHERE r.judge <> excluded.judge OR r.position <> excluded.position OR (NOT r.is_final AND r.at < %(since)s)
"""
MAY_PUT: LiteralString = """
    WHERE excluded.is_final OR NOT r.is_final OR r.judge <> excluded.judge OR r.position <> excluded.position
"""
COUNT_REVIEW: LiteralString = """
    UPDATE davidgoliath.reviews SET is_counted = TRUE WHERE table_id = %s AND deal = %s AND seat = %s AND NOT is_counted
"""
LEARN: LiteralString = """
    INSERT INTO davidgoliath.learners AS l VALUES (%s, %s)
    ON CONFLICT (id) DO UPDATE SET seen = greatest(l.seen, excluded.seen)
"""
ADD_FIGURE: LiteralString = """
    INSERT INTO davidgoliath.figures AS f VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (person_id, week, company, name)
    DO UPDATE SET count = f.count + excluded.count, points = f.points + excluded.points
"""
SHARE: LiteralString = """
    INSERT INTO davidgoliath.shares
    SELECT t.id, p.id FROM davidgoliath.persons p, davidgoliath.tables t WHERE t.id = %s AND p.id = %s
    ON CONFLICT (table_id, person_id) DO UPDATE SET person_id = excluded.person_id
"""
UNSHARE: LiteralString = """
    WITH gone AS (DELETE FROM davidgoliath.shares WHERE table_id = %(table)s AND person_id = %(person)s)
    SELECT FROM davidgoliath.persons p, davidgoliath.tables t WHERE t.id = %(table)s AND p.id = %(person)s
"""
FORGET: tuple[LiteralString, ...] = (
    """DELETE FROM davidgoliath.buckets WHERE at < now() - interval '1 day'
        OR (at < now() - interval '10 minutes' AND NOT starts_with(key, 'review '))""",
    "DELETE FROM davidgoliath.sockets WHERE count = 0",
)
"""Addresses that have asked nothing lately."""


class PostgresStore:
    """A `Store` in a database. Opening brings it up to date."""

    def __init__(self, address: str, listen_address: str | None = None) -> None:
        self.name = shown(address)
        self.is_pooled = listen_address is not None
        """Whether a pooler is in between, so that only the other address leads to the database itself."""
        self.listen_address = listen_address or address
        self.address = address
        self.pool: Pool = make_pool(address, is_pooled=self.is_pooled)
        self.writer = Groups(address, self.name, batching.append, is_pooled=self.is_pooled)
        self.reader = Groups(address, self.name, batching.events, is_pooled=self.is_pooled)
        self._is_closed = False
        self._checking: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, address: str, listen_address: str | None = None) -> "PostgresStore":
        name = shown(address)
        try:
            async with await connect(listen_address or address) as connection:
                await check_direct(connection, name)
                await check_durable(connection, name)
                await upgrade(connection, name)
        except FAILURES as error:
            raise explained(error, name) from None
        store = cls(address, listen_address)
        await store.pool.open()
        return store

    async def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            await self.writer.stop()
            await self.reader.stop()
            await self.pool.close()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """A connection for a while; what goes wrong with it is refused."""
        if self._is_closed:
            raise Refusal(StoreFailure.STORE_CLOSED)
        try:
            async with self.pool.connection() as connection:
                yield connection
        except FAILURES as error:
            refusal = explained(error, self.name)
            if refusal.reason == StoreFailure.STORE_AWAY and (self._checking is None or self._checking.done()):
                self._checking = asyncio.create_task(self.pool.check())  # others may be broken too
            raise refusal from None

    async def rows(self, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        async with self.connection() as connection:
            return await (await connection.execute(query, values)).fetchall()

    async def _change(self, statement: LiteralString, *values: object) -> bool:
        """Whether there was anything to change."""
        async with self.connection() as connection:
            return (await connection.execute(statement, values)).rowcount > 0

    async def create_table(self, table: TableRow, *events: Stored) -> bool:
        columns = [e.version for e in events], [e.at for e in events], [e.body for e in events]
        return await self._change(CREATE_TABLE, table.id, table.created, table.stage, *columns, table.is_listed)

    async def table(self, table: str) -> TableRow | None:
        if NO_TEXT in table:
            return None
        rows = await self.rows(every_row.TABLE + " WHERE id = %s", table)
        return TableRow.of(*rows[0]) if rows else None

    async def tables(self, stage: Stage | None = None) -> list[Listed]:
        if stage is None:
            return list(starmap(Listed.of, await self.rows(LISTED + RECENT_FIRST)))
        return list(starmap(Listed.of, await self.rows(LISTED + " WHERE t.stage = %s" + RECENT_FIRST, stage)))

    async def listed(self, most: int) -> list[Listed]:
        wanted: LiteralString = " WHERE t.stage = 'waiting' AND l.id IS NOT NULL"
        return list(starmap(Listed.of, await self.rows(LISTED + wanted + RECENT_FIRST + " LIMIT %s", most)))

    async def code(self, table: str, new: str) -> str | None:
        if (
            rows := await self.rows(CODE, table)
            or await self.rows(NEW_CODE, table, new)
            or await self.rows(CODE, table)
        ):
            return str(rows[0][0])
        return None

    async def table_of(self, code: str) -> str | None:
        rows = await self.rows("SELECT table_id FROM davidgoliath.codes WHERE code = %s", code)
        return str(rows[0][0]) if rows else None

    async def close_table(self, table: str) -> bool:
        return await self._change("UPDATE davidgoliath.tables SET stage = 'over' WHERE id = %s", table)

    async def delete_table(self, table: str) -> bool:
        return await self._change("DELETE FROM davidgoliath.tables WHERE id = %s", table)

    async def sweep(
        self,
        now: float,
        unstarted_for: float,
        idle_for: float,
        figures_for: float,
        in_use: Collection[str] = (),
    ) -> Swept:
        tables = await self._sweep("tables", IDLE_TABLE, now - idle_for, now - unstarted_for, keep=in_use)
        for statement in FORGET:
            await self._change(statement)
        learners = await self._sweep("learners", "seen < %s", now - figures_for)
        return Swept(tables, await self._sweep("persons", LOST_PERSON, now - idle_for), learners)

    async def count_running(self, seconds: float) -> None:
        await self._change("UPDATE davidgoliath.running SET seconds = seconds + %s", seconds)

    async def _sweep(
        self, name: LiteralString, condition: LiteralString, *values: float, keep: Collection[str] = ()
    ) -> tuple[str, ...]:
        """Finds first, then deletes what still fits the condition."""
        idle: LiteralString = f"SELECT id FROM davidgoliath.{name} WHERE {condition} AND id <> ALL(%s)"  # noqa: S608
        looks = *values, list(keep)
        await self._change(f"DELETE FROM davidgoliath.idle_{name} WHERE id NOT IN ({idle})", *looks)  # noqa: S608
        await self._change(
            f"INSERT INTO davidgoliath.idle_{name} SELECT id, seconds FROM davidgoliath.running, ({idle}) i"  # noqa: S608
            " ON CONFLICT DO NOTHING",
            *looks,
        )
        sure: LiteralString = (
            f"SELECT id FROM davidgoliath.idle_{name}, davidgoliath.running WHERE since <= seconds - %s ORDER BY id"  # noqa: S608
        )
        found = [row[0] for row in await self.rows(sure, SURE_AFTER)]
        gone: list[str] = []
        delete: LiteralString = f"DELETE FROM davidgoliath.{name} WHERE id = ANY(%s) AND {condition} RETURNING id"  # noqa: S608
        for start in range(0, len(found), SWEPT_AT_ONCE):
            gone += [row[0] for row in await self.rows(delete, found[start : start + SWEPT_AT_ONCE], *values)]
        return tuple(gone)

    async def append(
        self, table: str, seq: int, *events: Stored, stage: Stage | None = None, is_listed: bool | None = None
    ) -> Appended:
        return await self.writer.ask(batching.Append(table, seq, events, stage, is_listed))

    async def events(self, table: str, since: int = 0) -> list[Stored]:
        return [] if NO_TEXT in table else await self.reader.ask(batching.Since(table, since))

    async def add_person(self, person: PersonRow, token: TokenRow) -> bool:
        return await self._change(ADD_PERSON, *astuple(person), token.hash, token.hash, token.created)

    async def persons(self, *persons: str) -> dict[str, PersonRow]:
        if not persons:
            return {}
        query: LiteralString = every_row.PERSON + " WHERE id = ANY(%s)"
        return {row[0]: PersonRow(*row) for row in await self.rows(query, list(persons))}

    async def person_of(self, token: bytes) -> PersonRow | None:
        query: LiteralString = every_row.PERSON + " JOIN davidgoliath.tokens ON person_id = id WHERE hash = %s"
        rows = await self.rows(query, token)
        return PersonRow(*rows[0]) if rows else None

    async def rename(self, person: str, name: str) -> bool:
        return await self._change("UPDATE davidgoliath.persons SET name = %s WHERE id = %s", name, person)

    async def choose_stone(self, person: str, stone: str) -> bool:
        return await self._change("UPDATE davidgoliath.persons SET stone = %s WHERE id = %s", stone, person)

    async def add_token(self, token: TokenRow, most: int) -> bool:
        async with self._alone_with(token.person) as connection:
            made = await connection.execute(ONE_MORE, (token.hash, token.created, token.person, most))
            return made.rowcount > 0

    async def revoke(self, person: str, keep: bytes) -> int | None:
        async with self._alone_with(person) as connection:
            query: LiteralString = "SELECT FROM davidgoliath.tokens WHERE person_id = %s AND hash = %s"
            if not (await connection.execute(query, (person, keep))).rowcount:
                return None
            delete: LiteralString = "DELETE FROM davidgoliath.tokens WHERE person_id = %s AND hash <> %s"
            return (await connection.execute(delete, (person, keep))).rowcount

    @asynccontextmanager
    async def _alone_with(self, person: str) -> AsyncIterator[Connection]:
        """A transaction beside which nobody else changes a person's tokens."""
        async with self.connection() as connection, connection.transaction():
            await connection.execute("SELECT FROM davidgoliath.persons WHERE id = %s FOR UPDATE", [person])
            yield connection

    async def join(self, member: MemberRow) -> bool:
        return await self._change(JOIN, member.joined, member.person, member.table)

    async def personal_data(self, person: str) -> PersonalData | None:
        async with self.connection() as connection, connection.transaction():
            await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            found = await connection.execute(every_row.PERSON + " WHERE id = %s", [person])
            row = await found.fetchone()
            if row is None:
                return None
            tokens = await connection.execute(
                "SELECT created FROM davidgoliath.tokens WHERE person_id = %s ORDER BY 1", [person]
            )
            mine: LiteralString = " JOIN davidgoliath.members m ON m.table_id = t.id WHERE m.person_id = %s"
            created = tuple(one[0] for one in await tokens.fetchall())
            tables = await connection.execute(LISTED + mine + RECENT_FIRST, [person])
            return PersonalData(PersonRow(*row), created, tuple(starmap(Listed.of, await tables.fetchall())))

    async def begin_review(self, review: ReviewRow, since: float) -> bool:
        return await self._put_review(PUT_REVIEW + MAY_BEGIN, review, since=since)

    async def put_review(self, review: ReviewRow, *figures: FigureRow) -> bool:
        return await self._put_review(PUT_REVIEW + MAY_PUT, review, *figures)

    async def _put_review(self, put: LiteralString, review: ReviewRow, *figures: FigureRow, **more: float) -> bool:
        """The row is locked from the first statement on, so of several who count it one does."""
        async with self.connection() as connection:
            try:
                async with connection.transaction():
                    if not (await connection.execute(put, asdict(review) | more)).rowcount:
                        return False
                    hand = review.table, review.deal, review.seat
                    if figures and (await connection.execute(COUNT_REVIEW, hand)).rowcount:
                        await connection.execute(LEARN, (review.person, review.at))
                        await connection.cursor().executemany(ADD_FIGURE, list(map(astuple, figures)))
                    return True
            except ForeignKeyViolation:
                return False  # somebody has deleted one of them meanwhile

    async def review(self, table: str, deal: int, seat: int) -> ReviewRow | None:
        one: LiteralString = ", body FROM davidgoliath.reviews WHERE table_id = %s AND deal = %s AND seat = %s"
        rows = await self.rows(every_row.REVIEW + one, table, deal, seat)
        return ReviewRow(*rows[0]) if rows else None

    async def reviews(self, table: str) -> list[ReviewRow]:
        of_table: LiteralString = ", ''::bytea FROM davidgoliath.reviews WHERE table_id = %s ORDER BY 2, 3"
        return list(starmap(ReviewRow, await self.rows(every_row.REVIEW + of_table, table)))

    async def share_reviews(self, share: ShareRow, is_shared: bool) -> bool:
        if is_shared:
            return await self._change(SHARE, share.table, share.person)
        async with self.connection() as connection:
            return (await connection.execute(UNSHARE, asdict(share))).rowcount > 0

    async def shared(self, table: str) -> frozenset[str]:
        rows = await self.rows("SELECT person_id FROM davidgoliath.shares WHERE table_id = %s", table)
        return frozenset(row[0] for row in rows)

    async def figures(self, person: str) -> list[FigureRow]:
        mine: LiteralString = " WHERE person_id = %s ORDER BY 2, 3, 4"
        return list(starmap(FigureRow, await self.rows(every_row.FIGURES + mine, person)))

    async def visit(self, person: str, at: float) -> None:
        await self._change("UPDATE davidgoliath.learners SET seen = %s WHERE id = %s AND seen < %s", at, person, at)

    async def delete_person(self, person: str) -> bool:
        return await self._change("DELETE FROM davidgoliath.persons WHERE id = %s", person)

    async def dump(self, take: Callable[[Row], None]) -> None:
        await self._beside(lambda: every_row.dump(self.listen_address, take))

    async def load(self, rows: Iterable[Row]) -> None:
        await self._beside(lambda: every_row.load(self.listen_address, rows))

    async def _beside(self, work: Callable[[], None]) -> None:
        """In another thread, on a connection that isn't of the pool."""
        if self._is_closed:
            raise Refusal(StoreFailure.STORE_CLOSED)
        try:
            await asyncio.to_thread(work)
        except FAILURES as error:
            raise explained(error, self.name) from None

    def peers(self) -> PostgresPeers:
        return PostgresPeers(self)

    async def announce(self, instance: Instance) -> Instance:
        """Any number of servers may run on one database: there is nobody to point to."""
        return instance

    async def announced(self) -> Instance | None:
        return None
