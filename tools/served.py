"""A real server in a process of its own, and people at its tables, for tests and pictures of the page."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.request import Request, urlopen

from davidgoliath.server.config import Limits

if TYPE_CHECKING:
    from playwright.sync_api import StorageState

IMPATIENT = """
import sys
from functools import partial
from davidgoliath.cli import main
serve = sys.modules["davidgoliath.cli.serve"]
serve.Timing = partial(serve.Timing, grace={grace}, answer={answer})
sys.exit(main(sys.argv[1:]))
"""
PLACE = "/games/goliath/"
"""Where a site lies at its host: below other things."""
LIMITS = [field.name for field in fields(Limits) if field.name != "proxies"]
NO_LIMITS = tuple(word for limit in LIMITS for word in (f"--most-{limit}", "0"))


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom the server knows."""

    id: str
    token: str
    name: str


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs."""

    address: str
    process: int
    """Its id, for those who mean to end it."""

    def at(self, path: str) -> str:
        """Where a page is, from that address."""
        return path

    def person(self, name: str = "Anna") -> Person:
        """Somebody new."""
        made = self.ask("/api/people", {"name": name})
        return Person(made["person"], made["token"], name)

    def table(self, host: Person, seats: Sequence[str | None], rules: str = "classic", **terms: object) -> str:
        """The path of a new table, with bots by name, and None for open seats."""
        made = self.ask("/api/tables", {"seats": seats, "rules": rules, **terms}, host.token)
        return f"/t/{made['table']}"

    def storage(self, person: Person | None = None, **settings: object) -> "StorageState":
        """What the browser of a person keeps, or of a newcomer, for a new context."""
        known = {"token": person.token, "person": person.id, "name": person.name} if person else {}
        kept = {**known, "settings": settings}
        return {"origins": [{"origin": self.origin, "localStorage": [{"name": self.key, "value": json.dumps(kept)}]}]}

    @property
    def origin(self) -> str:
        return self.address

    @property
    def key(self) -> str:
        """By which the page keeps what it knows."""
        return "dg"

    def ask(self, path: str, body: object = None, token: str = "") -> dict[str, Any]:
        """An answer in JSON; without a body, to a question that has none."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data, headers)  # noqa: S310
        with urlopen(request, timeout=30) as response:  # noqa: S310
            answer: dict[str, Any] = json.load(response)
            return answer


@dataclass(frozen=True, slots=True)
class ServedSite(Served):
    """A static site, below its host's address, as any host gives files. It knows nobody."""

    def at(self, path: str) -> str:
        return f"#{path}"

    @property
    def origin(self) -> str:
        return self.address.partition(PLACE)[0]

    @property
    def key(self) -> str:
        return f"dg {PLACE}"


@contextmanager
def served_site(folder: Path) -> Iterator[ServedSite]:
    """Gives the files of a folder of sites, one of which lies at `PLACE`."""
    serve = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    command = [sys.executable, *serve]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            found = re.search(r"http://[\d.:]+", process.stdout.readline())
            assert found, "there is no host"
            yield ServedSite(found[0] + PLACE, process.pid)
        finally:
            process.terminate()


def impatient(grace: float = 1.0, answer: float = 60.0) -> tuple[str, ...]:
    """The program, but somebody is away after fewer seconds than anybody has to wait for elsewhere."""
    return "-c", IMPATIENT.format(grace=grace, answer=answer)


@contextmanager
def served(
    folder: Path, *options: str, log: IO[bytes] | None = None, program: Sequence[str] = ("-m", "davidgoliath")
) -> Iterator[Served]:
    """Serves from a folder of its own, on a port that the system chooses, with bots that don't wait."""
    serve = ["serve", "--port", "0", "--pace", "0", "--database", str(folder / "tables.db"), *NO_LIMITS, *options]
    command = [sys.executable, *program, *serve]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert "http://" in line, f"the server didn't start: {line}"
            yield Served(line.split()[-1], process.pid)
        finally:
            process.terminate()
