"""`./dg lock`: pins every dependency with its hashes, for all systems and Python versions, naming no registry."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

FLAGS = "--universal --python-version 3.11 --generate-hashes --no-build --no-header --no-annotate --upgrade"
EXTRAS = "--extra plot --extra postgresql --no-strip-extras"
SILENT = "--no-emit-index-url --no-emit-find-links --quiet"
NPM_FLAGS = "--package-lock-only --omit-lockfile-registry-resolved --silent"
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
    subprocess.run([npm, "install", *NPM_FLAGS.split()], cwd="lock", check=True)
    _without_funding(Path("lock/package-lock.json"))
    print("lock/package-lock.json")
    return 0


def _without_funding(lock: Path) -> None:
    """A lock says what is installed: no address is needed for that."""
    known = json.loads(lock.read_text(encoding="utf-8"))
    for package in known["packages"].values():
        package.pop("funding", None)
    lock.write_text(json.dumps(known, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
