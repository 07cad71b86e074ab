"""What every store promises of reviews and figures: each test runs on every kind of store in `stores.KINDS`."""

import asyncio
import io
from dataclasses import replace

import pytest

from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.store.contract import (
    DAY,
    FigureRow,
    LearnerRow,
    PersonRow,
    ReviewRow,
    ShareRow,
    Store,
    Swept,
    TokenRow,
)
from davidgoliath.server.store.transfer import export_store, import_store
from tests.refusals import refuses
from tests.stores import GAME, Place, everything, fill, run, sweep_surely

MINE = ReviewRow("t1", 1, 0, "ann", "judge 1", b"\x00position", 100.0)
BOTS = ReviewRow("t1", 1, 2, None, "judge 1", b"\xffposition", 100.0)
LOST = FigureRow("ann", "2026-W47", "club", "choices", 12, 3.5)
WON = FigureRow("ann", "2026-W47", "club", "deals", 1, -4.25)


def test_one_of_those_who_ask_works_it_out_and_everyone_has_it(place: Place) -> None:
    async def test() -> None:
        async with place.open() as one, place.open() as two:
            await fill(one, GAME)
            answers = await asyncio.gather(*((one, two)[number % 2].begin_review(MINE, 40.0) for number in range(8)))
            assert sorted(answers) == [False] * 7 + [True]
            assert await two.review("t1", 1, 0) == MINE
            partly = replace(MINE, at=101.0, body=b"so far")
            assert await one.put_review(partly)
            assert await two.review("t1", 1, 0) == partly
            assert not await two.begin_review(replace(MINE, at=102.0), 101.0), "somebody is at it"
            assert await two.begin_review(replace(MINE, at=300.0), 240.0), "that server has stopped"
            final = replace(MINE, at=301.0, is_final=True, body=bytes(10_240))
            assert await two.put_review(final)
            assert await one.review("t1", 1, 0) == final
            assert not await one.begin_review(replace(MINE, at=1e6), 1e6), "it is done"
            assert not await one.put_review(replace(partly, at=302.0)), "whoever is late doesn't undo it"
            assert await two.review("t1", 1, 0) == final
            assert await one.put_review(BOTS)
            assert await one.reviews("t1") == [replace(final, body=b""), BOTS]
            assert await one.reviews("t2") == []
            assert await one.review("t1", 2, 0) is None
            for other in (replace(MINE, judge="judge 2"), replace(MINE, position=b"other")):
                assert await one.begin_review(other, 40.0), "another judge, or another game"
                assert await two.review("t1", 1, 0) == other

    run(test)


def test_a_review_needs_its_table_and_its_person_and_goes_with_them(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await fill(store, GAME)
            for nowhere in (replace(MINE, table="t9"), replace(MINE, person="eve")):
                assert not await store.begin_review(nowhere, 0.0)
                assert not await store.put_review(nowhere, LOST)
            assert not await store.share_reviews(ShareRow("t9", "ann"), True)
            assert not await store.share_reviews(ShareRow("t1", "eve"), True)
            assert not await store.share_reviews(ShareRow("t1", "eve"), False)
            assert await store.put_review(MINE, LOST, WON)
            assert await store.put_review(BOTS)
            assert await store.share_reviews(ShareRow("t1", "ann"), True)
            assert await store.delete_person("ann")
            assert await store.reviews("t1") == [BOTS], "a bot's stays"
            assert await store.shared("t1") == frozenset()
            assert await store.figures("ann") == []
            assert not await store.put_review(MINE), "though it was being worked out"
            assert await store.delete_table("t1")
            assert await store.reviews("t1") == []
            kinds = {type(row) for row in await everything(store)}
            assert not kinds & {ReviewRow, ShareRow, LearnerRow, FigureRow}

    run(test)


def test_a_review_that_is_too_long_is_refused(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await fill(store, GAME)
            with refuses("store_trouble"):
                await store.put_review(replace(MINE, body=bytes(10_241)))
            assert await store.reviews("t1") == []

    run(test)


def test_a_hand_counts_once_whoever_judges_it_again(place: Place) -> None:
    async def test() -> None:
        async with place.open() as one, place.open() as two:
            await fill(one, GAME)
            assert await one.put_review(MINE), "not yet: it isn't final"
            assert await one.figures("ann") == []
            racers = [(one, two)[number % 2].put_review(replace(MINE, is_final=True), LOST, WON) for number in range(6)]
            assert await asyncio.gather(*racers) == [True] * 6
            assert await one.figures("ann") == [LOST, WON]
            assert await one.begin_review(replace(MINE, judge="judge 2"), 0.0)
            assert await one.put_review(replace(MINE, judge="judge 2", is_final=True), LOST)
            assert await two.figures("ann") == [LOST, WON]
            found = await one.review("t1", 1, 0)
            assert found == replace(MINE, judge="judge 2", is_final=True, is_counted=True)
            assert await one.put_review(replace(MINE, deal=2, is_final=True), LOST, replace(LOST, company="people"))
            added = replace(LOST, count=24, points=7.0)
            assert await one.figures("ann") == [added, WON, replace(LOST, company="people")]
            assert await one.figures("ben") == []

    run(test)


def test_reviews_are_shared_until_they_are_not(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await fill(store, GAME)
            assert await store.shared("t1") == frozenset()
            for person in ("ann", "ben", "ann"):
                assert await store.share_reviews(ShareRow("t1", person), True)
            assert await store.shared("t1") == {"ann", "ben"}
            assert await store.shared("t2") == frozenset()
            for _ in range(2):
                assert await store.share_reviews(ShareRow("t1", "ann"), False)
            assert await store.shared("t1") == {"ben"}

    run(test)


def test_figures_go_a_while_after_the_last_visit_and_keep_their_person_until_then(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await fill(store, GAME)
            await store.put_review(replace(MINE, at=100.0, is_final=True), LOST)
            await store.visit("ben", 5.0)
            await store.visit("nobody", 5.0)
            assert (await sweep_surely(store, 40 * DAY)).tables == ("t1", "t2")
            assert (await sweep_surely(store, 40 * DAY)).persons == ("ben",), "without a table, and without figures"
            assert await store.figures("ann") == [LOST]
            await store.visit("ann", 30 * DAY)
            await store.visit("ann", 20 * DAY)
            assert [row for row in await everything(store) if isinstance(row, LearnerRow)] == [
                LearnerRow("ann", 30 * DAY)
            ]
            assert await sweep_surely(store, 390 * DAY) == Swept((), ())
            assert await sweep_surely(store, 396 * DAY) == Swept((), (), ("ann",))
            assert await store.figures("ann") == []
            assert await sweep_surely(store, 396 * DAY) == Swept((), ("ann",))
            assert await store.persons("ann") == {}

    run(test)


def test_a_clock_that_is_wrong_for_a_while_takes_no_figures(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store:
            await fill(store, GAME)
            await store.put_review(replace(MINE, is_final=True), LOST)
            for now in (1000 * DAY, 10 * DAY, 1000 * DAY):
                assert await store.sweep(now, 1e9, 1e9, 365 * DAY) == Swept((), ())
                await store.count_running(DAY / 2)
            assert await store.figures("ann") == [LOST]

    run(test)


def test_all_of_it_moves_to_another_store(place: Place) -> None:
    async def test() -> None:
        async with place.open() as store, place.other() as other:
            await fill_all(store)
            file = io.BytesIO()
            assert await export_store(store, file) == 19
            await import_store(other, file.getvalue().splitlines(keepends=True))
            assert await everything(other) == await everything(store)
            assert await other.figures("ann") == [LOST, WON]
            assert await other.put_review(replace(MINE, is_final=True), LOST), "counted there, too"
            assert await other.figures("ann") == [LOST, WON]

    run(test)


@pytest.mark.parametrize(
    ("was", "damaged"),
    [
        (b'"person":"ann","judge"', b'"person":"eve","judge"'),
        (b'"table":"t1","deal":1,"seat":0', b'"table":"t9","deal":1,"seat":0'),
        (b'"is_final":true', b'"is_final":1'),
        (b'"count":12', b'"count":1.5'),
        (b'"learner":{"person":"ann"', b'"learner":{"person":"eve"'),
    ],
)
def test_a_damaged_export_of_it_is_refused(place: Place, was: bytes, damaged: bytes) -> None:
    async def test() -> None:
        async with place.open() as store, place.other() as other:
            await fill_all(store)
            file = io.BytesIO()
            await export_store(store, file)
            assert was in file.getvalue()
            with refuses("import_damaged"):
                await import_store(other, file.getvalue().replace(was, damaged).splitlines(keepends=True))
            assert await everything(other) == []

    run(test)


async def fill_all(store: Store) -> None:
    await fill(store, GAME)
    await store.put_review(replace(MINE, is_final=True, body=b"\xff\x00"), LOST, WON)
    await store.put_review(BOTS)
    await store.share_reviews(ShareRow("t1", "ann"), True)
    await store.add_person(PersonRow("cat", "Cat", 1.0), TokenRow(token_hash("cat"), "cat", 1.0))
    await store.delete_person("cat")
