from typing import Any

import pytest
from hypothesis import given

from davidgoliath import NotationError, RuleSet
from davidgoliath.rules import PRESETS
from tests.games import rule_sets
from tests.refusals import refuses


def test_presets() -> None:
    assert RuleSet.of() == RuleSet() == PRESETS["classic"]
    assert RuleSet.of("single") == RuleSet(deals=1)
    assert RuleSet.of("manual") == RuleSet(deals=1, lowest_card_to="david")


@given(rule_sets())
def test_round_trip(rules: RuleSet) -> None:
    assert RuleSet.parse(str(rules)) == rules
    assert eval(repr(rules)) == rules  # noqa: S307
    preset, options = rules.preset_and_options()
    assert RuleSet.of(preset, **options) == rules


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("classic", "classic"),
        ("classic deals=1", "single"),
        ("classic deals=1 lowest_card_to=david", "manual"),
        ("manual  deals=players", "classic lowest_card_to=david"),
        ("classic target_score=none", "classic"),
        ("classic deals=2 all_equal=sweep", "classic deals=2 all_equal=sweep"),
        ("single target_score=200", "single target_score=200"),
    ],
)
def test_the_nearest_preset_names_the_rules(text: str, same: str) -> None:
    assert str(RuleSet.parse(text)) == same


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_such_preset"),
        ("Classic", "no_such_preset"),
        ("classic speed=9", "no_such_option"),
        ("classic deals", "option_value"),
        ("classic deals=", "option_value"),
        ("classic deals=0", "option_value"),
        ("classic deals=21", "option_value"),
        ("classic deals=none", "option_value"),
        ("classic deals=２", "option_value"),
        ("classic deals=99999999999999999999", "option_value"),
        ("classic target_score=0", "option_value"),
        ("classic target_score=10000", "option_value"),
        ("classic all_equal=both", "option_value"),
        ("classic lowest_card_to=1", "option_value"),
        ("classic deals=2 deals=2", "option_twice"),
    ],
)
def test_what_is_no_rule_set(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        RuleSet.parse(text)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    "options",
    [
        {"deals": True},
        {"deals": 2.0},
        {"deals": "2"},
        {"deals": None},
        {"deals": []},
        {"target_score": False},
        {"all_equal": 0},
    ],
)
def test_options_have_one_type(options: dict[str, Any]) -> None:
    with refuses("option_value"):
        RuleSet(**options)


@pytest.mark.parametrize("value", [1, 20, "players"])
def test_limits_of_deals(value: Any) -> None:
    assert RuleSet(deals=value).deals_for(5) == (5 if value == "players" else value)


@pytest.mark.parametrize("value", [1, 9999, None])
def test_limits_of_the_target_score(value: int | None) -> None:
    assert RuleSet(target_score=value).target_score == value
