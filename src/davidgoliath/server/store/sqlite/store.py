"""The store in a SQLite file: write-ahead log, every commit on the disk, one writer thread, readers beside it.

Writes go to the `Writer`, which commits those that wait as a group. Reads have connections of their own in a few
threads: they see the last commit, and wait neither for the writer nor for its disk. Other processes may use the same
file at the same time; SQLite's locks see to that.
"""

import asyncio
import os
import queue
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack, closing
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any, Final, TypeVar

from davidgoliath.home import data_directory
from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import Backoff, StoreFailure, report
from davidgoliath.server.ops.threads import beside, make_pool
from davidgoliath.server.peers.alone import Alone
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
from davidgoliath.server.store.sqlite import statements
from davidgoliath.server.store.sqlite.instance_lock import InstanceLock
from davidgoliath.server.store.sqlite.schema import (
    check_log,
    empty_log,
    explained,
    open_for_reading,
    open_for_writing,
    without_log,
)
from davidgoliath.server.store.sqlite.statements import (
    CODE,
    FIGURES,
    LISTED,
    PERSON,
    RECENT_FIRST,
    REVIEW,
    TABLE,
    NextEvent,
    change_each,
)
from davidgoliath.server.store.sqlite.writer import Work, Writer

T = TypeVar("T")

READERS = 4
SWEPT_AT_ONCE = 50
"""How many deletions of a clean-up share a commit: people's moves shall not wait for all of them."""
MARKED_AT_ONCE = 500
ERASE_EVERY = 1.0
"""So many seconds apart the log is emptied, at most: strangers may come, and be deleted, as often as they like."""

ACTIVE = "coalesce((SELECT at FROM events WHERE table_id = id ORDER BY seq DESC LIMIT 1), created)"
IDLE_TABLE = f"({ACTIVE} < ? OR (stage = 'waiting' AND {ACTIVE} < ?))"
LOST_PERSON = """
    created < ? AND NOT EXISTS (SELECT 1 FROM members WHERE person_id = id)
    AND NOT EXISTS (SELECT 1 FROM learners WHERE learners.id = persons.id)
"""

_OPEN: Final[Counter[Path]] = Counter()
"""How often this process has a file open."""


def default_file() -> Path:
    """Where the tables of this user are."""
    return data_directory() / "tables.db"


class SqliteStore:
    """A `Store` in a file. Opening makes the file if it is missing, and brings it up to date."""

    def __init__(self, file: Path | str, *, checks: bool = False) -> None:
        self.file = Path(
            os.path.realpath(file)
        )  # whatever links lead there: its log and its lock lie beside the file itself
        self._explain = partial(explained, file=self.file)
        if not _OPEN[self.file]:
            check_log(self.file)
        with ExitStack() as opened:
            self._connection = opened.enter_context(closing(open_for_writing(self.file, checks=checks)))
            readers = [opened.enter_context(closing(open_for_reading(self.file))) for _ in range(READERS)]
            opened.pop_all()  # all are there: they stay open
        self._readers: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        for reader in readers:
            self._readers.put(reader)
        self._presence = InstanceLock(self.file)
        self._threads = make_pool(READERS, "store-reader")
        self.writer = Writer(self._connection, self._explain)
        self._closed = False
        self._must_erase = False
        self._erasing: asyncio.Task[None] | None = None
        _OPEN[self.file] += 1

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            if self._erasing:
                self._erasing.cancel()
            await beside(self._shut)

    def _shut(self) -> None:
        self.writer.stop()
        self._presence.drop()
        self._threads.shutdown()
        for _ in range(READERS):
            self._readers.get().close()
        _OPEN[self.file] -= 1
        without_log(self._connection)
        self._connection.close()

    async def _write(self, work: Work[T], *, once: bool = False) -> T:
        self._check_open()
        return await self.writer.do(work, once=once)

    def _check_open(self) -> None:
        if self._closed:
            raise Refusal(StoreFailure.STORE_CLOSED)

    async def _read(self, work: Work[T]) -> T:
        self._check_open()
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._with_reader, work)

    def _with_reader(self, work: Work[T]) -> T:
        connection = self._readers.get()
        try:
            return work(connection)
        except sqlite3.Error as error:
            raise self._explain(error) from None
        finally:
            self._readers.put(connection)

    async def create_table(self, table: TableRow, *events: Stored) -> bool:
        return await self._write(partial(statements.create_table, table=table, events=events))

    async def table(self, table: str) -> TableRow | None:
        rows = await self._rows(TABLE + " WHERE id = ?", table)
        return TableRow.of(*rows[0]) if rows else None

    async def tables(self, stage: Stage | None = None) -> list[Listed]:
        if stage is None:
            return list(starmap(Listed.of, await self._rows(LISTED + RECENT_FIRST)))
        return list(starmap(Listed.of, await self._rows(LISTED + " WHERE t.stage = ?" + RECENT_FIRST, stage)))

    async def listed(self, most: int) -> list[Listed]:
        query = LISTED + " WHERE t.stage = 'waiting' AND l.id IS NOT NULL" + RECENT_FIRST + " LIMIT ?"
        return list(starmap(Listed.of, await self._rows(query, most)))

    async def code(self, table: str, new: str) -> str | None:
        if rows := await self._rows(CODE, table):
            return str(rows[0][0])
        return await self._write(partial(statements.new_code, table=table, code=new))

    async def table_of(self, code: str) -> str | None:
        rows = await self._rows("SELECT table_id FROM codes WHERE code = ?", code)
        return str(rows[0][0]) if rows else None

    async def close_table(self, table: str) -> bool:
        return await self._change("UPDATE tables SET stage = 'over' WHERE id = ?", table)

    async def delete_table(self, table: str) -> bool:
        return await self._change("DELETE FROM tables WHERE id = ?", table)

    async def sweep(
        self,
        now: float,
        unstarted_for: float,
        idle_for: float,
        figures_for: float,
        in_use: Collection[str] = (),
    ) -> Swept:
        tables = await self._sweep("tables", IDLE_TABLE, now - idle_for, now - unstarted_for, keep=in_use)
        learners = await self._sweep("learners", "seen < ?", now - figures_for)
        persons = await self._sweep("persons", LOST_PERSON, now - idle_for)
        if persons or learners:
            self._erase_soon()
        return Swept(tables, persons, learners)

    async def count_running(self, seconds: float) -> None:
        await self._change("UPDATE running SET seconds = seconds + ?", seconds)

    async def _sweep(self, name: str, condition: str, *values: float, keep: Collection[str] = ()) -> tuple[str, ...]:
        """Finds beside the writer, then deletes what still fits the condition."""
        ((running,),) = await self._rows("SELECT seconds FROM running")
        known = dict(await self._rows(f"SELECT id, since FROM idle_{name}"))  # noqa: S608
        rows = await self._rows(f"SELECT id FROM {name} WHERE {condition}", *values)  # noqa: S608
        found = {row[0] for row in rows} - set(keep)
        forget = f"DELETE FROM idle_{name} WHERE id = ?"  # noqa: S608
        await self._each(forget, known.keys() - found, at_once=MARKED_AT_ONCE)
        remember = f"INSERT OR IGNORE INTO idle_{name} SELECT id, ?2 FROM {name} WHERE id = ?1"  # noqa: S608
        await self._each(remember, found - known.keys(), running, at_once=MARKED_AT_ONCE)
        sure = [one for one in found if known.get(one, running) <= running - SURE_AFTER]
        delete = f"DELETE FROM {name} WHERE id = ? AND {condition}"  # noqa: S608
        return await self._each(delete, sure, *values, at_once=SWEPT_AT_ONCE)

    async def _each(self, statement: str, ids: Collection[str], *values: float, at_once: int) -> tuple[str, ...]:
        """Which of these a statement changes, some at a time."""
        ordered, changed = sorted(ids), list[str]()
        for start in range(0, len(ordered), at_once):
            some = ordered[start : start + at_once]
            changed += await self._write(partial(change_each, statement=statement, ids=some, values=values))
        return tuple(changed)

    async def append(
        self, table: str, seq: int, *events: Stored, stage: Stage | None = None, is_listed: bool | None = None
    ) -> Appended:
        if len(events) == 1 and stage is None and is_listed is None:
            self._check_open()
            return await self.writer.append(NextEvent(table, seq, *events[0]))
        append = partial(statements.append, table=table, seq=seq, events=events, stage=stage, is_listed=is_listed)
        return await self._write(append)

    async def events(self, table: str, since: int = 0) -> list[Stored]:
        query = "SELECT version, at, body FROM events WHERE table_id = ? AND seq > ? ORDER BY seq"
        return [Stored(*row) for row in await self._rows(query, table, since)]

    async def add_person(self, person: PersonRow, token: TokenRow) -> bool:
        return await self._write(partial(statements.add_person, person=person, token=token))

    async def persons(self, *persons: str) -> dict[str, PersonRow]:
        return await self._read(partial(statements.persons, ids=persons))

    async def person_of(self, token: bytes) -> PersonRow | None:
        rows = await self._rows(PERSON + " JOIN tokens ON person_id = id WHERE hash = ?", token)
        return PersonRow(*rows[0]) if rows else None

    async def rename(self, person: str, name: str) -> bool:
        return await self._change("UPDATE persons SET name = ? WHERE id = ?", name, person)

    async def choose_stone(self, person: str, stone: str) -> bool:
        return await self._change("UPDATE persons SET stone = ? WHERE id = ?", stone, person)

    async def add_token(self, token: TokenRow, most: int) -> bool:
        return await self._write(partial(statements.add_token, token=token, most=most))

    async def revoke(self, person: str, keep: bytes) -> int | None:
        return await self._write(partial(statements.revoke, person=person, keep=keep))

    async def join(self, member: MemberRow) -> bool:
        return await self._write(partial(statements.join, member=member))

    async def personal_data(self, person: str) -> PersonalData | None:
        return await self._read(partial(statements.personal_data, person=person))

    async def begin_review(self, review: ReviewRow, since: float) -> bool:
        return await self._write(partial(statements.begin_review, review=review, since=since))

    async def put_review(self, review: ReviewRow, *figures: FigureRow) -> bool:
        return await self._write(partial(statements.put_review, review=review, figures=figures))

    async def review(self, table: str, deal: int, seat: int) -> ReviewRow | None:
        query = REVIEW + ", body FROM reviews WHERE table_id = ? AND deal = ? AND seat = ?"
        rows = await self._rows(query, table, deal, seat)
        return statements.review(rows[0]) if rows else None

    async def reviews(self, table: str) -> list[ReviewRow]:
        rows = await self._rows(REVIEW + ", x'' FROM reviews WHERE table_id = ? ORDER BY 2, 3", table)
        return list(map(statements.review, rows))

    async def share_reviews(self, share: ShareRow, is_shared: bool) -> bool:
        return await self._write(partial(statements.share_reviews, share=share, is_shared=is_shared))

    async def shared(self, table: str) -> frozenset[str]:
        return frozenset(row[0] for row in await self._rows("SELECT person_id FROM shares WHERE table_id = ?", table))

    async def figures(self, person: str) -> list[FigureRow]:
        return list(starmap(FigureRow, await self._rows(FIGURES + " WHERE person_id = ? ORDER BY 2, 3, 4", person)))

    async def visit(self, person: str, at: float) -> None:
        await self._change("UPDATE learners SET seen = ? WHERE id = ? AND seen < ?", at, person, at)

    async def delete_person(self, person: str) -> bool:
        is_gone = await self._change("DELETE FROM persons WHERE id = ?", person)
        self._erase_soon()
        return is_gone

    def _erase_soon(self) -> None:
        """The file itself forgets a name at once, but the log still has the pages as they were."""
        self._must_erase = True
        if self._erasing is None or self._erasing.done():
            self._erasing = asyncio.create_task(self._erase())

    async def _erase(self) -> None:
        """Beside the writer, and again until nobody is in the way."""
        rest = Backoff()
        while self._must_erase:
            self._must_erase = False
            try:
                is_empty = await asyncio.get_running_loop().run_in_executor(self._threads, empty_log, self.file)
            except sqlite3.Error as error:
                report(self._explain(error))
                is_empty = False
            if is_empty:
                rest.end()
                await asyncio.sleep(ERASE_EVERY)
            else:
                self._must_erase = True
                rest.begin()
                await asyncio.sleep(rest.left)

    async def dump(self, take: Callable[[Row], None]) -> None:
        await self._read(partial(statements.dump, take=take))

    async def load(self, rows: Iterable[Row]) -> None:
        await self._write(partial(statements.load, rows=rows), once=True)

    def peers(self) -> Alone:
        return Alone()

    async def announce(self, instance: Instance) -> Instance:
        found = await self._write(partial(self._presence.announce, instance=instance))
        if found == instance:
            self._erase_soon()  # whoever was here before may have been killed before it did
        return found

    async def announced(self) -> Instance | None:
        return await self._write(self._presence.announced)

    async def backup(self, file: Path) -> None:
        """A copy of the database as it is now, while everything goes on. Keep it as safe as the database.

        For SQLite only: other databases have tools of their own.
        """
        await self._read(partial(statements.backup, file=file))

    async def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return await self._read(lambda connection: connection.execute(query, values).fetchall())

    async def _change(self, statement: str, *values: object) -> bool:
        """Whether there was anything to change."""
        return await self._write(lambda connection: connection.execute(statement, values).rowcount > 0)
