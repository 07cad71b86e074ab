"""One position after another through a network in floating point, and back: what training adds up.

The weights have the kernel's rows (`kernel/shape.py`), but as fractions, and with the matrices of step 2 as they are:
64 rows of 32. The order of every sum is fixed, and all of them are over rows side by side, which compilers make vectors
of without changing a result.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from davidgoliath.kernel.bits import lowest
from davidgoliath.kernel.chance import below, stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.features import LISTS, LONGEST, SHARED, policy_features, value_features
from davidgoliath.kernel.layout import CELLS, CODE_BITS, CODE_MASK, COLOURS, HAND, WORDS, Ints, Longs, Shorts
from davidgoliath.kernel.network import ROWS, evaluate
from davidgoliath.kernel.play import colour_of
from davidgoliath.kernel.position import FIELDS, PLAYERS, TRICK, legal_words, play_card, to_play
from davidgoliath.kernel.shape import ALL, HALF, MOST, ONE, OUTPUTS, POINT, POINTS, TRICKS, WIDTH
from tools.train.games import ASIDE, Bytes, code_in, replay

Singles = NDArray[np.float32]
Doubles = NDArray[np.float64]

NONE: Final = np.float32(0)
TOP: Final = np.float32(MOST / ONE)
CONSTANT: Final = np.float32(COLOURS)
TRIES: Final = 12
"""So many cards of a deal are looked at until one is found that was somebody's choice."""
SHARPER: Final = 4.0
"""Visits are learnt to this power: a search tries poor cards, too, and plays the one that it tried most."""
POSITIONS, LOSS, TARGETS, SQUARES, ERRORS = range(5)
"""What a pass adds up: positions; the sum of losses; of the value network also the sums of the scores that were to be
foreseen and of their squares, and of the squares of what was missed. Of the policy, TARGETS has the loss of who knows
nothing."""
TALLIES: Final = 5


class Parts(NamedTuple):
    """The parts of a network's weights, or of their gradient: views of one array."""

    rows: Singles
    own: Singles
    all: Singles
    tricks: Singles
    outputs: Singles

    @classmethod
    def of(cls, weights: Singles, inputs: int) -> "Parts":
        own, shared = inputs + ALL, inputs + TRICKS
        return cls(
            weights[:inputs],
            weights[inputs:own].reshape(WIDTH, HALF),
            weights[own:shared].reshape(WIDTH, HALF),
            weights[shared : inputs + OUTPUTS],
            weights[inputs + OUTPUTS :],
        )


@compiled(
    "void(int64[:, ::1], int64[::1], int64, float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1],"
    " float32[:, ::1], float32[:, ::1])",
    inline=False,
)
def forward(
    found: Ints,
    counts: Ints,
    trick: int,
    rows: Singles,
    own: Singles,
    shared: Singles,
    tricks: Singles,
    firsts: Singles,
    seconds: Singles,
) -> None:
    """Steps 1 and 2. Behind the colours' rows stand their sums."""
    start = np.empty(WIDTH, np.float32)
    for i in range(WIDTH):
        start[i], firsts[COLOURS, i] = NONE, NONE
    for number in range(counts[SHARED]):
        row = found[SHARED, number]
        for i in range(WIDTH):
            start[i] += rows[row, i]
    for colour in range(COLOURS):
        for i in range(WIDTH):
            firsts[colour, i] = start[i]
        for number in range(counts[colour]):
            row = found[colour, number]
            for i in range(WIDTH):
                firsts[colour, i] += rows[row, i]
        for i in range(WIDTH):
            firsts[colour, i] = min(max(firsts[colour, i], NONE), TOP)
            firsts[COLOURS, i] += firsts[colour, i]
    for j in range(HALF):
        start[j], seconds[COLOURS, j] = tricks[trick, j], NONE
    for i in range(WIDTH):
        number_of_all = firsts[COLOURS, i]
        for j in range(HALF):
            start[j] += number_of_all * shared[i, j]
    for colour in range(COLOURS):
        for j in range(HALF):
            seconds[colour, j] = start[j]
        for i in range(WIDTH):
            number_of_own = firsts[colour, i]
            for j in range(HALF):
                seconds[colour, j] += number_of_own * own[i, j]
        for j in range(HALF):
            seconds[colour, j] = min(max(seconds[colour, j], NONE), TOP)
            seconds[COLOURS, j] += seconds[colour, j]


@compiled(
    "void(int64[:, ::1], int64[::1], int64, float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1],"
    " float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1])",
    inline=False,
)
def backward(
    found: Ints,
    counts: Ints,
    trick: int,
    own: Singles,
    shared: Singles,
    firsts: Singles,
    seconds: Singles,
    to_firsts: Singles,
    to_seconds: Singles,
    rows_gradient: Singles,
    own_gradient: Singles,
    shared_gradient: Singles,
    tricks_gradient: Singles,
) -> None:
    """From what the loss wants of the colours' rows to what it wants of the weights. `own`, `shared` are transposed."""
    total, to_all = np.zeros(HALF, np.float32), np.zeros(WIDTH, np.float32)
    for colour in range(COLOURS):
        for j in range(HALF):
            if seconds[colour, j] <= NONE or seconds[colour, j] >= TOP:
                to_seconds[colour, j] = NONE
            total[j] += to_seconds[colour, j]
        for i in range(WIDTH):
            number = firsts[colour, i]
            for j in range(HALF):
                own_gradient[i, j] += number * to_seconds[colour, j]
        for j in range(HALF):
            wish = to_seconds[colour, j]
            for i in range(WIDTH):
                to_firsts[colour, i] += wish * own[j, i]
    for j in range(HALF):
        tricks_gradient[trick, j] += total[j]
        wish = total[j]
        for i in range(WIDTH):
            to_all[i] += wish * shared[j, i]
    for i in range(WIDTH):
        number = firsts[COLOURS, i]
        for j in range(HALF):
            shared_gradient[i, j] += number * total[j]
    for colour in range(COLOURS):
        for i in range(WIDTH):
            wish = to_firsts[colour, i] + to_all[i]
            to_firsts[colour, i] = wish if NONE < firsts[colour, i] < TOP else NONE
        for number in range(counts[colour]):
            row = found[colour, number]
            for i in range(WIDTH):
                rows_gradient[row, i] += to_firsts[colour, i]
        for number in range(counts[SHARED]):
            row = found[SHARED, number]
            for i in range(WIDTH):
                rows_gradient[row, i] += to_firsts[colour, i]


@compiled("int64(uint8[::1], int64, uint64, uint64)")
def pick_trick(game: Bytes, players: int, state: np.uint64, step: np.uint64) -> int:
    """The start of any trick but the last, as a number of cards. Tricks at the beginning that are aside don't count."""
    first = 0
    while first < HAND - 2:
        aside = 0
        for place in range(players):
            aside += game[first * players + place] >= ASIDE
        if aside < players:
            break
        first += 1
    return players * (first + below(state + step, HAND - 1 - first))


@compiled(
    "float64(int64, float64[::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:,"
    " ::1], float32[:, ::1], float64[::1])",
    inline=False,
)
def value_head(
    leader: int,
    targets: Doubles,
    outputs: Singles,
    firsts: Singles,
    seconds: Singles,
    to_firsts: Singles,
    to_seconds: Singles,
    gradient: Singles,
    tallies: Doubles,
) -> float:
    """Step 3 of the value network, and what the squared error wants."""
    players = outputs.shape[0] // 2
    loss = 0.0
    for place in range(players):
        score = targets[(leader + place) % players]
        said = CONSTANT * outputs[2 * place + 1, HALF]
        for i in range(WIDTH):
            said += outputs[2 * place, i] * firsts[COLOURS, i]
        for j in range(HALF):
            said += outputs[2 * place + 1, j] * seconds[COLOURS, j]
        wish = np.float32(said - np.float32(score / POINTS))
        for i in range(WIDTH):
            gradient[2 * place, i] += wish * firsts[COLOURS, i]
        for j in range(HALF):
            gradient[2 * place + 1, j] += wish * seconds[COLOURS, j]
        gradient[2 * place + 1, HALF] += wish * CONSTANT
        for colour in range(COLOURS):
            for i in range(WIDTH):
                to_firsts[colour, i] += wish * outputs[2 * place, i]
            for j in range(HALF):
                to_seconds[colour, j] += wish * outputs[2 * place + 1, j]
        missed = float(wish) * POINTS
        loss += missed * missed
        tallies[TARGETS] += score
        tallies[SQUARES] += score * score
    tallies[ERRORS] += loss
    return float(loss / players)


@compiled(
    "float64(int64[::1], float64[::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:,"
    " ::1], float32[:, ::1], float64[::1])",
    inline=False,
)
def policy_head(
    legal: Ints,
    wanted: Doubles,
    outputs: Singles,
    firsts: Singles,
    seconds: Singles,
    to_firsts: Singles,
    to_seconds: Singles,
    gradient: Singles,
    tallies: Doubles,
) -> float:
    """Step 3 of the policy network, and what the cross-entropy wants. `wanted` has the share of each legal card."""
    appeals, cards = np.empty(HAND, np.float64), np.empty(HAND, np.int64)
    number = 0
    for colour in range(COLOURS):
        mask = legal[colour]
        while mask:
            value = lowest(mask)
            mask &= mask - 1
            said = outputs[2 * value + 1, HALF]
            for i in range(WIDTH):
                said += outputs[2 * value, i] * firsts[colour, i]
            for j in range(HALF):
                said += outputs[2 * value + 1, j] * seconds[colour, j]
            cards[number], appeals[number] = colour << CODE_BITS | value, said
            number += 1
    best, total, loss = appeals[:number].max(), 0.0, 0.0
    for other in range(number):
        appeals[other] = np.exp(appeals[other] - best)
        total += appeals[other]
    for other in range(number):
        chance = appeals[other] / total
        loss -= wanted[other] * np.log(max(chance, 1e-30))
        wish = np.float32(chance - wanted[other])
        colour, value = colour_of(cards[other]), cards[other] & CODE_MASK
        for i in range(WIDTH):
            gradient[2 * value, i] += wish * firsts[colour, i]
            to_firsts[colour, i] += wish * outputs[2 * value, i]
        for j in range(HALF):
            gradient[2 * value + 1, j] += wish * seconds[colour, j]
            to_seconds[colour, j] += wish * outputs[2 * value + 1, j]
        gradient[2 * value + 1, HALF] += wish
    tallies[TARGETS] += np.log(float(number))
    return loss


@compiled("boolean(uint8[::1], int64, uint8[:, ::1], int64[::1], float64[::1])")
def want(game: Bytes, plays: int, visits: Bytes, legal: Ints, wanted: Doubles) -> bool:
    """Fills in the share of each legal card that the policy shall learn: of a search's visits, where they are kept, or
    all for the card that was played. Not where there was no choice, or nobody should learn from it."""
    if game[plays] >= ASIDE:
        return False
    number, total, card = 0, 0.0, code_in(game[plays])
    for colour in range(COLOURS):
        mask = legal[colour]
        while mask:
            if visits.shape[0]:
                wanted[number] = float(visits[plays, number]) ** SHARPER
            else:
                wanted[number] = 1.0 if card == (colour << CODE_BITS | lowest(mask)) else 0.0
            total += wanted[number]
            mask &= mask - 1
            number += 1
    for other in range(number):
        wanted[other] /= max(total, 1e-9)
    return number > 1 and total > 0.0


@compiled(
    "void(uint8[::1], int64, float64, int16[:, ::1], int16[:, ::1], int32[:, ::1], int64[:, ::1], int64[::1],"
    " int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], float64[::1])"
)
def look_ahead(
    game: Bytes,
    plays: int,
    fade: float,
    network: Shorts,
    rows: Shorts,
    sums: Longs,
    found: Ints,
    counts: Ints,
    position: Ints,
    hands: Ints,
    piles: Ints,
    remaining: Ints,
    values: Ints,
    targets: Doubles,
) -> None:
    """TD(λ): mixes the final scores with what a network says of the tricks to come, each trick λ times as much as the
    one before. Plays the deal on, in the arrays that are given."""
    players, share = position[PLAYERS], 1.0
    for seat in range(players):
        targets[seat] *= fade ** (HAND - 2 - position[TRICK])
    while True:
        for _ in range(players):
            play_card(position, hands, piles, remaining, code_in(game[plays]))
            plays += 1
        if position[TRICK] == HAND - 1:
            return
        evaluate(position, hands, piles, network, rows, sums, found, counts, values)
        for seat in range(players):
            targets[seat] += share * (1.0 - fade) * values[seat] / POINT
        share *= fade


@compiled(
    "void(int64, int64, uint64, uint8[:, ::1], uint8[:, :, ::1], int64[::1], float64, int16[:, ::1],"
    " float32[:, ::1], float32[:, ::1], float32[:, ::1],"
    " float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1], float32[:, ::1],"
    " float32[:, ::1], float64[::1])",
    inline=False,
)
def add_gradients(
    is_policy: int,
    players: int,
    seed: np.uint64,
    games: Bytes,
    visits: Bytes,
    order: Ints,
    fade: float,
    network: Shorts,
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
    """Adds what one position of each of some deals wants of the weights, and to the tallies.

    The last deals have the visits of the search that played them. With a `fade` (λ) below 1 the value network learns
    from what another one says of the tricks to come, too.
    """
    position, hands, piles = np.empty(FIELDS, np.int64), np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    remaining, legal, voids = np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64), np.empty(WORDS, np.int64)
    scores, values = np.empty(WORDS, np.int64), np.empty(WORDS, np.int64)
    targets, wanted = np.empty(WORDS, np.float64), np.empty(HAND, np.float64)
    short_rows, sums = np.zeros((ROWS, WIDTH), np.int16), np.zeros((2, HALF), np.int32)
    found, counts = np.empty((LISTS, LONGEST), np.int64), np.empty(LISTS, np.int64)
    firsts, seconds = np.empty((COLOURS + 1, WIDTH), np.float32), np.empty((COLOURS + 1, HALF), np.float32)
    to_firsts, to_seconds = np.empty((COLOURS, WIDTH), np.float32), np.empty((COLOURS, HALF), np.float32)
    own_turned, shared_turned = np.empty((HALF, WIDTH), np.float32), np.empty((HALF, WIDTH), np.float32)
    for i in range(WIDTH):
        for j in range(HALF):
            own_turned[j, i], shared_turned[j, i] = own[i, j], shared[i, j]
    for index in range(order.shape[0]):
        game = games[order[index]]
        state = stream_start(seed, order[index])
        step = stream_step(state)
        if is_policy:
            row, is_choice = max(0, order[index] - games.shape[0] + visits.shape[0]), False
            known = visits[row] if order[index] >= games.shape[0] - visits.shape[0] else visits[0, :0]
            for _ in range(TRIES):
                state += step
                plays = below(state, game.shape[0] - players)
                replay(game, players, plays, position, hands, piles, remaining, voids, scores)
                legal_words(position, hands, to_play(position), legal)
                is_choice = want(game, plays, known, legal, wanted)
                if is_choice:
                    break
            if not is_choice:
                continue
            policy_features(position, hands, piles, remaining, voids, found, counts)
        else:
            plays = pick_trick(game, players, state, step)
            replay(game, players, plays, position, hands, piles, remaining, voids, scores)
            for seat in range(players):
                targets[seat] = scores[seat]
            leader = to_play(position)
            if fade < 1.0:
                look_ahead(
                    game,
                    plays,
                    fade,
                    network,
                    short_rows,
                    sums,
                    found,
                    counts,
                    position,
                    hands,
                    piles,
                    remaining,
                    values,
                    targets,
                )
                replay(game, players, plays, position, hands, piles, remaining, voids, scores)
            value_features(position, hands, piles, found, counts)
        forward(found, counts, position[TRICK], rows, own, shared, tricks, firsts, seconds)
        to_firsts[:], to_seconds[:] = NONE, NONE
        if is_policy:
            tallies[LOSS] += policy_head(
                legal, wanted, outputs, firsts, seconds, to_firsts, to_seconds, outputs_gradient, tallies
            )
        else:
            tallies[LOSS] += value_head(
                leader, targets, outputs, firsts, seconds, to_firsts, to_seconds, outputs_gradient, tallies
            )
        tallies[POSITIONS] += 1
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


@compiled(
    "void(float32[::1], float32[::1], float32[::1], float32[::1], float32[::1], float64, float64, float64, float64)",
    inline=False,
)
def adam(
    weights: Singles,
    gradient: Singles,
    means: Singles,
    squares: Singles,
    limits: Singles,
    share: float,
    rate: float,
    means_grown: float,
    squares_grown: float,
) -> None:
    """One step of Adam (Kingma and Ba, 2015) with decoupled decay; no weight goes beyond its limit."""
    kept, kept_squares, small = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
    one, part, decay = np.float32(1), np.float32(share), np.float32(1.0 - rate * 1e-4)
    stride, grown = np.float32(rate / means_grown), np.float32(1.0 / squares_grown)
    for place in range(weights.shape[0]):
        slope = gradient[place] * part
        means[place] = kept * means[place] + (one - kept) * slope
        squares[place] = kept_squares * squares[place] + (one - kept_squares) * slope * slope
        wanted = weights[place] * decay - stride * means[place] / (np.sqrt(squares[place] * grown) + small)
        weights[place] = min(max(wanted, -limits[place]), limits[place])
        gradient[place] = NONE
