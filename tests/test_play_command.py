"""`davidgoliath play`: a server on this computer and its page in the browser, as real processes."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from davidgoliath.cli import main
from davidgoliath.server.config import Settings
from davidgoliath.server.run import Served, addresses

HERE = "The game is here until you press Ctrl-C: "
THERE = "There is a server on this data already: "


def started(folder: Path, *options: str) -> subprocess.Popen[str]:
    """A game whose browser is a program that notes what it is asked to open."""
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {folder}/opened\n', encoding="utf-8")
    browser.chmod(0o700)
    command = [sys.executable, "-m", "davidgoliath", "play", "--bot", "random", *options]
    environment = {**os.environ, "DAVIDGOLIATH_DATA": str(folder), "BROWSER": f"{browser} %s"}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", env=environment
    )


@contextmanager
def playing(folder: Path, *options: str) -> Iterator[str]:
    """The address of a game, as long as it runs."""
    with started(folder, *options) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith(HERE), line
            yield line.removeprefix(HERE).strip()
        finally:
            process.send_signal(signal.SIGINT)
            said = process.stdout.read()
            assert process.wait(20) == 130
            assert "Traceback" not in said


def opened(folder: Path, times: int) -> list[str]:
    """What the browser was asked for, once it was asked so often."""
    (folder / "opened").touch()
    for _ in range(200):
        asked = (folder / "opened").read_text(encoding="utf-8").split()
        if len(asked) >= times:
            break
        time.sleep(0.05)
    return asked


def test_the_game_opens_in_the_browser_and_a_second_call_finds_it(tmp_path: Path) -> None:
    with playing(tmp_path, "--port", "0") as address:
        assert opened(tmp_path, 1) == [address]
        with urlopen(f"{address}/healthz", timeout=20) as answer:  # noqa: S310
            assert answer.status == 200
        again = started(tmp_path, "--port", "0")
        said, _err = again.communicate(timeout=20)
        assert (again.returncode, said) == (0, f"{THERE}{address}\n")
        assert opened(tmp_path, 2) == [address, address]


def test_without_a_browser_the_address_is_all(tmp_path: Path) -> None:
    with playing(tmp_path, "--port", "0", "--no-browser") as address:
        with urlopen(f"{address}/api/server", timeout=20) as answer:  # noqa: S310
            assert json.load(answer)["bots"] == ["random"]
        assert not (tmp_path / "opened").exists()


def test_if_the_port_is_taken_it_is_the_next_one(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with playing(tmp_path, "--port", str(port), "--no-browser") as address:
            assert port < int(address.rpartition(":")[2]) < port + 20


@pytest.mark.parametrize(
    ("served", "last"),
    [
        (Served("http://127.0.0.1:8642", "http://10.0.0.7:8642"), "For others in your network: http://10.0.0.7:8642"),
        (Served("http://127.0.0.1:8642"), "This computer is in no network right now, so nobody else can join."),
        (
            Served("http://127.0.0.1:8642", is_other=True),
            "It stays as it was started: for --lan, stop it first with Ctrl-C.",
        ),
    ],
)
def test_for_the_network_it_says_how_others_get_there(
    served: Served, last: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(settings: Settings, say: Callable[[Served], None]) -> None:
        assert settings.host == "0.0.0.0"  # noqa: S104
        say(served)

    monkeypatch.setattr("davidgoliath.server.run.run", run)
    assert main(["play", "--lan", "--no-browser"]) == 0
    said = "".join(capsys.readouterr()).splitlines()
    assert said == [(THERE if served.is_other else HERE) + served.address, last]


def test_a_server_knows_its_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("davidgoliath.server.run.network_address", lambda: "10.0.0.7")
    for host, address, network in [
        ("127.0.0.1", "http://127.0.0.1:80", None),
        ("::1", "http://[::1]:80", None),
        ("0.0.0.0", "http://127.0.0.1:80", "http://10.0.0.7:80"),  # noqa: S104
        ("::", "http://[::1]:80", "http://10.0.0.7:80"),
    ]:
        assert addresses(Settings(host=host, bots=["random"]), 80) == Served(address, network)


def test_whoever_stops_a_server_does_not_wait_for_a_compiler() -> None:
    code = """
import time
from random import Random
from davidgoliath.bots import make_bot
from davidgoliath.server.rooms import bot_pool
bot_pool.make_bot = lambda name: time.sleep(60) if name == "slow" else make_bot(name)
late = bot_pool.BotPool(["slow"], 1, lambda: Random(1))
assert late.lack("slow")
late.close()
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=30, check=False).returncode == 0
