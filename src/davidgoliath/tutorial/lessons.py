"""The tutorial's lessons: a position each, and what becomes of every card in the learner's hand.

The page holds no rules, so all that it can show is worked out here, by the rules: whether a card is legal, who becomes
Goliath and David, who takes what, what the piles are worth before and after, and whether that was the aim. The
positions are records of deals (`lessons.dgn`), so each of them can happen at a table.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, TypeAlias

import msgspec

from davidgoliath.match import ranking
from davidgoliath.match.effects import Took, played
from davidgoliath.notation import DealRecord, read_text
from davidgoliath.rules import Card, CardSet, Colour, DealState, IllegalPlay, Seat
from davidgoliath.rules.scoring import next_card, points
from davidgoliath.rules.trick import Tie

YOU: Final[Seat] = 0


class Pile(msgspec.Struct, frozen=True):
    """The cards of one colour in a pile."""

    values: list[int]
    worth: int
    next: int | None
    """What one more card would change; null: it would count its own value."""

    @classmethod
    def of(cls, cards: CardSet) -> "Pile":
        return cls([card.value for card in cards], points(cards), next_card(cards))


class Taken(msgspec.Struct, frozen=True, rename="camel"):
    """A complete trick: who takes what."""

    to_goliath: list[str]
    to_david: list[str]
    tie: Tie | None
    scores: tuple[int, ...]
    """Everyone's points after it."""


class Fall(msgspec.Struct, frozen=True):
    """A card as it falls, and who is who then."""

    seat: Seat
    card: str
    goliath: Seat | None
    david: Seat | None
    taken: Taken | None
    """With the last card of a trick."""


class Refused(msgspec.Struct, frozen=True):
    """Why a card may not be played."""

    reason: str
    colour: str
    legal: list[str]


class Play(msgspec.Struct, frozen=True):
    """What becomes of a card of the hand: a refusal, or cards that fall."""

    card: str
    right: bool
    """Whether this was the aim."""
    why: str
    """The key of the text that says so."""
    refused: Refused | None = None
    falls: list[Fall] = []
    piles: list[list[Pile]] = []
    places: tuple[int, ...] = ()
    numbers: Mapping[str, int] = {}
    """What the text counts."""


class Lesson(msgspec.Struct, frozen=True):
    """A step of the tutorial."""

    id: str
    """Its texts are `learn.{id}.title` and so on."""
    highest: int
    """The highest value in the deck."""
    leader: Seat
    hand: list[str]
    legal: list[str]
    trick: list[Fall]
    piles: list[list[Pile]]
    """By seat and colour."""
    scores: tuple[int, ...]
    numbers: Mapping[str, int]
    """What the task counts."""
    examples: list[Pile]
    """Piles to look at, for the lesson that explains what they are worth."""
    plays: list[Play]
    """One for each card of the hand."""


Judge: TypeAlias = Callable[[DealState, DealState, Card], tuple[bool, str, Mapping[str, int]]]
"""Whether a card reached the aim, the end of the text's key, and what that text counts."""


def _part(aim: str) -> Judge:
    """The aim is to be somebody in the trick: `goliath`, `david` or `neither`."""

    def judge(before: DealState, after: DealState, card: Card) -> tuple[bool, str, Mapping[str, int]]:
        result = after.results[len(before.results)]
        part = "goliath" if result.goliath == YOU else "david" if result.david == YOU else "neither"
        worths = (points(state.piles[YOU].of_colour(card.colour)) for state in (before, after))
        return part == aim, part, dict(zip(("before", "after"), worths, strict=True))

    return judge


def _followed(before: DealState, after: DealState, card: Card) -> tuple[bool, str, Mapping[str, int]]:
    """Any legal card will do."""
    return True, "followed", {}


def _harmed(before: DealState, after: DealState, card: Card) -> tuple[bool, str, Mapping[str, int]]:
    """The aim is to bring down a pile of Goliath's with this card."""
    goliath = after.results[len(before.results)].goliath
    was, now = (state.piles[goliath].of_colour(card.colour) for state in (before, after))
    effect = {None: "stands", 1: "rubble"}.get(next_card(was), "tumbles")
    return points(now) < points(was), effect, {"before": points(was), "after": points(now)}


def _won(before: DealState, after: DealState, card: Card) -> tuple[bool, str, Mapping[str, int]]:
    """The aim is to win the deal."""
    own, best = after.scores[YOU], max(score for seat, score in enumerate(after.scores) if seat != YOU)
    return own > best, "won" if own > best else "lost", {"points": own, "best": best}


@dataclass(frozen=True)
class Step:
    """What a lesson is after."""

    judge: Judge
    rest: tuple[str, ...] = ()
    """What the others play behind the learner, where they have a choice."""


STEPS: Final[Mapping[str, Step]] = {
    "follow": Step(_followed, rest=("G3", "V7")),
    "goliath": Step(_part("goliath")),
    "david": Step(_part("david")),
    "ties": Step(_part("david")),
    "third": Step(_part("neither")),
    "radar": Step(_harmed),
    "match": Step(_won),
}


def lessons() -> list[Lesson]:
    """All lessons in their order."""
    text = files("davidgoliath.tutorial").joinpath("lessons.dgn").read_text(encoding="utf-8")
    records = [record for _, record in read_text(text) if isinstance(record, DealRecord)]
    return [_lesson(name, step, record.state) for (name, step), record in zip(STEPS.items(), records, strict=True)]


def as_json() -> str:
    """All lessons, as the page reads them."""
    return msgspec.json.encode(lessons()).decode()


def _lesson(name: str, step: Step, state: DealState) -> Lesson:
    led, hand = state.table[0], state.hands[YOU]
    own = state.piles[YOU].of_colour(led.colour)
    best = max(state.scores)
    return Lesson(
        id=name,
        highest=3 * state.players,
        leader=state.leader,
        hand=_names(hand),
        legal=_names(state.legal_cards),
        trick=falls(state, len(state.table)),
        piles=_piles(state),
        scores=state.scores,
        numbers={"worth": points(own), "points": state.scores[YOU], "best": best, "behind": best - state.scores[YOU]},
        examples=[Pile.of(cards) for cards in (CardSet.of(list(own)[:1]), own, own | CardSet.of([led]))],
        plays=[_play(name, step, state, card) for card in hand],
    )


def _play(name: str, step: Step, state: DealState, card: Card) -> Play:
    try:
        after = _play_on(state.play(card, YOU), step.rest)
    except IllegalPlay as why:
        arguments = why.arguments
        refused = Refused(why.reason, str(arguments["colour"]), _names(arguments["legal"]))
        return Play(str(card), right=False, why=f"learn.{why.reason}", refused=refused)
    right, text, numbers = step.judge(state, after, card)
    return Play(
        str(card),
        right,
        f"learn.{name}.{text}",
        falls=falls(after, len(after.plays) - len(state.plays)),
        piles=_piles(after),
        places=ranking(after.scores),
        numbers=numbers,
    )


def _play_on(state: DealState, rest: Sequence[str]) -> DealState:
    """What follows by itself: cards without an alternative, and those of the script."""
    script = iter(rest)
    while not state.is_over:
        card = min(state.legal_cards) if len(state.legal_cards) == 1 else next(map(Card.parse, script), None)
        if card is None:
            break
        state = state.play(card)
    return state


def falls(state: DealState, count: int) -> list[Fall]:
    """The last so many cards of a deal, as they fell."""
    place = len(state.plays) - count
    cards, state = state.plays[place:], state.at(place)
    fell = []
    for card in cards:
        seat, state = state.trick.seat_of(len(state.table)), state.play(card)
        now, took = played(state)
        fell.append(Fall(seat, str(card), now.goliath, now.david, _taken(took, state.scores) if took else None))
    return fell


def _taken(took: Took, scores: tuple[int, ...]) -> Taken:
    to_goliath, to_david = (_names(CardSet.parse(cards)) for cards in (took.to_goliath, took.to_david))
    return Taken(to_goliath, to_david, took.tie, scores)


def _piles(state: DealState) -> list[list[Pile]]:
    return [[Pile.of(pile.of_colour(colour)) for colour in Colour] for pile in state.piles]


def _names(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]
