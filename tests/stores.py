"""The kinds of store that the contract in `test_store` is tested on, each with its way to be opened.

A store is known by an address, a text, so that another process can open it too.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from davidgoliath import Refusal
from davidgoliath.server.sqlite import SqliteStore
from davidgoliath.server.store import MemberRow, PersonRow, Row, Store, Stored, TableRow, TokenRow
from davidgoliath.server.tokens import token_hash


@dataclass(frozen=True)
class Kind:
    """A kind of store."""

    new_address: Callable[[Path], str]
    """Where a new, empty store can be, given a folder that the test may use."""
    open: Callable[[str], Awaitable[Store]]


async def _open_sqlite(address: str) -> Store:
    return SqliteStore(address)


KINDS = {"sqlite": Kind(lambda folder: str(folder / "tables.db"), _open_sqlite)}


@asynccontextmanager
async def opened(kind: str, address: str) -> AsyncIterator[Store]:
    store = await KINDS[kind].open(address)
    try:
        yield store
    finally:
        await store.close()


@dataclass(frozen=True)
class Place:
    """Where the test's store is."""

    kind: str
    folder: Path

    @property
    def address(self) -> str:
        return KINDS[self.kind].new_address(self.folder)

    def open(self) -> AbstractAsyncContextManager[Store]:
        return opened(self.kind, self.address)

    def other(self) -> AbstractAsyncContextManager[Store]:
        """Another store of the same kind."""
        beside = self.folder / "other"
        beside.mkdir(exist_ok=True)
        return replace(self, folder=beside).open()


def event(number: int, at: float = 0.0) -> Stored:
    return Stored(1, at, b'{"n":%d}' % number)


async def fill(store: Store) -> None:
    """Two persons at two tables with some events, one of them of another version and not text."""
    for name in ("ann", "ben"):
        person = PersonRow(name, name.title(), 10.0)
        assert await store.add_person(person, TokenRow(token_hash(name), name, 11.0))
    assert await store.create_table(TableRow("t1", 20.0), event(1, 20.0), event(2, 21.0))
    assert await store.create_table(TableRow("t2", 30.5))
    assert await store.join(MemberRow("t1", "ann", 20.0))
    assert await store.join(MemberRow("t1", "ben", 21.0))
    assert await store.join(MemberRow("t2", "ann", 31.0))
    await store.append("t1", 3, Stored(7, 22.125, b"\xff\x00base64:"), Stored(1, 23.0, b"base64:"))


async def everything(store: Store) -> list[Row]:
    rows: list[Row] = []
    await store.dump(rows.append)
    return rows


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def timed() -> None:
        await asyncio.wait_for(test(), 60)

    asyncio.run(timed())


def refused(reason: str) -> "pytest.RaisesExc[Refusal]":
    return pytest.raises(Refusal, match=f"^{reason}( |$)")
