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
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final

from davidgoliath import __version__
from davidgoliath.rules import Refusal
from davidgoliath.server.asgi.app import make_app
from davidgoliath.server.asgi.assets import Assets
from davidgoliath.server.asgi.connection_limits import most_connections
from davidgoliath.server.asgi.graceful_shutdown import Server
from davidgoliath.server.asgi.invite_link import bracketed, network_address
from davidgoliath.server.asgi.site_folder import SiteFolder
from davidgoliath.server.config import Settings, StartReason
from davidgoliath.server.ops import metrics
from davidgoliath.server.ops.logs import note, set_up
from davidgoliath.server.ops.workers import check_workers, listening, reserved, run_workers
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.store.cleanup import keep_swept
from davidgoliath.server.store.contract import Instance
from davidgoliath.server.store.opening import open_store

LOG: Final = logging.getLogger(__name__)
PORTS: Final = 20
"""So many ports are tried, from the one that is wanted."""
ANYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - for those who ask for it
"""Hosts that stand for all addresses of a computer, and what it calls itself there."""
RARELY: Final = (20_000, 10, 1_000)
"""When Python looks for garbage in circles: there is hardly any, and with many tables a look at all takes a long time;
but what was young at the last look is looked at soon, or whoever comes and goes would fill the memory."""
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


def network(settings: Settings) -> str | None:
    """This computer's address in its network, if others can reach the server by it."""
    return network_address() if settings.host in ANYWHERE else None


def addresses(settings: Settings, port: int) -> Served:
    """Where the server is, once it has its port."""
    host, others = ANYWHERE.get(settings.host, settings.host), network(settings)
    return Served(f"http://{bracketed(host)}:{port}", others and f"http://{bracketed(others)}:{port}")


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
        Assets.load()  # once, and not by every worker that takes the place of another
        door = reserved(_bound(settings))
        run_workers(settings, lambda: say(addresses(settings, door.getsockname()[1])), door, _run_here)


def _run_here(
    settings: Settings, say: Callable[[Served], None], door: socket.socket | None = None, parent: int | None = None
) -> None:
    """In this process, which may be one of several."""
    gc.set_threshold(*RARELY)
    set_up(settings.log, settings.log_level)
    figures = metrics.published(settings.metrics_host, settings.metrics, Assets.load().build)
    with figures, asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(serve(settings, say, door, parent))


async def serve(
    settings: Settings, say: Callable[[Served], None], door: socket.socket | None = None, parent: int | None = None
) -> None:
    """The same, within an event loop. A worker ends with what can be read of its parent: with EOF on the pipe."""
    asyncio.get_running_loop().set_exception_handler(_reported)
    site = SiteFolder(settings.site) if settings.site else None
    store = await open_store(settings.database, settings.listen_database, checks=True)
    peers = store.peers()
    bot_pool = sweeping = settling = None
    try:
        door = door or _bound(settings)
        if parent is not None:
            asyncio.get_running_loop().add_reader(parent, _end_with, parent)
        here = addresses(settings, door.getsockname()[1])
        instance = await store.announce(Instance(here.address, os.getpid(), time.time()))
        if instance.address != here.address:
            door.close()
            say(Served(instance.address, is_other=True))
            return
        threads = max(1, ((os.cpu_count() or 2) - 1) // settings.workers)
        bot_pool = BotPool(settings.bots, threads, lambda: Random(secrets.randbits(64)))
        registry = Registry(metrics.measured(store), bot_pool, timing=settings.timing, peers=peers)
        peers.start(registry)
        await peers.ready()
        most = most_connections()
        app = make_app(
            registry,
            Assets.load(),
            limits=settings.limits,
            offer=settings.offer,
            allowed=settings.hosts,
            connections=most,
            network=partial(network, settings),
            site=site,
        )
        server = Server(app, settings.drain, backlog=min(BACKLOG, most))
        if parent is not None:
            door = listening(door)  # not before: the system would send people to somebody who isn't there yet
        serving = asyncio.create_task(server.serve([door]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        note(LOG, logging.INFO, "started", version=__version__, build=Assets.load().build, address=here.address)
        say(here)
        swept = keep_swept(store, settings.offer, in_use=lambda: registry.tables, peers=peers)
        sweeping = asyncio.create_task(swept)
        metrics.TABLES.set_function(lambda: len(registry.tables))
        metrics.BOTS_WAITING.set_function(lambda: bot_pool.waiting)
        metrics.REVIEWS_WAITING.set_function(lambda: registry.reviews.waiting)
        settling = asyncio.create_task(_settle(bot_pool))
        await serving
    finally:
        for task in (sweeping, settling):
            if task:
                task.cancel()
        if bot_pool:
            bot_pool.close()
        await peers.close()
        await store.close()
        note(LOG, logging.INFO, "stopped")


async def _settle(bot_pool: BotPool) -> None:
    """What is there when the bots and the judge are loaded stays for good, so it is looked through for garbage once.

    That takes up to 0.1 seconds, in which everyone waits.
    """
    await bot_pool.loaded()
    if bot_pool.study.is_here and bot_pool.searches:  # else it is loaded when somebody asks for it
        await bot_pool.study.judge()
    gc.collect()
    gc.freeze()


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
    raise Refusal(StartReason.NO_PORT, host=settings.host, port=settings.port, why=failure.strerror)
