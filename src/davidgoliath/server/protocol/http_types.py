"""What HTTP requests and their answers carry, as JSON: a type each. `docs/protocol.md` is made from them."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from davidgoliath import __version__
from davidgoliath.server.config import Offer, Timing
from davidgoliath.server.people.stones import Stone
from davidgoliath.server.protocol.messages import Told, Welcome
from davidgoliath.server.table.events import Person, Seat
from davidgoliath.server.table.table import Phase


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody new: no account, just a name."""

    name: str
    """1 to 20 visible characters, and others where spelling or an emoji needs them; it can't look like `bot:…`."""


class PersonMade(msgspec.Struct, frozen=True):
    """Keep the token, and show it to nobody: whoever has it is this person."""

    person: Person
    token: str


class TokenMade(msgspec.Struct, frozen=True):
    """Another token for you: it does what the one does by which you asked."""

    token: str


class Revoked(msgspec.Struct, frozen=True):
    """Whoever was connected by one of them is no longer."""

    revoked: int
    """How many tokens were taken back."""


class Game(msgspec.Struct, frozen=True):
    """How a table stands."""

    players: list[str | None]
    """For each seat a person's name, a bot (`bot:club`), or null for an open seat."""
    seat: Seat | None
    """Yours, if you have one."""
    rules: str
    phase: Phase
    """`gathering`, `dealing`, `playing`, `scores` or `over`."""
    totals: tuple[int, ...]
    """Of the deals that are over, a number for each seat."""
    turn: bool
    """Whether it is your turn."""
    places: tuple[int, ...]
    """Each seat's place by these totals, from 1; who is equal shares one."""
    unfinished: tuple[int, ...] | None
    """Null, unless the match was broken off: then what each seat had of the deal that wasn't over."""
    counts: bool
    """Whether a win counts: one person against bots, who had no hint, took no card back and chose each of their own."""
    stones: list[Stone | None] = []
    """For each seat that of a person."""


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
    game: Game | None = None
    """How it stands, for the 50 tables that were active last."""


class Me(msgspec.Struct, frozen=True):
    """All that the server holds about you, with `GET /api/me/figures`. What you played is in the records of these
    tables."""

    person: Person
    name: str
    created: float
    """In seconds since 1970."""
    tokens: tuple[float, ...]
    """When each of your tokens was made."""
    tables: list[MyTable]
    """The one that was active last comes first."""
    stone: Stone | None = None
    """The one that you chose. Without one you get another at each table, which nobody else has there."""


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
    public: bool = False
    """Whether the server's list may show it while it has an open seat; some servers have no list."""
    hints: bool = False
    """Whether there are hints at this table also among several people, for whoever is to play."""


class TableMade(msgspec.Struct, frozen=True):
    """The table's id, by which everyone finds it."""

    table: str


class TableShown(msgspec.Struct, frozen=True):
    """What anyone may know of a table."""

    players: int
    rules: str
    phase: Phase
    """`gathering`, `dealing`, `playing`, `scores` or `over`."""
    totals: tuple[int, ...]
    """Of the deals that are over, a number for each seat."""
    seq: int
    """The number of the last event."""
    locked: bool
    hints: bool
    """Whether there are hints: whoever sits down agrees."""


class Replay(msgspec.Struct, frozen=True):
    """What happened at a table, up to the end of the last deal that is over."""

    welcome: Welcome
    """As over the WebSocket."""
    names: dict[Person, str]
    events: list[Told]
    """As in `batch`, from the first on; `dealt` has the hands of all."""
    stones: dict[Person, Stone] = {}


class ListedTable(msgspec.Struct, frozen=True):
    """A table that anyone may join."""

    table: str
    host: str
    """The host's name."""
    players: int
    open_seats: int
    rules: str
    active: float
    """When something happened there last, in seconds since 1970."""
    hints: bool
    """Whether there are hints: whoever sits down agrees."""


class TableList(msgspec.Struct, frozen=True):
    """At most 50 tables."""

    tables: list[ListedTable]
    """The one that was active last comes first."""


class Reach(StrEnum):
    """Who can open a link."""

    COMPUTER = "computer"
    NETWORK = "network"
    PUBLIC = "public"


class Link(msgspec.Struct, frozen=True):
    """What to send to others who should come to a table."""

    link: str
    reach: Reach
    """Who can open it: `computer` (nobody elsewhere), `network` (whoever is in the same network) or `public`."""
    code: str | None
    """Six letters to read out, for `POST /api/codes`; null once the match has begun."""


class Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody was told: six letters, large or small, with spaces and dashes as they like."""

    code: str


class TableFound(msgspec.Struct, frozen=True):
    """The table that waits under a code."""

    table: str


class PersonalLink(msgspec.Struct, frozen=True):
    """The link that makes another browser you: it holds the token by which you asked, behind `#`."""

    link: str
    reach: Reach
    """As in `Link`."""
    qr: str
    """The link as a QR code, in SVG."""


class ServerShown(msgspec.Struct, frozen=True):
    """What a server offers."""

    version: str
    bots: list[str]
    """Those that tables may have, from the weakest to the strongest; bots beside the ladder come last."""
    public_list: bool
    """Whether it has a list of tables."""
    ready: bool
    """Whether all bots play themselves: simpler ones stand in for those that are still being compiled."""
    unstarted_days: float
    """After so many days a table that never started is deleted."""
    idle_days: float
    """After so many days without an event any table is deleted."""
    pace: int
    """How many milliseconds a bot takes for a card, thinking included, at a table where nobody has set another pace."""
    scores_seconds: float
    """For so long scores stay at most, until the next deal."""
    answer_seconds: float
    """So long somebody has to answer the host's question whether they are there."""
    site: int | None = None
    """How many bytes a browser gets that keeps the game from `/site/`, for times without a network; null: it can't."""
    study: bool = False
    """Whether there are hints and reviews here."""
    figures_days: float = 0
    """For so many days after somebody's last visit their figures are kept."""

    @classmethod
    def of(
        cls,
        bots: Iterable[str],
        offer: Offer,
        timing: Timing,
        *,
        ready: bool = True,
        site: int | None = None,
        study: bool = False,
    ) -> "ServerShown":
        """What follows from what the operator chose."""
        return cls(
            version=__version__,
            bots=list(bots),
            public_list=offer.public_list,
            ready=ready,
            unstarted_days=offer.unstarted_days,
            idle_days=offer.idle_days,
            pace=round(1000 * timing.bot),
            scores_seconds=timing.scores,
            site=site,
            study=study,
            figures_days=offer.figures_days,
            answer_seconds=timing.answer,
        )


class Health(msgspec.Struct, frozen=True):
    """The server runs."""

    version: str


class Readiness(msgspec.Struct, frozen=True):
    """Whether people may be sent to this server: with status 503 if not."""

    ready: bool
    reason: str | None = None
    """Why not: it is `stopping`, or the `store` doesn't answer."""


class Refusal(msgspec.Struct, frozen=True):
    """Why a request can't be: with a status from 400 to 499."""

    reason: str
    arguments: dict[str, int | str]
    """What the sentence needs."""
    text: str
    """The sentence, in the language that the client prefers (`Accept-Language`)."""
