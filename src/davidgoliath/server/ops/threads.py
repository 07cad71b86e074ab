"""Work beside the event loop, where there are threads. In a browser there are none: there it is done at once."""

import asyncio
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

has_threads = sys.platform not in {"emscripten", "wasi"}


class _AtOnce(Executor):
    def submit(self, work: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> "Future[T]":
        done: Future[T] = Future()
        try:
            done.set_result(work(*given, **named))
        except Exception as error:  # noqa: BLE001 - it belongs to whoever asks for the result
            done.set_exception(error)
        return done


def make_pool(threads: int, name: str) -> Executor:
    return ThreadPoolExecutor(threads, name) if has_threads else _AtOnce()


async def beside(work: Callable[[], T]) -> T:
    """What work gives that takes a while."""
    return await asyncio.to_thread(work) if has_threads else work()


def start(work: Callable[[], None], name: str) -> threading.Thread | None:
    """Begins work that nobody waits for: a program that ends doesn't wait for it, either."""
    if not has_threads:
        work()
        return None
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread
