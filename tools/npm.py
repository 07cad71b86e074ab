"""The tools of the page's modules and styles, pinned with their hashes by the files in `lock`: `tsc` checks types,
Biome formats and lints.
"""

import shutil
import subprocess
from pathlib import Path

LOCKS = [Path("lock", name) for name in ("package.json", "package-lock.json")]
HOME = Path("build/npm")
TSC = HOME / "node_modules/typescript/bin/tsc"
BIOME = HOME / "node_modules/@biomejs/biome/bin/biome"


def why_not() -> str:
    """Why the page can't be checked here, or nothing if it can."""
    return "" if shutil.which("npm") else "there is no npm"


def types() -> str:
    """What is wrong with the page's types."""
    return install() or _failure_of("node", str(TSC), "--project", "jsconfig.json")


def lint() -> str:
    """What is wrong with the page's style, or what its linter doubts."""
    return install() or _failure_of("node", str(BIOME), "check", "--error-on-warnings")


def format_page() -> str:
    """Formats the page; what went wrong."""
    return install() or _failure_of("node", str(BIOME), "check", "--write")


def install() -> str:
    """Installs both unless they have been, from the same lock."""
    lock = "".join(file.read_text(encoding="utf-8") for file in LOCKS)
    stamp = HOME / "installed"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == lock:
        return ""
    HOME.mkdir(parents=True, exist_ok=True)
    for file in LOCKS:
        shutil.copy(file, HOME)
    failed = _failure_of("npm", "ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error", cwd=HOME)
    if not failed:
        stamp.write_text(lock, encoding="utf-8")
    return failed


def _failure_of(program: str, *words: str, cwd: Path = Path()) -> str:
    command = [shutil.which(program) or program, *words]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)
    return "" if done.returncode == 0 else f"{program} {' '.join(words)}\n{done.stdout}{done.stderr}".strip()
