"""What is said of how somebody played, as JSON: what cards were worth, why, and what a deal came to.

Points are the own score less the mean of the others'. Intervals are those of 95 %. How a review comes about from the
values of `study` stands here too, so that there is one form of it on the wire and in the store.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from davidgoliath.rules import Card, Seat
from davidgoliath.study.grades import grade_of
from davidgoliath.study.values import Analysis, Choice, Estimate, Grade, Reason, ReasonKind, Review
from davidgoliath.study.wording import sentence

DIGITS: Final = 2
"""Behind the point: what is measured is less exact."""


class Worth(msgspec.Struct, frozen=True):
    """What a card may expect to come to."""

    card: str
    value: float
    low: float
    high: float
    loss: float
    """How much less than the best one, over the same worlds; chance can make it less than nothing."""
    loss_low: float
    loss_high: float
    grade: Grade
    """What it would be called to play it: `best` and `fine` are right."""


class Why(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why the best card is better than another. What reasons don't say of the difference is the rest of the deal."""

    reason: ReasonKind
    points: float
    """Its share of what the other card comes to: below 0 where that one loses."""
    low: float
    high: float
    share: float | None = None
    """In how many of the worlds it comes to that with the other card: from 0 to 1."""
    best_share: float | None = None
    """The same with the best card."""
    key: str = ""
    """The text that says so."""
    arguments: dict[str, str | int] = {}
    """Its arguments: cards and colours as they are written, seats, percentages."""


class ChoiceShown(msgspec.Struct, frozen=True):
    """A card that was played where there were several."""

    trick: int
    """From 1."""
    played: str
    best: str
    loss: float
    low: float
    high: float
    grade: Grade
    cards: list[Worth]
    """All that could have been played, the best first."""
    reasons: list[Why]


class LedgerShown(msgspec.Struct, frozen=True):
    """How a result came about, by the value of all cards as if they were open. The first three add up to the last."""

    dealt: float
    """What the cards dealt were worth."""
    own: float
    """What the own cards changed."""
    others: float
    """What the others' cards gave or took."""
    result: float
    steps: tuple[float, ...]
    """The value after the deal and after each card: the last is the result."""


class ReviewBody(msgspec.Struct, frozen=True):
    """What is to be said of one seat in one deal."""

    deal: int
    """From 1."""
    seat: Seat
    choices: list[ChoiceShown]
    ledger: LedgerShown | None
    lost_per_choice: float | None
    """Points; null where there was no choice."""
    low: float | None
    high: float | None
    judge: str
    """Who judged: others would give other numbers."""


class ReviewStage(StrEnum):
    """How far a review is."""

    NONE = "none"
    WAITING = "waiting"
    IMPROVING = "improving"
    FINAL = "final"


class ReviewWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which deal, and of whose hand."""

    deal: int
    """From 1."""
    seat: Seat


class ReviewShown(msgspec.Struct, frozen=True):
    """A review as far as it is: ask again until it is `final`."""

    stage: ReviewStage
    """`waiting` for its turn, `improving` while better figures come, or `final`."""
    done: float
    """How much of the work is done, from 0 to 1."""
    review: ReviewBody | None
    """Null before there is a first result."""


class ReviewState(msgspec.Struct, frozen=True):
    """A review that you may have."""

    deal: int
    """From 1."""
    seat: Seat
    stage: ReviewStage
    """`none` if nobody has asked for it yet."""
    is_yours: bool
    """Whether it is your own hand: then it is for your eyes alone, unless you share it."""


class Between(msgspec.Struct, frozen=True):
    """A mean, and between what it lies."""

    value: float
    low: float
    high: float


class ReviewList(msgspec.Struct, frozen=True):
    """Which reviews you may have."""

    reviews: list[ReviewState]
    is_shared: bool
    """Whether everyone who has the table's link may see those of your hands."""
    ladder: dict[str, Between]
    """By bot: the points that it loses per choice, by this judge and with so many players; empty while it loads."""


class Sharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether everyone who has the table's link may see the reviews of your hands there."""

    is_shared: bool


class KnowledgeWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot knew, and when."""

    deal: int
    """From 1."""
    seat: Seat
    place: int
    """How many cards of the deal were played by then."""


class Guess(msgspec.Struct, frozen=True):
    """What a seat could tell of another's hand."""

    seat: Seat
    cards: list[float]
    """By colour, red first: how many cards it could expect there."""


class KnowledgeShown(msgspec.Struct, frozen=True):
    """What a seat knew at a moment of a deal, from nothing but what it saw."""

    hand: str
    """Its own, a set of cards."""
    guesses: list[Guess]
    """One for each other seat, in the order of play after it."""
    cards: list[Worth]
    """If it was its turn and it had a choice: what its cards were worth to it, the best first."""
    judge: str


class Sum(msgspec.Struct, frozen=True):
    """How many, and what they came to in points."""

    count: int
    points: float


class WeekShown(msgspec.Struct, frozen=True):
    """How you played in a week, in some company: sums of the deals whose reviews you had."""

    week: str
    """Such as `2026-W47`."""
    company: str
    """The bot in the middle of the others by strength, or `people`."""
    deals: Sum
    """Their points are the results."""
    choices: Sum
    """Their points were lost."""
    squares: float
    """The squares of what each choice lost, added up: for an interval."""
    dealt: float
    """Luck: what the cards dealt were worth."""
    own: float
    """Skill: what your cards changed."""
    others: float
    grades: dict[str, Sum]
    """By grade; the points were lost."""
    reasons: dict[str, Sum]
    """By the kind of the reason that weighs most against the card, of what was worse than fine."""


class Figures(msgspec.Struct, frozen=True):
    """How you play: sums, and no games."""

    weeks: list[WeekShown]
    """The first comes first."""
    days: float
    """For so many days after your last visit they are kept."""


def worths(analysis: Analysis) -> list[Worth]:
    """All cards, the best first."""
    order = sorted(analysis.cards, key=lambda card: (card is not analysis.best, analysis.losses[card].value, card))
    return [
        Worth(
            card.name,
            *_rounded(analysis.cards[card]),
            *_rounded(analysis.losses[card]),
            grade_of(analysis.losses[card], card is analysis.best),
        )
        for card in order
    ]


def whys(reasons: Iterable[Reason], played: Card, best: Card) -> list[Why]:
    said = [(reason, sentence(reason, played, best)) for reason in reasons]
    return [
        Why(
            reason.kind,
            *_rounded(Estimate(-reason.points.value, -reason.points.high, -reason.points.low)),
            share=_round(reason.share and reason.share.value),
            best_share=_round(reason.best_share and reason.best_share.value),
            key=key,
            arguments=dict(arguments),
        )
        for reason, (key, arguments) in said
    ]


def review_body(review: Review) -> ReviewBody:
    """A review as it is told."""
    lost = review.lost_per_choice
    return ReviewBody(
        deal=review.deal,
        seat=review.seat,
        choices=[_choice(choice) for choice in review.choices],
        ledger=LedgerShown(*review.ledger.printed) if review.ledger else None,
        lost_per_choice=_round(lost and lost.value),
        low=_round(lost and lost.low),
        high=_round(lost and lost.high),
        judge=review.judge,
    )


def _choice(choice: Choice) -> ChoiceShown:
    return ChoiceShown(
        choice.trick,
        choice.played.name,
        choice.analysis.best.name,
        *_rounded(choice.loss),
        choice.grade,
        worths(choice.analysis),
        whys(choice.reasons, choice.played, choice.analysis.best),
    )


def _rounded(estimate: Estimate) -> Estimate:
    return Estimate(*(round(number, DIGITS) + 0.0 for number in estimate))


def _round(number: float | None) -> float | None:
    return None if number is None else round(number, DIGITS) + 0.0
