"""What the server keeps, and what every store promises. One is in SQLite, `sqlite`, and one in PostgreSQL, `postgres`.

- **A call that has returned is durable.** Writes return after the commit, so whoever acknowledges or broadcasts after
  `await store.append(…)` never takes anything back. A call that is cancelled may have happened or not: ask the store.
- **A table's events are numbered 1, 2, 3 … without gaps, and never change.** Of two writers with the same number one
  wins, and the other is told. Events go only together with their table. What is in them is bytes to the store, with a
  version that their writer gives them; old versions come back as they were.
- **Who somebody is lies outside the events**, which know persons by id alone. When a person is deleted, the name, the
  stone, the tokens and the memberships go, and the events stay with an id that leads to nobody.
- **What was found out about a deal goes with its table**, and with the person whose hand it was. How somebody plays is
  kept as sums of weeks, which name no table, and goes a while after their last visit.
- **A token is stored as its hash**, and looked up by it: see `tokens`.
- **Time and ids are arguments.** A store has no clock and no chance of its own.
- What goes wrong is a `Refusal` that says what to do. After one the store goes on, and nothing of that call is stored.
  Only after `store_away`, when the connection to a database broke, that call too may have happened or not.
- `close` first finishes what waits; later calls are refused (`store_closed`).

The contract is tested in `tests/test_store.py`, for every store alike.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, NamedTuple, Protocol, Self, TypeAlias

from davidgoliath.rules import ReasonCode
from davidgoliath.server.peers.contract import Peers

DAY: Final = 86_400.0
SURE_AFTER: Final = DAY
"""For so many seconds of running time it must look so."""


class StoreReason(ReasonCode):
    """Why a store refuses what it is asked, though nothing has failed."""

    NO_DATABASE = "no_database"
    NO_POSTGRESQL = "no_postgresql"

    IMPORT_DUPLICATE = "import_duplicate"
    IMPORT_DAMAGED = "import_damaged"
    IMPORT_CUT_SHORT = "import_cut_short"
    IMPORT_NEWER = "import_newer"
    IMPORT_UNREADABLE = "import_unreadable"

    BACKUP_EXISTS = "backup_exists"
    BACKUP_DAMAGED = "backup_damaged"
    RESTORE_ITSELF = "restore_itself"
    RESTORE_RUNS = "restore_runs"


class Stage(StrEnum):
    """As much as a store knows of how far a table is."""

    UNSTARTED = "waiting"
    RUNNING = "running"
    OVER = "over"
    """Closed: no event follows any more."""


class Appended(Enum):
    """What became of an append."""

    DONE = "done"
    TAKEN = "taken"
    """There is an event of that number already: somebody was quicker."""
    GAP = "gap"
    """The event before it is missing: the writer knows of one that the store doesn't."""
    OVER = "over"
    """The table is closed."""
    NO_TABLE = "no_table"
    """There is no such table, or no longer."""


class Stored(NamedTuple):
    """An event as a store sees it. Its number is its place in the table."""

    version: int
    """Which form the body has."""
    at: float
    """When it happened, in seconds since 1970."""
    body: bytes


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table; all that there is to know about it is in its events."""

    id: str
    created: float
    stage: Stage = Stage.UNSTARTED
    is_listed: bool = False
    """Whether it wants to be found by strangers. What they are shown is in the events; this finds them."""

    @classmethod
    def of(cls, table: str, created: float, stage: str, is_listed: bool | int) -> Self:
        """As a database gives its columns."""
        return cls(table, created, Stage(stage), bool(is_listed))


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event with its table and number, on the way from one store to another."""

    table: str
    seq: int
    version: int
    at: float
    body: bytes


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody who plays or watches, and what they chose: a name, and perhaps a stone."""

    id: str
    name: str
    created: float
    stone: str | None = None


@dataclass(frozen=True, slots=True)
class TokenRow:
    """What a person shows to be recognised: the hash of it."""

    hash: bytes
    person: str
    created: float


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A person has been at a table, so it belongs to their history."""

    table: str
    person: str
    joined: float


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """What was found out about a hand in a deal that is over."""

    table: str
    deal: int
    """From 1."""
    seat: int
    person: str | None
    """Whose hand it was, if it was a person's."""
    judge: str
    position: bytes
    """What was dealt and played, as a hash: of another game the review says nothing."""
    at: float
    """When somebody began to work on it, or had got so far."""
    is_final: bool = False
    is_counted: bool = False
    """Whether it is among its person's figures: each deal is once, whoever judges it again."""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A person shows the reviews of their hands at a table to everyone who has its link."""

    table: str
    person: str


@dataclass(frozen=True, slots=True)
class LearnerRow:
    """A person of whose play there are figures."""

    person: str
    seen: float
    """When they were last here, to the day."""


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A sum: of how somebody played in one week, in some company."""

    person: str
    week: str
    company: str
    name: str
    """What is counted."""
    count: int
    points: float


Row: TypeAlias = PersonRow | TokenRow | TableRow | MemberRow | EventRow | ReviewRow | ShareRow | LearnerRow | FigureRow


def row_key(row: Row) -> str:
    """By which people know a row."""
    match row:
        case PersonRow() | TableRow():
            return row.id
        case TokenRow() | LearnerRow() | FigureRow():
            return row.person
        case _:
            return row.table


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list."""

    table: TableRow
    seq: int
    """The number of its last event; 0 before the first."""
    active: float
    """When that was, or when the table was created."""

    @classmethod
    def of(cls, table: str, created: float, stage: str, is_listed: bool | int, seq: int, active: float) -> Self:
        """As a database gives its columns."""
        return cls(TableRow.of(table, created, stage, is_listed), seq, active)


@dataclass(frozen=True, slots=True)
class PersonalData:
    """All that a store holds about a person; what they played is in the events of these tables."""

    person: PersonRow
    tokens: tuple[float, ...]
    """When each of their tokens was made."""
    tables: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Swept:
    """What a clean-up deleted, by id."""

    tables: tuple[str, ...]
    persons: tuple[str, ...]
    learners: tuple[str, ...] = ()
    """Persons whose figures went."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A running server."""

    address: str
    pid: int
    started: float


class Store(Protocol):
    """Where tables, events and persons are kept."""

    async def create_table(self, table: TableRow, *events: Stored) -> bool:
        """A new table with its first events; False if the id is taken."""
        ...

    async def table(self, table: str) -> TableRow | None: ...

    async def tables(self, stage: Stage | None = None) -> list[Listed]:
        """All tables, or those of a stage, the most recently active first."""
        ...

    async def listed(self, most: int) -> list[Listed]:
        """The waiting tables that want to be found, the most recently active first, and not more than so many.

        However many others there are: anybody can make tables that nobody shall find.
        """
        ...

    async def code(self, table: str, new: str) -> str | None:
        """The code of a table that hasn't started: the one that it has, or else this new one.

        None if there is no such table, or another one has this code already. A code ends when its table starts, is
        closed or goes, and is free for another one. Codes are neither dumped nor loaded: tables get others.
        """
        ...

    async def table_of(self, code: str) -> str | None:
        """Which table has a code."""
        ...

    async def close_table(self, table: str) -> bool:
        """Nothing is appended any more; False if there is no such table."""
        ...

    async def delete_table(self, table: str) -> bool:
        """Removes a table, its events and its memberships; False if there is none."""
        ...

    async def count_running(self, seconds: float) -> None:
        """Servers have run on this data for so much longer, by a clock that nobody sets."""
        ...

    async def sweep(
        self,
        now: float,
        unstarted_for: float,
        idle_for: float,
        figures_for: float,
        in_use: Collection[str] = (),
    ) -> Swept:
        """Deletes tables that didn't start for so many seconds, or are idle for so many; the figures of persons who
        weren't here for so many; and persons as old as tables may be who belong to no table and have no figures.

        A clock may be wrong, and what is deleted is gone. So whatever looks idle is remembered, and goes at a later
        sweep, if it has looked so at each sweep since one that is at least `SURE_AFTER` of running time ago.
        Tables that are in use stay, however long nothing has happened there.
        """
        ...

    async def append(
        self, table: str, seq: int, *events: Stored, stage: Stage | None = None, is_listed: bool | None = None
    ) -> Appended:
        """Stores events as the next of a table, the first under the number `seq`: all of them or none.

        With a `stage` the table gets to it in the same step; with `is_listed` it can be found from then on, or not.
        """
        ...

    async def events(self, table: str, since: int = 0) -> list[Stored]:
        """The events after number `since`, in order: as there are no gaps, the first of them has `since + 1`."""
        ...

    async def add_person(self, person: PersonRow, token: TokenRow) -> bool:
        """Somebody new with a first token; False if the id or the token is taken."""
        ...

    async def persons(self, *persons: str) -> dict[str, PersonRow]:
        """Those of these persons that exist, by id."""
        ...

    async def person_of(self, token: bytes) -> PersonRow | None:
        """Whose token has this hash."""
        ...

    async def rename(self, person: str, name: str) -> bool:
        """False if there is no such person."""
        ...

    async def choose_stone(self, person: str, stone: str) -> bool:
        """False if there is no such person."""
        ...

    async def add_token(self, token: TokenRow, most: int) -> bool:
        """Another token for a person; False if it is taken, they have so many, or there is no such person."""
        ...

    async def revoke(self, person: str, keep: bytes) -> int | None:
        """Takes back all tokens of a person but the one with this hash, and says how many.

        None if that one isn't theirs, or not any more: then nothing changes. So of two who do this to each other at the
        same time one remains, and nobody is ever left without a token.
        """
        ...

    async def join(self, member: MemberRow) -> bool:
        """Puts a table into a person's history, if it isn't there yet; False if either doesn't exist.

        Do so before the event that brings them to the table: a membership too many harms nobody.
        """
        ...

    async def personal_data(self, person: str) -> PersonalData | None:
        """For "export my data", and for a person's history."""
        ...

    async def delete_person(self, person: str) -> bool:
        """For "delete my data"; False if there is no such person."""
        ...

    async def begin_review(self, review: ReviewRow, since: float) -> bool:
        """Whether this is the one to work it out: there is none yet of this judge and this position, nor has anybody
        been at it since then. Of several who ask, one is; False too if there is no such table or person."""
        ...

    async def put_review(self, review: ReviewRow, *figures: FigureRow) -> bool:
        """Puts a review in the place of what is there of its hand, and adds to figures, unless it was counted before.

        False if there is no such table or person, or if this one isn't final and somebody else has finished it: then
        nothing has changed.
        """
        ...

    async def review(self, table: str, deal: int, seat: int) -> ReviewRow | None: ...

    async def reviews(self, table: str) -> list[ReviewRow]:
        """All of a table, by deal and seat, without their bodies."""
        ...

    async def share_reviews(self, share: ShareRow, is_shared: bool) -> bool:
        """False if there is no such table or person."""
        ...

    async def shared(self, table: str) -> frozenset[str]:
        """Who shares theirs at a table."""
        ...

    async def figures(self, person: str) -> list[FigureRow]:
        """By week, company and name."""
        ...

    async def visit(self, person: str, at: float) -> None:
        """Somebody is here: their figures are kept for a while again."""
        ...

    async def dump(self, take: Callable[[Row], None]) -> None:
        """Hands over everything as it was at one moment, each row after those that it refers to.

        `take` is called from another thread. The tables of this are secret: they hold the hands of running deals.
        """
        ...

    async def load(self, rows: Iterable[Row]) -> None:
        """Stores what `dump` gave, all or nothing; rows are drawn from another thread.

        Refuses ids that are here already (`import_duplicate`), and rows that don't fit together (`import_damaged`).
        """
        ...

    def peers(self) -> Peers:
        """The other servers on this data, and the way to them."""
        ...

    async def announce(self, instance: Instance) -> Instance:
        """Says that a server runs on this data. Gives the one that does: this, or another that was there first.

        It holds until the store is closed or its process ends, however it ends. Where several may run on the same
        data, each is given itself, and none is announced.
        """
        ...

    async def announced(self) -> Instance | None:
        """The server that runs on this data now, if one does."""
        ...

    async def close(self) -> None:
        """Finishes what waits, then refuses everything. A second time does nothing."""
        ...
