"""The clean-up that a server does by itself: tables that never started go after a day, idle ones after thirty,
unless somebody is there."""

import asyncio
import time
from collections.abc import Callable, Collection
from typing import Final

from davidgoliath.rules import Refusal
from davidgoliath.server.store import IDLE_FOR, WAITING_FOR, Store
from davidgoliath.server.trouble import report

HOUR: Final = 3600.0


async def keep_swept(
    store: Store,
    waiting_for: float = WAITING_FOR,
    idle_for: float = IDLE_FOR,
    *,
    in_use: Callable[[], Collection[str]] = tuple,
    every: float = HOUR,
    now: Callable[[], float] = time.time,
) -> None:
    """Sweeps at once, and then again and again, until it is cancelled. Tables that are in use stay."""
    while True:
        try:
            await store.sweep(now(), waiting_for, idle_for, in_use())
        except Refusal as refusal:  # a full disk, or a busy one: the next time will do
            report(refusal)
        await asyncio.sleep(every)
