"""A card that the page plays by itself waits like a choice: with a set clock, in any Node."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import playwright
from tools.guess import CHANCE, best_guess

FORCED = (Path(__file__).parent.parent / "src/davidgoliath/web/js/table/auto_play.js").read_text(encoding="utf-8")


def run(script: str, **given: Any) -> Any:
    """What a script says that has the page's module."""
    node = shutil.which("node") or str(Path(playwright.__file__).parent / "driver/node")
    named = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items())
    whole = f"{FORCED}\n{named}const tell = (x) => process.stdout.write(JSON.stringify(x));\n{script}"
    command = [node, "--input-type=module", "-"]
    return json.loads(subprocess.run(command, input=whole, capture_output=True, check=True, text=True).stdout)


MANY = """
const patience = new Patience();
let now = 0;
tell(kinds.map((time, turn) => {
  now += 50000;
  patience.see(`${turn}`, now);
  if (time === null) return patience.left(now, Infinity);
  patience.chose(now + time);
  return time;
}));
"""


def test_what_waits_cannot_be_told_from_what_is_chosen() -> None:
    """Three turns of four are choices; each takes its time, some people think longer than others."""
    rng = Random(4)
    for typical in (900, 2000, 4000):
        kinds = [rng.lognormvariate(0, 0.4) * typical if rng.random() < 0.75 else None for _ in range(1200)]
        times = run(MANY, kinds=kinds)
        single = [time for kind, time in zip(kinds, times, strict=True) if kind is None]
        chosen = [time for kind, time in zip(kinds, times, strict=True) if kind is not None]
        assert min(single) >= 500
        assert best_guess(single, chosen) <= CHANCE + 0.08
        assert best_guess([0.0] * len(single), chosen) == 1  # as it would be if they were played at once


def test_at_first_it_takes_a_second_to_four() -> None:
    waits = run(MANY, kinds=[None] * 300)
    assert 1000 <= min(waits) < 1500
    assert 3500 < max(waits) <= 4000


def test_nobody_waits_for_ever_because_they_once_did() -> None:
    assert max(run(MANY, kinds=[*[600_000] * 6, *[None] * 50])[6:]) <= 8000
    assert min(run(MANY, kinds=[*[0] * 6, *[None] * 50])[6:]) >= 500


def test_a_turn_has_one_time_from_when_it_was_first_shown() -> None:
    script = """
    const patience = new Patience(() => 0.5);
    patience.see("t 7", 1000);
    const left = [patience.left(1000, Infinity), patience.left(2000, Infinity), patience.left(9000, Infinity)];
    patience.see("t 7", 5000);
    const again = patience.left(2000, Infinity);
    tell([left, again, patience.left(1000, 600)]);
    """
    assert run(script) == [[2500, 1500, 0], 1500, 600]
