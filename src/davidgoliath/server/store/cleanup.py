"""The clean-up that a server does by itself: tables that never started go after a day, idle ones after thirty,
unless somebody is there, and the figures of how somebody plays a year after their last visit. Of several servers on the
same data one does it.

The time of day may be wrong, by years where a computer has lost its battery. So nothing goes at the first look: it has
to look idle for a day of running time too, which servers count by a clock that nobody sets, and the store keeps.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from dataclasses import asdict, astuple
from typing import Final

from davidgoliath.rules import Refusal
from davidgoliath.server.config import Offer
from davidgoliath.server.ops.failures import report
from davidgoliath.server.ops.logs import note
from davidgoliath.server.peers.alone import Alone
from davidgoliath.server.peers.contract import Peers
from davidgoliath.server.store.contract import DAY, Store

LOG: Final = logging.getLogger(__name__)
HOUR: Final = 3600.0
LOOKS: Final = 10
"""So many times as often a server counts its time, and looks whether it is time to sweep: another may have died in the
middle of it."""


async def keep_swept(
    store: Store,
    offer: Offer,
    *,
    in_use: Callable[[], Collection[str]] = tuple,
    peers: Peers | None = None,
    every: float = HOUR,
    now: Callable[[], float] = time.time,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Sweeps at once, and then again and again, until it is cancelled. Tables that are in use stay."""
    others, counted = peers or Alone(), clock()
    while True:
        try:
            async with others.duty("count", every / LOOKS) as is_ours:
                ran, counted = min(clock() - counted, every / LOOKS), clock()
                if is_ours:
                    await store.count_running(ran)
            async with others.duty("sweep", every) as is_ours:
                if is_ours:
                    ages = (offer.unstarted_days * DAY, offer.idle_days * DAY, offer.figures_days * DAY)
                    swept = await store.sweep(now(), *ages, in_use())
                    if any(astuple(swept)):
                        counts = {name: len(gone) for name, gone in asdict(swept).items()}
                        note(LOG, logging.WARNING, "swept", None, **counts)
        except Refusal as refusal:  # a full disk, or a busy one: the next time will do
            report(refusal)
        await asyncio.sleep(every / LOOKS)
