"""A table: the fold of its events, and what may happen next.

A `Table` is a value. `after` gives the table after an event and never refuses, since what is stored has happened; the
other methods are what people want: they refuse, or give the events that would make it so. Nothing here knows the time,
who is connected, or how anything is stored or sent.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from davidgoliath.match import Match
from davidgoliath.rules import Card, CardSet, Deal, DealState, Reason, Refusal, RuleSet, View
from davidgoliath.server.events import (
    BOT,
    Aborted,
    AnyEvent,
    Asked,
    Away,
    CameBack,
    Committed,
    Created,
    Dealt,
    Ended,
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
MOST_REMOVED: Final = 100
"""So many people a host may send away from a table."""


class Denial(StrEnum):
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
    NOT_HOST = "not_host"
    ONLY_OWNER = "only_owner"
    NOT_AWAY = "not_away"
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

    @property
    def person(self) -> Person | None:
        return self.player if self.player and not self.player.startswith(BOT) else None

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
    def is_full(self) -> bool:
        """Whether nothing may happen any more but what brings the match to its end."""
        return self.seq >= MOST_EVENTS

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
        return next((seat for seat, chair in enumerate(self.chairs) if chair.person == person), None)

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

    @staticmethod
    def told(event: AnyEvent, seat: Seat | None) -> AnyEvent:
        """An event as a seat may see it; None is a spectator. The one place that hides anything of an event."""
        match event:
            case Committed():
                return Committed(event.deal, event.commitment)
            case Dealt():
                hands = tuple(hand if other == seat else "-" for other, hand in enumerate(event.hands))
                return Dealt(event.deal, event.dealer, hands)
            case _:
                return event

    # What has happened

    def after(self, event: AnyEvent) -> "Table":
        """The table after an event."""
        return replace(self._after(event), seq=self.seq + 1)

    def _after(self, event: AnyEvent) -> "Table":
        match event:
            case Sat(seat=seat, player=player):
                chair = self.chairs[seat].taken_by(player)
                return self._with_chair(seat, chair)._seeing(chair.person, seat)
            case Stood(seat=seat):
                return self._with_chair(seat, Chair())
            case StoodIn(seat=seat, bot=bot):
                return self._with_chair(seat, replace(self.chairs[seat], stand_in=bot))
            case CameBack(seat=seat):
                return self._with_chair(seat, replace(self.chairs[seat], stand_in=None, away=None, is_asked=False))
            case Asked(seat=seat):
                return self._with_chair(seat, replace(self.chairs[seat], is_asked=True))
            case Away(seat=seat, why=why):
                return self._with_chair(seat, replace(self.chairs[seat], away=why, is_asked=False))
            case Reserved(seat=seat, person=person):
                return self._with_chair(seat, replace(self.chairs[seat], heir=person))
            case Started():
                return replace(self, phase=Phase.DEALING)
            case Committed():
                return replace(self, phase=Phase.DEALING, commitment=event)
            case Dealt():
                return self._dealt(event)
            case Aborted():
                return replace(
                    self,
                    phase=Phase.DEALING,
                    aborted=(*self.aborted, self.match.deals[-1]),
                    match=replace(self.match, deals=self.match.deals[:-1]),
                )
            case Opened():
                return self
            case Played(seat=seat, card=card):
                return self._scored(self.match.play(Card.parse(card), seat))
            case Undone(cards=cards):
                return self._scored(self.match.take_back(cards))
            case WentOn(seat=seat):
                return replace(self, gone_on=self.gone_on | {seat})
            case Paused():
                return replace(self, paused=event)
            case Resumed():
                return replace(self, paused=None)
            case PaceSet(milliseconds=milliseconds):
                return replace(self, pace=milliseconds)
            case Locked(locked=locked):
                return replace(self, is_locked=locked)
            case Watching(allowed=allowed):
                return replace(self, has_watchers=allowed)
            case Removed(person=person):
                return replace(self, removed=self.removed | {person})
            case HostIs(person=person):
                return replace(self, host=person)
            case Ended():
                return replace(self, phase=Phase.OVER, paused=None)
            case Rematch(table=table):
                return replace(self, rematch=table)
            case Created():
                raise AssertionError("a table is made once")

    def _with_chair(self, seat: Seat, chair: Chair) -> "Table":
        chairs = (*self.chairs[:seat], chair, *self.chairs[seat + 1 :])
        here = [chair.person for chair in chairs if chair.person]
        stayed = tuple(person for person in self.arrivals if person in here)
        return replace(self, chairs=chairs, arrivals=(*stayed, *(person for person in here if person not in stayed)))

    def _seeing(self, person: Person | None, seat: Seat) -> "Table":
        """Somebody sits down in the middle of a deal."""
        if not person or self.phase is not Phase.PLAYING:
            return self
        return replace(self, seen=self.seen | {(person, seat)}, had_cards=self.had_cards | {person})

    def _dealt(self, event: Dealt) -> "Table":
        deal = Deal(event.dealer, tuple(map(CardSet.parse, event.hands)))
        return replace(
            self,
            phase=Phase.PLAYING,
            match=self.match.begin(deal),
            shuffles=(*self.shuffles, event.shuffle),
            dealt_to=(*self.dealt_to, self.chairs),
            seen=frozenset((chair.person, seat) for seat, chair in enumerate(self.chairs) if chair.person),
            had_cards=self.had_cards.union(self.arrivals),
            gone_on=frozenset(),
            commitment=None,
        )

    def _scored(self, match: Match) -> "Table":
        """With the match as it is after a card."""
        phase = Phase.PLAYING if match.state else Phase.OVER if match.is_over else Phase.SCORES
        return replace(self, match=match, phase=phase)

    def admits(self, events: Collection[AnyEvent]) -> bool:
        """Whether so much may happen: at a full table what is played to the end, and nobody comes or takes back."""
        return not self.is_full or any(isinstance(event, _TO_THE_END) or _is_bots(event) for event in events)

    # What people want

    def sit(self, person: Person, seat: Seat) -> list[AnyEvent]:
        """Takes an open seat; in a running match that of a bot, if the host allows it.

        While a deal is played nobody gets to see a hand that they weren't dealt: the seat is theirs with the next deal.
        """
        self._check_seat(seat)
        if person in self.removed:
            raise Refusal(Denial.SENT_AWAY)
        if self.phase is Phase.OVER:
            raise Refusal(Reason.MATCH_IS_OVER)
        own, chair = self.seat_of(person), self.chairs[seat]
        if own == seat or chair.heir == person:
            return []
        if chair.person or (not self.is_running and chair.player):
            raise Refusal(Denial.SEAT_TAKEN, seat=seat)
        if not self.is_running:
            if self.is_locked and own is None:
                raise Refusal(Denial.TABLE_LOCKED)
            return [*([Stood(own)] if own is not None else []), Sat(seat, person)]
        if own is not None:
            raise Refusal(Denial.ALREADY_SEATED)
        other = self._without_promise(person)
        if (person, seat) in self.seen:
            return [*other, Sat(seat, person)]
        self._check_takeover(chair, seat)
        return [*other, Reserved(seat, person) if self.phase is Phase.PLAYING else Sat(seat, person)]

    def _check_takeover(self, chair: Chair, seat: Seat) -> None:
        """Whether a newcomer may have a bot's seat."""
        if self.is_locked:
            raise Refusal(Denial.TABLE_LOCKED)
        if not self.takeover:
            raise Refusal(Denial.NO_TAKEOVER)
        if chair.heir:
            raise Refusal(Denial.SEAT_TAKEN, seat=seat)
        standing = self.match.standing
        if self.phase is Phase.PLAYING and standing.deal == standing.deals:
            raise Refusal(Denial.LAST_DEAL)

    def _without_promise(self, person: Person) -> list[AnyEvent]:
        """A seat that was promised to somebody isn't any more."""
        return [Reserved(seat) for seat, chair in enumerate(self.chairs) if chair.heir == person]

    def leave(self, person: Person, bot: str) -> list[AnyEvent]:
        """Gives up the seat, or the promise of one: to nobody before the match, and to a bot in it."""
        if promised := self._without_promise(person):
            return promised
        return [self._left(self._own_seat(person), bot), *self._host_after(person)]

    def _left(self, seat: Seat, bot: str) -> AnyEvent:
        """A seat without its person: in a match it is the bot's again that had it, or a stand-in's."""
        return Sat(seat, BOT + (self.chairs[seat].house or bot)) if self.is_running else Stood(seat)

    def _host_after(self, gone: Person) -> list[AnyEvent]:
        """The host's role passes to whoever sits here longest."""
        heirs = [person for person in self.arrivals if person != gone]
        return [HostIs(heirs[0])] if gone == self.host and heirs else []

    def place_bot(self, person: Person, seat: Seat, bot: str) -> list[AnyEvent]:
        """The host gives an open seat to a bot."""
        self._check_host(person)
        self._check_seat(seat)
        if self.chairs[seat].person or self.phase is not Phase.GATHERING:
            raise Refusal(Denial.SEAT_TAKEN, seat=seat)
        return [Sat(seat, BOT + bot)]

    def free(self, person: Person, seat: Seat) -> list[AnyEvent]:
        """The host takes a bot away before the match."""
        self._check_host(person)
        self._check_seat(seat)
        if self.phase is not Phase.GATHERING or not self.chairs[seat].bot:
            raise Refusal(Denial.SEAT_TAKEN, seat=seat)
        return [Stood(seat)]

    def start(self, person: Person, fill: str | None) -> list[AnyEvent]:
        """The host begins the match; bots fill open seats if wanted."""
        self._check_host(person)
        if self.phase is not Phase.GATHERING:
            raise Refusal(Denial.MATCH_RUNS)
        if self.open_seats and not fill:
            raise Refusal(Denial.SEATS_OPEN, count=len(self.open_seats))
        return [*(Sat(seat, f"{BOT}{fill}") for seat in self.open_seats), Started()]

    def play(self, person: Person, card: Card) -> list[AnyEvent]:
        """A person plays a card; whoever was away is back with it."""
        seat = self._own_seat(person)
        match = self._with_card(seat, card)
        return [*self._here_again(seat), Played(seat, str(card)), *self._after_deal(match)]

    def play_for(self, seat: Seat, card: Card) -> list[AnyEvent]:
        """The server plays a bot's card."""
        match = self._with_card(seat, card)
        return [Played(seat, str(card), "bot"), *self._after_deal(match)]

    def _with_card(self, seat: Seat, card: Card) -> Match:
        if self.paused:
            raise Refusal(Denial.TABLE_PAUSED)
        if self.phase is not Phase.PLAYING:
            raise Refusal(Reason.NO_DEAL)
        return self.match.play(card, seat)

    def _after_deal(self, match: Match) -> list[AnyEvent]:
        """With its last card a deal's shuffle becomes known, and who was promised a seat has it."""
        if match.state:
            return []
        opened: list[AnyEvent] = [Opened(match.deals[-1].standing.deal, self.shuffles[-1])]
        if match.is_over:
            return opened
        return [*opened, *(Sat(seat, chair.heir) for seat, chair in enumerate(self.chairs) if chair.heir)]

    def undo(self, person: Person) -> list[AnyEvent]:
        """In a solo match: back to one's last choice."""
        seat = self._own_seat(person)
        state = self._own_deal(person, seat)
        cards = 0
        for trick in (state.trick, *reversed(state.tricks)):
            for place in range(len(trick.cards) - 1, -1, -1):
                cards += 1
                if trick.seat_of(place) == seat:
                    return [Undone(cards)]
        raise Refusal(Denial.NOTHING_TO_UNDO)

    def deal_again(self, person: Person) -> list[AnyEvent]:
        """In a solo match: the same deal from its first card."""
        state = self._own_deal(person, self._own_seat(person))
        if not state.plays:
            raise Refusal(Denial.NOTHING_TO_UNDO)
        return [Undone(len(state.plays))]

    def _own_deal(self, person: Person, seat: Seat) -> DealState:
        """The deal of a solo match, from which its player may take cards back, also just after its end."""
        if not self.is_solo:
            raise Refusal(Denial.NOT_SOLO)
        was_ended = self.phase is Phase.OVER and not self.match.is_over
        if self.state is None or self.phase is Phase.DEALING or was_ended or (person, seat) not in self.seen:
            raise Refusal(Denial.NOTHING_TO_UNDO)
        return self.state

    def go_on(self, person: Person) -> list[AnyEvent]:
        """Has seen the scores."""
        seat = self._own_seat(person)
        return [WentOn(seat)] if self.phase is Phase.SCORES and seat not in self.gone_on else []

    @property
    def all_went_on(self) -> bool:
        """Whether everyone who is not away has seen the scores."""
        return all(chair.bot or seat in self.gone_on for seat, chair in enumerate(self.chairs))

    def pause(self, person: Person) -> list[AnyEvent]:
        self._check_host(person)
        return [] if self.paused or not self.is_running else [Paused()]

    def resume(self, person: Person) -> list[AnyEvent]:
        self._check_host(person)
        return [Resumed()] if self.paused else []

    def set_pace(self, person: Person, milliseconds: int) -> list[AnyEvent]:
        """The host says how long bots take for a card; alone among bots, that person does."""
        if not self.is_alone or self.seat_of(person) is None:
            self._check_host(person)
        if not 0 <= milliseconds <= SLOWEST_PACE:
            raise Refusal(Reason.NUMBER_RANGE, field="milliseconds", number=milliseconds, low=0, high=SLOWEST_PACE)
        return [] if milliseconds == self.pace else [PaceSet(milliseconds)]

    def lock(self, person: Person, locked: bool) -> list[AnyEvent]:
        self._check_owner(person)
        return [] if locked == self.is_locked else [Locked(locked)]

    def let_watch(self, person: Person, allowed: bool) -> list[AnyEvent]:
        """The host keeps those out who have no seat, or lets them watch again."""
        self._check_owner(person)
        return [] if allowed == self.has_watchers else [Watching(allowed)]

    def ask(self, person: Person, seat: Seat) -> list[AnyEvent]:
        """The host asks somebody whether they are there."""
        self._check_host(person)
        self._check_seat(seat)
        chair = self.chairs[seat]
        if not self.is_running or not chair.person:
            raise Refusal(Denial.NOT_AT_TABLE)
        if chair.person == person:
            raise Refusal(Denial.NOT_YOURSELF)
        return [] if chair.is_doubted else [Asked(seat)]

    def replace_absent(self, person: Person, seat: Seat, bot: str) -> list[AnyEvent]:
        """The host has a bot play for a person who is away: nobody who is there loses their cards."""
        self._check_host(person)
        self._check_seat(seat)
        chair = self.chairs[seat]
        if not self.is_running or not chair.away or chair.stand_in:
            raise Refusal(Denial.NOT_AWAY)
        return [StoodIn(seat, bot)]

    def back(self, person: Person) -> list[AnyEvent]:
        """A person says that they are there."""
        return [*self._here_again(self._own_seat(person)), *self._host_again(person)]

    def connected(self, person: Person) -> list[AnyEvent]:
        """A person's device is there again, and so may they be: a bot that plays for them does so until they speak."""
        seat = self.seat_of(person)
        was_gone = seat is not None and self.chairs[seat].away == "gone" and not self.chairs[seat].stand_in
        return [*(self._here_again(seat) if was_gone and seat is not None else ()), *self._host_again(person)]

    def _here_again(self, seat: Seat) -> list[AnyEvent]:
        return [CameBack(seat)] if self.chairs[seat].is_doubted else []

    def _host_again(self, person: Person) -> list[AnyEvent]:
        """The host's role comes back to whom it belongs."""
        return [HostIs(person)] if person == self.owner != self.host and self.owner_stays else []

    def remove(self, person: Person, other: Person, bot: str, here: Collection[Person] = ()) -> list[AnyEvent]:
        """The host sends someone away who is or was at the table, or watches; in a match a bot takes the seat."""
        self._check_owner(person)
        if other == person:
            raise Refusal(Denial.NOT_YOURSELF)
        if other in self.removed:
            return []
        if other not in {*self.arrivals, *self.heirs, *self.had_cards, *here}:
            raise Refusal(Denial.NOT_AT_TABLE)
        if len(self.removed) >= MOST_REMOVED:
            raise Refusal(Denial.TOO_MANY_REMOVED, most=MOST_REMOVED)
        seat = self.seat_of(other)
        left = [] if seat is None or self.phase is Phase.OVER else [self._left(seat, bot)]
        return [*left, *self._without_promise(other), Removed(other)]

    def end(self, person: Person) -> list[AnyEvent]:
        """The host breaks the match off; a deal that isn't over stays in the record as aborted."""
        self._check_owner(person)
        if self.phase is Phase.OVER:
            return []
        state = self.match.state
        if not state:
            return [Ended()]
        return [Aborted(state.standing.deal), Opened(state.standing.deal, self.shuffles[-1]), Ended()]

    def again(self, person: Person) -> list[AnyEvent]:
        """The host wants a rematch: how a table with the same seats and terms begins. Its owner stays the owner."""
        self._check_host(person)
        if self.phase is not Phase.OVER:
            raise Refusal(Denial.MATCH_RUNS)
        seats = tuple(None if chair.player in self.removed else chair.player for chair in self.chairs)
        person = self.owner if self.owner_stays else person
        terms = self.turn_seconds, self.takeover, self.is_public
        pace = [] if self.pace is None else [PaceSet(self.pace)]
        return [Created(person, seats, str(self.match.rules), *terms), *pace]

    def _check_host(self, person: Person) -> None:
        if person != self.host:
            raise Refusal(Denial.NOT_HOST)

    def _check_owner(self, person: Person) -> None:
        """Refuses to a host who only acts for its owner what can't be mended when they are back."""
        self._check_host(person)
        if person != self.owner and self.owner_stays:
            raise Refusal(Denial.ONLY_OWNER)

    def _check_seat(self, seat: Seat) -> None:
        if not 0 <= seat < self.players:
            raise Refusal(Reason.NO_SUCH_SEAT, field="seat", seat=seat, players=self.players)

    def _own_seat(self, person: Person) -> Seat:
        seat = self.seat_of(person)
        if seat is None:
            raise Refusal(Denial.NOT_SEATED)
        return seat


_TO_THE_END: Final = (Committed, Dealt, Played, WentOn, StoodIn, Aborted, Ended, Resumed)


def _is_bots(event: AnyEvent) -> bool:
    """Whether a bot takes a seat: so somebody leaves, and nobody comes."""
    return isinstance(event, Sat) and event.player.startswith(BOT)
