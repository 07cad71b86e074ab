"""The game in a terminal: an app, the same game in plain lines, deals as plain text, saved matches.

The app is in `terminal.app` and not named here, because Textual takes a while to load.
"""

from davidgoliath.terminal.choices import PACES, Choices
from davidgoliath.terminal.kept import Damaged, Kept, KeptFile, choose
from davidgoliath.terminal.lines import columns, fit, terminal_width, wrapped
from davidgoliath.terminal.plain import PlainGame, replay_transcript
from davidgoliath.terminal.saved import SavedMatch, Unfinished, unfinished_matches
from davidgoliath.terminal.solo import Solo
from davidgoliath.terminal.transcript import deal_transcript, score_transcript

__all__ = [
    "PACES",
    "Choices",
    "Damaged",
    "Kept",
    "KeptFile",
    "PlainGame",
    "SavedMatch",
    "Solo",
    "Unfinished",
    "choose",
    "columns",
    "deal_transcript",
    "fit",
    "replay_transcript",
    "score_transcript",
    "terminal_width",
    "unfinished_matches",
    "wrapped",
]
