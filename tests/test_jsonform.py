import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from davidgoliath import DealRecord, NotationError, RuleSet
from davidgoliath.notation import from_json, results, to_json
from tests.games import records
from tests.refusals import refuses

SAMPLE = DealRecord.parse((Path(__file__).parent / "sample.dgn").read_text(encoding="utf-8"))


@given(records())
def test_round_trip(record: DealRecord) -> None:
    assert from_json(to_json(record)) == record
    assert DealRecord.parse(json.dumps(to_json(record))) == record
    assert DealRecord.parse(json.dumps(to_json(record), indent=2)) == record
    assert from_json(to_json(record) | results(record)) == record


def test_the_form_of_the_sample() -> None:
    value = to_json(SAMPLE)
    assert list(value) == ["format", "rules", "players", "deal", "dealer", "names", "hands", "plays"]
    assert value["format"] == "davidgoliath/1"
    assert value["rules"] == {"preset": "classic"}
    assert (value["players"], value["deal"], value["dealer"]) == (3, 1, 2)
    assert value["hands"][0] == [
        "R1",
        "R2",
        "R3",
        "R6",
        "R7",
        "R9",
        "Y5",
        "Y7",
        "Y8",
        "G2",
        "G5",
        "G7",
        "G8",
        "G9",
        "V5",
    ]
    assert value["plays"][:4] == ["Y5", "Y1", "Y2", "R1"]


def test_results_of_the_sample() -> None:
    value = results(SAMPLE)
    assert value["tricks"][3] == {
        "leader": 0,
        "goliath": 2,
        "david": 1,
        "prize": "R8",
        "spoils": ["R7", "V6"],
        "captured": [[], ["R8"], ["R7", "V6"]],
    }
    assert value["piles"][2] == ["R2", "R6", "R7", "G2", "G8", "B5", "V1", "V2", "V6", "V7", "V8", "V9"]
    assert value["scores"] == [21, 25, 24]
    assert value["complete"] is True


def test_captured_cards_are_in_the_order_of_play() -> None:
    cards = to_json(SAMPLE)
    manual = from_json({**cards, "rules": {"preset": "manual"}, "plays": cards["plays"][:3]})
    assert results(manual)["tricks"][0]["captured"] == [["Y2"], ["Y5", "Y1"], []]
    assert results(manual)["tricks"][0]["spoils"] == ["Y2"]
    assert results(manual)["complete"] is False


def test_rules_are_a_preset_and_options_over_it() -> None:
    def read(rules: Any) -> RuleSet:
        return from_json({**to_json(SAMPLE), "plays": [], "rules": rules}).rules

    assert read({"preset": "classic", "deals": 2, "all_equal": "sweep"}) == RuleSet(deals=2, all_equal="sweep")
    assert read({"preset": "classic", "target_score": None}) == RuleSet()
    assert read({"deals": 5}) == RuleSet(deals=5)
    assert read({}) == RuleSet()


def without(*keys: str) -> dict[str, Any]:
    return {key: value for key, value in to_json(SAMPLE).items() if key not in keys}


def test_what_may_be_missing() -> None:
    record = from_json(without("deal", "names"))
    assert (record.number, record.names, record.match, record.date) == (None, None, None, None)
    assert from_json({**without(), "hints": [[], [], []]}) == SAMPLE


def test_hints_are_the_tricks_of_each_seat() -> None:
    record = from_json({**without(), "hints": [[4, 1], [], [3]]})
    assert record.hints == ((1, 4), (), (3,))
    assert to_json(record) == {**without(), "hints": [[1, 4], [], [3]]}


@pytest.mark.parametrize("key", ["format", "rules", "players", "dealer", "hands", "plays"])
def test_what_may_not_be_missing(key: str) -> None:
    with pytest.raises(NotationError) as refused:
        from_json(without(key))
    assert (refused.value.reason, refused.value.arguments["key"], refused.value.path) == ("key_missing", key, "")


HANDS: list[Any] = to_json(SAMPLE)["hands"]


@pytest.mark.parametrize(
    ("change", "reason", "path"),
    [
        ({"format": "davidgoliath/2"}, "no_such_format", "format"),
        ({"format": 1}, "no_such_format", "format"),
        ({"players": "3"}, "not_a_number", "players"),
        ({"players": True}, "not_a_number", "players"),
        ({"players": 3.0}, "not_a_number", "players"),
        ({"players": 4}, "one_per_seat", "hands"),
        ({"players": 2}, "players_range", "players"),
        ({"players": 7, "hands": []}, "players_range", "players"),
        ({"dealer": 3}, "no_such_seat", "dealer"),
        ({"dealer": -1}, "no_such_seat", "dealer"),
        ({"dealer": None}, "not_a_number", "dealer"),
        ({"deal": 0}, "number_range", "deal"),
        ({"deal": 21}, "number_range", "deal"),
        ({"deal": 4}, "match_is_over", "deal"),
        ({"rules": "classic"}, "not_an_object", "rules"),
        ({"rules": {"preset": "chess"}}, "no_such_preset", "rules.preset"),
        ({"rules": {"preset": 1}}, "not_a_text", "rules.preset"),
        ({"rules": {"preset": "classic", "speed": 1}}, "no_such_option", "rules.speed"),
        ({"rules": {"preset": "classic", "deals": "2"}}, "option_value", "rules.deals"),
        ({"rules": {"preset": "classic", "deals": [2]}}, "option_value", "rules.deals"),
        ({"names": ["Ann", "Ben"]}, "one_per_seat", "names"),
        ({"names": ["Ann", "Ben", ""]}, "text_unfit", "names[2]"),
        ({"names": ["Ann", "Ben", "\ud800"]}, "text_unfit", "names[2]"),
        ({"names": ["Ann", "Ben", "a\nb"]}, "text_unfit", "names[2]"),
        ({"names": ["Ann", "Ben", 3]}, "not_a_text", "names[2]"),
        ({"names": "Ann"}, "not_a_list", "names"),
        ({"match": 7}, "not_a_text", "match"),
        ({"match": ""}, "text_unfit", "match"),
        ({"date": "yesterday"}, "not_a_date", "date"),
        ({"date": 20261115}, "not_a_text", "date"),
        ({"totals": [1, 2]}, "one_per_seat", "totals"),
        ({"totals": [1, 2, -3]}, "number_range", "totals[2]"),
        ({"totals": [1, 2, "3"]}, "not_a_number", "totals[2]"),
        ({"shuffle": []}, "not_a_text", "shuffle"),
        ({"hints": {}}, "not_a_list", "hints"),
        ({"hints": [[1], []]}, "one_per_seat", "hints"),
        ({"hints": [[1], 2, []]}, "not_a_list", "hints[1]"),
        ({"hints": [[1], [], ["2"]]}, "not_a_number", "hints[2][0]"),
        ({"hints": [[1], [], [True]]}, "not_a_number", "hints[2][0]"),
        ({"hints": [[1], [], [16]]}, "number_range", "hints[2]"),
        ({"hands": HANDS[:2]}, "one_per_seat", "hands"),
        ({"hands": "R1"}, "not_a_list", "hands"),
        ({"hands": [*HANDS[:2], "R1"]}, "not_a_list", "hands[2]"),
        ({"hands": [*HANDS[:2], ["R"]]}, "no_such_card", "hands[2][0]"),
        ({"hands": [*HANDS[:2], [9]]}, "not_a_text", "hands[2][0]"),
        ({"hands": [*HANDS[:2], [*HANDS[2], "R1"]]}, "card_twice", "hands[2]"),
        ({"hands": [*HANDS[:2], [*HANDS[2][:-1], HANDS[2][0]]]}, "card_twice", "hands[2][14]"),
        ({"hands": [*HANDS[:2], [*HANDS[2][:-1], "R10"]]}, "not_in_deck", "hands[2]"),
        ({"hands": [[*HANDS[0], "V4"], *HANDS[1:]]}, "hand_size", "hands[0]"),
        ({"plays": {}}, "not_a_list", "plays"),
        ({"plays": ["Y5", 1]}, "not_a_text", "plays[1]"),
        ({"plays": ["Y5", "Y"]}, "no_such_card", "plays[1]"),
        ({"plays": ["Y5", "V1"]}, "illegal_play", "plays[1]"),
        ({"plays": ["Y1"]}, "illegal_play", "plays[0]"),
        ({"plays": ["R10"]}, "illegal_play", "plays[0]"),
        ({"plays": [*to_json(SAMPLE)["plays"], "R1"]}, "deal_is_over", "plays[45]"),
        ({"piles": []}, "result_disagrees", "piles"),
        ({"scores": [21, 25, 25]}, "result_disagrees", "scores"),
        ({"complete": False}, "result_disagrees", "complete"),
        ({"tricks": []}, "result_disagrees", "tricks"),
        ({"colour": "red"}, "no_such_key", ""),
    ],
)
def test_errors_name_the_path(change: dict[str, Any], reason: str, path: str) -> None:
    with pytest.raises(NotationError) as refused:
        from_json({**to_json(SAMPLE), **change})
    assert (refused.value.reason, refused.value.path) == (reason, path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "json_syntax"),
        ('{"format": }', "json_syntax"),
        ('{"deal": ' + "9" * 5000 + "}", "json_syntax"),
        ('{"deal": NaN}', "not_a_number"),
        ('{"deal": 1, "deal": 2}', "key_twice"),
        ('{"hands": ' + "[" * 200_000 + "]" * 200_000 + "}", "json_depth"),
        ("{}", "key_missing"),
        ("[1]", "not_a_record"),
        ("7", "not_a_record"),
    ],
)
def test_what_is_no_json_record(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        DealRecord.parse(text)
    assert refused.value.reason == reason
    assert refused.value.line == 1


def test_what_is_no_object() -> None:
    with refuses("not_an_object", NotationError):
        from_json([])
