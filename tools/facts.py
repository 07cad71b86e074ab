"""What the page knows before any server says something, `facts.js`: written from the program, so that it stands once.

What differs from server to server (its bots, its pace, its times) the page asks for: `GET /api/server`.
"""

import json
from typing import Any, Final

import msgspec

from davidgoliath.art import Form, Rim
from davidgoliath.bots import APART, BOT, LADDER
from davidgoliath.notation.record import LONGEST_TEXT
from davidgoliath.rules import CardSet, Colour
from davidgoliath.rules.cards import FEWEST_PLAYERS, MOST_PLAYERS
from davidgoliath.rules.ruleset import HIGHEST_TARGET, MOST_DEALS, OPTIONS, PRESETS
from davidgoliath.rules.scoring import score
from davidgoliath.server.config import Offer, Timing
from davidgoliath.server.people.names import LONGEST
from davidgoliath.server.people.tokens import CODE_LENGTH
from davidgoliath.server.protocol import http_types
from davidgoliath.server.protocol.messages import EMOTES, PROTOCOL
from davidgoliath.terminal.company import STONES
from davidgoliath.texts import LANGUAGES
from davidgoliath.texts.examples import PILE, TRICKS
from davidgoliath.tutorial.lessons import Pile

HEAD: Final = "// Made from the program by `./dg docs`: what the page knows before any server says something.\n"
OFFER: Final = http_types.ServerShown.of(LADDER, Offer(), Timing())
STONES_HELD: Final = {1: "one", 2: "two", 3: "three"}


def _pile(cards: CardSet) -> Any:
    return msgspec.to_builtins(Pile.of(cards))


FACTS: Final[tuple[tuple[str, str, Any], ...]] = (
    ("PROTOCOL", "The version of what is said.", PROTOCOL),
    ("LANGUAGES", "Those that there are texts in.", LANGUAGES),
    ("EMOTES", '@type {import("./protocol").Say["emote"][]}', EMOTES),
    ("PLAYERS", "How many may play.", range(FEWEST_PLAYERS, MOST_PLAYERS + 1)),
    ("BOT", "Before a bot's name, where a person's id could stand.", BOT),
    ("APART", "Bots for studies, not for company.", APART),
    (
        "OFFER",
        "What a server says of itself that was started without options.",
        {name: value for name, value in msgspec.to_builtins(OFFER).items() if name not in ("version", "ready")},
    ),
    ("STONES", "What the bot at each seat is called.", STONES),
    ("FORMS", '@type {import("./protocol").Form[]} Of people\'s own stones.', list(Form)),
    ("RIMS", '@type {import("./protocol").Rim[]}', list(Rim)),
    ("LONGEST_NAME", "Characters of a person's name.", LONGEST),
    ("LONGEST_TEXT", "Characters of a name in a record, or on a pad.", LONGEST_TEXT),
    ("CODE_LENGTH", "Letters of the code by which a waiting table is found.", CODE_LENGTH),
    ("MOST_DEALS", "Of a match.", MOST_DEALS),
    ("HIGHEST_TARGET", "A total that ends a match can't be higher.", HIGHEST_TARGET),
    (
        "OPTIONS",
        "What rule options may be that are words.",
        {name: words for name, (words, numbers) in OPTIONS.items() if not numbers},
    ),
    (
        "PRESETS",
        "Combinations of rule options; the first is what is meant without one.",
        {name: {option: getattr(rules, option) for option in OPTIONS} for name, rules in PRESETS.items()},
    ),
    ("TRICKS", "Those of the examples in the rules, with Goliath and David marked.", [trick for trick, _ in TRICKS]),
    ("TRICKS_HIGHEST", "The highest value in the deck of the first one.", TRICKS[0][1]),
    ("PILE", "The pile of the examples, by colour.", {colour: _pile(PILE.of_colour(colour)) for colour in Colour}),
    ("PILE_SCORE", "What it is worth.", score(PILE)),
    ("CAIRNS", "As it grows.", {name: _pile(CardSet.of(list(PILE)[:count])) for count, name in STONES_HELD.items()}),
)


def facts() -> str:
    """The whole module."""
    return "\n".join(
        [HEAD, *(f"/** {sentence} */\nexport const {name} = {_js(value)};" for name, sentence, value in FACTS), ""]
    )


def _js(value: Any) -> str:
    """A value as JavaScript: an object of objects has one on each line."""
    if isinstance(value, dict):
        return "{\n" + "".join(f"  {name}: {_inner(row)},\n" for name, row in value.items()) + "}"
    return json.dumps(list(value) if isinstance(value, range) else value)


def _inner(row: Any) -> str:
    if not isinstance(row, dict):
        return json.dumps(row)
    return "{ " + ", ".join(f"{name}: {json.dumps(value)}" for name, value in row.items()) + " }"
