"""The clean-up that a server does by itself: tables that never started go after a day, idle ones after thirty."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Final

from davidgoliath.rules import Refusal
from davidgoliath.server.store import IDLE_FOR, WAITING_FOR, Store

HOUR: Final = 3600.0


async def keep_swept(
    store: Store,
    waiting_for: float = WAITING_FOR,
    idle_for: float = IDLE_FOR,
    *,
    every: float = HOUR,
    now: Callable[[], float] = time.time,
) -> None:
    """Sweeps at once, and then again and again, until it is cancelled."""
    while True:
        with contextlib.suppress(Refusal):  # a full disk, or a busy one: the next time will do
            await store.sweep(now(), waiting_for, idle_for)
        await asyncio.sleep(every)
