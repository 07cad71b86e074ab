"""The files in `deploy/`: what they promise to whoever copies them."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

DEPLOY: Final = Path(__file__).parents[1] / "deploy"


@pytest.fixture
def unit() -> configparser.ConfigParser:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "davidgoliath.service", encoding="utf-8")
    return unit


def test_systemd_tries_again_as_long_as_the_database_is_away(unit: configparser.ConfigParser) -> None:
    """By default it gives up for good after five starts within ten seconds."""
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit["Service"]["Restart"] == "on-failure"
    assert int(unit["Service"]["RestartSec"]) >= 1
    status = served("--database", "postgresql://127.0.0.1:9/tables")
    assert str(status) not in ("0", unit["Service"]["RestartPreventExitStatus"])


def test_systemd_tries_no_option_again_that_there_is_not(unit: configparser.ConfigParser) -> None:
    assert str(served("--nonsense")) == unit["Service"]["RestartPreventExitStatus"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd")
def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "davidgoliath.service").read_text(encoding="utf-8")
    here = tmp_path / "davidgoliath.service"
    here.write_text(text.replace("/opt/davidgoliath/.venv/bin/davidgoliath", sys.executable), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(here)], capture_output=True, text=True, check=False)  # noqa: S607
    assert "davidgoliath.service" not in done.stdout + done.stderr


@pytest.mark.parametrize("proxy", ["Caddyfile", "nginx.conf"])
def test_a_proxy_asks_for_tls_from_then_on(proxy: str) -> None:
    text = (DEPLOY / proxy).read_text(encoding="utf-8")
    (seconds,) = re.findall(r'^\s*(?:add_)?header Strict-Transport-Security "max-age=(\d+)"', text, re.MULTILINE)
    assert int(seconds) >= 180 * 86_400
    assert "header" not in text.partition("listen 80")[2], "over plain http it means nothing"


def test_a_container_is_filled_from_the_lock_and_nothing_is_resolved() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    named, own, check = re.findall(r"bin/pip (.*?)(?: \\)?$", text, re.MULTILINE)
    assert named.endswith("--no-deps --require-hashes --only-binary :all: -r lock/run.txt")
    assert own.endswith("--no-deps --no-build-isolation .")
    assert check == "check"


def served(*options: str) -> int:
    command = [sys.executable, "-m", "davidgoliath", "serve", *options]
    return subprocess.run(command, capture_output=True, timeout=120, check=False).returncode
