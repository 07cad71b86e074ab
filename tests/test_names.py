"""Names: visible, short, in one form, and no two alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davidgoliath import Refusal
from davidgoliath.server.names import LONGEST, alike, cleaned, told_apart


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Anna", "Anna"),
        ("  Anna \t Maria\n", "Anna Maria"),
        ("Zoe\u0308", "Zoë"),
        ("Łukasz", "Łukasz"),
        ("李雷", "李雷"),
        ("محمد", "محمد"),
        ("नीता", "नीता"),
        ("👩‍🚀", "👩‍🚀"),
        ("O'Neil & <b>", "O'Neil & <b>"),
        ("x" * 20, "x" * 20),
        ("bot", "bot"),
    ],
)
def test_names_as_people_have_them(name: str, form: str) -> None:
    assert cleaned(name) == form


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "name_unfit"),
        ("   ", "name_unfit"),
        ("\u0301", "name_unfit"),
        ("a\u0000b", "name_unfit"),
        ("a\u202eb", "name_unfit"),
        ("a\u2066b", "name_unfit"),
        ("a\u200bb", "name_unfit"),
        ("a\ue000", "name_unfit"),
        ("a" + "\u0316" * 3, "name_unfit"),
        ("\u200d", "name_unfit"),
        ("x" * 21, "name_too_long"),
        ("bot:club", "name_reserved"),
        ("BOT:x", "name_reserved"),
        ("ｂｏｔ：x", "name_reserved"),
    ],
)
def test_names_that_are_refused(name: str, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        cleaned(name)
    assert caught.value.reason == reason


@given(st.text(max_size=40))
def test_a_clean_name_stays_clean_and_shows_no_tricks(name: str) -> None:
    try:
        form = cleaned(name)
    except Refusal:
        return
    assert cleaned(form) == form
    assert form == unicodedata.normalize("NFC", form)
    assert 0 < len(form) <= LONGEST * 3
    assert not set(form) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\n\r\t\x00")


def test_a_second_anna_gets_a_number() -> None:
    assert told_apart("Anna", []) == "Anna"
    assert told_apart("Anna", ["Ben"]) == "Anna"
    assert told_apart("Anna", ["ANNA"]) == "Anna 2"
    assert told_apart("Anna", ["Anna", "anna 2", "Anna 3"]) == "Anna 4"
    assert alike("Ａnna") == alike("ANNA")
