"""Commands for who runs a server, from `list` to `copy`. None shows a name or a card."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from davidgoliath.cli.output import FILE, ON_DISK, STANDARD, progress, say
from davidgoliath.cli.reader import JSON_LINES, TEXTS, CommandReason, Group, option
from davidgoliath.rules import Refusal
from davidgoliath.terminal import columns

if TYPE_CHECKING:
    from davidgoliath.server.store.contract import Listed, Store

T = TypeVar("T")

DATABASE: Final = option("--database", text="cli.serve.database")
BACKUP: Final = click.argument("file", type=ON_DISK)
EXPORT: Final = click.argument("file", type=FILE)
HEADINGS: Final = ("tables.id", "tables.created", "tables.active", "tables.stage", "tables.events")
FINISHED: Final = "finished"
STAGES: Final = {
    "waiting": "tables.waiting",
    "running": "tables.running",
    FINISHED: "tables.finished",
    "over": "tables.over",
}


@click.group(cls=Group, help=TEXTS("cli.tables"))
def tables() -> None:
    pass


@tables.command("list", help=TEXTS("cli.tables.list"))
@DATABASE
@JSON_LINES
def show(database: str | None, as_json: bool) -> None:
    listed = _with_store(database, _listed)
    rows = [list(map(TEXTS, HEADINGS))]
    for entry, is_finished in listed:
        table, stage = entry.table, FINISHED if is_finished else entry.table.stage
        created, active = (datetime.fromtimestamp(at, UTC) for at in (table.created, entry.active))
        if as_json:
            times = {"created": created.isoformat(timespec="seconds"), "active": active.isoformat(timespec="seconds")}
            click.echo(json.dumps({"id": table.id, **times, "stage": stage, "events": entry.seq}))
        rows.append([table.id, _local(created), _local(active), TEXTS(STAGES[stage]), str(entry.seq)])
    if not as_json:
        say("\n".join(columns(rows, right={4})) if listed else TEXTS("tables.none"))


async def _listed(store: "Store") -> "list[tuple[Listed, bool]]":
    """All tables, and whether their match is over: for another one a table stays open."""
    from davidgoliath.server.rooms.overview import Overview

    return await Overview(store).finished(await store.tables())


@tables.command(help=TEXTS("cli.tables.close"))
@click.argument("table")
@DATABASE
def close(table: str, database: str | None) -> None:
    if not _with_store(database, lambda store: store.close_table(table)):
        raise Refusal(CommandReason.TABLE_UNKNOWN, text=table)
    say(TEXTS("tables.closed", table=table))


@tables.command(help=TEXTS("cli.tables.delete"))
@click.argument("table")
@DATABASE
def delete(table: str, database: str | None) -> None:
    if not _with_store(database, lambda store: store.delete_table(table)):
        raise Refusal(CommandReason.TABLE_UNKNOWN, text=table)
    say(TEXTS("tables.deleted", table=table))


@tables.command(help=TEXTS("cli.tables.backup"))
@BACKUP
@DATABASE
def backup(file: Path, database: str | None) -> None:
    _with_store(database, lambda store: _backup(store, file))
    say(TEXTS("tables.backed_up", file=file))


async def _backup(store: "Store", file: Path) -> None:
    from davidgoliath.server.store.sqlite.store import SqliteStore

    if not isinstance(store, SqliteStore):
        raise Refusal(CommandReason.BACKUP_ELSEWHERE, file=f"--file {file}")
    await store.backup(file)


@tables.command(help=TEXTS("cli.tables.restore"))
@BACKUP
@DATABASE
def restore(file: Path, database: str | None) -> None:
    from davidgoliath.server.store.opening import is_postgres
    from davidgoliath.server.store.sqlite.restore import restore as put_in_place
    from davidgoliath.server.store.sqlite.store import default_file

    if is_postgres(database):
        raise Refusal(CommandReason.RESTORE_ELSEWHERE, file=file)
    target = Path(database) if database else default_file()
    with progress(1) as bar:

        def show(done: int, pages: int) -> None:
            bar.length = pages
            bar.update(done - bar.pos)

        held, kept = put_in_place(file, target, datetime.now(UTC), show)
    say(TEXTS("tables.restored", file=target, count=held))
    if kept:
        say(TEXTS("tables.kept", kept=kept))


@tables.command("export", help=TEXTS("cli.tables.export"))
@EXPORT
@DATABASE
def export_(file: Path, database: str | None) -> None:
    count = _with_store(database, lambda store: _export(store, file))
    if file != STANDARD:
        say(TEXTS("tables.exported", count=count, file=file))


async def _export(store: "Store", file: Path) -> int:
    from davidgoliath.server.store.sqlite.private_files import new_file
    from davidgoliath.server.store.transfer import export_store

    if file == STANDARD:
        return await export_store(store, sys.stdout.buffer)
    with new_file(file) as beside, beside.open("wb") as stream:
        return await export_store(store, stream)


@tables.command("import", help=TEXTS("cli.tables.import"))
@EXPORT
@DATABASE
def import_(file: Path, database: str | None) -> None:
    with nullcontext(sys.stdin.buffer) if file == STANDARD else file.open("rb") as stream:
        count = _with_store(database, lambda store: _import(store, stream), new=True)
    say(TEXTS("tables.imported", count=count, file=file))


async def _import(store: "Store", lines: Any) -> int:
    from davidgoliath.server.store.transfer import import_store

    return await import_store(store, lines)


@tables.command(help=TEXTS("cli.tables.copy"))
@click.argument("to")
@DATABASE
def copy(to: str, database: str | None) -> None:
    count = _with_store(database, lambda store: _copy(store, to))
    say(TEXTS("tables.copied", count=count))


async def _copy(store: "Store", to: str) -> int:
    from davidgoliath.server.store.opening import open_store
    from davidgoliath.server.store.transfer import copy_store

    if instance := await store.announced():
        raise Refusal(CommandReason.SERVER_RUNS, address=instance.address)
    target = await open_store(to)
    try:
        return await copy_store(store, target)
    finally:
        await target.close()


def _with_store(database: str | None, work: "Callable[[Store], Awaitable[T]]", *, new: bool = False) -> T:
    """Does something with a store; a database that isn't there is made only if a new one is wanted."""
    from davidgoliath.server.store.opening import open_store

    async def main() -> T:
        store = await open_store(database, must_exist=not new)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(main())


def _local(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
