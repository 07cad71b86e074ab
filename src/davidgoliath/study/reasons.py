"""Why a card is better than another: counted on worlds that are played to the end by the policy, the same for both.

In each world the two deals are compared pile by pile and colour by colour. Where this trick has made a difference to a
pile's colour, all that the colour comes to in the end is this trick's doing. The other colours change in later tricks:
those count for the card with which they were played, so that a card which is kept has its own share, and for who led.
Thus every point of the difference belongs to one cause; those that aren't named are the rest of the deal.

The worlds come in blocks. The first ones say which causes are named, and the others what these amount to, so that
being named doesn't inflate a number.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from davidgoliath.bots.expert import MasterBot
from davidgoliath.kernel.convert import card_of, code_of, sets_to_array, voids_to_array
from davidgoliath.kernel.finish import finish
from davidgoliath.kernel.layout import CODE_BITS, COLOURS, HAND, VALUES, WORDS
from davidgoliath.kernel.network import make_rooms, network
from davidgoliath.kernel.position import position_of
from davidgoliath.rules import Card, Colour, Seat, View
from davidgoliath.rules.scoring import FEW
from davidgoliath.study.values import Estimate, Reason, ReasonKind

POOL: Final = 256
WORLDS: Final = 64
"""Of each block: so many are weighed, and so many are taken of them."""
NAMING: Final = 8
"""So many blocks say which causes are named."""
PRICING: Final = 16
MOST: Final = 4
LEAST: Final = 0.3
"""Smaller causes aren't worth a sentence."""
SPECIFIC: Final = 1.6
"""So many times more must a cause come to than a part of it, or the part is named."""
OFTEN: Final = 0.5
"""From here on a card is kept for being this or that."""

Numbers = NDArray[np.float64]
Truths = NDArray[np.bool_]


class Cause(NamedTuple):
    """What a part of the difference may come from."""

    kind: ReasonKind
    colour: Colour | None = None
    seat: Seat | None = None
    card: Card | None = None
    role: ReasonKind | None = None

    @property
    def is_specific(self) -> bool:
        """Whether it names a colour or a card."""
        return self.colour is not None or self.card is not None

    def has_part(self, other: "Cause") -> bool:
        """Whether the points of another cause are among those of this one, or these among those."""
        return self.kind == other.kind and all(
            None in pair or pair[0] == pair[1] for pair in zip(self[1:], other[1:], strict=True)
        )


class Found(NamedTuple):
    """What a block says of a cause, each as a mean of its worlds."""

    points: float
    share: float
    """How often it comes to that with the card that was played."""
    best_share: float


NOTHING: Final = Found(0.0, 0.0, 0.0)
ROLES: Final = (ReasonKind.DAVID, ReasonKind.GOLIATH)


Block = dict[Cause, Found]


def reasons(view: View, played: Card, best: Card, blocks: int = PRICING) -> tuple[Reason, ...]:
    """Why the best card is better than the one that was played: the greatest cause first.

    A reason of negative points speaks for the card that was played.
    """
    if played is best:
        return ()
    naming = [_block(view, played, best, number) for number in range(NAMING)]
    pricing = [_block(view, played, best, NAMING + number) for number in range(blocks)]
    found = [_reason(cause, played, best, naming, pricing) for cause in _named(naming)]
    sure = [reason for reason in found if reason.points.low > 0 or reason.points.high < 0]
    return tuple(sorted(sure, key=lambda reason: -abs(reason.points.value))[:MOST])


def _named(blocks: list[Block]) -> list[Cause]:
    """The greatest causes, no two of which overlap."""
    causes = sorted({cause for block in blocks for cause in block if cause.role is None}, key=str)
    points = {cause: _mean(blocks, cause).points for cause in causes}
    weight = {cause: abs(p) * (SPECIFIC if cause.is_specific else 1) for cause, p in points.items()}
    named: list[Cause] = []
    for cause in sorted(points, key=lambda cause: -weight[cause]):
        if abs(points[cause]) >= LEAST and not any(cause.has_part(other) for other in named):
            named.append(cause)
    return named


def _mean(blocks: list[Block], cause: Cause) -> Found:
    return Found(*np.mean([block.get(cause, NOTHING) for block in blocks], axis=0).tolist())


def _reason(cause: Cause, played: Card, best: Card, naming: list[Block], pricing: list[Block]) -> Reason:
    points, share, best_share = _priced(cause, pricing)
    if cause.kind != ReasonKind.KEEP:
        return Reason(cause.kind, points, share, best_share, cause.colour, cause.seat, cause.card)
    # each of the two is kept where the other one is played: which of them is it about, and what becomes of it?
    fates = {
        (card, role): _mean(naming, Cause(cause.kind, card=card, role=role))
        for card in (played, best)
        for role in ROLES
    }
    sides = {played: fates[played, ROLES[0]].points, best: -fates[best, ROLES[0]].points}
    card = max(sides, key=lambda card: sides[card] * points.value)
    is_worth_it = (sides[card] > 0) == (card is played)
    role = max(ROLES, key=lambda role: max(fates[card, role][1:]))
    kind = ReasonKind.KEEP if is_worth_it else ReasonKind.DROP
    if max(fates[card, role][1:]) < OFTEN:
        return Reason(kind, points, card=card)
    _, share, best_share = _priced(Cause(cause.kind, card=card, role=role), pricing)
    return Reason(kind, points, share, best_share, card=card, role=role)


def _priced(cause: Cause, blocks: list[Block]) -> tuple[Estimate, Estimate, Estimate]:
    columns = np.array([block.get(cause, NOTHING) for block in blocks]).T
    points, share, best_share = map(_estimate, columns)
    return points, _as_share(share), _as_share(best_share)


def _estimate(values: Numbers) -> Estimate:
    """A mean with its interval, by Student's distribution."""
    mean, free = float(values.mean()), len(values) - 1
    z = 1.959964
    width = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    width *= float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(mean, mean - width, mean + width)


def _as_share(found: Estimate) -> Estimate:
    return Estimate(*(min(max(number, 0.0), 1.0) for number in found))


def _block(view: View, played: Card, best: Card, number: int) -> Block:
    tree = MasterBot().tree(view, _seed(view, number), POOL)
    worlds, times = np.unique(tree.sample(WORLDS), axis=0, return_counts=True)
    weights = times / WORLDS
    pair = _Pair(view, _Deals(view, played, worlds), _Deals(view, best, worlds))
    return {
        cause: Found(float(weights @ points), float(weights @ share), float(weights @ best_share))
        for cause, points, share, best_share in pair.causes()
    }


def _seed(view: View, number: int) -> int:
    """From what the seat knows, and nothing else."""
    known = (str(view.rules), view.standing, view.seat, view.dealer, str(view.hand))
    plays = [(trick.leader, *map(str, trick.cards)) for trick in (*view.tricks, view.trick)]
    return int.from_bytes(blake2b(repr((known, plays, number)).encode(), digest_size=8).digest(), "big")


@lru_cache
def _points() -> NDArray[np.int8]:
    """Rule 13: what a mask of one colour is worth."""
    masks, bits = np.arange(1 << VALUES), np.arange(VALUES)
    held = masks[:, None] >> bits & 1
    count, total = held.sum(axis=1), held @ (bits + 1)
    return np.where(count > FEW, count, total).astype(np.int8)


def _own_seat(view: View) -> Seat:
    if view.seat is None:
        raise ValueError("reasons are a seat's: a spectator's view has none")
    return view.seat


class _Deals:
    """A card played in each world, and what came of it: arrays by world, trick from this one on, seat and colour."""

    def __init__(self, view: View, card: Card, worlds: NDArray[np.int32]) -> None:
        number, players, tricks = len(worlds), view.players, HAND - len(view.tricks)
        self.view, self.card, self.seat = view, card, _own_seat(view)
        self.leaders = np.empty((number, tricks), np.int64)
        self.plays = np.empty((number, tricks, players), np.int64)
        now, piles = sets_to_array(view.piles), np.empty((number, tricks, players * WORDS), np.int32)
        finish(
            worlds,
            code_of(card),
            position_of(view.rules, view.trick, len(view.tricks)),
            now,
            voids_to_array(view.voids),
            network("policy", players),
            *make_rooms(),
            self.leaders,
            self.plays,
            piles,
        )
        start = np.broadcast_to(now.astype(np.int32), (number, 1, players * WORDS))
        self.piles = np.concatenate([start, piles], 1).reshape(number, tricks + 1, players, WORDS)[..., :COLOURS]
        self.points = _points()[self.piles]
        signs = np.full((players, 1), -1 / (players - 1))
        signs[self.seat] = 1
        self.values = self.points * signs
        """What they are worth to the seat."""
        self.own = np.take_along_axis(self.plays, ((self.seat - self.leaders) % players)[..., None], 2)[..., 0]
        values, places = self.plays & (1 << CODE_BITS) - 1, np.arange(players)
        self.is_goliath = self._is_own((values * 8 + places).argmax(2))
        self.david_place = (values * 8 + 7 - places).argmin(2)
        self.is_david = self._is_own(self.david_place)
        self.prizes = np.take_along_axis(self.plays, (values * 8 + places).argmax(2)[..., None], 2)[..., 0]
        self.taken = self.piles[:, 1] ^ self.piles[:, 0]
        self.tumbles = self.points[:, 1] < self.points[:, 0]

    def _is_own(self, places: NDArray[np.int64]) -> Truths:
        return cast("Truths", (self.leaders + places) % self.view.players == self.seat)

    @cached_property
    def leads(self) -> Truths:
        return cast("Truths", self.leaders == self.seat)

    @cached_property
    def led(self) -> NDArray[np.int64]:
        return self.plays[:, :, 0] >> CODE_BITS


Part = tuple[Cause, Numbers, Truths, Truths]
"""A cause, and by world its points, and whether it came to that with the card that was played, and with the best."""


class _Pair:
    """The deals after the card that was played, and those after the best."""

    def __init__(self, view: View, played: _Deals, best: _Deals) -> None:
        self.view, self.played, self.best = view, played, best
        self.differs = played.piles[:, 1] != best.piles[:, 1]
        self.direct = (best.values[:, -1] - played.values[:, -1]) * self.differs
        self.seat = played.seat
        self.others = [seat for seat in range(view.players) if seat != self.seat]

    def causes(self) -> Iterator[Part]:
        yield from self._own()
        yield from self._rivals()
        yield from self._later()

    def _own(self) -> Iterator[Part]:
        seat, played, best = self.seat, self.played, self.best
        direct = self.direct[:, seat]
        tumbled, tumbles = played.tumbles[:, seat], best.tumbles[:, seat]
        third = tumbled != tumbles
        for colour in Colour:
            yield (
                Cause(ReasonKind.THIRD_CARD, colour),
                direct[:, colour] * third[:, colour],
                tumbled[:, colour],
                tumbles[:, colour],
            )
        direct = direct * ~third
        was_david, is_david = played.is_david[:, 0], best.is_david[:, 0]
        was_goliath, is_goliath = played.is_goliath[:, 0], best.is_goliath[:, 0]
        as_david = was_david[:, None] & (played.taken[:, seat] != 0) | is_david[:, None] & (best.taken[:, seat] != 0)
        david = (direct * as_david).sum(1) * (was_david != is_david)
        yield Cause(ReasonKind.DAVID), david, was_david, is_david
        was_prize, is_prize = np.where(was_david, played.prizes[:, 0], -1), np.where(is_david, best.prizes[:, 0], -1)
        for prize in np.unique([was_prize, is_prize]):
            if prize >= 0:
                was, now = was_prize == prize, is_prize == prize
                yield Cause(ReasonKind.DAVID, card=card_of(prize)), david * (was | now), was, now
        goliath = (direct * ~as_david).sum(1) * (was_goliath != is_goliath)
        yield Cause(ReasonKind.GOLIATH), goliath, was_goliath, is_goliath
        rest = direct * np.where(as_david, (was_david == is_david)[:, None], (was_goliath == is_goliath)[:, None])
        took, takes = played.taken[:, seat] != 0, best.taken[:, seat] != 0
        yield Cause(ReasonKind.GAIN), rest.sum(1), took.any(1), takes.any(1)
        for colour in Colour:
            yield Cause(ReasonKind.GAIN, colour), rest[:, colour], took[:, colour], takes[:, colour]

    def _rivals(self) -> Iterator[Part]:
        tumbled, tumbles = self.played.tumbles, self.best.tumbles
        took, takes = self.played.taken != 0, self.best.taken != 0
        third = tumbled != tumbles
        for kind, direct, was, now in (
            (ReasonKind.RIVAL_THIRD_CARD, self.direct * third, tumbled, tumbles),
            (ReasonKind.RIVAL_GAIN, self.direct * ~third, took, takes),
        ):
            for colour in Colour:
                for seat in self.others:
                    yield Cause(kind, colour, seat), direct[:, seat, colour], was[:, seat, colour], now[:, seat, colour]
                among = direct[:, self.others, colour].sum(1)
                yield Cause(kind, colour), among, was[:, self.others, colour].any(1), now[:, self.others, colour].any(1)

    def _later(self) -> Iterator[Part]:
        played, best = self.played, self.best
        if played.leaders.shape[1] < 2:
            return
        same = ~self.differs[:, None]
        were = (np.diff(played.values, axis=1) * same)[:, 1:].sum((2, 3))
        are = (np.diff(best.values, axis=1) * same)[:, 1:].sum((2, 3))
        kept_best, kept_played = played.own[:, 1:] == code_of(best.card), best.own[:, 1:] == code_of(played.card)
        keeping, keeping_best = (are * kept_played).sum(1), (were * kept_best).sum(1)
        yield from self._kept(keeping, keeping_best, kept_played, kept_best)
        were, are = were * ~kept_best, are * ~kept_played
        led, leads = played.leads[:, 1], best.leads[:, 1]
        yield Cause(ReasonKind.LEAD), (are[:, 0] - were[:, 0]) * (led != leads), led, leads
        were[led != leads, 0], are[led != leads, 0] = 0, 0
        for card in (played.card, best.card):
            if len(self.view.hand.of_colour(card.colour)) == 1 and played.card.colour != best.card.colour:
                was = (played.led[:, 1:] == card.colour) & ~played.leads[:, 1:]
                now = (best.led[:, 1:] == card.colour) & ~best.leads[:, 1:]
                points = (are * now).sum(1) - (were * was).sum(1)
                yield Cause(ReasonKind.VOID, card.colour, card=card), points, was.any(1), now.any(1)

    def _kept(self, keeping: Numbers, keeping_best: Numbers, kept_played: Truths, kept_best: Truths) -> Iterator[Part]:
        """Each of the two cards is kept if the other one is played: what becomes of them makes one cause."""
        nowhere = np.zeros(len(keeping), np.bool_)
        for card, deals, kept, points in (
            (self.played.card, self.best, kept_played, keeping),
            (self.best.card, self.played, kept_best, keeping_best),
        ):
            for role, own in zip(ROLES, (deals.is_david, deals.is_goliath), strict=True):
                then = cast("Truths", (kept & own[:, 1:]).any(1))
                share, best_share = (nowhere, then) if deals is self.best else (then, nowhere)
                yield Cause(ReasonKind.KEEP, card=card, role=role), points, share, best_share
        yield Cause(ReasonKind.KEEP), keeping - keeping_best, nowhere, nowhere
