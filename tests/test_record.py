from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from davidgoliath import (
    Card,
    CardSet,
    Deal,
    DealRecord,
    Match,
    MatchRecord,
    NotationError,
    Refusal,
    RuleSet,
    play_out,
)
from davidgoliath.bots import RandomBot
from tests.games import match_records, records
from tests.refusals import refuses


def match_of(rules: str = "classic", seed: int = 1) -> MatchRecord:
    *_, match = play_out(Match(3, RuleSet.parse(rules)), [RandomBot()] * 3, Random(seed))
    return match.record(names=("Ann", "Ben", "Cleo"), match="m1")


@given(records())
def test_repr_rebuilds_a_record(record: DealRecord) -> None:
    import datetime  # noqa: F401

    assert eval(repr(record)) == record  # noqa: S307


@given(match_records())
def test_repr_rebuilds_a_match(match: MatchRecord) -> None:
    import datetime  # noqa: F401

    assert eval(repr(match)) == match  # noqa: S307


def test_a_match_needs_a_deal() -> None:
    with refuses("no_deal"):
        MatchRecord(())


CHANGES: list[tuple[Callable[[DealRecord], DealRecord], str]] = [
    (lambda deal: replace(deal, number=3, totals=None), "match_number"),
    (lambda deal: replace(deal, totals=(0, 0, 0)), "match_totals"),
    (lambda deal: replace(deal, names=("Ann", "Ben", "Dan")), "match_differs"),
    (lambda deal: replace(deal, match="m2"), "match_differs"),
    (lambda deal: DealRecord(RuleSet(deals=5), deal.deal, (), 2, deal.names, "m1"), "match_differs"),
    (lambda deal: DealRecord(deal.rules, Deal.shuffled(4, Random(1)), (), 2, None, "m1"), "match_differs"),
    (
        lambda deal: DealRecord(deal.rules, Deal((deal.deal.dealer + 1) % 3, deal.deal.hands), (), 2, deal.names, "m1"),
        "match_dealer",
    ),
]


@pytest.mark.parametrize(("change", "reason"), CHANGES)
def test_what_is_no_match(change: Callable[[DealRecord], DealRecord], reason: str) -> None:
    match = match_of()
    deals = (match.deals[0], change(match.deals[1]))
    with pytest.raises(Refusal) as refused:
        MatchRecord(deals)
    assert refused.value.reason == reason
    with pytest.raises(NotationError) as refused:
        MatchRecord.parse("\n".join(map(str, deals)))
    assert refused.value.reason == reason
    assert refused.value.line == str(deals[0]).count("\n") + 2


def test_only_the_last_deal_may_be_unfinished() -> None:
    first, second, third = match_of().deals
    cut = DealRecord(second.rules, second.deal, second.plays[:-1], 2, second.names, "m1", totals=second.totals)
    assert MatchRecord((first, cut)).standing.deal == 2
    with pytest.raises(Refusal) as refused:
        MatchRecord((first, cut, third))
    assert refused.value.reason == "deal_unfinished"


def test_no_deal_after_the_end() -> None:
    first, second, third = match_of().deals
    fourth = DealRecord(first.rules, Deal(third.deal.first_leader, first.deal.hands), (), None, first.names, "m1")
    with refuses("match_is_over"):
        MatchRecord((first, second, third, fourth))
    target = RuleSet(target_score=1)
    with refuses("match_is_over"):
        MatchRecord(tuple(DealRecord(target, deal.deal, deal.plays) for deal in (first, second)))


def test_a_match_may_begin_later_or_without_numbers() -> None:
    first, second, third = match_of().deals
    assert MatchRecord((second, third)).standing == third.state.standing
    bare = tuple(replace(deal, number=None, totals=None) for deal in (first, second, third))
    assert MatchRecord(bare).standing == third.state.standing


def test_a_record_follows_the_rules() -> None:
    deal = Deal.shuffled(3, Random(1), 2)
    with pytest.raises(Refusal) as refused:
        DealRecord(RuleSet(), deal, (min(deal.hands[0]), min(deal.hands[0])))
    assert refused.value.reason == "illegal_play"
    assert refused.value.arguments["play"] == 1
    assert refused.value.arguments["why"].reason == "not_in_hand"


def test_names_may_need_joiners() -> None:
    family = "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    record = DealRecord(RuleSet(), Deal.shuffled(3, Random(1)), names=(family, "Zoë", "Łukasz"))
    assert DealRecord.parse(str(record)) == record


def test_card_sets_in_records_are_sets() -> None:
    assert isinstance(match_of().deals[0].deal.hands[0], CardSet)
    assert isinstance(match_of().deals[0].plays[0], Card)
