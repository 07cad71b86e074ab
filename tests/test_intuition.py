"""`adept` and `regular`: the policy network alone, the same with and without Numba and NumPy."""

from collections import Counter
from math import exp
from random import Random

import pytest

from davidgoliath import CardSet, Deal, DealState
from davidgoliath.bots import intuition, make_bot
from davidgoliath.bots.intuition import TEMPERATURE, RegularBot
from davidgoliath.kernel import plain, policy
from davidgoliath.kernel.shape import ONE, STEEP
from davidgoliath.rules import Card, View
from tests.games import play_at_random
from tests.processes import in_a_process

PLAYED = """
from random import Random
from davidgoliath import Deal, DealState
from davidgoliath.bots import make_bot
for players in (3, 4, 5, 6):
    rng = Random(players)
    bots = [make_bot("adept"), make_bot("regular")]
    state = DealState.start(Deal.shuffled(players, rng))
    while state.to_play is not None:
        card = bots[state.to_play % 2].choose(state.view(state.to_play), rng)
        print(card)
        state = state.play(card)
"""


def test_without_numba_and_numpy_the_same_cards_are_played() -> None:
    """As in a browser."""
    without = 'import sys\nsys.modules["numpy"] = sys.modules["numba"] = None\n' + PLAYED
    assert in_a_process(without) == in_a_process(PLAYED)


def test_adept_plays_what_appeals_most() -> None:
    rng, bot = Random(1), make_bot("adept")
    state = DealState.start(Deal.shuffled(4, rng))
    while state.to_play is not None:
        view = state.view(state.to_play)
        card = bot.choose(view, rng)
        assert card == plain.chosen(policy.appeals(view))
        state = state.play(card)


def test_regular_plays_cards_as_often_as_they_appeal(monkeypatch: pytest.MonkeyPatch) -> None:
    state, rng = DealState.start(Deal.shuffled(4, Random(3), dealer=3)), Random(1)
    view = state.view(0)
    appeals = policy.appeals(view)
    monkeypatch.setattr(intuition, "appeals", lambda _: appeals)
    shares = {card: exp(appeal / (ONE * STEEP * TEMPERATURE)) for card, appeal in appeals.items()}
    counts = Counter(make_bot("regular").choose(view, rng) for _ in range(4000))
    for card, share in shares.items():
        assert counts[card] / 4000 == pytest.approx(share / sum(shares.values()), abs=0.03)


def test_regular_forgets_what_others_captured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it was: only its own pile, and the last tricks, make a difference."""
    rng, seen = Random(5), list[View]()
    state = play_at_random(DealState.start(Deal.shuffled(4, rng)), rng, 4 * 8)
    while len(state.legal_cards) == 1:
        state = state.play(next(iter(state.legal_cards)))
    assert state.to_play is not None

    def appeals(view: View) -> dict[Card, int]:
        seen.append(view)
        return plain.appeals(view)

    monkeypatch.setattr(intuition, "appeals", appeals)
    view = state.view(state.to_play)
    make_bot("regular").choose(view, rng)
    recent = view.results[-RegularBot.MEMORY :]
    for seat, (pile, known) in enumerate(zip(view.piles, seen[0].piles, strict=True)):
        latest = CardSet.of(card for result in recent for card in result.captured_by(seat))
        assert known == (pile if seat == view.seat else latest)
    assert seen[0]._replace(piles=view.piles) == view
