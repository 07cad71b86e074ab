"""Trouble for some seconds: `./dg soak workers`, `./dg soak cut` and `./dg soak siege` make it for longer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.postgres import why_not
from tools.soak.besiegers import KINDS
from tools.soak.cut import why_not as why_no_networks
from tools.soak.siege import PEOPLE, siege
from tools.soak.workers import workers

KILLS = int(os.environ.get("DAVIDGOLIATH_CRASHES", "3"))
"""How often a worker is killed: more on request."""
TABLES = 8
APART = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
"""A command in a network of its own: a browser that another test runs gives up its requests when networks change."""


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_killed_workers_and_a_killed_database_lose_no_card_and_every_table_resumes(tmp_path: Path) -> None:
    figures = workers(tmp_path, KILLS, TABLES, 2, 1, lambda _: None)
    assert figures["games"] >= TABLES
    assert figures["cards"] >= figures["games"] * 45
    assert figures["clients_that_lost_their_worker"] >= KILLS


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not() or why_no_networks()), reason=why_not() or why_no_networks())
def test_workers_that_lose_the_network_to_their_database_don_t_diverge() -> None:
    soak = [sys.executable, "-m", "tools", "soak", "cut", "--times", "2", "--tables", str(TABLES), "--longest", "3"]
    done = subprocess.run([*APART, *soak, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] >= TABLES


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a computer has but one address to itself")
@pytest.mark.slow
def test_while_one_address_asks_for_all_it_can_get_nobody_else_is_refused(tmp_path: Path) -> None:
    """How long honest people wait is for the soak to judge: it has a control."""
    steps: list[int] = []
    figures, broken = siege(tmp_path, 8, 3, steps.append, is_controlled=False)
    assert sum(steps) >= 1
    assert not [promise for promise in broken if "a card took" not in promise]
    assert figures["siege_refused_to_honest_people"] == 0, "a card that never arrived would count too"
    assert figures["siege_cards"] >= 3
    assert figures["siege_class_served"] == figures["siege_proxy_served"] == PEOPLE
    done = {what.partition(":")[0] for what, count in figures.items() if ":" in what and count}
    assert done == {*KINDS}, "how much each of them gets done depends on the machine"
