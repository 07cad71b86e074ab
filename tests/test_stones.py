"""People's stones: everyone at a table has another one, whoever chose what."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from davidgoliath.art import Form, Rim
from davidgoliath.art.palette import BOTS
from davidgoliath.rules import Colour
from davidgoliath.rules.cards import MOST_PLAYERS
from davidgoliath.server.people.stones import ALL, Stone, chosen_stone, stones
from davidgoliath.terminal.company import STONES

PEOPLE = [f"p{number}" for number in range(MOST_PLAYERS)]
choices = st.dictionaries(st.sampled_from(PEOPLE), st.sampled_from([None, "round plaid", *map(str, ALL)]))


def test_there_are_as_many_forms_and_rims_as_players() -> None:
    assert len(Form) >= MOST_PLAYERS
    assert len(Rim) >= MOST_PLAYERS
    assert [*ALL] == [Stone(form, rim) for form, rim in product(Form, Rim)]
    assert not {*map(str, Form), *map(str, Rim)} & {colour.name.lower() for colour in Colour}


@given(st.permutations(PEOPLE), choices)
def test_everyone_at_a_table_has_another_stone(people: list[str], chosen: dict[str, str | None]) -> None:
    given = stones(people, chosen)
    assert list(given) == people
    assert len({*given.values()}) == MOST_PLAYERS
    for person in people:
        wish = chosen_stone(chosen.get(person))
        if wish:
            assert given[person].form == wish.form
            earlier = people[: people.index(person)]
            assert given[person] == wish or any(given[other] == wish for other in earlier)


@given(st.permutations(PEOPLE))
def test_those_who_chose_none_differ_in_form_and_in_rim(people: list[str]) -> None:
    given = stones(people, {})
    assert len({stone.form for stone in given.values()}) == MOST_PLAYERS
    assert len({stone.rim for stone in given.values()}) == MOST_PLAYERS


def test_who_is_alone_has_the_same_stone_at_every_table() -> None:
    assert stones(["p1"], {}) == stones(["p1"], {"p1": None, "p2": "flat cyan"})
    assert len({str(stones([f"x{number}"], {})[f"x{number}"]) for number in range(500)}) == len(ALL)


def test_there_may_be_more_people_than_stones() -> None:
    crowd = [f"x{number}" for number in range(2 * len(ALL))]
    assert len({*stones(crowd, {}).values()}) == len(ALL)


def test_bots_are_made_of_what_they_are_called_after() -> None:
    assert tuple(BOTS) == tuple(name.lower() for name in STONES)
