"""A process that works for this one: it answers, comes again when it has died, and ends with this one."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from davidgoliath.server.ops.processes import HelpingProcess, ProcessEndedError

PARENT = """
import sys, time
sys.path.insert(0, ".")
from davidgoliath.server.ops.processes import HelpingProcess
from tests.test_processes import answer

helper = HelpingProcess(answer)
print(helper.ask("pid"), flush=True)
helper.ask("slow")
time.sleep(60)
"""


def answer(question: str) -> object:
    match question:
        case "pid":
            return os.getpid()
        case "nice":
            return os.nice(0)
        case "slow":
            time.sleep(0.5)
            return "an answer that nobody waits for"
        case "die":
            os._exit(1)
    raise ValueError("a secret")


def test_it_answers_and_comes_again_when_it_has_died() -> None:
    helper = HelpingProcess(answer)
    first = helper.ask("pid")
    assert first not in (os.getpid(), None)
    assert helper.ask("pid") == first
    assert helper.ask("nice") >= 15
    with pytest.raises(RuntimeError, match=r"^ValueError$"):
        helper.ask("what?")
    with pytest.raises(ProcessEndedError):
        helper.ask("die")
    assert helper.ask("pid") not in (first, os.getpid())
    helper.close()
    with pytest.raises(ProcessEndedError):
        helper.ask("pid")


def test_several_threads_ask_in_turn() -> None:
    helper = HelpingProcess(answer)
    with ThreadPoolExecutor(8) as pool:
        assert len({*pool.map(helper.ask, ["pid"] * 40)}) == 1
    helper.close()


@pytest.mark.skipif(os.name == "nt", reason="there are no signals")
def test_it_ends_with_whoever_began_it_however_that_ends(tmp_path: Path) -> None:
    """In the middle of its work, and without a word."""
    program = tmp_path / "parent.py"
    program.write_text(PARENT, encoding="utf-8")
    root = Path(__file__).parent.parent
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, str(program)], stdout=pipe, stderr=pipe, cwd=root) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        child = int(parent.stdout.readline())
        time.sleep(0.1)
        parent.kill()
        assert parent.stderr.read() == b""
    for _ in range(200):
        if not is_there(child):
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("it is still there")


def is_there(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
