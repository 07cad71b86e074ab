"""`./dg lock`: pins every dependency with its hashes, for all systems and Python versions, naming no registry."""

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

FLAGS = "--universal --python-version 3.11 --generate-hashes --no-build --no-header --no-annotate --upgrade"
EXTRAS = "--extra plot --extra postgresql --no-strip-extras"
SILENT = "--no-emit-index-url --no-emit-find-links --quiet"
NPM_FLAGS = "--package-lock-only --omit-lockfile-registry-resolved --silent"
OF_SITES = Path("src/davidgoliath/site/lock")
"""Is in the wheel too, since whoever has it can make a site."""
IN_BROWSERS = ("anyio", "msgspec", "starlette")
GROUPS = {"run": "build", "dev": "dev", "bench": "bench"}


def main() -> int:
    uv, npm = shutil.which("uv"), shutil.which("npm")
    if not uv or not npm:
        print("./dg lock needs uv and npm on the PATH.", file=sys.stderr)
        return 1
    for kind, group in GROUPS.items():
        lock = Path("lock", f"{kind}.txt")
        command = [uv, "pip", "compile", *FLAGS.split(), *SILENT.split(), *EXTRAS.split(), "pyproject.toml"]
        subprocess.run([*command, "--group", group, "--output-file", str(lock)], check=True)
        print(lock)
    for folder in (Path("lock"), OF_SITES):
        subprocess.run([npm, "install", *NPM_FLAGS.split()], cwd=folder, check=True)
        _without_funding(folder / "package-lock.json")
        print(folder / "package-lock.json")
    (OF_SITES / "python.txt").write_text(for_sites(), encoding="utf-8", newline="\n")
    print(OF_SITES / "python.txt")
    return 0


def for_sites() -> str:
    """What a site needs of that which the program is installed with."""
    lines = Path("lock/run.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    starts = [place for place, line in enumerate(lines) if not line.startswith(" ")]
    parts = [lines[start:end] for start, end in pairwise([*starts, len(lines)])]
    return "".join(line for part in parts if part[0].partition("==")[0] in IN_BROWSERS for line in part)


def _without_funding(lock: Path) -> None:
    """A lock says what is installed: no address is needed for that."""
    known = json.loads(lock.read_text(encoding="utf-8"))
    for package in known["packages"].values():
        package.pop("funding", None)
    lock.write_text(json.dumps(known, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
