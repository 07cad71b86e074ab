"""A trick that plays itself, for whoever is invited and has never heard of the game: one for each number of players.

Somebody leads, the strongest card of the deck falls, and the learner has the weakest: all of it played by the rules.
"""

from typing import Final

import msgspec

from davidgoliath.rules import CardSet, Colour, Deal, DealState, deck
from davidgoliath.rules.cards import FEWEST_PLAYERS, MOST_PLAYERS, Card
from davidgoliath.tutorial.lessons import YOU, Fall, falls

COLOUR: Final = Colour.GREEN
LED: Final = 5
BETWEEN: Final = (7, 3, 9)
"""What those play who come after the strongest card, and before the weakest."""


class Demonstration(msgspec.Struct, frozen=True):
    """A whole trick, card by card."""

    players: int
    falls: list[Fall]


def demonstrations() -> list[Demonstration]:
    return [_demonstration(players) for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)]


def as_json() -> str:
    """As the page reads them."""
    return msgspec.json.encode(demonstrations()).decode()


def _demonstration(players: int) -> Demonstration:
    whole = deck(players)
    highest = max(whole).value
    trick = [Card(COLOUR, value) for value in (LED, highest, *BETWEEN[: players - FEWEST_PLAYERS], 1)]
    rest = [card for card in whole if card not in trick]
    dealt = [CardSet.of([card, *rest[place::players]]) for place, card in enumerate(trick)]
    # who leads is on the learner's left, so that the learner, who deals, comes last
    hands = tuple(dealt[(seat - 1) % players] for seat in range(players))
    return Demonstration(players, falls(DealState.start(Deal(YOU, hands)).play_all(trick), players))
