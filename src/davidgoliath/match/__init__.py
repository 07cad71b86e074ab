"""Matches: deals in sequence, the dealer passing to the left, totals and places (rule 14).

A `Match` is a value like the deals in it: whoever runs one, a command, a terminal or a server, holds the
newest and asks it for the next. `play_out` runs one with players of any kind.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol

from davidgoliath.notation import DealRecord, MatchRecord
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Card, Deal, DealState, Refusal, RuleSet, Seat, Standing, View
from davidgoliath.rules.cards import check_players
from davidgoliath.rules.checks import RANDOM, RULE_SET, check_kind, check_tuple, whole_number, wrong_kind

__all__ = ["Match", "Player", "play_out", "ranking"]


class Player(Protocol):
    """Whoever sits at the table, person or program: a view in, a card out."""

    def choose(self, view: View, rng: Random) -> Card:
        """A legal card of the seat's own hand. Only `rng` may decide by chance."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands: the rules, how many play, and its deals so far.

    >>> match = Match(3).begin(Deal.shuffled(3, Random(7), dealer=2))
    >>> match.standing.deal, match.standing.deals, match.state.to_play
    (1, 3, 0)
    """

    players: int
    rules: RuleSet = RuleSet()
    deals: tuple[DealState, ...] = ()
    """The last one may be unfinished."""

    def __post_init__(self) -> None:
        check_players(self.players)
        check_kind(self.rules, RuleSet, RULE_SET)
        check_tuple(self.deals, DealState, "DealStates")
        if any(state.players != self.players for state in self.deals):
            raise Refusal(NotationReason.MATCH_DIFFERS, field="players")

    @property
    def state(self) -> DealState | None:
        """The deal being played: None before the first, between deals and at the end."""
        return self.deals[-1] if self.deals and not self.deals[-1].is_over else None

    @property
    def standing(self) -> Standing:
        """The standing for the deal being played, or for the next one."""
        if not self.deals:
            return Standing.at_start(self.rules, self.players)
        last = self.deals[-1]
        return last.standing.after(last.scores) if last.is_over else last.standing

    @property
    def totals(self) -> tuple[int, ...]:
        """What each seat has from all finished deals."""
        return self.standing.totals

    @property
    def is_over(self) -> bool:
        return self.standing.is_over

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The highest total wins; a tie is a shared win. Nobody has won before the end."""
        places = ranking(self.totals) if self.is_over else ()
        return tuple(seat for seat, place in enumerate(places) if place == 1)

    @property
    def next_dealer(self) -> Seat | None:
        """The deal passes to the left; None before the first deal, which anyone may deal."""
        return self.deals[-1].deal.first_leader if self.deals else None

    def begin(self, deal: Deal) -> "Match":
        """The match with its next deal begun."""
        check_kind(deal, Deal, "a Deal, such as Deal.shuffled(4, Random(7)),")
        if self.is_over:
            raise Refusal(NotationReason.MATCH_IS_OVER)
        if self.state is not None:
            raise Refusal(NotationReason.DEAL_UNFINISHED, deal=self.standing.deal)
        if deal.players != self.players:
            raise Refusal(NotationReason.MATCH_DIFFERS, field="players")
        if self.next_dealer not in (None, deal.dealer):
            raise Refusal(NotationReason.MATCH_DEALER, seat=deal.dealer, expected=self.next_dealer)
        return replace(self, deals=(*self.deals, DealState.start(deal, self.rules, self.standing)))

    def shuffle_and_begin(self, rng: Random) -> "Match":
        """The match with its next deal dealt at random."""
        return self.begin(Deal.shuffled(self.players, rng, self.next_dealer))

    def play(self, card: Card, seat: Seat | None = None) -> "Match":
        """The match after this card: see `DealState.play`."""
        if not self.deals:
            raise Refusal(NotationReason.NO_DEAL)
        return self._with_last(self.deals[-1].play(card, seat))

    def _with_last(self, state: DealState) -> "Match":
        """The match with its last deal as it is now: all else was checked when the match was made."""
        match, write = object.__new__(Match), object.__setattr__
        write(match, "players", self.players)
        write(match, "rules", self.rules)
        write(match, "deals", (*self.deals[:-1], state))
        return match

    def take_back(self, cards: int) -> "Match":
        """The match without the last so many cards of its last deal."""
        if not self.deals:
            raise Refusal(NotationReason.NO_DEAL)
        last = self.deals[-1]
        cards = whole_number("cards", cards, 0, len(last.plays))
        return replace(self, deals=(*self.deals[:-1], last.at(len(last.plays) - cards)))

    def record(self, **tags: Any) -> MatchRecord:
        """All deals so far. `tags`: names, match, date, shuffle."""
        return MatchRecord(tuple(DealRecord.of(state, **tags) for state in self.deals))

    @classmethod
    def replay(cls, record: MatchRecord) -> "Match":
        """The match of a record, ready to go on."""
        check_kind(record, MatchRecord, "a MatchRecord, such as davidgoliath.load('match.dgn')[0],")
        first = record.deals[0]
        match = cls(first.players, first.rules)
        standing = first.state.standing
        for deal_record in record.deals:
            state = deal_record.state._replace(standing=standing)
            match = replace(match, deals=(*match.deals, state))
            standing = match.standing
        return match


def play_out(match: Match, players: Sequence[Player], rng: Random) -> Iterator[Match]:
    """Runs a match to its end: yields it after every deal begun and every card played."""
    check_kind(match, Match, "a Match, such as Match(4),")
    check_kind(rng, Random, RANDOM)
    check_kind(players, Sequence, "a list of players")
    if len(players) != match.players:
        raise Refusal(NotationReason.ONE_PER_SEAT, field="players", count=len(players), players=match.players)
    for player in players:
        if isinstance(player, type) or not hasattr(player, "choose"):
            raise wrong_kind("a player with a method `choose`, such as make_bot('casual'),", player)
    return _played_out(match, players, rng)


def _played_out(match: Match, players: Sequence[Player], rng: Random) -> Iterator[Match]:
    while not match.is_over:
        state = match.state
        if state is None or state.to_play is None:
            match = match.shuffle_and_begin(rng)
        else:
            card = players[state.to_play].choose(state.view(state.to_play), rng)
            match = match.play(card, state.to_play)
        yield match


def ranking(totals: Sequence[int]) -> tuple[int, ...]:
    """Each seat's place, from 1; equal totals share one, and the next is left out.

    >>> ranking([30, 52, 30, 12])
    (2, 1, 2, 4)
    """
    check_tuple(tuple(totals) if isinstance(totals, Sequence) else totals, int, "whole numbers")
    return tuple(1 + sum(other > total for other in totals) for total in totals)
