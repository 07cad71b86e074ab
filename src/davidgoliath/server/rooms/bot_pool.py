"""Where bots think: a few threads for all tables, so that no person waits for a bot.

A card comes after its bot's span, whatever there was to think about (`match.spans`): only the bot's level, and how many
others think, can be told from it. Bots that don't search have a lane of their own, and so never wait for those that do.
Searches release the interpreter's lock, and when many wait they, and their time, become shorter.

Bots that need the kernel are loaded in the background, since it may have to be compiled; until then `STAND_IN`, which
needs nothing, plays in their place. Where there are no threads, there is no background: a bot is loaded when it has to
play.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from functools import partial
from random import Random
from typing import Final, NamedTuple

from davidgoliath.bots import Bot, BotReason, Budget, Searcher, make_bot
from davidgoliath.match.spans import LEAST, instead_of, span_of
from davidgoliath.rules import Card, Refusal, View
from davidgoliath.server.ops import observer, threads
from davidgoliath.server.ops.logs import note
from davidgoliath.server.rooms.fair_queue import FairQueue
from davidgoliath.server.rooms.study_pool import StudyPool

STAND_IN: Final = "casual"
AT_ONCE: Final = 16
"""So many bots that don't search may play at the same moment."""
ENDS: Final = 0.75
"""A search ends in this part of its time: until its thread is heard, something else may have to end."""
LOG: Final = logging.getLogger(__name__)


class Mind(NamedTuple):
    """A bot, how long its cards take, and where it thinks."""

    bot: Bot
    span: float
    lane: FairQueue


class BotPool:
    """The bots that the operator allows, and the threads in which they think; and behind them the judge (`study`)."""

    def __init__(
        self, names: Iterable[str], places: int, source: Callable[[], Random], away: Executor | None = None
    ) -> None:
        self.names = tuple(names)
        self.places = places
        self._source = source
        self._quick, self._deep = FairQueue(AT_ONCE, "quick-bots"), FairQueue(places, "bots")
        self.study = StudyPool(lambda: len(self._deep) > 0, away)
        self._stand_in = Mind(make_bot(STAND_IN), LEAST, self._quick)
        self._minds: dict[str, Mind] = {}
        self._loading: Future[None] = Future()
        self._loading.set_running_or_notify_cancel()
        if threads.has_threads:
            threads.start(self._load_all, "bot-loader")  # whoever stops a server doesn't want to wait for a compiler
        else:
            self._loading.set_result(None)

    def _load_all(self) -> None:
        for name in self.names:
            self._load(name)
        self._loading.set_result(None)

    def _load(self, name: str) -> None:
        try:
            self._minds[name] = self._mind(make_bot(name))
        except Exception as error:  # noqa: BLE001 - a bot may be of another package
            note(LOG, logging.ERROR, "bot_not_loaded", error, bot=name)

    def _mind(self, bot: Bot) -> Mind:
        span = span_of(bot)
        searches = isinstance(bot, Searcher) or span > LEAST
        return Mind(bot, span, self._deep if searches else self._quick)

    @property
    def is_loading(self) -> bool:
        return not self._loading.done()

    async def loaded(self) -> None:
        """Returns when all bots are there."""
        await asyncio.wrap_future(self._loading)

    @property
    def searches(self) -> bool:
        """Whether there are bots that search, and so what the judge needs too."""
        return any(mind.lane is self._deep for mind in self._minds.values())

    @property
    def waiting(self) -> int:
        """How many bots think, or wait until they can."""
        return len(self._quick) + len(self._deep)

    def lack(self, name: str) -> bool:
        """Whether a bot still has to be loaded."""
        return self.is_loading and name not in self._minds

    def check(self, name: str) -> None:
        """Refuses a bot that the operator didn't list."""
        if name not in self.names:
            raise Refusal(BotReason.NO_SUCH_BOT, text=name, choices=", ".join(self.names))

    async def choose(self, name: str, view: View, owner: str) -> Card:
        """A bot's card at a table of this owner, when it is time. Whatever goes wrong with a bot, somebody plays."""
        if name not in self._minds and not threads.has_threads:
            self._load(name)
        mind, clock = self._minds.get(name, self._stand_in), asyncio.get_running_loop()
        begun = clock.time()
        try:
            card = await self._thought(name, mind, view, owner)
            if card not in view.legal_cards:
                raise ValueError("an illegal card")
        except Exception as error:  # noqa: BLE001 - a bot may be of another package
            note(LOG, logging.ERROR, "bot_failed", error, bot=name)
            card = self._stand_in.bot.choose(view, self._source())
        await asyncio.sleep(begun + mind.span - clock.time())
        return card

    async def _thought(self, name: str, mind: Mind, view: View, owner: str) -> Card:
        asked = time.perf_counter()

        def think(budget: Budget | None, rng: Random) -> Card:
            legal = view.legal_cards
            try:
                if len(legal) > 1:
                    return mind.bot.choose(view, rng, budget)
                mind.bot.choose(instead_of(view, rng), rng, budget)
                return next(iter(legal))
            finally:
                observer.thought(name, time.perf_counter() - asked)

        def begin() -> tuple[float, Callable[[], Card]]:
            seconds, budget = slot(mind, mind.lane.crowd(owner))
            return seconds, partial(think, budget, self._source())

        return await mind.lane.run(owner, begin)

    def close(self) -> None:
        self._quick.close()
        self._deep.close()
        self.study.close()


def slot(mind: Mind, crowd: float) -> tuple[float, Budget | None]:
    """How long a bot has a place, and what it may do there: a part of the usual if more wait than can think at once."""
    if not isinstance(mind.bot, Searcher):
        return mind.span, None
    seconds = max(LEAST, mind.span / (1 + crowd // 2))
    iterations = mind.bot.usual.iterations
    return seconds, Budget(iterations and max(1, int(iterations * seconds / mind.span)), ENDS * seconds)
