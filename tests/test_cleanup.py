"""The clean-up that a server does by itself, at clocks that the test sets. What a sweep deletes: `test_store`."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from davidgoliath.server.config import Offer
from davidgoliath.server.peers.alone import Alone
from davidgoliath.server.store import cleanup
from davidgoliath.server.store.cleanup import keep_swept
from davidgoliath.server.store.contract import DAY, Stage, Store, Swept, TableRow
from davidgoliath.server.store.opening import open_postgres
from davidgoliath.server.store.sqlite.store import SqliteStore
from tests.stores import event, run

QUICK = 0.01


class Clocks:
    """The time of day, and that which only runs."""

    def __init__(self, day: float = 0.0) -> None:
        self.day, self.ran = day, 0.0


@asynccontextmanager
async def sweeping(clocks: Clocks, *stores: Store, every: float = QUICK) -> AsyncIterator[None]:
    """A server for each of these stores sweeps meanwhile."""
    offer = Offer(unstarted_days=2, idle_days=5)
    sweep = partial(keep_swept, every=every, now=lambda: clocks.day, clock=lambda: clocks.ran)
    tasks = [asyncio.create_task(sweep(store, offer, peers=store.peers())) for store in stores]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def fill(store: Store) -> None:
    await store.create_table(TableRow("waiting", 0.0))
    await store.create_table(TableRow("running", 0.0, Stage.RUNNING), event(1))


async def tables(store: Store) -> set[str]:
    return {entry.table.id for entry in await store.tables()}


async def some_sweeps() -> None:
    await asyncio.sleep(10 * QUICK)


def test_a_server_sweeps_again_and_again_and_says_what_went(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        store, clocks = SqliteStore(tmp_path / "tables.db"), Clocks()
        await fill(store)
        with caplog.at_level(logging.DEBUG, cleanup.__name__):
            async with sweeping(clocks, store):
                for day, left in ((1, {"waiting", "running"}), (3, {"running"}), (6, set())):
                    clocks.day = day * DAY
                    before = await tables(store)
                    await some_sweeps()
                    assert await tables(store) == before
                    await store.count_running(DAY)
                    while await tables(store) != left:
                        await asyncio.sleep(QUICK)
                await some_sweeps()
        await store.close()
        said = [(record.levelname, record.getMessage(), record.fields) for record in caplog.records]  # type: ignore[attr-defined]
        assert said == 2 * [("WARNING", "swept", {"tables": 1, "persons": 0, "learners": 0})]

    run(test)


class Counting:
    """As much of a store as counts what it is told."""

    def __init__(self) -> None:
        self.counted: list[float] = []

    async def count_running(self, seconds: float) -> None:
        self.counted.append(seconds)

    async def sweep(self, *_: object) -> Swept:
        return Swept((), ())


@pytest.mark.parametrize(
    ("ran", "counted"),
    [
        ([0.0, 5.0, 11.0], [0.0, 5.0, 6.0]),
        ([7e9, 7e9 + 5.0], [0.0, 5.0]),
        ([0.0, 7e9, 7e9 + 6.0], [0.0, 6.0, 6.0]),  # nobody knows what became of the rest
    ],
)
def test_the_time_that_a_server_runs_is_counted(
    ran: Sequence[float], counted: Sequence[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([ran[0], *(time for time in ran for _ in range(2))])
    real_sleep = asyncio.sleep

    async def at_once(_: float) -> None:
        await real_sleep(0)

    class Unhurried(Alone):
        @asynccontextmanager
        async def duty(self, name: str, every: float) -> AsyncIterator[bool]:
            yield True

    async def test() -> None:
        store = Counting()
        monkeypatch.setattr(asyncio, "sleep", at_once)
        with pytest.raises(RuntimeError, match="StopIteration"):
            await keep_swept(store, Offer(), peers=Unhurried(), every=60.0, clock=lambda: next(times))  # type: ignore
        assert store.counted == counted

    asyncio.run(test())


def test_several_servers_count_no_more_time_than_one(new_database: Callable[[], str]) -> None:
    """On PostgreSQL one of them counts, whichever; each look counts at most what lies between two."""
    address = new_database()

    async def test() -> None:
        stores = [await open_postgres(address) for _ in range(3)]
        clocks, every = Clocks(), 1.0
        begun = asyncio.get_running_loop().time()
        async with sweeping(clocks, *stores, every=every):
            for _ in range(100):
                clocks.ran += 1e6  # as if each of them had run for days since
                await asyncio.sleep(0.01)
        passed = asyncio.get_running_loop().time() - begun
        (row,) = await stores[0].rows("SELECT seconds FROM davidgoliath.running")
        assert 0 < row[0] <= passed + every / cleanup.LOOKS
        for store in stores:
            await store.close()

    run(test)


def test_a_server_that_starts_in_the_future_deletes_nothing(tmp_path: Path) -> None:
    """As a computer without a battery does: the clock is set right some hours later."""

    async def test() -> None:
        file = tmp_path / "tables.db"
        for day in (31, 0, 20_000, 1):
            store = SqliteStore(file)
            await fill(store)
            async with sweeping(Clocks(day * DAY), store):
                await some_sweeps()
                await store.count_running(DAY / 2)
                await some_sweeps()
            assert await tables(store) == {"waiting", "running"}
            await store.close()

    run(test)
