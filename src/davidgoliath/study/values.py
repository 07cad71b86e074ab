"""What study says, as values. Points are the own score less the mean of the others', unless it says otherwise."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from davidgoliath.rules import Card, Colour, Seat


class Estimate(NamedTuple):
    """A mean, and between what it lies with a confidence of 95 %."""

    value: float
    low: float
    high: float


class Analysis(NamedTuple):
    """What each legal card of a view is worth."""

    cards: Mapping[Card, Estimate]
    """By card: the points that it may expect. A first answer may leave out cards that are plainly behind."""
    losses: Mapping[Card, Estimate]
    """By card: how much less than the best one, on the same worlds. The best one's is 0."""
    best: Card
    """Chosen on other worlds than those that price it."""
    blocks: int
    """How many independent samples of worlds stand behind the close ones."""


class Grade(StrEnum):
    """How good a choice was. Nothing is called worse than fine unless its loss is surely more than nothing."""

    BEST = "best"
    FINE = "fine"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LEAST: Final = {Grade.INACCURACY: 0.5, Grade.MISTAKE: 1.5, Grade.BLUNDER: 4.0}
"""From how many points on a sure loss is called what."""
ERRORS: Final = tuple(LEAST)


class ReasonKind(StrEnum):
    """Why a card is better or worse than another."""

    GOLIATH = "goliath"
    """Its player is Goliath in this trick, more or less often, and so captures the spoils."""
    DAVID = "david"
    """Its player is David in this trick, more or less often, and so captures the prize."""
    THIRD_CARD = "third_card"
    """A colour of the own pile falls to its number of cards in this trick."""
    GAIN = "gain"
    """A colour of the own pile comes to more, or to less, in the same role."""
    RIVAL_THIRD_CARD = "rival_third_card"
    """A colour of somebody else's pile falls to its number of cards in this trick."""
    RIVAL_GAIN = "rival_gain"
    """A colour of somebody else's pile comes to more, or to less."""
    KEEP = "keep"
    """A card that is kept is worth more later."""
    DROP = "drop"
    """A card that is kept costs points later."""
    LEAD = "lead"
    """Its player leads to the next trick, more or less often."""
    VOID = "void"
    """The hand has none of a colour any more, and may play anything when it is led."""


TOLD_BY_SHARE: Final = (
    ReasonKind.GOLIATH,
    ReasonKind.DAVID,
    ReasonKind.THIRD_CARD,
    ReasonKind.RIVAL_THIRD_CARD,
    ReasonKind.LEAD,
)
"""What is only said of two cards where one of them brings it about more often."""
CLOSE: Final = 0.05
"""How often something comes to pass with either card is alike where it differs by less."""


class Reason(NamedTuple):
    """Why the best card is better than the one that was played, counted on worlds played to the end."""

    kind: ReasonKind
    points: Estimate
    """Its share of what the played card loses, so that reasons add up: the rest is the rest of the deal. Less than
    nothing speaks for the card that was played."""
    share: Estimate | None = None
    """In how many of the worlds it comes to that with the played card: from 0 to 1."""
    best_share: Estimate | None = None
    """The same with the best card."""
    colour: Colour | None = None
    seat: Seat | None = None
    """The other seat that it is about; None for any of them."""
    card: Card | None = None
    """The prize, the card that is kept or would be, the last one of its colour."""
    role: ReasonKind | None = None
    """What becomes of a card that is kept: Goliath or David."""


class Choice(NamedTuple):
    """A card that was played where there were several."""

    trick: int
    """From 1."""
    played: Card
    analysis: Analysis
    grade: Grade
    reasons: tuple[Reason, ...]

    @property
    def loss(self) -> Estimate:
        return self.analysis.losses[self.played]


class Ledger(NamedTuple):
    """How a seat came to its result, by the value of the true positions: so with open cards.

    The first three add up to the last.
    """

    dealt: float
    own: float
    others: float
    result: float
    steps: tuple[float, ...]
    """The value after the deal and after each card: what a chart shows. The last is the result."""

    @property
    def printed(self) -> "Ledger":
        """With one decimal, and so that this adds up: what is left over goes to the others."""
        dealt, own, result = (round(part, 1) + 0.0 for part in (self.dealt, self.own, self.result))
        steps = tuple(round(step, 1) + 0.0 for step in self.steps)
        return Ledger(dealt, own, round(result - dealt - own, 1) + 0.0, result, steps)


class Review(NamedTuple):
    """What is to be said of one seat in one deal."""

    deal: int
    """From 1."""
    seat: Seat
    choices: tuple[Choice, ...]
    ledger: Ledger | None
    """None while the deal is being played."""
    lost_per_choice: Estimate | None
    """The mean, as a sample of how the seat plays. None where there were fewer than four choices."""
    judge: str
    """Who judged: other judges give other numbers."""

    @property
    def costliest(self) -> tuple[Choice, ...]:
        """The three errors that lost most, in the order of play."""
        errors = [choice for choice in self.choices if choice.grade in ERRORS]
        return tuple(sorted(sorted(errors, key=lambda choice: -choice.loss.value)[:3], key=lambda choice: choice.trick))
