"""Work in another worker of the browser, which has a Python of its own: as in a process of its own (`processes`).

What is to be done is sent as a text, and so is what comes of it.
"""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any, ParamSpec, TypeVar

from davidgoliath.server.ops.processes import ProcessEndedError

P = ParamSpec("P")
T = TypeVar("T")


class Away(Executor):
    """Has work done there."""

    def __init__(self, send: Callable[[int, str], object]) -> None:
        self._send = send
        self._asked: dict[int, Future[Any]] = {}
        self._number = 0

    def submit(self, work: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> "Future[T]":
        self._number += 1
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        self._asked[self._number] = future
        self._send(self._number, _text(partial(work, *given, **named)))
        return future

    def hear(self, number: int, answer: str) -> None:
        """What came of it; if that worker has ended, nothing."""
        future = self._asked.pop(number)
        if not answer:
            future.set_exception(ProcessEndedError())
            return
        found, error = _read(answer)
        if error:
            future.set_exception(RuntimeError(error))
        else:
            future.set_result(found)


def done(asked: str) -> str:
    """Does what is asked, in that worker."""
    try:
        return _text((_read(asked)(), None))
    except Exception as error:  # noqa: BLE001 - whatever it was, the next question may be better
        return _text((None, type(error).__name__))  # its message may hold a card


def _text(value: object) -> str:
    return pickle.dumps(value).decode("latin-1")


def _read(text: str) -> Any:
    return pickle.loads(text.encode("latin-1"))  # noqa: S301 - from the same program
