"""Records: a deal or a match with all that it takes to rebuild it.

A record is checked when it is made, so whoever has one knows that it follows the rules. The types
stand here rather than in `rules` because they have a notation: `parse` and `str` are DGN text.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Card, Deal, DealState, IllegalPlay, NotationError, Refusal, RuleSet, Standing
from davidgoliath.rules.cards import HAND_SIZE
from davidgoliath.rules.checks import CARD, RULE_SET, TEXT, check_kind, check_tuple, wrong_kind
from davidgoliath.rules.ruleset import MOST_DEALS

LONGEST_TEXT = 100
LONGEST_SHUFFLE = 400
HIGHEST_TOTAL = 99_999
JOINERS = "\u200c\u200d"
"""Invisible, yet part of how some names and emoji are written."""


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal: the rule set, the hands, the cards played so far, and what else is known of it.

    >>> from random import Random
    >>> record = DealRecord(RuleSet(), Deal.shuffled(3, Random(7)), names=("Ann", "Ben", "Cleo"))
    >>> DealRecord.parse(str(record)) == record
    True
    """

    rules: RuleSet
    deal: Deal
    plays: tuple[Card, ...] = ()
    number: int | None = None
    """Which deal of its match this is, from 1."""
    names: tuple[str, ...] | None = None
    """Who sits where; a bot is `bot:` and its name."""
    match: str | None = None
    """An id that the deals of a match share."""
    date: datetime.date | None = None
    totals: tuple[int, ...] | None = None
    """Each seat's total before this deal."""
    shuffle: str | None = None
    """Where the shuffle came from, for those who want to check it: `davidgoliath.match.shuffle`, or any text."""
    hints: tuple[tuple[int, ...], ...] | None = None
    """By seat the numbers of the tricks, from 1, in which it was shown a hint; None where nobody was."""
    state: DealState = field(init=False, repr=False, compare=False)
    """The deal after the last card played."""

    def __post_init__(self) -> None:
        check_kind(self.rules, RuleSet, RULE_SET)
        check_kind(self.deal, Deal, "a Deal")
        check_tuple(self.plays, Card, CARD)
        self._check_tags()
        if self.hints is not None:
            tricks = tuple(tuple(sorted(set(shown))) for shown in self.hints)
            object.__setattr__(self, "hints", tricks if any(tricks) else None)
        start = Standing.at_start(self.rules, self.deal.players)
        standing = start._replace(deal=self.number or 1, totals=self.totals or start.totals)
        if standing.is_over:
            raise Refusal(NotationReason.MATCH_IS_OVER, field="number")
        dealt = DealState.start(self.deal, self.rules, standing)
        try:
            object.__setattr__(self, "state", dealt.play_all(self.plays))
        except IllegalPlay as why:
            raise _which_play(dealt, self.plays, why) from None

    @classmethod
    def of(cls, state: DealState, **tags: Any) -> "DealRecord":
        """The record of a deal as it stands. `tags`: names, match, date, shuffle, hints."""
        check_kind(state, DealState, "a DealState")
        return cls(state.rules, state.deal, state.plays, state.standing.deal, totals=state.standing.totals, **tags)

    @classmethod
    def parse(cls, text: str) -> "DealRecord":
        """The only deal of a text, in DGN or JSON."""
        (first, *more) = _entries(text)
        if more:
            raise NotationError(NotationReason.ONE_DEAL, line=more[0][0])
        return first[1]

    def __str__(self) -> str:
        from davidgoliath.notation.dgn import write_dgn  # which imports this module

        return write_dgn(self)

    @property
    def players(self) -> int:
        return self.deal.players

    def _check_tags(self) -> None:
        if self.match is not None:
            check_text("match", self.match)
        if self.shuffle is not None:
            check_text("shuffle", self.shuffle, most=LONGEST_SHUFFLE)
        if self.date is not None and type(self.date) is not datetime.date:  # a datetime is one, too, and more
            raise wrong_kind("a datetime.date", self.date)
        kinds: tuple[tuple[str, Any, type, str], ...] = (
            ("names", self.names, str, "texts"),
            ("totals", self.totals, int, "whole numbers"),
            ("hints", self.hints, tuple, "tuples of whole numbers"),
        )
        for name, values, kind, needed in kinds:
            if values is None:
                continue
            check_tuple(values, kind, needed)
            if len(values) != self.players:
                raise Refusal(NotationReason.ONE_PER_SEAT, field=name, count=len(values), players=self.players)
        for seat, text in enumerate(self.names or ()):
            check_text("names", text, seat)
        for seat, total in enumerate(self.totals or ()):
            _check_number("totals", total, 0, HIGHEST_TOTAL, seat)
        for seat, shown in enumerate(self.hints or ()):
            for trick in shown:
                _check_number("hints", trick, 1, HAND_SIZE, seat)
        if self.number is not None:
            _check_number("number", self.number, 1, MOST_DEALS)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The deals of a match, one after another. Only the last may be unfinished."""

    deals: tuple[DealRecord, ...]
    standing: Standing = field(init=False, repr=False, compare=False)
    """How the match stood before the last of these deals."""

    def __post_init__(self) -> None:
        check_tuple(self.deals, DealRecord, "DealRecords")
        if not self.deals:
            raise Refusal(NotationReason.NO_DEAL)
        standing = self.deals[0].state.standing
        for index in range(1, len(self.deals)):
            before, record = self.deals[index - 1 : index + 1]
            if not before.state.is_over:
                raise Refusal(NotationReason.DEAL_UNFINISHED, deal=standing.deal, index=index)
            standing = standing.after(before.state.scores)
            _check_sequel(before, record, standing, index)
        object.__setattr__(self, "standing", standing)

    @classmethod
    def parse(cls, text: str) -> "MatchRecord":
        """All deals of a text, in DGN or JSON Lines, as one match."""
        return cls.of_entries(_entries(text))

    @classmethod
    def of_entries(cls, entries: Sequence[tuple[int, DealRecord]]) -> "MatchRecord":
        """The match of deals that were read from a text, each with the line on which it starts."""
        try:
            return cls(tuple(record for _, record in entries))
        except Refusal as refusal:
            line = entries[refusal.arguments["index"]][0]
            raise NotationError(refusal.reason, **refusal.arguments, line=line) from None

    def __str__(self) -> str:
        return "\n".join(str(record) for record in self.deals)


def illegal_play(state: DealState, number: int, why: IllegalPlay) -> Refusal:
    """Says which play of a record was refused (`play` counts from 0), and why."""
    if state.to_play is None:
        return Refusal(why.reason, play=number)
    return Refusal(NotationReason.ILLEGAL_PLAY, trick=len(state.tricks) + 1, seat=state.to_play, why=why, play=number)


def _which_play(start: DealState, plays: Sequence[Card], why: IllegalPlay) -> Refusal:
    """Finds the play that was refused: the first that is not legal after those before it."""
    number, state = 0, start
    while plays[number] in state.legal_cards:
        number, state = number + 1, state.play(plays[number])
    return illegal_play(state, number, why)


def _entries(text: str) -> list[tuple[int, DealRecord]]:
    from davidgoliath.notation.reading import read_text  # which imports this module

    entries = []
    for line, record in read_text(text):
        if isinstance(record, NotationError):
            raise record
        entries.append((line, record))
    return entries


def _check_sequel(before: DealRecord, record: DealRecord, standing: Standing, index: int) -> None:
    """Rule 14: whether a record can be the deal that follows another one in a match."""
    if standing.is_over:
        raise Refusal(NotationReason.MATCH_IS_OVER, field="number", index=index)
    for name in ("players", "rules", "names", "match"):
        if getattr(record, name) != getattr(before, name):
            raise Refusal(NotationReason.MATCH_DIFFERS, field=name, index=index)
    dealer = before.deal.first_leader
    if record.deal.dealer != dealer:
        raise Refusal(NotationReason.MATCH_DEALER, seat=record.deal.dealer, expected=dealer, index=index)
    if record.number not in (None, standing.deal):
        raise Refusal(NotationReason.MATCH_NUMBER, number=record.number, expected=standing.deal, index=index)
    if record.totals not in (None, standing.totals):
        raise Refusal(NotationReason.MATCH_TOTALS, expected=", ".join(map(str, standing.totals)), index=index)


def check_text(name: str, text: str, seat: int | None = None, most: int = LONGEST_TEXT) -> None:
    """Refuses a text that nobody could read on one line."""
    check_kind(text, str, TEXT)
    printable = all(character.isprintable() or character in JOINERS for character in text)
    if not 1 <= len(text) <= most or not printable or text != text.strip():
        raise Refusal(NotationReason.TEXT_UNFIT, field=name, most=most, seat=seat)


def _check_number(name: str, number: int, low: int, high: int, seat: int | None = None) -> None:
    check_kind(number, int, "a whole number")
    if not low <= number <= high:
        raise Refusal(NotationReason.NUMBER_RANGE, field=name, number=number, low=low, high=high, seat=seat)
