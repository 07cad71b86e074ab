"""The clean-up that a server does by itself: tables that never started go after a day, idle ones after thirty,
unless somebody is there. Of several servers on the same data one does it."""

import asyncio
import time
from collections.abc import Callable, Collection
from typing import Final

from davidgoliath.rules import Refusal
from davidgoliath.server.company import Alone, Neighbours
from davidgoliath.server.store import IDLE_FOR, WAITING_FOR, Store
from davidgoliath.server.trouble import report

HOUR: Final = 3600.0
LOOKS: Final = 10
"""So many times as often a server looks whether it is time: another may have died in the middle of it."""


async def keep_swept(
    store: Store,
    waiting_for: float = WAITING_FOR,
    idle_for: float = IDLE_FOR,
    *,
    in_use: Callable[[], Collection[str]] = tuple,
    neighbours: Neighbours | None = None,
    every: float = HOUR,
    now: Callable[[], float] = time.time,
) -> None:
    """Sweeps at once, and then again and again, until it is cancelled. Tables that are in use stay."""
    others = neighbours or Alone()
    while True:
        try:
            async with others.duty("sweep", every) as is_ours:
                if is_ours:
                    await store.sweep(now(), waiting_for, idle_for, in_use())
        except Refusal as refusal:  # a full disk, or a busy one: the next time will do
            report(refusal)
        await asyncio.sleep(every / LOOKS)
