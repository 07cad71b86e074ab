"""What comes of two cards, counted: likely worlds that the policy plays to the end after either.

In each world the two deals are compared pile by pile and colour by colour. What a colour comes to in the end depends on
what its pile captures in this trick, in the next one, and later; what each of the three is worth is its Shapley value,
so that every point of the difference belongs to one time, one pile and one colour, and so to one cause.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from davidgoliath.bots.expert import MasterBot
from davidgoliath.bots.worlds import Hands
from davidgoliath.kernel.convert import card_of, code_of, sets_to_array, voids_to_array
from davidgoliath.kernel.finish import finish
from davidgoliath.kernel.layout import CODE_BITS, CODE_MASK, COLOURS, HAND, VALUES, WORDS
from davidgoliath.kernel.network import make_rooms, network
from davidgoliath.kernel.position import position_of
from davidgoliath.rules import Card, CardSet, Colour, Seat, View
from davidgoliath.rules.scoring import FEW
from davidgoliath.study.seed import seed_of
from davidgoliath.study.values import ReasonKind

POOL: Final = 128
WORLDS: Final = 64
"""A sample weighs so many worlds, and takes so many, each as often as it is likely."""
NOW, NEXT, LATER = range(3)
"""The times: this trick, the next one, and those after it."""

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]
Truths = NDArray[np.bool_]
Key = TypeVar("Key")


class Cause(NamedTuple):
    """What a part of the difference comes from. What it doesn't name may be any."""

    kind: ReasonKind
    colour: Colour | None = None
    seat: Seat | None = None
    card: Card | None = None

    @property
    def details(self) -> int:
        """How much it names."""
        return 3 - self[1:].count(None)

    def overlaps(self, other: "Cause") -> bool:
        """Whether some points count for both."""
        pairs = zip(self[1:], other[1:], strict=True)
        return self.kind == other.kind and all(one is None or two is None or one == two for one, two in pairs)


class Fate(NamedTuple):
    """What may become of one of the two cards: kept, it makes David or Goliath; played, it leaves its colour void."""

    card: Card
    kind: ReasonKind


class Found(NamedTuple):
    """What a sample says of a cause or of a fate."""

    points: float
    """What the best card gains by it; of a card that is kept, what the trick comes to in which it is played."""
    share: float
    """How often it comes to that with the card that was played."""
    best_share: float


NOTHING: Final = Found(0.0, 0.0, 0.0)


class Sample(NamedTuple):
    """What one sample of worlds says. Samples of other numbers share nothing with it."""

    whole: float
    """By how many points the best card is better."""
    causes: Mapping[Cause, Found]
    fates: Mapping[Fate, Found]

    @classmethod
    def of(cls, view: View, played: Card, best: Card, number: int) -> "Sample":
        tree = MasterBot().tree(view, seed_of(view, "reasons", number), POOL)
        worlds, times = np.unique(tree.sample(WORLDS), axis=0, return_counts=True)
        pair = Pair(view, Deals(view, played, worlds), Deals(view, best, worlds))
        weights = times / WORLDS
        whole = float(weights @ sum(_sum(points) for points in pair.points))
        return cls(whole, _counted(weights, pair.causes()), _counted(weights, pair.fates()))


def _counted(weights: Numbers, parts: Iterable[tuple[Key, Numbers, Truths, Truths]]) -> dict[Key, Found]:
    """Means over the worlds."""
    keys, *columns = zip(*parts, strict=True)
    means = np.array([np.stack(column) @ weights for column in columns])
    return {key: Found(*row) for key, row in zip(keys, means.T.tolist(), strict=True)}


def _sum(points: Numbers) -> Numbers:
    """By world."""
    return cast("Numbers", points.reshape(len(points), -1).sum(1))


def _any(truths: Truths) -> Truths:
    """By world."""
    return cast("Truths", truths.reshape(len(truths), -1).any(1))


@lru_cache
def _worth() -> NDArray[np.int8]:
    """Rule 13: the points of each mask of one colour."""
    masks, bits = np.arange(1 << VALUES), np.arange(VALUES)
    held = masks[:, None] >> bits & 1
    count, total = held.sum(axis=1), held @ (bits + 1)
    return np.where(count > FEW, count, total).astype(np.int8)


class Deals:
    """What came of a card in each world. All arrays have a row for each world, then the tricks from this one on."""

    def __init__(self, view: View, card: Card, worlds: Hands) -> None:
        if view.seat is None:
            raise ValueError("reasons are a seat's: a spectator's view has none")
        number, players, tricks = len(worlds), view.players, HAND - len(view.tricks)
        self.card, self.seat, self.players = card, view.seat, players
        self.splits = view.rules.all_equal == "split"
        self.leaders, self.plays = np.empty((number, tricks), np.int64), np.empty((number, tricks, players), np.int64)
        start, piles = sets_to_array(view.piles), np.empty((number, tricks, players * WORDS), np.int32)
        finish(
            worlds,
            code_of(card),
            position_of(view.rules, view.trick, len(view.tricks)),
            start,
            voids_to_array(view.voids),
            network("policy", players),
            *make_rooms(),
            self.leaders,
            self.plays,
            piles,
        )
        before = np.broadcast_to(start.astype(np.int32), (number, 1, players * WORDS))
        self.piles = np.concatenate([before, piles], axis=1).reshape(number, tricks + 1, players, WORDS)[..., :COLOURS]
        """Also before this trick: so there is one more of them."""

    @property
    def captured(self) -> list[NDArray[np.int32]]:
        """By time what is captured; now with what the piles had before."""
        now, after, end = self.piles[:, 1], self.piles[:, min(2, self.piles.shape[1] - 1)], self.piles[:, -1]
        return [now, after ^ now, end ^ after]

    @property
    def taken(self) -> Truths:
        """Of which colours this trick brings cards to whom."""
        return cast("Truths", self.piles[:, 0] != self.piles[:, 1])

    @property
    def tumbles(self) -> Truths:
        """Which colours of whose piles it makes worth less."""
        return cast("Truths", _worth()[self.piles[:, 1]] < _worth()[self.piles[:, 0]])

    @property
    def leads(self) -> Truths:
        """Which tricks the seat leads to."""
        return cast("Truths", self.leaders == self.seat)

    @property
    def own(self) -> Codes:
        """The seat's cards."""
        return self._at((self.seat - self.leaders) % self.players)

    @property
    def prizes(self) -> Codes:
        return self._at(self._highest)

    @property
    def is_goliath(self) -> Truths:
        return self._is_own(self._highest)

    @property
    def is_david(self) -> Truths:
        places = ((self.plays & CODE_MASK) << 3 | 7 - np.arange(self.players)).argmin(2)
        if self.splits:  # of equal cards the last is the highest, and the one before it the lowest
            places = np.where(places == self._highest, self.players - 2, places)
        return self._is_own(places)

    @property
    def _highest(self) -> Codes:
        return cast("Codes", ((self.plays & CODE_MASK) << 3 | np.arange(self.players)).argmax(2))

    def _at(self, places: Codes) -> Codes:
        return np.take_along_axis(self.plays, places[..., None], 2)[..., 0]

    def _is_own(self, places: Codes) -> Truths:
        return cast("Truths", (self.leaders + places) % self.players == self.seat)


class Pair:
    """The deals after the card that was played, and those after the best."""

    def __init__(self, view: View, played: Deals, best: Deals) -> None:
        self.view, self.played, self.best, self.seat = view, played, best, played.seat
        self.others = [seat for seat in range(view.players) if seat != self.seat]
        signs = np.full((view.players, 1), -1 / (view.players - 1))
        signs[self.seat] = 1
        self.signs = signs
        """What a point of each pile is worth to the seat."""
        self.points = self._by_time()
        self.nowhere = np.zeros(len(played.plays), np.bool_)

    def _by_time(self) -> list[Numbers]:
        """By time what the best card gains by what is captured then; by world, seat and colour."""
        captured = [deals.captured for deals in (self.played, self.best)]
        worth = {
            which: _worth()[captured[which[NOW]][NOW] | captured[which[NEXT]][NEXT] | captured[which[LATER]][LATER]]
            for which in product((0, 1), repeat=3)
        }
        found = []
        for time in (NOW, NEXT, LATER):
            points = np.zeros(worth[0, 0, 0].shape)
            for one, two in product((0, 1), repeat=2):
                with_best, with_played = [(*(one, two)[:time], deals, *(one, two)[time:]) for deals in (1, 0)]
                gain = worth[with_best].astype(np.float64) - worth[with_played]
                points += gain * (1 / 3 if one == two else 1 / 6)
            found.append(points * self.signs)
        return found

    def causes(self) -> Iterator[tuple[Cause, Numbers, Truths, Truths]]:
        """Each with its points, and whether it came to that with the card that was played, and with the best."""
        yield from self._own()
        yield from self._rivals()
        led, leads = _any(self.played.leads[:, 1:2]), _any(self.best.leads[:, 1:2])
        after, later = _sum(self.points[NEXT]), _sum(self.points[LATER])
        yield Cause(ReasonKind.LEAD), after * (led != leads), led, leads
        yield Cause(ReasonKind.KEEP), after * (led == leads) + later, self.nowhere, self.nowhere

    def fates(self) -> Iterator[tuple[Fate, Numbers, Truths, Truths]]:
        """The same of what becomes of the two cards."""
        for deals, other in ((self.played, self.best), (self.best, self.played)):
            then = (deals.own == code_of(other.card)) & (np.arange(deals.own.shape[1]) > 0)
            points = (np.diff(_worth()[deals.piles], axis=1) * self.signs).sum((2, 3))
            for role, is_own in ((ReasonKind.DAVID, deals.is_david), (ReasonKind.GOLIATH, deals.is_goliath)):
                yield Fate(other.card, role), _sum(points * then), *self._with(deals, _any(then & is_own))
            colour = deals.card.colour
            again = (deals.plays[:, :, 0] >> CODE_BITS == colour) & ~deals.leads
            is_last = self.view.hand.of_colour(colour) == CardSet.of([deals.card]) and other.card.colour != colour
            then = _any(again[:, 1:] & is_last)
            yield Fate(deals.card, ReasonKind.VOID), np.zeros(len(then)), *self._with(deals, then)

    def _with(self, deals: Deals, then: Truths) -> tuple[Truths, Truths]:
        """What came to pass with one of the cards only."""
        return (then, self.nowhere) if deals is self.played else (self.nowhere, then)

    def _own(self) -> Iterator[tuple[Cause, Numbers, Truths, Truths]]:
        seat, played, best = self.seat, self.played, self.best
        points, tumbled, tumbles = self.points[NOW][:, seat], played.tumbles[:, seat], best.tumbles[:, seat]
        third = tumbled != tumbles
        for colour in Colour:
            share = tumbled[:, colour], tumbles[:, colour]
            yield Cause(ReasonKind.THIRD_CARD, colour), points[:, colour] * third[:, colour], *share
        points = points * ~third
        was_david, is_david = played.is_david[:, 0], best.is_david[:, 0]
        was_goliath, is_goliath = played.is_goliath[:, 0], best.is_goliath[:, 0]
        took, takes = played.taken[:, seat], best.taken[:, seat]
        as_david = was_david[:, None] & took | is_david[:, None] & takes
        david = _sum(points * as_david) * (was_david != is_david)
        yield Cause(ReasonKind.DAVID), david, was_david, is_david
        was_prize, is_prize = np.where(was_david, played.prizes[:, 0], -1), np.where(is_david, best.prizes[:, 0], -1)
        for prize in np.unique([was_prize, is_prize]):
            if prize >= 0:
                was, now = was_prize == prize, is_prize == prize
                yield Cause(ReasonKind.DAVID, card=card_of(prize)), david * (was | now), was, now
        goliath = _sum(points * ~as_david) * (was_goliath != is_goliath)
        yield Cause(ReasonKind.GOLIATH), goliath, was_goliath, is_goliath
        same_role = np.where(as_david, (was_david == is_david)[:, None], (was_goliath == is_goliath)[:, None])
        points = points * same_role
        yield Cause(ReasonKind.GAIN), _sum(points), _any(took), _any(takes)
        for colour in Colour:
            yield Cause(ReasonKind.GAIN, colour), points[:, colour], took[:, colour], takes[:, colour]

    def _rivals(self) -> Iterator[tuple[Cause, Numbers, Truths, Truths]]:
        played, best = self.played, self.best
        third = played.tumbles != best.tumbles
        for kind, points, was, now in (
            (ReasonKind.RIVAL_THIRD_CARD, self.points[NOW] * third, played.tumbles, best.tumbles),
            (ReasonKind.RIVAL_GAIN, self.points[NOW] * ~third, played.taken, best.taken),
        ):
            for colour in Colour:
                for seat in self.others:
                    yield Cause(kind, colour, seat), points[:, seat, colour], was[:, seat, colour], now[:, seat, colour]
                shares = _any(was[:, self.others, colour]), _any(now[:, self.others, colour])
                yield Cause(kind, colour), _sum(points[:, self.others, colour]), *shares
