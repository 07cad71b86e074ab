"""The server dies in the middle of many games, again and again: no card that anybody heard of is lost or doubled."""

from pathlib import Path

import pytest
from tools.soak.crash import crash

from tests.marks import slow


@pytest.mark.parametrize(("kills", "tables"), [(2, 10), *slow((3, 50))])
def test_a_killed_server_loses_no_card_and_every_table_resumes(tmp_path: Path, kills: int, tables: int) -> None:
    steps: list[int] = []
    figures = crash(tmp_path, kills, tables, steps.append)
    assert sum(steps) == figures["kills"] == kills
    assert figures["games"] >= tables
    assert figures["cards"] >= figures["games"] * 45
