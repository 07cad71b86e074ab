"""People who watch: however many come and go, those who play go on, and a table is read once."""

import asyncio
import gc
import os
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.rate_limits import RateLimiter
from davidgoliath.server.asgi.uvicorn_websocket import UvicornWebSocket
from davidgoliath.server.config import Limits
from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms import presence, room, table_cache
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.history import History
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.contract import MemberRow, PersonRow, Store, Stored, TableRow, TokenRow
from davidgoliath.server.table.events import VERSION, AnyEvent, Created, Locked, Watching, encode
from davidgoliath.server.table.table import Phase, Table
from tests.app_server import Site, hear, say, serve
from tests.refusals import refuses
from tests.room_clients import QUICK, Person, happens_elsewhere, play, play_on
from tests.stores import Place, run

LONG = 1000.0


async def joined(at: Room, person: str | None = None, since: int = 0) -> Person:
    client = Person(at, person)
    await at.join(client, since)
    return client


async def a_while() -> None:
    """Until everything has happened that waits for nothing but its turn."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_who_watches_waits_for_nobody(tmp_path: Path) -> None:
    async def scenario(at: Room, _file: Path) -> None:
        await joined(at, "ann")
        async with at.one_at_a_time, asyncio.timeout(5):
            watcher = await joined(at)
            await at.leave(watcher)
        assert watcher.events()[0]["type"] == "created"

    play(scenario, tmp_path)


def test_of_all_that_happens_while_somebody_comes_they_miss_nothing_and_hear_nothing_twice(tmp_path: Path) -> None:
    async def scenario(at: Room, _file: Path) -> None:
        ann = await joined(at, "ann")
        await ann.wish(m.Start)
        watchers: list[Person] = []

        async def come() -> None:
            while at.table.phase is not Phase.OVER:
                watchers.append(await joined(at))
                await asyncio.sleep(0.002)
                if len(watchers) % 2 or len(watchers) > 40:
                    await at.leave(watchers[-1])

        coming = asyncio.create_task(come())
        await play_on(ann)
        await coming
        assert len(watchers) > 10
        last = await joined(at)
        for watcher in watchers:
            events = watcher.events()  # which looks at their numbers, too
            assert events == last.events()[: len(events)]
        assert watchers[1].events() == last.events()

    play(scenario, tmp_path)


def test_who_is_here_is_told_at_once_and_then_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "INTERVAL", LONG)

    async def scenario(at: Room, _file: Path) -> None:
        ann = await joined(at, "ann")
        await a_while()
        at.presence.stop()  # as if it had been long ago
        await a_while()
        ann.got.clear()
        first = await joined(at)
        assert first.of("present")[-1]["spectators"] == 1
        await ann.until(lambda: bool(ann.of("present")))
        assert ann.of("present") == [{"type": "present", "persons": ["ann"], "spectators": 1}]
        for _ in range(50):
            await at.leave(await joined(at))
        await joined(at)
        await a_while()
        assert len(ann.of("present")) == 1
        assert not ann.of("names")

    play(scenario, tmp_path)


def test_a_person_with_several_devices_watches_once(tmp_path: Path) -> None:
    async def scenario(at: Room, _file: Path) -> None:
        for _ in range(2):
            await joined(at, "ann")
            await joined(at, "eve")
        nameless = [await joined(at) for _ in range(2)]
        assert nameless[-1].of("present")[-1] == {"type": "present", "persons": ["ann", "eve"], "spectators": 3}

    play(scenario, tmp_path)


def test_people_get_few_messages_however_many_come_and_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "INTERVAL", 0.05)

    async def scenario(at: Room, _file: Path) -> None:
        ann = await joined(at, "ann")
        begun = asyncio.get_running_loop().time()
        watchers = [await joined(at) for _ in range(30)]
        for number in range(300):
            await at.leave(watchers[number % 30])
            watchers[number % 30] = await joined(at, f"p{number}" if number % 3 else None)
            await asyncio.sleep(0)
        groups = 2 + (asyncio.get_running_loop().time() - begun) / 0.05
        assert len(ann.of("present")) <= groups
        assert len(ann.of("names")) <= groups
        await ann.until(lambda: ann.of("present")[-1]["spectators"] == 30)
        last = await joined(at, "eve")
        known: dict[str, str] = {}
        for message in ann.of("names"):
            known |= message["names"]
        assert known.items() >= dict.fromkeys(ann.of("present")[-1]["persons"], "?").items()
        assert last.of("present")[-1]["spectators"] == 31

    play(scenario, tmp_path)


async def filled(store: Store, *events: AnyEvent) -> None:
    """Ann and Ben, and a table of theirs."""
    for name in ("ann", "ben"):
        await store.add_person(PersonRow(name, name.title(), 0.0), TokenRow(token_hash(name), name, 0.0))
    created = Created("ann", ("ann", "bot:random", "bot:random"), "classic")
    bodies = [Stored(VERSION, 0.0, encode(event)) for event in (created, *events)]
    await store.create_table(TableRow("t1", 0.0), *bodies)


def in_hall(place: Place, test: Callable[[Registry], Awaitable[None]], *events: AnyEvent) -> None:
    """In a registry, on every kind of store."""

    async def main() -> None:
        async with place.open() as store:
            await filled(store, *events)
            bot_pool = BotPool(["random"], 1, lambda: Random(1))
            registry = Registry(store, bot_pool, timing=QUICK, source=os.urandom)
            try:
                await test(registry)
            finally:
                await registry.close()
                bot_pool.close()

    run(main)


def test_a_name_is_asked_for_once_and_again_when_it_changes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(registry: Registry) -> None:
        asked: Counter[str] = Counter()
        persons = registry.store.persons

        async def counted(*wanted: str) -> dict[str, PersonRow]:
            asked.update(wanted)
            return await persons(*wanted)

        async with registry.visit("t1") as at:
            monkeypatch.setattr(registry.store, "persons", counted)
            ann, ben = await joined(at, "ann"), await joined(at, "ben")
            for _ in range(10):
                await at.leave(ben)
                ben = await joined(at, "ben")
                await joined(at)
            assert asked == {"ann": 1, "ben": 1}
            await at.leave(ben)
            await registry.rename("ben", "Benno")
            ben = await joined(at, "ben")
            assert ben.of("names")[0]["names"] == {"ann": "Ann", "ben": "Benno"}
            await ann.until(lambda: {"type": "names", "names": {"ben": "Benno"}} in ann.got)

    in_hall(place, test)


def test_a_name_that_changes_while_it_is_asked_for_is_asked_for_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(registry: Registry) -> None:
        persons, renamed = registry.store.persons, False

        async def late(*wanted: str) -> dict[str, PersonRow]:
            nonlocal renamed
            found = await persons(*wanted)
            if "ben" in wanted and not renamed:
                renamed = True
                await registry.rename("ben", "Benno")
            return found

        async with registry.visit("t1") as at:
            await joined(at, "ann")
            monkeypatch.setattr(registry.store, "persons", late)
            ben = await joined(at, "ben")
            assert ben.of("names")[0]["names"]["ben"] == "Benno"

    in_hall(place, test)


def locked(count: int) -> list[AnyEvent]:
    return [Locked(bool(number % 2)) for number in range(count)]


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> "Counter[bool]":
    """How many events were folded on the loop's thread (True), and beside it."""
    count: Counter[bool] = Counter()
    after = Table.after

    def counting(table: Table, event: AnyEvent) -> Table:
        count[threading.current_thread() is threading.main_thread()] += 1
        return after(table, event)

    monkeypatch.setattr(Table, "after", counting)
    return count


def test_a_table_is_folded_once_and_beside_the_loop(place: Place, folded: "Counter[bool]") -> None:
    async def test(registry: Registry) -> None:
        async def look() -> None:
            async with registry.visit("t1") as at:
                assert at.table.seq == 501

        await asyncio.gather(*(look() for _ in range(20)))
        assert folded == {False: 500}
        for _ in range(5):
            await look()
            async with registry.visit("t1") as at:
                await joined(at, None, 100)
                await at.replayed()
        assert folded == {False: 500}
        with refuses("no_such_table"):
            async with registry.visit("t2"):
                pass

    in_hall(place, test, *locked(500))


def test_a_list_folds_a_table_once_however_many_ask(place: Place, folded: "Counter[bool]") -> None:
    async def test(registry: Registry) -> None:
        await registry.store.join(MemberRow("t1", "ann", 0.0))
        data = await registry.store.personal_data("ann")
        assert data
        lists = await asyncio.gather(*(registry.overview.games("ann", data.tables) for _ in range(20)))
        assert all(found == lists[0] for found in lists)
        assert lists[0][0].game
        assert folded == {False: 300}

    in_hall(place, test, *locked(300))


def test_a_table_that_is_read_again_has_what_has_happened_since(place: Place, folded: "Counter[bool]") -> None:
    async def test(registry: Registry) -> None:
        async with registry.visit("t1") as at:
            await joined(at, "ann")
        await registry.store.append("t1", 301, *(Stored(VERSION, 1.0, encode(event)) for event in locked(2)))
        async with registry.visit("t1") as at:
            assert at.table.seq == 302
            assert len((await joined(at)).events()) == 302
        assert sum(folded.values()) == 301
        await registry.store.delete_table("t1")
        with refuses("no_such_table"):
            async with registry.visit("t1"):
                pass
        await filled(registry.store, *locked(300), Watching(False))  # a copy that was put back, from another time
        await registry.store.append("t1", 303, *(Stored(VERSION, 1.0, encode(event)) for event in locked(1)))
        async with registry.visit("t1") as at:
            assert not at.table.has_watchers

    in_hall(place, test, *locked(299))


def test_what_is_kept_of_tables_is_bounded(place: Place) -> None:
    async def test(registry: Registry) -> None:
        known = table_cache.TableCache(registry.store, most=10)
        pasts: dict[str, History] = {}
        for name in ("a", "b", "c"):
            created = Created("ann", ("ann", "bot:random", "bot:random"), "classic")
            bodies = [Stored(VERSION, 0.0, encode(event)) for event in (created, *locked(4))]
            await registry.store.create_table(TableRow(name, 0.0), *bodies)
            history = await known.recall(name)
            assert history
            pasts[name] = history
            known.keep(name, history)
        assert [await known.recall(name) is pasts[name] for name in ("a", "b", "c")] == [False, True, True]

    in_hall(place, test)


def test_what_others_have_stored_meanwhile_is_folded_beside_the_loop(tmp_path: Path, folded: "Counter[bool]") -> None:
    async def scenario(at: Room, _file: Path) -> None:
        ann = await joined(at, "ann")
        async with at.one_at_a_time:
            await happens_elsewhere(at, *locked(200))
        assert folded == {False: 200}
        assert len(ann.events()) == 201

    play(scenario, tmp_path)


def test_watchers_are_as_many_as_there_is_room_for_and_players_always_get_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_WATCHERS", 3)

    async def scenario(at: Room, _file: Path) -> None:
        watchers = [await joined(at, person) for person in ("eve", None, None)]
        for person in ("eve", "fay", None):
            with refuses("too_many_watchers"):
                await joined(at, person)
        for person in ("ann", "ben", "ann"):
            await joined(at, person)
        await at.leave(watchers[0])
        arrived = await asyncio.gather(*(joined(at) for _ in range(5)), return_exceptions=True)
        assert [isinstance(one, Refusal) for one in arrived].count(False) == 1

    play(scenario, tmp_path, "ann", "ben", "bot:random")


def test_one_address_keeps_nobody_else_from_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_OF_ADDRESS", 2)

    async def come(at: Room, person: str | None, address: str) -> None:
        client = Person(at, person)
        client.address = address
        await at.join(client, 0)

    async def scenario(at: Room, _file: Path) -> None:
        for person in ("ann", "eve", None):
            await come(at, person, "192.0.2.1")
        for person in ("fay", None):
            with refuses("too_many_watchers"):
                await come(at, person, "192.0.2.1")
        await come(at, "ben", "192.0.2.1")
        await come(at, None, "192.0.2.2")

    play(scenario, tmp_path, "ann", "ben", "bot:random")


def test_who_comes_on_too_many_devices_loses_the_oldest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_DEVICES", 2)

    async def scenario(at: Room, _file: Path) -> None:
        devices = [await joined(at, "ann") for _ in range(4)]
        assert [[why["reason"] for why in device.of("refused")] for device in devices] == [
            *2 * [["too_many_devices"]], *2 * [[]]
        ]  # fmt: skip
        assert list(at.clients) == devices[2:]
        for device in devices[:2]:
            await at.leave(device)
        assert at.seated_here() == {"ann"}
        assert all([await joined(at) for _ in range(4)])  # strangers have no devices

    play(scenario, tmp_path)


def test_the_host_can_send_away_those_who_watch(tmp_path: Path) -> None:
    async def scenario(at: Room, _file: Path) -> None:
        ann, ben, watcher = [await joined(at, person) for person in ("ann", "ben", None)]
        await ben.wish(m.LetWatch, False)
        assert ben.of("refused")[-1]["reason"] == "not_host"
        await ann.wish(m.Start)
        await ann.wish(m.LetWatch, False)
        assert watcher.of("refused")[-1]["reason"] == "no_watchers"
        assert watcher not in at.clients
        told = len(watcher.got)
        await ann.until(lambda: ann.of("present")[-1]["spectators"] == 0)
        for person in ("eve", None):
            with refuses("no_watchers"):
                await joined(at, person)
        await ann.until(lambda: at.table.phase is Phase.PLAYING)
        await ben.wish(m.Leave)
        assert ben in at.clients
        await at.leave(ben)
        assert (await joined(at, "ben")).events()  # who has had cards here may come back
        assert len(watcher.got) == told
        await ann.wish(m.LetWatch, True)
        await joined(at)

    play(scenario, tmp_path, "ann", "ben", "bot:random")


def test_where_nobody_may_watch_people_come_to_sit_down_as_long_as_they_can(tmp_path: Path) -> None:
    async def scenario(at: Room, _file: Path) -> None:
        ann = await joined(at, "ann")
        await ann.wish(m.LetWatch, False)
        ben, eve = await joined(at, "ben"), await joined(at, "eve")
        await at.store.add_person(PersonRow("ben", "Ben", 0.0), TokenRow(token_hash("ben"), "ben", 0.0))
        await ben.wish(m.Sit, 1)
        assert eve.of("refused")[-1]["reason"] == "no_watchers"
        assert list(at.clients) == [ann, ben]

    play(scenario, tmp_path, "ann", None, "bot:random")


def test_joins_are_counted_by_address_and_by_table() -> None:
    now = [0.0]

    async def test() -> None:
        limiter = RateLimiter(Limits(joins=60), clock=lambda: now[0])
        for _ in range(60):
            await limiter.join("192.0.2.1")
        with refuses("too_many_joins"):
            await limiter.join("192.0.2.1")
        await limiter.join("192.0.2.2")
        now[0] = 1.0
        await limiter.join("192.0.2.1")
        with refuses("too_many_joins"):
            await limiter.join("192.0.2.1")
        for _ in range(15):
            await limiter.join("table t1 192.0.2.1", 4)
        with refuses("too_many_joins"):
            await limiter.join("table t1 192.0.2.1", 4)

    asyncio.run(test())


def test_a_house_of_thirty_that_comes_within_seconds_is_served() -> None:
    """Each of them opens the page, reloads it once, and comes back after the server has started anew."""
    now = [0.0]

    async def test() -> None:
        limiter = RateLimiter(Limits(), clock=lambda: now[0])
        for number in range(3 * 30):
            now[0] = number / 10
            await limiter.join("192.0.2.1")

    asyncio.run(test())


async def hello(site: Site, table: str, **more: Any) -> str:
    """Comes to a table and goes; gives what there was at the end of it."""
    async with site.socket(table) as socket:
        await say(socket, type="hello", protocol=1, build="", **more)
        try:
            await hear(socket, "present")
        except ConnectionClosed as closed:
            return str(closed.rcvd.code if closed.rcvd else None)
    return "present"


def test_who_comes_too_often_is_refused_and_who_sits_there_is_not_for_others_sake(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])
        joins = [await hello(site, table, token=token) for _ in range(4)]
        joins += [await hello(site, table) for _ in range(2)]
        assert joins == 6 * ["present"]
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="")
            assert (await hear(socket, "refused"))["reason"] == "too_many_joins"
            with pytest.raises(ConnectionClosed):
                await hear(socket, "nothing")

    serve(scenario, tmp_path, limits=Limits(sockets=0, new=0, messages=0, joins=8))


def test_who_is_sent_away_hears_why_and_is_hung_up_on(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "random"])
        async with site.socket(table) as anna, site.socket(table) as watcher:
            await say(anna, type="hello", protocol=1, build="", token=token)
            await hear(anna, "present")
            await say(watcher, type="hello", protocol=1, build="")
            await hear(watcher, "present")
            await say(anna, type="letwatch", expect=1, allowed=False)
            assert (await hear(watcher, "refused"))["reason"] == "no_watchers"
            with pytest.raises(ConnectionClosed) as closed:
                await hear(watcher, "nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008
        assert await hello(site, table) == "1008"
        assert await hello(site, table, token=token) == "present"

    serve(scenario, tmp_path)


def test_nothing_stays_of_who_has_gone_not_even_until_python_looks_for_garbage(tmp_path: Path) -> None:
    def connections() -> int:
        return sum(type(one) is UvicornWebSocket for one in gc.get_objects())

    async def scenario(site: Site) -> None:
        table = await site.table(await site.person("Ann"), [None, None, None])
        async with site.socket(table) as first:
            await say(first, type="hello", protocol=1, build="")
            await hear(first, "batch")
            for _ in range(10):
                async with site.socket(table) as other:
                    await say(other, type="hello", protocol=1, build="")
                    await hear(other, "batch")
            async with asyncio.timeout(10):
                while connections() > 1:
                    await asyncio.sleep(0.01)

    gc.collect()
    gc.disable()
    try:
        serve(scenario, tmp_path)
    finally:
        gc.enable()
