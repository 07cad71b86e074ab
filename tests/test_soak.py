"""Workers on PostgreSQL in trouble, for some seconds. `./dg soak workers` and `./dg soak cut` do so for longer."""

import os
from pathlib import Path

import pytest
from tools.postgres import why_not
from tools.soak.cut import cut
from tools.soak.cut import why_not as why_no_networks
from tools.soak.workers import workers

KILLS = int(os.environ.get("DAVIDGOLIATH_CRASHES", "3"))
"""How often a worker is killed: more on request."""
TABLES = 8


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_killed_workers_and_a_killed_database_lose_no_card_and_every_table_resumes(tmp_path: Path) -> None:
    figures = workers(tmp_path, KILLS, TABLES, 2, 1, lambda _: None)
    assert figures["games"] >= TABLES
    assert figures["cards"] >= figures["games"] * 45
    assert figures["clients_that_lost_their_worker"] >= KILLS


@pytest.mark.skipif(bool(why_not() or why_no_networks()), reason=why_not() or why_no_networks())
def test_workers_that_lose_the_network_to_their_database_don_t_diverge(tmp_path: Path) -> None:
    figures = cut(tmp_path, 2, TABLES, lambda _: None, longest=3.0)
    assert figures["games"] >= TABLES
