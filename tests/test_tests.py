"""The tests as a body of code."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools import test as dg_test

TESTS = Path(__file__).parent


def imported(module: Path) -> Iterator[str]:
    """The full names of all that a module imports, those within its functions too."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def test_no_test_module_is_a_library_of_another() -> None:
    """What several share stands in a module of its own, so that a reader looks for it there."""
    for module in TESTS.rglob("*.py"):
        borrowed = [name for name in imported(module) if any(part.startswith("test_") for part in name.split(".")[:-1])]
        assert not borrowed, f"{module.relative_to(TESTS)} imports {borrowed[0]}"


@pytest.mark.parametrize(
    ("words", "is_everything", "profile"),
    [([], False, None), (["all"], True, "all"), (["tests/test_dgn.py", "-x"], None, None)],
)
def test_what_takes_longer_is_left_to_all(
    monkeypatch: pytest.MonkeyPatch, words: list[str], is_everything: bool | None, profile: str | None
) -> None:
    """Whatever else is asked for, pytest gets as it is."""
    calls: list[tuple[list[str], str | None]] = []

    def call(command: list[str], env: dict[str, str] | None = None) -> int:
        if "pytest" in command:
            calls.append((command[3:], (env or {}).get("HYPOTHESIS_PROFILE")))
        return 0

    monkeypatch.delenv("HYPOTHESIS_PROFILE", raising=False)
    monkeypatch.setattr(sys, "argv", ["test", *words])
    monkeypatch.setattr(subprocess, "call", call)
    monkeypatch.setattr(dg_test, "CHECKS", {})
    monkeypatch.setattr(dg_test, "SKIPS", {})
    assert dg_test.main() == 0
    ((given, asked),) = calls
    assert asked == profile
    assert given == words if is_everything is None else ("not slow" not in given) == is_everything
