"""Runs the server of one process: one command on one machine, SQLite inside."""

import asyncio
import os
import secrets
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import uvicorn

from davidgoliath.rules import Refusal
from davidgoliath.server.app import make_app
from davidgoliath.server.hall import Hall
from davidgoliath.server.limits import Limits
from davidgoliath.server.room import Pace
from davidgoliath.server.sqlite import SqliteStore, default_file
from davidgoliath.server.store import DAY, IDLE_FOR, WAITING_FOR, Instance
from davidgoliath.server.sweeper import keep_swept
from davidgoliath.server.thinkers import Thinkers
from davidgoliath.server.wire import Wire

PORTS: Final = 20
"""So many ports are tried, from the one that is wanted."""
LARGEST_MESSAGE: Final = 65_536
LONGEST_FAREWELL: Final = 5


@dataclass(frozen=True, slots=True)
class Settings:
    """All that an operator may choose."""

    bots: Sequence[str]
    """The bots that tables may have: a server runs no others."""
    host: str = "127.0.0.1"
    port: int = 8642
    database: Path | None = None
    """None: in the user's data directory."""
    pace: Pace = Pace()
    unstarted_days: float = WAITING_FOR / DAY
    """After so many days a table that never started goes."""
    idle_days: float = IDLE_FOR / DAY
    """After so many days without an event any table goes."""
    limits: Limits = Limits()


def new_loop() -> asyncio.AbstractEventLoop:
    """The fastest event loop that there is here."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


async def serve(settings: Settings, say: Callable[[str, bool], None]) -> None:
    """Serves until it is told to stop. `say` gets the address, and whether it is another server on this data."""
    store = SqliteStore(settings.database or default_file())
    thinkers = sweeping = None
    try:
        door = _bound(settings)
        address = f"http://{settings.host}:{door.getsockname()[1]}"
        instance = await store.announce(Instance(address, os.getpid(), time.time()))
        if instance.address != address:
            door.close()
            say(instance.address, True)
            return
        thinkers = Thinkers(settings.bots, max(1, (os.cpu_count() or 2) - 1), lambda: Random(secrets.randbits(64)))
        hall = Hall(store, thinkers, pace=settings.pace)
        server = uvicorn.Server(
            uvicorn.Config(
                make_app(hall, settings.limits),
                log_level="warning",
                ws=Wire,
                ws_max_size=LARGEST_MESSAGE,
                ws_per_message_deflate=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=LONGEST_FAREWELL,
            )
        )
        serving = asyncio.create_task(server.serve([door]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.01)
        say(address, False)
        ages = settings.unstarted_days * DAY, settings.idle_days * DAY
        sweeping = asyncio.create_task(keep_swept(store, *ages, in_use=lambda: hall.tables))
        await serving
    finally:
        if sweeping:
            sweeping.cancel()
        if thinkers:
            thinkers.close()
        await store.close()


def _bound(settings: Settings) -> socket.socket:
    """A socket on the first free port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in range(settings.port, settings.port + PORTS) if settings.port else (0,):
        door = socket.socket(family)
        if os.name != "nt":
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((settings.host, port))
            door.listen(1024)
            return door
        except OSError as error:
            door.close()
            failure = error
    raise Refusal("no_port", host=settings.host, port=settings.port, why=failure.strerror)
