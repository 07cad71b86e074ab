"""A table: the fold of its events, and what may happen next.

A `Table` is a value. `after` gives the table after an event and never refuses, since what is stored has happened; the
other methods are what people want: they refuse, or give the events that would make it so. Nothing here knows the time,
who is connected, or how anything is stored or sent.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from davidgoliath.match import Match
from davidgoliath.rules import Card, CardSet, Deal, DealState, Reason, Refusal, RuleSet, View
from davidgoliath.server.events import (
    BOT,
    Aborted,
    AnyEvent,
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
    Resumed,
    Sat,
    Seat,
    Started,
    Stood,
    StoodIn,
    Undone,
    WentOn,
)

SLOWEST_PACE: Final = 5000
"""Milliseconds that a bot may be told to take for a card."""


class Denial(StrEnum):
    """Why a table refuses something. Each has a text, like `rules.Reason`."""

    SENT_AWAY = "sent_away"
    SEAT_TAKEN = "seat_taken"
    TABLE_LOCKED = "table_locked"
    ALREADY_SEATED = "already_seated"
    NO_TAKEOVER = "no_takeover"
    SEEN_A_HAND = "seen_a_hand"
    MATCH_RUNS = "match_runs"
    SEATS_OPEN = "seats_open"
    TABLE_PAUSED = "table_paused"
    NOT_SOLO = "not_solo"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOT_HOST = "not_host"
    NOT_SEATED = "not_seated"
    NOT_YOURSELF = "not_yourself"


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

    @property
    def person(self) -> Person | None:
        return self.player if self.player and not self.player.startswith(BOT) else None

    @property
    def bot(self) -> str | None:
        """The name of the bot that chooses this seat's cards, if one does."""
        if self.stand_in:
            return self.stand_in
        return self.player.removeprefix(BOT) if self.player and not self.person else None


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
    def is_solo(self) -> bool:
        """One person among bots: there is no clock, and cards may be taken back."""
        return sum(chair.person is not None for chair in self.chairs) == 1

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
                chair = Chair(player)
                return self._with_chair(seat, chair)._seeing(chair.person, seat)
            case Stood(seat=seat):
                return self._with_chair(seat, Chair())
            case StoodIn(seat=seat, bot=bot):
                return self._with_chair(seat, replace(self.chairs[seat], stand_in=bot))
            case CameBack(seat=seat):
                return self._with_chair(seat, replace(self.chairs[seat], stand_in=None))
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
        return replace(self, seen=self.seen | {(person, seat)}) if person and self.phase is Phase.PLAYING else self

    def _dealt(self, event: Dealt) -> "Table":
        deal = Deal(event.dealer, tuple(map(CardSet.parse, event.hands)))
        return replace(
            self,
            phase=Phase.PLAYING,
            match=self.match.begin(deal),
            shuffles=(*self.shuffles, event.shuffle),
            dealt_to=(*self.dealt_to, self.chairs),
            seen=frozenset((chair.person, seat) for seat, chair in enumerate(self.chairs) if chair.person),
            gone_on=frozenset(),
            commitment=None,
        )

    def _scored(self, match: Match) -> "Table":
        """With the match as it is after a card."""
        phase = Phase.PLAYING if match.state else Phase.OVER if match.is_over else Phase.SCORES
        return replace(self, match=match, phase=phase)

    # What people want

    def sit(self, person: Person, seat: Seat) -> list[AnyEvent]:
        """Takes an open seat; in a running match that of a bot, if the host allows it."""
        self._check_seat(seat)
        if person in self.removed:
            raise Refusal(Denial.SENT_AWAY)
        if self.phase is Phase.OVER:
            raise Refusal(Reason.MATCH_IS_OVER)
        own, chair = self.seat_of(person), self.chairs[seat]
        if own == seat:
            return []
        if chair.person or (not self.is_running and chair.player):
            raise Refusal(Denial.SEAT_TAKEN, seat=seat)
        if self.is_locked and own is None:
            raise Refusal(Denial.TABLE_LOCKED)
        if self.is_running:
            if own is not None:
                raise Refusal(Denial.ALREADY_SEATED)
            if not self.takeover:
                raise Refusal(Denial.NO_TAKEOVER)
            if self.phase is Phase.PLAYING and any(who == person and other != seat for who, other in self.seen):
                raise Refusal(Denial.SEEN_A_HAND)
        return [*([Stood(own)] if own is not None else []), Sat(seat, person)]

    def leave(self, person: Person, bot: str) -> list[AnyEvent]:
        """Gives up the seat: to nobody before the match, and to a bot in it."""
        seat = self._own_seat(person)
        return [Sat(seat, BOT + bot) if self.is_running else Stood(seat), *self._host_after(person)]

    def _host_after(self, gone: Person) -> list[AnyEvent]:
        """The host's role passes to whoever sits here longest."""
        heirs = [person for person in self.arrivals if person != gone]
        return [HostIs(heirs[0])] if gone == self.host and heirs else []

    def place_bot(self, person: Person, seat: Seat, bot: str) -> list[AnyEvent]:
        """The host gives an open seat to a bot."""
        self._check_host(person)
        self._check_seat(seat)
        if self.chairs[seat].person or self.is_running:
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
        self._check_card(seat, card)
        back: list[AnyEvent] = [CameBack(seat)] if self.chairs[seat].stand_in else []
        return [*back, Played(seat, str(card)), *self._opened(card)]

    def play_for(self, seat: Seat, card: Card) -> list[AnyEvent]:
        """The server plays a bot's card."""
        self._check_card(seat, card)
        return [Played(seat, str(card), "bot"), *self._opened(card)]

    def _opened(self, card: Card) -> list[AnyEvent]:
        """With its last card a deal's shuffle becomes known."""
        state = self.match.deals[-1]
        return [Opened(state.standing.deal, self.shuffles[-1])] if state.play(card).is_over else []

    def _check_card(self, seat: Seat, card: Card) -> None:
        if self.paused:
            raise Refusal(Denial.TABLE_PAUSED)
        if self.phase is not Phase.PLAYING:
            raise Refusal(Reason.NO_DEAL)
        self.match.play(card, seat)

    def undo(self, person: Person) -> list[AnyEvent]:
        """In a solo match: back to one's last choice."""
        seat, state = self._own_seat(person), self._own_deal()
        cards = 0
        for trick in (state.trick, *reversed(state.tricks)):
            for place in range(len(trick.cards) - 1, -1, -1):
                cards += 1
                if trick.seat_of(place) == seat:
                    return [Undone(cards)]
        raise Refusal(Denial.NOTHING_TO_UNDO)

    def deal_again(self, person: Person) -> list[AnyEvent]:
        """In a solo match: the same deal from its first card."""
        self._own_seat(person)
        state = self._own_deal()
        if not state.plays:
            raise Refusal(Denial.NOTHING_TO_UNDO)
        return [Undone(len(state.plays))]

    def _own_deal(self) -> DealState:
        """The deal of a solo match, from which cards may be taken back, also just after its end."""
        if not self.is_solo:
            raise Refusal(Denial.NOT_SOLO)
        was_ended = self.phase is Phase.OVER and not self.match.is_over
        if self.state is None or self.phase is Phase.DEALING or was_ended:
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
        if not self.is_solo or self.seat_of(person) is None:
            self._check_host(person)
        if not 0 <= milliseconds <= SLOWEST_PACE:
            raise Refusal(Reason.NUMBER_RANGE, field="milliseconds", number=milliseconds, low=0, high=SLOWEST_PACE)
        return [] if milliseconds == self.pace else [PaceSet(milliseconds)]

    def lock(self, person: Person, locked: bool) -> list[AnyEvent]:
        self._check_host(person)
        return [] if locked == self.is_locked else [Locked(locked)]

    def replace_absent(self, person: Person, seat: Seat, bot: str) -> list[AnyEvent]:
        """The host has a bot play for a person who is away."""
        self._check_host(person)
        self._check_seat(seat)
        if not self.is_running or not self.chairs[seat].person or self.chairs[seat].stand_in:
            raise Refusal(Denial.SEAT_TAKEN, seat=seat)
        return [StoodIn(seat, bot)]

    def come_back(self, person: Person) -> list[AnyEvent]:
        """A person is there again: takes the cards, and the host's role if it was theirs."""
        seat = self.seat_of(person)
        returned: list[AnyEvent] = [CameBack(seat)] if seat is not None and self.chairs[seat].stand_in else []
        if seat is not None and person == self.owner != self.host:
            returned.append(HostIs(person))
        return returned

    def remove(self, person: Person, other: Person, bot: str) -> list[AnyEvent]:
        """The host sends someone away; in a running match a bot takes the seat."""
        self._check_host(person)
        if other == person:
            raise Refusal(Denial.NOT_YOURSELF)
        seat = self.seat_of(other)
        if other in self.removed:
            return []
        left: list[AnyEvent] = []
        if seat is not None:
            left = [Sat(seat, BOT + bot) if self.is_running else Stood(seat)]
        return [*left, Removed(other)]

    def end(self, person: Person) -> list[AnyEvent]:
        """The host breaks the match off; a deal that isn't over stays in the record as aborted."""
        self._check_host(person)
        if self.phase is Phase.OVER:
            return []
        state = self.match.state
        if not state:
            return [Ended()]
        return [Aborted(state.standing.deal), Opened(state.standing.deal, self.shuffles[-1]), Ended()]

    def again(self, person: Person) -> list[AnyEvent]:
        """The host wants a rematch: how a table with the same seats and terms begins."""
        self._check_host(person)
        if self.phase is not Phase.OVER:
            raise Refusal(Denial.MATCH_RUNS)
        seats = tuple(chair.player for chair in self.chairs)
        terms = self.turn_seconds, self.takeover, self.is_public
        pace = [] if self.pace is None else [PaceSet(self.pace)]
        return [Created(person, seats, str(self.match.rules), *terms), *pace]

    def _check_host(self, person: Person) -> None:
        if person != self.host:
            raise Refusal(Denial.NOT_HOST)

    def _check_seat(self, seat: Seat) -> None:
        if not 0 <= seat < self.players:
            raise Refusal(Reason.NO_SUCH_SEAT, field="seat", seat=seat, players=self.players)

    def _own_seat(self, person: Person) -> Seat:
        seat = self.seat_of(person)
        if seat is None:
            raise Refusal(Denial.NOT_SEATED)
        return seat
