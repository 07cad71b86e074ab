"""Who thinks next, and for how long a place is held: by a clock that the tests set."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from davidgoliath.server.rooms.fair_queue import FairQueue
from tests.clock import Timed, run_timed

SLOT = 1.0


@pytest.fixture
def lane(monkeypatch: pytest.MonkeyPatch) -> FairQueue:
    monkeypatch.setattr("davidgoliath.server.rooms.fair_queue.make_pool", lambda *_: Timed())
    return FairQueue(1, "one")


def taking(seconds: float, *, slot: float = SLOT) -> Callable[[], tuple[float, Callable[[], None]]]:
    def work() -> None:
        Timed.takes = seconds

    return lambda: (slot, work)


class Log:
    """What ended when."""

    def __init__(self, lane: FairQueue) -> None:
        self.lane = lane
        self.ends: list[tuple[str, float]] = []

    def start(self, owner: str, seconds: float = 0.1) -> "asyncio.Task[None]":
        async def run() -> None:
            await self.lane.run(owner, taking(seconds))
            self.ends.append((owner, round(asyncio.get_running_loop().time(), 6)))

        return asyncio.create_task(run())


def test_owners_take_turns_however_many_tables_they_have(lane: FairQueue) -> None:
    async def main() -> None:
        log = Log(lane)
        tasks = [log.start(owner) for owner in ("ann", "ann", "ann", "ann", "ben", "cem", "ben")]
        await asyncio.gather(*tasks)
        assert [owner for owner, _ in log.ends] == ["ann", "ann", "ben", "cem", "ann", "ben", "ann"]

    run_timed(main())


def test_a_place_is_held_for_its_time_however_soon_the_thought_is_over(lane: FairQueue) -> None:
    async def main(*thoughts: float) -> None:
        log = Log(lane)
        await asyncio.gather(*(log.start(str(number), seconds) for number, seconds in enumerate(thoughts)))
        assert [end for _, end in log.ends] == [1.0, 2.0, 3.0]

    run_timed(main(0.001, 0.9, 0.5))
    run_timed(main(0.9, 0.001, 0.999))


def test_what_takes_longer_ends_with_the_next_multiple_of_its_time(lane: FairQueue) -> None:
    async def main() -> None:
        log = Log(lane)
        await asyncio.gather(log.start("ann", 1.01), log.start("ben", 0.1), log.start("cem", 2.5))
        assert log.ends == [("ann", 2.0), ("ben", 3.0), ("cem", 6.0)]

    run_timed(main())


def test_whoever_is_cancelled_leaves_the_queue(lane: FairQueue) -> None:
    async def main() -> None:
        log = Log(lane)
        tasks = [log.start(owner) for owner in ("ann", "ben", "cem", "ben")]
        await asyncio.sleep(0.5)
        tasks[1].cancel()
        await asyncio.sleep(0)
        assert len(lane) == 3
        await asyncio.gather(*tasks, return_exceptions=True)
        assert log.ends == [("ann", 1.0), ("cem", 2.0), ("ben", 3.0)]
        assert not len(lane)

    run_timed(main())


def test_a_place_that_is_given_to_somebody_who_goes_at_that_moment_is_not_lost(lane: FairQueue) -> None:
    async def main() -> None:
        log, clock = Log(lane), asyncio.get_running_loop()
        first, second, third = log.start("ann"), log.start("ben"), log.start("cem")
        await asyncio.sleep(0.5)
        clock.call_at(SLOT, lambda: clock.call_soon(second.cancel))  # ben's turn has come, and ben doesn't know it yet
        await asyncio.gather(first, second, third, return_exceptions=True)
        assert log.ends == [("ann", 1.0), ("cem", 2.0)]
        assert not len(lane)

    run_timed(main())


def test_a_place_stays_held_if_nobody_wants_the_answer_any_more(lane: FairQueue) -> None:
    async def main() -> None:
        log = Log(lane)
        first, second = log.start("ann", 0.9), log.start("ben")
        await asyncio.sleep(0.2)
        first.cancel()
        await second
        assert log.ends == [("ben", 2.0)]

    run_timed(main())


def test_a_failure_comes_when_its_time_is_over_and_frees_the_place(lane: FairQueue) -> None:
    def fail() -> Any:
        raise RuntimeError("no")

    async def main() -> None:
        clock = asyncio.get_running_loop()
        with pytest.raises(RuntimeError):
            await lane.run("ann", lambda: (SLOT, fail))
        assert clock.time() == pytest.approx(SLOT)
        await lane.run("ann", taking(0.1))
        assert clock.time() == pytest.approx(2 * SLOT)

    run_timed(main())


def test_the_crowd_is_ones_own_tables_and_one_share_for_everyone_else(lane: FairQueue) -> None:
    async def main() -> None:
        log = Log(lane)
        tasks = [log.start("ann") for _ in range(60)]
        tasks.append(log.start("ben"))
        await asyncio.sleep(0)
        assert lane.crowd("ben") == 2
        assert lane.crowd("ann") == 120
        for task in tasks:
            task.cancel()

    run_timed(main())
