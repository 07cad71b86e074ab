"""The cards of the examples in the rules, for those who draw them: in print, and in the page."""

from typing import Final

from davidgoliath.rules import CardSet

TRICKS: Final = (("G4 G9+ R2- G7", 12), ("G4 G12+ G7 R2 G2-", 15))
"""The first two examples with Goliath and David marked, and their decks' highest value."""
PILE: Final = CardSet.parse("R4,10,11 Y8 G5,9 B2,3,6,10,12 V10,12")
"""The third."""
