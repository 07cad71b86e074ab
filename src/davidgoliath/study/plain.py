"""Blocks in plain Python, for where nothing compiles a search: smaller ones, built as `master`'s are.

A block draws some worlds, weighs them by what the others have played, as the policy network says, and takes some of
them. In each a card is played, the policy finishes the trick, and the value network says what comes of it. Nothing is
searched, so a card is worth what the networks make of it.

Worlds are dealt card by card: each goes to one of the hands that may hold it, the likelier the more that still needs.
Where colours that hands lack bind them, this deals some worlds more often than others, so a world counts the more, the
less likely it was (importance sampling). All of it gives the same numbers on every processor.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from math import fsum, sqrt
from random import Random
from typing import Final, NamedTuple

from davidgoliath.kernel.plain import appeals_by_hand, expected_scores
from davidgoliath.kernel.shape import ONE, STEEP, VALUES
from davidgoliath.rules import Card, CardSet, Colour, Deal, DealState, Seat, View
from davidgoliath.study.values import Reason

JUDGE: Final = f"plain 1, networks {VALUES}"
FINAL: Final = 16
POOL: Final = 24
"""A block weighs so many worlds."""
WORLDS: Final = 8
"""So many it takes, each as often as it is likely."""
GUESSES: Final = 200
"""So many say what a seat could tell of the others' hands."""
WHIM: Final = 0.05
"""How often any card is played, whatever its appeal."""
SQUARINGS: Final = 10
"""An exponential is a power of two as high."""


class World(NamedTuple):
    """What everyone may hold."""

    hands: tuple[CardSet, ...]
    weight: float


class Block:
    """An independent sample of worlds."""

    def __init__(self, view: View, seed: int) -> None:
        self._view, self._seed = view, seed

    def value_of(self, card: Card) -> float:
        """The own score less the mean of the others', in points."""
        seat, others = self._view.seat or 0, self._view.players - 1
        found = 0.0
        for state, times in self._states.items():
            scores = expected_scores(state.play(card))
            found += times * (scores[seat] - (fsum(scores) - scores[seat]) / others)
        return found / WORLDS

    @cached_property
    def _states(self) -> Mapping[DealState, int]:
        """How often each is taken: a comb through the sums of all weights."""
        rng = Random(self._seed)
        found = weighed(self._view, rng, POOL)
        step = fsum(world.weight for world in found) / WORLDS
        taken, total, tooth = Counter[DealState](), 0.0, rng.random() * step
        for world in found:
            total += world.weight
            while tooth < total and taken.total() < WORLDS:
                taken[state_of(self._view, world.hands)] += 1
                tooth += step
        return taken


def expected_hands(view: View, seed: int) -> dict[Seat, tuple[float, ...]]:
    """How many cards of each colour each other seat may hold."""
    found = weighed(view, Random(seed), GUESSES)
    total = fsum(world.weight for world in found)

    def expected(seat: Seat, colour: Colour) -> float:
        return fsum(world.weight * len(world.hands[seat].of_colour(colour)) for world in found) / total

    others = [((view.seat or 0) + turn) % view.players for turn in range(1, view.players)]
    return {seat: tuple(expected(seat, colour) for colour in Colour) for seat in others}


def reasons(view: View, played: Card, best: Card, samples: int = 0, first: int = 0) -> tuple[Reason, ...]:
    """None: to count them, thousands of deals would have to be played to the end."""
    return ()


def weighed(view: View, rng: Random, number: int) -> list[World]:
    """So many worlds, by how likely they are as the others have played."""
    found = list(islice(worlds(view, rng), number))
    then = state_of(view, found[0].hands).at(0)
    later = [CardSet()] * view.players
    for trick in (*view.tricks, view.trick):
        for place, card in enumerate(trick.cards):
            later[trick.seat_of(place)] |= CardSet.of([card])
    for trick in (*view.tricks, view.trick):
        for place, card in enumerate(trick.cards):
            seat = trick.seat_of(place)
            if seat != view.seat:
                hands = [world.hands[seat] | later[seat] for world in found]
                chances = [_chance(appeals, card) for appeals in appeals_by_hand(then.view(seat), hands)]
                found = [World(w.hands, w.weight * sqrt(c)) for w, c in zip(found, chances, strict=True)]
            later[seat] -= CardSet.of([card])
            then = then.play(card)
    return found


def worlds(view: View, rng: Random) -> Iterator[World]:
    """Worlds without end, each of a weight that makes good how likely it was to be dealt."""
    others = [seat for seat in range(view.players) if seat != view.seat]
    may = {colour: [seat for seat in others if colour not in view.voids[seat]] for colour in Colour}
    cards = sorted(view.unseen, key=lambda card: (len(may[card.colour]), card))
    while True:
        if world := _dealt(view, cards, may, rng):
            yield world


def _dealt(view: View, cards: list[Card], may: Mapping[Colour, list[Seat]], rng: Random) -> World | None:
    """One of them; None where some hand can't be filled any more."""
    needs, weight = list(view.hand_sizes), 1.0
    hands = [view.hand.mask if seat == view.seat else 0 for seat in range(view.players)]
    room = [sum(seat in may[card.colour] for card in cards) for seat in range(view.players)]
    """How many of the cards that are left a hand may hold."""
    for card in cards:
        able = [seat for seat in may[card.colour] if needs[seat]]
        must = [seat for seat in able if needs[seat] == room[seat]]
        for seat in may[card.colour]:
            room[seat] -= 1
        if not able or len(must) > 1:
            return None
        seat = must[0] if must else able[0]
        if not must and len(able) > 1:
            total = sum([needs[seat] for seat in able])
            drawn = int(rng.random() * total)
            for seat in able:
                drawn -= needs[seat]
                if drawn < 0:
                    break
            weight *= total / needs[seat]
        needs[seat] -= 1
        hands[seat] |= card.bit
    return World(tuple(map(CardSet, hands)), weight)


def state_of(view: View, world: tuple[CardSet, ...]) -> DealState:
    """The deal as it then stands."""
    hands = list(world)
    plays = []
    for trick in (*view.tricks, view.trick):
        for place, card in enumerate(trick.cards):
            hands[trick.seat_of(place)] |= CardSet.of([card])
            plays.append(card)
    return DealState.start(Deal(view.dealer, tuple(hands)), view.rules, view.standing).play_all(plays)


def _chance(appeals: Mapping[Card, int], card: Card) -> float:
    """Of a card, if it is played by appeal but for a whim. Where there was no choice, nothing is to be learnt."""
    if len(appeals) == 1:
        return 1.0
    best = max(appeals.values())
    total = fsum(_exp((appeal - best) / (ONE * STEEP)) for appeal in appeals.values())
    return (1 - WHIM) * _exp((appeals[card] - best) / (ONE * STEEP)) / total + WHIM / len(appeals)


def _exp(number: float) -> float:
    """Near enough for numbers up to 0, and the same everywhere: that of the library differs in its last digits."""
    found = max(0.0, 1 + number / (1 << SQUARINGS))
    for _ in range(SQUARINGS):
        found *= found
    return found
