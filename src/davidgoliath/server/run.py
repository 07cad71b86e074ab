"""Runs the server: one command on one machine, in one process or several (`workers`).

What takes long, the kernel above all, is loaded while the page is served already.
"""

import asyncio
import gc
import logging
import os
import secrets
import signal
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from davidgoliath import __version__
from davidgoliath.rules import Refusal
from davidgoliath.server import metrics
from davidgoliath.server.app import Offer, make_app
from davidgoliath.server.farewell import Server
from davidgoliath.server.gate import most_connections
from davidgoliath.server.hall import Hall
from davidgoliath.server.limits import Limits
from davidgoliath.server.link import bracketed, network_address
from davidgoliath.server.logs import Form, note, set_up
from davidgoliath.server.opening import open_store
from davidgoliath.server.room import Pace
from davidgoliath.server.store import DAY, IDLE_FOR, WAITING_FOR, Instance
from davidgoliath.server.sweeper import keep_swept
from davidgoliath.server.thinkers import Thinkers
from davidgoliath.server.web import Web
from davidgoliath.server.workers import check_workers, listening, reserved, run_workers

LOG: Final = logging.getLogger(__name__)
PORTS: Final = 20
"""So many ports are tried, from the one that is wanted."""
ANYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - for those who ask for it
"""Hosts that stand for all addresses of a computer, and what it calls itself there."""
RARELY: Final = (50_000, 50, 100)
"""When Python looks for garbage in circles: there is hardly any, and with many tables a look takes a long time."""
BACKLOG: Final = 1024
"""So many connections may wait to be taken in."""


@dataclass(frozen=True, slots=True)
class Served:
    """Where a server is."""

    address: str
    """On this computer."""
    network: str | None = None
    """In its network."""
    is_other: bool = False
    """Whether it was there before, on the same data."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that an operator may choose."""

    bots: Sequence[str]
    """The bots that tables may have: a server runs no others."""
    host: str = "127.0.0.1"
    port: int = 8642
    database: str | None = None
    """A file, or the address of a PostgreSQL database. None: in the user's data directory."""
    listen_database: str | None = None
    """Another address of the same database, past a pooler that can't let a server listen."""
    workers: int = 1
    """So many processes share the port."""
    pace: Pace = Pace()
    unstarted_days: float = WAITING_FOR / DAY
    """After so many days a table that never started goes."""
    idle_days: float = IDLE_FOR / DAY
    """After so many days without an event any table goes."""
    limits: Limits = Limits()
    hosts: Sequence[str] = ()
    """Names by which people come, besides this computer's own; "*" is any."""
    public_list: bool = False
    """Whether everyone may see the tables that want to be found."""
    log: Form = Form.TEXT
    log_level: str = "warning"
    drain: float = 0.0
    """So many seconds it serves on after it was told to stop, and says that it isn't ready."""
    metrics: int | None = None
    """The port where Prometheus finds figures; None: nowhere."""
    metrics_host: str = "127.0.0.1"

    def network(self) -> str | None:
        """This computer's address in its network, if others can reach the server by it."""
        return network_address() if self.host in ANYWHERE else None

    def served(self, port: int) -> Served:
        """Where the server is, once it has its port."""
        host, network = ANYWHERE.get(self.host, self.host), self.network()
        return Served(f"http://{bracketed(host)}:{port}", network and f"http://{bracketed(network)}:{port}")

    @property
    def offer(self) -> Offer:
        return Offer(self.public_list, self.unstarted_days, self.idle_days, self.network)


def new_loop() -> asyncio.AbstractEventLoop:
    """The fastest event loop that there is here."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def run(settings: Settings, say: Callable[[Served], None]) -> None:
    """Serves until it is told to stop. `say` gets to know where, or that there is another server on this data."""
    if settings.workers == 1:
        _run_here(settings, say)
    else:
        check_workers(settings)
        Web.load()  # once, and not by every worker that takes the place of another
        run_workers(settings, say, reserved(_bound(settings)), _run_here)


def _run_here(
    settings: Settings, say: Callable[[Served], None], door: socket.socket | None = None, parent: int | None = None
) -> None:
    """In this process, which may be one of several."""
    gc.set_threshold(*RARELY)
    set_up(settings.log, settings.log_level)
    figures = metrics.published(settings.metrics_host, settings.metrics)
    with figures, asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(serve(settings, say, door, parent))


async def serve(
    settings: Settings, say: Callable[[Served], None], door: socket.socket | None = None, parent: int | None = None
) -> None:
    """The same, within an event loop. With the end of what can be read of its parent, a worker ends too."""
    asyncio.get_running_loop().set_exception_handler(_reported)
    store = await open_store(settings.database, settings.listen_database, checks=True)
    neighbours = store.neighbours()
    thinkers = sweeping = None
    try:
        door = door or _bound(settings)
        if parent is not None:
            asyncio.get_running_loop().add_reader(parent, _end_with, parent)
        here = settings.served(door.getsockname()[1])
        instance = await store.announce(Instance(here.address, os.getpid(), time.time()))
        if instance.address != here.address:
            door.close()
            say(Served(instance.address, is_other=True))
            return
        threads = max(1, ((os.cpu_count() or 2) - 1) // settings.workers)
        thinkers = Thinkers(settings.bots, threads, lambda: Random(secrets.randbits(64)))
        hall = Hall(metrics.measured(store), thinkers, pace=settings.pace, neighbours=neighbours)
        neighbours.start(hall)
        await neighbours.ready()
        most = most_connections()
        app = make_app(hall, settings.limits, settings.offer, settings.hosts, most)
        server = Server(app, settings.drain, backlog=min(BACKLOG, most))
        if parent is not None:
            door = listening(door)  # not before: the system would send people to somebody who isn't there yet
        serving = asyncio.create_task(server.serve([door]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        note(LOG, logging.INFO, "started", version=__version__, build=Web.load().build, address=here.address)
        say(here)
        ages = settings.unstarted_days * DAY, settings.idle_days * DAY
        sweeping = asyncio.create_task(keep_swept(store, *ages, in_use=lambda: hall.tables, neighbours=neighbours))
        metrics.TABLES.set_function(lambda: len(hall.tables))
        metrics.BOTS_WAITING.set_function(lambda: thinkers.waiting)
        await serving
    finally:
        if sweeping:
            sweeping.cancel()
        if thinkers:
            thinkers.close()
        await neighbours.close()
        await store.close()
        note(LOG, logging.INFO, "stopped")


def _end_with(parent: int) -> None:
    asyncio.get_running_loop().remove_reader(parent)
    os.kill(os.getpid(), signal.SIGTERM)


def _reported(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a task failed by that nobody waited for: asyncio itself would log the error's message."""
    note(LOG, logging.ERROR, "failed", context.get("exception"), what=context["message"])


def _bound(settings: Settings) -> socket.socket:
    """A socket on the first free port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in range(settings.port, settings.port + PORTS) if settings.port else (0,):
        door = socket.socket(family)
        if os.name != "nt":
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((settings.host, port))
            door.listen(BACKLOG)
            return door
        except OSError as error:
            door.close()
            failure = error
    raise Refusal("no_port", host=settings.host, port=settings.port, why=failure.strerror)
