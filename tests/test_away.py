"""Work in another worker of the browser: what is asked there, what comes of it, and what if that worker ends."""

from operator import add, truediv

import pytest

from davidgoliath.server.ops.away import Away, done
from davidgoliath.server.ops.processes import ProcessEndedError


def test_work_is_done_elsewhere_and_in_any_order() -> None:
    asked: dict[int, str] = {}
    away = Away(asked.__setitem__)
    one, other, wrong = away.submit(add, 2, 3), away.submit(add, "\u00e4", "\u2665"), away.submit(truediv, 1, 0)
    assert not one.done()
    for number, text in reversed(asked.items()):
        away.hear(number, done(text))
    assert (one.result(), other.result()) == (5, "\u00e4\u2665")
    with pytest.raises(RuntimeError, match=r"^ZeroDivisionError$"):
        wrong.result()


def test_whoever_waits_for_a_worker_that_ended_hears_of_it() -> None:
    asked: list[int] = []
    away = Away(lambda number, text: asked.append(number))
    waiting = away.submit(add, 1, 1)
    away.hear(asked[0], "")
    with pytest.raises(ProcessEndedError):
        waiting.result()
