"""`./dg train refine`: the policy learns what its cards are worth, rather than what a search played.

It plays deals, each card as often as it appeals. At every choice each legal card is tried: the trick is finished as the
policy would, and the value network, with all hands known, says what that comes to. A card that is better than the mean
shall appeal more. The hands are only one case of many that look alike to the seat, but the slope is linear in what
cards are worth: so on average it is that of the mean over all hands, and the policy learns nothing that a seat can't
know.

Left to itself the policy would become ever surer. So each card's worth is less by SOBER points for each power of e that
it is more likely: where nothing else is to be gained, a card that is worth SOBER points more is e times as likely.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from davidgoliath.kernel.chance import fraction, stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.features import LISTS, LONGEST, policy_features
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, MOST_CARDS, WORDS, Shorts
from davidgoliath.kernel.network import ROWS, appraise, most_appealing, to_array
from davidgoliath.kernel.play import colour_of, score
from davidgoliath.kernel.playout import deal
from davidgoliath.kernel.position import FIELDS, TRICK, led, legal_words, play_card, to_play
from davidgoliath.kernel.shape import HALF, ONE, POINT, STEEP, WIDTH
from davidgoliath.kernel.value import foresee
from davidgoliath.kernel.weights import read
from tools.train import learn
from tools.train.games import begin
from tools.train.gradient import LOSS, NONE, POSITIONS, TALLIES, Doubles, Parts, Singles, backward, forward, policy_head
from tools.train.learn import Learner, rounded, write_weights
from tools.train.progress import Progress
from tools.train.report import write_report

SOBER: Final = 0.4
SCALE: Final = 10.0
"""So many points more than the mean double a card's chance, as far as a slope can."""
DEALS: Final = 1000
"""Of a pass."""
BATCH: Final = 16
"""So many deals are a step."""
CONTEST: Final = 2000
"""So many deals tell, after each pass, by how much the policy is ahead of its start."""
CONTEST_SEED: Final = np.uint64(1 << 40)
"""Deals of the contest are others."""


class Plan(NamedTuple):
    """What is refined, and how."""

    players: int
    seed: int
    passes: int
    rate: float
    start: Path
    """The policy, as a network."""
    value: Path


def refine(plan: Plan, folder: Path) -> Path:
    """Refines, or goes on refining, and gives the file of the weights."""
    learner = Learner(learn.Plan("policy", plan.players, plan.seed, plan.passes, plan.rate, games=()))
    learner.begin_with(plan.start)
    value, start = (to_array(read(file.read_bytes(), file.name)) for file in (plan.value, plan.start))
    stem = folder / f"refined-{plan.players}"
    done = learner.go_on(stem.with_suffix(".checkpoint"))
    for number in range(done, plan.passes):
        worth = _pass(learner, number, value)
        ahead, error = _ahead(plan.players, to_array(rounded(learner, {})), start)
        learner.curve.append({"worth": worth, "ahead": ahead, "error": error})
        learner.save(stem.with_suffix(".checkpoint"), number + 1)
    write_report(stem, stem.name, learner.curve)
    command = f"./dg train refine --players {plan.players} --seed {plan.seed} --passes {plan.passes} --rate {plan.rate}"
    made = {"command": f"{command} --start {plan.start.name} --value {plan.value.name}", **learner.curve[-1]}
    return write_weights(learner, stem.with_suffix(".net"), made)


def _pass(learner: Learner, number: int, value: Shorts) -> float:
    """One pass, with the policy as it is at its start; gives what a card that it plays is worth on average."""
    plan, tallies = learner.plan, np.zeros(TALLIES)
    policy, steps = to_array(rounded(learner, {})), -(-DEALS // BATCH)
    own, gradient = Parts.of(learner.weights, learner.inputs), Parts.of(learner.gradient, learner.inputs)
    progress = Progress(f"refined-{plan.players}, pass {number + 1} of {plan.passes}", DEALS)
    for first in range(0, DEALS, BATCH):
        last, before = min(DEALS, first + BATCH), tallies[POSITIONS]
        deals = number * DEALS + first, number * DEALS + last
        with np.errstate(over="ignore"):
            add_wishes(plan.players, np.uint64(plan.seed), *deals, value, policy, *own, *gradient, tallies)
        learner.step(max(1, int(tallies[POSITIONS] - before)), plan.passes * steps)
        progress.show(last)
    return round(float(tallies[LOSS] / tallies[POSITIONS]), 3)


def _ahead(players: int, one: Shorts, other: Shorts) -> tuple[float, float]:
    """By how many points a deal one policy is ahead of another, and the standard error of that."""
    found = np.zeros(CONTEST)
    with np.errstate(over="ignore"):
        compete(players, CONTEST_SEED, one, other, found)
    return round(float(found.mean()), 3), round(float(found.std() / np.sqrt(CONTEST)), 3)


@compiled(
    "void(int64, uint64, int64, int64, int16[:, ::1], int16[:, ::1],"
    " float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1],"
    " float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float64[::1])",
    inline=False,
)
def add_wishes(
    players: int,
    seed: np.uint64,
    first: int,
    last: int,
    value: Shorts,
    policy: Shorts,
    rows: Singles,
    own: Singles,
    shared: Singles,
    tricks: Singles,
    outputs: Singles,
    rows_gradient: Singles,
    own_gradient: Singles,
    shared_gradient: Singles,
    tricks_gradient: Singles,
    outputs_gradient: Singles,
    tallies: Doubles,
) -> None:
    """Adds what the choices of some deals want of the weights, and to the tallies."""
    deck, hands, piles = np.empty(MOST_CARDS, np.int64), np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    then_hands, then_piles, then_voids = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64), np.empty(WORDS, np.int64)
    position, then, remaining = np.empty(FIELDS, np.int64), np.empty(FIELDS, np.int64), np.empty(COLOURS, np.int64)
    legal, voids, values = np.empty(COLOURS, np.int64), np.empty(WORDS, np.int64), np.empty(WORDS, np.int64)
    cards, appeals, then_remaining = np.empty(HAND, np.int64), np.empty(HAND, np.int64), np.empty(COLOURS, np.int64)
    chances, worth, wanted = np.empty(HAND, np.float64), np.empty(HAND, np.float64), np.empty(HAND, np.float64)
    short_rows, sums = np.zeros((ROWS, WIDTH), np.int16), np.zeros((2, HALF), np.int32)
    found, counts = np.empty((LISTS, LONGEST), np.int64), np.empty(LISTS, np.int64)
    firsts, seconds = np.empty((COLOURS + 1, WIDTH), np.float32), np.empty((COLOURS + 1, HALF), np.float32)
    to_firsts, to_seconds = np.empty((COLOURS, WIDTH), np.float32), np.empty((COLOURS, HALF), np.float32)
    own_turned, shared_turned = np.empty((HALF, WIDTH), np.float32), np.empty((HALF, WIDTH), np.float32)
    for i in range(WIDTH):
        for j in range(HALF):
            own_turned[j, i], shared_turned[j, i] = own[i, j], shared[i, j]
    for game in range(first, last):
        state = stream_start(seed, game)
        step = stream_step(state)
        state = deal(state, step, players, deck, hands)
        begin(position, piles, remaining, players)
        voids[:] = 0
        while position[TRICK] < HAND:
            seat, follow = to_play(position), led(position)
            legal_words(position, hands, seat, legal)
            number = appraise(
                position, hands, piles, remaining, voids, legal, policy, short_rows, sums, found, counts, cards, appeals
            )
            choice = cards[0]
            if number > 1:
                best, total = appeals[:number].max(), 0.0
                for other in range(number):
                    chances[other] = np.exp((appeals[other] - best) / (ONE * STEEP))
                    total += chances[other]
                mean = 0.0
                for other in range(number):
                    card = cards[other]
                    chances[other] /= total
                    then_hands[:], then_piles[:], then_voids[:], then[:] = hands, piles, voids, position
                    then_remaining[:] = remaining
                    if follow >= 0 and colour_of(card) != follow:
                        then_voids[seat] |= 1 << follow
                    play_card(then, then_hands, then_piles, then_remaining, card)
                    foresee(
                        then, then_hands, then_piles, then_voids, value, policy, short_rows, sums, found, counts, values
                    )
                    all_values = 0
                    for rival in range(players):
                        all_values += values[rival]
                    worth[other] = (players * values[seat] - all_values) / ((players - 1.0) * POINT)
                    worth[other] -= SOBER * np.log(max(chances[other], 1e-9))
                    mean += chances[other] * worth[other]
                for other in range(number):
                    wanted[other] = chances[other] * (1.0 + (worth[other] - mean) / SCALE)
                policy_features(position, hands, piles, remaining, voids, found, counts)
                forward(found, counts, position[TRICK], rows, own, shared, tricks, firsts, seconds)
                to_firsts[:], to_seconds[:] = NONE, NONE
                policy_head(legal, wanted, outputs, firsts, seconds, to_firsts, to_seconds, outputs_gradient, tallies)
                backward(
                    found,
                    counts,
                    position[TRICK],
                    own_turned,
                    shared_turned,
                    firsts,
                    seconds,
                    to_firsts,
                    to_seconds,
                    rows_gradient,
                    own_gradient,
                    shared_gradient,
                    tricks_gradient,
                )
                tallies[LOSS] += mean
                tallies[POSITIONS] += 1
                state += step
                left, other = fraction(state), 0
                while other < number - 1 and left >= chances[other]:
                    left -= chances[other]
                    other += 1
                choice = cards[other]
            if follow >= 0 and colour_of(choice) != follow:
                voids[seat] |= 1 << follow
            play_card(position, hands, piles, remaining, choice)


@compiled("void(int64, uint64, int16[:, ::1], int16[:, ::1], float64[::1])", inline=False)
def compete(players: int, seed: np.uint64, one: Shorts, other: Shorts, found: Doubles) -> None:
    """Two policies at every second seat, in each deal both ways: by how much the first is ahead, a deal."""
    deck, hands, piles = np.empty(MOST_CARDS, np.int64), np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    position, remaining, legal = np.empty(FIELDS, np.int64), np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64)
    voids, cards, appeals = np.empty(WORDS, np.int64), np.empty(HAND, np.int64), np.empty(HAND, np.int64)
    rows, sums = np.zeros((ROWS, WIDTH), np.int16), np.zeros((2, HALF), np.int32)
    lists, counts = np.empty((LISTS, LONGEST), np.int64), np.empty(LISTS, np.int64)
    for game in range(found.shape[0]):
        found[game] = 0.0
        for way in range(2):
            state = stream_start(seed, game)
            deal(state, stream_step(state), players, deck, hands)
            begin(position, piles, remaining, players)
            voids[:] = 0
            while position[TRICK] < HAND:
                seat, follow = to_play(position), led(position)
                legal_words(position, hands, seat, legal)
                weights = one if (seat + way) % 2 == 0 else other
                number = appraise(
                    position, hands, piles, remaining, voids, legal, weights, rows, sums, lists, counts, cards, appeals
                )
                card = most_appealing(cards, appeals, number)
                if follow >= 0 and colour_of(card) != follow:
                    voids[seat] |= 1 << follow
                play_card(position, hands, piles, remaining, card)
            ones = 0
            for seat in range(players):
                ones += (seat + way) % 2 == 0
            for seat in range(players):
                share = 1.0 / ones if (seat + way) % 2 == 0 else -1.0 / (players - ones)
                found[game] += score(piles, seat) * share / 2.0
