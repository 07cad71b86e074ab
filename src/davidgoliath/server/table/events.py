"""What happens at a table, as it is stored (event sourcing): a table is the fold of its events, and nothing else.

Events are numbered from 1 and never change. Once stored, a kind of event keeps its name and its fields; new fields have
defaults. Persons are ids: their names lie elsewhere, and can be deleted. Everybody at the table gets every event
as it is, but for the secrets in `Committed` and `Dealt`: see `visibility`.
"""

from typing import Literal, TypeAlias

import msgspec

from davidgoliath.rules import ReasonCode, Refusal

VERSION = 3
"""A build that has a new kind of event has the next number, so that older ones beside it leave its tables to it.

2 came with `Reserved`, `Asked`, `Away` and `Watching`, 3 with `HintsAllowed` and `Hinted`."""
Seat = int
Person = str
"""An id. A seat's player is that of a person, or `bots.BOT` and the name of a bot."""


class EventReason(ReasonCode):
    """Why an event can't be read."""

    EVENTS_NEWER = "events_newer"


class Event(msgspec.Struct, frozen=True, tag=str.lower, omit_defaults=True):
    """Something that happened."""


class Created(Event, frozen=True):
    """A table is made. Seats are given to bots (`bot:club`) or left open."""

    host: Person
    seats: tuple[str | None, ...]
    """For each seat a person, a bot (`bot:club`), or nobody."""
    rules: str
    """A preset, and options behind it."""
    turn_seconds: int | None = None
    """How long a turn may take, if there is a clock."""
    takeover: bool = False
    """Whether newcomers may take the seat of a bot in a running match."""
    public: bool = False
    """Whether the server's list of tables may show it, if there is one."""
    hints: bool = False
    """Whether whoever is to play may have a hint, also among several people. Alone against bots they always may."""


class Sat(Event, frozen=True):
    """A player takes a seat: a person, or a bot."""

    seat: Seat
    player: str
    """A person's id, or `bot:` and the bot's name."""


class Stood(Event, frozen=True):
    """A seat is left open: only before the match."""

    seat: Seat


class Reserved(Event, frozen=True):
    """A bot's seat is promised: with the next deal it is this person's."""

    seat: Seat
    person: Person | None = None
    """None takes the promise back."""


class Asked(Event, frozen=True):
    """The host asks somebody: are you there?"""

    seat: Seat


class Away(Event, frozen=True):
    """Somebody is away, so that the host may have a bot play for them."""

    seat: Seat
    why: Literal["gone", "late", "silent"]
    """Not connected for a while, over the time for a turn, or without an answer to the host's question."""


class StoodIn(Event, frozen=True):
    """A bot plays for an absent person, who keeps the seat."""

    seat: Seat
    bot: str


class CameBack(Event, frozen=True):
    """The person is there again, and takes the cards back if a bot had them."""

    seat: Seat


class Started(Event, frozen=True):
    """Seats are filled, and the match begins."""


class Committed(Event, frozen=True):
    """The server has its secret for the next deal, and shows its commitment."""

    deal: int
    """Which deal of the match, from 1."""
    commitment: str
    """64 hexadecimal digits: see `docs/fairness.md`."""
    shuffle: str = ""
    """The secret, in the form of `match.shuffle`. Only the server sees it."""


class Dealt(Event, frozen=True):
    """The cards. A seat sees its own hand, and nobody but the server all of this."""

    deal: int
    dealer: Seat
    """The seat after the dealer's leads to the first trick."""
    hands: tuple[str, ...]
    """For each seat a set of cards; `-` where it isn't for your eyes."""
    shuffle: str = ""
    """The secret and the seats' shares."""


class Opened(Event, frozen=True):
    """A deal is over, so that everyone may check its shuffle."""

    deal: int
    shuffle: str
    """The secret and the seats' shares, from which anyone recomputes the cards."""


class Aborted(Event, frozen=True):
    """A deal is broken off: it stays in the record. Where there were cards, its shuffle becomes known (`Opened`)."""

    deal: int


class Played(Event, frozen=True):
    """A card, and who chose it: the person or a bot."""

    seat: Seat
    card: str
    by: Literal["person", "bot"] = "person"


class Undone(Event, frozen=True):
    """In a solo match: the last cards are taken back."""

    cards: int
    """How many."""


class WentOn(Event, frozen=True):
    """A person has seen the scores."""

    seat: Seat


class Paused(Event, frozen=True):
    """Nobody plays for now. Without a host's wish, because nobody is there."""

    wish: bool = True
    """Whether the host wished it; if not, play goes on when somebody is back."""


class Resumed(Event, frozen=True):
    """Play goes on."""


class PaceSet(Event, frozen=True):
    """How long bots take for a card here from now on, instead of what is usual on this server."""

    milliseconds: int
    """From 0 to 5000, thinking included."""


class HintsAllowed(Event, frozen=True):
    """Whether there are hints at this table: before the match, and while nobody but the host has a seat."""

    allowed: bool


class Hinted(Event, frozen=True):
    """Somebody has asked for a hint for the card that comes next. Which card it named only they know."""

    seat: Seat


class Locked(Event, frozen=True):
    """No newcomers, or newcomers again."""

    locked: bool
    """Whether newcomers are kept out."""


class Watching(Event, frozen=True):
    """Whether people without a seat may watch."""

    allowed: bool


class Removed(Event, frozen=True):
    """The host has sent someone away, who can't sit down here again."""

    person: Person


class HostIs(Event, frozen=True):
    """The host's role passes, or comes back."""

    person: Person


class Ended(Event, frozen=True):
    """The match is broken off."""


class Rematch(Event, frozen=True):
    """The same players go on at another table."""

    table: str


AnyEvent: TypeAlias = (
    Created
    | Sat
    | Stood
    | Reserved
    | Asked
    | Away
    | StoodIn
    | CameBack
    | Started
    | Committed
    | Dealt
    | Opened
    | Aborted
    | Played
    | Undone
    | WentOn
    | Paused
    | Resumed
    | PaceSet
    | HintsAllowed
    | Hinted
    | Locked
    | Watching
    | Removed
    | HostIs
    | Ended
    | Rematch
)

_DECODER = msgspec.json.Decoder(AnyEvent)


def encode(event: AnyEvent) -> bytes:
    return msgspec.json.encode(event)


def decode(body: bytes, version: int = VERSION) -> AnyEvent:
    """An event of any version so far. One of a later version is for a later build, which runs beside this one."""
    if version > VERSION:
        raise Refusal(EventReason.EVENTS_NEWER)
    event: AnyEvent = _DECODER.decode(body)
    return event
