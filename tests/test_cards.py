import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davidgoliath import Card, CardSet, Colour, NotationError, deck
from davidgoliath.rules.cards import CARDS
from tests.games import cards
from tests.refusals import refuses

card_sets = st.sets(st.sampled_from(CARDS))


def test_each_card_exists_once() -> None:
    assert len(CARDS) == 90
    for card in CARDS:
        assert Card(card.colour, card.value) is card
        assert Card.parse(str(card)) is card
        assert Card.parse(str(card).lower()) is card
        assert eval(repr(card)) is card  # noqa: S307
        assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301
        assert copy.deepcopy(card) is card
        assert CARDS[card.index] is card


def test_cards_sort_by_colour_then_value() -> None:
    assert sorted(cards("V1 R2 B9 R1 G3")) == cards("R1 R2 G3 B9 V1")
    assert Card.parse("R18") < Card.parse("Y1") <= Card.parse("Y1")
    assert not Card.parse("Y1") < Card.parse("Y1")


def test_cards_never_change() -> None:
    with pytest.raises(AttributeError):
        Card.parse("R9").value = 1
    with pytest.raises(AttributeError):
        CardSet().mask = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    "text", ["", "R", "9", "R0", "R19", "R09", "R-1", "X3", "R9 ", " R9", "RR", "R1.0", "R９", "R1R1"]
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        Card.parse(text)
    assert refused.value.arguments == {"text": text, "column": 1}


@pytest.mark.parametrize("value", [0, 19, -1])
def test_values_out_of_range(value: int) -> None:
    with refuses("no_such_card"):
        Card(Colour.RED, value)


@pytest.mark.parametrize(("text", "colour"), [("R", Colour.RED), ("y", Colour.YELLOW), ("V", Colour.VIOLET)])
def test_colours_parse(text: str, colour: Colour) -> None:
    assert Colour.parse(text) is colour
    assert str(colour) == text.upper()


def test_what_is_no_colour() -> None:
    with pytest.raises(NotationError) as refused:
        Colour.parse("red")
    assert refused.value.arguments == {"text": "red", "column": 1}


@given(card_sets, card_sets)
def test_card_sets_behave_like_sets(left: set[Card], right: set[Card]) -> None:
    a, b = CardSet.of(left), CardSet.of(right)
    assert list(a) == sorted(left)
    assert len(a) == len(left)
    assert bool(a) == bool(left)
    assert set(a | b) == left | right
    assert set(a & b) == left & right
    assert set(a - b) == left - right
    assert (a <= b) == (left <= right)
    assert (a == b) == (left == right)
    assert a == CardSet(a.mask)
    assert a != left
    assert len({a, CardSet.of(left)}) == 1
    for card in CARDS:
        assert (card in a) == (card in left)
        assert set(a.without(card)) == left - {card}
    for colour in Colour:
        assert set(a.of_colour(colour)) == {card for card in left if card.colour is colour}


@given(card_sets)
def test_card_sets_round_trip(chosen: set[Card]) -> None:
    card_set = CardSet.of(chosen)
    assert CardSet.parse(str(card_set)) == card_set
    assert eval(repr(card_set)) == card_set  # noqa: S307
    assert pickle.loads(pickle.dumps(card_set)) == card_set  # noqa: S301


@pytest.mark.parametrize(
    ("text", "same"),
    [("R1,9,11 Y5 V3,12", "R1,9,11 Y5 V3,12"), (" v3  r9,1 R2", "R1,2,9 V3"), ("-", "-"), (" - ", "-")],
)
def test_card_sets_parse(text: str, same: str) -> None:
    assert str(CardSet.parse(text)) == same


@pytest.mark.parametrize(
    ("text", "reason", "column"),
    [
        ("", "no_cards", 1),
        ("  ", "no_cards", 1),
        ("R1 R", "no_such_card", 4),
        ("R1,,2", "no_such_card", 4),
        ("R1,2, V3", "no_such_card", 6),
        ("R1,12,1 V3", "card_twice", 7),
        ("R1,12 Y2 R12", "card_twice", 10),
        ("R1 -", "no_such_card", 4),
        ("R1,19", "no_such_card", 4),
        ("R1;2", "no_such_card", 1),
    ],
)
def test_card_set_errors_name_the_column(text: str, reason: str, column: int) -> None:
    with pytest.raises(NotationError) as refused:
        CardSet.parse(text)
    assert (refused.value.reason, refused.value.column) == (reason, column)


@pytest.mark.parametrize("players", [2, 7, 0, -3])
def test_deck_is_for_three_to_six(players: int) -> None:
    with refuses("players_range"):
        deck(players)
