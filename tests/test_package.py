"""What is released: a page that reads well by itself, and a source distribution that can test itself."""

import os
import re
import tarfile
import tomllib
from pathlib import Path

import pytest
from flit_core import buildapi

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGE = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
FOLDERS = (".ci", "deploy", "docs", "examples", "lock", "src", "tests", "tools")
MADE = {"__pycache__", ".hypothesis"}


def test_the_page_of_the_package_needs_no_repository() -> None:
    assert "![" not in PAGE
    assert "<img" not in PAGE
    assert [link for link in re.findall(r"\]\(([^)]+)\)", PAGE) if not link.startswith("https://")] == []


def test_the_page_of_the_package_names_every_extra() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE, re.M)
    assert told == list(PROJECT["optional-dependencies"])
    assert f"[{','.join(told)}]" in PAGE


def test_addresses_of_the_project_are_whole() -> None:
    assert all(address.startswith("https://") for address in PROJECT.get("urls", {}).values())


def test_a_source_distribution_has_all_that_its_tests_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with tarfile.open(tmp_path / buildapi.build_sdist(str(tmp_path))) as archive:
        members = {member.name.partition("/")[2]: member for member in archive.getmembers()}
    here = {file.name for file in ROOT.iterdir() if file.is_file() and file.name[0] != "."}
    for folder in FOLDERS:
        here |= {file.relative_to(ROOT).as_posix() for file in (ROOT / folder).rglob("*") if file.is_file()}
    assert {name for name in here if not MADE & set(Path(name).parts)} - set(members) == set()
    assert not [name for name in members if MADE & set(Path(name).parts)]
    if os.name == "posix":
        assert members["dg"].mode & 0o100
