"""A score pad: what everyone at a real table has captured, deal by deal, as far as it was noted.

Three or more cards of a colour count 1 point each (rule 13), so their values need no note: `R*3` is three red cards,
whichever they are. A pad is checked when it is made, so no card on it belongs to two players. Its text is JSON, which
the page reads and writes as well.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from davidgoliath.notation.jsonvalues import Json, items_of, list_of, number_of, parse_value, read, rules_of, text_of
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.notation.record import LONGEST_TEXT, check_text
from davidgoliath.rules import Card, CardSet, Colour, NotationError, Reason, Refusal, RuleSet, Seat, Standing, deck
from davidgoliath.rules.cards import HIGHEST_VALUE
from davidgoliath.rules.checks import TEXT, check_kind
from davidgoliath.rules.ruleset import MOST_DEALS
from davidgoliath.rules.scoring import FEW, points

FORMAT: Final = "davidgoliath-pad/1"
REQUIRED_KEYS: Final = ("format", "rules", "names", "dealer", "deals")
RESULT_KEYS: Final = ("points", "scores", "totals", "over")
"""What follows from the rest: `pad_results` gives it, and it is checked where it is read."""
_COUNT: Final = re.compile(r"(?<!\S)([RYGBV])\*(\d{1,2})(?!\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tally:
    """What somebody has captured: cards, and in each colour how many more whose values weren't noted.

    >>> tally = Tally.parse("R*3 Y8 G5,9 B*5 V10,12")
    >>> tally.points, str(tally)
    ((3, 8, 14, 5, 22), 'R*3 Y8 G5,9 B*5 V10,12')
    """

    cards: CardSet = CardSet()
    unnoted: tuple[int, ...] = (0,) * len(Colour)

    def __post_init__(self) -> None:
        for colour in Colour:
            if self.count(colour) > HIGHEST_VALUE:
                raise Refusal(NotationReason.TOO_MANY, colour=colour, count=self.count(colour), most=HIGHEST_VALUE)

    @classmethod
    def parse(cls, text: str) -> "Tally":
        """A set of cards in which a colour may be a number: `R*3 Y8`, and `-` is nothing."""
        check_kind(text, str, f"{TEXT} such as 'R*3 Y8'")
        unnoted = [0] * len(Colour)
        for letter, count in _COUNT.findall(text):
            unnoted[Colour.parse(letter)] += int(count)
        noted = _COUNT.sub(lambda found: " " * len(found[0]), text)  # columns stay what they are
        try:
            return cls(CardSet.parse(noted) if noted.strip() or not any(unnoted) else CardSet(), tuple(unnoted))
        except NotationError:
            raise
        except Refusal as refusal:
            raise NotationError(refusal.reason, **refusal.arguments) from None

    def __str__(self) -> str:
        words = []
        for colour in Colour:
            if noted := self.cards.of_colour(colour):
                words.append(str(noted))
            if self.unnoted[colour]:
                words.append(f"{colour}*{self.unnoted[colour]}")
        return " ".join(words) or "-"

    def __bool__(self) -> bool:
        return bool(self.cards) or any(self.unnoted)

    def count(self, colour: Colour) -> int:
        return len(self.cards.of_colour(colour)) + self.unnoted[colour]

    @property
    def points(self) -> tuple[int | None, ...]:
        """The points by colour: None where one or two cards count their values, and not all of them are noted."""
        return tuple(self._points(colour) for colour in Colour)

    def _points(self, colour: Colour) -> int | None:
        count = self.count(colour)
        if not self.unnoted[colour]:
            return points(self.cards.of_colour(colour))
        if count <= FEW:
            return None
        return points(CardSet.of(Card(colour, value) for value in range(1, count + 1)))  # any others are worth the same

    def __add__(self, more: "Tally") -> "Tally":
        for card in self.cards & more.cards:
            raise Refusal(Reason.CARD_TWICE, card=card)
        return Tally(self.cards | more.cards, tuple(map(sum, zip(self.unnoted, more.unnoted, strict=True))))

    def __sub__(self, less: "Tally") -> "Tally":
        for card in less.cards - self.cards:
            raise Refusal(NotationReason.NOT_CAPTURED, card=card)
        for colour in Colour:
            if less.unnoted[colour] > self.unnoted[colour]:
                raise Refusal(NotationReason.NOT_CAPTURED, card=f"{colour}*{less.unnoted[colour]}")
        left = tuple(own - gone for own, gone in zip(self.unnoted, less.unnoted, strict=True))
        return Tally(self.cards - less.cards, left)


@dataclass(frozen=True, slots=True)
class ScorePad:
    """Who plays by which rules, who dealt first, and what everyone captured in each deal; deals count from 0.

    >>> pad = ScorePad(("Ann", "Ben", "Cleo"), dealer=2).begin().give(0, 1, Tally.parse("R4,9"))
    >>> pad.scores(0), len(pad.left_over(0)), pad.leader_of(0)
    ((0, 13, 0), 43, 0)
    >>> ScorePad.parse(str(pad)) == pad
    True
    """

    names: tuple[str, ...]
    rules: RuleSet = RuleSet()
    dealer: Seat = 0
    """Who deals first."""
    deals: tuple[tuple[Tally, ...], ...] = ()
    """For each deal and seat what was captured; a deal counts once every card belongs to someone."""

    def __post_init__(self) -> None:
        deck(self.players)  # refuses a number of players that the game isn't for
        for seat, name in enumerate(self.names):
            check_text("names", name, seat)
        if not 0 <= self.dealer < self.players:
            raise Refusal(Reason.NO_SUCH_SEAT, seat=self.dealer, players=self.players, field="dealer")
        if len(self.deals) > MOST_DEALS:
            raise Refusal(NotationReason.NUMBER_RANGE, number=len(self.deals), low=0, high=MOST_DEALS, field="deals")
        for number, tallies in enumerate(self.deals):
            self._check(number, tallies)

    def _check(self, number: int, tallies: tuple[Tally, ...]) -> None:
        """Rule 12: every card of the deck is in one pile at the most."""
        where = {"field": "deals", "deal": number}
        if len(tallies) != self.players:
            raise Refusal(NotationReason.ONE_PER_SEAT, count=len(tallies), players=self.players, **where)
        cards = deck(self.players)
        owners: dict[Card, Seat] = {}
        for seat, tally in enumerate(tallies):
            for card in tally.cards - cards:
                raise Refusal(Reason.NOT_IN_DECK, card=card, players=self.players, **where)
            for card in tally.cards:
                if card in owners:
                    raise Refusal(NotationReason.CARD_TAKEN, card=card, name=self.names[owners[card]], **where)
                owners[card] = seat
        for colour in Colour:
            count, most = sum(tally.count(colour) for tally in tallies), len(cards.of_colour(colour))
            if count > most:
                raise Refusal(NotationReason.TOO_MANY, colour=colour, count=count, most=most, **where)

    @property
    def players(self) -> int:
        return len(self.names)

    def begin(self) -> "ScorePad":
        """The pad with one more deal, of which nothing is known yet."""
        if self.is_over:
            raise Refusal(NotationReason.MATCH_IS_OVER)
        return replace(self, deals=(*self.deals, (Tally(),) * self.players))

    def give(self, deal: int, seat: Seat, tally: Tally) -> "ScorePad":
        return self._with(deal, seat, self.deals[deal][seat] + tally)

    def take(self, deal: int, seat: Seat, tally: Tally) -> "ScorePad":
        return self._with(deal, seat, self.deals[deal][seat] - tally)

    def _with(self, deal: int, seat: Seat, tally: Tally) -> "ScorePad":
        tallies = self.deals[deal]
        changed = (*tallies[:seat], tally, *tallies[seat + 1 :])
        return replace(self, deals=(*self.deals[:deal], changed, *self.deals[deal + 1 :]))

    def left_over(self, deal: int) -> CardSet:
        """The cards that are noted for nobody."""
        return deck(self.players) - CardSet.of(card for tally in self.deals[deal] for card in tally.cards)

    def left(self, deal: int) -> tuple[int, ...]:
        """How many cards of each colour belong to nobody yet."""
        most = len(deck(self.players)) // len(Colour)
        return tuple(most - sum(tally.count(colour) for tally in self.deals[deal]) for colour in Colour)

    def points(self, deal: int) -> tuple[tuple[int | None, ...], ...]:
        return tuple(tally.points for tally in self.deals[deal])

    def scores(self, deal: int) -> tuple[int, ...]:
        """What everyone has in a deal, as far as it is known."""
        return tuple(sum(worth or 0 for worth in worths) for worths in self.points(deal))

    def is_complete(self, deal: int) -> bool:
        """Whether every card belongs to someone, and every value that counts is known."""
        return not any(self.left(deal)) and all(None not in worths for worths in self.points(deal))

    def dealer_of(self, deal: int) -> Seat:
        """The deal passes to the left."""
        return (self.dealer + deal) % self.players

    def leader_of(self, deal: int) -> Seat:
        """Rule 3: who leads to the first trick."""
        return (self.dealer_of(deal) + 1) % self.players

    @property
    def standing(self) -> Standing:
        """The standing after all deals that are complete."""
        standing = Standing.at_start(self.rules, self.players)
        for deal in range(len(self.deals)):
            if self.is_complete(deal):
                standing = standing.after(self.scores(deal))
        return standing

    @property
    def is_over(self) -> bool:
        return self.standing.is_over and all(map(self.is_complete, range(len(self.deals))))

    @classmethod
    def parse(cls, text: str) -> "ScorePad":
        """The pad of a JSON text."""
        items = items_of(parse_value(text), FORMAT, REQUIRED_KEYS, (*REQUIRED_KEYS, *RESULT_KEYS))
        names = read(items, "names", list_of(text_of))
        rules, dealer = read(items, "rules", rules_of), read(items, "dealer", number_of)
        deals = read(items, "deals", list_of(list_of(_tally)))
        try:
            pad = cls(names, rules, dealer, deals)
        except Refusal as refusal:
            raise NotationError(refusal.reason, **refusal.arguments, path=_path(refusal)) from None
        for key, expected in pad_results(pad).items():
            if key in items and items[key] != expected:
                raise NotationError(NotationReason.RESULT_DISAGREES, expected=json.dumps(expected), path=key)
        return pad

    def __str__(self) -> str:
        return json.dumps(pad_to_json(self), ensure_ascii=False)


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Names of which no two are the same: who comes later has a number.

    >>> told_apart(["Ann", "Ben", "ann"])
    ('Ann', 'Ben', 'ann (2)')
    """
    told: list[str] = []
    for name in names:
        others, own, number = {other.casefold() for other in told}, name, 1
        while own.casefold() in others:
            number += 1
            own = f"{name[: LONGEST_TEXT - 4].strip()} ({number})"
        told.append(own)
    return tuple(told)


def pad_to_json(pad: ScorePad) -> Json:
    """A pad as JSON values."""
    check_kind(pad, ScorePad, "a ScorePad")
    preset, options = pad.rules.preset_and_options()
    return {
        "format": FORMAT,
        "rules": {"preset": preset, **options},
        "names": list(pad.names),
        "dealer": pad.dealer,
        "deals": [[str(tally) for tally in tallies] for tallies in pad.deals],
    }


def pad_results(pad: ScorePad) -> Json:
    """What a pad comes to: for each deal and seat the points by colour and their sum, and the totals."""
    check_kind(pad, ScorePad, "a ScorePad")
    deals = range(len(pad.deals))
    return {
        "points": [[list(worths) for worths in pad.points(deal)] for deal in deals],
        "scores": [list(pad.scores(deal)) for deal in deals],
        "totals": list(pad.standing.totals),
        "over": pad.is_over,
    }


def _tally(value: Any) -> Tally:
    return Tally.parse(text_of(value))


def _path(refusal: Refusal) -> str:
    """Where the value stands that a refusal is about."""
    about, deal, seat = (refusal.arguments.get(name) for name in ("field", "deal", "seat"))
    if about is None:
        return "names"
    if about == "names":
        return f"names[{seat}]"
    return about if deal is None else f"{about}[{deal}]"
