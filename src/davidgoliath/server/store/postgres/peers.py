"""Servers on one PostgreSQL database (a cluster), and what they tell each other.

A server is a connection that listens. As long as it lasts, the server's number is locked (an advisory lock); when it
ends, however it ends, PostgreSQL gives the lock back, and whoever looks next, some moments later, clears away what that
server held: who was there, where it acted, its sockets. A computer that vanishes without a word leaves its lock behind
for a while, so each server also says now and then that it lives (a heartbeat).

A server that loses its connection is nobody until it has another, with another number: so whatever was left of it goes.
A move can't be made twice even while two servers believe that they act, since of two events with the same number the
store takes one.
"""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Any, Final, LiteralString, Protocol

import psycopg

from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import Backoff, StoreFailure, report
from davidgoliath.server.peers.contract import Listener, Membership
from davidgoliath.server.store.postgres.batching import Groups
from davidgoliath.server.store.postgres.connection import FAILURES, Connection, answer, connect, explained
from davidgoliath.server.store.postgres.schema import LOCKS
from davidgoliath.server.table.events import Person

BEAT: Final = 0.25
"""So often, in seconds, a server says that it lives, and looks for others that don't."""
LONGEST_ANSWER: Final = 3.0
SILENCE: Final = timedelta(seconds=5)
"""After so long a server that says nothing is taken for dead, even if its connection seems to last."""

TAKE: LiteralString = """
    INSERT INTO davidgoliath.buckets AS b VALUES (%(key)s, %(most)s - 1, now())
    ON CONFLICT (key) DO UPDATE SET at = now(),
        rest = least(%(most)s, b.rest + extract(epoch FROM now() - b.at) * %(rate)s) - 1
    WHERE least(%(most)s, b.rest + extract(epoch FROM now() - b.at) * %(rate)s) >= 1
"""
BEGIN_DUTY: LiteralString = """
    SELECT FROM davidgoliath.duties WHERE name = %s AND done <= now() - %s FOR UPDATE SKIP LOCKED
"""


class Database(Protocol):
    """What servers need of their common store."""

    name: str
    listen_address: str
    writer: Groups[Any, Any]
    """Knows the number of its server, so that it needn't tell itself what it has written."""

    async def rows(self, query: LiteralString, *values: object) -> list[tuple[Any, ...]]: ...

    def connection(self) -> AbstractAsyncContextManager[Connection]: ...


class PostgresPeers:
    """One of any number of servers on a database."""

    is_shared = True

    def __init__(self, store: Database) -> None:
        self._store = store
        self._own = 0
        self._is_broken = False
        """Whether others may believe of us what isn't so: all that goes with our number."""
        self._sockets: Counter[str] = Counter()
        self._listens = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self, listener: Listener) -> None:
        self._task = asyncio.create_task(self._stay(listener))

    async def ready(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_ANSWER):
                await self._listens.wait()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _stay(self, listener: Listener) -> None:
        """Connected; and after each failure once more, when it has rested."""
        rest = Backoff()
        while True:
            try:
                await self._listen(listener, rest)
            except Exception as error:  # noqa: BLE001 - whatever it was, a server must find its place again
                report(explained(error, self._store.name) if isinstance(error, FAILURES) else error)
            finally:
                self._be(0)
                listener.lost()
            rest.begin()
            await asyncio.sleep(rest.left)

    def _be(self, number: int) -> None:
        self._own = self._store.writer.own = number

    async def _listen(self, listener: Listener, rest: Backoff) -> None:
        connection = await connect(self._store.listen_address)
        try:
            own = secrets.randbelow(2**31 - 1) + 1
            async with connection.transaction():
                await connection.execute("INSERT INTO davidgoliath.servers VALUES (%s)", [own])
                await connection.execute("SELECT pg_advisory_lock(%s, %s)", [LOCKS, own])
                for address, count in (+self._sockets).items():
                    counted = address, own, count
                    await connection.execute("INSERT INTO davidgoliath.sockets VALUES (%s, %s, %s)", counted)
            await connection.execute("LISTEN davidgoliath")
            self._be(own)
            self._is_broken = False
            listener.found()
            self._listens.set()
            rest.end()
            while not self._is_broken:
                async for notice in connection.notifies(timeout=BEAT):
                    self._hear(notice.payload, listener)
                if not await answer(connection, _is_alive(connection, own), LONGEST_ANSWER):
                    raise psycopg.OperationalError("taken for dead")
                while notified := connection.pgconn.notifies():  # came with the answer: it would wait for another
                    self._hear(notified.extra.decode(), listener)
        finally:
            connection.pgconn.finish()  # without a farewell, which nobody might answer

    def _hear(self, payload: str, listener: Listener) -> None:
        kind, name, sender, *more = payload.split(" ", 3)
        if int(sender) == self._own:
            return
        match kind, more:
            case "events", [seq]:
                listener.changed(name, int(seq))
            case "people", []:
                listener.people_changed(name)
            case "told", [message]:
                listener.told(name, message.encode())
            case "person", []:
                listener.person_changed(name)
            case _:
                pass  # from a server of a later version

    async def settle(self, table: str, people: Sequence[Person]) -> Membership:
        if not self._own:
            raise Refusal(StoreFailure.STORE_AWAY, file=self._store.name, why="no answer")
        try:
            (row,) = await self._store.rows(
                "SELECT does_act, others FROM davidgoliath.settle(%s, %s, %s)", self._own, table, list(people)
            )
        except Refusal:
            self._is_broken = True
            raise
        return Membership(row[0], tuple(row[1]))

    async def tell(self, table: str, message: bytes) -> None:
        await self._notify(f"told {table} {self._own} {message.decode()}")

    async def tell_of(self, person: Person) -> None:
        await self._notify(f"person {person} {self._own}")

    async def _notify(self, payload: str) -> None:
        await self._store.rows("SELECT pg_notify('davidgoliath', %s)", payload)

    @asynccontextmanager
    async def duty(self, name: str, every: float) -> AsyncIterator[bool]:
        """It is locked while it is done; whoever dies with it lets go, and it is still due."""
        insert: LiteralString = "INSERT INTO davidgoliath.duties VALUES (%s, '-infinity') ON CONFLICT DO NOTHING"
        await self._store.rows(insert + " RETURNING 1", name)
        async with self._store.connection() as connection, connection.transaction():
            found = await connection.execute(BEGIN_DUTY, [name, timedelta(seconds=every)])
            is_ours = found.rowcount > 0
            yield is_ours
            if is_ours:
                await connection.execute("UPDATE davidgoliath.duties SET done = now() WHERE name = %s", [name])

    async def take(self, key: str, most: int, rate: float) -> bool:
        values = {"key": key, "most": most, "rate": rate}
        async with self._store.connection() as connection:
            return (await connection.execute(TAKE, values)).rowcount > 0

    async def give_back(self, key: str) -> None:
        await self._store.rows("UPDATE davidgoliath.buckets SET rest = rest + 1 WHERE key = %s RETURNING 1", key)

    async def open_socket(self, address: str, most: int) -> bool:
        """Without a connection to the others we count for ourselves."""
        if self._own:
            query: LiteralString = "SELECT davidgoliath.open_socket(%s, %s, %s)"
            (row,) = await self._store.rows(query, self._own, address, most)
            has_room = bool(row[0])
        else:
            has_room = self._sockets[address] < most
        self._sockets[address] += has_room
        return has_room

    async def close_socket(self, address: str) -> None:
        self._sockets[address] -= 1
        statement: LiteralString = (
            "UPDATE davidgoliath.sockets SET count = count - 1 WHERE address = %s AND server = %s RETURNING 1"
        )
        try:
            await self._store.rows(statement, address, self._own)
        except Refusal:
            self._is_broken = True


async def _is_alive(connection: Connection, own: int) -> bool:
    row = await (await connection.execute("SELECT davidgoliath.beat(%s, %s)", [own, SILENCE])).fetchone()
    return row == (True,)
