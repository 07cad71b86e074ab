"""Where bots think: a few threads for all tables, so that no person waits for a bot.

Searches release the interpreter's lock, and their budgets shrink when many wait. Bots that need the kernel are loaded
in the background, since it may have to be compiled; until then `STAND_IN`, which needs nothing, plays in their place.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import Final

from davidgoliath.bots import Bot, Budget, make_bot
from davidgoliath.rules import Card, Refusal, View
from davidgoliath.server.logs import note
from davidgoliath.server.metrics import BOT_SECONDS

STAND_IN: Final = "casual"
FEWEST_ITERATIONS: Final = 200
LOG: Final = logging.getLogger(__name__)


class Thinkers:
    """The bots that the operator allows, and the threads in which they think."""

    def __init__(self, names: Iterable[str], threads: int, source: Callable[[], Random]) -> None:
        self.names = tuple(names)
        self.threads = threads
        self._source = source
        self._stand_in = make_bot(STAND_IN)
        self._bots: dict[str, Bot] = {}
        self._waiting = 0
        self._pool = ThreadPoolExecutor(threads, "bots")
        self._loading: Future[None] = Future()
        self._loading.set_running_or_notify_cancel()
        # a daemon, since whoever stops a server doesn't want to wait for a compiler
        threading.Thread(target=self._load, name="bot-loader", daemon=True).start()

    def _load(self) -> None:
        for name in self.names:
            try:
                self._bots[name] = make_bot(name)
            except Exception as error:  # noqa: BLE001 - a bot may be of another package
                note(LOG, logging.ERROR, "bot_not_loaded", error, bot=name)
        self._loading.set_result(None)

    @property
    def is_loading(self) -> bool:
        return not self._loading.done()

    async def loaded(self) -> None:
        """Returns when all bots are there."""
        await asyncio.wrap_future(self._loading)

    @property
    def waiting(self) -> int:
        """How many bots think, or wait until they can."""
        return self._waiting

    def lack(self, name: str) -> bool:
        """Whether a bot still has to be loaded."""
        return self.is_loading and name not in self._bots

    def check(self, name: str) -> None:
        """Refuses a bot that the operator didn't list."""
        if name not in self.names:
            raise Refusal("no_such_bot", text=name, choices=", ".join(self.names))

    async def choose(self, name: str, view: View) -> Card:
        """A bot's card. Whatever goes wrong with a bot, somebody plays."""
        bot = self._bots.get(name, self._stand_in)
        self._waiting += 1
        begun = time.perf_counter()
        try:
            budget = self._budget(bot)
            work = self._pool.submit(bot.choose, view, self._source(), budget)
            card = await asyncio.wrap_future(work)
            if card in view.legal_cards:
                return card
            note(LOG, logging.ERROR, "bot_chose_illegal_card", bot=name)
        except Exception as error:  # noqa: BLE001 - a bot may be of another package
            note(LOG, logging.ERROR, "bot_failed", error, bot=name)
        finally:
            self._waiting -= 1
            BOT_SECONDS.labels(name).observe(time.perf_counter() - begun)
        return self._stand_in.choose(view, self._source())

    def _budget(self, bot: Bot) -> Budget | None:
        """The bot's own budget, or a part of it if more are waiting than can think at once."""
        usual = getattr(bot, "usual", None)
        crowd = self._waiting // (2 * self.threads)
        if not crowd or not isinstance(usual, Budget) or not usual.iterations:
            return None
        return Budget(max(FEWEST_ITERATIONS, usual.iterations // (1 + crowd)))

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
