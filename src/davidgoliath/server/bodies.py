"""What HTTP requests and their answers carry, as JSON: a type each. `docs/protocol.md` is made from them."""

from typing import Any

import msgspec

from davidgoliath.server.events import Person
from davidgoliath.server.messages import Told, Welcome


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody new: no account, just a name."""

    name: str
    """1 to 20 visible characters; it can't begin with `bot:`."""


class PersonMade(msgspec.Struct, frozen=True):
    """Keep the token, and show it to nobody: whoever has it is this person."""

    person: Person
    token: str


class MyTable(msgspec.Struct, frozen=True):
    """A table where somebody has been."""

    table: str
    link: str
    """The path of its link on this server."""
    created: float
    active: float
    """When something happened there last, in seconds since 1970."""
    stage: str
    """`waiting`, `running` or `over` (closed)."""


class Me(msgspec.Struct, frozen=True):
    """All that the server holds about you. What you played is in the records of these tables."""

    person: Person
    name: str
    created: float
    """In seconds since 1970."""
    tokens: tuple[float, ...]
    """When each of your tokens was made."""
    tables: list[MyTable]


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table, whose maker is its host and gets its first open seat."""

    seats: list[str | None]
    """Bots by name (`club`), and null for open seats: 3 to 6, at least one of them open."""
    rules: str = "classic"
    """A preset, and options behind it: `classic deals=2`."""
    turn_seconds: int | None = None
    """How long a turn may take, from 1 to 3600; null is no clock."""
    takeover: bool = False
    """Whether newcomers may take the seat of a bot in a running match."""


class TableMade(msgspec.Struct, frozen=True):
    """The table's id, by which everyone finds it."""

    table: str


class TableShown(msgspec.Struct, frozen=True):
    """What anyone may know of a table."""

    players: int
    rules: str
    phase: str
    """`gathering`, `dealing`, `playing`, `scores` or `over`."""
    totals: tuple[int, ...]
    """Of the deals that are over, a number for each seat."""
    seq: int
    """The number of the last event."""
    locked: bool


class Replay(msgspec.Struct, frozen=True):
    """What happened at a table, up to the end of the last deal that is over."""

    welcome: Welcome
    """As over the WebSocket."""
    names: dict[Person, str]
    events: list[Told]
    """As in `batch`, from the first on; `dealt` has the hands of all."""


class Health(msgspec.Struct, frozen=True):
    """The server runs."""

    version: str


class Refusal(msgspec.Struct, frozen=True):
    """Why a request can't be: with a status from 400 to 499."""

    reason: str
    arguments: dict[str, Any]
    """What the sentence needs."""
    text: str
    """The sentence, in the language that the client prefers (`Accept-Language`)."""
