"""Nonsense, lies and theft beside a game, for some seconds: `./dg soak fuzz` does more of it."""

from pathlib import Path

from tools.soak.fuzz import fuzz

MESSAGES = 4000


def test_nonsense_neither_troubles_the_server_nor_changes_a_table_nor_shows_a_card(tmp_path: Path) -> None:
    steps: list[int] = []
    figures = fuzz(tmp_path, MESSAGES, 1, steps.append)
    assert sum(steps) == figures["messages"] >= MESSAGES
    assert figures["matches_of_the_regulars"] >= 1
    assert figures["reasons_of_refusals"] >= 10
    assert figures["hands_and_turns_heard"] > 0
