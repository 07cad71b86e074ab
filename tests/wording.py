"""What tests of texts need: the program that asks for them, and what they are made of."""

from pathlib import Path
from string import Formatter

ROOT = Path(__file__).parent.parent
SOURCES = [
    file.read_text(encoding="utf-8") for pattern in ("src/**/*.py", "src/**/*.js") for file in ROOT.glob(pattern)
]


def forms(text: str | dict[str, str]) -> dict[str, str]:
    return {"": text} if isinstance(text, str) else text


def placeholders(text: str) -> set[str]:
    parts = list(Formatter().parse(text))
    assert all(not spec and not conversion for _, name, spec, conversion in parts if name is not None)
    return {name for _, name, _, _ in parts if name is not None}
