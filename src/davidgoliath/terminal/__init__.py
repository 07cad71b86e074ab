"""The game in a terminal: deals as plain text, and a match against bots in plain lines."""

from davidgoliath.terminal.plain import PlainGame
from davidgoliath.terminal.saved import SavedMatch, newest_unfinished
from davidgoliath.terminal.sheet import columns, deal_sheet, score_sheet

__all__ = ["PlainGame", "SavedMatch", "columns", "deal_sheet", "newest_unfinished", "score_sheet"]
