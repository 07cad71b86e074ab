"""Text and JSON for deals and matches: records, how they are written, and how they are read."""

from davidgoliath.notation.dgn import write_dgn
from davidgoliath.notation.jsonform import from_json, results, to_json
from davidgoliath.notation.pad import ScorePad, Tally, pad_results, pad_to_json
from davidgoliath.notation.reading import Entry, decoded, load, matches, read_stream, read_text
from davidgoliath.notation.record import DealRecord, MatchRecord

__all__ = [
    "DealRecord",
    "Entry",
    "MatchRecord",
    "ScorePad",
    "Tally",
    "decoded",
    "from_json",
    "load",
    "matches",
    "pad_results",
    "pad_to_json",
    "read_stream",
    "read_text",
    "results",
    "to_json",
    "write_dgn",
]
