"""The kinds of store that the contract in `test_store` is tested on.

A store is known by its address, a text, so that another process can open it too.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.store.contract import DAY, MemberRow, PersonRow, Row, Store, Stored, Swept, TableRow, TokenRow
from davidgoliath.server.store.opening import open_store
from davidgoliath.server.table.events import VERSION, AnyEvent, Created, Locked, Sat, encode

KINDS = ("sqlite", "postgresql")


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    store = await open_store(address)
    try:
        yield store
    finally:
        await store.close()


@dataclass(frozen=True)
class Place:
    """Where the test's store is, and another one of the same kind."""

    address: str
    new_address: Callable[[], str]

    def open(self) -> AbstractAsyncContextManager[Store]:
        return opened(self.address)

    def other(self) -> AbstractAsyncContextManager[Store]:
        return opened(self.new_address())


def event(number: int, at: float = 0.0) -> Stored:
    return Stored(1, at, b'{"n":%d}' % number)


ODD = (event(1, 20.0), event(2, 21.0), Stored(7, 22.125, b"\xff\x00base64:"), Stored(1, 23.0, b"base64:"))
"""Events as only a store takes them: one is of another version, and not text."""
_BEGUN: list[AnyEvent] = [
    Created("ann", ("ann", None, "bot:club"), "classic"),
    Sat(1, "ben"),
    Locked(True),
    Locked(False),
]
GAME = tuple(Stored(VERSION, 20.0 + number, encode(event)) for number, event in enumerate(_BEGUN))
"""Events that make a table."""


async def fill(store: Store, events: Sequence[Stored] = ODD) -> None:
    """Two persons at two tables, one of them with four events."""
    for name in ("ann", "ben"):
        person = PersonRow(name, name.title(), 10.0)
        assert await store.add_person(person, TokenRow(token_hash(name), name, 11.0))
    assert await store.create_table(TableRow("t1", 20.0), *events[:2])
    assert await store.create_table(TableRow("t2", 30.5))
    assert await store.join(MemberRow("t1", "ann", 20.0))
    assert await store.join(MemberRow("t1", "ben", 21.0))
    assert await store.join(MemberRow("t2", "ann", 31.0))
    await store.append("t1", 3, *events[2:])


AGES: dict[str, Any] = {"unstarted_for": DAY, "idle_for": 30 * DAY, "figures_for": 365 * DAY}


async def sweep_surely(store: Store, now: float, **terms: Any) -> Swept:
    """What goes at this time, when servers have run for a day at it."""
    assert await store.sweep(now, **{**AGES, **terms}) == Swept((), ())
    await store.count_running(DAY)
    return await store.sweep(now, **{**AGES, **terms})


async def everything(store: Store) -> list[Row]:
    rows: list[Row] = []
    await store.dump(rows.append)
    return rows


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def timed() -> None:
        await asyncio.wait_for(test(), 60)

    asyncio.run(timed())
