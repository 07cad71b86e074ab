"""Whole stores as JSON Lines, out of one and into another. Each test runs on every kind of store in `stores.KINDS`."""

import io
from collections.abc import Callable

import pytest

from davidgoliath import NotationError
from davidgoliath.server.store.contract import Appended, TableRow
from davidgoliath.server.store.transfer import export_store, import_store
from davidgoliath.server.table.events import VERSION
from davidgoliath.texts import LANGUAGES, Texts
from tests.refusals import refuses
from tests.stores import GAME, Place, event, everything, fill, run

WRITTEN = b'"version":%d' % VERSION
DAMAGES: list[tuple[Callable[[list[bytes]], list[bytes]], str]] = [
    (lambda lines: lines[:-1], "import_cut_short"),
    (lambda lines: [], "import_cut_short"),
    (lambda lines: lines[1:], "no_such_format"),
    (lambda lines: [b'{"format":"davidgoliath-store/2"}', *lines[1:]], "no_such_format"),
    (lambda lines: lines[:-2] + lines[-1:], "import_damaged"),
    (lambda lines: lines[:-3] + lines[-2:], "import_damaged"),
    (lambda lines: [*lines, lines[-1]], "import_damaged"),
    (lambda lines: [*lines[:-1], b'{"rows":12}'], "import_damaged"),
    (lambda lines: [*lines[:3], b"{", *lines[3:]], "json_syntax"),
    (lambda lines: [*lines[:3], b"[" * 100_000, *lines[3:]], "json_syntax"),
    (lambda lines: [*lines[:3], b"[]", *lines[3:]], "not_an_object"),
    (lambda lines: [*lines[:3], b"{}", *lines[3:]], "import_damaged"),
    (lambda lines: [*lines[:3], b'{"friend":{}}', *lines[3:]], "import_damaged"),
    (lambda lines: [*lines[:3], b'{"table":7}', *lines[3:]], "import_damaged"),
    (lambda lines: [*lines[:3], b'{"table":{"id":7,"created":0}}', *lines[3:]], "import_damaged"),
    (lambda lines: [*lines[:3], b'{"table":{"id":"x","created":NaN}}', *lines[3:]], "import_damaged"),
    (lambda lines: [*lines[:3], b'{"table":{"id":"\\ud800","created":0}}', *lines[3:]], "import_damaged"),
    (lambda lines: [line.replace(WRITTEN, b'"version":%d' % -(10**30)) for line in lines], "import_damaged"),
    (lambda lines: [line.replace(b"base64:", b"base64:!") for line in lines], "import_damaged"),
    (lambda lines: [line.replace(b'"person":"ben"', b'"person":"bob"') for line in lines], "import_damaged"),
    (lambda lines: [*lines[:-2], lines[-3], lines[-1]], "import_damaged"),
    (lambda lines: [*lines[:-4], lines[-3], lines[-4], *lines[-2:]], "import_damaged"),
    (lambda lines: [line.replace(b'\\"locked\\"', b'\\"blocked\\"') for line in lines], "import_unreadable"),
    (lambda lines: [line.replace(b'\\"created\\"', b'\\"ended\\"') for line in lines], "import_unreadable"),
    (lambda lines: [line.replace(b'\\"type\\"', b'\\"type') for line in lines], "import_unreadable"),
    (lambda lines: [line.replace(b'"seq":4,' + WRITTEN, b'"seq":4,"version":99') for line in lines], "import_newer"),
]


def test_an_export_imports_into_another_store(place: Place) -> None:
    async def test() -> None:
        file = io.BytesIO()
        async with place.open() as store, place.other() as other:
            await fill(store, GAME)
            assert await export_store(store, file) == 13
            assert file.getvalue().count(b"\n") == 15
            assert await import_store(other, file.getvalue().splitlines(keepends=True)) == 13
            assert await everything(other) == await everything(store)
            assert await other.append("t1", 5, event(5)) is Appended.DONE
            # beside what is there, as long as nothing is there twice
            await other.delete_table("t1")
            await other.delete_table("t2")
            await other.delete_person("ann")
            await other.delete_person("ben")
            await other.create_table(TableRow("own", 0.0))
            assert await import_store(other, file.getvalue().splitlines()) == 13
            assert len(await other.tables()) == 3

    run(test)


def test_an_import_with_duplicates_changes_nothing(place: Place) -> None:
    async def test() -> None:
        file = io.BytesIO()
        async with place.open() as store, place.other() as other:
            await fill(store, GAME)
            await export_store(store, file)
            await other.create_table(TableRow("t2", 0.0))
            before = await everything(other)
            with pytest.raises(NotationError) as error:
                await import_store(other, file.getvalue().splitlines())
            assert (error.value.reason, error.value.arguments["text"]) == ("import_duplicate", "t2")
            assert b'"t2"' in file.getvalue().splitlines()[(error.value.line or 0) - 1]
            assert await everything(other) == before
            with refuses("import_duplicate"):
                await import_store(store, file.getvalue().splitlines())

    run(test)


def test_a_damaged_import_changes_nothing(place: Place) -> None:
    async def test() -> None:
        file = io.BytesIO()
        async with place.open() as store, place.other() as other:
            await fill(store, GAME)
            await export_store(store, file)
            for change, reason in DAMAGES:
                with refuses(reason) as error:
                    await import_store(other, change(file.getvalue().splitlines()))
                assert await everything(other) == []
                for language in LANGUAGES:
                    assert Texts(language).error(error.value)
                if "unreadable" in reason or "newer" in reason:
                    assert isinstance(error.value, NotationError)
                    assert (error.value.line, error.value.arguments["text"]) in [(11, "t1"), (13, "t1"), (14, "t1")]

    run(test)


def test_tables_that_want_to_be_found_are_found_in_the_other_store_too(place: Place) -> None:
    async def test() -> None:
        file = io.BytesIO()
        async with place.open() as store, place.other() as other:
            await store.create_table(TableRow("found", 1.0, is_listed=True), GAME[0])
            await store.create_table(TableRow("hidden", 1.0), GAME[0])
            await export_store(store, file)
            await import_store(other, file.getvalue().splitlines())
            assert [entry.table.id for entry in await other.listed(9)] == ["found"]
            await other.delete_table("found")
            await other.delete_table("hidden")
            older = file.getvalue().replace(b',"is_listed":true', b"").replace(b',"is_listed":false', b"")
            assert await import_store(other, older.splitlines()) == 4
            assert await other.listed(9) == []

    run(test)
