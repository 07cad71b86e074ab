"""How we connect to PostgreSQL, and what its errors mean: nobody waits for long for a database that is away."""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import psycopg
from psycopg import conninfo
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import StoreFailure

T = TypeVar("T")
Connection = psycopg.AsyncConnection[Any]
Pool = AsyncConnectionPool[Connection]

PATIENCE: Final = 3
"""So many seconds we wait for a connection, or for an answer of the network."""
CONNECTIONS: Final = 8
"""Of one server, besides three for events: one writes them, one reads them, and one listens."""
DEFAULTS: Final[dict[str, Any]] = {
    "connect_timeout": PATIENCE,
    "tcp_user_timeout": 1000 * PATIENCE,
    "keepalives_idle": PATIENCE,
    "keepalives_interval": 1,
    "keepalives_count": PATIENCE,
    "application_name": "davidgoliath",
}
FAILURES: Final = (psycopg.Error, PoolTimeout, PoolClosed)

logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # that it can't connect is said by whoever asks


def with_defaults(address: str) -> str:
    """An address with all that it leaves open."""
    try:
        given = conninfo.conninfo_to_dict(address)
    except psycopg.ProgrammingError as error:
        raise Refusal(StoreFailure.STORE_NO_ADDRESS, why=_in_a_line(error)) from None
    return conninfo.make_conninfo(address, **{name: value for name, value in DEFAULTS.items() if name not in given})


def shown(address: str) -> str:
    """Which database it is, without a password.

    >>> shown("postgresql://anna:secret@db.example/club")
    'club on db.example'
    >>> shown("postgresql:///club?host=/run/postgresql")
    'club on /run/postgresql'
    """
    try:
        given = conninfo.conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        return "PostgreSQL"
    return f"{given.get('dbname') or 'PostgreSQL'} on {given.get('host') or 'localhost'}"


async def connect(address: str, *, is_pooled: bool = False) -> Connection:
    """A connection on which each statement is a transaction.

    A pooler in between may give every statement another connection, where what was prepared is unknown.
    """
    return await psycopg.AsyncConnection.connect(
        with_defaults(address), autocommit=True, prepare_threshold=None if is_pooled else 5
    )


def make_pool(address: str, *, is_pooled: bool = False) -> Pool:
    return AsyncConnectionPool(
        with_defaults(address),
        kwargs={"autocommit": True, "prepare_threshold": None if is_pooled else 5},
        min_size=1,
        max_size=CONNECTIONS,
        timeout=PATIENCE,
        reconnect_timeout=0,  # whoever asks next tries again
        open=False,
    )


async def answer(connection: Connection, asking: Coroutine[Any, Any, T], seconds: float) -> T:
    """What comes of asking. After so many seconds the connection is broken off, and whoever waits for it notices."""
    task = asyncio.create_task(asking)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())  # no news, if nobody waits any longer
    try:
        await asyncio.wait([task], timeout=seconds)
    finally:
        if not task.done():
            break_off(connection)
    return await task


def break_off(connection: Connection) -> None:
    """As if the other side had gone: without a farewell, which nobody might answer.

    The socket is closed by whoever uses it. Were it closed here, its number could be somebody else's before they know.
    """
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)


def explained(error: Exception, name: str) -> Refusal:
    """What an error means to whoever runs the server."""
    match error:
        case PoolClosed():
            return Refusal(StoreFailure.STORE_CLOSED)
        case psycopg.errors.DiskFull():
            return Refusal(StoreFailure.STORE_FULL, file=name)
        case psycopg.errors.ReadOnlySqlTransaction() | psycopg.errors.InsufficientPrivilege():
            return Refusal(StoreFailure.STORE_READ_ONLY, file=name)
        case psycopg.errors.DeadlockDetected() | psycopg.errors.LockNotAvailable() | psycopg.errors.QueryCanceled():
            return Refusal(StoreFailure.STORE_BUSY, file=name)
        case psycopg.OperationalError() | psycopg.InterfaceError() | PoolTimeout():
            return Refusal(StoreFailure.STORE_AWAY, file=name, why=_in_a_line(error))
        case _:
            return Refusal(StoreFailure.STORE_TROUBLE, file=name, why=_in_a_line(error))


def _in_a_line(error: Exception) -> str:
    """What PostgreSQL says first."""
    return str(error).strip().partition("\n")[0]
