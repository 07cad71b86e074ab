"""What people want at a table: a command refuses, or gives the events that make it so and the table after them.

Commands decide; `Table.after` never refuses, since what is stored has happened. As in the table itself, nothing here
knows the time, who is connected, or how anything is stored or sent.
"""

from collections.abc import Callable, Collection, Iterable
from functools import wraps
from itertools import cycle
from typing import Concatenate, NamedTuple, ParamSpec

from davidgoliath.bots import BOT
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Card, DealState, Reason, Refusal
from davidgoliath.server.table.events import (
    Aborted,
    AnyEvent,
    Asked,
    CameBack,
    Created,
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
from davidgoliath.server.table.table import MOST_REMOVED, SLOWEST_PACE, Chair, Denial, Phase, Table

P = ParamSpec("P")


class Change(NamedTuple):
    """What a command comes to."""

    events: list[AnyEvent]
    tables: list[Table]
    """The table after each of them."""

    @classmethod
    def of(cls, table: Table, events: Iterable[AnyEvent]) -> "Change":
        """What these events make of a table."""
        change = cls([], [])
        for event in events:
            table = table.after(event)
            change.events.append(event)
            change.tables.append(table)
        return change


def command(decide: Callable[Concatenate[Table, P], list[AnyEvent]]) -> Callable[Concatenate[Table, P], Change]:
    """A command, by a function that gives its events or refuses."""

    @wraps(decide)
    def change(table: Table, /, *given: P.args, **named: P.kwargs) -> Change:
        return Change.of(table, decide(table, *given, **named))

    return change


@command
def sit(table: Table, person: Person, seat: Seat) -> list[AnyEvent]:
    """Takes an open seat; in a running match that of a bot, if the host allows it.

    While a deal is played nobody gets to see a hand that they weren't dealt: the seat is theirs with the next deal.
    """
    _check_seat(table, seat)
    if person in table.removed:
        raise Refusal(Denial.SENT_AWAY)
    if table.phase is Phase.OVER:
        raise Refusal(NotationReason.MATCH_IS_OVER)
    own, chair = table.seat_of(person), table.chairs[seat]
    if own == seat or chair.heir == person:
        return []
    if chair.person or (not table.is_running and chair.player):
        raise Refusal(Denial.SEAT_TAKEN, seat=seat)
    if not table.is_running:
        if table.is_locked and own is None:
            raise Refusal(Denial.TABLE_LOCKED)
        return [*([Stood(own)] if own is not None else []), Sat(seat, person)]
    if own is not None:
        raise Refusal(Denial.ALREADY_SEATED)
    other = _without_promise(table, person)
    if (person, seat) in table.seen:
        _check_returned(table, seat)
        return [*other, Sat(seat, person)]
    _check_takeover(table, chair, seat)
    return [*other, Reserved(seat, person) if table.phase is Phase.PLAYING else Sat(seat, person)]


def _check_takeover(table: Table, chair: Chair, seat: Seat) -> None:
    """Whether a newcomer may have a bot's seat."""
    if table.is_locked:
        raise Refusal(Denial.TABLE_LOCKED)
    if not table.takeover:
        raise Refusal(Denial.NO_TAKEOVER)
    if chair.heir:
        raise Refusal(Denial.SEAT_TAKEN, seat=seat)
    standing = table.match.standing
    if table.phase is Phase.PLAYING and standing.deal == standing.deals:
        raise Refusal(Denial.LAST_DEAL)


def _without_promise(table: Table, person: Person) -> list[AnyEvent]:
    """A seat that was promised to somebody isn't any more."""
    return [Reserved(seat) for seat, chair in enumerate(table.chairs) if chair.heir == person]


@command
def leave(table: Table, person: Person, bot: str) -> list[AnyEvent]:
    """Gives up the seat, or the promise of one: to nobody before the match, and to a bot in it."""
    if promised := _without_promise(table, person):
        return promised
    return [_left(table, _own_seat(table, person), bot), *_host_after(table, person)]


def _left(table: Table, seat: Seat, bot: str) -> AnyEvent:
    """A seat without its person: in a match it is the bot's again that had it, or a stand-in's."""
    return Sat(seat, BOT + (table.chairs[seat].house or bot)) if table.is_running else Stood(seat)


def _host_after(table: Table, gone: Person) -> list[AnyEvent]:
    """The host's role passes to whoever sits here longest."""
    heirs = [person for person in table.arrivals if person != gone]
    return [HostIs(heirs[0])] if gone == table.host and heirs else []


@command
def place_bot(table: Table, person: Person, seat: Seat, bot: str) -> list[AnyEvent]:
    """The host gives an open seat to a bot."""
    _check_host(table, person)
    _check_seat(table, seat)
    if table.chairs[seat].person or table.phase is not Phase.GATHERING:
        raise Refusal(Denial.SEAT_TAKEN, seat=seat)
    return [Sat(seat, BOT + bot)]


@command
def free(table: Table, person: Person, seat: Seat) -> list[AnyEvent]:
    """The host takes a bot away before the match."""
    _check_host(table, person)
    _check_seat(table, seat)
    if table.phase is not Phase.GATHERING or not table.chairs[seat].bot:
        raise Refusal(Denial.SEAT_TAKEN, seat=seat)
    return [Stood(seat)]


@command
def start(table: Table, person: Person, *fill: str) -> list[AnyEvent]:
    """The host begins the match; these bots take the open seats in turn, if any are wanted."""
    _check_host(table, person)
    if table.phase is not Phase.GATHERING:
        raise Refusal(Denial.MATCH_RUNS)
    if table.open_seats and not fill:
        raise Refusal(Denial.SEATS_OPEN, count=len(table.open_seats))
    return [*(Sat(seat, f"{BOT}{bot}") for seat, bot in zip(table.open_seats, cycle(fill))), Started()]


def play(table: Table, person: Person, card: Card) -> Change:
    """A person plays a card; whoever was away is back with it."""
    seat = _own_seat(table, person)
    return _with_card(table, card, Played(seat, str(card)), _here_again(table, seat))


def play_for(table: Table, seat: Seat, card: Card) -> Change:
    """The server plays a bot's card."""
    return _with_card(table, card, Played(seat, str(card), "bot"), [])


def _with_card(table: Table, card: Card, played: Played, first: list[AnyEvent]) -> Change:
    """The rules work a card out once: what they say is the table after it."""
    if table.paused:
        raise Refusal(Denial.TABLE_PAUSED)
    if table.phase is not Phase.PLAYING:
        raise Refusal(NotationReason.NO_DEAL)
    match = table.match.play(card, played.seat)
    before = Change.of(table, first)
    after = (before.tables[-1] if first else table).with_match(match)
    last = Change.of(after, _after_deal(after))
    return Change([*first, played, *last.events], [*before.tables, after, *last.tables])


def _after_deal(table: Table) -> list[AnyEvent]:
    """With its last card a deal's shuffle becomes known, and who was promised a seat has it."""
    if table.phase is Phase.PLAYING:
        return []
    opened: list[AnyEvent] = [Opened(table.match.deals[-1].standing.deal, table.shuffles[-1])]
    if table.phase is Phase.OVER:
        return opened
    return [*opened, *(Sat(seat, chair.heir) for seat, chair in enumerate(table.chairs) if chair.heir)]


@command
def undo(table: Table, person: Person) -> list[AnyEvent]:
    """In a solo match: back to one's last choice."""
    seat = _own_seat(table, person)
    cards = _own_deal(table, person, seat).cards_since(seat)
    if not cards:
        raise Refusal(Denial.NOTHING_TO_UNDO)
    return [Undone(cards)]


@command
def deal_again(table: Table, person: Person) -> list[AnyEvent]:
    """In a solo match: the same deal from its first card."""
    state = _own_deal(table, person, _own_seat(table, person))
    if not state.plays:
        raise Refusal(Denial.NOTHING_TO_UNDO)
    return [Undone(len(state.plays))]


def _own_deal(table: Table, person: Person, seat: Seat) -> DealState:
    """The deal of a solo match, from which its player may take cards back, also just after its end."""
    if not table.is_solo:
        raise Refusal(Denial.NOT_SOLO)
    is_gone = table.phase is Phase.DEALING or table.is_broken_off
    if table.state is None or is_gone or (person, seat) not in table.seen:
        raise Refusal(Denial.NOTHING_TO_UNDO)
    return table.state


@command
def hint(table: Table, person: Person) -> list[AnyEvent]:
    """What to play now. Nothing new happens if they have had the hint for this card already."""
    seat = _own_seat(table, person)
    if not table.is_solo and not table.has_hints:
        raise Refusal(Denial.NO_HINTS)
    if table.paused:
        raise Refusal(Denial.TABLE_PAUSED)
    if table.to_play is None:
        raise Refusal(NotationReason.NO_DEAL)
    if table.to_play != seat or table.chairs[seat].stand_in:
        raise Refusal(Reason.NOT_YOUR_TURN, to_play=table.to_play)
    return [] if table.has_hint else [Hinted(seat)]


@command
def allow_hints(table: Table, person: Person, allowed: bool) -> list[AnyEvent]:
    """The host says whether there are hints at this table: whoever sits down there agrees, so not after that."""
    _check_owner(table, person)
    if table.phase is not Phase.GATHERING or {*table.arrivals} - {person}:
        raise Refusal(Denial.TERMS_SETTLED)
    return [] if allowed == table.has_hints else [HintsAllowed(allowed)]


@command
def go_on(table: Table, person: Person) -> list[AnyEvent]:
    """Has seen the scores."""
    seat = _own_seat(table, person)
    return [WentOn(seat)] if table.phase is Phase.SCORES and seat not in table.gone_on else []


@command
def pause(table: Table, person: Person) -> list[AnyEvent]:
    _check_host(table, person)
    return [] if table.paused or not table.is_running else [Paused()]


@command
def resume(table: Table, person: Person) -> list[AnyEvent]:
    _check_host(table, person)
    return [Resumed()] if table.paused else []


@command
def set_pace(table: Table, person: Person, milliseconds: int) -> list[AnyEvent]:
    """The host says how long bots take for a card; alone among bots, that person does."""
    if not table.is_alone or table.seat_of(person) is None:
        _check_host(table, person)
    if not 0 <= milliseconds <= SLOWEST_PACE:
        raise Refusal(NotationReason.NUMBER_RANGE, field="milliseconds", number=milliseconds, low=0, high=SLOWEST_PACE)
    return [] if milliseconds == table.pace else [PaceSet(milliseconds)]


@command
def lock(table: Table, person: Person, locked: bool) -> list[AnyEvent]:
    _check_owner(table, person)
    return [] if locked == table.is_locked else [Locked(locked)]


@command
def let_watch(table: Table, person: Person, allowed: bool) -> list[AnyEvent]:
    """The host keeps those out who have no seat, or lets them watch again."""
    _check_owner(table, person)
    return [] if allowed == table.has_watchers else [Watching(allowed)]


@command
def ask(table: Table, person: Person, seat: Seat) -> list[AnyEvent]:
    """The host asks somebody whether they are there."""
    _check_host(table, person)
    _check_seat(table, seat)
    chair = table.chairs[seat]
    if not table.is_running or not chair.person:
        raise Refusal(Denial.NOT_AT_TABLE)
    if chair.person == person:
        raise Refusal(Denial.NOT_YOURSELF)
    return [] if chair.is_doubted else [Asked(seat)]


@command
def replace_absent(table: Table, person: Person, seat: Seat, bot: str) -> list[AnyEvent]:
    """The host has a bot play for a person who is away: nobody who is there loses their cards."""
    _check_host(table, person)
    _check_seat(table, seat)
    chair = table.chairs[seat]
    if not table.is_running or not chair.away or chair.stand_in:
        raise Refusal(Denial.NOT_AWAY)
    return [StoodIn(seat, bot)]


@command
def back(table: Table, person: Person) -> list[AnyEvent]:
    """A person says that they are there."""
    seat = _own_seat(table, person)
    if table.chairs[seat].stand_in:
        _check_returned(table, seat)
    return [*_here_again(table, seat), *_host_again(table, person)]


def _check_returned(table: Table, seat: Seat) -> None:
    """Nobody gets the time of a turn again and again: a second time they come back by playing, or when the bot has."""
    if table.returned == seat:
        raise Refusal(Denial.BACK_ALREADY)


@command
def connected(table: Table, person: Person) -> list[AnyEvent]:
    """A person's device is there again, and so may they be: a bot that plays for them does so until they speak."""
    seat = table.seat_of(person)
    was_gone = seat is not None and table.chairs[seat].away == "gone" and not table.chairs[seat].stand_in
    return [*(_here_again(table, seat) if was_gone and seat is not None else ()), *_host_again(table, person)]


def _here_again(table: Table, seat: Seat) -> list[AnyEvent]:
    return [CameBack(seat)] if table.chairs[seat].is_doubted else []


def _host_again(table: Table, person: Person) -> list[AnyEvent]:
    """The host's role comes back to whom it belongs."""
    return [HostIs(person)] if person == table.owner != table.host and table.owner_stays else []


@command
def remove(table: Table, person: Person, other: Person, bot: str, here: Collection[Person] = ()) -> list[AnyEvent]:
    """The host sends someone away who is or was at the table, or watches; in a match a bot takes the seat."""
    _check_owner(table, person)
    if other == person:
        raise Refusal(Denial.NOT_YOURSELF)
    if other in table.removed:
        return []
    if other not in {*table.arrivals, *table.heirs, *table.had_cards, *here}:
        raise Refusal(Denial.NOT_AT_TABLE)
    if len(table.removed) >= MOST_REMOVED:
        raise Refusal(Denial.TOO_MANY_REMOVED, most=MOST_REMOVED)
    seat = table.seat_of(other)
    left = [] if seat is None or table.phase is Phase.OVER else [_left(table, seat, bot)]
    return [*left, *_without_promise(table, other), Removed(other)]


@command
def end(table: Table, person: Person) -> list[AnyEvent]:
    """The host breaks the match off; a deal that isn't over stays in the record as aborted."""
    _check_owner(table, person)
    if table.phase is Phase.OVER:
        return []
    state = table.match.state
    if not state:
        return [Ended()]
    return [Aborted(state.standing.deal), Opened(state.standing.deal, table.shuffles[-1]), Ended()]


def again(table: Table, person: Person) -> list[AnyEvent]:
    """The host wants a rematch: how another table with the same seats and terms begins. Its owner stays the owner."""
    _check_host(table, person)
    if table.phase is not Phase.OVER:
        raise Refusal(Denial.MATCH_RUNS)
    seats = tuple(None if chair.player in table.removed else chair.player for chair in table.chairs)
    person = table.owner if table.owner_stays else person
    created = Created(
        host=person,
        seats=seats,
        rules=str(table.match.rules),
        turn_seconds=table.turn_seconds,
        takeover=table.takeover,
        public=table.is_public,
        hints=table.has_hints,
    )
    return [created] if table.pace is None else [created, PaceSet(table.pace)]


def _check_host(table: Table, person: Person) -> None:
    if person != table.host:
        raise Refusal(Denial.NOT_HOST)


def _check_owner(table: Table, person: Person) -> None:
    """Refuses to a host who only acts for its owner what can't be mended when they are back."""
    _check_host(table, person)
    if person != table.owner and table.owner_stays:
        raise Refusal(Denial.ONLY_OWNER)


def _check_seat(table: Table, seat: Seat) -> None:
    if not 0 <= seat < table.players:
        raise Refusal(Reason.NO_SUCH_SEAT, field="seat", seat=seat, players=table.players)


def _own_seat(table: Table, person: Person) -> Seat:
    seat = table.seat_of(person)
    if seat is None:
        raise Refusal(Denial.NOT_SEATED)
    return seat
