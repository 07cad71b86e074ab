"""The terminal command in terminals of its own and in pipes: killed, resumed, and in plain lines."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from davidgoliath import MatchRecord

SAMPLE = Path(__file__).parent / "sample.dgn"


def saved() -> MatchRecord:
    (file,) = Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn")
    return MatchRecord.parse(file.read_text(encoding="utf-8"))


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [sys.executable, "-m", "davidgoliath", "terminal", *arguments]
        env = {**os.environ, "TERM": "xterm-256color", **environment}
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env)
        os.close(slave)
        self.master, self.output = master, b""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while chunk := os.read(self.master, 1 << 16):
                self.output += chunk
        except OSError:  # the other end is closed
            return

    def wait(self, ready: Callable[[], bool], keys: bytes = b"") -> None:
        for _ in range(600):
            if ready():
                return
            if keys:
                os.write(self.master, keys)
            time.sleep(0.05)
        pytest.fail(f"it never came to that: {self.output[-2000:]!r}")


@contextmanager
def in_a_terminal(*arguments: str, **environment: str) -> Iterator[Terminal]:
    terminal = Terminal(*arguments, **environment)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.master)


def plays() -> int:
    files = list(Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn"))
    return len(saved().deals[0].plays) if files else 0


ANY_CARD = b"\x1b[C\r"
"""To the next card, and Enter: after some of these something was played."""


def test_a_killed_match_goes_on() -> None:
    with in_a_terminal("--players", "3", "--rules", "single", "--pace", "instant") as terminal:
        terminal.wait(lambda: plays() >= 7, ANY_CARD)
        os.kill(terminal.process.pid, signal.SIGKILL)
        terminal.process.wait()
    before = saved().deals[0].plays
    with in_a_terminal("--pace", "instant", "--lang", "en") as terminal:
        terminal.wait(lambda: b"Your table is waiting" in terminal.output)
        os.write(terminal.master, b"\r")
        terminal.wait(lambda: plays() > len(before), ANY_CARD)
        os.write(terminal.master, b"\x1b")
        time.sleep(0.3)
        os.write(terminal.master, b"q")
        terminal.wait(lambda: terminal.process.poll() is not None)
        assert terminal.process.returncode == 0
        assert b"Your match is saved" in terminal.output
    assert saved().deals[0].plays[: len(before)] == before


@pytest.mark.parametrize(("arguments", "environment"), [(["--plain"], {}), ([], {"TERM": "dumb"})])
def test_plain_lines_where_they_are_wanted_or_nothing_else_goes(
    arguments: list[str], environment: dict[str, str]
) -> None:
    with in_a_terminal("--lang", "en", *arguments, **environment) as terminal:
        terminal.wait(lambda: b"Your card: " in terminal.output)
        os.write(terminal.master, b"q\n")
        terminal.wait(lambda: terminal.process.poll() is not None)
        assert b"\x1b" not in terminal.output


def in_plain_lines(*arguments: str, stdin: str) -> str:
    command = [sys.executable, "-m", "davidgoliath", "terminal", *arguments]
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, check=True)
    return done.stdout.decode()


def test_plain_lines_have_preview_radar_and_undo() -> None:
    cards = [f"{colour}{value}" for colour in "RYGBV" for value in range(1, 10)]
    out = in_plain_lines("--players", "3", "--seed", "7", stdin="u\n" + "\n".join(cards) + "\nq\n")
    assert out.count("there is nothing to take back") == 1
    ((first, *_),) = [deal.plays for deal in saved().deals]
    count = plays()
    out = in_plain_lines(stdin="\n".join(["d", *(f"{card}?" for card in cards), "u", "q"]))
    assert "Third-card radar" in out
    assert re.search("If the trick ended now: ▼ David|This ends the trick: ▼ David|You lead\\. The others follow", out)
    assert "is not in the hand" in out
    assert plays() < count
    assert saved().deals[0].plays[0] == first


def test_plain_lines_give_hints_that_the_record_tells() -> None:
    out = in_plain_lines("--players", "3", "--rules", "single", "--seed", "4", stdin="v\ni\nq\n")
    assert "No deal is over yet." in out
    assert re.search(r"^  Play the \w+ \d\.$", out, re.M)
    assert saved().deals[0].hints == ((1,), (), ())


@pytest.mark.slow
def test_plain_lines_look_back_at_a_deal() -> None:
    every_card = "".join(f"{colour}{value}\n" for colour in "RYGBV" for value in range(1, 10))
    stdin = every_card * 5 + "v\nq\n"
    out = in_plain_lines("--players", "3", "--bot", "random", "--seed", "4", stdin=stdin)
    assert "Deal 1 of 3 · You" in out
    assert "Your own cards" in out


def test_a_replay_in_plain_lines() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    out = in_plain_lines("--replay", "-", stdin=text)
    assert " 1 Ann was Goliath with Y5 and took 2 cards (+3). Onyx was David with Y1 and took Y5 (+5)." in " ".join(
        out.split()
    )
    assert "= 25" in out
    assert in_plain_lines("--replay", str(SAMPLE), stdin="") == out
    command = [sys.executable, "-m", "davidgoliath", "terminal", "--replay", "-"]
    done = subprocess.run(command, input=b"rubbish", capture_output=True, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)


def test_other_commands_dont_load_textual() -> None:
    code = "import sys; from davidgoliath.cli import main; main(['score', 'R9']); assert 'textual' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0
