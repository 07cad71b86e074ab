"""Who may be told what of a deal that is over, and what counts among figures."""

from random import Random

import pytest

from davidgoliath import Deal
from davidgoliath.notation import DealRecord
from davidgoliath.server.table import commands
from davidgoliath.server.table.events import (
    AnyEvent,
    Away,
    Created,
    Dealt,
    Sat,
    Started,
    StoodIn,
)
from davidgoliath.server.table.reviewing import PEOPLE, company, counts, hand_for, hands, seen_by, view_at
from davidgoliath.server.table.table import Phase, Table
from tests.refusals import refuses


def made(*events: AnyEvent) -> Table:
    return Table.fold(events)


def gathered(*seats: str, hints: bool = False, deals: int = 2) -> Table:
    return made(Created("ann", seats, f"classic deals={deals}", hints=hints, takeover=True), Started())


def dealt(table: Table, seed: int = 1) -> Table:
    deal = Deal.shuffled(table.players, Random(seed), table.match.next_dealer)
    return table.after(Dealt(table.match.standing.deal, deal.dealer, tuple(map(str, deal.hands)), "shuffle"))


def played(table: Table, cards: int = 90) -> Table:
    """So many cards more of the deal, or all."""
    for _ in range(cards):
        if table.to_play is None or table.state is None:
            break
        table = with_card(table)
    return table


def with_card(table: Table) -> Table:
    assert table.to_play is not None
    assert table.state is not None
    chair, card = table.chairs[table.to_play], min(table.state.legal_cards)
    if chair.person and not chair.stand_in:
        return commands.play(table, chair.person, card).tables[-1]
    return commands.play_for(table, table.to_play, card).tables[-1]


def turn_of(table: Table, seat: int) -> Table:
    """The same deal, when it is that seat's turn."""
    while table.to_play != seat:
        table = with_card(table)
    return table


SOLO = ("ann", "bot:club", "bot:random")
FRIENDS = ("ann", "ben", "bot:club")


def test_alone_a_deal_that_is_over_may_be_looked_at_and_among_friends_a_match() -> None:
    solo, friends = played(dealt(gathered(*SOLO))), played(dealt(gathered(*FRIENDS)))
    assert solo.phase is friends.phase is Phase.SCORES
    assert [(hand.deal, hand.seat) for hand in seen_by(solo, "ann")] == [(1, 0), (1, 1), (1, 2)]
    assert seen_by(friends, "ann") == []
    with refuses("match_not_over"):
        hand_for(friends, "ann", 1, 0)
    friends = played(dealt(friends, 2))
    assert friends.phase is Phase.OVER
    assert [(hand.deal, hand.seat) for hand in seen_by(friends, "ann")] == [(1, 0), (1, 2), (2, 0), (2, 2)]
    assert [hand.seat for hand in seen_by(friends, "ann", {"ben"})] == [0, 1, 2] * 2
    assert seen_by(friends, "eve") == seen_by(friends, None) == []
    assert [hand.seat for hand in seen_by(friends, None, {"ben"})] == [1, 1], "whoever has the link"
    for person, seat in (("ann", 1), ("eve", 0), ("eve", 2), (None, 2)):
        with refuses("not_your_hand"):
            hand_for(friends, person, 1, seat)


def test_a_deal_that_is_played_shows_nothing() -> None:
    table = played(dealt(played(dealt(gathered(*SOLO))), 2), 20)
    assert [hand.deal for hand in seen_by(table, "ann")] == [1, 1, 1]
    for deal in (0, 2, 3, -1):
        with refuses("deal_not_over"):
            hand_for(table, "ann", deal, 0)
    with refuses("no_such_seat"):
        hand_for(table, "ann", 1, 3)


def test_an_undone_deal_is_not_over_and_then_it_is_another() -> None:
    table = played(dealt(gathered(*SOLO)))
    before = hand_for(table, "ann", 1, 0)
    assert counts(table, before)
    table = commands.undo(table, "ann").tables[-1]
    with refuses("deal_not_over"):
        hand_for(table, "ann", 1, 0)
    assert table.state is not None
    other = max(table.state.legal_cards)
    after = played(commands.play(table, "ann", other).tables[-1])
    again = hand_for(after, "ann", 1, 0)
    assert not counts(after, again)
    assert (again.position == before.position) == (again.state.plays == before.state.plays)


def test_a_position_is_worked_out_once_however_often_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of reviews asks for that of each hand: 120 of them, in the longest match."""
    worked_out: list[DealRecord] = []

    def text(record: DealRecord) -> str:
        worked_out.append(record)
        return repr(record)

    monkeypatch.setattr(DealRecord, "__str__", text)
    table = played(dealt(played(dealt(gathered(*SOLO), 5)), 6))
    for _ in range(3):
        assert len({hand.position for hand in hands(table)}) == 2
    assert len(worked_out) == 2


def test_a_deal_that_is_played_again_does_not_count() -> None:
    table = commands.deal_again(played(dealt(gathered(*SOLO)), 9), "ann").tables[-1]
    table = played(table)
    assert not counts(table, hand_for(table, "ann", 1, 0))


def test_a_deal_with_a_hint_does_not_count_for_whoever_had_it() -> None:
    table = turn_of(dealt(gathered(*FRIENDS, hints=True)), 0)
    table = played(commands.hint(table, "ann").tables[-1])
    table = played(dealt(table, 2))
    assert [counts(table, hand) for hand in hands(table)] == [False, True, True, True, True, True]


def test_a_hand_that_a_bot_played_on_does_not_count() -> None:
    begun = played(dealt(gathered(*FRIENDS)), 5)
    for gone in (
        begun.after(Away(1, "gone")).after(StoodIn(1, "club")),
        begun.after(Sat(1, "bot:club")),
    ):
        over = played(gone)
        assert [counts(over, hand) for hand in hands(over)] == [True, False, True]
    stood_in = played(dealt(played(begun).after(Away(1, "gone")).after(StoodIn(1, "club")), 2))
    assert [counts(stood_in, hand) for hand in hands(stood_in)] == [True, True, True, True, False, True]
    assert hand_for(stood_in, "ben", 2, 1).chair.person == "ben", "it stays for their eyes alone"


@pytest.mark.parametrize(
    ("seats", "level"),
    [
        (("ann", "bot:random", "bot:club", "bot:master"), "club"),
        (("ann", "bot:casual", "bot:casual"), "casual"),
        (("ann", "bot:casual", "bot:master"), "casual"),
        (("ann", "ben", "bot:master"), PEOPLE),
        (("ann", "bot:no_longer_there", "bot:no_longer_there"), PEOPLE),
    ],
)
def test_company_is_the_bot_in_the_middle_or_people(seats: tuple[str, ...], level: str) -> None:
    table = played(dealt(gathered(*seats, deals=1)))
    assert company(table, hand_for(table, "ann", 1, 0)) == level


def test_what_a_seat_saw_has_nothing_of_what_came_later() -> None:
    table = played(dealt(gathered(*SOLO)))
    hand = hand_for(table, "ann", 1, 1)
    view = view_at(hand, 4)
    assert view.seat == 1
    assert len(view.tricks) == 1
    assert len(view.trick.cards) == 1
    assert len(view.hand) == view.hand_sizes[1] < 15
    for place in (-1, 45, 10**9):
        with refuses("number_range"):
            view_at(hand, place)


def test_hints_are_for_whoever_is_to_play_where_the_terms_have_them() -> None:
    solo, friends = turn_of(dealt(gathered(*SOLO)), 0), turn_of(dealt(gathered(*FRIENDS)), 0)
    assert commands.hint(solo, "ann").tables[-1].hints[-1].seat == 0
    with refuses("no_hints"):
        commands.hint(friends, "ann")
    allowed = turn_of(dealt(gathered(*FRIENDS, hints=True)), 0)
    with refuses("not_your_turn"):
        commands.hint(allowed, "ben")
    with refuses("not_seated"):
        commands.hint(allowed, "eve")
    with refuses("table_paused"):
        commands.hint(commands.pause(allowed, "ann").tables[-1], "ann")
    with refuses("no_deal"):
        commands.hint(gathered(*SOLO), "ann")
    once = commands.hint(allowed, "ann").tables[-1]
    assert commands.hint(once, "ann").events == [], "the same hint again is nothing new"
    assert not once.is_unaided


def test_a_hint_for_a_forced_card_is_an_event_too() -> None:
    """Or others could tell from a hint that somebody has a choice."""
    table = dealt(gathered(*FRIENDS, hints=True))
    while table.to_play != 0 or (table.state and len(table.state.legal_cards) > 1):
        table = with_card(table)
    assert commands.hint(table, "ann").events


def test_terms_are_settled_when_somebody_else_sits_or_the_match_begins() -> None:
    table = Table.fold([Created("ann", ("ann", None, "bot:club"), "classic")])
    assert commands.allow_hints(table, "ann", True).tables[-1].has_hints
    assert commands.allow_hints(table, "ann", False).events == []
    with refuses("not_host"):
        commands.allow_hints(table, "ben", True)
    both = commands.sit(table, "ben", 1).tables[-1]
    with refuses("terms_settled"):
        commands.allow_hints(both, "ann", True)
    alone = commands.leave(both, "ben", "club").tables[-1]
    assert commands.allow_hints(alone, "ann", True).events
    with refuses("terms_settled"):
        commands.allow_hints(gathered(*SOLO), "ann", True)


def test_a_rematch_keeps_the_terms() -> None:
    over = played(dealt(gathered(*FRIENDS, hints=True, deals=1)))
    (created,) = commands.again(over, "ann")
    assert isinstance(created, Created)
    assert created.hints
