"""What an operator can watch, for Prometheus: one registry a process, and a port of its own to read it from.

That port is no part of the public server: figures of a site are nobody else's business, and behind a proxy every
request seems to come from this computer. It is closed unless it is asked for, and then open to this computer alone.
Figures are counts and times; none has a person, a table or a card in it.
"""

import inspect
import logging
import time
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import accumulate
from typing import Any, Final, cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector, start_http_server
from prometheus_client.metrics_core import HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from davidgoliath import __version__
from davidgoliath.rules import Refusal
from davidgoliath.server.config import StartReason
from davidgoliath.server.ops.logs import note
from davidgoliath.server.ops.observer import Observer, watch
from davidgoliath.server.store.contract import Store

LOG: Final = logging.getLogger(__name__)
REGISTRY: Final = CollectorRegistry()
QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds between which times are counted."""

TABLES: Final = Gauge("davidgoliath_tables", "Tables that somebody is at", registry=REGISTRY)
SOCKETS: Final = Gauge("davidgoliath_sockets", "Clients that are connected", registry=REGISTRY)
MOVES: Final = Counter("davidgoliath_moves", "Cards played, by a person or a bot", ["by"], registry=REGISTRY)


class QuickHistogram(Collector):
    """A histogram of the library's kind that takes a tenth of its time, for what happens with every card: it is counted
    on the event loop alone, so it needs no lock."""

    def __init__(self, name: str, sentence: str, label: str | None = None) -> None:
        self._name, self._sentence, self._labels = name, sentence, [label] if label else []
        self._series: dict[tuple[str, ...], tuple[list[int], list[float]]] = {}
        REGISTRY.register(self)

    def labels(self, *values: str) -> Callable[[float], None]:
        """What counts the times of one kind, in seconds."""
        counts, total = self._series.setdefault(values, ([0] * (len(QUICK) + 1), [0.0]))

        def observe(seconds: float) -> None:
            counts[bisect_left(QUICK, seconds)] += 1
            total[0] += seconds

        return observe

    def collect(self) -> Iterator[HistogramMetricFamily]:
        family = HistogramMetricFamily(self._name, self._sentence, labels=self._labels)
        for values, (counts, total) in list(self._series.items()):
            bounds = (*map(floatToGoString, QUICK), "+Inf")
            family.add_metric(values, list(zip(bounds, accumulate(counts), strict=True)), total[0])
        yield family


PLAYED_IN: Final = QuickHistogram(
    "davidgoliath_play_seconds", "From hearing somebody's card until everyone at the table is told, or it is refused"
).labels()
BOTS_WAITING: Final = Gauge("davidgoliath_bots_waiting", "Bots that think or wait to think", registry=REGISTRY)
BOT_SECONDS: Final = Histogram(
    "davidgoliath_bot_seconds", "A bot's waiting and thinking for a card", ["bot"], buckets=QUICK, registry=REGISTRY
)
HINT_SECONDS: Final = QuickHistogram("davidgoliath_hint_seconds", "What somebody waits for a hint").labels()
REVIEWS: Final = Counter("davidgoliath_reviews", "Reviews of a hand that were worked out", registry=REGISTRY)
REVIEWS_WAITING: Final = Gauge("davidgoliath_reviews_waiting", "Reviews that are worked out or wait", registry=REGISTRY)
STORE_SECONDS: Final = QuickHistogram("davidgoliath_store_seconds", "What a call of the store takes", "call")
STORE_ERRORS: Final = Counter("davidgoliath_store_errors", "Calls that the store failed at", ["why"], registry=REGISTRY)
ERRORS: Final = Counter("davidgoliath_errors", "Errors that nobody expected; the log has them", registry=REGISTRY)
BUILD: Final = Info("davidgoliath_build", "What runs here", registry=REGISTRY)
ProcessCollector(registry=REGISTRY)

_MOVES_BY: Final = {by: MOVES.labels(by) for by in ("person", "bot")}


class _Figures(Observer):
    def played(self, by: str) -> None:
        _MOVES_BY[by].inc()

    def thought(self, bot: str, seconds: float) -> None:
        BOT_SECONDS.labels(bot).observe(seconds)

    def hinted(self, seconds: float) -> None:
        HINT_SECONDS(seconds)

    def reviewed(self) -> None:
        REVIEWS.inc()

    def answered(self, seconds: float) -> None:
        PLAYED_IN(seconds)

    @contextmanager
    def connected(self) -> Iterator[None]:
        with SOCKETS.track_inprogress():
            yield

    def failed(self) -> None:
        ERRORS.inc()


watch(_Figures())


def measured(store: Store) -> Store:
    """The same store, with its calls timed and its failures counted."""
    return cast(Store, _Measured(store))


class _Measured:
    """Stands before a store; it wraps each of its calls when it is first asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._store, name)
        if inspect.iscoroutinefunction(call):
            call = _timed(name, call)
            setattr(self, name, call)
        return call


def _timed(name: str, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    took = STORE_SECONDS.labels(name)

    @wraps(call)
    async def timed(*arguments: Any, **named: Any) -> Any:
        begun = time.perf_counter()
        try:
            return await call(*arguments, **named)
        except Exception as error:
            STORE_ERRORS.labels(str(error.reason) if isinstance(error, Refusal) else type(error).__name__).inc()
            raise
        finally:
            took(time.perf_counter() - begun)

    return timed


@contextmanager
def published(host: str, port: int | None, build: str) -> Iterator[None]:
    """Meanwhile the figures can be read on this port."""
    if port is None:
        yield
        return
    BUILD.info({"version": __version__, "build": build})
    try:
        reader, thread = start_http_server(port, host, REGISTRY)
    except OSError as error:
        raise Refusal(StartReason.NO_METRICS_PORT, host=host, port=port, why=error.strerror) from None
    note(LOG, logging.INFO, "metrics", host=host, port=reader.server_port)
    try:
        yield
    finally:
        reader.shutdown()
        reader.server_close()
        thread.join()
