"""Why a card is better than another: counted fairly, on what a seat may know, and said in every language."""

from random import Random

import pytest

from davidgoliath import Card, Deal, DealState
from davidgoliath.rules import View
from davidgoliath.study.reasons import reasons
from davidgoliath.study.values import Reason
from davidgoliath.study.wording import sentence, worded
from davidgoliath.texts import LANGUAGES, Texts
from tests.games import swapped

NAMES = ("Ann", "Slate", "Ben", "Flint", "Cleo", "Dan")


def at_random(players: int, plays: int, seed: int) -> DealState:
    """A position after so many cards."""
    rng = Random(seed)
    state = DealState.start(Deal.shuffled(players, rng, dealer=rng.randrange(players)))
    for _ in range(plays):
        state = state.play(rng.choice(list(state.legal_cards)))
    return state


def with_choice(players: int, plays: int, seed: int) -> DealState:
    state = at_random(players, plays, seed)
    while len(view_of(state).legal_cards) < 2:
        seed += 1000
        state = at_random(players, plays, seed)
    return state


def view_of(state: DealState) -> View:
    assert state.to_play is not None
    return state.view(state.to_play)


def two_of(view: View) -> tuple[Card, Card]:
    first, *_, last = view.legal_cards
    return first, last


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_what_a_seat_cant_know_changes_no_reason(players: int) -> None:
    state = with_choice(players, 8 * players + 1, seed=players)
    own = state.to_play
    assert own is not None
    other = swapped(state, own, Random(players))
    assert other is not None
    assert other.hands != state.hands
    played, best = two_of(state.view(own))
    found = reasons(state.view(own), played, best, samples=4)
    assert repr(found) == repr(reasons(other.view(own), played, best, samples=4))


@pytest.fixture(scope="module")
def some() -> list[tuple[Card, Card, Reason]]:
    """Reasons of real positions, with the card that was played and the best one."""
    found = []
    for seed in range(8):
        view = view_of(with_choice(4, 7 + 5 * seed, seed))
        one, other = two_of(view)
        for played, best in ((one, other), (other, one)):
            found += [(played, best, reason) for reason in reasons(view, played, best, samples=4)]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_can_be_said(language: str, some: list[tuple[Card, Card, Reason]]) -> None:
    texts = Texts(language)
    said = [sentence(reason, played, best) for played, best, reason in some]
    assert len({key for key, _ in said}) > 5
    for text in (worded(one, texts, NAMES) for one in said):
        assert "{" not in text
        assert text.endswith(".")
        assert text[0].isupper()
