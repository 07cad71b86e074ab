"""`./dg lock`: pins every dependency with its hashes, for all systems and Python versions, naming no registry."""

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
    print("lock/package-lock.json")
    return 0
