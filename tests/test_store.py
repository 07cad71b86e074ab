"""What every store promises (`server/store/contract.py`): each test runs on every kind of store in `stores.KINDS`."""

import asyncio
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from davidgoliath import Refusal
from davidgoliath.server.people.tokens import new_token, token_hash
from davidgoliath.server.store.contract import (
    DAY,
    Appended,
    EventRow,
    Instance,
    MemberRow,
    PersonRow,
    Stage,
    Store,
    Stored,
    Swept,
    TableRow,
    TokenRow,
)
from tests.appender import TABLES
from tests.marks import slow
from tests.refusals import refuses
from tests.stores import AGES, Place, event, everything, fill, run, sweep_surely

CRASHES = int(os.environ.get("DAVIDGOLIATH_CRASHES", "3"))
"""How often a process is killed: more on request."""
ROOT = Path(__file__).parent.parent
ONE_SERVER = pytest.mark.parametrize("place", ["sqlite"], indirect=True)
"""Only on PostgreSQL there may be any number of servers."""


def test_events_come_back_as_they_were_also_after_reopening(place: Place) -> None:
    events = [Stored(1, 0.1, b"{}"), Stored(2**40, 1e9 + 1 / 3, bytes(range(256))), Stored(3, -1.0, b"")]

    async def test() -> None:
        async with place.open() as store:
            assert await store.create_table(TableRow("t", 5.0), events[0])
            assert await store.append("t", 2, *events[1:]) is Appended.DONE
            assert await store.events("t") == events
        async with place.open() as store:
            assert await store.table("t") == TableRow("t", 5.0)
            assert await store.events("t") == events
            assert await store.events("t", since=1) == events[1:]
            assert await store.events("t", since=3) == await store.events("t", since=99) == []
            assert await store.events("nowhere") == []

    run(test)


def test_a_taken_number_a_gap_and_a_missing_table_are_answers(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            assert await store.append("t", 1, event(1)) is Appended.NO_TABLE
            assert await store.create_table(TableRow("t", 0.0))
            assert not await store.create_table(TableRow("t", 1.0), event(9))
            assert await store.append("t", 2, event(2)) is Appended.GAP
            assert await store.append("t", 0, event(0)) is Appended.TAKEN
            assert await store.append("t", 1, event(1)) is Appended.DONE
            assert await store.append("t", 1, event(1), event(2)) is Appended.TAKEN
            assert await store.events("t") == [event(1)]

    run(test)


def test_of_a_race_for_one_number_one_wins(place: Place) -> None:
    async def test() -> None:
        async with place.open() as one, place.open() as two:
            await one.create_table(TableRow("t", 0.0))
            for seq in range(1, 11):
                racers = [(one, two)[number % 2].append("t", seq, event(number)) for number in range(20)]
                answers = await asyncio.gather(*racers)
                assert sorted(answer.name for answer in answers) == ["DONE"] + 19 * ["TAKEN"]
                won = answers.index(Appended.DONE)
                assert await one.events("t", seq - 1) == await two.events("t", seq - 1) == [event(won)]

    run(test)


def test_a_table_that_cannot_be_is_none_and_harms_nobody_who_asks_meanwhile(place: Place) -> None:
    """As somebody may type it into an address: what many ask at once is one statement."""

    async def test() -> None:
        async with place.open() as store:
            await store.create_table(TableRow("t", 0.0), event(1))
            names = ("t", "\0", "t\0", "t", "", "\ufffd", "t")
            answers = await asyncio.gather(*map(store.events, names))
            assert answers == [[event(1)] if name == "t" else [] for name in names]
            tables = await asyncio.gather(*map(store.table, names))
            assert tables == [TableRow("t", 0.0) if name == "t" else None for name in names]

    run(test)


def test_a_stage_comes_with_its_event_and_a_closed_table_gets_no_more(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await store.create_table(TableRow("t", 0.0))
            await store.create_table(TableRow("u", 0.0))
            assert await store.append("t", 2, event(2), stage=Stage.RUNNING) is Appended.GAP
            assert await store.table("t") == TableRow("t", 0.0, Stage.UNSTARTED)
            assert await store.append("t", 1, event(1, 3.0), stage=Stage.RUNNING) is Appended.DONE
            assert await store.table("t") == TableRow("t", 0.0, Stage.RUNNING)
            assert [listed.table.id for listed in await store.tables(Stage.RUNNING)] == ["t"]
            assert await store.close_table("t")
            assert await store.append("t", 2, event(2)) is Appended.OVER
            assert await store.append("t", 1, event(2)) is Appended.TAKEN
            assert await store.append("u", 1, event(1), stage=Stage.OVER) is Appended.DONE
            assert await store.append("u", 2, event(2)) is Appended.OVER
            assert not await store.close_table("nowhere")

    run(test)


def test_tables_are_listed_by_activity_and_deleted_with_their_events(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await fill(store)
            listed = await store.tables()
            assert [(one.table.id, one.seq, one.active) for one in listed] == [("t2", 0, 30.5), ("t1", 4, 23.0)]
            assert await store.delete_table("t1")
            assert not await store.delete_table("t1")
            assert await store.table("t1") is None
            assert await store.events("t1") == []
            assert await store.append("t1", 5, event(5)) is Appended.NO_TABLE
            assert not any(isinstance(row, EventRow) for row in await everything(store))
            assert set(await store.persons("ann", "ben")) == {"ann", "ben"}

    run(test)


def test_clean_up(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await store.create_table(TableRow("unstarted", 0.0), event(1, 0.0))
            await store.create_table(TableRow("gathering", 0.0), event(1, 0.9 * DAY))
            await store.create_table(TableRow("running", 0.0, Stage.RUNNING), event(1, 0.0))
            await store.create_table(TableRow("over", 0.0, Stage.OVER), event(1, 20 * DAY))
            for name, table in (("player", "over"), ("stranger", None), ("idler", "running")):
                await store.add_person(PersonRow(name, name, 0.0), TokenRow(token_hash(name), name, 0.0))
                if table:
                    await store.join(MemberRow(table, name, 0.0))
            await store.add_person(PersonRow("new", "New", 25 * DAY), TokenRow(token_hash("new"), "new", 0.0))

            assert await sweep_surely(store, 0.5 * DAY) == Swept((), ())
            assert await sweep_surely(store, 1.5 * DAY) == Swept(("unstarted",), ())
            assert await sweep_surely(store, 2 * DAY) == Swept(("gathering",), ())
            assert await sweep_surely(store, 31 * DAY) == Swept(("running",), ("stranger",))
            assert await sweep_surely(store, 31 * DAY) == Swept((), ("idler",))
            assert await store.person_of(token_hash("idler")) is None
            assert await sweep_surely(store, 40 * DAY, idle_for=1e9) == Swept((), ())
            assert await sweep_surely(store, 40 * DAY, idle_for=19 * DAY) == Swept(("over",), ())
            assert await sweep_surely(store, 40 * DAY, idle_for=19 * DAY) == Swept((), ("player",))
            assert set(await store.persons("new", "player")) == {"new"}

    run(test)


def test_tables_in_use_are_not_swept(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            for name in ("used", "unused"):
                await store.create_table(TableRow(name, 0.0))
            assert (await sweep_surely(store, 40 * DAY, in_use={"used"})).tables == ("unused",)
            assert (await sweep_surely(store, 40 * DAY)).tables == ("used",)
            await store.create_table(TableRow("again", 0.0))
            await store.sweep(40 * DAY, **AGES)
            await store.count_running(DAY)
            await store.sweep(40 * DAY, **AGES, in_use={"again"})
            assert (await sweep_surely(store, 40 * DAY)).tables == ("again",)  # all over from there

    run(test)


HOUR = DAY / 24


async def run_for(store: Store, hours: int, now: float) -> Swept:
    """All that goes while a server runs and sweeps each hour, at a clock that says about the same."""
    tables: list[str] = []
    persons: list[str] = []
    for hour in range(hours):
        await store.count_running(HOUR)
        swept = await store.sweep(now + hour * HOUR, **AGES)
        tables += swept.tables
        persons += swept.persons
    return Swept(tuple(tables), tuple(persons))


@pytest.mark.parametrize("wrong", [20_000 * DAY, *slow(31 * DAY, -31 * DAY, -20_000 * DAY)])
def test_a_clock_that_is_wrong_for_less_than_a_day_deletes_nothing(place: Place, wrong: float) -> None:
    """Ahead or behind, again and again, with restarts between: each time somebody sets it right, all is forgotten."""
    right = 20_000 * DAY

    async def test() -> None:
        async with place.open() as store:
            await store.create_table(TableRow("waiting", right), event(1, right))
            await store.create_table(TableRow("running", right, Stage.RUNNING), event(1, right))
            await store.add_person(PersonRow("ann", "Ann", right), TokenRow(token_hash("ann"), "ann", right))
        for _ in range(3):
            for _ in range(2):
                async with place.open() as store:
                    assert await run_for(store, 12, right + wrong) == Swept((), ())
            async with place.open() as store:
                assert await store.sweep(right + HOUR, **AGES) == Swept((), ())
        async with place.open() as store:
            assert {entry.table.id for entry in await store.tables()} == {"waiting", "running"}
            assert set(await store.persons("ann")) == {"ann"}

    run(test)


def test_what_is_idle_goes_after_a_day_of_running_time_in_all(place: Place) -> None:
    async def test() -> None:
        now = 40 * DAY
        async with place.open() as store:
            await store.create_table(TableRow("t", 0.0, Stage.RUNNING), event(1, 0.0))
            await store.add_person(PersonRow("ann", "Ann", 0.0), TokenRow(token_hash("ann"), "ann", 0.0))
        for start in range(3):  # eight hours each evening; the nights don't count
            async with place.open() as store:
                assert await run_for(store, 8, now + start * DAY) == Swept((), ())
        async with place.open() as store:
            assert await run_for(store, 1, now + 3 * DAY) == Swept(("t",), ("ann",))

    run(test)


def test_only_tables_that_want_to_be_found_are_found(place: Place) -> None:
    async def found(store: Store, most: int = 9) -> list[str]:
        return [entry.table.id for entry in await store.listed(most)]

    async def test() -> None:
        async with place.open() as store:
            await store.create_table(TableRow("old", 1.0, is_listed=True), event(1, 1.0))
            await store.create_table(TableRow("new", 2.0, is_listed=True), event(1, 2.0))
            for number in range(30):
                await store.create_table(TableRow(f"hidden{number}", 3.0), event(1, 3.0))
            assert (await found(store), await found(store, 1)) == (["new", "old"], ["new"])
            assert await store.table("old") == TableRow("old", 1.0, is_listed=True)
            assert await store.table("hidden0") == TableRow("hidden0", 3.0)
            await store.append("old", 2, event(2, 4.0))
            await store.append("new", 2, event(2, 4.0), is_listed=False)
            await store.append("hidden0", 2, event(2, 5.0), is_listed=True)
            await store.append("hidden1", 3, event(3, 5.0), is_listed=True)  # a gap: nothing of it is stored
            assert await found(store) == ["hidden0", "old"]
            await store.append("hidden0", 3, event(3, 6.0), is_listed=True)
            await store.append("hidden0", 4, event(4, 6.0), stage=Stage.RUNNING)
            await store.delete_table("old")
            assert await found(store) == []

    run(test)


def test_a_table_has_one_code_for_as_long_as_it_waits(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            for name in ("a", "b", "c"):
                await store.create_table(TableRow(name, 0.0), event(1))
            assert await store.code("a", "KPRTXW") == "KPRTXW"
            assert await store.code("a", "BBBBBB") == "KPRTXW"
            assert await store.code("b", "KPRTXW") is None, "it is taken"
            assert await store.code("b", "DDDDDD") == "DDDDDD"
            assert await store.code("nowhere", "FFFFFF") is None
            assert [await store.table_of(code) for code in ("KPRTXW", "DDDDDD", "BBBBBB", "")] == ["a", "b", None, None]
            made = set(await asyncio.gather(*(store.code("c", f"CCCCC{letter}") for letter in "BCDFGHJKLM")))
            assert len(made) == 1
            assert await store.table_of(str(made.pop())) == "c"
        async with place.open() as store:
            assert await store.table_of("KPRTXW") == "a"
            assert await store.append("a", 2, event(2), stage=Stage.UNSTARTED) is Appended.DONE
            assert await store.table_of("KPRTXW") == "a"
            assert await store.append("a", 3, event(3), stage=Stage.RUNNING) is Appended.DONE
            await store.close_table("b")
            await store.delete_table("c")
            for name, code in (("a", "KPRTXW"), ("b", "DDDDDD"), ("c", "CCCCCB")):
                assert await store.table_of(code) is None
                assert await store.code(name, code) is None
            await store.create_table(TableRow("d", 0.0))
            assert await store.code("d", "KPRTXW") == "KPRTXW", "it is free again"
            rows = await everything(store)
            async with place.other() as other:
                await other.load(rows)
                assert await other.table_of("KPRTXW") is None
                assert await other.code("d", "GGGGGG") == "GGGGGG"

    run(test)


def test_of_a_start_and_a_code_at_the_same_time_no_code_is_left(place: Place) -> None:
    async def test() -> None:
        async with place.open() as one, place.open() as two:
            for number in range(20):
                name = f"t{number}"
                await one.create_table(TableRow(name, 0.0), event(1))
                _, code = await asyncio.gather(
                    one.append(name, 2, event(2), stage=Stage.RUNNING), two.code(name, f"BBBB{number}")
                )
                assert code in (None, f"BBBB{number}")
                assert await one.table_of(f"BBBB{number}") is None

    run(test)


def test_many_tables_are_swept(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await asyncio.gather(*(store.create_table(TableRow(f"t{number}", 0.0)) for number in range(120)))
            assert len((await sweep_surely(store, 2 * DAY)).tables) == 120
            assert await store.tables() == []

    run(test)


def test_a_chosen_stone_is_kept_with_the_person(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await fill(store)
            assert (await store.persons("ann"))["ann"].stone is None
            assert await store.choose_stone("ann", "flat cyan")
            assert await store.choose_stone("ann", "tall ink")
            assert not await store.choose_stone("nobody", "tall ink")
            assert {name: row.stone for name, row in (await store.persons("ann", "ben")).items()} == {
                "ann": "tall ink",
                "ben": None,
            }
            assert await store.person_of(token_hash("ann")) == PersonRow("ann", "Ann", 10.0, "tall ink")
            data = await store.personal_data("ann")
            assert data
            assert data.person.stone == "tall ink"
            async with place.other() as copy:
                await copy.load(await everything(store))
                assert await everything(copy) == await everything(store)
                assert (await copy.persons("ann"))["ann"].stone == "tall ink"
            await store.delete_person("ann")
            assert "tall ink" not in str(await everything(store))

    run(test)


def test_persons_are_known_by_any_of_their_tokens(place: Place) -> None:
    first, second = token_hash(new_token()), token_hash(new_token())
    ann = PersonRow("p1", "Ann", 1.0)

    async def test() -> None:
        async with place.open() as store:
            assert await store.add_person(ann, TokenRow(first, "p1", 1.0))
            assert not await store.add_person(PersonRow("p1", "Eve", 2.0), TokenRow(second, "p1", 2.0))
            assert not await store.add_person(PersonRow("p2", "Eve", 2.0), TokenRow(first, "p2", 2.0))
            assert await store.persons("p1", "p2") == {"p1": ann}
            assert await store.person_of(first) == ann
            assert await store.person_of(second) is None
            assert await store.add_token(TokenRow(second, "p1", 2.0), 3)
            assert not await store.add_token(TokenRow(second, "p1", 2.0), 3)
            assert not await store.add_token(TokenRow(token_hash("x"), "nobody", 2.0), 3)
            assert await store.rename("p1", "Anna")
            assert not await store.rename("p2", "Eve")
            assert await store.person_of(second) == PersonRow("p1", "Anna", 1.0)
            assert await store.revoke("p1", second) == 1
            assert await store.revoke("p1", second) == 0
            assert await store.revoke("p1", first) is await store.revoke("p2", second) is None
            assert await store.person_of(first) is None
            assert await store.person_of(second) == PersonRow("p1", "Anna", 1.0)
            assert await store.persons() == {}

    run(test)


def test_nobody_has_more_tokens_than_allowed_and_others_keep_theirs(place: Place) -> None:
    async def test() -> None:
        async with place.open() as one, place.open() as two:
            for name in ("ann", "ben"):
                await one.add_person(PersonRow(name, name, 0.0), TokenRow(token_hash(name), name, 0.0))
            tokens = [TokenRow(token_hash(new_token()), "ann", float(number)) for number in range(20)]
            added = await asyncio.gather(*((one, two)[place % 2].add_token(row, 5) for place, row in enumerate(tokens)))
            assert sum(added) == 4
            assert not await one.add_token(TokenRow(token_hash("more"), "ann", 0.0), 5)
            assert await two.add_token(TokenRow(token_hash("more"), "ben", 0.0), 5)
            assert await one.revoke("ann", token_hash("ann")) == 4
            assert {await two.person_of(row.hash) for row in tokens} == {None}
            assert await two.person_of(token_hash("more"))

    run(test)


def test_of_two_devices_that_sign_each_other_out_one_remains(place: Place) -> None:
    async def test() -> None:
        async with place.open() as one, place.open() as two:
            for attempt in range(10):
                name, hashes = f"p{attempt}", [token_hash(new_token()) for _ in range(2)]
                await one.add_person(PersonRow(name, "Ann", 0.0), TokenRow(hashes[0], name, 0.0))
                await one.add_token(TokenRow(hashes[1], name, 0.0), 5)
                answers = await asyncio.gather(one.revoke(name, hashes[0]), two.revoke(name, hashes[1]))
                assert sorted(answers, key=str) == [1, None]
                left = [await one.person_of(kept) is not None for kept in hashes]
                assert left == [answer == 1 for answer in answers]

    run(test)


def test_my_data_can_be_exported_and_deleted_and_events_stay_without_the_name(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await fill(store)
            assert await store.join(MemberRow("t1", "ann", 99.0))
            assert not await store.join(MemberRow("t1", "nobody", 0.0))
            assert not await store.join(MemberRow("nowhere", "ann", 0.0))
            data = await store.personal_data("ann")
            assert data is not None
            assert (data.person.name, data.tokens) == ("Ann", (11.0,))
            assert [(listed.table.id, listed.seq) for listed in data.tables] == [("t2", 0), ("t1", 4)]

            events = await store.events("t1")
            assert await store.delete_person("ann")
            assert not await store.delete_person("ann")
            assert await store.events("t1") == events
            assert await store.personal_data("ann") is None
            assert await store.person_of(token_hash("ann")) is None
            assert "Ann" not in repr(await everything(store))
            assert [row for row in await everything(store) if "ann" in repr(row)] == []

    run(test)


def test_an_import_that_fails_spares_those_who_write_beside_it(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await store.create_table(TableRow("t", 0.0))
            await store.create_table(TableRow("u", 0.0))
            answers = await asyncio.gather(
                store.append("t", 1, event(1)),
                store.load([TableRow("new", 0.0), TableRow("u", 0.0)]),
                store.append("u", 1, event(1)),
                return_exceptions=True,
            )
            assert isinstance(answers[1], Refusal)
            assert (answers[0], answers[2]) == (Appended.DONE, Appended.DONE)
            assert sorted(listed.table.id for listed in await store.tables()) == ["t", "u"]

    run(test)


@ONE_SERVER
def test_one_server_is_announced_until_it_closes(place: Place) -> None:
    first, second = Instance("http://127.0.0.1:8000/", 1, 5.0), Instance("http://127.0.0.1:8001/", 2, 6.0)

    async def test() -> None:
        async with place.open() as two:
            async with place.open() as one:
                assert await one.announced() is None
                assert await one.announce(first) == first
                assert await one.announced() == await two.announced() == first
                assert await two.announce(second) == first
            assert await two.announced() is None
            assert await two.announce(second) == second
            moved = replace(second, address="http://127.0.0.1:9000/")
            assert await two.announce(moved) == moved == await two.announced()

    run(test)


@ONE_SERVER
def test_of_many_servers_one_is_announced(place: Place) -> None:
    async def test() -> None:
        async with place.open() as one, place.open() as two, place.open() as three:
            stores = [one, two, three]
            asked = [store.announce(Instance(str(number), number, 0.0)) for number, store in enumerate(stores)]
            assert len(set(await asyncio.gather(*asked))) == 1

    run(test)


def test_closing_finishes_what_waits_and_refuses_the_rest(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await asyncio.gather(*(store.create_table(TableRow(f"t{number}", 0.0)) for number in range(100)))
            waiting = [asyncio.create_task(store.append(f"t{number}", 1, event(1))) for number in range(100)]
            await asyncio.sleep(0)
            await store.close()
            assert await asyncio.gather(*waiting) == 100 * [Appended.DONE]
            with refuses("store_closed"):
                await store.append("t1", 2, event(2))
            with refuses("store_closed"):
                await store.events("t1")
            await store.close()
        async with place.open() as store:
            assert {listed.seq for listed in await store.tables()} == {1}

    run(test)


def test_a_cancelled_call_harms_nobody(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await store.create_table(TableRow("t", 0.0))
            tasks = [asyncio.create_task(store.append("t", 1, event(number))) for number in range(20)]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            answers = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(answer, asyncio.CancelledError) for answer in answers[::2])
            assert len(await store.events("t")) == 1
            assert await store.append("t", 2, event(2)) is Appended.DONE

    run(test)


@ONE_SERVER
def test_another_process_finds_the_server_and_a_dead_one_is_stale(place: Place) -> None:
    code = (
        "import asyncio, sys\n"
        "from davidgoliath.server.store.contract import Instance\n"
        "from tests.stores import opened\n"
        "async def main():\n"
        "    async with opened(sys.argv[1]) as store:\n"
        "        await store.announce(Instance('http://here/', 7, 1.0))\n"
        "        print('ready', flush=True)\n"
        "        await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code, place.address], stdout=subprocess.PIPE, cwd=ROOT)

    async def test() -> None:
        assert child.stdout is not None
        assert await asyncio.to_thread(child.stdout.readline) in (b"ready\n", b"ready\r\n")
        async with place.open() as store:
            assert await store.announced() == Instance("http://here/", 7, 1.0)
            child.kill()
            child.wait()
            assert await store.announced() is None

    try:
        run(test)
    finally:
        child.kill()
        child.communicate()


def test_processes_that_open_a_new_store_at_once_share_it(place: Place) -> None:
    code = (
        "import asyncio, sys\n"
        "from davidgoliath.server.store.contract import Stored\n"
        "from tests.stores import opened\n"
        "async def main(address, me):\n"
        "    async with opened(address) as store:\n"
        "        from davidgoliath.server.store.contract import TableRow\n"
        "        await store.create_table(TableRow('t', 0.0))\n"
        "        won = 0\n"
        "        for seq in range(1, 41):\n"
        "            won += (await store.append('t', seq, Stored(1, 0.0, me.encode()))).value == 'done'\n"
        "        print(won)\n"
        "asyncio.run(main(*sys.argv[1:]))\n"
    )
    command = [sys.executable, "-c", code, place.address]
    children = [subprocess.Popen([*command, str(me)], stdout=subprocess.PIPE, cwd=ROOT) for me in range(3)]
    won = [int(child.communicate()[0]) for child in children]

    async def test() -> None:
        async with place.open() as store:
            bodies = [stored.body for stored in await store.events("t")]
            assert [bodies.count(b"%d" % me) for me in range(3)] == won
            assert len(bodies) == 40

    run(test)


def test_no_acknowledged_event_is_lost_or_doubled_by_a_kill(place: Place) -> None:
    """Every child goes on where the one before it was killed, so each crash is also a recovery."""
    rng = Random(os.urandom(8))
    acknowledged: dict[tuple[str, int], str] = {}

    async def check() -> None:
        async with place.open() as store:
            for table in (f"t{number}" for number in range(TABLES)):
                bodies = [stored.body.decode() for stored in await store.events(table)]
                numbers = [body.rpartition("-")[2] for body in bodies]
                assert numbers == [str(number) for number in range(1, len(bodies) + 1)], table
                for (where, seq), body in acknowledged.items():
                    if where == table:
                        assert bodies[seq - 1] == body

    for crash in range(CRASHES):
        _run_and_kill(place, str(crash), rng.randrange(1, 800), acknowledged)
        run(check)
    assert acknowledged


def _run_and_kill(place: Place, name: str, after: int, acknowledged: dict[tuple[str, int], str]) -> None:
    command = [sys.executable, "-m", "tests.appender", place.address, name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        for number, line in enumerate(child.stdout):
            if line.endswith(b"\n"):
                table, seq, body = line.decode().split()
                assert (table, int(seq)) not in acknowledged, "an event was acknowledged twice"
                acknowledged[table, int(seq)] = body
            if number == after:
                child.kill()
