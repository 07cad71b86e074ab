from random import Random

import pytest
from hypothesis import given

from davidgoliath import Card, Deal, IllegalPlay, Match, MatchRecord, Player, RuleSet, View, play_out, ranking
from davidgoliath.bots import RandomBot, ReferenceBot
from tests.games import match_records
from tests.refusals import refuses


class Lowest:
    """A player of another kind: anything that can choose may sit down."""

    def __init__(self) -> None:
        self.seen: list[View] = []

    def choose(self, view: View, rng: Random) -> Card:
        self.seen.append(view)
        return min(view.legal_cards, key=lambda card: card.value)


def test_any_mixture_of_players() -> None:
    lowest = Lowest()
    *_, match = play_out(Match(4), [RandomBot(), lowest, ReferenceBot(), RandomBot()], Random(1))
    assert match.is_over
    assert len(lowest.seen) == 4 * 15
    assert {view.seat for view in lowest.seen} == {1}
    assert [view.standing.deal for view in lowest.seen[::15]] == [1, 2, 3, 4]


def test_a_seed_gives_the_same_match() -> None:
    def play(seed: int) -> Match:
        players: list[Player] = [RandomBot(), ReferenceBot(), RandomBot(), ReferenceBot(), RandomBot()]
        *_, match = play_out(Match(5), players, Random(seed))
        return match

    assert play(3) == play(3)
    assert play(3) != play(4)


def test_every_step_is_seen() -> None:
    steps = list(play_out(Match(3, RuleSet(deals=2)), [RandomBot()] * 3, Random(1)))
    assert len(steps) == 2 * (1 + 45)
    assert [step.is_over for step in steps] == [False] * 91 + [True]
    assert [step.winners for step in steps[:-1]] == [()] * 91


def test_before_between_and_after_deals() -> None:
    match = Match(3, RuleSet(deals=2))
    assert (match.state, match.next_dealer, match.totals, match.is_over) == (None, None, (0, 0, 0), False)
    with refuses("no_deal"):
        match.play(Card.parse("R1"))
    match = match.begin(Deal.shuffled(3, Random(1), 2))
    with refuses("deal_unfinished"):
        match.begin(Deal.shuffled(3, Random(1), 0))
    while match.state:
        match = match.play(min(match.state.legal_cards), match.state.to_play)
    assert match.next_dealer == 0
    assert match.totals == match.deals[0].scores
    with refuses("deal_is_over", IllegalPlay):
        match.play(Card.parse("R1"))
    with refuses("match_dealer"):
        match.begin(Deal.shuffled(3, Random(1), 1))
    with refuses("match_differs"):
        match.begin(Deal.shuffled(4, Random(1), 0))
    match = match.shuffle_and_begin(Random(2))
    while match.state:
        match = match.play(min(match.state.legal_cards))
    assert match.is_over
    with refuses("match_is_over"):
        match.shuffle_and_begin(Random(3))


def test_ties_are_shared() -> None:
    assert ranking([30, 52, 30, 12]) == (2, 1, 2, 4)
    assert ranking([5, 5, 5]) == (1, 1, 1)
    assert ranking([1, 9, 9]) == (3, 1, 1)


def test_a_tie_at_the_end_is_a_shared_win() -> None:
    for seed in range(400):
        *_, match = play_out(Match(3, RuleSet(deals=1)), [RandomBot()] * 3, Random(seed))
        if sorted(match.totals)[-1] == sorted(match.totals)[-2]:
            assert len(match.winners) >= 2
            assert {match.totals[seat] for seat in match.winners} == {max(match.totals)}
            return
    pytest.fail("no tie among 400 deals")


@given(match_records())
def test_a_record_replays(record: MatchRecord) -> None:
    match = Match.replay(record)
    assert match.deals[-1].standing == record.standing
    assert match.record(names=record.deals[0].names, match=record.deals[0].match) == record


def test_a_replayed_match_goes_on() -> None:
    steps = list(play_out(Match(3), [RandomBot()] * 3, Random(1)))
    half = Match.replay(MatchRecord.parse(str(steps[60].record())))
    assert half == steps[60]
    *_, end = play_out(half, [RandomBot()] * 3, Random(9))
    assert end.is_over
    assert end.deals[0] == steps[60].deals[0]


def test_deals_without_numbers_get_their_standing_from_the_match() -> None:
    *_, match = play_out(Match(3), [RandomBot()] * 3, Random(1))
    text = "\n".join(line for line in str(match.record()).split("\n") if not line.startswith(("[Deal ", "[Totals")))
    assert Match.replay(MatchRecord.parse(text)) == match


def test_cards_are_taken_back_from_the_last_deal_alone() -> None:
    steps = list(play_out(Match(3, RuleSet(deals=2)), [RandomBot()] * 3, Random(1)))
    assert steps[60].take_back(9) == steps[51]
    assert steps[-1].take_back(45) == steps[46]
    assert steps[60].take_back(0) == steps[60]
