"""Workers on PostgreSQL in trouble, for some seconds. `./dg soak workers` and `./dg soak cut` do so for longer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.postgres import why_not
from tools.soak.cut import why_not as why_no_networks
from tools.soak.workers import workers

KILLS = int(os.environ.get("DAVIDGOLIATH_CRASHES", "3"))
"""How often a worker is killed: more on request."""
TABLES = 8
APART = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
"""A command in a network of its own: a browser that another test runs gives up its requests when networks change."""


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_killed_workers_and_a_killed_database_lose_no_card_and_every_table_resumes(tmp_path: Path) -> None:
    figures = workers(tmp_path, KILLS, TABLES, 2, 1, lambda _: None)
    assert figures["games"] >= TABLES
    assert figures["cards"] >= figures["games"] * 45
    assert figures["clients_that_lost_their_worker"] >= KILLS


@pytest.mark.skipif(bool(why_not() or why_no_networks()), reason=why_not() or why_no_networks())
def test_workers_that_lose_the_network_to_their_database_don_t_diverge() -> None:
    soak = [sys.executable, "-m", "tools", "soak", "cut", "--times", "2", "--tables", str(TABLES), "--longest", "3"]
    done = subprocess.run([*APART, *soak, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] >= TABLES
