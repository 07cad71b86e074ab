"""`adept`: the policy network alone, the same with and without Numba and NumPy."""

from random import Random

from davidgoliath import Deal, DealState
from davidgoliath.bots import make_bot
from davidgoliath.kernel import plain, policy
from tests.processes import in_a_process

PLAYED = """
from random import Random
from davidgoliath import Deal, DealState
from davidgoliath.bots import make_bot
for players in (3, 4, 5, 6):
    rng = Random(players)
    bot = make_bot("adept")
    state = DealState.start(Deal.shuffled(players, rng))
    while state.to_play is not None:
        card = bot.choose(state.view(state.to_play), rng)
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
