"""How long a bot's card takes is measured where it plays."""

from random import Random

import pytest

from davidgoliath import Card, Deal, DealState, View
from davidgoliath.bots import Budget, make_bot
from davidgoliath.match import spans
from davidgoliath.match.spans import LEAST, instead_of, span_of


@pytest.fixture(autouse=True)
def _nothing_is_known() -> None:
    """Whatever other tests have worked out in this process."""
    for known in (spans._choices, spans._every_size, spans._long_thoughts):
        known.cache_clear()


class Slow:
    """Takes so long for each card, by a clock of its own: at first longer, since it has to load something."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.thoughts, self.now = 0, 0.0

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Card:
        assert len(view.legal_cards) > 1
        self.now += 9.0 if self.thoughts < 4 else self.seconds
        self.thoughts += 1
        return next(iter(view.legal_cards))


@pytest.mark.parametrize(("seconds", "span"), [(0.0001, 0.01), (0.0039, 0.01), (0.0041, 0.02), (0.027, 0.07)])
def test_a_span_is_ample_in_whole_steps_and_loading_does_not_count(
    monkeypatch: pytest.MonkeyPatch, seconds: float, span: float
) -> None:
    slow = Slow(seconds)
    monkeypatch.setattr("davidgoliath.match.spans.time.thread_time", lambda: slow.now)
    assert span_of(slow) == pytest.approx(span)


@pytest.mark.parametrize("bot", ["random", "beginner", "casual", "reference"])
def test_bots_that_do_not_search_take_the_least(bot: str) -> None:
    assert span_of(make_bot(bot)) == LEAST


def test_instead_of_a_single_card_there_is_a_choice_as_far_on() -> None:
    rng, seen = Random(1), 0
    for players in (3, 4, 5, 6):
        state = DealState.start(Deal.shuffled(players, rng))
        while state.to_play is not None:
            view = state.view(state.to_play)
            other = instead_of(view, rng)
            assert len(other.legal_cards) > 1
            assert (other.players, len(other.hand)) == (players, max(2, len(view.hand)))
            seen += 1
            state = state.play(rng.choice(list(state.legal_cards)))
    assert seen == 15 * 18
