"""The arena: bots play the same deals in every seating, so that cards and seats favour nobody.

A game is a match of one deal. Deal k of a seed has the same cards whoever sits where, and a seat draws its
chance from the seed, the deal and the seat alone: so a pair of games differs only by the bots in it, a bot against
itself makes no difference at all, and games may be played in any order and any process.

All games stand in one endless list: deal 0 in every seating, then deal 1, and so on. Whoever knows how many are
played knows which come next; see `Results`.
"""

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from random import Random
from threading import Thread
from typing import Final, NamedTuple, cast

import msgspec

from davidgoliath.bots import Bot, Budget, make_bot
from davidgoliath.rules import Deal, DealState, IllegalPlay, ReasonCode, Refusal, RuleSet
from davidgoliath.rules.cards import check_players
from davidgoliath.rules.checks import RULE_SET, check_kind, check_tuple, whole_number

MOST_JOBS: Final = 1024
CHUNK_SECONDS: Final = 0.2
"""About so long a process works between two reports."""


class ArenaReason(ReasonCode):
    """Why an arena can't be played, or its results can't be read."""

    TOO_MANY_BOTS = "too_many_bots"
    LADDER_TOO_SHORT = "ladder_too_short"
    BOT_ILLEGAL = "bot_illegal"
    WORKER_DIED = "worker_died"

    NOT_RESULTS = "not_results"
    RESULTS_DAMAGED = "results_damaged"
    RESULTS_DIFFER = "results_differ"


class Seating(NamedTuple):
    """Who sits where at one table."""

    table: int
    places: tuple[int, ...]
    """By seat: which of the table's bots it is, by its place in the list."""
    names: tuple[str, ...]
    """By seat."""


class Game(msgspec.Struct, frozen=True):
    """What came of one game."""

    deal: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    ms: tuple[tuple[float, ...], ...]
    """By seat: how long each card took to choose, in milliseconds, forced ones included."""


@dataclass(frozen=True)
class Arena:
    """Who meets whom, and on what terms.

    >>> arena = Arena.of(["reference", "random"], players=4)
    >>> [seating.places for seating in arena.seatings]
    [(0, 1, 0, 1), (1, 0, 1, 0)]
    """

    players: int
    tables: tuple[tuple[str, ...], ...]
    """The bots that meet, by name; a table is filled by repeating them."""
    rules: RuleSet = RuleSet()
    seed: int = 0
    iterations: int | None = None
    """The budget for a card; None leaves each bot its own."""

    def __post_init__(self) -> None:
        check_players(self.players)
        check_kind(self.rules, RuleSet, RULE_SET)
        check_tuple(self.tables, tuple, "tables, each a tuple of names,")
        for table in self.tables:
            check_tuple(table, str, "names")
            if not 1 <= len(table) <= self.players:
                raise Refusal(ArenaReason.TOO_MANY_BOTS, count=len(table), players=self.players)

    @classmethod
    def of(cls, bots: Sequence[str], players: int, **terms: "RuleSet | int | None") -> "Arena":
        """All bots at one table. One alone meets itself."""
        return cls(players, (tuple(bots) * (2 if len(bots) == 1 else 1),), **terms)  # type: ignore[arg-type]

    @classmethod
    def ladder(cls, bots: Sequence[str], players: int, **terms: "RuleSet | int | None") -> "Arena":
        """A table for every two bots."""
        pairs = tuple(combinations(dict.fromkeys(bots), 2))
        if not pairs:
            raise Refusal(ArenaReason.LADDER_TOO_SHORT)
        return cls(players, pairs, **terms)  # type: ignore[arg-type]

    @cached_property
    def bots(self) -> tuple[str, ...]:
        """All names, each once."""
        return tuple(dict.fromkeys(name for table in self.tables for name in table))

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """Each table filled from each of its bots on, and turned through all seats; what looks the same is left out."""
        return tuple(seating for number in range(len(self.tables)) for seating in self._seatings_of(number))

    def _seatings_of(self, number: int) -> list[Seating]:
        table = self.tables[number]
        size = len(table)
        distinct: dict[tuple[int | str, ...], Seating] = {}
        for start in range(size):
            filled = tuple((start + seat) % size for seat in range(self.players))
            for turn in range(self.players):
                places = filled[turn:] + filled[:turn]
                names = tuple(table[place] for place in places)
                # against itself, a bot plays each seating for real, or the comparison would be of one game with itself
                distinct.setdefault(places if len(set(table)) == 1 else names, Seating(number, places, names))
        return list(distinct.values())

    def games(self, deals: int) -> int:
        """How many games so many deals are."""
        return deals * len(self.seatings)

    def place_of(self, number: int) -> tuple[int, Seating]:
        """The deal and the seating of a game."""
        deal, seating = divmod(number, len(self.seatings))
        return deal, self.seatings[seating]

    def bot(self, name: str) -> Bot:
        """Once a process: some bots take long to load."""
        return _bot(name)

    def play(self, number: int) -> Game:
        """Plays a game of the list."""
        deal, seating = self.place_of(number)
        names = seating.names
        bots = [self.bot(name) for name in names]
        chances = [Random(f"{self.seed}:{deal}:{seat}") for seat in range(self.players)]
        budget = None if self.iterations is None else Budget(iterations=self.iterations)
        ms: list[list[float]] = [[] for _ in names]
        cards = Deal.shuffled(self.players, Random(f"{self.seed}:{deal}"), dealer=self.players - 1)
        state = DealState.start(cards, replace(self.rules, deals=1, target_score=None))
        while (seat := state.to_play) is not None:
            view = state.view(seat)
            start = time.perf_counter()
            card = bots[seat].choose(view, chances[seat], budget)
            ms[seat].append(round(1000 * (time.perf_counter() - start), 4))
            try:
                state = state.play(card, seat)
            except IllegalPlay as why:
                raise Refusal(ArenaReason.BOT_ILLEGAL, text=names[seat], deal=deal, seat=seat, why=why) from None
        return Game(deal, names, state.scores, tuple(map(tuple, ms)))


@lru_cache
def _bot(name: str) -> Bot:
    return make_bot(name)


def load_bots(arena: Arena) -> None:
    """Refuses a bot that isn't there, before the work; and compiles here what all processes will use."""
    for name in arena.bots:
        arena.bot(name)


def play_games(arena: Arena, first: int, last: int, jobs: int = 1) -> Generator[Game, None, None]:
    """Plays games of the list, in its order, on so many processes."""
    jobs = whole_number("jobs", jobs, 1, MOST_JOBS)
    if jobs == 1:
        yield from map(arena.play, range(first, last))
    elif first < last:
        yield from _in_processes(arena, first, last, min(jobs, last - first))


def _in_processes(arena: Arena, first: int, last: int, jobs: int) -> Iterator[Game]:
    with _processes(arena, jobs) as lines:
        free = deque(2 * lines)  # each may have a chunk in work and one in wait
        given: deque[range] = deque()
        played: dict[range, list[Game]] = {}
        number, size = first, 1
        while given or number < last:
            while free and number < last and len(given) < 3 * jobs:
                given.append(range(number, min(number + size, last)))
                number = given[-1].stop
                with _while_alive():
                    free.popleft().send(given[-1])
            for line in cast("list[Connection]", wait(lines)):
                with _while_alive():
                    chunk, games = line.recv()
                if isinstance(games, Exception):
                    raise games
                played[chunk] = games
                free.append(line)
            while given and given[0] in played:
                games = played.pop(given.popleft())
                yield from games
                size = _chunk_size(games)


@contextmanager
def _processes(arena: Arena, jobs: int) -> Iterator[list[Connection]]:
    """A line of its own to each of so many processes: nobody waits for the rest of what one said that was ended."""
    context = get_context("spawn")
    lifeline, ours = context.Pipe(duplex=False)
    lines, processes = [], []
    try:
        with _interrupts_held():
            for _ in range(jobs):
                line, theirs = context.Pipe()
                process = context.Process(target=_work, args=(arena, theirs, lifeline))
                process.start()
                theirs.close()
                lines.append(line)
                processes.append(process)
        yield lines
    finally:
        for process in processes:
            process.kill()
            process.join()
        for end in (lifeline, ours, *lines):
            end.close()


@contextmanager
def _while_alive() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError):
        raise Refusal(ArenaReason.WORKER_DIED) from None


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes that start in here never hear Ctrl-C, not even while they start: their parent does."""
    if sys.platform == "win32":  # pragma: no cover
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_with_parent(lifeline: Connection) -> None:
    """A worker ends as soon as its parent closes the lifeline or dies, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_wait_for_end, args=(lifeline,), daemon=True).start()


def _wait_for_end(lifeline: Connection) -> None:
    lifeline.poll(None)
    os._exit(0)


def _work(arena: Arena, line: Connection, lifeline: Connection) -> None:
    """What a process does: plays each chunk that it is given, as long as somebody listens."""
    _leave_with_parent(lifeline)
    with suppress(EOFError, OSError):
        while True:
            chunk: range = line.recv()
            line.send((chunk, _play_chunk(arena, chunk)))


def _play_chunk(arena: Arena, chunk: range) -> list[Game] | Exception:
    try:
        return [arena.play(number) for number in chunk]
    except Exception as why:  # noqa: BLE001 - the parent raises it
        return why


def _chunk_size(games: list[Game]) -> int:
    """How many games like these fill a chunk."""
    seconds = sum(sum(map(sum, game.ms)) for game in games) / 1000 / len(games)
    return max(1, min(100, int(CHUNK_SECONDS / (seconds + 0.001))))
