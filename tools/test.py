"""`./dg test`: lint, types, layers, docs, tests and the wheel, side by side. With other arguments: only pytest.

Tests that are marked `slow` run in `./dg test all` only, with more examples of each property: whoever changes
something has a smoke test of every capability in some minutes, and all of it before the change is called done.
"""

import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import chromium, npm, postgres
from tools.soak import cut

COMPILE = "import davidgoliath.kernel.batch, davidgoliath.kernel.value, davidgoliath.bots.expert, tools.train.gradient"
"""All that is compiled; else both processes of the tests would compile it when they begin."""
PYTEST = ["pytest", "--quiet", "--numprocesses", "2", "--cov", "--cov-report", "term"]
QUICK = ["-m", "not slow"]


def main() -> int:
    words = sys.argv[1:]
    if words not in ([], ["all"]):
        return subprocess.call([sys.executable, "-m", "pytest", *words])
    begun = time.monotonic()
    tests = PYTEST if words else [*PYTEST, *QUICK]
    examples = {"HYPOTHESIS_PROFILE": "all"} if words else {}
    skipped = {name: why for name, why_not in SKIPS.items() if (why := why_not())}
    with ThreadPoolExecutor(1) as beside:
        checks = {name: beside.submit(check) for name, check in CHECKS.items() if name not in skipped}
        subprocess.call([sys.executable, "-c", COMPILE])
        tests_failed = subprocess.call([sys.executable, "-m", *tests], env={**examples, **os.environ}) != 0
        failed = ["tests"] if tests_failed else []
        for name, check in checks.items():
            output = check.result()
            print(f"{name}: {'failed' if output else 'ok'}")
            if output:
                print(output)
                failed.append(name)
    for name, why in skipped.items():
        print(f"NOT CHECKED: {name}, because {why}.")
    took = divmod(round(time.monotonic() - begun), 60)
    print(f"Failed: {', '.join(failed)}" if failed else "All else is well." if skipped else "All is well.", end=" ")
    print(f"(It took {took[0]} min {took[1]} s.)")
    return 1 if failed else 0


def _module(*words: str) -> Callable[[], str]:
    return lambda: _output_of_failure([sys.executable, "-m", *words])


def _program(*words: str) -> Callable[[], str]:
    program = Path(sys.executable).with_name(words[0])
    return lambda: _output_of_failure([str(program), *words[1:]])


def _output_of_failure(command: list[str], stdin: str = "", **environment: str) -> str:
    """Nothing if a command succeeds, else what it printed."""
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, encoding="utf-8", check=False, env=environment or None
    )
    return "" if done.returncode == 0 else f"{' '.join(command)}\n{done.stdout}{done.stderr}".strip()


def _wheel() -> str:
    """Builds the wheel, installs it in an empty environment, and plays a match of one deal from there."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty")
        scripts = empty / ("Scripts" if sys.platform == "win32" else "bin")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
        failure = _output_of_failure([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, "."])
        if failure:
            return failure
        venv.create(empty, with_pip=True)
        (wheel,) = Path(folder).glob("*.whl")
        pip[0] = str(scripts / "python")
        every_card = "".join(f"{colour}{value}\n" for colour in "RYGBV" for value in range(1, 10))
        play = [str(scripts / "davidgoliath"), "terminal", "--players", "3", "--rules", "single", "--seed", "7"]
        return (
            _output_of_failure(
                [*pip, "install", "--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", "lock/run.txt"]
            )
            or _output_of_failure([*pip, "install", "--no-deps", str(wheel)])
            or _output_of_failure([*pip, "check"])
            or _output_of_failure(play, every_card * 15, DAVIDGOLIATH_DATA=str(Path(folder, "data")))
            or _output_of_failure([play[0], "record", "check", str(Path(folder, "data", "matches", "0001.dgn"))])
        )


CHECKS = {
    "lint": _module("ruff", "check", "."),
    "format": _module("ruff", "format", "--check", "--quiet", "."),
    "layers": _program("lint-imports"),
    "types": _module("mypy"),
    "page types": npm.types,
    "page lint": npm.lint,
    "docs": _module("tools", "docs", "--check"),
    "wheel": _wheel,
}
SKIPS = {
    "page types": npm.why_not,
    "page lint": npm.why_not,
    "the page in a browser": chromium.why_not,
    "the static site": npm.why_not,
    "the store and the workers on PostgreSQL": postgres.why_not,
    "workers that lose the network to their database": cut.why_not,
}
