"""Bots that play by feel: the policy network says at once how much each card appeals, and nothing is searched.

They need neither Numba nor NumPy, and play the same cards without them, since appeals are whole numbers.
"""

from math import log
from random import Random
from typing import Any, Final

from davidgoliath.bots.turn import choices
from davidgoliath.kernel.compiled import IS_COMPILED
from davidgoliath.kernel.plain import chosen
from davidgoliath.kernel.shape import ONE, STEEP
from davidgoliath.rules import Card, CardSet, Seat, View

if IS_COMPILED:
    from davidgoliath.kernel.policy import appeals
else:
    from davidgoliath.kernel.plain import appeals

TEMPERATURE: Final = 1.45
"""Of whims: a card that appeals more by this is e times as likely."""
NUMBER: Final = 1024
WHIMS: Final = tuple(round(-log(-log((n + 0.5) / NUMBER)) * ONE * STEEP * TEMPERATURE) for n in range(NUMBER))
"""The appeal that a card has beyond its own, for no reason: any of these. So chance comes from whole numbers; they are
spread as Gumbel found, which makes a card's chance to be the greatest e to the power of its appeal."""


class AdeptBot:
    """Plays the card that appeals most."""

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        if len(legal := choices(view, rng)) == 1:
            return next(iter(legal))
        return chosen(appeals(view))


class RegularBot:
    """Errs as people do: between cards that appeal alike it wavers, and of others' piles it knows the latest alone."""

    MEMORY: Final = 3
    """How many tricks later it still knows what others captured."""

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        if len(legal := choices(view, rng)) == 1:
            return next(iter(legal))
        felt = appeals(self._remembered(view))
        return chosen({card: felt[card] + rng.choice(WHIMS) for card in legal})

    def _remembered(self, view: View) -> View:
        """The view without what others captured long ago: those cards may be anywhere."""
        recent = view.results[-self.MEMORY :]

        def known(seat: Seat) -> CardSet:
            if seat == view.seat:
                return view.piles[seat]
            return CardSet.of(card for result in recent for card in result.captured_by(seat))

        return view._replace(piles=tuple(known(seat) for seat in range(view.players)))
