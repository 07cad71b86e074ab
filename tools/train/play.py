"""`./dg train play`: deals to learn from.

`club` plays millions of cards in seconds; one card in SLIP is any legal one, so that unusual positions are seen too.
The search with the value network plays better and far slower; a third of its deals begin with some tricks of `club`'s,
slips and all, which nobody learns from. How often the search tried each card is kept, since that says more than the
card alone.
"""

from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np

from davidgoliath import Deal, DealState
from davidgoliath.bots import make_bot
from davidgoliath.bots.club import club_card, weights_for
from davidgoliath.bots.foresight import ForesightTree
from davidgoliath.bots.prospects import prospects_for
from davidgoliath.bots.search import any_card
from davidgoliath.kernel.chance import below, stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, MOST_CARDS, WORDS, Floats, Ints
from davidgoliath.kernel.network import to_array
from davidgoliath.kernel.playout import deal
from davidgoliath.kernel.position import FIELDS, TRICK, legal_words, play_card, to_play
from davidgoliath.kernel.weights import read
from tools.train.games import ASIDE, Bytes, begin, byte_of, file_of
from tools.train.progress import Progress

SLIP: Final = 10
CHUNKS: Final = {False: 20_000, True: 50}
"""So many deals are kept at a time: of `club`, and of the search."""
SEARCH_SEED: Final = 1 << 32
"""Deals of the search are others than those of `club`."""


class Plan(NamedTuple):
    """What is played."""

    players: int
    seed: int = 0
    iterations: int = 0
    """Of the search, a card; 0 for `club`."""
    value: Path | None = None
    """The value network's file; without, the package's."""

    @property
    def name(self) -> str:
        return f"search-{self.iterations}" if self.iterations else "club"

    @property
    def shape(self) -> tuple[int, ...]:
        """Of what is kept of a deal: see `games`."""
        cards = HAND * self.players
        return (cards, 1 + HAND) if self.iterations else (cards,)


def play(plan: Plan, deals: int, folder: Path, jobs: int = 1) -> Bytes:
    """Plays deals, from where it was broken off. Deal k is the same in whatever company."""
    file = file_of(folder, plan.name, plan.players)
    games = np.load(file) if file.exists() else np.empty((0, *plan.shape), np.uint8)
    progress, chunk = Progress(plan.name, deals, len(games)), CHUNKS[plan.iterations > 0]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        spread = pool.map if jobs > 1 else map
        parts = [(n, min(deals, n + chunk)) for n in range(len(games), deals, chunk)]
        for more in spread(partial(_games, plan), parts):
            games = np.concatenate([games, more])
            beside = file.with_suffix(".part")
            with beside.open("wb") as stream:
                np.save(stream, games)
            beside.replace(file)
            progress.show(len(games))
    found: Bytes = games[:deals]
    return found


def club_games(plan: Plan, first: int, last: int) -> Bytes:
    games = np.empty((last - first, HAND * plan.players), np.uint8)
    with np.errstate(over="ignore"):
        _club_games(
            np.uint64(plan.seed), first, plan.players, prospects_for(plan.players), weights_for(plan.players), games
        )
    return games


@compiled("void(uint64, int64, int64, int64[::1], float64[::1], uint8[:, ::1])", inline=False)
def _club_games(seed: np.uint64, first: int, players: int, prospects: Ints, weights: Floats, games: Bytes) -> None:
    deck, hands, piles = np.empty(MOST_CARDS, np.int64), np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    position, legal, remaining = np.empty(FIELDS, np.int64), np.empty(COLOURS, np.int64), np.empty(COLOURS, np.int64)
    cards, appeals, words = np.empty(HAND, np.int64), np.empty(HAND, np.float64), np.empty(WORDS, np.int64)
    for number in range(games.shape[0]):
        state = stream_start(seed, first + number)
        step = stream_step(state)
        state = deal(state, step, players, deck, hands)
        begin(position, piles, remaining, players)
        plays = 0
        while position[TRICK] < HAND:
            legal_words(position, hands, to_play(position), legal)
            state += step
            aside = np.uint8(0)
            if below(state, SLIP) == 0:
                state += step
                card, aside = any_card(state, legal, words), np.uint8(ASIDE)
            else:
                card = club_card(position, hands, piles, remaining, legal, prospects, weights, cards, appeals)
            games[number, plays] = byte_of(card) | aside
            plays += 1
            play_card(position, hands, piles, remaining, card)


def search_games(plan: Plan, first: int, last: int) -> Bytes:
    found = np.zeros((last - first, *plan.shape), np.uint8)
    for number in range(first, last):
        _search_game(plan, number, found[number - first])
    return found


def _search_game(plan: Plan, number: int, game: Bytes) -> None:
    """One deal; in every third one `club` plays some tricks first."""
    rng = Random(f"{plan.players} {plan.seed + SEARCH_SEED} {number}")
    club = make_bot("club")
    state = DealState.start(Deal.shuffled(plan.players, rng, plan.players - 1))
    before = plan.players * rng.randrange(1, 10) if rng.randrange(3) == 0 else 0
    while state.to_play is not None:
        view, row = state.view(state.to_play), game[len(state.plays)]
        cards, aside = list(view.legal_cards), len(state.plays) < before
        if len(cards) == 1:
            card = cards[0]
        elif not aside:
            tree = _tree(plan.players, plan.value)(view, rng.getrandbits(64), plan.iterations)
            tree.grow(plan.iterations)
            verdicts = tree.verdicts
            visits = [verdicts[card].visits if card in verdicts else 0 for card in cards]
            row[1 : 1 + len(cards)] = np.rint(np.array(visits) * (255 / max(visits)))
            card = tree.best
        elif rng.randrange(SLIP):
            card = club.choose(view, rng)
        else:
            card = rng.choice(cards)
        row[0] = card.index | ASIDE * aside
        state = state.play(card)


@lru_cache
def _tree(players: int, value: Path | None) -> type[ForesightTree]:
    """The search with a value network: the package's, or that of a file."""
    if not value:
        return ForesightTree
    weights = to_array(read(value.read_bytes(), value.name))

    class Learning(ForesightTree):
        foresight = True, weights

    return Learning


def _games(plan: Plan, part: tuple[int, int]) -> Bytes:
    return search_games(plan, *part) if plan.iterations else club_games(plan, *part)
