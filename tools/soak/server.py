"""The real server in a process of its own, for those who give it trouble."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from tools.served import NO_LIMITS

ROOT = Path(__file__).parent.parent.parent
QUICK = ("--bot", "random", "--pace", "0", *NO_LIMITS)
"""For those who ask more of a server than people would."""


class Server:
    """A server on a free port. What it writes to standard error is kept in a file beside its database."""

    def __init__(
        self,
        database: Path,
        *options: str,
        address: str = "",
        within: Sequence[str] = (),
        usual: Sequence[str] = QUICK,
    ) -> None:
        """With an `address` the tables are there, and not in the file; `within` is a command that runs another."""
        serve = [sys.executable, "-m", "davidgoliath", "serve", "--port", "0", *usual]
        environment = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        self._complaints = database.with_suffix(".stderr")
        with self._complaints.open("ab") as complaints:
            self.process = subprocess.Popen(
                [*within, *serve, "--database", address or str(database), *options],
                stdout=subprocess.PIPE,
                stderr=complaints,
                cwd=ROOT,
                env=environment,
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline().decode().split()
        assert said, self.complaints
        self.address = said[-1]

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.kill()

    def kill(self) -> None:
        """As the system would when memory is short: it has no chance to tidy up."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    @property
    def complaints(self) -> str:
        """All that it and those before it on this database wrote to standard error."""
        return self._complaints.read_text(encoding="utf-8", errors="replace")
