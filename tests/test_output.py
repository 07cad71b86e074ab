"""What commands write: one rule for what is there already, and nothing left behind where there is no room."""

import io
import re
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from davidgoliath.cli.output import progress
from davidgoliath.server.store.sqlite.store import SqliteStore
from tests.stores import GAME, fill
from tests.stores import run as run_it

SAMPLE = Path(__file__).parent / "sample.dgn"


def outputs(folder: Path) -> dict[str, list[str]]:
    """Every command with an output, by its name."""
    return {
        "convert": ["record", "convert", str(SAMPLE), "--to", "json", "--out", str(folder / "out.json")],
        "print": ["print", "scoresheet", "--out", str(folder / "out.pdf")],
        "records": ["simulate", "--deals", "5", "--records", str(folder / "out.jsonl")],
        "simulate": ["simulate", "--deals", "5", "--plot", str(folder / "out.svg")],
        "arena": ["arena", "random", "--deals", "1", "--jobs", "1", "--plot", str(folder / "out.svg")],
    }


@pytest.mark.parametrize("name", list(outputs(Path())))
def test_one_rule_for_files_that_exist(run: Any, tmp_path: Path, name: str) -> None:
    command = outputs(tmp_path)[name]
    (out,) = [Path(word) for word in command if word.startswith(f"{tmp_path}/out.")]
    target = tmp_path / "elsewhere"
    target.write_text("precious", encoding="utf-8")
    target.chmod(0o600)
    out.symlink_to(target)
    (tmp_path / f"{out.name}.new").write_text("precious", encoding="utf-8")
    ran = run(*command)
    assert (ran.status, ran.err) == (1, f"davidgoliath: {out} exists already; --force replaces it\n")
    assert target.read_text(encoding="utf-8") == "precious"
    assert run(*command, "--force").status == 0
    assert out.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert "precious" not in target.read_text(encoding="utf-8", errors="replace")
    assert (tmp_path / f"{out.name}.new").read_text(encoding="utf-8") == "precious"
    assert len(list(tmp_path.iterdir())) == 3


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with something in it."""

    async def make() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        await fill(store, GAME)
        await store.close()

    run_it(make)
    return tmp_path / "tables.db"


def writers(database: Path, folder: Path) -> dict[str, list[str]]:
    """All that writes files where it is told to, those too that never replace one."""
    here = ["--database", str(database)]
    return {
        **outputs(folder),
        "results": ["arena", "random", "--deals", "1", "--jobs", "1", "--results", str(folder / "results.jsonl")],
        "export": ["tables", "export", str(folder / "export.jsonl"), *here],
        "backup": ["tables", "backup", str(folder / "backup.db"), *here],
        "restore": ["tables", "restore", str(database), "--database", str(folder / "restored.db")],
        "copy": ["tables", "copy", str(folder / "copy.db"), *here],
    }


@pytest.mark.parametrize("is_full", [True, False])
def test_a_disk_that_takes_nothing_is_told_and_keeps_what_it_had(
    run: Any, database: Path, small_disk: Path, is_full: bool
) -> None:
    old = small_disk / "out.pdf"
    if is_full:
        with suppress(OSError), old.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1024))
    else:
        old.write_bytes(b"precious")
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)  # noqa: S607
    before = old.read_bytes()
    why = "the disk is full" if is_full else "nothing can be written to this disk|can’t be made or written to"
    for name, command in writers(database, small_disk).items():
        ran = run(*command, *(["--force"] if name == "print" else []))
        assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1), ran.err
        assert re.search(why, ran.err), (name, ran.err)
        assert str(small_disk) in ran.err, name
    assert old.read_bytes() == before
    # an empty database may stay: another server may have opened it meanwhile
    assert [file.name for file in small_disk.iterdir() if file.stat().st_size] == ["out.pdf"]
    assert {file.name for file in small_disk.iterdir()} <= {"out.pdf", "copy.db"}


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file as the system shows a disk, where it lets us."""
    file = tmp_path / "disk"
    file.write_bytes(b"precious".ljust(1 << 20, b"\0"))
    try:
        made = subprocess.run(
            ["losetup", "--find", "--show", str(file)],  # noqa: S607
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("there can be no such device here")
    try:
        yield Path(made.stdout.strip())
    finally:
        subprocess.run(["losetup", "--detach", made.stdout.strip()], check=True)  # noqa: S607


def test_a_disk_is_written_to_only_by_force(run: Any, database: Path, disk: Path) -> None:
    for name, command in writers(database, database.parent).items():
        if name not in ("simulate", "arena", "restore", "copy"):  # plots have names that end in their form
            words = [str(disk) if word.startswith(f"{database.parent}/") else word for word in command]
            words[-1] = str(database) if "--database" in command else words[-1]
            ran = run(*words)
            assert (ran.status, "exists already" in ran.err) == (1, True), (name, ran.err)
    with disk.open("rb") as stream:
        assert stream.read(8) == b"precious"
    assert run(*outputs(database.parent)["print"][:-1], str(disk), "--force").status == 0
    assert stat.S_ISBLK(disk.stat().st_mode)
    with disk.open("rb") as stream:
        assert stream.read(5) == b"%PDF-"


@pytest.mark.parametrize("command", [["arena", "random", "--results", "-"], ["tables", "backup", "-"]])
def test_what_has_to_be_a_file_is_no_stream(run: Any, tmp_path: Path, command: list[str], monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*command)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "a file is needed here, not -" in ran.err
    assert not list(tmp_path.iterdir())


def test_an_export_through_a_pipe(run: Any, database: Path, tmp_path: Path) -> None:
    ran = run("tables", "export", "-", "--database", str(database))
    assert (ran.status, ran.err) == (0, "")
    other = ["--database", str(tmp_path / "other.db")]
    assert run("tables", "import", "-", *other, stdin=ran.out).status == 0
    assert run("tables", "export", "-", *other).out == ran.out


class Terminal(io.StringIO):
    """Standard error that somebody looks at."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [80, 60, 46])
@pytest.mark.parametrize(("label", "counts"), [("", False), ("", True), ("long" * 30, False)])
def test_progress_stays_on_its_line(monkeypatch: pytest.MonkeyPatch, width: int, label: str, counts: bool) -> None:
    """Also where there is much to do, and days to wait."""
    told, now = Terminal(), 0.0
    monkeypatch.setattr(sys, "stderr", told)
    monkeypatch.setattr(time, "time", lambda: now)
    monkeypatch.setenv("COLUMNS", str(width))
    many = 10**6
    with progress(many, label=label, counts=counts) as bar:
        for _ in range(4):
            now += 10**6
            bar.update(many // 5)
    lines = re.sub(r"\x1b\[[\d?;]*\w", "", told.getvalue()).split("\r")
    assert re.search(r"\d\dd \d\d:", lines[2])
    assert max(len(line.rstrip("\n")) for line in lines) < width
