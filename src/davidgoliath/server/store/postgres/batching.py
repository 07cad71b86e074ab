"""What many ask at the same time is asked of PostgreSQL at once: one statement and one commit for all who wait.

Group commit: while the database is busy with a group, the next one gathers; nobody waits for company. For appends that
is more than thrift: commits of several connections may share a flush of the disk, but those that notify others take
turns.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import msgspec

from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.store.contract import Appended, Stage, Stored
from davidgoliath.server.store.postgres.connection import FAILURES, Connection, answer, connect, explained

J = TypeVar("J")
A = TypeVar("A")

LARGEST: Final = 500
LONGEST: Final = 5.0
"""After so many seconds without an answer the connection is given up."""
EVENTS: Final = """
    SELECT place, version, at, body
    FROM unnest(%s::text[], %s::bigint[]) WITH ORDINALITY AS asked (name, since, place)
    JOIN davidgoliath.events ON table_id = name AND seq > since
    ORDER BY place, seq
"""


@dataclass(frozen=True, slots=True)
class Append:
    """Events for a table, the first of which has this number."""

    table: str
    seq: int
    events: Sequence[Stored]
    stage: Stage | None
    is_listed: bool | None


@dataclass(frozen=True, slots=True)
class Since:
    """The events of a table after this number."""

    table: str
    seq: int


async def append(connection: Connection, own: int, jobs: Sequence[Append]) -> list[Appended]:
    """Stores events for each of these; those of a table in the order of asking.

    The rows of tables are locked in one order, so that two servers never wait for each other.
    """
    order = sorted(range(len(jobs)), key=lambda place: jobs[place].table)
    said = [
        (job.table, job.seq, job.stage, [(event.version, event.at, event.body) for event in job.events], job.is_listed)
        for job in map(jobs.__getitem__, order)
    ]
    statement = "SELECT davidgoliath.append(%s, %s::jsonb)"
    row = await (await connection.execute(statement, [own, msgspec.json.encode(said).decode()])).fetchone()
    answers = dict(zip(order, row[0] if row else (), strict=True))
    return [Appended(answers[place]) for place in range(len(jobs))]


async def events(connection: Connection, _: int, jobs: Sequence[Since]) -> list[list[Stored]]:
    """Finds the events for each of these."""
    cursor = await connection.execute(EVENTS, [[job.table for job in jobs], [job.seq for job in jobs]])
    found: list[list[Stored]] = [[] for _ in jobs]
    for place, *event in await cursor.fetchall():
        found[place - 1].append(Stored(*event))
    return found


Work = Callable[[Connection, int, Sequence[J]], Awaitable[Sequence[A]]]
"""Does jobs on a connection, for the server of this number, and answers each."""


class Groups(Generic[J, A]):
    """Does what it is asked in groups, on a connection of its own."""

    def __init__(self, address: str, name: str, work: Work[J, A], *, is_pooled: bool) -> None:
        self.own = 0
        """The number of this server among others."""
        self._address, self._name, self._work, self._is_pooled = address, name, work, is_pooled
        self._connection: Connection | None = None
        self._waiting: asyncio.Queue[tuple[J, asyncio.Future[A]] | None] = asyncio.Queue()
        self._is_closed = False
        self._task = asyncio.create_task(self._run())

    async def ask(self, job: J) -> A:
        if self._is_closed:
            raise Refusal(StoreFailure.STORE_CLOSED)
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((job, future))
        return await future

    async def stop(self) -> None:
        """Refuses more, and returns when all that waited is answered."""
        self._is_closed = True
        self._waiting.put_nowait(None)
        await self._task

    async def _run(self) -> None:
        ends = False
        while not ends:
            group, ends = await self._next()
            if group:
                _settle([future for _, future in group], await self._answers([job for job, _ in group]))
        await self._drop()

    async def _next(self) -> tuple[list[tuple[J, "asyncio.Future[A]"]], bool]:
        """All that waits, once anything does, and whether it is the last."""
        group: list[tuple[J, asyncio.Future[A]]] = []
        one = await self._waiting.get()
        while one is not None:
            group.append(one)
            if len(group) == LARGEST or self._waiting.empty():
                return group, False
            one = self._waiting.get_nowait()
        return group, True

    async def _answers(self, jobs: Sequence[J]) -> Sequence[A] | Exception:
        try:
            if self._connection is None:
                self._connection = await connect(self._address, is_pooled=self._is_pooled)
            return await answer(self._connection, self._do(self._connection, jobs), LONGEST)
        except Exception as error:  # noqa: BLE001 - whatever happens, we go on, and everybody gets an answer
            await self._drop()
            return explained(error, self._name) if isinstance(error, FAILURES) else error

    async def _do(self, connection: Connection, jobs: Sequence[J]) -> Sequence[A]:
        return await self._work(connection, self.own, jobs)

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()


def _settle(futures: Sequence["asyncio.Future[Any]"], answers: Sequence[Any] | Exception) -> None:
    for place, future in enumerate(futures):
        if future.done():
            continue  # who asked has been cancelled
        if isinstance(answers, Exception):
            future.set_exception(answers)
        else:
            future.set_result(answers[place])
