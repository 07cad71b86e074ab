"""A view holds what its seat may know and nothing else; so does every refusal."""

from random import Random
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from davidgoliath import Card, CardSet, Deal, DealState, IllegalPlay, Trick, View, deck
from davidgoliath.rules import settle
from davidgoliath.rules.cards import CARDS
from tests.games import states, swapped


def holdings(value: Any) -> list[CardSet]:
    """Every card and set of cards that can be reached from a value."""
    if isinstance(value, CardSet):
        return [value]
    if isinstance(value, Card):
        return [CardSet.of([value])]
    if isinstance(value, dict):
        return holdings(list(value.items()))
    if isinstance(value, list | tuple | set | frozenset):
        return [found for item in value for found in holdings(item)]
    assert value is None or type(value).__module__ in (
        "builtins",
        "davidgoliath.rules.ruleset",
        "davidgoliath.rules.cards",
    )
    return []


def known_to(state: DealState, seat: int | None) -> CardSet:
    known = CardSet.of(state.trick.cards)
    for pile in state.piles:
        known |= pile
    return known if seat is None else known | state.hands[seat]


@given(states(), st.data())
def test_no_card_that_the_seat_cannot_know(state: DealState, data: st.DataObject) -> None:
    seat = data.draw(st.none() | st.integers(0, state.players - 1))
    view = state.view(seat)
    assert all(cards <= known_to(state, seat) for cards in holdings(tuple(view)))
    assert view.unseen == deck(state.players) - known_to(state, seat)
    assert view.hand == (CardSet() if seat is None else state.hands[seat])
    assert view.legal_cards == (state.legal_cards if seat is not None and seat == state.to_play else CardSet())
    assert view.hand_sizes == tuple(map(len, state.hands))
    assert (view.to_play, view.is_over, view.scores) == (state.to_play, state.is_over, state.scores)
    assert (view.players, view.dealer, view.standing) == (state.players, state.deal.dealer, state.standing)


@given(states(), st.data())
def test_hidden_cards_make_no_difference(state: DealState, data: st.DataObject) -> None:
    """Two deals that differ only in cards that a seat can't know look the same to it, refusals included."""
    seat = data.draw(st.none() | st.integers(0, state.players - 1))
    other = swapped(state, seat, Random(data.draw(st.integers(0, 1000))))
    assume(other != state)
    assert repr(other.view(seat)) == repr(state.view(seat))
    card = data.draw(st.sampled_from(CARDS))
    if seat is not None:
        assert outcome(state, card, seat) == outcome(other, card, seat)


def outcome(state: DealState, card: Card, seat: int) -> str:
    try:
        return repr(state.play(card, seat).view(seat))
    except IllegalPlay as refused:
        assert all(cards <= state.hands[seat] | CardSet.of([card]) for cards in holdings(refused.arguments))
        return repr(refused)


@given(states())
def test_voids_are_true_and_everyone_sees_them(state: DealState) -> None:
    for seat, colours in enumerate(state.view(None).voids):
        for colour in colours:
            assert not state.hands[seat].of_colour(colour)
    assert state.view(0).voids == state.view(None).voids


def test_voids_show_when_someone_does_not_follow() -> None:
    state = DealState.start(Deal.shuffled(3, Random(4), 0))
    shown: list[set[str]] = [set(), set(), set()]
    rng = Random(2)
    while state.to_play is not None:
        seat, led = state.to_play, state.trick.led
        card = rng.choice(list(state.legal_cards))
        if led is not None and card.colour != led:
            shown[seat].add(str(led))
        state = state.play(card)
        assert [set(map(str, colours)) for colours in state.view(1).voids] == shown
    assert any(shown)


def test_a_view_is_a_value_of_its_own() -> None:
    state = DealState.start(Deal.shuffled(3, Random(4), 0))
    assert isinstance(state.view(1), View)
    assert not any(isinstance(field, Deal | DealState) for field in state.view(1))


@given(states())
def test_a_preview_of_the_last_card_comes_true(state: DealState) -> None:
    """For the last card of a trick the preview is the result; before, it is as if the trick ended with the card."""
    if state.to_play is None:
        return
    view = state.view(state.to_play)
    for card in view.legal_cards:
        preview, after = view.preview(card), state.play(card)
        if not state.table:
            assert preview == (None, None, state.scores)
        elif not after.table:
            assert preview == (after.results[-1].goliath, after.results[-1].david, after.scores)
        else:
            shorter = Trick(state.players, state.leader, (*state.table, card))
            assert preview[:2] == (settle(shorter, state.rules).goliath, settle(shorter, state.rules).david)
