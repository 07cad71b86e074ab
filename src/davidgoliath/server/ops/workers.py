"""Several processes behind one port, on one computer: a parent that does nothing but keep them running.

On Linux each worker has a socket of its own on the port, and the system spreads connections over those that are there:
when one dies, the next connection goes to another. Elsewhere they share the parent's socket. A worker that ends
unasked is followed by another, after a rest that grows if that happens often; if the parent ends, all do.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from davidgoliath.rules import Refusal
from davidgoliath.server.config import Settings, StartReason
from davidgoliath.server.ops.failures import Backoff, report
from davidgoliath.server.store.opening import is_postgres, open_store

SPREADS: Final = sys.platform == "linux"
"""Whether the system spreads connections over several sockets on one port."""
STEP: Final = 0.05
STEADY: Final = 5.0
"""A worker that has lived for so many seconds is followed by another at once."""

Work = Callable[[Settings, Callable[[object], None], socket.socket, int], None]
"""Serves in a process of its own, and says when it is there; the last is what can be read of the parent."""


def run_workers(settings: Settings, say: Callable[[], None], door: socket.socket, work: Work) -> None:
    """Keeps workers running until it is told to stop; `say` is told when all are there."""
    keeper = _Keeper(settings, door, work)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, keeper.stop)
    keeper.run(say)


def check_workers(settings: Settings) -> None:
    """Refuses what can't be, before any process is there to fail."""
    if os.name == "nt":
        raise Refusal(StartReason.NO_WORKERS_HERE)
    if not is_postgres(settings.database):
        raise Refusal(StartReason.WORKERS_NEED_POSTGRESQL)

    async def look() -> None:
        await (await open_store(settings.database, settings.listen_database)).close()

    asyncio.run(look())


def reserved(door: socket.socket) -> socket.socket:
    """The port of a socket that listens on it, for workers to share."""
    if not SPREADS:
        return door
    address, family = door.getsockname(), door.family
    door.close()
    return _beside(address, family)


def listening(door: socket.socket) -> socket.socket:
    """A worker's socket on the reserved port."""
    if not SPREADS:
        return door
    own = _beside(door.getsockname(), door.family)
    own.listen(1024)
    return own


def _beside(address: Any, family: socket.AddressFamily | int) -> socket.socket:
    door = socket.socket(family)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    door.bind(address)
    return door


@dataclass
class _Worker:
    """A place for a process."""

    number: int
    pid: int = 0
    begun: float = 0.0
    rest: Backoff = field(default_factory=Backoff)


class _Keeper:
    """The parent."""

    def __init__(self, settings: Settings, door: socket.socket, work: Work) -> None:
        self._settings, self._door, self._work = settings, door, work
        self._workers = [_Worker(number) for number in range(settings.workers)]
        self._stops = False
        self._alive = os.pipe()
        """Workers read from it: when the parent has gone, there is an end (EOF)."""
        self._ready = os.pipe()
        """Workers write to it when they serve."""

    def stop(self, *_: object) -> None:
        """Tells the workers to stop; a second time, to do so at once."""
        self._stops = True
        for worker in self._workers:
            if worker.pid:
                os.kill(worker.pid, signal.SIGTERM)

    def run(self, say: Callable[[], None]) -> None:
        os.set_blocking(self._ready[0], False)
        waited_for = len(self._workers)
        while not self._stops or any(worker.pid for worker in self._workers):
            for worker in self._workers:
                self._look_after(worker)
            if waited_for > 0:
                waited_for -= self._newly_ready()
                if waited_for <= 0:
                    say()
            time.sleep(STEP)

    def _newly_ready(self) -> int:
        try:
            return len(os.read(self._ready[0], 1024))
        except BlockingIOError:
            return 0

    def _look_after(self, worker: _Worker) -> None:
        if worker.pid:
            pid, _ = os.waitpid(worker.pid, os.WNOHANG)
            if not pid:
                return
            worker.pid = 0
            if time.monotonic() - worker.begun > STEADY:
                worker.rest.end()
            else:
                worker.rest.begin()
        if not self._stops and not worker.rest.left:
            worker.begun = time.monotonic()
            worker.pid = os.fork() or self._be(worker)

    def _be(self, worker: _Worker) -> int:
        """In the new process: it never returns."""
        try:
            os.setpgid(0, 0)  # an interrupt at the terminal is for the parent
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            os.close(self._alive[1])
            ports = self._settings.metrics
            own = replace(self._settings, metrics=ports + worker.number if ports else ports)
            self._work(own, lambda _: self._say_ready(), self._door, self._alive[0])
        except Exception as error:  # noqa: BLE001 - it ends here, and the parent starts another
            report(error)
        finally:
            os._exit(0)  # what else the parent would do at its end is not for this process

    def _say_ready(self) -> None:
        os.write(self._ready[1], b".")
