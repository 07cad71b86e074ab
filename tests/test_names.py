"""Names: visible, short, in one form, and no two that look alike."""

import unicodedata
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davidgoliath import Refusal
from davidgoliath.notation.record import check_text
from davidgoliath.server.people.confusables import is_unseen, looks, runs, skeleton, tables
from davidgoliath.server.people.names import LONGEST, NOBODY, cleaned, named, shown

UNSEEN = sorted(tables().unseen)
LOOKALIKES = [chr(sign) for sign, shape in tables().shapes.items() if shape.isascii()]
SIGNS = st.sampled_from([*"aAbBlLiI1oO0m: ", *"\u200c\u200d\ufe0f\u094d\u0301", *"👩🚀بאסו2()", *LOOKALIKES])


def told_apart(name: str, taken: Sequence[str]) -> str:
    """What somebody is called who comes to those of these names."""
    known = dict(enumerate([*taken, name]))
    return named(map(str, known), {str(person): called for person, called in known.items()})[str(len(taken))]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Anna", "Anna"),
        ("  Anna \t Maria\n", "Anna Maria"),
        ("Zoe\u0308", "Zoë"),
        ("Łukasz", "Łukasz"),
        ("Анна", "Анна"),
        ("李雷", "李雷"),
        ("葛\U000e0100城", "葛\U000e0100城"),
        ("محمد", "محمد"),
        ("نوری‌زاده", "نوری‌زاده"),
        ("नीता", "नीता"),
        ("क्‍षमा", "क्‍षमा"),
        ("അവന്‍", "അവന്‍"),
        ("ᠠ᠋", "ᠠ᠋"),
        ("👩‍🚀", "👩‍🚀"),
        ("👩🏽‍🚀", "👩🏽‍🚀"),
        ("👩‍❤️‍👩", "👩‍❤️‍👩"),
        ("1️⃣", "1️⃣"),
        ("🇵🇱", "🇵🇱"),
        ("O'Neil & <b>", "O'Neil & <b>"),
        ("x" * 20, "x" * 20),
        ("bot", "bot"),
    ],
)
def test_names_as_people_have_them(name: str, form: str) -> None:
    assert cleaned(name) == form
    assert shown(form) == form


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
        ("An\u200dna", "name_unfit"),
        ("An\u200cna", "name_unfit"),
        ("Anna\u200d", "name_unfit"),
        ("👩\u200d", "name_unfit"),
        ("\u200d🚀", "name_unfit"),
        ("👩\u200d\u200d🚀", "name_unfit"),
        ("Anna\ufe0f", "name_unfit"),
        ("1\ufe0f", "name_unfit"),
        ("\ufe0f", "name_unfit"),
        ("Anna\U000e0100", "name_unfit"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "name_unfit"),
        ("ا\u200cب", "name_unfit"),
        ("\u2800", "name_unfit"),
        ("\u3164", "name_unfit"),
        ("\u115f\u1160", "name_unfit"),
        ("\uffa0", "name_unfit"),
        ("An\u00adna", "name_unfit"),
        ("Anna\u2800", "name_unfit"),
        ("x" * 21, "name_too_long"),
        ("bot:club", "name_reserved"),
        ("BOT:x", "name_reserved"),
        ("ｂｏｔ：x", "name_reserved"),
        ("b\u200dot:club", "name_unfit"),
        ("b\u043et:club", "name_reserved"),
        ("B0T\ua789club", "name_reserved"),
    ],
)
def test_names_that_are_refused(name: str, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        cleaned(name)
    assert caught.value.reason == reason


@given(st.text(max_size=40) | st.text(SIGNS, max_size=24))
def test_a_clean_name_stays_clean_and_shows_no_tricks(name: str) -> None:
    try:
        form = cleaned(name)
    except Refusal:
        return
    assert cleaned(form) == shown(form) == form
    assert form == unicodedata.normalize("NFC", form)
    assert 0 < len(form) <= LONGEST * 5
    check_text("names", form)  # it fits a record
    assert not set(form) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\n\r\t\x00")


@given(st.text("abبא👩🚀1\u094d", min_size=1, max_size=4), st.sampled_from(UNSEEN), st.integers(0, 4))
def test_a_sign_that_shows_nothing_makes_no_other_name(name: str, sign: str, place: int) -> None:
    """It is refused, or needed there; even then the two are told apart."""
    tricky = name[:place] + sign + name[place:]
    assert skeleton(tricky) == skeleton(name)
    if shown(name) != NOBODY:
        assert told_apart(tricky, [name]) not in (tricky, name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "\u0410nna"),
        ("Anna", "anna"),
        ("Anna", "\u0391\u039d\u039d\u0391"),
        ("Anna", "Ａnna"),
        ("Anna", "𝐀nna"),
        ("Bob", "B0b"),
        ("Al", "A1"),
        ("Al", "AI"),
        ("Tom", "Torn"),
        ("Zoë", "Zoe\u0308"),
        ("x(y", "x（y"),
        ("lo", "סו"),
        ("1דוד", "דוד1"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert told_apart(other, [one]) == f"{other} 2"
    assert told_apart(one, [other]) == f"{one} 2"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Anne"),
        ("Zoë", "Zoe"),
        ("Mia", "Mla"),
        ("ماهر", "رهام"),
        ("Ann", "Anna"),
        ("Lena", "Elan"),
        ("李", "季"),
    ],
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert told_apart(other, [one]) == other
    assert told_apart(one, [other]) == one


def test_a_second_anna_gets_a_number() -> None:
    assert told_apart("Anna", []) == "Anna"
    assert told_apart("Anna", ["Ben"]) == "Anna"
    assert told_apart("Anna", ["ANNA"]) == "Anna 2"
    assert told_apart("Anna", ["Anna", "anna 2", "Anna 3"]) == "Anna 4"


@given(st.lists(st.text(SIGNS, max_size=6), max_size=8))
def test_no_two_at_a_table_are_shown_alike(names: list[str]) -> None:
    """Whatever is stored, names that would be refused today among it."""
    called = named(map(str, range(len(names))), {str(number): name for number, name in enumerate(names)})
    for one, other in combinations(called.values(), 2):
        assert set(looks(one)).isdisjoint(looks(other))
        if runs(one) != runs(other):
            assert sorted(skeleton(one)) != sorted(skeleton(other))
    for name in called.values():
        assert any(unicodedata.category(sign)[0] in "LNPS" and not is_unseen(sign) for sign in name)
        assert not skeleton(name.casefold()).startswith("bot:")


def test_stored_names_of_earlier_builds_are_shown_and_told_apart() -> None:
    stored = {"p1": "Anna", "p2": "An\u200dna", "p3": "\u3164", "p4": "\u2800", "p5": "b\u200dot:club"}
    assert [*named(stored, stored).values()] == ["Anna", "Anna 2", "?", "? 2", "? 3"]


@given(st.text(SIGNS, max_size=8))
def test_a_skeleton_has_itself_as_its_skeleton(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)
