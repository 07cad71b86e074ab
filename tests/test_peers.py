"""Several servers on one database: to people it is one table, and whatever a server is to do is done once."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from davidgoliath import Card, Refusal, View
from davidgoliath.match.shuffle import Shuffle
from davidgoliath.server.asgi.rate_limits import GUESSERS, RateLimiter
from davidgoliath.server.config import Limits, Offer
from davidgoliath.server.peers.contract import Membership
from davidgoliath.server.people.tokens import token_hash
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.presence import INTERVAL
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.rooms.room import Room
from davidgoliath.server.store.cleanup import keep_swept
from davidgoliath.server.store.contract import DAY, MemberRow, PersonRow, Stored, Swept, TableRow, TokenRow
from davidgoliath.server.store.opening import open_postgres
from davidgoliath.server.store.postgres.peers import PostgresPeers
from davidgoliath.server.store.postgres.store import PostgresStore
from davidgoliath.server.table.events import VERSION, Created, Opened, Played, decode, encode
from davidgoliath.server.table.table import Phase, Table
from tests.refusals import refuses
from tests.room_clients import QUICK, SHARE, Person
from tests.stores import run

LONGEST = 20.0


class Counting(BotPool):
    """Counts what bots have thought about, in all servers of a test."""

    def __init__(self, thoughts: "Counter[str]") -> None:
        super().__init__(["casual", "random"], 1, lambda: Random(1))
        self._thoughts = thoughts

    async def choose(self, name: str, view: View, owner: str) -> Card:
        self._thoughts[str(view.hand)] += 1
        return await super().choose(name, view, owner)


@dataclass
class Server:
    """As much of a server as matters here."""

    store: PostgresStore
    registry: Registry
    peers: PostgresPeers
    visits: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def room(self, table: str = "t1") -> Room:
        return await self.visits.enter_async_context(self.registry.visit(table))

    async def person(self, person: str | None, table: str = "t1") -> Person:
        room = await self.room(table)
        client = Person(room, person)
        await room.join(client, 0)
        return client

    async def die(self) -> None:
        """As after kill -9: its connections end, and it does nothing more."""
        await self.peers.close()
        for table in self.registry.tables:
            (await self.room(table)).scheduler.stop()


@dataclass
class Site:
    """Servers on one database."""

    address: str
    servers: list[Server]
    thoughts: "Counter[str]"

    def __iter__(self) -> Any:
        return iter(self.servers)


@asynccontextmanager
async def site(address: str, count: int, *seats: str | None, **terms: Any) -> AsyncIterator[Site]:
    """So many servers, and on their database ann, ben, cem, and a table t1."""
    thoughts: Counter[str] = Counter()
    servers = []
    for _ in range(count):
        store = await open_postgres(address)
        peers = store.peers()
        registry = Registry(store, Counting(thoughts), timing=QUICK, peers=peers, source=os.urandom)
        peers.start(registry)
        servers.append(Server(store, registry, peers))
    store = servers[0].store
    for name in ("ann", "ben", "cem"):
        await store.add_person(PersonRow(name, name.title(), 0.0), TokenRow(token_hash(name), name, 0.0))
    created = Created("ann", seats or ("ann", "ben", "bot:random"), "classic deals=2", **terms)
    await store.create_table(TableRow("t1", 0.0), Stored(VERSION, 0.0, encode(created)))
    for server in servers:
        await server.peers.ready()
    try:
        yield Site(address, servers, thoughts)
    finally:
        for server in servers:
            await server.visits.aclose()
            await server.registry.close()
            server.registry.bot_pool.close()
            await server.peers.close()
            await server.store.close()


async def until(ready: Callable[[], bool], seconds: float = LONGEST) -> None:
    async with asyncio.timeout(seconds):
        while not ready():
            await asyncio.sleep(0.005)


async def play_on(person: Person) -> None:
    """To the end of the match, by what this person's own server says; others may be quicker with a tap."""
    room, shared = person.room, 0
    while not room.table.match.is_over:
        table, seat = room.table, room.table.seat_of(str(person.person))
        person.sent.clear()
        if table.to_play == seat and not table.paused:
            await person.play()
        elif table.phase is Phase.SCORES and seat not in table.gone_on:
            await person.wish(m.GoOn)
        elif table.commitment and table.commitment.deal > shared:
            shared = table.commitment.deal
            await room.hear(person, m.Share(shared, SHARE))
        else:
            await asyncio.wait_for(person.sent.wait(), LONGEST)


def on(address: str, count: int, test: Callable[[Site], Awaitable[None]], *seats: str | None, **terms: Any) -> None:
    async def main() -> None:
        async with site(address, count, *seats, **terms) as servers:
            await test(servers)

    run(main)


@pytest.fixture
def address(new_database: Callable[[], str]) -> str:
    return new_database()


@pytest.mark.parametrize("count", [2, 3])
def test_a_match_across_servers_is_one_match_and_bots_think_once(address: str, count: int) -> None:
    async def test(site: Site) -> None:
        one, two, last = site.servers[0], site.servers[1], site.servers[-1]
        ann, ben, watcher = await one.person("ann"), await two.person("ben"), await last.person(None)
        await ann.wish(m.Start)
        await asyncio.gather(play_on(ann), play_on(ben))
        stored = [decode(event.body) for event in await one.store.events("t1")]
        await until(lambda: len(watcher.events()) == len(stored))
        assert len(ann.events()) == len(ben.events()) == len(stored)
        assert ann.room.table == ben.room.table == watcher.room.table == Table.fold(stored)
        by_bot = [event for event in stored if isinstance(event, Played) and event.by == "bot"]
        assert len(by_bot) == 30
        assert sum(site.thoughts.values()) == len(by_bot)
        for opened in (event for event in stored if isinstance(event, Opened)):
            *people, bot = Shuffle.parse(opened.shuffle).shares
            assert bytes.fromhex(SHARE) in people  # one from another server may come too late
            assert set(people) <= {bytes.fromhex(SHARE), None}
            assert bot is None

    on(address, count, test)


def test_people_see_each_other_and_hear_each_other_across_servers(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben, watcher = await one.person("ann"), await two.person("ben"), await two.person(None)
        for client in (ann, ben, watcher):
            await until(
                lambda client=client: (
                    client.of("present")[-1:]
                    == [  # type: ignore[misc]
                        {"type": "present", "persons": ["ann", "ben"], "spectators": 1}
                    ]
                )
            )
        await ann.room.hear(ann, m.Say("wow"))
        await until(lambda: bool(watcher.of("said")))
        assert [client.of("said") for client in (ann, ben)] == 2 * [[{"type": "said", "seat": 0, "emote": "wow"}]]
        await one.registry.rename("ann", "Anna")
        await until(lambda: ben.of("names")[-1]["names"]["ann"] == "Anna")
        await ben.room.leave(ben)
        await until(lambda: ann.of("present")[-1]["persons"] == ["ann"])

    on(address, 2, test)


def test_servers_tell_each_other_of_watchers_in_groups(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement for each who comes and goes would hold up the table, at all its servers."""

    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben = await one.person("ann"), await two.person("ben")
        settled: Counter[int] = Counter()
        for number, server in enumerate(site):
            settle = server.peers.settle

            async def counted(
                table: str, people: Sequence[str], settle: Any = settle, number: int = number
            ) -> Membership:
                settled[number] += 1
                result: Membership = await settle(table, people)
                return result

            monkeypatch.setattr(server.peers, "settle", counted)
        begun = asyncio.get_running_loop().time()
        watchers = [await two.person(None) for _ in range(5)]
        for number in range(100):
            await watchers[number % 5].room.leave(watchers[number % 5])
            watchers[number % 5] = await two.person(None)
        await until(lambda: ann.of("present")[-1]["spectators"] == 5)
        groups = 2 + (asyncio.get_running_loop().time() - begun) / INTERVAL
        assert max(settled.values()) <= 2 * groups
        assert len(ann.of("present")) <= 2 + groups
        cem = await two.person("cem")
        await until(lambda: ann.of("present")[-1]["persons"] == ["ann", "ben", "cem"])
        await one.registry.rename("cem", "Cemal")  # whom both servers know, at whichever they are
        await until(lambda: {"type": "names", "names": {"cem": "Cemal"}} in ann.got)
        await until(lambda: {"type": "names", "names": {"cem": "Cemal"}} in ben.got)
        await ann.wish(m.Start)
        await ann.wish(m.LetWatch, False)
        for client in (*watchers, cem):
            await until(lambda client=client: [why["reason"] for why in client.of("refused")] == ["no_watchers"])  # type: ignore[misc]
        await until(lambda: ann.of("present")[-1] == {"type": "present", "persons": ["ann", "ben"], "spectators": 0})

    on(address, 2, test)


def test_who_is_forgotten_by_one_server_is_nobody_to_the_others(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben = await one.person("ann"), await two.person("ben")
        await one.store.join(MemberRow("t1", "ben", 0.0))
        await ann.wish(m.Start)
        await one.registry.forget("ben")
        await until(lambda: ben.person is None)
        await until(lambda: ann.room.table.chairs[1].player == "bot:casual" == ben.room.table.chairs[1].player)
        await until(lambda: ann.of("present")[-1] == {"type": "present", "persons": ["ann"], "spectators": 1})

    on(address, 2, test)


def test_who_is_signed_out_at_one_server_is_nobody_at_the_others(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, thief = await one.person("ann"), await two.person("ann")
        fresh = await one.registry.new_token("ann")
        ann.token, thief.token = token_hash(fresh), token_hash("ann")
        assert await one.registry.sign_out_others("ann", fresh) == 1
        await until(lambda: thief not in thief.room.clients)
        assert thief.of("refused")[-1]["reason"] == "token_unknown"
        await thief.wish(m.Start)
        assert thief.room.table.phase is Phase.GATHERING
        await ann.wish(m.Start)
        assert ann.room.table.phase is not Phase.GATHERING

    on(address, 2, test)


def test_a_server_that_missed_it_finds_out_who_was_signed_out(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, thief = await one.person("ann"), await two.person("ann")
        fresh = await one.registry.new_token("ann")
        ann.token, thief.token = token_hash(fresh), token_hash("ann")
        assert await one.store.revoke("ann", ann.token) == 1  # and nobody is told
        two.registry.lost()
        two.registry.found()
        await until(lambda: thief not in thief.room.clients)
        one.registry.found()
        await ann.wish(m.Start)
        assert ann.room.table.phase is not Phase.GATHERING

    on(address, 2, test)


def test_who_comes_to_another_server_finds_the_clock_running(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann = await one.person("ann")
        await ann.wish(m.Start)
        await until(lambda: bool(ann.of("turn") or ann.room.table.to_play == 1))
        await asyncio.sleep(1.0)
        ben = await two.person("ben")
        assert 1.0 <= ben.of("batch")[0]["passed"] == pytest.approx(ann.room.passed, abs=0.5)

    on(address, 2, test, turn_seconds=60)


def test_a_table_pauses_when_the_last_has_gone_from_all_servers(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben = await one.person("ann"), await two.person("ben")
        await ann.wish(m.Start)
        await ann.room.leave(ann)
        assert not ann.room.table.paused
        await ben.room.leave(ben)
        assert ben.room.table.paused
        back = await one.person("ann")
        assert not back.room.table.paused
        assert [event["type"] for event in back.events()][-2:] == ["paused", "resumed"]

    on(address, 2, test)


def test_another_server_acts_when_the_one_that_did_dies(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben = await one.person("ann"), await two.person("ben")
        assert (ann.room.peers.acts, ben.room.peers.acts) == (True, False)
        await one.die()
        await until(lambda: ben.room.peers.acts, 1.0)
        await until(lambda: ben.of("present")[-1]["persons"] == ["ben"], 1.0)

    on(address, 2, test)


def test_a_server_that_leaves_a_table_hands_it_over(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben = await one.person("ann"), await two.person("ben")
        await ann.room.leave(ann)
        await until(lambda: ben.room.peers.acts, 1.0)
        back = await one.person("ann")
        assert not back.room.peers.acts

    on(address, 2, test)


def test_a_server_that_lost_its_connection_misses_nothing(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben = await one.person("ann"), await two.person("ben")
        numbers = [server.store.writer.own for server in site]
        async with two.store.connection() as connection:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE query ~ 'beat|LISTEN' AND pid <> pg_backend_pid()"
            )
        await until(lambda: not any(server.store.writer.own in numbers for server in site))
        await ann.wish(m.Start)
        await asyncio.gather(play_on(ann), play_on(ben))
        assert len(ann.events()) == len(ben.events()) == ann.room.table.seq
        assert [ann.room.peers.acts, ben.room.peers.acts].count(True) == 1

    on(address, 2, test)


def test_a_server_that_others_did_not_know_of_reads_what_they_stored_meanwhile(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events that are stored between its reading and their knowing would be missed for good."""

    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben = await one.person("ann"), await two.person("ben")
        async with two.store.connection() as connection:
            await connection.execute("DELETE FROM davidgoliath.present WHERE server = %s", [two.store.writer.own])
        settle = two.peers.settle

        async def late(table: str, people: Sequence[str]) -> Membership:
            await ann.wish(m.Lock, True)  # just before they know of us again
            return await settle(table, people)

        monkeypatch.setattr(two.peers, "settle", late)
        two.registry.found()
        await until(lambda: ben.room.table.is_locked, 2.0)

    on(address, 2, test)


def test_a_server_that_is_taken_for_dead_takes_its_place_again(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        ann, ben = await one.person("ann"), await two.person("ben")
        before = one.store.writer.own
        async with two.store.connection() as connection:
            await connection.execute("DELETE FROM davidgoliath.servers WHERE id = %s", [before])
        await until(lambda: one.store.writer.own not in (0, before))
        await until(lambda: ben.of("present")[-1]["persons"] == ann.of("present")[-1]["persons"] == ["ann", "ben"])
        await until(lambda: [ann.room.peers.acts, ben.room.peers.acts].count(True) == 1)

    on(address, 2, test)


def test_of_a_race_for_one_move_one_is_acknowledged(address: str) -> None:
    async def test(site: Site) -> None:
        anns = [await server.person("ann") for server in site for _ in range(10)]
        await anns[0].wish(m.Start)
        for ann in anns:
            await until(lambda ann=ann: bool(ann.of("turn")))  # type: ignore[misc]
        turn = anns[0].of("turn")[-1]
        wishes = [m.Play(turn["seq"], card) for card in turn["legal"]]
        await asyncio.gather(*(ann.room.hear(ann, wishes[place % len(wishes)]) for place, ann in enumerate(anns)))
        refused = [refusal["reason"] for ann in anns for refusal in ann.of("refused")]
        assert refused == ["stale"] * (len(anns) - 1)
        played = [decode(event.body) for event in (await site.servers[0].store.events("t1"))[turn["seq"] :]]
        assert [event.seat for event in played if isinstance(event, Played)].count(0) == 1

    on(address, 2, test, "ann", "bot:random", "bot:random")


def test_limits_hold_for_all_servers_together(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = (RateLimiter(Limits(sockets=3, new=5), server.peers) for server in site)
        made = await asyncio.gather(
            *((one, two)[number % 2].make("table", "a") for number in range(12)), return_exceptions=True
        )
        assert sum(isinstance(outcome, Refusal) for outcome in made) == 7
        await two.make("person", "a")
        await two.make("table", "b")
        async with one.socket("a"), two.socket("a"), one.socket("a"), two.socket("b"):
            for limiter in (one, two):
                with refuses("too_many_sockets"):
                    await limiter.socket("a").__aenter__()
            await site.servers[0].die()
            async with asyncio.timeout(2):
                while True:
                    try:
                        async with two.socket("a"), two.socket("a"):
                            break
                    except Refusal:  # until somebody has noticed
                        await asyncio.sleep(0.01)

    on(address, 2, test)


def test_wrong_codes_are_counted_for_all_servers_together(address: str) -> None:
    async def test(site: Site) -> None:
        limiters = [RateLimiter(Limits(codes=2), server.peers) for server in site]

        async def guess(number: int, source: str, *, right: bool = False) -> bool:
            """Whether a code was looked at."""
            looked = False
            with suppress(Refusal):
                async with limiters[number % 2].guess(source):
                    looked = True
                    if not right:
                        raise Refusal(RoomReason.NO_SUCH_CODE)
            return looked

        assert [await guess(number, "a", right=True) for number in range(8)] == [True] * 8
        assert [await guess(number, "a") for number in range(5)] == [True, True, False, False, False]
        assert await guess(0, "b", right=True)
        others = await asyncio.gather(*(guess(number, f"c{number // 2}") for number in range(20)))
        assert sum(others) == 2 * GUESSERS - 2
        assert not await guess(0, "z", right=True)

    on(address, 2, test)


def test_one_server_sweeps_and_not_what_is_used_elsewhere(address: str) -> None:
    async def test(site: Site) -> None:
        one, two = site.servers
        await one.person("ann")
        sweeps: Counter[int] = Counter()

        async def swept(server: int, *_: object) -> Swept:
            sweeps[server] += 1
            await asyncio.sleep(0.05)
            return Swept((), ())

        for number, server in enumerate(site):
            server.store.sweep = lambda *_, number=number: swept(number)
        sweeping = [asyncio.create_task(keep_swept(s.store, Offer(), every=30.0, peers=s.peers)) for s in site]
        await asyncio.sleep(0.3)
        assert sum(sweeps.values()) == 1
        for task in sweeping:
            task.cancel()
        await PostgresStore.sweep(two.store, 1e9, DAY, DAY, DAY)
        await two.store.count_running(DAY)
        assert (await PostgresStore.sweep(two.store, 1e9, DAY, DAY, DAY)).tables == ()
        await one.die()
        gone: tuple[str, ...] = ()
        async with asyncio.timeout(20):
            while not gone:  # until somebody has noticed
                await two.store.count_running(DAY)
                gone = (await PostgresStore.sweep(two.store, 1e9, DAY, DAY, DAY)).tables
                await asyncio.sleep(0.05)
        assert gone == ("t1",)

    on(address, 2, test)
