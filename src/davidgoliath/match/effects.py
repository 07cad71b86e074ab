"""What a card did, or would do, in numbers for those who hold no rules: the page, and whoever writes a client.

Whose turn it is, who is Goliath and who David so far; when a trick is complete, who takes what, and what the piles that
grew are worth; and what would become of a trick with each card that may be played.
"""

from collections.abc import Sequence

import msgspec

from davidgoliath.rules import Card, CardSet, Colour, DealState, Seat, Trick, TrickResult, View, settle
from davidgoliath.rules.scoring import mask_points, next_card
from davidgoliath.rules.trick import Tie, tie


class Cell(msgspec.Struct, frozen=True, array_like=True):
    """The cards of one colour in a seat's pile."""

    seat: Seat
    colour: int
    """0 to 4: red, yellow, green, blue, violet."""
    worth: int
    next: int | None
    """What one more card of this colour would change; null: it would count its own value."""


class Took(msgspec.Struct, frozen=True, array_like=True):
    """A complete trick: who takes what."""

    to_goliath: str
    to_david: str
    """Sets of cards, such as `R1,9 Y5`."""
    cells: tuple[Cell, ...]
    """The piles that grew, as they are now."""
    tie: Tie | None


class Now(msgspec.Struct, frozen=True, array_like=True):
    """Whose turn it is after a card, and who is who."""

    to_play: Seat | None
    """Null when the deal is over."""
    goliath: Seat | None = None
    david: Seat | None = None
    """From a trick's second card on; with its last card, those who take it."""


def played(state: DealState) -> tuple[Now, Took | None]:
    """What the last card of a deal did."""
    if state.table:
        if len(state.table) == 1:
            return Now(state.to_play), None
        result = settle(state.trick, state.rules)
        return Now(state.to_play, result.goliath, result.david), None
    result = state.results[-1]
    took = Took(
        _notation(result.spoils),
        _notation(_to_david(result)),
        _cells(result, state.pile_masks),
        tie(state.tricks[-1].cards),
    )
    return Now(state.to_play, result.goliath, result.david), took


class Preview(msgspec.Struct, frozen=True, array_like=True):
    """What would become of the trick if it ended with a card."""

    goliath: Seat
    david: Seat
    to_david: str
    """What David would take; Goliath the rest."""
    worths: Sequence[tuple[Seat, int, int]]
    """The piles that would grow: seat, colour, and what that colour would be worth."""


def previews(view: View) -> list[Preview]:
    """A preview for each legal card, in order; none for the first card of a trick, which captures nothing."""
    (players, leader, cards), rules = view.trick, view.rules
    if not cards:
        return []
    piles = [pile.mask for pile in view.piles]
    return [_preview(settle(Trick._make((players, leader, (*cards, card))), rules), piles) for card in view.legal_cards]


def _preview(result: TrickResult, piles: Sequence[int]) -> Preview:
    worths = [
        (seat, colour, mask_points(cards))
        for seat, taken in _captured(result)
        for colour, cards in _grown(piles[seat], taken)
    ]
    return Preview(result.goliath, result.david, _notation(_to_david(result)), worths)


def _grown(pile: int, taken: tuple[Card, ...]) -> list[tuple[Colour, int]]:
    """Of a pile with these cards, all cards of their colours, as masks. (A mask is found sooner than a colour.)"""
    if len(taken) == 1:
        (card,) = taken
        return [(card.colour, (pile | card.bit) & card.colour_mask)]
    colours = {}
    for card in taken:
        pile |= card.bit
        colours[card.colour_mask] = card.colour
    return [(colour, pile & whole) for whole, colour in sorted(colours.items())]


def _notation(cards: tuple[Card, ...]) -> str:
    """A set of cards as it is written; mostly it is one card."""
    return cards[0].name if len(cards) == 1 else str(CardSet.of(cards))


def _captured(result: TrickResult) -> list[tuple[Seat, tuple[Card, ...]]]:
    """Who takes which cards: if Goliath is David too, one player takes all."""
    if result.goliath == result.david:
        return [(result.goliath, (*result.spoils, result.prize))]
    return [(result.goliath, result.spoils), (result.david, _to_david(result))]


def _to_david(result: TrickResult) -> tuple[Card, ...]:
    return (result.prize,) if result.kept is None else (result.prize, result.kept)


def _cells(result: TrickResult, piles: Sequence[int]) -> tuple[Cell, ...]:
    return tuple(
        [
            Cell(seat, colour, mask_points(cards), next_card(CardSet(cards)))
            for seat, taken in _captured(result)
            for colour, cards in _grown(piles[seat], taken)
        ]
    )
