"""Whatever comes in, only records and `NotationError` come out."""

import io
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from davidgoliath import DealRecord, Match, MatchRecord, NotationError, load, make_bot, play_out
from davidgoliath.notation import decoded, matches, read_stream, read_text, results, to_json
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.texts import LANGUAGES, Texts
from tests.games import match_records, records

DGN = (Path(__file__).parent / "sample.dgn").read_text(encoding="utf-8")
RECORD = DealRecord.parse(DGN)
LINE = json.dumps(to_json(RECORD))

ALPHABET = st.sampled_from(list("RYGBV0123456789,+-±=[]{}\"':;. \n\r\\e\x00\ufeff\ud800é"))


def read_and_word(data: bytes) -> None:
    """Reads, and words every error in every language on one line."""
    entries = list(read_stream(io.BytesIO(data)))
    assert entries
    for line, record in entries:
        assert line >= 1
        if isinstance(record, NotationError):
            assert record.line
            for language in LANGUAGES:
                text = Texts(language).error(record)
                assert len(text.splitlines()) == 1
                assert len(text) < 600
                text.encode()
        else:
            assert DealRecord.parse(str(record)) == record
    list(matches(entries))


@given(st.binary(max_size=300))
@example(b"")
@example(b"\xff\xfe\x00")
@example(b"\xef\xbb\xbf")
def test_any_bytes(data: bytes) -> None:
    read_and_word(data)


@pytest.mark.parametrize("end", ["\r", "\r\n"])
@pytest.mark.parametrize("text", [f"{DGN}\n{DGN}", f"{LINE}\n{LINE}\n", json.dumps(to_json(RECORD), indent=1)])
def test_lines_end_in_whatever_they_like(text: str, end: str) -> None:
    ended = text.replace("\n", end)
    assert list(read_stream(io.BytesIO(ended.encode()))) == list(read_stream(io.BytesIO(text.encode())))
    assert list(read_text(ended)) == list(read_text(text))


@pytest.mark.parametrize("text", [DGN, LINE, f"; ours\n{DGN}"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_one_error_for_a_whole_file(text: str, encoding: str) -> None:
    ((line, error),) = read_stream(io.BytesIO(f"{text}\n{text}".encode(encoding)))
    assert isinstance(error, NotationError)
    assert (line, error.reason) == (1, NotationReason.TEXT_UTF_16)
    with pytest.raises(NotationError, match="UTF-16"):
        decoded(text.encode(encoding))


def test_what_is_no_text_is_one_error() -> None:
    ((line, error),) = read_stream(io.BytesIO(b"\x7fELF\x02\x00\n\xff\n" * 9))
    assert isinstance(error, NotationError)
    assert (line, error.reason) == (1, NotationReason.NO_TEXT)


def test_a_name_in_latin_1_is_refused_as_such_and_a_comment_is_not() -> None:
    foreign = DGN.replace("Ben", "Jürgen").encode("latin-1")
    number = next(n for n, line in enumerate(foreign.split(b"\n"), 1) if b"J\xfcrgen" in line)
    first, second = read_stream(io.BytesIO(foreign + b"\n; J\xfcrgen\n" + DGN.encode()))
    assert isinstance(first[1], NotationError)
    assert (first[1].reason, first[1].line) == (NotationReason.TEXT_NOT_UTF_8, number)
    assert second[1] == RECORD
    with pytest.raises(NotationError, match="Latin-1") as refused:
        decoded(foreign)
    assert refused.value.line == number
    assert decoded(b"\xef\xbb\xbf" + DGN.encode()) == DGN


@given(st.text(ALPHABET, max_size=80))
def test_any_text_in_our_alphabet(text: str) -> None:
    read_and_word(text.encode("utf-8", "surrogatepass"))


@given(st.sampled_from([DGN, LINE, json.dumps(to_json(RECORD) | results(RECORD), indent=1)]), st.data())
def test_damaged_records(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        text = text[:start] + data.draw(st.text(ALPHABET, max_size=6)) + text[end:]
    read_and_word(text.encode("utf-8", "surrogatepass"))


@given(st.lists(records(), min_size=1, max_size=3), st.booleans())
def test_streams_of_either_form(deals: list[DealRecord], as_json: bool) -> None:
    lines = [json.dumps(to_json(deal)) for deal in deals] if as_json else [str(deal) for deal in deals]
    read = [record for _, record in read_text("\n".join(lines))]
    assert read == deals


def test_a_stream_is_read_as_it_comes_in() -> None:
    entries = read_stream(line for line in [LINE.encode() + b"\n"] * 3)
    assert next(entries)[1] == RECORD


def test_a_bad_line_takes_its_place_and_the_others_go_on() -> None:
    entries = list(read_text(f"\n{LINE}\nrubbish\n\n{{broken\n{LINE}\n"))
    assert [line for line, _ in entries] == [2, 3, 5, 6]
    assert [isinstance(record, DealRecord) for _, record in entries] == [True, False, False, True]


def test_a_broken_first_line_takes_its_place_too() -> None:
    entries = list(read_text(f'{{"format": "davidgoliath/1",\n{LINE}\n'))
    assert [isinstance(record, DealRecord) for _, record in entries] == [False, True]


def test_a_deal_spread_over_lines() -> None:
    spread = json.dumps(to_json(RECORD), indent=2)
    assert [record for _, record in read_text(spread)] == [RECORD]
    ((line, error),) = read_text(spread.replace('"players": 3', '"players": "3"'))
    assert isinstance(error, NotationError)
    assert (line, error.path) == (1, "players")
    ((_, error),) = read_text(spread.replace('"players": 3', '"players": ,'))
    assert isinstance(error, NotationError)
    assert (error.reason, error.line) == ("json_syntax", 6)


@pytest.mark.parametrize("text", ["", "\n\n", " \t\r\n"])
def test_nothing_at_all(text: str) -> None:
    ((line, error),) = read_text(text)
    assert isinstance(error, NotationError)
    assert (line, error.reason, error.line) == (1, "no_deal", 1)


@given(match_records())
def test_matches_among_deals(match: MatchRecord) -> None:
    found = [record for _, record in matches(read_text(str(match) + "\n" + str(match)))]
    if match.deals[0].match is None:
        assert found == [match, match]


def test_deals_with_one_match_id_belong_together() -> None:
    first = DealRecord(RECORD.rules, RECORD.deal, RECORD.plays, match="m")
    other = DealRecord(RECORD.rules, RECORD.deal, RECORD.plays, match="n")
    ((_, together), (_, alone)) = matches([(1, first), (9, first), (20, other)])
    assert isinstance(together, NotationError)
    assert (together.reason, together.line) == ("match_dealer", 9)
    assert alone == MatchRecord((other,))


def test_unnumbered_deals_are_matches_of_their_own() -> None:
    deal = DealRecord(RECORD.rules, RECORD.deal)
    assert [record for _, record in matches([(1, deal), (5, deal)])] == [MatchRecord((deal,))] * 2


def test_errors_between_deals_end_a_match() -> None:
    error = NotationError(NotationReason.NO_DEAL, line=2)
    assert len(list(matches([(1, RECORD), (2, error), (3, RECORD)]))) == 2
    assert list(matches([(2, error)])) == []


def test_ten_megabytes_on_one_line() -> None:
    rng = Random(1)
    noise = "".join(rng.choices('R1,2 "[]{}', k=1000)) * 10_000
    for start in ("", '{"format": "', '[Seat0 "', '[Format "DGN 1"]\n0 ', "1. 0: ", "R" + "9" * 10_000_000):
        read_and_word((start + noise).encode())


def test_files_are_loaded_match_by_match(tmp_path: Path) -> None:
    *_, match = play_out(Match(3), [make_bot("random")] * 3, Random(1))
    file = tmp_path / "games.dgn"
    file.write_text(f"{match.record(match='m1')}\n{DGN}", encoding="utf-8")
    whole, alone = load(file)
    assert Match.replay(whole) == match
    assert alone == MatchRecord((RECORD,))
    file.with_suffix(".jsonl").write_text(LINE, encoding="utf-8")
    assert load(str(file.with_suffix(".jsonl"))) == [alone]


def test_files_that_are_not_sound_are_refused_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "games.dgn"
    file.write_text(f"{DGN}\n{DGN.replace('Y5+', 'Y9+')}", encoding="utf-8")
    with pytest.raises(NotationError, match=r"line \d+"):
        load(file)
    *_, match = play_out(Match(3), [make_bot("random")] * 3, Random(1))
    first, _, third = match.record(match="m1").deals
    file.write_text(f"{first}\n{third}", encoding="utf-8")
    with pytest.raises(NotationError, match="deals here; the deal passes to the left"):
        load(file)
    file.write_bytes(b"")
    with pytest.raises(NotationError, match="line 1: there is no deal here"):
        load(file)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing.dgn")
