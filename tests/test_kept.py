"""Files that nobody has to save: nothing is lost, also where two programs have the same one."""

from pathlib import Path

import pytest

from davidgoliath import Refusal
from davidgoliath.terminal.kept import KeptFile, read_all


def test_each_has_a_number_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "0007.dgn").write_text("old", encoding="utf-8")
    (tmp_path / "mine.dgn").write_text("old", encoding="utf-8")
    kept = KeptFile.new(tmp_path, ".dgn")
    kept.save("new")
    kept.save("newer")
    assert kept.file.name == "0008.dgn"
    assert kept.file.read_text(encoding="utf-8") == "newer"


def test_two_that_begin_at_the_same_moment(tmp_path: Path) -> None:
    first, second = KeptFile.new(tmp_path, ".dgn"), KeptFile.new(tmp_path, ".dgn")
    first.save("first")
    second.save("second")
    first.save("first, later")
    assert [file.read_text(encoding="utf-8") for file in sorted(tmp_path.iterdir())] == ["first, later", "second"]


@pytest.mark.parametrize(("name", "other"), [("0001.dgn", "0002.dgn"), ("mine.json", "mine-2.json")])
def test_two_that_go_on_with_the_same_one(tmp_path: Path, name: str, other: str) -> None:
    (tmp_path / name).write_text("begun", encoding="utf-8")
    first, second = KeptFile(tmp_path / name), KeptFile(tmp_path / name)
    first.save("first goes on")
    second.save("second goes on")
    assert (first.file.name, second.file.name) == (name, other)
    assert {file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == {"first goes on", "second goes on"}


def test_one_that_was_deleted_comes_back(tmp_path: Path) -> None:
    kept = KeptFile(tmp_path / "0001.dgn")
    kept.save("one")
    kept.file.unlink()
    kept.save("two")
    assert kept.file == tmp_path / "0001.dgn"


def test_what_cannot_be_read_hides_nothing(tmp_path: Path) -> None:
    for name in ("a", "b", "c", "d"):
        (tmp_path / name).write_text(name, encoding="utf-8")

    def read(file: Path) -> str | None:
        if file.name == "b":
            raise PermissionError
        if file.name == "d":
            raise Refusal("x")  # type: ignore[arg-type]
        return None if file.name == "a" else file.name

    found, damaged = read_all(tmp_path.iterdir(), read)
    assert [kept.content for kept in found] == ["c"]
    assert [one.file.name for one in damaged] == ["b", "d"]
