import datetime
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from davidgoliath import DealRecord, MatchRecord, NotationError, RuleSet
from davidgoliath.notation import read_text
from davidgoliath.notation.dgn import read_dgn
from tests.games import match_records, records
from tests.refusals import refuses

SAMPLE = (Path(__file__).parent / "sample.dgn").read_text(encoding="utf-8")


def changed(*changes: tuple[str, str]) -> str:
    text = SAMPLE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@given(records())
def test_deals_round_trip(record: DealRecord) -> None:
    assert DealRecord.parse(str(record)) == record
    assert str(DealRecord.parse(str(record))) == str(record)


@given(match_records())
def test_matches_round_trip(match: MatchRecord) -> None:
    assert MatchRecord.parse(str(match)) == match


def test_the_sample_is_written_as_it_is_read() -> None:
    record = DealRecord.parse(SAMPLE)
    assert str(record) == SAMPLE
    assert record.names == ("Ann", "bot:expert", "Ben")
    assert record.state.scores == (21, 25, 24)
    assert (record.state.results[10].goliath, record.state.results[10].david) == (2, 1)


def test_every_tag() -> None:
    tags = '[Match "m1"]\n[Date "2026-11-15"]\n[Totals "12, 0 7"]\n[Shuffle "by \\"hand\\" \\\\"]\n'
    record = DealRecord.parse(changed(('[Seat0 "Ann"]\n', tags + '[Seat0 "Ann"]\n'), ('Deal "1"', 'Deal "2"')))
    assert record.match == "m1"
    assert record.date == datetime.date(2026, 11, 15)
    assert record.totals == (12, 0, 7)
    assert record.state.standing.totals == (12, 0, 7)
    assert record.state.standing.deal == 2
    assert record.shuffle == 'by "hand" \\'
    assert DealRecord.parse(str(record)) == record


def test_hints_are_a_tag_where_there_were_some() -> None:
    record = DealRecord.parse(changed(('[Seat0 "Ann"]', '[Hints "2:3 0:4,1,4"]\n[Seat0 "Ann"]')))
    assert record.hints == ((1, 4), (), (3,))
    assert str(record) == changed(('"Ben"]\n', '"Ben"]\n[Hints "0:1,4 2:3"]\n'))
    assert str(replace(record, hints=((), (), ()))) == SAMPLE


@pytest.mark.parametrize(
    "text",
    [
        changed(("Y5+  Y1-  Y2", "Y5 Y1 Y2")),
        changed(("Y5+  Y1-  Y2", "Y5+ Y1 Y2")),
        changed(("Y5+  Y1-  Y2", "y5+ y1- y2 ; a comment")),
        changed(('[Rules "classic"]', '[Rules "classic"] ; the usual')),
        "; about this\n\n" + SAMPLE.replace("\n", "\r\n"),
        "\ufeff" + SAMPLE,
        SAMPLE[: SAMPLE.index("\n\n0  R5 Y1")],
        changed((" = 21", ""), (" = 25", ""), (" = 24", "")),
        changed(("0  R1,2,3,6,7,9 Y5,7,8", "\t0 Y5,7,8  R9,1,2,3,6,7")),
    ],
)
def test_the_same_deal_in_other_words(text: str) -> None:
    assert DealRecord.parse(text) == DealRecord.parse(SAMPLE)


@pytest.mark.parametrize("lines", [12, 13, 14, 20, 28])
def test_unfinished_deals(lines: int) -> None:
    text = "\n".join(SAMPLE.split("\n")[:lines])
    record = DealRecord.parse(text)
    assert len(record.plays) == 3 * max(0, lines - 13)
    assert record.state.is_over == (lines == 28)
    assert DealRecord.parse(str(record)) == record


def test_an_unfinished_trick() -> None:
    record = DealRecord.parse(SAMPLE[: SAMPLE.index("R5+  R4")].rstrip().removesuffix("-"))
    assert str(record).endswith("\n 1. 0: Y5+  Y1-  Y2\n 2. 0: R1\n")
    assert record.state.to_play == 1


def test_piles_of_an_unfinished_deal_are_checked_too() -> None:
    head = SAMPLE[: SAMPLE.index(" 2. 0:")]
    assert DealRecord.parse(head + "\n0  Y1,2 = 3\n1  Y5 = 5\n2  -\n").state.scores == (3, 5, 0)
    with refuses("result_disagrees", NotationError):
        DealRecord.parse(head + "\n0  Y1,2 = 4\n")


def test_sweep_has_a_mark_of_its_own() -> None:
    swept = changed(('[Rules "classic"]', '[Rules "classic all_equal=sweep"]'), ("V8-  B8+", "V8   B8±"))
    record = DealRecord.parse(swept[: swept.index("12. 2:")])
    assert record.rules == RuleSet(all_equal="sweep")
    assert "11. 0: G8   V8   B8±\n" in str(record)
    assert DealRecord.parse(str(record)) == record


@pytest.mark.parametrize(
    ("change", "reason", "line", "column"),
    [
        (("[Format", "{Format"), "json_syntax", 1, 2),
        (('[Format "DGN 1"]', '[Format "DGN 2"]'), "no_such_format", 1, 10),
        (('[Format "DGN 1"]', "[Format DGN 1]"), "tag_syntax", 1, 1),
        (('[Format "DGN 1"]\n', ""), "tag_missing", 1, 1),
        (('[Rules "classic"]', '[Rules "chess"]'), "no_such_preset", 2, 9),
        (('[Rules "classic"]', '[Rules "classic deals=99"]'), "option_value", 2, 9),
        (('[Players "3"]', '[Players "2"]'), "players_range", 3, 11),
        (('[Players "3"]', '[Players "three"]'), "not_a_number", 3, 11),
        (('[Players "3"]', '[Players "3"]\n[Players "3"]'), "tag_twice", 4, 2),
        (('[Players "3"]\n', ""), "tag_missing", 1, 1),
        (('[Dealer "2"]\n', ""), "tag_missing", 1, 1),
        (('[Dealer "2"]', '[Dealer "3"]'), "no_such_seat", 5, 1),
        (('[Dealer "2"]', '[Giver "2"]'), "no_such_tag", 5, 2),
        (('[Deal "1"]', '[Deal "4"]'), "match_is_over", 4, 1),
        (('[Deal "1"]', '[Deal "0"]'), "number_range", 4, 1),
        (('[Deal "1"]', '[Date "15.11.2026"]'), "not_a_date", 4, 8),
        (('[Deal "1"]', '[Date "20261115"]'), "not_a_date", 4, 8),
        (('[Deal "1"]', '[Totals "1 2"]'), "one_per_seat", 4, 1),
        (('[Deal "1"]', '[Totals "1 2 123456"]'), "number_range", 4, 1),
        (('[Deal "1"]', '[Match " "]'), "text_unfit", 4, 1),
        (('[Deal "1"]', '[Shuffle ""]'), "text_unfit", 4, 1),
        (('[Deal "1"]', '[Hints ""]'), "not_hints", 4, 9),
        (('[Deal "1"]', '[Hints "1,4"]'), "not_hints", 4, 9),
        (('[Deal "1"]', '[Hints "0:1, 4"]'), "not_hints", 4, 9),
        (('[Deal "1"]', '[Hints "0:1 0:2"]'), "seat_twice", 4, 9),
        (('[Deal "1"]', '[Hints "0:16"]'), "number_range", 4, 1),
        (('[Deal "1"]', '[Hints "2:0"]'), "number_range", 4, 1),
        (('[Deal "1"]', '[Hints "3:1"]'), "no_such_seat", 4, 1),
        (('"Ben"]', '"Ben\u202e"]'), "text_unfit", 8, 1),
        (('"Ben"]', '"' + "n" * 101 + '"]'), "text_unfit", 8, 1),
        (('[Seat1 "bot:expert"]\n', ""), "tag_missing", 1, 1),
        (('[Seat1 "bot:expert"]', '[Seat1 "bot:expert"]\n[Seat3 "Cleo"]'), "no_such_seat", 8, 1),
        (("0  R1,2,3", "0  R1,2,2"), "card_twice", 10, 9),
        (("0  R1,2,3", "0  R1,2,"), "no_such_card", 10, 9),
        (("0  R1,2,3", "0  R1,2"), "hand_size", 10, 1),
        (("0  R1,2,3", "0  R1,2,4"), "card_twice", 12, 1),
        (("0  R1,2,3", "0  R1,2,10"), "not_in_deck", 10, 1),
        (("0  R1,2,3", "0  R1,2,3,4"), "hand_size", 10, 1),
        (("1  R5", "0  R5"), "seat_twice", 11, 1),
        (("1  R5", "3  R5"), "no_such_seat", 11, 1),
        (("V5\n1  R5", "V5 = 9\n1  R5"), "line_syntax", 10, 38),
        (("2  R4,8 Y2,4,6,9 G1,6 B1,3,6,7,8,9 V4\n", ""), "hand_missing", 13, 1),
        ((" 1. 0:", " 2. 0:"), "trick_number", 14, 2),
        ((" 1. 0:", " 1. 1:"), "trick_leader", 14, 5),
        ((" 1. 0:", "one. 0:"), "line_syntax", 14, 1),
        (("Y5+  Y1-  Y2", "Y5+  Y1-"), "no_mark_here", 14, 10),
        (("Y5+  Y1-  Y2", "Y5 Y1"), "trick_length", 15, 2),
        (("Y5+  Y1-  Y2", "Y5+  Y1-  Y2 R1"), "trick_length", 14, 21),
        (("Y5+  Y1-  Y2", ""), "line_syntax", 14, 2),
        (("Y5+", "Y5-"), "mark_disagrees", 14, 10),
        (("Y2\n", "Y2-\n"), "no_mark_here", 14, 20),
        (("Y5+", "Y+"), "no_such_card", 14, 8),
        (("Y1-", "V1-"), "illegal_play", 14, 13),
        (("Y1-", "Y3 ; Y1-"), "no_mark_here", 14, 10),
        (("15. 2: Y6   R9+  B4-", "15. 2: Y6   R9+  B4-\n16. 0: R1"), "deal_is_over", 29, 8),
        ((" = 21", " = 22"), "result_disagrees", 30, 4),
        ((" = 21", " = x"), "result_disagrees", 30, 4),
        (("0  R5 Y1", "0  Y1"), "result_disagrees", 30, 4),
        (("1  R1,3,4,8,9 Y5", "0  R1,3,4,8,9 Y5"), "seat_twice", 31, 1),
        (("1  R1,3,4,8,9 Y5", "16. 0: R1\n1  R1,3,4,8,9 Y5"), "line_syntax", 31, 1),
    ],
)
def test_errors_name_line_and_column(change: tuple[str, str], reason: str, line: int, column: int) -> None:
    with pytest.raises(NotationError) as refused:
        DealRecord.parse(changed(change))
    error = refused.value
    assert (error.reason, error.line, error.column) == (reason, line, column)


def test_a_revoke_says_which_play_why_and_what_was_legal() -> None:
    with pytest.raises(NotationError) as refused:
        DealRecord.parse(changed(("Y1-", "V1-")))
    arguments = refused.value.arguments
    assert (arguments["trick"], arguments["seat"], arguments["play"]) == (1, 1, 1)
    assert arguments["why"].reason == "must_follow"
    assert str(arguments["why"].legal) == "Y1,3"


def test_an_error_takes_its_deals_place_and_the_others_go_on() -> None:
    good, bad = SAMPLE, changed(("Y1-", "V1-"))
    entries = list(read_text("\n".join([good, bad, good])))
    assert [line for line, _ in entries] == [1, 34, 67]
    kinds = [type(record) for _, record in entries]
    assert kinds == [DealRecord, NotationError, DealRecord]
    assert isinstance(entries[1][1], NotationError)
    assert entries[1][1].line == 33 + 14


def test_no_lines_are_no_deals() -> None:
    assert list(read_dgn([])) == []


def test_one_deal_where_one_is_expected() -> None:
    with pytest.raises(NotationError) as refused:
        DealRecord.parse(SAMPLE + "\n" + SAMPLE)
    assert (refused.value.reason, refused.value.line) == ("one_deal", 34)
