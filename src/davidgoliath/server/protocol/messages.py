"""Every message between a client and the server, in both directions. One WebSocket a client, JSON, a type each.

A client says `Hello` first, with the number of the last event that it has; the server answers with `Welcome` and one
`Batch` of what came after. From then on each event comes as `Happened` with its number, in order. Wishes carry the
number of the last event that their sender had seen: if another one has happened since, they are refused (`stale`), so
that a double click or a race plays one card.

Events are those of `events`, but for the secrets of a deal that isn't over: see `table.visibility`.
"""

from typing import Literal, TypeAlias

import msgspec

from davidgoliath.art.emotes import FACES
from davidgoliath.match.effects import Now, Preview, Took
from davidgoliath.rules import Refusal
from davidgoliath.server.people.stones import Stone
from davidgoliath.server.protocol.study_types import Why, Worth
from davidgoliath.server.table.events import Person, Seat
from davidgoliath.server.table.outcome import Stand

PROTOCOL = 1
LONGEST_PERSON = 64
EMOTES = tuple(FACES)
"""What people say without words: whatever has a face, and a text."""


class FromClient(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    """What a client says."""


class Hello(FromClient, frozen=True):
    """The first message: who I am, and what I know."""

    protocol: int
    build: str
    """The build of the page, which reloads if the server's is another one; a client of another kind sends none."""
    token: str | None = None
    """Who I am: without one, a spectator."""
    since: int = 0
    """The number of the last event that I have."""


class Wish(FromClient, frozen=True, tag=str.lower):
    """Something that changes the table."""

    expect: int
    """The number of the last event that I have seen."""


class Sit(Wish, frozen=True):
    """Takes an open seat; in a running match that of a bot, if the table allows it: while cards are on the table it is
    promised (`reserved`), and yours with the next deal. Who left a hand of this deal may come back to it at once."""

    seat: Seat
    """Seats count from 0."""


class Leave(Wish, frozen=True):
    """Gives the seat up, or the promise of one."""


class Back(Wish, frozen=True):
    """I am here: takes the cards back from the bot that played for me, and answers the host's question."""


class PlaceBot(Wish, frozen=True):
    """The host gives an open seat to a bot, before the match."""

    seat: Seat
    bot: str
    """Its name, such as `club`: one of those that this server runs."""


class Free(Wish, frozen=True):
    """The host takes a bot away, before the match."""

    seat: Seat


class Start(Wish, frozen=True):
    """The host begins the match."""

    fill: str | list[str] | None = None
    """A bot for the seats that are open; or several, which take them in turn."""


class Play(Wish, frozen=True):
    """Plays a card."""

    card: str
    """Its colour letter and value: `R9`."""


class Undo(Wish, frozen=True):
    """Alone against bots: takes the last card back."""


class DealAgain(Wish, frozen=True):
    """Alone against bots: the same deal from its first card."""


class Hint(Wish, frozen=True):
    """What should I play now? Alone against bots always, and among several people where the table's terms allow it.
    Everyone hears that you asked (`hinted`), and you alone the `advice`."""


class AllowHints(Wish, frozen=True):
    """The host says whether there are hints at this table: before anybody else has a seat."""

    allowed: bool


class GoOn(Wish, frozen=True):
    """Has seen the scores."""


class Pause(Wish, frozen=True):
    """The host stops play."""


class Resume(Wish, frozen=True):
    """The host lets play go on."""


class SetPace(Wish, frozen=True):
    """The host says how long bots take for a card; alone among bots, you do."""

    milliseconds: int
    """From 0 to 5000, thinking included."""


class Lock(Wish, frozen=True):
    """The host keeps newcomers out, or lets them in again."""

    locked: bool


class LetWatch(Wish, frozen=True):
    """The host sends away those who only watch, or lets them watch again."""

    allowed: bool


class Ask(Wish, frozen=True):
    """The host asks somebody: are you there? Who says nothing for a minute is away."""

    seat: Seat


class ReplaceAbsent(Wish, frozen=True):
    """The host has the server's own stand-in play for somebody who is away (`away`)."""

    seat: Seat
    bot: str = ""
    """Ignored: clients used to name a bot."""


class Remove(Wish, frozen=True):
    """The host sends somebody away."""

    person: Person

    def __post_init__(self) -> None:
        if len(self.person) > LONGEST_PERSON:  # it is stored, whoever it is
            raise ValueError("there is no such person")


class End(Wish, frozen=True):
    """The host breaks the match off."""


class PlayAgain(Wish, frozen=True):
    """The host wants a rematch: everyone is told the table (`rematch`), and keeps their seat there."""


class Share(FromClient, frozen=True):
    """The client's part in the next shuffle, once, as soon as it has seen `committed`."""

    deal: int
    """The number of the deal, as in `committed`."""
    share: str
    """16 random bytes from a secure source, in 32 hexadecimal digits."""


class Say(FromClient, frozen=True):
    """An emote, for everyone at the table. Of one seat five in a row are told, and then one a second."""

    emote: Literal[EMOTES]  # type: ignore[valid-type]


AnyFromClient: TypeAlias = (
    Hello
    | Sit
    | Leave
    | Back
    | PlaceBot
    | Free
    | Start
    | Play
    | Undo
    | DealAgain
    | Hint
    | AllowHints
    | GoOn
    | Pause
    | Resume
    | SetPace
    | Lock
    | LetWatch
    | Ask
    | ReplaceAbsent
    | Remove
    | End
    | PlayAgain
    | Share
    | Say
)


class FromServer(msgspec.Struct, frozen=True, tag=str.lower):
    """What the server says."""


class Welcome(FromServer, frozen=True):
    """The answer to `hello`."""

    protocol: int
    build: str
    """The build of the server's page."""
    table: str
    you: Person | None
    """The id by which the table knows you: none for a spectator."""
    highest: int
    """The highest value in the deck."""
    deals: int
    """How many deals the match has at the most."""
    target: int | None
    """The total that ends the match earlier, if one does."""


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event, and what it did."""

    event: msgspec.Raw
    now: Now | None = None
    """Whose turn it is, after a deal or a card."""
    took: Took | None = None
    """What became of the trick, if a card completed it."""
    stand: Stand | None = None
    """Where the table stands, if that has changed."""


class Batch(FromServer, frozen=True):
    """All events after the one that the client had, at once."""

    first: int
    """The number of the first of them. It is 1 if you know of more events than the server, after a backup came back."""
    events: list[Told]
    """In order, without gaps."""
    passed: float = 0.0
    """For how many seconds the table has been waiting: so much of the time for a turn, or for scores, is over."""


class Happened(FromServer, frozen=True, array_like=True):
    """An event. Everyone gets one for every card, so it is written as a list: the type, and these in their order."""

    seq: int
    """Its number: one more than that of the event before it."""
    event: msgspec.Raw
    now: Now | None = None
    took: Took | None = None
    stand: Stand | None = None
    """As in a told event."""


class Turn(FromServer, frozen=True, omit_defaults=True):
    """It is your turn. It comes again, with another `seq`, when something else happens before you have played."""

    seq: int
    """After this event."""
    legal: list[str]
    """All cards that you may play."""
    previews: list[Preview]
    """What would become of the trick if it ended with each of them; none for the first card of a trick."""
    seconds: float | None = None
    """How long you have; none without a clock."""


class Advice(FromServer, frozen=True):
    """The answer to your `hint`."""

    seq: int
    """It is for the card that you play after this event."""
    best: str
    instead: str | None
    """The card with which the reasons compare it, or the next best one if there are none; null if you have no other."""
    cards: list[Worth]
    """All that you may play, the best first."""
    reasons: list[Why]
    """Why it is better than that one: points are below 0 where that one loses."""
    judge: str


class Hand(FromServer, frozen=True):
    """Your cards, when you take a seat during a deal."""

    seq: int
    """After this event."""
    hand: str
    """A set of cards: `R1,9,11 Y5 V3,12`."""


class Names(FromServer, frozen=True, omit_defaults=True):
    """What people are called, and how those at the table look: those that are new, or have changed."""

    names: dict[Person, str]
    stones: dict[Person, Stone] = {}


class Present(FromServer, frozen=True):
    """Who is connected, and how many watch."""

    persons: list[Person]
    spectators: int
    """People without a seat, however many devices they have; whoever has no name counts with each."""


class Warming(FromServer, frozen=True):
    """A bot at this table isn't ready to think yet: until it is, a simpler one plays in its place."""

    ready: bool
    """False when you come, or when the bot does; true once it plays itself."""


class Saving(FromServer, frozen=True):
    """Whether the server can save what happens. While it can't, the table waits; it goes on by itself."""

    ready: bool
    """False when saving fails, and to whoever comes then; true once it succeeds again."""


class Said(FromServer, frozen=True):
    """Somebody's emote."""

    seat: Seat
    emote: str


class Refused(FromServer, frozen=True):
    """A wish that can't be, and why: a key of the texts, with what it needs."""

    reason: str
    arguments: dict[str, int | str]
    """What the text needs."""
    seq: int
    """The number of the last event: where the client should be."""


AnyFromServer: TypeAlias = (
    Welcome | Batch | Happened | Turn | Advice | Hand | Names | Present | Warming | Saving | Said | Refused
)

_DECODER = msgspec.json.Decoder(AnyFromClient)


def read(text: bytes | str) -> AnyFromClient:
    """What a client says, or `msgspec.DecodeError`."""
    message: AnyFromClient = _DECODER.decode(text)
    return message


def write(message: AnyFromServer) -> bytes:
    return msgspec.json.encode(message)


def refused(refusal: Refusal, seq: int) -> Refused:
    """A refusal as a message: its arguments as texts, so that a page can word it."""
    arguments = {key: value if type(value) in (int, str) else str(value) for key, value in refusal.arguments.items()}
    return Refused(str(refusal.reason), arguments, seq)
