"""Tables: what may happen, what mustn't, and that a table is the fold of its events."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from davidgoliath import Card, Deal, Refusal
from davidgoliath.server.table import commands
from davidgoliath.server.table.commands import Change
from davidgoliath.server.table.events import (
    Aborted,
    AnyEvent,
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
    Played,
    Removed,
    Reserved,
    Sat,
    Started,
    Stood,
    StoodIn,
    Undone,
    decode,
    encode,
)
from davidgoliath.server.table.records import finished
from davidgoliath.server.table.table import Phase, Table
from davidgoliath.server.table.visibility import told

ANN, BEN, CAT, DAN = "ann", "ben", "cat", "dan"


class Room:
    """A table, with its events so far."""

    def __init__(self, *seats: str | None, rules: str = "classic", takeover: bool = False) -> None:
        self.rng = Random(7)
        created = Created(ANN, seats or (None, None, None), rules, takeover=takeover)
        self.events: list[AnyEvent] = [created]
        self.table = Table.begin(created)

    def do(self, change: Change) -> list[AnyEvent]:
        """Makes it so. The table that a command gives is the fold of its events, too."""
        for event, after in zip(change.events, change.tables, strict=True):
            self.events.append(event)
            self.table = self.table.after(event)
            assert self.table == after
        return change.events

    def happen(self, *events: AnyEvent) -> list[AnyEvent]:
        """What the server does."""
        return self.do(Change.of(self.table, events))

    def deal(self) -> Dealt:
        """What the server does when the match begins, and after each deal."""
        number = self.table.match.standing.deal
        deal = Deal.shuffled(self.table.players, self.rng, self.table.match.next_dealer)
        dealt = Dealt(number, deal.dealer, tuple(map(str, deal.hands)), "secret")
        self.happen(Committed(number, "hash", "secret"), dealt)
        return dealt

    def bots_play(self, *, until: Callable[[Table], bool] = lambda table: False) -> None:
        """Everyone plays any legal card, persons included, until the deal is over or so."""
        while self.table.phase is Phase.PLAYING and not until(self.table):
            seat, state = self.table.to_play, self.table.state
            assert seat is not None
            assert state is not None
            card = self.rng.choice(list(state.legal_cards))
            person = self.table.chairs[seat].person
            self.do(commands.play(self.table, person, card) if person else commands.play_for(self.table, seat, card))


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        call()
    return str(caught.value.reason)


def playing(*seats: str | None, **terms: object) -> Room:
    """A room whose match has begun, with the cards dealt."""
    room = Room(*seats, **terms)  # type: ignore[arg-type]
    room.do(commands.start(room.table, ANN, "club"))
    room.deal()
    return room


def test_people_sit_down_and_move_until_the_match_begins() -> None:
    room = Room(None, "bot:club", None)
    assert room.do(commands.sit(room.table, ANN, 0)) == [Sat(0, ANN)]
    assert room.do(commands.sit(room.table, ANN, 2)) == [Stood(0), Sat(2, ANN)]
    assert commands.sit(room.table, ANN, 2).events == []
    assert refused(lambda: commands.sit(room.table, BEN, 2)) == "seat_taken"
    assert refused(lambda: commands.sit(room.table, BEN, 1)) == "seat_taken"
    assert refused(lambda: commands.sit(room.table, BEN, 3)) == "no_such_seat"
    assert refused(lambda: commands.start(room.table, BEN)) == "not_host"
    assert refused(lambda: commands.start(room.table, ANN)) == "seats_open"
    assert room.do(commands.start(room.table, ANN, "casual")) == [Sat(0, "bot:casual"), Started()]
    assert refused(lambda: commands.start(room.table, ANN, "casual")) == "match_runs"
    assert [chair.bot for chair in room.table.chairs] == ["casual", "club", None]


def test_several_bots_take_the_open_seats_in_turn() -> None:
    room = Room(ANN, None, None, None)
    filled = room.do(commands.start(room.table, ANN, "casual", "club"))
    assert filled == [Sat(1, "bot:casual"), Sat(2, "bot:club"), Sat(3, "bot:casual"), Started()]


def test_the_host_places_and_frees_bots_and_locks_the_table() -> None:
    room = Room()
    room.do(commands.place_bot(room.table, ANN, 1, "expert"))
    assert refused(lambda: commands.place_bot(room.table, BEN, 2, "expert")) == "not_host"
    room.do(commands.free(room.table, ANN, 1))
    assert refused(lambda: commands.free(room.table, ANN, 1)) == "seat_taken"
    room.do(commands.lock(room.table, ANN, True))
    assert commands.lock(room.table, ANN, True).events == []
    assert refused(lambda: commands.sit(room.table, BEN, 0)) == "table_locked"
    room.do(commands.lock(room.table, ANN, False))
    room.do(commands.sit(room.table, BEN, 0))
    assert room.table.arrivals == (BEN,)


def test_a_whole_match_with_scores_between() -> None:
    room = Room(rules="classic deals=2")
    for seat, person in enumerate((ANN, BEN, CAT)):
        room.do(commands.sit(room.table, person, seat))
    room.do(commands.start(room.table, ANN))
    room.deal()
    room.bots_play()
    assert room.table.phase is Phase.SCORES
    assert room.events[-1] == Opened(1, "secret")
    room.do(commands.go_on(room.table, ANN))
    assert commands.go_on(room.table, ANN).events == []
    assert not room.table.all_went_on
    room.happen(StoodIn(1, "club"))
    room.do(commands.go_on(room.table, CAT))
    assert room.table.all_went_on
    room.deal()
    room.bots_play()
    assert room.table.phase is Phase.OVER
    assert [state.is_over for state in room.table.match.deals] == [True, True]
    assert refused(lambda: commands.sit(room.table, DAN, 0)) == "match_is_over"


def test_nobody_is_told_another_hand() -> None:
    room = playing(ANN, "bot:club", BEN)
    dealt = next(event for event in room.events if isinstance(event, Dealt))
    committed = next(event for event in room.events if isinstance(event, Committed))
    assert told(committed, 0) == Committed(1, "hash")
    for seat in (0, 1, 2, None):
        shown = encode(told(dealt, seat)).decode()
        for other, hand in enumerate(dealt.hands):
            assert (hand in shown) == (other == seat)
        assert "secret" not in shown
    assert told(room.events[0], None) is room.events[0]
    spectator = room.table.view(DAN)
    assert spectator is not None
    assert not spectator.hand


def test_cards_are_refused_to_whom_they_do_not_belong() -> None:
    room = playing(ANN, BEN, CAT)
    seat, state = room.table.to_play, room.table.state
    assert seat is not None
    assert state is not None
    person = (ANN, BEN, CAT)[seat]
    other = (ANN, BEN, CAT)[(seat + 1) % 3]
    card = min(state.legal_cards)
    assert refused(lambda: commands.play(room.table, other, card)) == "not_your_turn"
    assert refused(lambda: commands.play(room.table, DAN, card)) == "not_seated"
    room.do(commands.pause(room.table, ANN))
    assert refused(lambda: commands.play(room.table, person, card)) == "table_paused"
    assert commands.pause(room.table, ANN).events == []
    assert refused(lambda: commands.resume(room.table, BEN)) == "not_host"
    room.do(commands.resume(room.table, ANN))
    assert commands.play(room.table, person, card).events == [Played(seat, str(card))]
    assert refused(lambda: commands.play_for(Room().table, 0, card)) == "no_deal"


def test_a_bot_stands_in_for_the_absent_who_come_back_by_playing() -> None:
    room = playing(ANN, BEN, CAT)
    room.happen(Away(1, "gone"))
    room.do(commands.replace_absent(room.table, ANN, 1, "club"))
    assert room.table.chairs[1].bot == "club"
    assert room.table.chairs[1].person == BEN
    assert refused(lambda: commands.replace_absent(room.table, ANN, 1, "club")) == "not_away"
    assert commands.connected(room.table, BEN).events == []
    assert commands.back(room.table, BEN).events == [CameBack(1)]
    room.bots_play(until=lambda table: table.to_play == 1)
    state = room.table.state
    assert state is not None
    events = room.do(commands.play(room.table, BEN, min(state.legal_cards)))
    assert [type(event) for event in events] == [CameBack, Played]
    assert commands.back(room.table, BEN).events == []


def test_a_takeover_begins_with_the_next_deal() -> None:
    room = playing(ANN, BEN, "bot:expert", takeover=True)
    assert room.do(commands.sit(room.table, CAT, 2)) == [Reserved(2, CAT)]
    assert commands.sit(room.table, CAT, 2).events == []
    assert room.table.chairs[2].bot == "expert"
    assert room.table.seat_of(CAT) is None
    assert room.table.view(CAT) == room.table.view(None)
    assert refused(lambda: commands.sit(room.table, DAN, 2)) == "seat_taken"
    room.bots_play()
    assert room.events[-2:] == [Opened(1, "secret"), Sat(2, CAT)]
    room.deal()
    assert refused(lambda: commands.sit(room.table, CAT, 1)) == "seat_taken"
    assert room.do(commands.leave(room.table, CAT, "club")) == [Sat(2, "bot:expert")]
    assert refused(lambda: commands.sit(playing(ANN, BEN, "bot:club").table, DAN, 2)) == "no_takeover"


def test_a_promise_can_be_given_up_and_ends_with_its_person() -> None:
    room = playing(ANN, "bot:club", "bot:expert", takeover=True)
    room.do(commands.sit(room.table, CAT, 1))
    assert room.do(commands.sit(room.table, CAT, 2)) == [Reserved(1), Reserved(2, CAT)]
    assert room.do(commands.leave(room.table, CAT, "club")) == [Reserved(2)]
    room.do(commands.sit(room.table, CAT, 2))
    assert room.do(commands.remove(room.table, ANN, CAT, "club")) == [Reserved(2), Removed(CAT)]
    assert refused(lambda: commands.sit(room.table, CAT, 2)) == "sent_away"


def test_nobody_comes_in_the_last_deal_but_who_left_it() -> None:
    room = playing(ANN, BEN, "bot:expert", takeover=True, rules="single")
    assert refused(lambda: commands.sit(room.table, CAT, 2)) == "last_deal"
    assert room.do(commands.leave(room.table, BEN, "club")) == [Sat(1, "bot:club")]
    assert refused(lambda: commands.sit(room.table, CAT, 1)) == "last_deal"
    assert refused(lambda: commands.sit(room.table, BEN, 2)) == "last_deal"
    assert room.do(commands.sit(room.table, BEN, 1)) == [Sat(1, BEN)]
    assert room.table.view(BEN) != room.table.view(None)


def test_who_left_a_hand_comes_back_to_it_before_whoever_was_promised_the_seat() -> None:
    room = playing(ANN, BEN, "bot:expert", takeover=True)
    room.do(commands.leave(room.table, BEN, "club"))
    room.do(commands.sit(room.table, CAT, 1))
    room.do(commands.lock(room.table, ANN, True))
    assert room.do(commands.sit(room.table, BEN, 1)) == [Sat(1, BEN)]
    room.bots_play()
    assert room.table.chairs[1].person == BEN


def test_the_host_goes_and_comes_back() -> None:
    room = playing(ANN, BEN, CAT, takeover=True)
    assert room.do(commands.leave(room.table, ANN, "club")) == [Sat(0, "bot:club"), HostIs(BEN)]
    assert refused(lambda: commands.pause(room.table, ANN)) == "not_host"
    room.do(commands.sit(room.table, ANN, 0))
    assert room.do(commands.connected(room.table, ANN)) == [HostIs(ANN)]
    assert commands.leave(room.table, BEN, "club").events == [Sat(1, "bot:club")]


def test_the_host_sends_someone_away() -> None:
    room = playing(ANN, BEN, CAT, takeover=True)
    assert refused(lambda: commands.remove(room.table, ANN, ANN, "club")) == "not_yourself"
    assert room.do(commands.remove(room.table, ANN, BEN, "club")) == [Sat(1, "bot:club"), Removed(BEN)]
    assert refused(lambda: commands.sit(room.table, BEN, 1)) == "sent_away"
    assert refused(lambda: commands.remove(room.table, ANN, DAN, "club")) == "not_at_table"
    assert commands.remove(room.table, ANN, DAN, "club", [DAN]).events == [Removed(DAN)]
    before = Room(None, None, None)
    before.do(commands.sit(before.table, BEN, 1))
    assert commands.remove(before.table, ANN, BEN, "club").events == [Stood(1), Removed(BEN)]


def test_a_match_broken_off_keeps_its_deal_as_aborted() -> None:
    room = playing(ANN, BEN, CAT)
    assert room.do(commands.end(room.table, ANN)) == [Aborted(1), Opened(1, "secret"), Ended()]
    assert room.table.phase is Phase.OVER
    assert len(room.table.aborted) == 1
    assert commands.end(room.table, ANN).events == []
    alone = playing(ANN, "bot:club", "bot:club")
    alone.bots_play()
    alone.deal()
    alone.do(commands.end(alone.table, ANN))
    assert refused(lambda: commands.undo(alone.table, ANN)) == "nothing_to_undo"


def test_alone_cards_are_taken_back() -> None:
    room = playing(ANN, "bot:club", "bot:club")
    assert refused(lambda: commands.undo(room.table, ANN)) == "nothing_to_undo" or room.table.to_play != 0
    room.bots_play(until=lambda table: len(table.match.deals[-1].plays) >= 10 and table.to_play == 0)
    before = room.table.state
    assert before is not None
    card = min(before.legal_cards)
    room.do(commands.play(room.table, ANN, card))
    room.do(commands.undo(room.table, ANN))
    assert room.table.state == before
    room.do(commands.deal_again(room.table, ANN))
    assert room.table.state is not None
    assert room.table.state.plays == ()
    assert refused(lambda: commands.deal_again(room.table, ANN)) == "nothing_to_undo"
    room.bots_play()
    assert room.table.phase is Phase.SCORES
    (undone,) = room.do(commands.undo(room.table, ANN))
    assert isinstance(undone, Undone)
    assert room.table.to_play == 0
    assert refused(lambda: commands.undo(playing(ANN, BEN, CAT).table, ANN)) == "not_solo"
    assert refused(lambda: commands.deal_again(playing(ANN, BEN, CAT).table, ANN)) == "not_solo"
    assert refused(lambda: commands.undo(Room(ANN, None, "bot:club").table, ANN)) == "nothing_to_undo"


def test_a_win_counts_for_one_person_among_bots_who_never_took_a_card_back() -> None:
    def match(*seats: str | None) -> Room:
        room = playing(*seats, rules="single")
        room.bots_play(until=lambda table: table.to_play == 0 and bool(table.state and table.state.plays))
        return room

    room = match(ANN, "bot:club", "bot:club")
    room.bots_play()
    assert (room.table.phase, room.table.counts) == (Phase.OVER, True)
    assert not match(ANN, BEN, "bot:club").table.counts
    for aided in (Undone(1), StoodIn(0, "club")):
        room = match(ANN, "bot:club", "bot:club")
        room.happen(aided)
        room.happen(CameBack(0))
        room.bots_play()
        assert (room.table.phase, room.table.counts) == (Phase.OVER, False)


def test_the_host_sets_the_pace_of_bots_and_alone_whoever_plays() -> None:
    room = Room(ANN, BEN, "bot:club")
    assert room.table.pace is None
    assert refused(lambda: commands.set_pace(room.table, BEN, 200)) == "not_host"
    for unfit in (-1, 5001):
        assert refused(lambda unfit=unfit: commands.set_pace(room.table, ANN, unfit)) == "number_range"  # type: ignore[misc]
    assert room.do(commands.set_pace(room.table, ANN, 200)) == [PaceSet(200)]
    assert commands.set_pace(room.table, ANN, 200).events == []
    room.happen(Stood(0))
    assert room.table.host == ANN
    room.do(commands.set_pace(room.table, BEN, 0))
    assert room.table.pace == 0
    assert refused(lambda: commands.set_pace(room.table, CAT, 1)) == "not_host"


def test_a_rematch_has_the_same_terms() -> None:
    room = Room(ANN, None, "bot:club", rules="single", takeover=True)
    room.do(commands.set_pace(room.table, ANN, 5000))
    room.do(commands.end(room.table, ANN))
    again = Table.fold(commands.again(room.table, ANN))
    for name in ("chairs", "match", "turn_seconds", "takeover", "is_public", "pace"):
        assert getattr(again, name) == getattr(room.table, name)


def test_a_list_shows_only_tables_that_wished_it_and_have_a_seat() -> None:
    public = Table.begin(Created(ANN, (ANN, None, "bot:club"), "classic", public=True))
    assert public.is_listed
    assert not Table.begin(Created(ANN, (ANN, None, "bot:club"), "classic")).is_listed
    for event in (Locked(True), Sat(1, BEN), Started(), Ended()):
        assert not public.after(event).is_listed
    assert public.after(Locked(True)).after(Locked(False)).is_listed


PEOPLE = (ANN, BEN, CAT, DAN)
WISHES = (
    *("sit", "leave", "start", "play", "pause", "resume", "undo", "go_on", "deal", "back", "remove", "end", "away"),
    *("set_pace", "connected", "ask", "replace"),
)


@given(st.lists(st.tuples(st.sampled_from(WISHES), st.sampled_from(PEOPLE), st.integers(-1, 4)), max_size=120))
def test_whatever_people_want_a_table_is_the_fold_of_its_events(wishes: list[tuple[str, str, int]]) -> None:
    room = Room(None, None, "bot:club", takeover=True)
    for wish, person, number in wishes:
        table = room.table
        try:
            room.do(_wished(room, wish, person, number))
        except Refusal:
            assert room.table is table
    assert Table.fold(decode(encode(event)) for event in room.events) == room.table
    assert room.table.seq == len(room.events)
    people = [chair.person for chair in room.table.chairs if chair.person]
    assert len(set(people)) == len(people)
    assert sorted(people) == sorted(room.table.arrivals)


def _wished(room: Room, wish: str, person: str, number: int) -> Change:
    table, state = room.table, room.table.state
    if wish == "deal":
        if table.phase in (Phase.DEALING, Phase.SCORES) and not table.match.is_over:
            room.deal()
        return Change([], [])
    if wish == "play":
        card = list(state.legal_cards)[number] if state and state.legal_mask else Card.parse("R1")
        if table.to_play == 2:
            return commands.play_for(table, 2, card)
        return commands.play(table, person, card)
    is_gone = table.is_running and person in table.arrivals[number:][:1]
    wishes: dict[str, Callable[[], Change]] = {
        "sit": lambda: commands.sit(table, person, number),
        "leave": lambda: commands.leave(table, person, "club"),
        "start": lambda: commands.start(table, person, "club"),
        "pause": lambda: commands.pause(table, person),
        "resume": lambda: commands.resume(table, person),
        "undo": lambda: commands.undo(table, person),
        "go_on": lambda: commands.go_on(table, person),
        "back": lambda: commands.back(table, person),
        "connected": lambda: commands.connected(table, person),
        "remove": lambda: commands.remove(table, person, PEOPLE[number % 4], "club", PEOPLE),
        "end": lambda: commands.end(table, person),
        "ask": lambda: commands.ask(table, person, number),
        "away": lambda: Change.of(table, [Away(number, "gone")] if is_gone else []),
        "replace": lambda: commands.replace_absent(table, person, number, "club"),
        "set_pace": lambda: commands.set_pace(table, person, number),
    }
    return wishes[wish]()


def test_events_are_read_as_they_were_written() -> None:
    for event in playing(ANN, BEN, "bot:club").events:
        assert decode(encode(event)) == event
    assert decode(b'{"type":"played","seat":1,"card":"R9"}') == Played(1, "R9")
    with pytest.raises(msgspec.DecodeError):
        decode(b'{"type":"played","seat":"one"}')


def test_a_record_names_those_to_whom_a_deal_was_dealt() -> None:
    room = playing("ann", "bot:club", "cat", takeover=True)
    room.bots_play()
    room.do(commands.sit(room.table, "ben", 1))
    room.do(commands.leave(room.table, "cat", "club"))
    room.deal()
    room.do(commands.leave(room.table, "ben", "club"))
    room.bots_play()
    names = {"ann": "Anna", "ben": "Ben", "cat": "Cat"}
    records = finished(room.table, "t1", names)
    assert [record.names for record in records] == [("Anna", "bot:club", "Cat"), ("Anna", "Ben", "bot:club")]
