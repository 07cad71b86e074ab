"""The server dies in the middle of many games, again and again: no card that anybody heard of is lost or doubled."""

import os
from pathlib import Path

from tools.soak.crash import crash

CRASHES = int(os.environ.get("DAVIDGOLIATH_CRASHES", "3"))
"""How often the server is killed: more on request."""
TABLES = 50


def test_a_killed_server_loses_no_card_and_every_table_resumes(tmp_path: Path) -> None:
    steps: list[int] = []
    figures = crash(tmp_path, CRASHES, TABLES, steps.append)
    assert sum(steps) == figures["kills"] == CRASHES
    assert figures["games"] >= TABLES
    assert figures["cards"] >= figures["games"] * 45
