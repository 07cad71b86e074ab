"""`davidgoliath serve --workers`: several processes behind one port."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from davidgoliath.cli import main

SERVE = [sys.executable, "-m", "davidgoliath", "serve", "--port", "0", "--bot", "random", "--workers", "2"]


def children(process: int) -> set[int]:
    return set(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))


def is_answered(address: str) -> bool:
    """Whether there is somebody to answer, at the latest when one asks again."""
    for _ in range(3):
        with suppress(OSError), urlopen(f"{address}/healthz", timeout=10) as answer:  # noqa: S310
            return bool(answer.status == 200)
    return False


def until(ready: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_several_workers_on_sqlite_are_refused_with_the_alternative(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--workers", "2", "--database", str(tmp_path / "tables.db")]) == 1
    assert "--database postgresql://" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_worker_that_dies_is_followed_by_another_and_all_end_with_their_parent(
    new_database: Callable[[], str],
) -> None:
    with subprocess.Popen([*SERVE, "--database", new_database()], stdout=subprocess.PIPE, text=True) as parent:
        try:
            assert parent.stdout is not None
            address = parent.stdout.readline().split()[-1]
            first = children(parent.pid)
            assert len(first) == 2
            killed = min(first)
            os.kill(killed, 9)
            for _ in range(20):
                assert is_answered(address)
            until(lambda: len(children(parent.pid) - {killed}) == 2)
            last = children(parent.pid)
        finally:
            parent.kill()
    until(lambda: not any(Path(f"/proc/{child}").exists() for child in last))


def test_workers_stop_when_they_are_told_to(new_database: Callable[[], str]) -> None:
    with subprocess.Popen([*SERVE, "--database", new_database()], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert "http://" in parent.stdout.readline()
        parent.terminate()
        assert parent.wait(20) == 0
