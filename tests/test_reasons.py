"""Every reason belongs to an enumeration of the layer that gives it, is given somewhere, and has a text everywhere."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from davidgoliath.rules import ReasonCode
from davidgoliath.texts import LANGUAGES, catalogue
from tests.wording import SOURCES, forms, placeholders

SOURCE = Path(__file__).parent.parent / "src"
TREES = {file.relative_to(SOURCE): ast.parse(file.read_text(encoding="utf-8")) for file in SOURCE.rglob("*.py")}
REFUSALS = {"Refusal", "NotationError", "IllegalPlay"}


def enumerations() -> Iterator[type[ReasonCode]]:
    """All that there are, wherever they stand."""
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "ReasonCode" for base in node.bases):
                module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
                yield getattr(import_module(module), node.name)


ENUMERATIONS = list(enumerations())
REASONS = [reason for kind in ENUMERATIONS for reason in kind]
BY_NAME = {str(reason): reason for reason in REASONS} | {f"{type(each).__name__}.{each.name}": each for each in REASONS}


def refusals() -> Iterator[tuple[Path, ast.Call]]:
    """Every place where something is refused."""
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS:
                yield path, node


def given(call: ast.Call) -> list[ReasonCode]:
    """The reasons that may be given there: none if it hands on that of another refusal."""
    parts = {ast.unparse(node) for node in ast.walk(call.args[0]) if isinstance(node, ast.Attribute)}
    return [BY_NAME[part] for part in parts if part in BY_NAME]


def test_enumerations_are_found() -> None:
    assert len(ENUMERATIONS) == len(ReasonCode.__subclasses__()) > 10


def test_a_code_belongs_to_one_enumeration_and_is_its_members_name() -> None:
    assert len(REASONS) == len({str(reason) for reason in REASONS})
    assert [reason for reason in REASONS if reason != reason.name.lower()] == []


def test_no_reason_is_spelt_where_it_is_given() -> None:
    raw = [
        f"{path}:{call.lineno}"
        for path, call in refusals()
        if any(isinstance(node, ast.Constant) and isinstance(node.value, str) for node in ast.walk(call.args[0]))
    ]
    assert raw == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ENUMERATIONS, ids=lambda kind: kind.__name__)
def test_every_reason_has_a_text(language: str, kind: type[ReasonCode]) -> None:
    assert [reason for reason in kind if f"error.{reason}" not in catalogue(language)] == []


def test_every_reason_is_given_somewhere() -> None:
    assert set(REASONS) - {reason for _, call in refusals() for reason in given(call)} == set()


def test_every_error_text_belongs_to_a_reason_or_a_command() -> None:
    code = "\n".join(SOURCES)
    errors = {key for key in catalogue("en") if key.startswith("error.")} - {f"error.{reason}" for reason in REASONS}
    assert {key for key in errors if f'"{key}"' not in code} == set()


def test_a_refusal_has_the_arguments_that_its_text_shows() -> None:
    for path, call in refusals():
        names = {keyword.arg for keyword in call.keywords}
        for reason in given(call) if None not in names else ():
            shown = set().union(*map(placeholders, forms(catalogue("en")[f"error.{reason}"]).values()))
            assert shown <= names, f"{path}:{call.lineno} {reason}"
