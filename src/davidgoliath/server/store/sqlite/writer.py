"""The writer: one thread a process that writes, and commits whatever waits as one group (group commit).

A commit costs a disk flush, so those who write at the same time share one: while the disk is busy with a group, the
next one gathers. Nobody waits for company but that of the same turn of the event loop, which is over at once: to wake a
thread costs more than to write a row. Several writers would only queue for SQLite's one write lock, and by polling.
"""

import asyncio
import queue
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from davidgoliath.rules import Refusal
from davidgoliath.server.ops import threads
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.store.contract import Appended
from davidgoliath.server.store.sqlite.statements import NextEvent, append_all

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

LARGEST_GROUP = 500
"""Or some more, if they come together."""


class _Job(NamedTuple):
    work: Work[Any]
    future: "asyncio.Future[Any]"
    once: bool = False
    """Whether it can't be done a second time."""
    event: NextEvent | None = None
    """If it only appends one."""


class _Outcome(NamedTuple):
    value: Any = None
    error: Exception | None = None


class Writer:
    """Runs work on one connection, in the order of asking, and answers after the commit."""

    def __init__(self, connection: sqlite3.Connection, explain: Callable[[sqlite3.Error], Refusal]) -> None:
        self.commits = 0
        self.jobs = 0
        self._connection = connection
        self._explain = explain
        self._gathered: list[_Job] = []
        """Of this turn of the event loop."""
        self._waiting: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._closed = False
        self._door = threading.Lock()
        """Nothing gets into the queue behind the None that ends it."""
        self._thread = threads.start(self._run, "store-writer") if threads.has_threads else None

    async def do(self, work: Work[T], *, once: bool = False) -> T:
        """What `work` returns, once it is committed; what it raises, once it is undone.

        It may be begun twice, unless it is to be done `once`, as what draws from an iterator is.
        """
        value: T = await self._asked(_Job(work, asyncio.get_running_loop().create_future(), once))
        return value

    async def append(self, event: NextEvent) -> Appended:
        """The same for an event. Where only such wait, they are written by one statement: each that there is gives up
        the interpreter's lock, and has to wait for it."""
        job = _Job(event.append, asyncio.get_running_loop().create_future(), event=event)
        appended: Appended = await self._asked(job)
        return appended

    def _asked(self, job: _Job) -> "asyncio.Future[Any]":
        with self._door:
            if self._closed:
                raise Refusal(StoreFailure.STORE_CLOSED)
            if not self._thread:
                _settle([(job.future, self._commit([job])[0])])
            else:
                if not self._gathered:
                    job.future.get_loop().call_soon(self._hand_over)
                self._gathered.append(job)
        return job.future

    def _hand_over(self) -> None:
        """To the thread, what this turn of the event loop has gathered."""
        with self._door:
            if self._gathered:
                self._waiting.put(self._gathered)
                self._gathered = []

    def stop(self) -> None:
        """Refuses more, and returns when all that waited is committed."""
        self._hand_over()
        with self._door:
            if not self._closed:
                self._closed = True
                self._waiting.put(None)
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        ends = False
        while not ends:
            group, ends = self._next_group()
            if group:
                _answer(group, self._commit(group))

    def _next_group(self) -> tuple[list[_Job], bool]:
        """All that waits, once anything does, and whether it is the last."""
        group: list[_Job] = []
        jobs = self._waiting.get()
        while jobs is not None:
            group += jobs
            if len(group) >= LARGEST_GROUP:
                return group, False
            try:
                jobs = self._waiting.get_nowait()
            except queue.Empty:
                return group, False
        return group, True

    def _commit(self, group: Sequence[_Job]) -> list[_Outcome]:
        events = [job.event for job in group if job.event]
        try:
            if len(events) == len(group) <= LARGEST_GROUP and append_all(self._connection, events):
                outcomes = [_Outcome(Appended.DONE)] * len(group)
            else:
                self._connection.execute("BEGIN IMMEDIATE")
                outcomes = self._done(group)
                self._connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - whatever happens, this thread goes on, and everybody gets an answer
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            return [_Outcome(error=self._worded(error)) for _ in group]
        self.commits += 1
        self.jobs += len(group)
        return outcomes

    def _done(self, group: Sequence[_Job]) -> list[_Outcome]:
        """Nearly always all goes well. If not, all is done once more, and what fails is undone alone."""
        if any(job.once for job in group):
            return [self._attempt(job) for job in group]
        try:
            return [_Outcome(job.work(self._connection)) for job in group]
        except Exception:  # noqa: BLE001 - whatever it is, we shall see whose it is
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._connection.execute("BEGIN IMMEDIATE")
            return [self._attempt(job) for job in group]

    def _attempt(self, job: _Job) -> _Outcome:
        """One job of a group. If it fails, the others go on, unless SQLite had to give up the whole group."""
        self._connection.execute("SAVEPOINT job")
        try:
            outcome = _Outcome(job.work(self._connection))
        except Exception as error:  # whatever it is belongs to the caller
            if not self._connection.in_transaction:
                raise
            self._connection.execute("ROLLBACK TO job")
            outcome = _Outcome(error=self._worded(error))
        self._connection.execute("RELEASE job")
        return outcome

    def _worded(self, error: Exception) -> Exception:
        return self._explain(error) if isinstance(error, sqlite3.Error) else error


def _answer(group: Sequence[_Job], outcomes: Sequence[_Outcome]) -> None:
    """Wakes each event loop once for all its jobs of a group."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], _Outcome]]] = defaultdict(list)
    for job, outcome in zip(group, outcomes, strict=True):
        by_loop[job.future.get_loop()].append((job.future, outcome))
    for loop, answers in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, answers)
        except RuntimeError:
            continue  # that loop is closed, and nobody waits any more


def _settle(answers: Sequence[tuple["asyncio.Future[Any]", _Outcome]]) -> None:
    for future, outcome in answers:
        if future.done():
            continue  # who asked has been cancelled
        if outcome.error is not None:
            future.set_exception(outcome.error)
        else:
            future.set_result(outcome.value)
