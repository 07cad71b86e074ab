"""Tables: what may happen, what mustn't, and that a table is the fold of its events."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from davidgoliath import Card, Deal, Refusal
from davidgoliath.server.events import (
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
from davidgoliath.server.table import Phase, Table

ANN, BEN, CAT, DAN = "ann", "ben", "cat", "dan"


class Room:
    """A table, with its events so far."""

    def __init__(self, *seats: str | None, rules: str = "classic", takeover: bool = False) -> None:
        self.rng = Random(7)
        created = Created(ANN, seats or (None, None, None), rules, takeover=takeover)
        self.events: list[AnyEvent] = [created]
        self.table = Table.begin(created)

    def do(self, events: list[AnyEvent]) -> list[AnyEvent]:
        for event in events:
            self.events.append(event)
            self.table = self.table.after(event)
        return events

    def deal(self) -> Dealt:
        """What the server does when the match begins, and after each deal."""
        number = self.table.match.standing.deal
        deal = Deal.shuffled(self.table.players, self.rng, self.table.match.next_dealer)
        dealt = Dealt(number, deal.dealer, tuple(map(str, deal.hands)), "secret")
        self.do([Committed(number, "hash", "secret"), dealt])
        return dealt

    def bots_play(self, *, until: Callable[[Table], bool] = lambda table: False) -> None:
        """Everyone plays any legal card, persons included, until the deal is over or so."""
        while self.table.phase is Phase.PLAYING and not until(self.table):
            seat, state = self.table.to_play, self.table.state
            assert seat is not None
            assert state is not None
            card = self.rng.choice(list(state.legal_cards))
            person = self.table.chairs[seat].person
            self.do(self.table.play(person, card) if person else self.table.play_for(seat, card))


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        call()
    return str(caught.value.reason)


def playing(*seats: str | None, **terms: object) -> Room:
    """A room whose match has begun, with the cards dealt."""
    room = Room(*seats, **terms)  # type: ignore[arg-type]
    room.do(room.table.start(ANN, "club"))
    room.deal()
    return room


def test_people_sit_down_and_move_until_the_match_begins() -> None:
    room = Room(None, "bot:club", None)
    assert room.do(room.table.sit(ANN, 0)) == [Sat(0, ANN)]
    assert room.do(room.table.sit(ANN, 2)) == [Stood(0), Sat(2, ANN)]
    assert room.table.sit(ANN, 2) == []
    assert refused(lambda: room.table.sit(BEN, 2)) == "seat_taken"
    assert refused(lambda: room.table.sit(BEN, 1)) == "seat_taken"
    assert refused(lambda: room.table.sit(BEN, 3)) == "no_such_seat"
    assert refused(lambda: room.table.start(BEN, None)) == "not_host"
    assert refused(lambda: room.table.start(ANN, None)) == "seats_open"
    assert room.do(room.table.start(ANN, "casual")) == [Sat(0, "bot:casual"), Started()]
    assert refused(lambda: room.table.start(ANN, "casual")) == "match_runs"
    assert [chair.bot for chair in room.table.chairs] == ["casual", "club", None]


def test_the_host_places_and_frees_bots_and_locks_the_table() -> None:
    room = Room()
    room.do(room.table.place_bot(ANN, 1, "expert"))
    assert refused(lambda: room.table.place_bot(BEN, 2, "expert")) == "not_host"
    room.do(room.table.free(ANN, 1))
    assert refused(lambda: room.table.free(ANN, 1)) == "seat_taken"
    room.do(room.table.lock(ANN, True))
    assert room.table.lock(ANN, True) == []
    assert refused(lambda: room.table.sit(BEN, 0)) == "table_locked"
    room.do(room.table.lock(ANN, False))
    room.do(room.table.sit(BEN, 0))
    assert room.table.arrivals == (BEN,)


def test_a_whole_match_with_scores_between() -> None:
    room = Room(rules="classic deals=2")
    for seat, person in enumerate((ANN, BEN, CAT)):
        room.do(room.table.sit(person, seat))
    room.do(room.table.start(ANN, None))
    room.deal()
    room.bots_play()
    assert room.table.phase is Phase.SCORES
    assert room.events[-1] == Opened(1, "secret")
    room.do(room.table.go_on(ANN))
    assert room.table.go_on(ANN) == []
    assert not room.table.all_went_on
    room.do([StoodIn(1, "club")])
    room.do(room.table.go_on(CAT))
    assert room.table.all_went_on
    room.deal()
    room.bots_play()
    assert room.table.phase is Phase.OVER
    assert [state.is_over for state in room.table.match.deals] == [True, True]
    assert refused(lambda: room.table.sit(DAN, 0)) == "match_is_over"


def test_nobody_is_told_another_hand() -> None:
    room = playing(ANN, "bot:club", BEN)
    dealt = next(event for event in room.events if isinstance(event, Dealt))
    committed = next(event for event in room.events if isinstance(event, Committed))
    assert room.table.told(committed, 0) == Committed(1, "hash")
    for seat in (0, 1, 2, None):
        told = encode(room.table.told(dealt, seat)).decode()
        for other, hand in enumerate(dealt.hands):
            assert (hand in told) == (other == seat)
        assert "secret" not in told
    assert room.table.told(room.events[0], None) is room.events[0]
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
    assert refused(lambda: room.table.play(other, card)) == "not_your_turn"
    assert refused(lambda: room.table.play(DAN, card)) == "not_seated"
    room.do(room.table.pause(ANN))
    assert refused(lambda: room.table.play(person, card)) == "table_paused"
    assert room.table.pause(ANN) == []
    assert refused(lambda: room.table.resume(BEN)) == "not_host"
    room.do(room.table.resume(ANN))
    assert room.table.play(person, card) == [Played(seat, str(card))]
    assert refused(lambda: Room().table.play_for(0, card)) == "no_deal"


def test_a_bot_stands_in_for_the_absent_who_come_back_by_playing() -> None:
    room = playing(ANN, BEN, CAT)
    room.do([Away(1, "gone")])
    room.do(room.table.replace_absent(ANN, 1, "club"))
    assert room.table.chairs[1].bot == "club"
    assert room.table.chairs[1].person == BEN
    assert refused(lambda: room.table.replace_absent(ANN, 1, "club")) == "not_away"
    assert room.table.connected(BEN) == []
    assert room.table.back(BEN) == [CameBack(1)]
    room.bots_play(until=lambda table: table.to_play == 1)
    state = room.table.state
    assert state is not None
    events = room.do(room.table.play(BEN, min(state.legal_cards)))
    assert [type(event) for event in events] == [CameBack, Played]
    assert room.table.back(BEN) == []


def test_a_takeover_begins_with_the_next_deal() -> None:
    room = playing(ANN, BEN, "bot:expert", takeover=True)
    assert room.do(room.table.sit(CAT, 2)) == [Reserved(2, CAT)]
    assert room.table.sit(CAT, 2) == []
    assert room.table.chairs[2].bot == "expert"
    assert room.table.seat_of(CAT) is None
    assert room.table.view(CAT) == room.table.view(None)
    assert refused(lambda: room.table.sit(DAN, 2)) == "seat_taken"
    room.bots_play()
    assert room.events[-2:] == [Opened(1, "secret"), Sat(2, CAT)]
    room.deal()
    assert refused(lambda: room.table.sit(CAT, 1)) == "seat_taken"
    assert room.do(room.table.leave(CAT, "club")) == [Sat(2, "bot:expert")]
    assert refused(lambda: playing(ANN, BEN, "bot:club").table.sit(DAN, 2)) == "no_takeover"


def test_a_promise_can_be_given_up_and_ends_with_its_person() -> None:
    room = playing(ANN, "bot:club", "bot:expert", takeover=True)
    room.do(room.table.sit(CAT, 1))
    assert room.do(room.table.sit(CAT, 2)) == [Reserved(1), Reserved(2, CAT)]
    assert room.do(room.table.leave(CAT, "club")) == [Reserved(2)]
    room.do(room.table.sit(CAT, 2))
    assert room.do(room.table.remove(ANN, CAT, "club")) == [Reserved(2), Removed(CAT)]
    assert refused(lambda: room.table.sit(CAT, 2)) == "sent_away"


def test_nobody_comes_in_the_last_deal_but_who_left_it() -> None:
    room = playing(ANN, BEN, "bot:expert", takeover=True, rules="single")
    assert refused(lambda: room.table.sit(CAT, 2)) == "last_deal"
    assert room.do(room.table.leave(BEN, "club")) == [Sat(1, "bot:club")]
    assert refused(lambda: room.table.sit(CAT, 1)) == "last_deal"
    assert refused(lambda: room.table.sit(BEN, 2)) == "last_deal"
    assert room.do(room.table.sit(BEN, 1)) == [Sat(1, BEN)]
    assert room.table.view(BEN) != room.table.view(None)


def test_who_left_a_hand_comes_back_to_it_before_whoever_was_promised_the_seat() -> None:
    room = playing(ANN, BEN, "bot:expert", takeover=True)
    room.do(room.table.leave(BEN, "club"))
    room.do(room.table.sit(CAT, 1))
    room.do(room.table.lock(ANN, True))
    assert room.do(room.table.sit(BEN, 1)) == [Sat(1, BEN)]
    room.bots_play()
    assert room.table.chairs[1].person == BEN


def test_the_host_goes_and_comes_back() -> None:
    room = playing(ANN, BEN, CAT, takeover=True)
    assert room.do(room.table.leave(ANN, "club")) == [Sat(0, "bot:club"), HostIs(BEN)]
    assert refused(lambda: room.table.pause(ANN)) == "not_host"
    room.do(room.table.sit(ANN, 0))
    assert room.do(room.table.connected(ANN)) == [HostIs(ANN)]
    assert room.table.leave(BEN, "club") == [Sat(1, "bot:club")]


def test_the_host_sends_someone_away() -> None:
    room = playing(ANN, BEN, CAT, takeover=True)
    assert refused(lambda: room.table.remove(ANN, ANN, "club")) == "not_yourself"
    assert room.do(room.table.remove(ANN, BEN, "club")) == [Sat(1, "bot:club"), Removed(BEN)]
    assert refused(lambda: room.table.sit(BEN, 1)) == "sent_away"
    assert refused(lambda: room.table.remove(ANN, DAN, "club")) == "not_at_table"
    assert room.table.remove(ANN, DAN, "club", [DAN]) == [Removed(DAN)]
    before = Room(None, None, None)
    before.do(before.table.sit(BEN, 1))
    assert before.table.remove(ANN, BEN, "club") == [Stood(1), Removed(BEN)]


def test_a_match_broken_off_keeps_its_deal_as_aborted() -> None:
    room = playing(ANN, BEN, CAT)
    assert room.do(room.table.end(ANN)) == [Aborted(1), Opened(1, "secret"), Ended()]
    assert room.table.phase is Phase.OVER
    assert len(room.table.aborted) == 1
    assert room.table.end(ANN) == []
    alone = playing(ANN, "bot:club", "bot:club")
    alone.bots_play()
    alone.deal()
    alone.do(alone.table.end(ANN))
    assert refused(lambda: alone.table.undo(ANN)) == "nothing_to_undo"


def test_alone_cards_are_taken_back() -> None:
    room = playing(ANN, "bot:club", "bot:club")
    assert refused(lambda: room.table.undo(ANN)) == "nothing_to_undo" or room.table.to_play != 0
    room.bots_play(until=lambda table: len(table.match.deals[-1].plays) >= 10 and table.to_play == 0)
    before = room.table.state
    assert before is not None
    card = min(before.legal_cards)
    room.do(room.table.play(ANN, card))
    room.do(room.table.undo(ANN))
    assert room.table.state == before
    room.do(room.table.deal_again(ANN))
    assert room.table.state is not None
    assert room.table.state.plays == ()
    assert refused(lambda: room.table.deal_again(ANN)) == "nothing_to_undo"
    room.bots_play()
    assert room.table.phase is Phase.SCORES
    (undone,) = room.do(room.table.undo(ANN))
    assert isinstance(undone, Undone)
    assert room.table.to_play == 0
    assert refused(lambda: playing(ANN, BEN, CAT).table.undo(ANN)) == "not_solo"
    assert refused(lambda: playing(ANN, BEN, CAT).table.deal_again(ANN)) == "not_solo"
    assert refused(lambda: Room(ANN, None, "bot:club").table.undo(ANN)) == "nothing_to_undo"


def test_the_host_sets_the_pace_of_bots_and_alone_whoever_plays() -> None:
    room = Room(ANN, BEN, "bot:club")
    assert room.table.pace is None
    assert refused(lambda: room.table.set_pace(BEN, 200)) == "not_host"
    for unfit in (-1, 5001):
        assert refused(lambda unfit=unfit: room.table.set_pace(ANN, unfit)) == "number_range"  # type: ignore[misc]
    assert room.do(room.table.set_pace(ANN, 200)) == [PaceSet(200)]
    assert room.table.set_pace(ANN, 200) == []
    room.do([Stood(0)])
    assert room.table.host == ANN
    room.do(room.table.set_pace(BEN, 0))
    assert room.table.pace == 0
    assert refused(lambda: room.table.set_pace(CAT, 1)) == "not_host"


def test_a_rematch_has_the_same_terms() -> None:
    room = Room(ANN, None, "bot:club", rules="single", takeover=True)
    room.do([*room.table.set_pace(ANN, 5000), *room.table.end(ANN)])
    again = Table.fold(room.table.again(ANN))
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


def _wished(room: Room, wish: str, person: str, number: int) -> list[AnyEvent]:
    table, state = room.table, room.table.state
    if wish == "deal":
        if table.phase in (Phase.DEALING, Phase.SCORES) and not table.match.is_over:
            room.deal()
        return []
    if wish == "play":
        card = list(state.legal_cards)[number] if state and state.legal_mask else Card.parse("R1")
        return table.play_for(table.to_play, card) if table.to_play == 2 else table.play(person, card)
    wishes: dict[str, Callable[[], list[AnyEvent]]] = {
        "sit": lambda: table.sit(person, number),
        "leave": lambda: table.leave(person, "club"),
        "start": lambda: table.start(person, "club"),
        "pause": lambda: table.pause(person),
        "resume": lambda: table.resume(person),
        "undo": lambda: table.undo(person),
        "go_on": lambda: table.go_on(person),
        "back": lambda: table.back(person),
        "connected": lambda: table.connected(person),
        "remove": lambda: table.remove(person, PEOPLE[number % 4], "club", PEOPLE),
        "end": lambda: table.end(person),
        "ask": lambda: table.ask(person, number),
        "away": lambda: [Away(number, "gone")] if table.is_running and person in table.arrivals[number:][:1] else [],
        "replace": lambda: table.replace_absent(person, number, "club"),
        "set_pace": lambda: table.set_pace(person, number),
    }
    return wishes[wish]()


def test_events_are_read_as_they_were_written() -> None:
    for event in playing(ANN, BEN, "bot:club").events:
        assert decode(encode(event)) == event
    assert decode(b'{"type":"played","seat":1,"card":"R9"}') == Played(1, "R9")
    with pytest.raises(msgspec.DecodeError):
        decode(b'{"type":"played","seat":"one"}')
