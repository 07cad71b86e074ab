"""Clocks that tests set, and one whose time passes only while there is nothing else to do, and costs nothing."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from typing import Any


class Clock:
    """A clock that stands still until a test sets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class _Waiting(selectors.SelectSelector):
    """Doesn't wait, but says that it did."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nothing will ever happen again"
        self.now += max(0.0, timeout)
        return super().select(0)


def run_timed(main: Coroutine[Any, Any, None]) -> None:
    """Runs something in a loop with such a clock."""

    def loop() -> asyncio.AbstractEventLoop:
        selector = _Waiting()
        made = asyncio.SelectorEventLoop(selector)
        made.time = lambda: selector.now  # type: ignore[method-assign]
        return made

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(main)


class Timed(Executor):
    """Does everything at once, and says so after as much of the loop's time as it should have taken."""

    takes = 0.0
    """Set by what is done."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        Timed.takes = 0.0
        clock = asyncio.get_running_loop()
        try:
            found = work(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - as other executors do
            clock.call_later(Timed.takes, done.set_exception, error)
        else:
            clock.call_later(Timed.takes, done.set_result, found)
        return done
