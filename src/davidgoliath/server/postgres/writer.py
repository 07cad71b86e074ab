"""The writer: one connection a server that appends, and commits whatever waits as one group.

PostgreSQL lets commits of several connections share a flush of the disk, but not those that notify others: they take
turns. So appends that wait at the same time are one statement, and one commit, as in SQLite. They are ordered by table,
so that two servers never wait for each other.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from davidgoliath.rules import Refusal
from davidgoliath.server.postgres.link import FAILURES, Connection, answer, connect, explained
from davidgoliath.server.store import Appended, Stage, Stored

LARGEST_GROUP: Final = 500
LONGEST: Final = 5.0
"""After so many seconds without an answer the connection is given up."""


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    table: str
    seq: int
    events: Sequence[Stored]
    stage: Stage | None
    future: "asyncio.Future[Appended]"


class Writer:
    """Appends in the order of asking, and answers after the commit."""

    def __init__(self, address: str, name: str, *, is_pooled: bool) -> None:
        self.own = 0
        """The number of this server among others: these are told of what it stores."""
        self.commits = 0
        self.jobs = 0
        self._address, self._name, self._is_pooled = address, name, is_pooled
        self._connection: Connection | None = None
        self._waiting: asyncio.Queue[_Job | None] = asyncio.Queue()
        self._is_closed = False
        self._task = asyncio.create_task(self._run())

    async def append(self, table: str, seq: int, events: Sequence[Stored], stage: Stage | None) -> Appended:
        if self._is_closed:
            raise Refusal("store_closed")
        job = _Job(table, seq, events, stage, asyncio.get_running_loop().create_future())
        self._waiting.put_nowait(job)
        return await job.future

    async def stop(self) -> None:
        """Refuses more, and returns when all that waited is committed."""
        self._is_closed = True
        self._waiting.put_nowait(None)
        await self._task

    async def _run(self) -> None:
        ends = False
        while not ends:
            group, ends = await self._next_group()
            if not group:
                continue
            answers: dict[_Job, Appended] | Exception
            try:
                answers = await self._commit(sorted(group, key=lambda job: job.table))
            except Exception as error:  # noqa: BLE001 - whatever happens, the writer goes on, and everybody gets an answer
                await self._drop()
                answers = explained(error, self._name) if isinstance(error, FAILURES) else error
            _answer(group, answers)
        await self._drop()

    async def _next_group(self) -> tuple[list[_Job], bool]:
        """All that waits, once anything does, and whether it is the last."""
        group: list[_Job] = []
        job = await self._waiting.get()
        while job is not None:
            group.append(job)
            if len(group) == LARGEST_GROUP or self._waiting.empty():
                return group, False
            job = self._waiting.get_nowait()
        return group, True

    async def _commit(self, group: Sequence[_Job]) -> dict[_Job, Appended]:
        jobs = [(job.table, job.seq, job.stage, [(e.version, e.at, e.body) for e in job.events]) for job in group]
        said = msgspec.json.encode(jobs).decode()
        if self._connection is None:
            self._connection = await connect(self._address, is_pooled=self._is_pooled)
        answers = await answer(self._connection, self._ask(self._connection, said), LONGEST)
        self.commits += 1
        self.jobs += len(group)
        return dict(zip(group, map(Appended, answers), strict=True))

    async def _ask(self, connection: Connection, jobs: str) -> list[str]:
        cursor = await connection.execute("SELECT davidgoliath.append(%s, %s::jsonb)", [self.own, jobs])
        row = await cursor.fetchone()
        answers: list[str] = row[0] if row else []
        return answers

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()


def _answer(group: Sequence[_Job], answers: dict[_Job, Appended] | Exception) -> None:
    for job in group:
        if job.future.done():
            continue  # who asked has been cancelled
        if isinstance(answers, Exception):
            job.future.set_exception(answers)
        else:
            job.future.set_result(answers[job])
