"""Who may have what said of a deal that is over, and what of it counts among somebody's figures.

Who a hand belongs to is a fact of the events: whoever it was dealt to. Nobody is told what was right while others still
play: alone against bots a deal that is over may be looked at, among several people a match that is over.
"""

from collections.abc import Collection
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

from davidgoliath.bots import bots
from davidgoliath.notation import DealRecord
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import DealState, Reason, Refusal, View
from davidgoliath.server.table.events import Person, Seat
from davidgoliath.server.table.table import Chair, Denial, Phase, Table

POSITIONS: Final = 1000
"""Of so many deals it is remembered: a list of reviews needs one for each hand, as often as somebody asks."""
PEOPLE: Final = "people"
"""The company of somebody who didn't play against bots alone."""


class Hand(NamedTuple):
    """What a seat had in a deal that is over."""

    deal: int
    """From 1."""
    seat: Seat
    state: DealState
    """The whole deal."""
    chair: Chair
    """Who it was dealt to."""

    @property
    def position(self) -> bytes:
        """What was dealt and played: another after cards were taken back."""
        return _position(self.state)


@lru_cache(POSITIONS)
def _position(state: DealState) -> bytes:
    return sha256(str(DealRecord.of(state)).encode()).digest()


def hands(table: Table) -> list[Hand]:
    """Of all deals that are over, as far as it is sure who had them: one that was broken off comes after them."""
    if table.aborted and (len(table.aborted) > 1 or not table.is_broken_off):
        return []
    return [
        Hand(number, seat, state, chair)
        for number, (state, chairs) in enumerate(zip(table.match.deals, table.dealt_to, strict=False), 1)
        if state.is_over
        for seat, chair in enumerate(chairs)
    ]


def seen_by(table: Table, person: Person | None, shared: Collection[Person] = ()) -> list[Hand]:
    """The hands of which somebody may be told what was right: their own, bots' where they played, and what others
    share."""
    if not table.is_solo and table.phase is not Phase.OVER:
        return []
    return [hand for hand in hands(table) if _may_see(table, person, hand, shared)]


def _may_see(table: Table, person: Person | None, hand: Hand, shared: Collection[Person]) -> bool:
    owner = hand.chair.person
    return (owner == person or owner in shared) if owner else person in table.had_cards


def hand_for(table: Table, person: Person | None, deal: int, seat: Seat, shared: Collection[Person] = ()) -> Hand:
    """One of them, or why not."""
    if not 0 <= seat < table.players:
        raise Refusal(Reason.NO_SUCH_SEAT, field="seat", seat=seat, players=table.players)
    found = next((hand for hand in hands(table) if (hand.deal, hand.seat) == (deal, seat)), None)
    if found is None:
        raise Refusal(Denial.DEAL_NOT_OVER, deal=deal)
    if not _may_see(table, person, found, shared):
        raise Refusal(Denial.NOT_YOUR_HAND)
    if not table.is_solo and table.phase is not Phase.OVER:
        raise Refusal(Denial.MATCH_NOT_OVER)
    return found


def view_at(hand: Hand, place: int) -> View:
    """What its seat saw when so many cards had been played."""
    last = len(hand.state.plays) - 1
    if not 0 <= place <= last:
        raise Refusal(NotationReason.NUMBER_RANGE, field="place", number=place, low=0, high=last)
    return hand.state.at(place).view(hand.seat)


def counts(table: Table, hand: Hand) -> bool:
    """Whether it shows how its person plays: without a hint, and no card was taken back or chosen by a bot."""
    dealt = hand.deal - 1
    had_hint = any((hint.dealt, hint.seat) == (dealt, hand.seat) for hint in table.hints)
    return not (had_hint or dealt in table.undone or (dealt, hand.seat) in table.helped)


def company(table: Table, hand: Hand) -> str:
    """Against whom somebody played: the bot in the middle of them, by strength, or people."""
    others = [chair for seat, chair in enumerate(table.dealt_to[hand.deal - 1]) if seat != hand.seat]
    names = [chair.bot for chair in others if chair.bot and not chair.person]
    if len(names) < len(others):
        return PEOPLE
    order = [*bots()]
    known = [order.index(name) for name in names if name in order]
    return order[sorted(known)[(len(known) - 1) // 2]] if known else PEOPLE
