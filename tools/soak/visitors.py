"""`python -m tools.soak.visitors`: people who open the page within some seconds, all from one address.

Takes a `Task` on standard input, and gives a `Result` on standard output. Each of them does what a browser does: it
fetches the page, on six connections all that the page names, and what its scripts fetch besides; then it makes somebody
new and a table, and takes a seat there.
"""

import asyncio
import contextlib
import gzip
import json
import re
import sys
import time
from collections import Counter

import msgspec

from tools.crowd import READ, Line
from tools.soak.caller import PATIENCE, Answer, Caller, dial

CONNECTIONS = 6
"""So many a browser opens to one server."""
NAMED = re.compile(r'(?:href|src)="(/[^"]+)"')
FETCHED = ("texts/en.json", "art/15.svg")
"""What scripts of the page fetch, by its name within the build."""
BUILD = re.compile(r"/web/[0-9a-f]+/")
STAY = 3.0
"""So many seconds everyone stays at the table."""
TROUBLE = (OSError, EOFError, TimeoutError, KeyError, AttributeError, ValueError, IndexError)
"""What somebody meets with who isn't served."""


class Task(msgspec.Struct):
    """Who comes."""

    address: str
    source: str
    people: int
    within: float
    """So many seconds lie between the first and the last of them."""
    is_proxy: bool = False
    """Whether they come by a proxy that says who each of them is."""
    connections: int = 0
    """So many a proxy holds open besides, for as many others."""


class Result(msgspec.Struct):
    """How they were served."""

    seconds: list[float]
    """From the first request of each until the table was there."""
    files: int
    refused: dict[str, int]
    """What wasn't served, and why."""


class Visitors:
    """All of them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.seconds: list[float] = []
        self.files = 0
        self.refused: Counter[str] = Counter()
        self._lines: list[Line] = []

    async def come(self) -> Result:
        task = self.task
        everyone = [self._come(number, number * task.within / task.people) for number in range(task.people)]
        await asyncio.gather(self._hold(), *everyone)
        for line in self._lines:
            line.transport.abort()
        return Result(self.seconds, self.files, dict(self.refused))

    def _caller(self, number: int) -> Caller:
        forwarded = {"X-Forwarded-For": f"10.0.{number // 250}.{number % 250 + 1}"} if self.task.is_proxy else {}
        return Caller(self.task.address, self.task.source, forwarded)

    async def _hold(self) -> None:
        """All connections are open before the first of them asks."""
        callers = [self._caller(1000 + number) for number in range(self.task.connections)]
        for caller in callers:
            with contextlib.suppress(OSError):
                await caller.connect()
        for caller in callers:
            try:
                self._expect(200, await caller.ask("/"))
            except TROUBLE as trouble:
                self.refused[f"a proxy's connection: {type(trouble).__name__}"] += 1
        await asyncio.sleep(self.task.within / 2)
        for caller in callers:
            caller.close()

    async def _come(self, number: int, after: float) -> None:
        await asyncio.sleep(after)
        begun = time.perf_counter()
        callers = [self._caller(number) for _ in range(CONNECTIONS)]
        try:
            had = await self._open_page("/", callers, set())
            table, token = await self._make_table(callers[0])
            await self._open_page(f"/t/{table}", callers, had)
            await self._sit_down(table, token)
            self.seconds.append(time.perf_counter() - begun)
            await asyncio.sleep(STAY)
        except TROUBLE as trouble:
            self.refused[f"{type(trouble).__name__} {trouble}"[:80]] += 1
        finally:
            for caller in callers:
                caller.close()

    async def _open_page(self, path: str, callers: list[Caller], had: set[str]) -> set[str]:
        """With all that it names and the browser doesn't have."""
        page = self._expect(200, await callers[0].ask(path)).body
        html = gzip.decompress(page).decode()
        build = BUILD.search(html)
        named = {*NAMED.findall(html), "/sw.js", "/api/server", *(f"{build[0]}{name}" for name in FETCHED if build)}
        waiting = iter(sorted(named - had))

        async def fetch(caller: Caller) -> None:
            for path in waiting:
                self._expect(200, await caller.ask(path))
                self.files += 1

        await asyncio.gather(*map(fetch, callers))
        return named

    async def _make_table(self, caller: Caller) -> tuple[str, str]:
        token = self._expect(201, await caller.ask("/api/people", {"name": "Visitor"})).said["token"]
        terms = {"seats": [None, "random", "casual"], "rules": "classic"}
        table = self._expect(201, await caller.ask("/api/tables", terms, token)).said["table"]
        self._expect(200, await caller.ask("/api/me", token=token))
        return table, token

    async def _sit_down(self, table: str, token: str) -> None:
        seated = asyncio.get_running_loop().create_future()

        def hear(_: Line, text: bytes) -> None:
            if not seated.done() and not text.startswith(b"["):
                heard = READ(text)
                if heard.type == "batch":
                    seated.set_result(None)
                elif heard.type == "refused":
                    seated.set_exception(ValueError(text.decode()))

        line = Line(f"/api/tables/{table}/socket", hear)
        await dial(line, self.task.address, self.task.source)
        self._lines.append(line)
        line.say(json.dumps({"type": "hello", "protocol": 1, "build": "", "token": token}).encode())
        async with asyncio.timeout(PATIENCE):
            await seated

    def _expect(self, status: int, answer: Answer) -> Answer:
        if answer.status != status:
            raise ValueError(f"{answer.status} {answer.body[:60]!r}")
        return answer


def main() -> None:
    from davidgoliath.server.run import new_loop

    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    with asyncio.Runner(loop_factory=new_loop) as runner:
        result = runner.run(Visitors(task).come())
    sys.stdout.buffer.write(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
