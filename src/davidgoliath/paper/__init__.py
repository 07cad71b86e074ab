"""What is printed: the deck, the rules and a score sheet, as PDF in the colours and fonts of the game."""

from davidgoliath.paper.deck import DeckPlan, print_deck
from davidgoliath.paper.rulebook import print_rules
from davidgoliath.paper.scoresheet import print_scoresheet
from davidgoliath.paper.sheet import Sheet

__all__ = ["DeckPlan", "Sheet", "print_deck", "print_rules", "print_scoresheet"]
