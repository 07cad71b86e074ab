"""Every numbered rule of `docs/rules.md`, its worked examples, its six answers, and the options."""

from random import Random

import pytest

from davidgoliath import (
    Card,
    CardSet,
    Deal,
    DealState,
    IllegalPlay,
    Match,
    RuleSet,
    Trick,
    TrickResult,
    deck,
    play_out,
    score,
    score_by_colour,
)
from davidgoliath.bots import RandomBot
from davidgoliath.rules import settle
from tests.games import cards, play_at_random
from tests.refusals import refuses


def trick(text: str, leader: int = 0) -> Trick:
    played = tuple(cards(text))
    return Trick(max(3, len(played)), leader, played)


def settled(text: str, rules: str = "classic", leader: int = 0) -> TrickResult:
    return settle(trick(text, leader), RuleSet.parse(rules))


def deal_with(*starts: str, dealer: int = 0) -> Deal:
    """A deal in which the hands hold these cards, the rest being dealt in order."""
    hands = [CardSet.of(cards(start)) for start in starts]
    rest = [card for card in deck(len(starts)) if not any(card in hand for hand in hands)]
    for seat, hand in enumerate(hands):
        missing = 15 - len(hand)
        hands[seat] |= CardSet.of(rest[:missing])
        rest = rest[missing:]
    return Deal(dealer, tuple(hands))


@pytest.mark.parametrize(("players", "highest", "size"), [(3, 9, 45), (4, 12, 60), (5, 15, 75), (6, 18, 90)])
def test_rule_1_deck(players: int, highest: int, size: int) -> None:
    assert len(deck(players)) == size
    assert {card.value for card in deck(players)} == set(range(1, highest + 1))
    assert {str(card.colour) for card in deck(players)} == set("RYGBV")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_rule_2_deal(players: int) -> None:
    deal = Deal.shuffled(players, Random(1))
    assert [len(hand) for hand in deal.hands] == [15] * players
    assert sorted(card for hand in deal.hands for card in hand) == list(deck(players))


@pytest.mark.parametrize(("dealer", "leader", "second"), [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_rule_3_first_lead_is_left_of_the_dealer_and_play_goes_clockwise(dealer: int, leader: int, second: int) -> None:
    state = DealState.start(Deal.shuffled(3, Random(1), dealer))
    assert state.to_play == leader
    assert state.play(min(state.legal_cards)).to_play == second


def test_rule_4_lead_any_card() -> None:
    state = DealState.start(Deal.shuffled(4, Random(1), 3))
    assert state.legal_cards == state.hands[0]
    for card in state.hands[0]:
        assert state.play(card).trick.cards == (card,)


def test_rule_5_follow_if_able() -> None:
    state = DealState.start(deal_with("G4 R1", "G9 R2", "Y3 Y5", "G1 G2", dealer=3)).play(Card.parse("G4"))
    assert state.legal_cards == state.hands[1].of_colour(Card.parse("G4").colour)
    with pytest.raises(IllegalPlay) as refused:
        state.play(Card.parse("R2"))
    assert refused.value.reason == "must_follow"
    assert refused.value.arguments["card"] is Card.parse("R2")
    assert refused.value.arguments["colour"] is Card.parse("G4").colour
    assert refused.value.legal == state.legal_cards


def test_rule_5_any_card_when_void() -> None:
    hand = CardSet.parse("R1 Y5 V3,9")
    assert trick("G4 G5").legal_cards(hand) == hand


def test_rule_6_highest_value_whatever_its_colour() -> None:
    assert settled("G4 R9 G7 G5").goliath == 1


def test_rule_6_of_equal_highest_the_last_played() -> None:
    assert settled("R9 Y9 G2 G9 B1").goliath == 3


def test_rule_7_lowest_value_whatever_its_colour() -> None:
    assert settled("G4 R9 G7 Y1").david == 3


def test_rule_7_of_equal_lowest_the_last_played() -> None:
    assert settled("G1 R9 Y1 B7").david == 2


def test_rule_7_lowest_is_settled_among_the_others() -> None:
    result = settled("R5 Y5 G5")
    assert (result.goliath, result.david) == (2, 1)


def test_rule_8_david_captures_the_prize() -> None:
    result = settled("G4 G9 R2 G7")
    assert result.prize is Card.parse("G9")
    assert result.captured_by(result.david) == CardSet.parse("G9")


def test_rule_9_goliath_captures_the_spoils_the_lowest_card_included() -> None:
    result = settled("G4 G9 R2 G7")
    assert result.spoils == tuple(cards("G4 R2 G7"))
    assert result.captured_by(result.goliath) == CardSet.parse("G4,7 R2")
    assert result.captured_by(0) == CardSet()


def test_rule_10_piles_are_open_and_captured_cards_are_never_played_again() -> None:
    rng = Random(5)
    state = DealState.start(Deal.shuffled(4, rng))
    while not state.is_over:
        captured = [card for pile in state.piles for card in pile]
        assert all(card not in hand for card in captured for hand in state.hands)
        assert all(state.view(seat).piles == state.piles for seat in (None, 0, 1, 2, 3))
        state = state.play(rng.choice(list(state.legal_cards)))


def test_rule_11_goliath_leads_the_next_trick() -> None:
    state = DealState.start(deal_with("G4 R1", "G9 R3", "R2 Y5", "G7 G2", dealer=3))
    for card in cards("G4 G9"):
        state = state.play(card)
    state = play_at_random(state, Random(1), 2)
    assert state.to_play == state.results[0].goliath
    assert state.trick.leader == state.results[0].goliath


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_rule_12_end_after_fifteen_tricks(players: int) -> None:
    state = play_at_random(DealState.start(Deal.shuffled(players, Random(2))), Random(3))
    assert len(state.tricks) == 15
    assert state.to_play is None
    assert all(not hand for hand in state.hands)
    assert sorted(card for pile in state.piles for card in pile) == list(deck(players))
    with pytest.raises(IllegalPlay) as refused:
        state.play(Card.parse("R1"))
    assert refused.value.reason == "deal_is_over"
    assert refused.value.legal is None


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("-", 0),
        ("R1", 1),
        ("V18", 18),
        ("G5,9", 14),
        ("B17,18", 35),
        ("R4,10,11", 3),
        ("B2,3,6,10,12", 5),
        ("R9 Y9", 18),
    ],
)
def test_rule_13_scoring(pile: str, points: int) -> None:
    assert score(CardSet.parse(pile)) == points


def test_rule_13_deal_score_is_the_sum_over_the_colours() -> None:
    state = play_at_random(DealState.start(Deal.shuffled(5, Random(2))), Random(3))
    assert state.scores == tuple(sum(score_by_colour(pile)) for pile in state.piles)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_rule_14_match_has_as_many_deals_as_players_and_the_highest_total_wins(players: int) -> None:
    *_, match = play_out(Match(players), [RandomBot()] * players, Random(4))
    assert len(match.deals) == players
    assert {state.deal.dealer for state in match.deals} == set(range(players))
    sums = tuple(sum(state.scores[seat] for state in match.deals) for seat in range(players))
    assert match.totals == sums
    assert match.winners == tuple(seat for seat in range(players) if sums[seat] == max(sums))


def test_example_four_players() -> None:
    result = settled("G4 G9 R2 G7")
    assert (result.goliath, result.david) == (1, 2)
    assert result.captured_by(2) == CardSet.parse("G9")
    assert result.captured_by(1) == CardSet.parse("G4,7 R2")


def test_example_five_players() -> None:
    result = settled("G4 G12 G7 R2 G2")
    assert (result.goliath, result.david) == (1, 4)
    assert result.captured_by(4) == CardSet.parse("G12")
    assert result.captured_by(1) == CardSet.parse("G2,4,7 R2")
    assert result.spoils == tuple(cards("G4 G7 R2 G2"))


def test_example_score() -> None:
    pile = CardSet.parse("R4,10,11 Y8 G5,9 B2,3,6,10,12 V10,12")
    assert score_by_colour(pile) == (3, 8, 14, 5, 22)
    assert score(pile) == 52


def test_answer_1_two_equal_highest_cards_the_later_one() -> None:
    assert settled("G9 R9 G3 G4").goliath == 1


def test_answer_2_two_equal_lowest_cards_the_later_one() -> None:
    assert settled("G2 R2 G9 G4").david == 1


def test_answer_3_nobody_may_decline_to_follow() -> None:
    state = DealState.start(deal_with("G4", "G9 R2", "Y3", "B1", dealer=3)).play(Card.parse("G4"))
    with refuses("must_follow", IllegalPlay):
        state.play(Card.parse("R2"), seat=1)


def test_answer_4_the_highest_card_goes_to_davids_open_pile() -> None:
    state = DealState.start(deal_with("G4 G1", "G9 G2", "G7 G3", dealer=2))
    for card in cards("G4 G9 G7"):
        state = state.play(card)
    assert state.view(None).piles[0] == CardSet.parse("G9")


def test_answer_5_david_does_not_lead_next() -> None:
    state = DealState.start(deal_with("G4 G1", "G9 G2", "G7 G3", dealer=2))
    for card in cards("G4 G9 G7"):
        state = state.play(card)
    assert state.results[0].david == 0
    assert state.to_play == 1


def test_answer_6_captured_cards_are_never_played_again() -> None:
    state = DealState.start(deal_with("G4 G1", "G9 G2", "G7 G3", dealer=2))
    for card in cards("G4 G9 G7"):
        state = state.play(card)
    for captured in cards("G4 G9 G7"):
        with refuses("not_in_hand", IllegalPlay):
            state.play(captured)


def test_option_lowest_card_to_david() -> None:
    result = settled("G4 G9 R2 G7", "manual")
    assert result.captured_by(2) == CardSet.parse("G9 R2")
    assert result.captured_by(1) == CardSet.parse("G4,7")


def test_option_all_equal_split() -> None:
    result = settled("R5 Y5 G5 B5", leader=2)
    assert (result.goliath, result.david) == (1, 0)
    assert result.captured_by(0) == CardSet.parse("B5")
    assert result.captured_by(1) == CardSet.parse("R5 Y5 G5")


@pytest.mark.parametrize("lowest_card_to", ["goliath", "david"])
def test_option_all_equal_sweep(lowest_card_to: str) -> None:
    result = settled("R5 Y5 G5", f"classic all_equal=sweep lowest_card_to={lowest_card_to}", leader=1)
    assert (result.goliath, result.david) == (0, 0)
    assert result.captured_by(0) == CardSet.parse("R5 Y5 G5")
    assert result.captured_by(1) == result.captured_by(2) == CardSet()


def test_option_all_equal_sweep_leaves_other_tricks_alone() -> None:
    assert settled("R5 Y5 G6", "classic all_equal=sweep") == settled("R5 Y5 G6")
    assert settled("R5 Y5 G4", "classic all_equal=sweep") == settled("R5 Y5 G4")


@pytest.mark.parametrize(("deals", "played"), [("players", 3), (1, 1), (5, 5)])
def test_option_deals(deals: int | str, played: int) -> None:
    *_, match = play_out(Match(3, RuleSet.of(deals=deals)), [RandomBot()] * 3, Random(1))
    assert len(match.deals) == played


def test_option_target_score_ends_after_the_deal_in_which_it_is_reached() -> None:
    *_, whole = play_out(Match(4, RuleSet(deals=20)), [RandomBot()] * 4, Random(1))
    target = max(whole.deals[3].standing.totals) + 1
    assert max(whole.deals[3].standing.after(whole.deals[3].scores).totals) >= target
    *_, match = play_out(Match(4, RuleSet(deals=20, target_score=target)), [RandomBot()] * 4, Random(1))
    assert len(match.deals) == 4
    assert match.totals == whole.deals[4].standing.totals


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("preset", ["classic", "single", "manual"])
def test_presets_play_through(preset: str, players: int) -> None:
    *_, match = play_out(Match(players, RuleSet.of(preset)), [RandomBot()] * players, Random(9))
    assert len(match.deals) == (players if preset == "classic" else 1)
    assert sum(len(pile) for state in match.deals for pile in state.piles) == 15 * players * len(match.deals)
    assert match.winners
