"""A match in the terminal: how long bots take tells its person nothing."""

from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from davidgoliath import Card, Deal, RuleSet, View
from davidgoliath.bots import Budget
from davidgoliath.bots.people import CasualBot
from davidgoliath.match import Match
from davidgoliath.terminal.kept import KeptFile
from davidgoliath.terminal.saved import SavedMatch, unfinished_matches
from davidgoliath.terminal.solo import Solo

SPAN = 0.05


def test_a_bots_card_takes_its_span_whether_or_not_there_was_a_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a set clock: a single card costs a tenth of what a choice does, and some thoughts take longer than a span."""
    now, times = 0.0, list[tuple[int, float]]()

    def choose(_: CasualBot, view: View, rng: Random, budget: Budget | None = None) -> Card:
        nonlocal now
        now += 0.004 if len(view.legal_cards) == 1 else 0.06 if len(view.hand) == 9 else 0.04
        return rng.choice(list(view.legal_cards))

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr("davidgoliath.terminal.solo.span_of", lambda _: SPAN)
    monkeypatch.setattr("davidgoliath.terminal.solo.time", SimpleNamespace(monotonic=lambda: now, sleep=sleep))
    monkeypatch.setattr(CasualBot, "choose", choose)
    match = Match(4, RuleSet.parse("single")).begin(Deal.shuffled(4, Random(2)))
    solo = Solo(match, SavedMatch(KeptFile(tmp_path / "match.dgn"), ("You", *["bot:casual"] * 3)), Random(1))
    while (seat := solo.to_play) is not None:
        legal, begun = solo.match.deals[-1].legal_cards, now
        card = min(legal) if seat == solo.me else solo.think()
        if seat != solo.me:
            times.append((len(legal), round((now - begun) / SPAN, 6)))
        solo.play(card, seat)
    assert {spans for legal, spans in times if legal == 1} == {1.0}
    assert {spans for legal, spans in times if legal > 1} == {1.0, 2.0}


def test_hints_stay_in_the_record_whatever_is_undone_and_whoever_comes_back() -> None:
    saved = SavedMatch.new(("bot:casual", "You", "bot:casual"))
    solo = Solo(Match(3, RuleSet.parse("classic")), saved, Random(1))
    undone = False
    while len(solo.finished) < 2:
        if (seat := solo.to_play) is None:
            solo.deal()
        elif seat == solo.me:
            state = solo.match.deals[-1]
            trick = state.standing.deal, len(state.tricks) + 1
            if trick in ((1, 4), (2, 1), (2, 8)):
                solo.mark_hint()
            if trick == (1, 4) and not undone:
                undone = solo.undo()
                continue
            solo.play(min(state.legal_cards), seat)
        else:
            solo.play(min(solo.match.deals[-1].legal_cards), seat)
    ((kept,), damaged) = unfinished_matches(["casual"])
    assert undone
    assert not damaged
    assert kept.content.hints == {0: ((), (4,), ()), 1: ((), (1, 8), ())}
    assert saved.record(solo.match).deals[1].hints == ((), (1, 8), ())
