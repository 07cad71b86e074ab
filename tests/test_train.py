"""Training: deals are kept as they were played, slopes are right, and from one seed come the same bytes."""

import sys
from pathlib import Path

import numpy as np
import pytest
import tools.train
from tools.train import learn as learning
from tools.train import own
from tools.train import refine as refining
from tools.train.games import ASIDE, Bytes, load, replay
from tools.train.gradient import SHARPER, TALLIES, Parts, add_gradients, look_ahead, want
from tools.train.learn import Learner, learn, rounded, write_weights
from tools.train.play import Plan, play
from tools.train.recipe import Course, Round, cook
from tools.train.refine import refine

from davidgoliath import Deal, DealState
from davidgoliath.bots.search import no_network
from davidgoliath.kernel.convert import set_of, voids_to_array
from davidgoliath.kernel.layout import CELLS, COLOURS, WORDS, Shorts
from davidgoliath.kernel.network import evaluate, make_rooms, to_array
from davidgoliath.kernel.position import FIELDS, LEADER, TRICK, legal_words, to_play
from davidgoliath.kernel.shape import ONE, POINT, STEEP
from davidgoliath.kernel.weights import KINDS, read
from davidgoliath.rules import CardSet
from davidgoliath.rules.cards import CARDS

LOSS = 1
NO_VISITS = np.empty((0, 60, 15), np.uint8)


def state_of(game: np.ndarray[tuple[int], np.dtype[np.uint8]], players: int, plays: int) -> DealState:
    """The deal that a row of bytes tells, by the rules."""
    cards = [CARDS[byte & (ASIDE - 1)] for byte in game]
    hands: list[list[object]] = [[] for _ in range(players)]
    arrays = rooms()
    for number, card in enumerate(cards):
        replay(game, players, number, *arrays)
        hands[(arrays[0][LEADER] + number % players) % players].append(card)
    state = DealState.start(Deal(players - 1, tuple(CardSet.of(hand) for hand in hands)))  # type: ignore[arg-type]
    for card in cards[:plays]:
        state = state.play(card)
    return state


def rooms() -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], ...]:
    """Position, hands, piles, what remains, voids, scores."""
    return tuple(np.zeros(size, np.int64) for size in (FIELDS, CELLS, CELLS, COLOURS, WORDS, WORDS))


@pytest.mark.parametrize("plan", [Plan(3), Plan(4, iterations=5)], ids=lambda plan: plan.name)
def test_deals_are_kept_as_they_were_played(plan: Plan, tmp_path: Path) -> None:
    play(plan, 3, tmp_path)
    games, _ = load(tmp_path, plan.name, plan.players)
    players, game = plan.players, games[2]
    for plays in (0, 7, 31, 15 * players):
        state, (position, hands, piles, _, voids, scores) = state_of(game, players, plays), (arrays := rooms())
        replay(game, players, plays, *arrays)
        assert (position[TRICK], position[LEADER]) == (len(state.tricks), state.leader)
        assert [set_of(words) for words in hands.reshape(-1, WORDS)[:players]] == list(state.hands)
        assert [set_of(words) for words in piles.reshape(-1, WORDS)[:players]] == list(state.piles)
        assert voids.tolist() == voids_to_array(state.view(None).voids).tolist()
    assert tuple(scores[:players]) == state.scores


def test_playing_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    play(Plan(3), 10, one)
    play(Plan(3), 30, one)
    assert np.array_equal(np.load(one / "club-3.npy"), play(Plan(3), 30, two))
    assert not np.array_equal(play(Plan(3, seed=1), 30, tmp_path), play(Plan(3), 30, two))


@pytest.mark.parametrize("kind", KINDS)
def test_slopes_are_those_of_the_loss(kind: str, tmp_path: Path) -> None:
    """A small change of weights changes the loss as the gradient says."""
    games, learner = play(Plan(3), 40, tmp_path), Learner(learning.Plan(kind, 3))
    order, rng = np.arange(40), np.random.default_rng(1)

    def loss(weights: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> float:
        tallies, gradient = np.zeros(TALLIES), np.zeros_like(weights)
        parts = *Parts.of(weights, learner.inputs), *Parts.of(gradient, learner.inputs)
        add_gradients(
            int(kind == "policy"), 3, np.uint64(7), games, NO_VISITS, order, 1.0, no_network(), *parts, tallies
        )
        found[:] = gradient
        return float(tallies[LOSS]) * (1.0 if kind == "policy" else 3 / 2 / 16**2)

    found = np.zeros_like(learner.weights)
    with np.errstate(over="ignore"):
        loss(learner.weights)
        slope = found.copy()
        for _ in range(5):
            way = rng.normal(0, 1, slope.shape).astype(np.float32) * (slope != 0)
            step = np.float32(1e-3 / np.linalg.norm(way))
            change = loss(learner.weights + step * way) - loss(learner.weights - step * way)
            assert change == pytest.approx(float(2 * step * (slope * way).sum()), rel=0.05, abs=2e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_from_one_seed_come_the_same_bytes(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if training is broken off, and goes on later."""
    plan, whole, broken = learning.Plan(kind, 3, passes=3), tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
        play(Plan(3), 600, folder)
    expected = learn(plan, whole).read_bytes()
    learn_pass = Learner.learn_pass

    def broken_off(learner: Learner, games: Bytes, visits: Bytes, number: int, total: int) -> dict[str, float]:
        if number == 1:
            raise KeyboardInterrupt
        return learn_pass(learner, games, visits, number, total)

    with monkeypatch.context() as patched:
        patched.setattr(Learner, "learn_pass", broken_off)
        with pytest.raises(KeyboardInterrupt):
            learn(plan, broken)
    assert learn(plan, broken).read_bytes() == expected
    network = read(expected, "it")
    assert (network.kind, network.players) == (kind, 3)
    assert network.made["command"].startswith(f"./dg train {kind} --players 3 --seed 0 --passes 3")
    assert (whole / f"{kind}-3.svg").exists()
    curve = [line for line in (whole / f"{kind}-3.md").read_text(encoding="utf-8").splitlines() if line[2:3].isdigit()]
    assert len(curve) == 3


def test_refined_policies_beat_their_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From one seed with the same bytes, also if that is broken off."""
    monkeypatch.setattr(refining, "DEALS", 160)
    start = write_weights(Learner(learning.Plan("policy", 3)), tmp_path / "start.net", {})
    plan, whole, broken = refining.Plan(3, 0, 3, 5e-3, start, own("value", 3)), tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
    expected = refine(plan, whole)
    made = read(expected.read_bytes(), "it").made
    assert made["ahead"] > 5 * made["error"] > 0
    one_pass = refining._pass

    def broken_off(learner: Learner, number: int, value: Shorts) -> float:
        if number == 1:
            raise KeyboardInterrupt
        return one_pass(learner, number, value)

    with monkeypatch.context() as patched:
        patched.setattr(refining, "_pass", broken_off)
        with pytest.raises(KeyboardInterrupt):
            refine(plan, broken)
    assert (broken / "refined-3.checkpoint").exists()
    assert refine(plan, broken).read_bytes() == expected.read_bytes()
    assert (whole / "refined-3.svg").exists()


def test_whole_numbers_say_what_fractions_said(tmp_path: Path) -> None:
    """The kernel's value of a position is what training thought of it, but for rounding."""
    games, learner = play(Plan(4), 20, tmp_path), Learner(learning.Plan("value", 4))
    learner.learn_pass(games, NO_VISITS, 0, 10)
    network = to_array(read(write_weights(learner, tmp_path / "it.net", {}).read_bytes(), "it"))
    for number in range(20):
        tallies, gradient = np.zeros(TALLIES), np.zeros_like(learner.weights)
        parts = *Parts.of(learner.weights, learner.inputs), *Parts.of(gradient, learner.inputs)
        with np.errstate(over="ignore"):
            add_gradients(0, 4, np.uint64(7), games, NO_VISITS, np.array([number]), 1.0, no_network(), *parts, tallies)
        errors = []
        for trick in range(14):  # one of them was drawn
            position, hands, piles, *_, scores = arrays = rooms()
            replay(games[number], 4, 4 * trick, *arrays)
            values = np.zeros(WORDS, np.int64)
            evaluate(position, hands, piles, network, *make_rooms(), values)
            missed = values[:4] * 16 / (ONE * STEEP) - scores[:4]
            errors.append(float((missed**2).mean()))
        assert min(abs(error - tallies[LOSS]) / tallies[LOSS] for error in errors) < 0.02


def test_the_command_plays_and_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in ("play --deals 60", "value --passes 1"):
        monkeypatch.setattr(sys, "argv", ["train", *words.split(), "--players", "3", "--folder", str(tmp_path)])
        assert tools.train.main() == 0
    assert (tmp_path / "value-3.net").exists()


def test_from_nothing_to_weights_round_by_round(tmp_path: Path) -> None:
    """Twice the same, the second time in two steps; later rounds play by the value network of those before, and learn
    all that searches played."""
    course = Course(1, 1e-3)
    rounds = (Round(40, 0, course, course), Round(2, 5, course, course), Round(3, 6, Course(1, 1e-3, 0.6), course))
    place = cook(3, tmp_path / "one", recipe=rounds)
    cook(3, tmp_path / "two", recipe=rounds[:2])
    cook(3, tmp_path / "two", recipe=rounds)
    for kind in KINDS:
        file = f"round-2/{kind}-3.net"
        network = read((place / f"{kind}-3.net").read_bytes(), kind)
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
        assert network.made["games"] == {"../round-1/search-5": 2, "search-6": 3}
        assert f"--start {kind}-3.net" in network.made["command"]


@pytest.mark.parametrize("kind", KINDS)
def test_training_goes_on_from_a_network(kind: str, tmp_path: Path) -> None:
    """Whoever has the package's weights needs no checkpoint."""
    learner, again = Learner(learning.Plan(kind, 3, seed=1)), Learner(learning.Plan(kind, 3, seed=2))
    file = write_weights(learner, tmp_path / "it.net", {})
    again.begin_with(file)
    assert np.allclose(again.weights, learner.weights, atol=0.5 / ONE)
    assert write_weights(again, tmp_path / "again.net", {}).read_bytes() == file.read_bytes()


def test_visits_are_learnt_sharper_than_they_are(tmp_path: Path) -> None:
    """The policy's aim is what the search tried most, and its next cards less than they were tried."""
    play(Plan(3, iterations=40), 2, tmp_path)
    games, visits = load(tmp_path, "search-40", 3)
    choices = 0
    for plays in range(44):
        position, hands, *_ = arrays = rooms()
        replay(games[0], 3, plays, *arrays)
        legal, wanted = np.zeros(COLOURS, np.int64), np.zeros(15)
        legal_words(position, hands, to_play(position), legal)
        number = sum(int(word).bit_count() for word in legal)
        if want(games[0], plays, visits[0], legal, wanted):
            choices += 1
            tried = visits[0, plays, :number] / 255
            assert np.allclose(wanted[:number], tried**SHARPER / (tried**SHARPER).sum())
            assert tried.max() == 1
        else:
            assert number == 1 or games[0, plays] >= ASIDE
    assert choices > 10


def test_looking_ahead_mixes_what_a_network_says_of_the_tricks_to_come(tmp_path: Path) -> None:
    """TD(λ), by adding up what the last trick but one, two … says."""
    game, fade = play(Plan(3), 1, tmp_path)[0], 0.6
    network = to_array(rounded(Learner(learning.Plan("value", 3)), {}))
    said = []
    for trick in range(14):
        position, hands, piles, *_, scores = arrays = rooms()
        replay(game, 3, 3 * trick, *arrays)
        evaluate(position, hands, piles, network, *make_rooms(), values := np.zeros(WORDS, np.int64))
        said.append(values[:3] / POINT)
    for trick in (0, 5, 12, 13):
        expected = scores[:3].astype(float)
        for later in range(13, trick, -1):
            expected = fade * expected + (1 - fade) * said[later]
        position, hands, piles, remaining, _, targets = arrays = rooms()
        replay(game, 3, 3 * trick, *arrays)
        aims = targets.astype(float)
        room = np.zeros((2, WORDS), np.int64)
        look_ahead(game, 3 * trick, fade, network, *make_rooms(), position, hands, piles, remaining, room[0], aims)
        assert np.allclose(aims[:3], expected)
