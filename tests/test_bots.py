"""Bots see views alone, choose the same card every time, keep to the rules and to their budget, and let others run."""

import ast
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import davidgoliath.bots
from davidgoliath import Card, Deal, DealState, Refusal, RuleSet, Standing, View
from davidgoliath.bots import LADDER, Bot, Budget, bots, make_bot, search, worlds
from davidgoliath.bots.club import weights_for
from davidgoliath.bots.prospects import prospects_for
from davidgoliath.kernel.compiled import IS_COMPILED
from davidgoliath.kernel.convert import sets_to_array
from davidgoliath.kernel.network import make_rooms
from davidgoliath.kernel.position import position_of
from davidgoliath.texts import Texts
from tests import golden
from tests.games import deals, play_at_random, randoms, rule_sets, swapped
from tests.marks import slow
from tests.refusals import refuses

NAMES = (*LADDER, "reference")
SEARCHING = [name for name in ("expert", "master") if name in LADDER]
ALL_RULES = [
    RuleSet.of(lowest_card_to=to, all_equal=equal) for to, equal in product(("goliath", "david"), ("split", "sweep"))
]
FEW = Budget(iterations=60)


def standing_for(players: int, rules: RuleSet, rng: Random) -> Standing:
    """Any standing in which there is a deal to play."""
    most = min(rules.target_score or 200, 200)
    totals = tuple(rng.randrange(most) for _ in range(players))
    number = rules.deals_for(players)
    return Standing(totals, rng.randint(1, number), number, rules.target_score)


@st.composite
def decisions(draw: st.DrawFn) -> DealState:
    """A deal in which the seat to play has a choice, and can't see all other cards."""
    deal, rules, rng = draw(deals()), draw(rule_sets()), draw(randoms)
    state = DealState.start(deal, rules, standing_for(deal.players, rules, rng))
    state = play_at_random(state, rng, draw(st.integers(0, 12 * deal.players)))
    while len(state.legal_cards) == 1:
        state = play_at_random(state, rng, 1)
    assume(not state.is_over)
    return state


def a_decision(players: int = 4, played: int = 0, seed: int = 1) -> View:
    """A view of a seat that has a choice, after so many cards or a few more."""
    rng = Random(seed)
    state = play_at_random(DealState.start(Deal.shuffled(players, rng)), rng, played)
    while len(state.legal_cards) == 1:
        state = play_at_random(state, rng, 1)
    return state.view(state.to_play)


def choice(bot: Bot, state: DealState, seed: int) -> Card:
    return bot.choose(state.view(state.to_play), Random(seed), FEW)


class Peeker:
    """A bot that looks over the dealer's shoulder: it searches its callers for the whole deal."""

    def choose(self, view: View, rng: Random, budget: Budget | None = None) -> Card:
        frame: FrameType | None = sys._getframe()
        while frame is not None and not isinstance(frame.f_locals.get("state"), DealState):
            frame = frame.f_back
        assert frame is not None
        state: DealState = frame.f_locals["state"]
        hidden = sum(seat * mask for seat, mask in enumerate(state.hand_masks))
        cards = list(view.legal_cards)
        return cards[hidden % len(cards)]


def same_for_hidden_cards(make: Callable[[], Bot], state: DealState, seed: int) -> bool:
    """Whether a bot plays the same card in two deals that differ in cards that its seat can't know."""
    other = swapped(state, state.to_play, Random(seed))
    assume(other.hands != state.hands)
    used = make()
    return choice(used, state, seed) == choice(used, other, seed) == choice(make(), state, seed)


@pytest.mark.parametrize("name", NAMES)
@given(state=decisions(), seed=st.integers(0, 2**32))
def test_nobody_can_peek(name: str, state: DealState, seed: int) -> None:
    """And a choice is the same twice, by the same bot and by another instance."""
    assert same_for_hidden_cards(lambda: make_bot(name), state, seed)


def test_a_bot_that_peeks_is_noticed() -> None:
    found = []

    @given(decisions(), st.integers(0, 2**32))
    def look(state: DealState, seed: int) -> None:
        found.append(same_for_hidden_cards(Peeker, state, seed))

    look()
    assert found.count(False) > len(found) // 4


WHOLE_DEALS = {"Deal", "DealState", "DealRecord", "MatchRecord", "Match"}
WAYS_AROUND = {"gc", "inspect", "sys", "importlib.import_module", "__import__", "eval", "exec", "getattr"}
"""By which one could come by them in another way."""
HOLDERS = ("davidgoliath.rules.deal", "davidgoliath.notation", "davidgoliath.match")


def forbidden_names(source: str) -> set[str]:
    """What a bot's module must not mention: the whole deal, whichever module it comes from, and ways around."""
    mentioned, imported = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                mentioned.add(name)
            case ast.Import(names=names):
                imported |= {alias.name for alias in names}
            case ast.ImportFrom(module=module, names=names, level=level):
                assert level == 0, "imports are absolute"
                imported |= {f"{module}.{alias.name}" for alias in names}
    mentioned |= {name.rpartition(".")[2] for name in imported}
    modules = {name for name in imported if name in ("davidgoliath", "davidgoliath.rules") or name.startswith(HOLDERS)}
    return mentioned & (WHOLE_DEALS | {"*"}) | (mentioned | imported) & WAYS_AROUND | modules


@pytest.mark.parametrize(
    "file", sorted(Path(davidgoliath.bots.__file__).parent.glob("*.py")), ids=lambda file: file.name
)
def test_no_bot_can_name_the_whole_deal(file: Path) -> None:
    assert not forbidden_names(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "line",
    [
        "from davidgoliath.rules import Card, DealState",
        "from davidgoliath.rules.deal import Deal as D",
        "from davidgoliath.rules import *",
        "from davidgoliath import rules; rules.DealState",
        "import davidgoliath",
        "import davidgoliath.rules as r",
        "from davidgoliath.match import play_out",
        "from davidgoliath.notation.jsonform import from_json",
        "import gc",
        "from importlib import import_module",
        "import sys; sys._getframe()",
    ],
)
def test_a_bot_that_names_the_whole_deal_is_noticed(line: str) -> None:
    assert forbidden_names(line)


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("name", NAMES)
def test_whole_deals_with_any_standing(name: str, players: int, rules: RuleSet) -> None:
    """`play` refuses a card that isn't legal."""
    rng = Random(f"{name} {players} {rules}")
    bot = make_bot(name)
    state = DealState.start(Deal.shuffled(players, rng), rules, standing_for(players, rules, rng))
    while state.to_play is not None:
        state = state.play(bot.choose(state.view(state.to_play), rng, FEW), state.to_play)
    assert sum(map(len, state.piles)) == 15 * players


def test_golden_positions() -> None:
    """If bots were retuned on purpose: `python -m tests.golden`."""
    entries = golden.entries()
    assert sum(len(entry["moves"]) for entry in entries) == 200
    assert {entry["record"]["players"] for entry in entries} == {3, 4, 5, 6}
    assert golden.moves(entries) == [entry["moves"] for entry in entries]


@pytest.mark.parametrize("kernel", ["", *slow("python")])
def test_golden_positions_in_another_process(kernel: str) -> None:
    """With and without Numba; and whatever order sets of strings have."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.golden", *golden.NAMES],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "DAVIDGOLIATH_KERNEL": kernel, "PYTHONHASHSEED": f"{len(kernel)}"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [entry["moves"] for entry in golden.entries()]


class Clock:
    """A clock for tests: only a search takes time, and every look at it a little."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, an_iteration: float) -> None:
        self.now, self.iterations = 0.0, 0
        grow = search.Tree.grow

        def timed(tree: search.Tree, iterations: int) -> None:
            grow(tree, iterations)
            self.now += iterations * an_iteration
            self.iterations += iterations

        monkeypatch.setattr(search.Tree, "grow", timed)
        for module in [module for name, module in sys.modules.items() if name.startswith("davidgoliath.bots.")]:
            if hasattr(module, "perf_counter"):
                monkeypatch.setattr(module, "perf_counter", self)

    def __call__(self) -> float:
        self.now += 1e-5
        return self.now


@pytest.mark.parametrize("name", SEARCHING)
def test_a_number_of_iterations_is_kept(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    bot, clock = make_bot(name), Clock(monkeypatch, 1.0)
    for iterations in (0, 1, 60, 1000):
        clock.iterations = 0
        bot.choose(a_decision(), Random(1), Budget(iterations=iterations))
        least = max(1, iterations // 2)  # the rest is left out where it couldn't change the choice
        assert least <= clock.iterations <= max(1, iterations)


@pytest.mark.parametrize("speed", [1000, 20_000, 200_000])
@pytest.mark.parametrize("name", SEARCHING)
def test_a_time_is_used_and_kept(monkeypatch: pytest.MonkeyPatch, name: str, speed: int) -> None:
    """Also where a chunk of iterations takes longer than that: then there is one."""
    bot, clock = make_bot(name), Clock(monkeypatch, 1 / speed)
    for seconds in (0.1, 0.3):
        clock.now, clock.iterations = 0.0, 0
        bot.choose(a_decision(), Random(1), Budget(seconds=seconds))
        a_chunk = search.CHUNK / speed
        assert clock.iterations > 0
        assert seconds - 2 * a_chunk <= clock.now <= max(1.1 * seconds, a_chunk + 0.01)


@pytest.mark.parametrize("budget", [Budget(), Budget(iterations=0), Budget(seconds=0.0), Budget(seconds=1e-9)], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_a_budget_of_next_to_nothing_gives_a_card(name: str, budget: Budget) -> None:
    view = a_decision(played=20)
    assert make_bot(name).choose(view, Random(1), budget) in view.legal_cards


@pytest.fixture
def _no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("a search")

    monkeypatch.setattr(search, "search", fail)
    monkeypatch.setattr(worlds.Worlds, "sample", fail)


@pytest.mark.usefixtures("_no_search")
@pytest.mark.parametrize("name", SEARCHING)
def test_a_forced_card_is_played_without_a_search(name: str) -> None:
    rng = Random(3)
    state, forced = DealState.start(Deal.shuffled(4, rng)), 0
    while state.to_play is not None:
        if len(state.legal_cards) == 1:
            for budget in (None, FEW, Budget(seconds=10)):
                card = make_bot(name).choose(state.view(state.to_play), Random(1), budget)
                assert card in state.legal_cards
            forced += 1
        state = play_at_random(state, rng, 1)
    assert forced > 4
    with pytest.raises(AssertionError, match="a search"):
        make_bot(name).choose(a_decision(), Random(1), FEW)


def one_search(iterations: int) -> Callable[[], None]:
    """One call of compiled code that takes long."""
    view = a_decision()
    sampled = worlds.Worlds.of(view).sample(1, iterations)
    tree = search.Tree(view, 1)
    position, piles = position_of(view.rules, view.trick, 0), sets_to_array(view.piles)
    known = search.bonuses(8.0), prospects_for(4), weights_for(4), *tree.foresight, *make_rooms()
    return lambda: search.search(np.uint64(1), sampled, iterations, position, piles, tree.nodes, *known)


def naps_during(call: Callable[[], object]) -> int:
    """How often another thread comes to run during a call."""
    naps, is_over, started = [0], threading.Event(), threading.Event()

    def nap() -> None:
        while not is_over.is_set():
            time.sleep(0.001)
            naps[0] += 1
            started.set()

    thread = threading.Thread(target=nap)
    thread.start()
    started.wait()
    before = naps[0]
    call()
    during = naps[0] - before
    is_over.set()
    thread.join()
    return during


@pytest.mark.skipif(not IS_COMPILED, reason="plain Python holds the lock")
def test_others_run_during_a_search() -> None:
    searching = one_search(150_000)
    view = a_decision()
    assert min(naps_during(lambda: sum(range(10_000_000))) for _ in range(3)) <= 3  # this one holds the lock
    assert naps_during(searching) > 30
    assert naps_during(lambda: worlds.Worlds.of(view).sample(1, 300_000)) > 30


OTHERS = """
class First:
    def choose(self, view, rng, budget=None):
        return min(view.legal_cards)

class Picky:
    def __init__(self):
        raise RuntimeError("no\\nmood")
"""
ENTRIES = """
[davidgoliath.bots]
first = other_bots:First
picky = other_bots:Picky
gone = other_bots:Nobody
lost = no_such_package.bots:Bot
random = other_bots:Picky
reference = other_bots:First
expert = other_bots:First
"""


@pytest.fixture
def _other_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package with bots is installed."""
    (tmp_path / "other_bots.py").write_text(OTHERS, encoding="utf-8")
    info = tmp_path / "other_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-bots\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(ENTRIES, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    bots.cache_clear()
    yield
    bots.cache_clear()
    sys.modules.pop("other_bots", None)


@pytest.mark.usefixtures("_other_bots")
def test_bots_of_other_packages_are_found_by_name() -> None:
    view = a_decision()
    assert make_bot("first").choose(view, Random(1)) == min(view.legal_cards)
    assert list(bots())[: len(NAMES)] == list(NAMES)
    assert set(bots()) - set(NAMES) == {"first", "picky", "gone", "lost"}


@pytest.mark.usefixtures("_other_bots")
def test_nobody_takes_the_place_of_one_of_ours() -> None:
    for name in NAMES:
        assert type(make_bot(name)).__module__.startswith("davidgoliath.bots.")


@pytest.mark.usefixtures("_other_bots")
@pytest.mark.parametrize(
    ("name", "why"),
    [("picky", "RuntimeError: no"), ("gone", "AttributeError: "), ("lost", "ModuleNotFoundError: No module named")],
)
def test_a_bot_that_cannot_be_loaded_is_refused_in_a_sentence(name: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        make_bot(name)
    sentence = Texts("en").error(refused.value)
    assert sentence.startswith(f"the bot ‘{name}’ can’t be loaded ({why}")
    assert len(sentence.splitlines()) == 1


def test_an_unknown_bot_is_refused_with_those_that_there_are() -> None:
    with refuses("no_such_bot") as refused:
        make_bot("nobody")
    assert all(name in Texts("en").error(refused.value) for name in NAMES)
