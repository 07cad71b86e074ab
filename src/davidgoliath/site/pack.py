"""Runs in the browser's Python while a site is built (`pack.mjs`): compiles all modules, and packs what is needed.

Only the standard library is here, and what these folders hold; the bytes depend on nothing else.
"""

import importlib.util
import marshal
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Final

PARTS: Final = Path("/parts")
PROGRAM: Final = Path("/program")
OUT: Final = Path("/out")
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
UNCHECKED: Final = b"\x01\0\0\0"
"""A compiled module that needn't be compared with its source."""
QUICK_START: Final = ("davidgoliath/site/quick_start.py", "sitecustomize.py")
"""What Python imports before all else, and by which name."""
COMPILED: Final = "compiled.bin"
"""What it looks for there."""
READS_ITSELF: Final = b"_lazyimport"
"""A module of anyio that looks into its own source."""
DATA: Final = (".json", ".txt", ".net")
UNITS: Final = 8
"""Of the code, at most, for which there is one entry in the table of its lines."""
NO_LINE: Final = 0xF8
"""Such an entry, for one of them."""


def write_all() -> None:
    """Everything, for the rehearsal; and beside it what can't be in an archive."""
    _write("all.zip", lambda name: True)


def write_needed(modules: Iterable[str], texts: Mapping[str, str]) -> None:
    """What is needed of it, by the modules that were, and by the texts that these compiled."""
    needed = set(modules)
    folders = {module.replace(".", "/") for module in needed}

    def is_needed(name: str) -> bool:
        stem, _, ending = name.rpartition(".")
        if ending in ("py", "pyc"):
            return stem.removesuffix("/__init__").replace("/", ".") in needed
        folder = name.rpartition("/")[0].removesuffix("/networks")
        return name.startswith("davidgoliath/") and folder in folders

    known = {text: compile(text, "<string>", kind) for text, kind in sorted(texts.items())}
    _write("python.zip", is_needed, {COMPILED: marshal.dumps(known)})
    (OUT / "all.zip").unlink()


def _write(name: str, wanted: Callable[[str], bool], more: Mapping[str, bytes] = MappingProxyType({})) -> None:
    files = {**_library(), **_wheels(), **_program()}
    files[QUICK_START[1]] = files[QUICK_START[0]]
    with zipfile.ZipFile(OUT / name, "w") as archive:
        for file, content in more.items():
            archive.writestr(zipfile.ZipInfo(file, LONG_AGO), content)
        for file, content in sorted(files.items()):
            if file.endswith(".py") and READS_ITSELF not in content:
                file, content = f"{file}c", _compiled(file, content)
            if wanted(file):
                archive.writestr(zipfile.ZipInfo(file, LONG_AGO), content)


def _library() -> dict[str, bytes]:
    with zipfile.ZipFile(PARTS / "pyodide/python_stdlib.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}


def _wheels() -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for wheel in sorted((PARTS / "wheels").iterdir()):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.endswith(".py"):
                    found[name] = archive.read(name)
                elif name.endswith(".so"):
                    (OUT / "msgspec_core.so").write_bytes(archive.read(name))
    return found


def _program() -> dict[str, bytes]:
    files = (file for file in PROGRAM.rglob("*") if file.suffix in (".py", *DATA))
    return {f"davidgoliath/{file.relative_to(PROGRAM)}": file.read_bytes() for file in files}


def _compiled(name: str, source: bytes) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    if not name.startswith("davidgoliath/"):
        code = without_lines(code)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED + importlib.util.source_hash(source)
    return head + marshal.dumps(code)


def without_lines(code: CodeType) -> CodeType:
    """Without the lines of its source, a sixth of it: what others wrote isn't looked for errors here.

    An error's way through it can still be told: each instruction has an entry, which says that its line isn't known.
    """
    constants = [without_lines(part) if isinstance(part, CodeType) else part for part in code.co_consts]
    whole, rest = divmod(len(code.co_code) // 2, UNITS)
    lines = bytes([NO_LINE + UNITS - 1]) * whole + bytes([NO_LINE + rest - 1][: min(rest, 1)])
    return code.replace(co_linetable=lines, co_consts=tuple(constants))
