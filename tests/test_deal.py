"""Properties of deals at 3 to 6 players and with all options, against the naive rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davidgoliath import Card, CardSet, Deal, DealState, IllegalPlay, Refusal, RuleSet, Standing, deck
from davidgoliath.rules.cards import CARDS
from tests import naive
from tests.games import deals, play_at_random, randoms, rule_sets, states


def pairs(cards: Any) -> list[naive.Pair]:
    return [(int(card.colour), card.value) for card in cards]


@given(deals(), rule_sets(), randoms)
def test_whole_deals_agree_with_the_naive_rules(deal: Deal, rules: RuleSet, rng: Any) -> None:
    state = DealState.start(deal, rules)
    players = deal.players
    hands = [pairs(hand) for hand in deal.hands]
    piles: list[list[naive.Pair]] = [[] for _ in hands]
    leader = (deal.dealer + 1) % players
    for _ in range(15):
        played: list[naive.Pair] = []
        for place in range(players):
            seat = (leader + place) % players
            assert state.to_play == seat
            assert pairs(state.legal_cards) == sorted(naive.legal(hands[seat], played))
            card = rng.choice(list(state.legal_cards))
            state = state.play(card, seat)
            hands[seat].remove((int(card.colour), card.value))
            played.append((int(card.colour), card.value))
        goliath, david, captured = naive.captures(played, rules.lowest_card_to, rules.all_equal)
        for place, taken in captured.items():
            piles[(leader + place) % players] += taken
        assert state.results[-1].goliath == (leader + goliath) % players
        assert state.results[-1].david == (leader + david) % players
        assert [pairs(pile) for pile in state.piles] == [sorted(pile) for pile in piles]
        assert state.scores == tuple(naive.score(pile) for pile in piles)
        leader = (leader + goliath) % players
    assert state.is_over


@given(states())
def test_cards_are_conserved(state: DealState) -> None:
    everywhere = [*state.trick.cards, *(card for cards in (*state.hands, *state.piles) for card in cards)]
    assert sorted(everywhere) == list(deck(state.players))
    assert len(state.plays) == 15 * state.players - sum(map(len, state.hands))


@given(deals(), randoms, st.none() | st.integers(1, 300))
def test_with_goliath_and_split_nobody_captures_their_own_card(deal: Deal, rng: Any, target: int | None) -> None:
    state = play_at_random(DealState.start(deal, RuleSet(target_score=target)), rng)
    for hand, pile in zip(deal.hands, state.piles, strict=True):
        assert not hand & pile


@given(states())
def test_the_cards_since_a_seats_last_choice_begin_with_it(state: DealState) -> None:
    for seat in range(state.players):
        kept = state.plays[: len(state.plays) - state.cards_since(seat)]
        before = state.at(len(kept))
        if kept == state.plays:
            assert state.hands[seat] == state.deal.hands[seat]
        else:
            assert before.to_play == seat
            assert before.hands[seat] == state.hands[seat] | CardSet.of([state.plays[len(kept)]])


@given(states(finished=True))
def test_followers_follow(state: DealState) -> None:
    hands = list(state.deal.hands)
    for trick in state.tricks:
        for place, card in enumerate(trick.cards):
            seat = trick.seat_of(place)
            if card.colour != trick.led:
                assert not hands[seat].of_colour(trick.cards[0].colour)
            hands[seat] = hands[seat].without(card)


@given(states(), st.sampled_from(CARDS), st.none() | st.integers(0, 5))
def test_every_illegal_card_is_refused_and_nothing_changes(state: DealState, card: Card, seat: int | None) -> None:
    before = repr(state)
    legal = card in state.legal_cards and seat in (None, state.to_play)
    try:
        after = state.play(card, seat)
    except IllegalPlay as refused:
        assert not legal
        asked_in_turn = state.to_play is not None and seat in (None, state.to_play)
        assert refused.legal == (state.legal_cards if asked_in_turn else None)
        if state.to_play is None:
            assert refused.reason == "deal_is_over"
        elif not asked_in_turn:
            assert refused.reason == "not_your_turn"
            assert refused.arguments == {"seat": seat, "to_play": state.to_play}
        elif card in state.hands[state.to_play]:
            assert refused.reason == "must_follow"
        else:
            assert refused.reason == "not_in_hand"
    else:
        assert legal
        assert card not in after.hands[state.to_play or 0]
    assert repr(state) == before


@given(deals(), rule_sets(), randoms, st.integers(0, 90), st.sampled_from(CARDS))
def test_many_cards_at_once_are_the_same_as_one_by_one(
    deal: Deal, rules: RuleSet, rng: Any, first: int, odd_one: Card
) -> None:
    start = DealState.start(deal, rules)
    end = play_at_random(start, rng)
    middle = start.play_all(end.plays[:first])
    one_by_one = start
    for card in end.plays[:first]:
        one_by_one = one_by_one.play(card)
    assert middle == one_by_one
    assert middle.play_all(end.plays[first:]) == end
    assert end.at(first) == middle
    if odd_one not in middle.legal_cards:
        with pytest.raises(IllegalPlay) as at_once:
            start.play_all([*end.plays[:first], odd_one])
        with pytest.raises(IllegalPlay) as alone:
            middle.play(odd_one)
        assert repr(at_once.value) == repr(alone.value)


@given(states())
def test_repr_rebuilds_a_state(state: DealState) -> None:
    from davidgoliath import Colour, Trick, TrickResult  # noqa: F401

    assert eval(repr(state)) == state  # noqa: S307


HANDS = Deal.shuffled(3, __import__("random").Random(1), 0).hands


@pytest.mark.parametrize(
    ("dealer", "hands", "reason"),
    [
        (3, HANDS, "no_such_seat"),
        (-1, HANDS, "no_such_seat"),
        (0, HANDS[:2], "players_range"),
        (0, (HANDS[0], HANDS[1], HANDS[1]), "card_twice"),
        (0, (HANDS[0].without(min(HANDS[0])), HANDS[1], HANDS[2]), "hand_size"),
        (0, (HANDS[0].without(min(HANDS[0])) | CardSet.parse("R10"), HANDS[1], HANDS[2]), "not_in_deck"),
        (0, (HANDS[0] | CardSet.of([min(HANDS[1])]), HANDS[1], HANDS[2]), "hand_size"),
    ],
)
def test_what_is_no_deal(dealer: int, hands: tuple[CardSet, ...], reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        Deal(dealer, hands)
    assert refused.value.reason == reason


def test_the_first_dealer_is_random_unless_given() -> None:
    random = __import__("random").Random
    assert {Deal.shuffled(4, random(seed)).dealer for seed in range(50)} == {0, 1, 2, 3}
    assert {Deal.shuffled(4, random(seed), 2).dealer for seed in range(50)} == {2}


def test_standing() -> None:
    start = Standing.at_start(RuleSet(deals=2, target_score=50), 3)
    assert start == Standing((0, 0, 0), 1, 2, 50)
    assert not start.is_over
    assert not start.after((49, 0, 0)).is_over
    assert start.after((50, 0, 0)).is_over
    assert start.after((10, 0, 0)).after((10, 0, 0)) == Standing((20, 0, 0), 3, 2, 50)
    assert start.after((10, 0, 0)).after((10, 0, 0)).is_over
