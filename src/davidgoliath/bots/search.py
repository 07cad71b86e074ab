"""The search: one tree for what a seat knows, grown by playing sampled worlds (ISMCTS).

Each iteration takes a world that is consistent with the view, walks down the tree along cards that are legal in
that world, adds one node, plays the deal out, and carries the result back. All cards are played openly, so a node is
the cards played since the root. Whoever is to play maximises the own score less the mean of the others'.

A child is judged by its mean and a bonus for those seldom visited, measured by how often they could have been. As long
as the best of them is not clearly better than the node was so far, a new card is tried: the one that appeals most to
`club`. The trick is then finished as `club` would. What the deal comes to from there, the value network says, or the
rest is played out at random.

See Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search" (2012).
"""

from functools import lru_cache
from random import Random
from typing import ClassVar, Final, NamedTuple

import numpy as np

from davidgoliath.bots.club import club_card, weights_for
from davidgoliath.bots.prospects import prospects_for
from davidgoliath.bots.worlds import Hands, Worlds
from davidgoliath.kernel.bits import count
from davidgoliath.kernel.chance import below, stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.convert import card_of, code_of, sets_to_array
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, MOST_CARDS, WORDS, Floats, Ints, Longs, Shorts
from davidgoliath.kernel.network import aligned, evaluate, make_rooms
from davidgoliath.kernel.play import bit_of, colour_of, nth_card, score
from davidgoliath.kernel.playout import playout
from davidgoliath.kernel.position import (
    FIELDS,
    KEEPS,
    LEADER,
    PLACE,
    PLAYERS,
    SWEEPS,
    TRICK,
    count_remaining,
    legal_words,
    play_card,
    position_of,
    to_play,
)
from davidgoliath.kernel.shape import POINT, WIDTH
from davidgoliath.rules import Card, View

URGENCY: Final = 3.0
"""By how many points a known card must be better than the node was so far, or a new one is tried."""
SLIP: Final = 10
"""One card in so many, beyond the tree, is any legal one."""

FIRST, NEXT, CARD, VISITS, AVAILABLE, TOTAL, OWN = range(7)
"""The fields of a node: its first child, its next sibling, the card that leads to it, how often it was visited and
how often it could have been, the value to whoever played that card, and the value to whoever plays next: in parts of
a point (`POINT`), times all players but one."""
NODE: Final = 8
"""The words of a node: one line of the processor's cache."""
USED: Final = NEXT
"""The root has no sibling: there it has the number of nodes."""

CHUNK: Final = 512
"""So many iterations go between two looks at the clock."""
HOPELESS: Final = -(10**12)
"""The value of cards that a tree shall leave alone."""
MOST_NODES: Final = 1 << 19
MOST_ITERATIONS: Final = 1 << 20


@lru_cache
def bonuses(points: float) -> Floats:
    """The two factors of a card's bonus: by how often it could have been tried, and by how often it was.

    A table, since roots and divisions would take most of the time.
    """
    times = np.arange(1, MOST_ITERATIONS + 2, dtype=np.float64)
    return np.array([points * np.sqrt(np.log(times)), 1.0 / np.sqrt(times)])


@lru_cache
def no_network() -> Shorts:
    """For a search that plays deals out."""
    return aligned(1, WIDTH, np.int16)


@compiled("UniTuple(int64, 2)(int64[:, ::1], int64, int64[::1], int64[::1], float64, float64[:, ::1])")
def pick_child(nodes: Ints, node: int, legal: Ints, untried: Ints, scale: float, bonus: Floats) -> tuple[int, int]:
    """The best child whose card is legal, or 0; and whether a new card should be tried. Fills in the untried cards."""
    some = 0
    for colour in range(COLOURS):
        untried[colour] = legal[colour]
    best, best_value = 0, -np.inf
    child = nodes[node, FIRST]
    while child:
        card = nodes[child, CARD]
        if legal[colour_of(card)] & bit_of(card):
            untried[colour_of(card)] ^= bit_of(card)
            nodes[child, AVAILABLE] += 1
            rarity = bonus[1, nodes[child, VISITS] - 1]
            value = nodes[child, TOTAL] * scale * rarity * rarity + bonus[0, nodes[child, AVAILABLE] - 1] * rarity
            if value > best_value:
                best, best_value = child, value
        child = nodes[child, NEXT]
    for colour in range(COLOURS):
        some |= untried[colour]
    if not some or nodes[0, USED] >= nodes.shape[0]:
        return best, 0
    if best == 0:
        return 0, 1
    mean = nodes[node, OWN] * scale / (nodes[node, VISITS] - 1)
    return best, 1 if best_value < mean + URGENCY else 0


@compiled("int64(int64[:, ::1], int64, int64)")
def add_child(nodes: Ints, node: int, card: int) -> int:
    """A new node for a card."""
    child = int(nodes[0, USED])
    nodes[0, USED] = child + 1
    nodes[child, FIRST], nodes[child, NEXT], nodes[child, CARD] = 0, nodes[node, FIRST], card
    nodes[child, VISITS], nodes[child, AVAILABLE] = 0, 1
    nodes[child, TOTAL], nodes[child, OWN] = 0, 0
    nodes[node, FIRST] = child
    return child


@compiled("void(int64[:, ::1], int64[::1], int64[::1], int64, int64, int64[::1])")
def carry_back(nodes: Ints, path: Ints, movers: Ints, depth: int, players: int, values: Ints) -> None:
    """Adds a result to the nodes that led to it: for each its mover's score times the players, less all scores."""
    total = 0
    for seat in range(players):
        total += values[seat]
    node = 0
    nodes[0, VISITS] += 1
    for number in range(depth):
        value = players * values[movers[number]] - total
        nodes[node, OWN] += value
        node = path[number]
        nodes[node, VISITS] += 1
        nodes[node, TOTAL] += value


@compiled("int64(uint64, int64[::1], int64[::1])")
def any_card(state: np.uint64, legal: Ints, words: Ints) -> int:
    """One of the legal cards at random. `words` is room for them."""
    cards = 0
    for colour in range(COLOURS):
        words[colour] = legal[colour]
        cards += count(legal[colour])
    return nth_card(words, 0, below(state, cards))


@compiled(
    "void(uint64, int32[:, ::1], int64, int64[::1], int64[::1], int64[:, ::1], float64[:, ::1], int64[::1],"
    " float64[::1], boolean, int16[:, ::1], int16[:, ::1], int32[:, ::1], int64[:, ::1], int64[::1])",
    inline=False,
)
def search(
    seed: np.uint64,
    worlds: Hands,
    iterations: int,
    start: Ints,
    start_piles: Ints,
    nodes: Ints,
    bonus: Floats,
    prospects: Ints,
    weights: Floats,
    foresees: bool,
    network: Shorts,
    rows: Shorts,
    sums: Longs,
    found: Ints,
    counts: Ints,
) -> None:
    """Grows the tree by one iteration for each world, from a position and its piles."""
    hands, piles, position = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64), np.empty(FIELDS, np.int64)
    start_remaining, remaining = np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64)
    legal, untried, words = np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64), np.empty(WORDS, np.int64)
    cards, appeals, values = np.empty(HAND, np.int64), np.empty(HAND, np.float64), np.empty(WORDS, np.int64)
    plays, choices = np.empty(MOST_CARDS, np.int64), np.zeros(HAND + 1, np.int64)
    path, movers = np.empty(MOST_CARDS, np.int64), np.empty(MOST_CARDS, np.int64)
    players, keeps, sweeps = start[PLAYERS], start[KEEPS], start[SWEEPS]
    scale = 1.0 / ((players - 1) * POINT)
    count_remaining(start, start_piles, start_remaining)
    state = stream_start(seed, 0)
    step = stream_step(state)
    for iteration in range(iterations):
        for place in range(players * WORDS):
            hands[place], piles[place] = worlds[iteration, place], start_piles[place]
        for field in range(FIELDS):
            position[field] = start[field]
        for colour in range(COLOURS):
            remaining[colour] = start_remaining[colour]
        node, depth, in_tree = 0, 0, True
        while position[TRICK] < HAND and (in_tree or position[PLACE]):
            seat = to_play(position)
            legal_words(position, hands, seat, legal)
            card = -1
            if in_tree:
                child, tries = pick_child(nodes, node, legal, untried, scale, bonus)
                if tries:
                    for colour in range(COLOURS):
                        legal[colour] = untried[colour]
                elif child:
                    card = nodes[child, CARD]
            if card < 0:
                state += step
                if below(state, SLIP) == 0:
                    state += step
                    card = any_card(state, legal, words)
                else:
                    card = club_card(position, hands, piles, remaining, legal, prospects, weights, cards, appeals)
            if in_tree:
                if tries:
                    child = add_child(nodes, node, card)
                if child:
                    path[depth], movers[depth] = child, seat
                    depth += 1
                    node = child
                in_tree = not tries and child > 0
            play_card(position, hands, piles, remaining, card)
        first = position[TRICK]
        if foresees and first < HAND - 1:
            evaluate(position, hands, piles, network, rows, sums, found, counts, values)
        else:
            state = playout(state, step, players, position[LEADER], first, keeps, sweeps, hands, piles, plays, choices)
            for seat in range(players):
                values[seat] = score(piles, seat) * POINT
        carry_back(nodes, path, movers, depth, players, values)


class Verdict(NamedTuple):
    """What a search thinks of a card."""

    visits: int
    """How often it was tried: the most tried card is the best."""
    value: float
    """The points by which its player's score is expected to beat the mean of the others'."""


class Tree:
    """The search for one view: grow it, and ask it for its verdicts. This one plays deals out."""

    explore: ClassVar = 8.0
    """How many points the bonus for a seldom visited card is worth."""

    def __init__(self, view: View, seed: int, room: int = MOST_NODES) -> None:
        self.view = view
        self.worlds = Worlds.of(view)
        self.draws = Random(seed)
        self.iterations = 0
        self.room = min(room, MOST_NODES)
        self.nodes = np.zeros((self.room + 1, NODE), np.int64)
        self.nodes[0, [VISITS, USED]] = 1
        self._position = position_of(view.rules, view.trick, len(view.tricks))
        self._piles = sets_to_array(view.piles)
        self._rooms = make_rooms()

    def grow(self, iterations: int) -> None:
        """Grows the tree: in chunks, each from worlds of its own."""
        end = min(self.iterations + iterations, MOST_ITERATIONS)
        while self.iterations < end:
            number = min(CHUNK, end - self.iterations)
            worlds = self.sample(number)
            self._grow(self.nodes, worlds, self.draws.getrandbits(64))
            self.iterations += number

    def _grow(self, nodes: Ints, worlds: Hands, seed: int) -> None:
        """Grows a tree by an iteration for each world."""
        players = self.view.players
        known = bonuses(self.explore), prospects_for(players), weights_for(players), *self.foresight, *self._rooms
        with np.errstate(over="ignore"):
            search(np.uint64(seed), worlds, len(worlds), self._position, self._piles, nodes, *known)

    def value_of(self, card: Card, worlds: Hands, seed: int) -> float:
        """What a card is worth by a tree of its own that must play it: the own score less the mean of the others'.

        The first half of these worlds teaches the tree how to go on, and the second half counts. `self` doesn't grow.
        """
        players, half = self.view.players, len(worlds) // 2
        nodes = np.zeros((len(worlds) + len(self.view.legal_cards) + 1, NODE), np.int64)
        nodes[0, [VISITS, USED]] = 1
        for other in self.view.legal_cards:
            child = add_child(nodes, 0, code_of(other))
            nodes[child, VISITS] = 1
            if other is card:
                only = child
            else:
                nodes[child, TOTAL] = HOPELESS
        self._grow(nodes, worlds[:half], seed)
        learnt = int(nodes[only, TOTAL])
        self._grow(nodes, worlds[half:], seed + 1)
        return (int(nodes[only, TOTAL]) - learnt) / (len(worlds) - half) / (players - 1) / POINT

    @property
    def foresight(self) -> tuple[bool, Shorts]:
        """Whether the value network is asked, and its weights."""
        return False, no_network()

    def sample(self, number: int) -> Hands:
        """So many worlds, as an array of hands."""
        return self.worlds.sample(self.draws.getrandbits(64), number)

    @property
    def verdicts(self) -> dict[Card, Verdict]:
        """For each card that was tried."""
        found, child = {}, self.nodes[0, FIRST]
        while child:
            visits, total = int(self.nodes[child, VISITS]), int(self.nodes[child, TOTAL])
            found[card_of(self.nodes[child, CARD])] = Verdict(visits, total / visits / (self.view.players - 1) / POINT)
            child = self.nodes[child, NEXT]
        return dict(sorted(found.items()))

    @property
    def best(self) -> Card:
        """The card most tried: its value alone may be luck."""
        verdicts = self.verdicts
        return max(verdicts, key=lambda card: verdicts[card])

    def is_decided(self, left: int) -> bool:
        """Whether so many iterations more can't change which card is best."""
        most, *others = sorted((verdict.visits for verdict in self.verdicts.values()), reverse=True) or [0]
        return most - (others[0] if others else 0) > left
