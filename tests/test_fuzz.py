"""Nonsense, lies and theft beside a game, for some seconds: `./dg soak fuzz` does more of it."""

from pathlib import Path

import pytest
from tools.soak.fuzz import fuzz

from tests.marks import slow


@pytest.mark.parametrize("messages", [1500, *slow(4000)])
def test_nonsense_neither_troubles_the_server_nor_changes_a_table_nor_shows_a_card(
    tmp_path: Path, messages: int
) -> None:
    steps: list[int] = []
    figures = fuzz(tmp_path, messages, 1, steps.append)
    assert sum(steps) == figures["messages"] >= messages
    assert figures["matches_of_the_regulars"] >= 1
    assert figures["reasons_of_refusals"] >= 10
    assert figures["hands_and_turns_heard"] > 0
