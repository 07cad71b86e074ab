"""Work in a process of its own: what computes for seconds, and not all of it compiled, would hold up everyone here.

A thread that the system runs last may hold the interpreter's lock meanwhile, for which all others wait (priority
inversion). A process holds nothing of ours. It ends with this one, however that ends: its pipe has an end then.
"""

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # in a browser there are no processes
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

NICE: Final = 15


class ProcessEndedError(Exception):
    """It is gone, with what it did: the next question begins another."""


class HelpingProcess:
    """Answers one question after another by `work`, a function of a module. It is begun with the first."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None

    def ask(self, question: object) -> Any:
        """Waits for the answer: ask in another thread."""
        with self._lock:
            try:
                line = self._line or self._begin()
                line.send(question)
                answer, error = line.recv()
            except (EOFError, OSError) as ended:
                self._line = None
                raise ProcessEndedError from ended
        if error:
            raise RuntimeError(error)
        return answer

    def _begin(self) -> "Connection":
        from multiprocessing import get_context

        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        self._process.start()
        theirs.close()
        return self._line

    def close(self) -> None:
        """It stops in the middle of whatever it does."""
        if self._process:
            self._process.kill()
            self._process.join()


def _serve(line: "Connection", work: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who stops the server by Ctrl-C stops this with it
    if hasattr(os, "nice"):
        os.nice(NICE)
    with contextlib.suppress(EOFError, OSError):
        while True:
            question = line.recv()
            try:
                answer: tuple[Any, str | None] = work(question), None
            except Exception as error:  # noqa: BLE001 - whatever it was, the next question may be better
                answer = None, type(error).__name__  # its message may hold a card
            line.send(answer)
