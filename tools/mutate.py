"""`./dg mutate`: flips every comparison, and the like, in the rules, one at a time, and expects a test to fail.

A mutant that survives is a rule that no test holds, or a line that could be simpler.
"""

import ast
import copy
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MODULES = [f"rules/{name}.py" for name in ("cards", "trick", "scoring", "standing", "deal", "view")] + [
    "match/__init__.py"
]
TESTS = [
    "tests/test_rules.py",
    "tests/test_cards.py",
    "tests/test_view.py",
    "tests/test_deal.py",
    "tests/test_match.py",
]
FLIPS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}


class Mutant(NamedTuple):
    module: str
    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.before}  →  {self.after}"


def main() -> int:
    mutants = [mutant for module in MODULES for mutant in _mutants(module)]
    survivors = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (mutant, killed) in enumerate(zip(mutants, pool.map(_is_killed, mutants), strict=True), 1):
            print(f"\r{number} of {len(mutants)}", end="", file=sys.stderr, flush=True)
            if not killed:
                survivors.append(mutant)
    print(file=sys.stderr)
    for mutant in survivors:
        print(f"survived: {mutant}")
    print(f"{len(mutants)} mutants, {len(survivors)} survived")
    return 1 if survivors or not mutants else 0


def _mutants(module: str) -> Iterator[Mutant]:
    text = (ROOT / "src/davidgoliath" / module).read_text(encoding="utf-8")
    for number in count():
        tree = ast.parse(text)
        changed = list(_changes(tree))
        if number == len(changed):
            return
        place, before, apply = changed[number]
        apply()
        yield Mutant(module, place.lineno, before, ast.unparse(place), ast.unparse(tree))


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr, str, "Change"]]:
    """Every single change that can be made to a tree: where, what stood there, and how to make it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for index, operator in enumerate(node.ops):
                for flip in FLIPS[type(operator)]:
                    yield node, ast.unparse(node), Change(node.ops, index, flip())
        elif isinstance(node, ast.BoolOp):
            yield (
                node,
                ast.unparse(node),
                Change(node.__dict__, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()),
            )
        elif isinstance(node, ast.Name) and node.id in ("min", "max"):
            yield node, node.id, Change(node.__dict__, "id", "max" if node.id == "min" else "min")
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield node, ast.unparse(node), Change(node.__dict__, "value", node.value + 1)
        elif isinstance(node, ast.IfExp):
            yield (
                node,
                ast.unparse(node),
                Change(node.__dict__, "test", ast.UnaryOp(ast.Not(), copy.deepcopy(node.test))),
            )
        elif isinstance(node, ast.If):
            yield (
                node.test,
                f"if {ast.unparse(node.test)}",
                Change(node.__dict__, "test", ast.UnaryOp(ast.Not(), node.test)),
            )


class Change:
    """A value to be put into a list or a node's fields."""

    def __init__(self, where: object, key: int | str, value: object) -> None:
        self.where, self.key, self.value = where, key, value

    def __call__(self) -> None:
        self.where[self.key] = self.value  # type: ignore[index]


def _is_killed(mutant: Mutant) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "src", folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        Path(folder, "davidgoliath", mutant.module).write_text(mutant.source, encoding="utf-8")
        environment = {
            **os.environ,
            "PYTHONPATH": folder,
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_PROFILE": "mutate",
        }
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *TESTS]
        try:
            return (
                subprocess.run(
                    command, cwd=ROOT, env=environment, capture_output=True, timeout=120, check=False
                ).returncode
                != 0
            )
        except subprocess.TimeoutExpired:
            return True
