"""`./dg train value|policy`: passes over what was played, checkpoints, a report, and in the end the weights' file.

In a pass every deal gives one position, drawn anew each time. The last deals are held out, and judge each pass.
"""

import json
from array import array
from hashlib import sha256
from math import cos, pi
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from davidgoliath.bots.search import no_network
from davidgoliath.kernel.network import to_array
from davidgoliath.kernel.shape import ALL, FIRST_LIMIT, HALF, LIMIT, ONE, POINTS, STEEP, WIDTH, height, inputs
from davidgoliath.kernel.weights import Weights, read
from tools.train.games import Bytes, load
from tools.train.gradient import (
    ERRORS,
    LOSS,
    POSITIONS,
    SQUARES,
    TALLIES,
    TARGETS,
    Parts,
    Singles,
    adam,
    add_gradients,
)
from tools.train.progress import Progress
from tools.train.report import write_report

BATCH: Final = 256
HELD_OUT: Final = 0.05
"""The share of the last games that is held out; each deal of it is looked at LOOKS times."""
LOOKS: Final = 10
JUDGED: Final = 1 << 20
"""Positions for judging are drawn as in passes that there never are."""
MEAN_SCORE: Final = 30


class Plan(NamedTuple):
    """What is learnt, and how."""

    kind: str
    players: int
    seed: int = 0
    passes: int = 12
    rate: float = 2e-3
    games: tuple[str, ...] = ("club",)
    """The names of what was played. Of the last one some deals are held out."""
    start: Path | None = None
    """A checkpoint, or a network, to begin with, rather than with chance."""
    fade: float = 1.0
    """λ: below 1, a value network learns from what its start says of the tricks to come as well."""

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.players}"


class Learner:
    """The weights on their way, with all that must be kept to go on."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        first, size = inputs(plan.kind, plan.players), height(plan.kind, plan.players)
        self.inputs = first
        self.state = np.zeros((3, size, WIDTH), np.float32)
        """The weights, and Adam's means and squares."""
        self.gradient = np.zeros((size, WIDTH), np.float32)
        self.limits = np.full((size, WIDTH), LIMIT / STEEP, np.float32)
        self.limits[:first] = FIRST_LIMIT / ONE
        self.teacher = no_network()
        """The network that looks ahead."""
        self.steps = 0
        self.curve: list[dict[str, float]] = []
        self._begin()

    @property
    def weights(self) -> Singles:
        weights: Singles = self.state[0]
        return weights

    def _begin(self) -> None:
        rng = np.random.default_rng([self.plan.seed, self.plan.players])
        parts = Parts.of(self.weights, self.inputs)
        for part, spread in ((parts.rows, 0.2), (parts.own, 0.15), (parts.all, 0.05)):
            part[:] = rng.normal(0, spread, part.shape)
        parts.outputs[:] = rng.normal(0, 0.03, parts.outputs.shape)
        parts.outputs[1::2, HALF:] = 0
        if self.plan.kind == "value":
            parts.outputs[1::2, HALF] = MEAN_SCORE / POINTS / 5

    def learn_pass(self, games: Bytes, visits: Bytes, number: int, total_steps: int) -> dict[str, float]:
        """One pass, in an order of its own."""
        rng = np.random.default_rng([self.plan.seed, number])
        order = rng.permutation(len(games))
        tallies = np.zeros(TALLIES)
        progress = Progress(f"{self.plan.name}, pass {number + 1} of {self.plan.passes}", len(order))
        for first in range(0, len(order), BATCH):
            batch = order[first : first + BATCH]
            self._add(games, visits, batch, number, tallies, self.plan.fade)
            self.step(len(batch), total_steps)
            progress.show(first + len(batch), told(figures(self.plan.kind, self.plan.players, tallies)))
        return figures(self.plan.kind, self.plan.players, tallies)

    def step(self, positions: int, total_steps: int) -> None:
        """One step along the gradient that so many positions have added up."""
        self.steps += 1
        rate = self.plan.rate * (1 + cos(pi * self.steps / total_steps)) / 2
        weights, means, squares = (each.reshape(-1) for each in self.state)
        gradient, limits = self.gradient.reshape(-1), self.limits.reshape(-1)
        grown = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        adam(weights, gradient, means, squares, limits, 1 / positions, rate, *grown)

    def judge(self, games: Bytes, visits: Bytes) -> dict[str, float]:
        """How well the held out deals are foreseen."""
        tallies = np.zeros(TALLIES)
        for look in range(LOOKS):
            self._add(games, visits, np.arange(len(games)), JUDGED + look, tallies, 1.0)
        self.gradient[:] = 0
        return figures(self.plan.kind, self.plan.players, tallies)

    def _add(self, games: Bytes, visits: Bytes, order: Any, number: int, tallies: Any, fade: float) -> None:
        own, wanted = Parts.of(self.weights, self.inputs), Parts.of(self.gradient, self.inputs)
        seed = np.uint64(self.plan.seed << 32 | number)
        with np.errstate(over="ignore"):
            add_gradients(
                int(self.plan.kind == "policy"),
                self.plan.players,
                seed,
                games,
                visits,
                order,
                fade,
                self.teacher,
                *own,
                *wanted,
                tallies,
            )

    def begin_with(self, file: Path) -> None:
        """The weights of a checkpoint, or of a network, which has them in whole numbers."""
        if file.suffix == ".net":
            self.state[0] = fractions(read(file.read_bytes(), file.name))
        else:
            self.load(file)
        self.state[1:] = 0

    def save(self, file: Path, done: int) -> None:
        head = {"steps": self.steps, "passes": done, "curve": self.curve, "plan": fingerprint(self.plan)}
        beside = file.with_suffix(".part")
        beside.write_bytes(json.dumps(head).encode() + b"\n" + self.state.tobytes())
        beside.replace(file)

    def go_on(self, file: Path) -> int:
        """Goes on from a checkpoint of the same plan, if there is one, and says how many passes are done."""
        if not file.exists():
            return 0
        before = Learner(self.plan)
        head = before.load(file)
        if head["plan"] != fingerprint(self.plan):
            return 0
        self.state, self.steps, self.curve = before.state, head["steps"], head["curve"]
        return int(head["passes"])

    def load(self, file: Path) -> dict[str, Any]:
        line, _, rest = file.read_bytes().partition(b"\n")
        self.state = np.frombuffer(rest, np.float32).reshape(self.state.shape).copy()
        head: dict[str, Any] = json.loads(line)
        return head


def learn(plan: Plan, folder: Path) -> Path:
    """Learns, or goes on learning, and gives the file of the weights."""
    sources = sorted((load(folder, name, plan.players) for name in plan.games), key=lambda source: len(source[1]) > 0)
    all_games, all_visits = (np.concatenate(each) for each in zip(*sources, strict=True))
    held = max(1, int(len(sources[-1][0]) * HELD_OUT))
    games, visits = all_games[:-held], all_visits[:-held]
    held_out = np.ascontiguousarray(all_games[-held:]), np.ascontiguousarray(all_visits[-held:])
    learner, checkpoint = Learner(plan), folder / f"{plan.name}.checkpoint"
    if plan.start:
        learner.begin_with(plan.start)
    if plan.fade < 1:
        learner.teacher = to_array(rounded(learner, {}))
    done = learner.go_on(checkpoint)
    total = plan.passes * -(-len(games) // BATCH)
    for number in range(done, plan.passes):
        seen = learner.learn_pass(games, visits, number, total)
        new = learner.judge(*held_out)
        learner.curve.append({**{f"learnt {key}": each for key, each in seen.items()}, **new})
        learner.save(checkpoint, number + 1)
    write_report(folder / plan.name, plan.name, learner.curve)
    made = {
        "command": command(plan),
        "games": {name: len(load(folder, name, plan.players)[0]) for name in plan.games},
    }
    return write_weights(learner, folder / f"{plan.name}.net", {**made, **learner.curve[-1]})


def figures(kind: str, players: int, tallies: Any) -> dict[str, float]:
    """R² and the root of the mean squared error in points; or the cross-entropy, and that of who knows nothing."""
    positions = max(1.0, tallies[POSITIONS])
    if kind == "policy":
        return {
            "cross-entropy": round(float(tallies[LOSS] / positions), 4),
            "uniform": round(float(tallies[TARGETS] / positions), 4),
        }
    scores = positions * players
    spread = tallies[SQUARES] - tallies[TARGETS] ** 2 / scores
    return {
        "R²": round(float(1 - tallies[ERRORS] / spread), 4),
        "error": round(float(np.sqrt(tallies[ERRORS] / scores)), 3),
    }


def told(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {figure}" for name, figure in figures.items())


def fingerprint(plan: Plan) -> str:
    """Tells whether a checkpoint is one of this plan."""
    return sha256(repr(plan._replace(start=None)).encode()).hexdigest()[:16]


def command(plan: Plan) -> str:
    words = [f"./dg train {plan.kind} --players {plan.players} --seed {plan.seed} --passes {plan.passes}"]
    words += [f"--rate {plan.rate} --games {' '.join(plan.games)}"]
    words += [f"--lambda {plan.fade}"] if plan.fade < 1 else []
    return " ".join(words + ([f"--start {plan.start.name}"] if plan.start else []))


def rounded(learner: Learner, made: dict[str, Any]) -> Weights:
    """The weights in whole numbers, with the matrices as the kernel has them."""
    first = learner.inputs
    scaled = learner.weights.astype(np.float64) * np.where(np.arange(len(learner.weights)) < first, ONE, STEEP)[:, None]
    whole = np.rint(scaled).astype(np.int16)
    for start in (first, first + ALL):
        matrix = whole[start : start + HALF].reshape(HALF, 2, HALF)
        whole[start : start + HALF] = matrix.transpose(0, 2, 1).reshape(HALF, WIDTH)
    return Weights(learner.plan.kind, learner.plan.players, array("h", whole.tobytes()), made)


def fractions(weights: Weights) -> Singles:
    """The other way round."""
    first = inputs(weights.kind, weights.players)
    whole = np.array(weights.numbers, np.float32).reshape(-1, WIDTH)
    for start in (first, first + ALL):
        matrix = whole[start : start + HALF].reshape(HALF, HALF, 2)
        whole[start : start + HALF] = matrix.transpose(0, 2, 1).reshape(HALF, WIDTH)
    found: Singles = (whole / np.where(np.arange(len(whole)) < first, ONE, STEEP)[:, None]).astype(np.float32)
    return found


def write_weights(learner: Learner, file: Path, made: dict[str, Any]) -> Path:
    file.write_bytes(bytes(rounded(learner, made)))
    return file
