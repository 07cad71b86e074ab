"""Opens a store by its address: a file for SQLite, `postgresql://…` for PostgreSQL."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from davidgoliath.rules import Refusal
from davidgoliath.server.store.contract import Store, StoreReason
from davidgoliath.server.store.sqlite.store import SqliteStore, default_file

if TYPE_CHECKING:
    from davidgoliath.server.store.postgres.store import PostgresStore

SCHEMES: Final = ("postgresql://", "postgres://")


def is_postgres(address: str | None) -> bool:
    """Whether an address leads to PostgreSQL.

    >>> is_postgres("postgresql://db.example/club"), is_postgres("tables.db"), is_postgres(None)
    (True, False, False)
    """
    return address is not None and address.startswith(SCHEMES)


async def open_store(
    address: str | None, listen_address: str | None = None, *, must_exist: bool = False, checks: bool = False
) -> Store:
    """The store at an address, or in the user's data directory. A new file is made unless it must exist.

    Whoever is to run on it for long `checks` a file first.
    """
    if address is not None and is_postgres(address):
        return await open_postgres(address, listen_address)
    file = Path(address) if address else default_file()
    if must_exist and not file.exists():
        raise Refusal(StoreReason.NO_DATABASE, file=file)
    return SqliteStore(file, checks=checks)


async def open_postgres(address: str, listen_address: str | None = None) -> "PostgresStore":
    """What PostgreSQL needs is an extra, and loaded only here."""
    try:
        from davidgoliath.server.store.postgres.store import PostgresStore
    except ImportError:
        raise Refusal(StoreReason.NO_POSTGRESQL) from None
    return await PostgresStore.open(address, listen_address)
