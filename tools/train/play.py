"""`./dg train play`: deals to learn from.

`club` plays millions of cards in seconds; one card in SLIP is any legal one, so that unusual positions are seen too.
The search plays better and far slower; a third of its deals begin with some tricks of `club`'s, slips and all, which
nobody learns from.
"""

from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np

from davidgoliath import Deal, DealState
from davidgoliath.bots import Budget, make_bot
from davidgoliath.bots.club import club_card, weights_for
from davidgoliath.bots.prospects import prospects_for
from davidgoliath.bots.search import any_card
from davidgoliath.kernel.chance import below, stream_start, stream_step
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.layout import CELLS, COLOURS, HAND, MOST_CARDS, WORDS, Floats, Ints
from davidgoliath.kernel.playout import deal
from davidgoliath.kernel.position import FIELDS, TRICK, legal_words, play_card, to_play
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

    @property
    def name(self) -> str:
        return f"search-{self.iterations}" if self.iterations else "club"


def play(plan: Plan, deals: int, folder: Path) -> Bytes:
    """Plays deals, from where it was broken off. Deal k is the same in whatever company."""
    file = file_of(folder, plan.name, plan.players)
    games = np.load(file) if file.exists() else np.empty((0, HAND * plan.players), np.uint8)
    progress, chunk = Progress(plan.name, deals, len(games)), CHUNKS[plan.iterations > 0]
    while len(games) < deals:
        first, last = len(games), min(deals, len(games) + chunk)
        more = search_games(plan, first, last) if plan.iterations else club_games(plan, first, last)
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
    return np.array([_search_game(plan, number) for number in range(first, last)], np.uint8)


def _search_game(plan: Plan, number: int) -> list[int]:
    """One deal; in every third one `club` plays some tricks first."""
    rng = Random(f"{plan.players} {plan.seed + SEARCH_SEED} {number}")
    club, search = make_bot("club"), make_bot("expert")
    state = DealState.start(Deal.shuffled(plan.players, rng, plan.players - 1))
    before = plan.players * rng.randrange(1, 10) if rng.randrange(3) == 0 else 0
    game = []
    while state.to_play is not None:
        view, aside = state.view(state.to_play), len(state.plays) < before
        if not aside:
            card = search.choose(view, rng, Budget(plan.iterations))
        elif rng.randrange(SLIP):
            card = club.choose(view, rng)
        else:
            card = rng.choice(list(view.legal_cards))
        game.append(card.index | ASIDE * aside)
        state = state.play(card)
    return game
