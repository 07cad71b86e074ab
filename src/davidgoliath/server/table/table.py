"""A table: the fold of its events, and what may happen next.

A `Table` is a value. `after` gives the table after an event and never refuses, since what is stored has happened; what
people want is decided by `commands`. Nothing here knows the time, who is connected, or how anything is stored or sent.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

from davidgoliath.bots import BOT
from davidgoliath.match import Match
from davidgoliath.rules import Card, CardSet, Deal, DealState, ReasonCode, RuleSet, View
from davidgoliath.server.table.events import (
    Aborted,
    AnyEvent,
    Asked,
    Away,
    CameBack,
    Committed,
    Created,
    Dealt,
    Ended,
    Hinted,
    HintsAllowed,
    HostIs,
    Locked,
    Opened,
    PaceSet,
    Paused,
    Person,
    Played,
    Rematch,
    Removed,
    Reserved,
    Resumed,
    Sat,
    Seat,
    Started,
    Stood,
    StoodIn,
    Undone,
    Watching,
    WentOn,
)

SLOWEST_PACE: Final = 5000
"""Milliseconds that a bot may be told to take for a card."""
MOST_EVENTS: Final = 5000
"""So many a table may have. The longest match has some 2,000, so 3,000 are left to take cards back, come and go."""
MOST_BEFORE_HOST: Final = 4000
"""With so many nobody takes a seat any more: the rest is for the match and its host, however restless strangers are."""
MOST_BEFORE_RETURN: Final = 2 * MOST_EVENTS
"""With so many, which takes days at a full table, a stand-in stays until its person plays a card."""
MOST_REMOVED: Final = 100
"""So many people a host may send away from a table."""


class Denial(ReasonCode):
    """Why a table refuses something. Each has a text, like `rules.Reason`."""

    SENT_AWAY = "sent_away"
    SEAT_TAKEN = "seat_taken"
    TABLE_LOCKED = "table_locked"
    ALREADY_SEATED = "already_seated"
    NO_TAKEOVER = "no_takeover"
    LAST_DEAL = "last_deal"
    MATCH_RUNS = "match_runs"
    SEATS_OPEN = "seats_open"
    TABLE_PAUSED = "table_paused"
    NOT_SOLO = "not_solo"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NO_HINTS = "no_hints"
    TERMS_SETTLED = "terms_settled"
    DEAL_NOT_OVER = "deal_not_over"
    MATCH_NOT_OVER = "match_not_over"
    NOT_YOUR_HAND = "not_your_hand"
    NOT_HOST = "not_host"
    ONLY_OWNER = "only_owner"
    NOT_AWAY = "not_away"
    BACK_ALREADY = "back_already"
    NOT_AT_TABLE = "not_at_table"
    TOO_MANY_REMOVED = "too_many_removed"
    TABLE_FULL = "table_full"
    NOT_SEATED = "not_seated"
    NOT_YOURSELF = "not_yourself"
    NO_WATCHERS = "no_watchers"


class Phase(StrEnum):
    """Where a table stands."""

    GATHERING = "gathering"
    DEALING = "dealing"
    PLAYING = "playing"
    SCORES = "scores"
    OVER = "over"


class Hint(NamedTuple):
    """Where somebody had a hint."""

    dealt: int
    """In which deal of those that were dealt, from 0."""
    place: int
    """For which of its cards, from 0."""
    seat: Seat


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat, and who has it."""

    player: str | None = None
    """A person, a bot (`bot:club`), or nobody yet."""
    stand_in: str | None = None
    """The bot that plays for a person who is away."""
    away: str | None = None
    """Why a bot may do so."""
    is_asked: bool = False
    """Whether the host has asked them, and waits for an answer."""
    heir: Person | None = None
    """Who has this bot's seat with the next deal."""
    house: str | None = None
    """The bot whose seat it was before a person took it: it comes back when they leave."""

    person: Person | None = field(init=False, repr=False, compare=False)
    """Who it is, if it is a person: often asked, so it is worked out once."""

    def __post_init__(self) -> None:
        is_person = self.player and not self.player.startswith(BOT)
        object.__setattr__(self, "person", self.player if is_person else None)

    @property
    def bot(self) -> str | None:
        """The name of the bot that chooses this seat's cards, if one does."""
        if self.stand_in:
            return self.stand_in
        return self.player.removeprefix(BOT) if self.player and not self.person else None

    @property
    def is_doubted(self) -> bool:
        """Whether the person may not be there: until they say so, or play."""
        return bool(self.stand_in or self.away or self.is_asked)

    def taken_by(self, player: str) -> "Chair":
        """The same seat with another player."""
        taken = Chair(player)
        return replace(taken, house=self.house if self.person else self.bot) if taken.person else taken


@dataclass(frozen=True)
class Table:
    """A table as it stands."""

    seq: int
    """The number of the last event."""
    host: Person
    owner: Person
    """Who made the table: the host's role comes back to them."""
    chairs: tuple[Chair, ...]
    match: Match
    turn_seconds: int | None
    takeover: bool
    is_public: bool = False
    has_hints: bool = False
    """Whether hints are a term of this table."""
    phase: Phase = Phase.GATHERING
    arrivals: tuple[Person, ...] = ()
    """Who has a seat, in the order of sitting down."""
    removed: frozenset[Person] = frozenset()
    is_locked: bool = False
    has_watchers: bool = True
    """Whether people without a seat may watch."""
    paused: Paused | None = None
    pace: int | None = None
    """How many milliseconds bots take for a card, if anybody said so."""
    gone_on: frozenset[Seat] = frozenset()
    """Who has seen the scores."""
    commitment: Committed | None = None
    returned: Seat | None = None
    """Who has taken over from a bot in the turn under way, and so had their time anew: once is enough."""
    shuffles: tuple[str, ...] = ()
    """Of all deals begun, those broken off included."""
    dealt_to: tuple[tuple[Chair, ...], ...] = ()
    """Who had the seats when each of these was dealt."""
    seen: frozenset[tuple[Person, Seat]] = frozenset()
    """Who has seen which hand of this deal."""
    had_cards: frozenset[Person] = frozenset()
    """Everyone who has ever seen a hand of this match."""
    rematch: str | None = None
    aborted: tuple[DealState, ...] = ()
    hints: tuple[Hint, ...] = ()
    """All that anybody had."""
    undone: frozenset[int] = frozenset()
    """In which deals cards were taken back, of those that were dealt, from 0."""
    helped: frozenset[tuple[int, Seat]] = frozenset()
    """In which of them a bot had the hand of a person."""
    is_unaided: bool = True
    """Whether nobody ever had a hint or took a card back, and no bot has ever played for somebody."""

    @classmethod
    def begin(cls, event: Created) -> "Table":
        """A table by its first event."""
        chairs = tuple(map(Chair, event.seats))
        return cls(
            seq=1,
            host=event.host,
            owner=event.host,
            chairs=chairs,
            arrivals=tuple(chair.person for chair in chairs if chair.person),
            match=Match(len(chairs), RuleSet.parse(event.rules)),
            turn_seconds=event.turn_seconds,
            takeover=event.takeover,
            is_public=event.public,
            has_hints=event.hints,
        )

    @classmethod
    def fold(cls, events: Iterable[AnyEvent]) -> "Table":
        first, *others = events
        if not isinstance(first, Created):
            raise TypeError(f"a table begins with Created, not {first}")
        table = cls.begin(first)
        for event in others:
            table = table.after(event)
        return table

    # What everyone can see

    @property
    def players(self) -> int:
        return len(self.chairs)

    @property
    def state(self) -> DealState | None:
        """The deal being played, or just finished."""
        return self.match.deals[-1] if self.match.deals else None

    @property
    def to_play(self) -> Seat | None:
        state = self.state
        return state.to_play if state and self.phase is Phase.PLAYING else None

    @property
    def is_alone(self) -> bool:
        """One person among bots: nobody else waits, so there is no clock."""
        return len(self.arrivals) == 1

    @property
    def is_solo(self) -> bool:
        """One person among bots, who alone has ever had cards: it is nobody else's game, so they may take back."""
        return self.is_alone and self.had_cards <= {*self.arrivals}

    @property
    def counts(self) -> bool:
        """Whether a win would count as one over these bots."""
        return self.is_solo and self.is_unaided

    @property
    def has_hint(self) -> bool:
        """Whether whoever is to play has had a hint for this card."""
        state = self.state
        return state is not None and any(
            hint.dealt == self.dealt and hint.place == len(state.plays) for hint in self.hints
        )

    @property
    def dealt(self) -> int:
        """Which deal is on the table, or was the last, of those that were dealt: from 0."""
        return len(self.dealt_to) - 1

    @property
    def is_broken_off(self) -> bool:
        return self.phase is Phase.OVER and not self.match.is_over

    @property
    def is_full(self) -> bool:
        """Whether nothing may happen any more but what brings the match to its end."""
        return self.seq >= MOST_EVENTS

    @property
    def is_crowded(self) -> bool:
        """Whether nobody may come any more, so that there is room for the match and its host."""
        return self.seq >= MOST_BEFORE_HOST

    @property
    def owner_stays(self) -> bool:
        """Whether the table's maker has a seat: then another host only keeps things going."""
        return self.seat_of(self.owner) is not None

    @property
    def heirs(self) -> tuple[Person, ...]:
        """Who has a seat with the next deal."""
        return tuple(chair.heir for chair in self.chairs if chair.heir)

    @property
    def open_seats(self) -> list[Seat]:
        return [seat for seat, chair in enumerate(self.chairs) if not chair.player]

    @property
    def is_listed(self) -> bool:
        """Whether a list of tables shows it: if its maker wished so, for as long as newcomers find a seat."""
        return self.is_public and self.phase is Phase.GATHERING and not self.is_locked and bool(self.open_seats)

    @property
    def is_running(self) -> bool:
        return self.phase not in (Phase.GATHERING, Phase.OVER)

    def seat_of(self, person: Person) -> Seat | None:
        for seat, chair in enumerate(self.chairs):
            if chair.person == person:
                return seat
        return None

    def receives(self, person: Person | None) -> bool:
        """Whether somebody may be here who has no seat: to watch, or where nobody may, to take one or come back."""
        if self.has_watchers or person in (*self.arrivals, *self.heirs):
            return True
        can_sit = self.phase is Phase.GATHERING and not self.is_locked and bool(self.open_seats)
        return (can_sit or person in self.had_cards) and person not in self.removed

    def view(self, person: Person | None) -> View | None:
        """What a person may know of the deal: a spectator, as anyone without a seat."""
        seat = self.seat_of(person) if person else None
        return self.state.view(seat) if self.state else None

    # What has happened

    def after(self, event: AnyEvent) -> "Table":
        """The table after an event."""
        return self._after(event)._with(seq=self.seq + 1)

    def _with(self, **changes: Any) -> "Table":
        """The same table but for these fields. `dataclasses.replace` takes ten times as long for so many."""
        table = object.__new__(Table)
        table.__dict__.update(self.__dict__, **changes)
        return table

    def with_match(self, match: Match) -> "Table":
        """The table after a card that the rules have worked out already."""
        return self._scored(match, seq=self.seq + 1)

    def _after(self, event: AnyEvent) -> "Table":
        match event:
            case Sat(seat=seat, player=player):
                chair = self.chairs[seat].taken_by(player)
                with_chair = self._with_chair(seat, chair)._seeing(chair.person, seat)._taken_over(self, seat)
                return with_chair if chair.person else with_chair._helped(seat)
            case Stood(seat=seat):
                return self._with_chair(seat, Chair())
            case StoodIn(seat=seat, bot=bot):
                stood_in = self._with_chair(seat, replace(self.chairs[seat], stand_in=bot))
                return stood_in._helped(seat)._with(is_unaided=False)
            case CameBack(seat=seat):
                here = replace(self.chairs[seat], stand_in=None, away=None, is_asked=False)
                return self._with_chair(seat, here)._taken_over(self, seat)
            case Asked(seat=seat):
                return self._with_chair(seat, replace(self.chairs[seat], is_asked=True))
            case Away(seat=seat, why=why):
                return self._with_chair(seat, replace(self.chairs[seat], away=why, is_asked=False))
            case Reserved(seat=seat, person=person):
                return self._with_chair(seat, replace(self.chairs[seat], heir=person))
            case Started():
                return self._with(phase=Phase.DEALING)
            case Committed():
                return self._with(phase=Phase.DEALING, commitment=event)
            case Dealt():
                return self._dealt(event)
            case Aborted():
                return self._with(
                    phase=Phase.DEALING,
                    aborted=(*self.aborted, self.match.deals[-1]),
                    match=replace(self.match, deals=self.match.deals[:-1]),
                )
            case Opened():
                return self
            case Played(seat=seat, card=card):
                return self._scored(self.match.play(Card.parse(card), seat))
            case Undone(cards=cards):
                undone = self.undone | {self.dealt}
                return self._scored(self.match.take_back(cards))._with(is_unaided=False, undone=undone)
            case HintsAllowed(allowed=allowed):
                return self._with(has_hints=allowed)
            case Hinted(seat=seat):
                hint = Hint(self.dealt, len(self.state.plays) if self.state else 0, seat)
                return self._with(hints=(*self.hints, hint), is_unaided=False)
            case WentOn(seat=seat):
                return self._with(gone_on=self.gone_on | {seat})
            case Paused():
                return self._with(paused=event)
            case Resumed():
                return self._with(paused=None)
            case PaceSet(milliseconds=milliseconds):
                return self._with(pace=milliseconds)
            case Locked(locked=locked):
                return self._with(is_locked=locked)
            case Watching(allowed=allowed):
                return self._with(has_watchers=allowed)
            case Removed(person=person):
                return self._with(removed=self.removed | {person})
            case HostIs(person=person):
                return self._with(host=person)
            case Ended():
                return self._with(phase=Phase.OVER, paused=None)
            case Rematch(table=table):
                return self._with(rematch=table)
            case Created():
                raise AssertionError("a table is made once")

    def _with_chair(self, seat: Seat, chair: Chair) -> "Table":
        chairs = (*self.chairs[:seat], chair, *self.chairs[seat + 1 :])
        here = [chair.person for chair in chairs if chair.person]
        stayed = tuple(person for person in self.arrivals if person in here)
        return self._with(chairs=chairs, arrivals=(*stayed, *(person for person in here if person not in stayed)))

    def _seeing(self, person: Person | None, seat: Seat) -> "Table":
        """Somebody sits down in the middle of a deal."""
        if not person or self.phase is not Phase.PLAYING:
            return self
        return self._with(seen=self.seen | {(person, seat)}, had_cards=self.had_cards | {person})

    def _helped(self, seat: Seat) -> "Table":
        """A bot chooses from now on for a hand that was dealt to a person."""
        if self.phase is not Phase.PLAYING or not self.dealt_to[-1][seat].person:
            return self
        return self._with(helped=self.helped | {(self.dealt, seat)})

    def _taken_over(self, before: "Table", seat: Seat) -> "Table":
        """It may be a person's turn now that was a bot's."""
        is_persons = before.chairs[seat].bot and not self.chairs[seat].bot
        return self._with(returned=seat) if is_persons and seat == self.to_play else self

    def _dealt(self, event: Dealt) -> "Table":
        deal = Deal(event.dealer, tuple(map(CardSet.parse, event.hands)))
        return self._with(
            phase=Phase.PLAYING,
            match=self.match.begin(deal),
            shuffles=(*self.shuffles, event.shuffle),
            dealt_to=(*self.dealt_to, self.chairs),
            helped=self.helped.union(
                (len(self.dealt_to), seat) for seat, chair in enumerate(self.chairs) if chair.person and chair.stand_in
            ),
            seen=frozenset((chair.person, seat) for seat, chair in enumerate(self.chairs) if chair.person),
            had_cards=self.had_cards.union(self.arrivals),
            gone_on=frozenset(),
            commitment=None,
            returned=None,
        )

    def _scored(self, match: Match, **changes: Any) -> "Table":
        """With the match as it is after a card."""
        phase = Phase.PLAYING if match.state else Phase.OVER if match.is_over else Phase.SCORES
        return self._with(match=match, phase=phase, returned=None, **changes)

    @property
    def all_went_on(self) -> bool:
        """Whether everyone who is not away has seen the scores."""
        return all(chair.bot or seat in self.gone_on for seat, chair in enumerate(self.chairs))

    def admits(self, events: Collection[AnyEvent]) -> bool:
        """Whether so much may happen: at a full table what is played to the end, and nobody comes or takes back."""
        if any(map(self._brings_on, events)):
            return True
        return not self.is_full and not (self.is_crowded and any(map(_takes_seat, events)))

    def _brings_on(self, event: AnyEvent) -> bool:
        """Whether an event brings the match on, or is one that can't happen again and again."""
        match event:
            case Sat(seat=seat, player=player):  # a bot for somebody who leaves
                return player.startswith(BOT) and self.chairs[seat].person is not None
            case HostIs(person=person):
                return person == self.owner
            case CameBack():
                return self.seq < MOST_BEFORE_RETURN
            case _:
                return isinstance(event, _TO_THE_END)


_TO_THE_END: Final = (Started, Committed, Dealt, Played, WentOn, StoodIn, Aborted, Ended, Resumed, Rematch)


def _takes_seat(event: AnyEvent) -> bool:
    """Whether a person does, or is promised to."""
    match event:
        case Sat(player=player):
            return not player.startswith(BOT)
        case Reserved(person=person):
            return person is not None
    return False
