"""Work in a process of its own: what computes for seconds, and not all of it compiled, would hold up everyone here.

A thread that the system runs last may hold the interpreter's lock meanwhile, for which all others wait (priority
inversion). A process holds nothing of ours. It ends with this one, however that ends: what it reads has an end then.
"""

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

NICE: Final = 15
PROGRAM: Final = "from davidgoliath.server.ops.processes import serve; serve()"


class ProcessEndedError(Exception):
    """It is gone, with what it did: the next question begins another."""


class HelpingProcess:
    """Answers one question after another by `work`, a function of a module. It is begun with the first."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = f"{work.__module__}:{work.__name__}"
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def ask(self, question: object) -> Any:
        """Waits for the answer: ask in another thread."""
        with self._lock:
            if self._is_closed:
                raise ProcessEndedError
            process = self._process = self._process or self._begun()
            try:
                answer, error = _answer(process, question)
            except (EOFError, OSError, ValueError) as ended:
                self._process = None
                _end(process)
                raise ProcessEndedError from ended
        if error:
            raise RuntimeError(error)
        return answer

    def _begun(self) -> "subprocess.Popen[bytes]":
        """In a session of its own, which no Ctrl-C reaches."""
        command = [sys.executable, "-c", PROGRAM, self._work]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)  # noqa: S603

    def close(self) -> None:
        """It stops in the middle of whatever it does."""
        self._is_closed = True
        if self._process:
            _end(self._process)


def _answer(process: "subprocess.Popen[bytes]", question: object) -> tuple[Any, str | None]:
    questions, answers = process.stdin, process.stdout
    if not questions or not answers:
        raise EOFError
    pickle.dump(question, questions)
    questions.flush()
    answer: tuple[Any, str | None] = pickle.load(answers)  # noqa: S301
    return answer


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()


def serve() -> None:
    """What that process does: it takes questions from its standard input, and gives answers on its standard output."""
    module, _, name = sys.argv[1].partition(":")
    with contextlib.suppress(EOFError, OSError), os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever somebody prints is no answer
        if hasattr(os, "nice"):
            os.nice(NICE)
        work = getattr(import_module(module), name)
        while True:
            question = pickle.load(sys.stdin.buffer)  # noqa: S301
            try:
                answer: tuple[Any, str | None] = work(question), None
            except Exception as error:  # noqa: BLE001 - whatever it was, the next question may be better
                answer = None, type(error).__name__  # its message may hold a card
            pickle.dump(answer, answers)
            answers.flush()
