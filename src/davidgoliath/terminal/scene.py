"""What a table shows at a moment: one seat's view, the card that is picked, and what follows from both."""

from functools import cached_property

from davidgoliath.rules import Card, CardSet, Colour, Seat, Trick, TrickResult, View, score_by_colour, settle


class Scene:
    """A moment at the table. `held`: the last trick still lies there."""

    def __init__(
        self,
        view: View,
        names: tuple[str, ...],
        bots: tuple[str, ...] = (),
        *,
        held: bool = False,
        pick: Card | None = None,
    ) -> None:
        """`bots`: which one sits where, and nothing where a person does."""
        self.view, self.names, self.held, self.pick = view, names, held, pick
        self.bots = bots or ("",) * view.players

    @property
    def can_play(self) -> bool:
        return not self.held and self.view.seat is not None and self.view.to_play == self.view.seat

    @property
    def turn(self) -> Seat | None:
        """Whose turn is shown."""
        return None if self.held else self.view.to_play

    @property
    def preview(self) -> Card | None:
        """The card that is tried out: picked, and legal now."""
        return self.pick if self.pick and self.can_play and self.pick in self.view.legal_cards else None

    @property
    def order(self) -> list[Seat]:
        """Who is shown in which order: clockwise from my left, I come last."""
        first = 0 if self.view.seat is None else self.view.seat + 1
        return [(first + place) % self.view.players for place in range(self.view.players)]

    @property
    def trick(self) -> Trick:
        """The trick on the table."""
        return self.view.tricks[-1] if self.held else self.view.trick

    @cached_property
    def result(self) -> TrickResult | None:
        """What became of the trick, or would if it ended now, with the card that is tried out; None for a lone card."""
        if self.held:
            return self.view.results[-1]
        trick = self.view.trick.with_card(self.preview) if self.preview else self.view.trick
        return settle(trick, self.view.rules) if len(trick.cards) > 1 else None

    @cached_property
    def swings(self) -> dict[tuple[Seat, Colour], int]:
        """What each pile that grows gains or loses, by the trick that is held or the card that is tried out."""
        if not self.result or not (self.held or self.preview):
            return {}
        return swings(self.result, self.view.piles, taken=self.held)

    def total(self, seat: Seat) -> int:
        """What a seat has in the match, this deal included."""
        return self.view.standing.totals[seat] + self.view.scores[seat]


def swings(result: TrickResult, piles: tuple[CardSet, ...], *, taken: bool) -> dict[tuple[Seat, Colour], int]:
    """What a trick changes, by seat and colour. `taken`: the piles have its cards already."""
    changes = {}
    for seat in {result.goliath, result.david}:
        cards = result.captured_by(seat)
        before = piles[seat] - cards if taken else piles[seat]
        points = zip(Colour, score_by_colour(before), score_by_colour(before | cards), strict=True)
        changes.update({(seat, colour): new - old for colour, old, new in points if cards.of_colour(colour)})
    return changes


def gain(changes: dict[tuple[Seat, Colour], int], seat: Seat) -> int:
    """What a seat gains or loses in all."""
    return sum(change for (who, _), change in changes.items() if who == seat)


def gains(view: View) -> list[dict[tuple[Seat, Colour], int]]:
    """What each finished trick of a deal changed."""
    piles = (CardSet(),) * view.players
    told = []
    for result in view.results:
        told.append(swings(result, piles, taken=False))
        piles = tuple(map(CardSet, result.add_to([pile.mask for pile in piles])))
    return told
