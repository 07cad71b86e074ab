"""Making a site: the same to the last byte wherever that is, and the same games as with the program's own Python."""

import shutil
import subprocess
import traceback
from importlib.resources import files
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from davidgoliath.rules import Refusal
from davidgoliath.site.build import STARTER, build_site
from davidgoliath.site.pack import without_lines
from davidgoliath.site.parts import check_tools
from tests.played import played

IN_BROWSERS_PYTHON = """
import {{ readFileSync }} from "node:fs";
import {{ startPython }} from "{starter}";
const python = await startPython("{folder}/");
const globals = python.toPy({{}});
python.runPython(readFileSync("{program}", "utf8"), {{ globals }});
console.log(globals.get("played")({games}));
process.exit(0);
"""


@pytest.fixture
def _npm() -> None:
    try:
        check_tools()
    except Refusal as why:
        pytest.skip(str(why))


@pytest.mark.slow
@pytest.mark.usefixtures("_npm")
def test_a_site_is_the_same_to_the_last_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "other"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache-{name}"))
        build_site(tmp_path / name, pace=1000)
    one, other = (contents(tmp_path / name) for name in ("one", "other"))
    assert one == other


@pytest.mark.slow
@pytest.mark.usefixtures("_npm")
def test_a_thousand_games_are_the_same_in_a_browsers_python(tmp_path: Path) -> None:
    build_site(tmp_path / "site", pace=0)
    (folder,) = (tmp_path / "site/python").iterdir()
    shutil.copy(str(files("davidgoliath").joinpath(STARTER)), tmp_path / "python.mjs")
    places = {"starter": tmp_path / "python.mjs", "folder": folder, "program": Path(__file__).with_name("played.py")}
    (tmp_path / "play.mjs").write_text(IN_BROWSERS_PYTHON.format(**places, games=1000))
    done = subprocess.run(
        [shutil.which("node") or "node", str(tmp_path / "play.mjs")], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == played(1000)


def test_the_way_of_an_error_can_be_told_without_lines_of_its_source() -> None:
    def shared(cards: int, seats: int) -> int:
        return cards // seats

    without = FunctionType(without_lines(shared.__code__), {})
    with pytest.raises(ZeroDivisionError) as caught:
        without(60, 0)
    assert "in shared" in "".join(traceback.format_exception(caught.value))


def test_what_is_no_site_is_never_replaced(run: Any, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    ran = run("site", "build", str(tmp_path))
    assert ran.status == 1
    assert (tmp_path / "mine").read_text() == "mine"


def test_without_npm_it_says_so(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run("site", "build", str(tmp_path / "site"))
    assert (ran.status, ran.err) == (
        1,
        "davidgoliath: a site is made with npm and Node.js, and they aren’t here\n",
    )


@pytest.mark.parametrize(
    "address",
    ["play.example.org", "ftp://a.example", "https://a.example/path", "https://me@a.example", "https://", "//a"],
)
def test_what_is_no_address_of_a_server_is_refused(run: Any, tmp_path: Path, address: str) -> None:
    ran = run("site", "build", str(tmp_path / "site"), "--server", address)
    assert ran.status == 2
    assert f"‘{address}’ is not the address of a server" in ran.err
    assert not (tmp_path / "site").exists()


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
