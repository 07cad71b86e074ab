"""How the tests run: no deadline, since these machines are noisy, and more examples on request."""

import io
import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from tools.postgres import Postgres, postgres, why_not

from davidgoliath.cli import main
from tests.stores import KINDS, Place

os.environ["DAVIDGOLIATH_LANG"] = "en"
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, which children inherit

settings.register_profile("short", deadline=None, max_examples=30)
settings.register_profile("all", deadline=None, max_examples=200)
settings.register_profile("long", deadline=None, max_examples=20_000)
settings.register_profile("mutate", deadline=None, max_examples=40, phases=[Phase.generate], database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


COVERING = (
    *("arena", "cards", "deal", "dgn", "doors", "example", "jsonform", "kernel", "match", "outcome", "pad", "reading"),
    *("record", "refusal", "rules", "ruleset", "shuffle", "spans", "texts", "view"),
)
"""The tests of the layers whose coverage is counted. To count makes tests several times as slow: others go without."""


COUNTED = {Path(__file__).with_name(f"test_{name}.py") for name in COVERING}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Nobody looks on while a test runs that isn't counted."""
    is_covering = item.path in COUNTED or item.path.parent.name in ("rules", "notation", "match")
    if is_covering and not item.get_closest_marker("uncounted"):
        return (yield)
    looks_on, looks_on_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(looks_on)
        threading.settrace(looks_on_threads)


@pytest.fixture(autouse=True)
def _own_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches anyone's data."""
    monkeypatch.setenv("DAVIDGOLIATH_DATA", str(tmp_path_factory.mktemp("data")))


class Ran:
    """What a command printed, and its exit status."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command line, in this process."""

    def run(*arguments: str, stdin: str | bytes = b"") -> Ran:
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status = main(arguments)
        return Ran(status, *capsys.readouterr())

    return run


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kB, where we may have one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("nothing can be mounted here")
    except FileNotFoundError:
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)  # noqa: S607


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """One PostgreSQL for all tests of a process; where there can be none, `./dg test` says so at its end."""
    if why := why_not():
        pytest.skip(why)
    with postgres(in_memory=True) as server:
        yield server


@pytest.fixture
def new_database(postgres_server: Postgres) -> Callable[[], str]:
    """Gives the addresses of empty databases."""
    numbers = itertools.count()
    return lambda: postgres_server.create(f"test{next(numbers)}")


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Each test that asks for it runs on every kind of store."""
    if request.param == "sqlite":
        return Place(str(tmp_path / "tables.db"), lambda: str(tmp_path / "other.db"))
    make: Callable[[], str] = request.getfixturevalue("new_database")
    return Place(make(), make)
