"""A table under several identities that wish anything in any order, beside a model that knows what may come of it.

The model is told every event, as people are, and keeps three books of its own: who has been shown which hand, what was
played, and what was so when a match of several people ended. Whatever happens, the table must agree with these books.
"""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, cast, get_args

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from davidgoliath import Deal, DealState, Refusal
from davidgoliath.bots import BOT
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.dispatch import dispatch
from davidgoliath.server.table import commands
from davidgoliath.server.table.events import (
    AnyEvent,
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
    Played,
    Removed,
    Reserved,
    Sat,
    StoodIn,
    Undone,
    Watching,
    decode,
    encode,
)
from davidgoliath.server.table.records import finished
from davidgoliath.server.table.reviewing import seen_by
from davidgoliath.server.table.table import Phase, Table
from davidgoliath.server.table.visibility import told

PEOPLE = ("ann", "ben", "cat", "dan", "eve")
THINKERS = cast(BotPool, SimpleNamespace(names=("club", "random"), check=lambda name: None))
MAKE: dict[type[m.Wish], Callable[[Table, str, int], m.Wish]] = {
    m.Sit: lambda table, other, number: m.Sit(table.seq, number % table.players),
    m.Leave: lambda table, other, number: m.Leave(table.seq),
    m.Back: lambda table, other, number: m.Back(table.seq),
    m.PlaceBot: lambda table, other, number: m.PlaceBot(table.seq, number % table.players, "random"),
    m.Free: lambda table, other, number: m.Free(table.seq, number % table.players),
    m.Start: lambda table, other, number: m.Start(table.seq, "club"),
    m.Play: lambda table, other, number: m.Play(table.seq, _some_card(table, number)),
    m.Undo: lambda table, other, number: m.Undo(table.seq),
    m.DealAgain: lambda table, other, number: m.DealAgain(table.seq),
    m.Hint: lambda table, other, number: m.Hint(table.seq),
    m.AllowHints: lambda table, other, number: m.AllowHints(table.seq, number % 2 == 0),
    m.GoOn: lambda table, other, number: m.GoOn(table.seq),
    m.Pause: lambda table, other, number: m.Pause(table.seq),
    m.Resume: lambda table, other, number: m.Resume(table.seq),
    m.SetPace: lambda table, other, number: m.SetPace(table.seq, number),
    m.Lock: lambda table, other, number: m.Lock(table.seq, number % 2 == 0),
    m.LetWatch: lambda table, other, number: m.LetWatch(table.seq, number % 2 == 0),
    m.Ask: lambda table, other, number: m.Ask(table.seq, number % table.players),
    m.ReplaceAbsent: lambda table, other, number: m.ReplaceAbsent(table.seq, number % table.players, "random"),
    m.Remove: lambda table, other, number: m.Remove(table.seq, other),
    m.End: lambda table, other, number: m.End(table.seq),
}

HOSTS = (m.PlaceBot, m.Remove, m.ReplaceAbsent, m.Ask, m.Lock, m.LetWatch, m.End, m.Pause, m.Resume)


def _some_card(table: Table, number: int) -> str:
    cards = list(table.state.legal_cards) if table.state else []
    return str(cards[number % len(cards)]) if cards else "R1"


def test_the_machine_knows_every_wish() -> None:
    wishes = {kind for kind in get_args(m.AnyFromClient) if issubclass(kind, m.Wish)}
    assert wishes == {*MAKE, m.PlayAgain}  # which makes another table


class TableMachine(RuleBasedStateMachine):
    """One table, five people, and the server."""

    @initialize(
        others=st.lists(st.sampled_from([None, "ben", "bot:club", "bot:random"]), min_size=2, max_size=3),
        takeover=st.booleans(),
        hints=st.booleans(),
        deals=st.integers(1, 3),
        seed=st.integers(0, 2**32),
        starts=st.integers(0, 3),
    )
    def begin(self, others: list[str | None], takeover: bool, hints: bool, deals: int, seed: int, starts: int) -> None:
        seats: list[str | None] = ["ann"]
        for other in others:
            seats.append(other if other not in seats or other != "ben" else None)
        created = Created("ann", tuple(seats), f"classic deals={deals}", takeover=takeover, hints=hints)
        self.rng = Random(seed)
        self.table, self.events = Table.begin(created), cast(list[AnyEvent], [created])
        self.here = set(PEOPLE)
        self.told: dict[int, dict[str, set[int]]] = {}
        """By the number of a deal dealt: whose hands each person has been shown while they were secret."""
        self.dealt_to: list[tuple[str | None, ...]] = []
        self.was_opened: set[int] = set()
        self.played: list[list[tuple[int, str]]] = []
        self.ended: list[str] | None = None
        self.has_hints = hints
        self.hints: list[tuple[int, int, int]] = []
        """In which deal, for which of its cards, and by which seat."""
        self.returns: list[tuple[int, int]] = []
        """In which turns somebody took over without a card."""
        if starts:
            self.start()
            self.deal()

    def happen(self, events: list[AnyEvent], by: str | None = None) -> None:
        for event in events:
            before, self.table = self.table, self.table.after(event)
            self.events.append(event)
            self._note(before, event, by)
            self._look()

    def _note(self, before: Table, event: AnyEvent, by: str | None) -> None:
        """What the event means for the books, and who must not have caused it."""
        match event:
            case Dealt():
                self.dealt_to.append(tuple(chair.person for chair in before.chairs))
                self.played.append([])
                for person in (*PEOPLE, None):
                    seat = before.seat_of(person) if person else None
                    shown = told(event, seat)
                    assert isinstance(shown, Dealt)
                    assert [hand for hand in shown.hands if hand != "-"] == (
                        [event.hands[seat]] if seat is not None else []
                    )
                    assert not shown.shuffle
            case Played(seat=seat, card=card, by=chooser):
                turn = len(self.dealt_to), len(before.state.plays if before.state else ())
                assert self.returns.count(turn) <= (1 if chooser == "bot" else 2)
                self.returns = [other for other in self.returns if other != turn]
                self.played[-1].append((seat, card))
                chair = before.chairs[seat]
                assert (chair.bot is not None) if chooser == "bot" else (by == chair.person and not chair.stand_in)
            case Undone(cards=cards):
                assert cards
                del self.played[-1][-cards:]
                self.returns.clear()
                assert {person for chairs in self.dealt_to for person in chairs if person} == {by}
            case Hinted(seat=seat):
                alone = {person for chairs in self.dealt_to for person in chairs if person} == {by}
                assert self.has_hints or (alone and before.arrivals == (by,))
                assert before.to_play == seat
                assert before.chairs[seat].person == by
                place = len(before.state.plays if before.state else ())
                assert (len(self.dealt_to), place, seat) not in self.hints, "one hint for a card"
                self.hints.append((len(self.dealt_to), place, seat))
            case HintsAllowed(allowed=allowed):
                assert not self.dealt_to
                assert {chair.person for chair in before.chairs if chair.person} <= {by}
                self.has_hints = allowed
            case Opened():
                self.was_opened.add(len(self.dealt_to))
            case StoodIn(seat=seat, bot=bot):
                assert before.chairs[seat].away
                assert bot == "club"
            case CameBack(seat=seat):
                assert by == before.chairs[seat].person
                self._note_return(before, seat)
            case Removed(person=person):
                assert by != person
                assert person != before.owner or not before.owner_stays
            case Sat(seat=seat, player=player) if before.is_running and not player.startswith(BOT):
                dealt = self.dealt_to[-1] if self.dealt_to else ()
                assert before.phase is not Phase.PLAYING or dealt[seat] == player
                self._note_return(before, seat)
            case Locked() | Ended() | Watching():
                assert by == before.owner or not before.owner_stays
            case _:
                pass

    def _note_return(self, before: Table, seat: int) -> None:
        """Who takes over from a bot in their turn has its time anew: once, or by a card."""
        if before.to_play == seat and before.chairs[seat].bot:
            self.returns.append((len(self.dealt_to), len(before.state.plays if before.state else ())))

    def _look(self) -> None:
        """What each person can see now."""
        if self.table.phase is not Phase.PLAYING or len(self.dealt_to) in self.was_opened:
            return
        known = self.told.setdefault(len(self.dealt_to), {})
        for person in PEOPLE:
            view = self.table.view(person)
            seat = self.table.seat_of(person)
            if view is not None and seat is not None:
                known.setdefault(person, set()).add(seat)
            elif view is not None:
                assert not view.hand

    # People

    @rule(
        person=st.sampled_from(PEOPLE),
        kind=st.sampled_from([*MAKE]),
        other=st.sampled_from([*PEOPLE, "nobody"]),
        number=st.integers(0, 5),
    )
    def wish(self, person: str, kind: type[m.Wish], other: str, number: int) -> None:
        self._try(person, MAKE[kind](self.table, other, number))

    @rule(kind=st.sampled_from([*HOSTS]), other=st.sampled_from(PEOPLE), number=st.integers(0, 5))
    def wish_of_host(self, kind: type[m.Wish], other: str, number: int) -> None:
        self._try(self.table.host, MAKE[kind](self.table, other, number))

    @rule(kind=st.sampled_from([m.Undo, m.DealAgain, m.Leave, m.Back]), number=st.integers(0, 5))
    def wish_of_somebody_seated(self, kind: type[m.Wish], number: int) -> None:
        if self.table.arrivals:
            person = self.table.arrivals[number % len(self.table.arrivals)]
            self._try(person, MAKE[kind](self.table, person, number))

    @precondition(lambda self: self.table.phase is Phase.GATHERING)
    @rule()
    def start(self) -> None:
        self._try("ann", m.Start(self.table.seq, "club"))

    @precondition(lambda self: self.table.phase is Phase.PLAYING)
    @rule(cards=st.sampled_from([1, 5, 30, 90, 90]), number=st.integers(0, 20))
    def play(self, cards: int, number: int) -> None:
        """Play goes on for a while, or to the end of the deal, by whoever's turn it is."""
        for _ in range(cards):
            seat = self.table.to_play
            if seat is None or self.table.paused:
                return
            chair = self.table.chairs[seat]
            card = _some_card(self.table, number)
            if chair.person and not chair.stand_in:
                self._try(chair.person, m.Play(self.table.seq, card))
            else:
                legal = list(cast(DealState, self.table.state).legal_cards)
                self.happen(commands.play_for(self.table, seat, legal[number % len(legal)]).events)

    @precondition(lambda self: self.table.is_running)
    @rule(person=st.sampled_from(PEOPLE))
    def newcomer(self, person: str) -> None:
        """Somebody tries every seat in turn, and stays at the last that they get."""
        for seat in range(self.table.players):
            self._try(person, m.Sit(self.table.seq, seat))
            if self.table.seat_of(person) is not None and seat + 1 < self.table.players:
                self._try(person, m.Leave(self.table.seq))

    def _try(self, person: str, wish: m.Wish) -> None:
        before = self.table
        try:
            change = dispatch(self.table, person, cast(Any, wish), THINKERS, lambda: self.here)
        except Refusal:
            assert self.table is before
            return
        self.happen(change.events, person)

    @rule(person=st.sampled_from(PEOPLE))
    def goes(self, person: str) -> None:
        self.here.discard(person)

    @rule(person=st.sampled_from(PEOPLE))
    def comes(self, person: str) -> None:
        self.here.add(person)
        self.happen(commands.connected(self.table, person).events, person)

    # The server

    @precondition(lambda self: self.table.phase in (Phase.DEALING, Phase.SCORES))
    @rule()
    def deal(self) -> None:
        number = self.table.match.standing.deal
        dealt = Deal.shuffled(self.table.players, self.rng, self.table.match.next_dealer)
        hands = tuple(map(str, dealt.hands))
        self.happen([Committed(number, "hash", "secret"), Dealt(number, dealt.dealer, hands, "secret")])

    @precondition(lambda self: self.table.is_running)
    @rule(number=st.integers(0, 5))
    def time_passes(self, number: int) -> None:
        """Who has gone is away, and so is who was asked and said nothing."""
        seat = number % self.table.players
        chair = self.table.chairs[seat]
        if chair.person and not chair.away and not chair.stand_in:
            if chair.person not in self.here:
                self.happen([Away(seat, "gone")])
            elif chair.is_asked:
                self.happen([Away(seat, "silent")])
        if chair.heir and chair.heir not in self.here:
            self.happen([Reserved(seat)])

    @rule()
    def host_is_gone_for_long(self) -> None:
        """Somebody else acts as host, and tries at once what a host can."""
        self.here.discard(self.table.host)
        heirs = [person for person in self.table.arrivals if person in self.here]
        if heirs and self.table.phase is not Phase.OVER:
            self.happen([HostIs(heirs[0])])
            for wish in (m.Remove(0, self.table.owner), m.Lock(0, not self.table.is_locked), m.End(0)):
                self._try(heirs[0], wish)

    # What must be so

    @invariant()
    def nobody_knows_a_hand_that_was_not_dealt_to_them(self) -> None:
        if not hasattr(self, "table"):
            return
        for number, known in self.told.items():
            for person, seats in known.items():
                assert all(self.dealt_to[number - 1][seat] == person for seat in seats), (number, person, seats)

    @invariant()
    def a_deal_that_was_ever_open_is_played_by_one_person_alone(self) -> None:
        if hasattr(self, "table") and self.table.phase is Phase.PLAYING and len(self.dealt_to) in self.was_opened:
            had = {person for person in self.dealt_to[-1] if person}
            assert len(had) <= 1
            assert {chair.person for chair in self.table.chairs if chair.person} <= had

    @invariant()
    def a_deal_that_is_over_is_open(self) -> None:
        if hasattr(self, "table") and self.table.phase in (Phase.SCORES, Phase.OVER) and self.dealt_to:
            assert len(self.dealt_to) in self.was_opened

    @invariant()
    def the_record_is_what_was_played(self) -> None:
        if not hasattr(self, "table"):
            return
        states = [*self.table.match.deals, *self.table.aborted]
        assert [[str(card) for card in state.plays] for state in states] == [
            [card for _, card in played] for played in self.played
        ]
        records = finished(self.table, "t1", {person: person for person in PEOPLE})
        names = [tuple(name for name in record.names or ()) for record in records]
        for shown, dealt in zip(names, self.dealt_to, strict=False):
            assert [name for name in shown if not name.startswith(BOT)] == [person for person in dealt if person]

    @invariant()
    def the_record_says_who_had_hints(self) -> None:
        if not hasattr(self, "table"):
            return
        records = finished(self.table, "t1", {person: person for person in PEOPLE})
        for number, record in enumerate(records, 1):
            found = {(seat, place // self.table.players + 1) for deal, place, seat in self.hints if deal == number}
            assert found == {(seat, trick) for seat, tricks in enumerate(record.hints or ()) for trick in tricks}

    @invariant()
    def nobody_is_told_what_was_right_while_others_play(self) -> None:
        if not hasattr(self, "table"):
            return
        had = {person for chairs in self.dealt_to for person in chairs if person}
        for person in (*PEOPLE, None):
            for hand in seen_by(self.table, person):
                assert self.table.phase is Phase.OVER or (had == {person} and self.table.arrivals == (person,))
                assert len(hand.state.plays) == 15 * self.table.players
                owner = self.dealt_to[hand.deal - 1][hand.seat]
                assert owner == person if owner else person in had

    @invariant()
    def an_ended_match_of_several_people_never_changes(self) -> None:
        if not hasattr(self, "table"):
            return
        people = {person for chairs in self.dealt_to for person in chairs if person}
        if self.ended is None and self.table.phase is Phase.OVER and len(people) > 1:
            self.ended = self._book()
        assert self.ended is None or (self.table.phase is Phase.OVER and self.ended == self._book())

    def _book(self) -> list[str]:
        records = finished(self.table, "t1", {person: person for person in PEOPLE})
        return [str(self.table.match.totals), *map(str, records)]

    def teardown(self) -> None:
        if hasattr(self, "table"):
            assert Table.fold(decode(encode(event)) for event in self.events) == self.table


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=3 * settings().max_examples, stateful_step_count=40)
