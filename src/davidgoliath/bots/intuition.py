"""`adept`: plays by feel. The policy network says at once how much each card appeals, and nothing is searched.

It needs neither Numba nor NumPy, and plays the same cards without them, since appeals are whole numbers.
"""

from random import Random
from typing import Any

from davidgoliath.bots.turn import choices
from davidgoliath.kernel.compiled import IS_COMPILED
from davidgoliath.kernel.plain import chosen
from davidgoliath.rules import Card, View

if IS_COMPILED:
    from davidgoliath.kernel.policy import appeals
else:
    from davidgoliath.kernel.plain import appeals


class AdeptBot:
    """Plays the card that appeals most."""

    def choose(self, view: View, rng: Random, budget: Any = None) -> Card:
        if len(legal := choices(view, rng)) == 1:
            return next(iter(legal))
        return chosen(appeals(view))
