"""`python -m tests.appender ADDRESS RUN`: plays many tables at once until it is killed.

Each acknowledged event goes to standard output, `table seq body`, right after the acknowledgement.
"""

import asyncio
import os
import sys

from davidgoliath.server.store.contract import Appended, Store, Stored, TableRow
from tests.stores import opened

TABLES = 12


async def _play(store: Store, table: str, run: str) -> None:
    await store.create_table(TableRow(table, 0.0))
    seq = len(await store.events(table))
    while True:
        events = [Stored(1, 0.0, f"{run}-{table}-{seq + 1 + more}".encode()) for more in range(1 + seq % 3)]
        assert await store.append(table, seq + 1, *events) is Appended.DONE
        for event in events:
            seq += 1
            os.write(1, f"{table} {seq} {event.body.decode()}\n".encode())


async def main(address: str, run: str) -> None:
    async with opened(address) as store:
        await asyncio.gather(*(_play(store, f"t{number}", run) for number in range(TABLES)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
