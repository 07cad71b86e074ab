"""What the page has of the program is written by `./dg docs`, and stands nowhere else in it."""

import re
from pathlib import Path

from tools.facts import facts

from davidgoliath.bots import bots
from davidgoliath.server.protocol.messages import EMOTES
from davidgoliath.terminal.company import STONES
from davidgoliath.texts import LANGUAGES, catalogue

WEB = Path(__file__).parent.parent / "src/davidgoliath/web"
FACTS = WEB / "js/base/facts.js"
SCRIPTS = {file.name: file.read_text(encoding="utf-8") for file in WEB.rglob("*.js")}


def test_the_page_has_what_the_program_has() -> None:
    assert FACTS.read_text(encoding="utf-8") == facts(), "run ./dg docs"


def test_no_bot_emote_or_stone_is_named_anywhere_else_in_the_page() -> None:
    words = (*bots(), *STONES, *(emote for emote in EMOTES if "_" in emote))  # others are words of the page too
    named = re.compile(rf"[\"'`](bot:)?({'|'.join(words)})[\"'`]|[\"'`]bot:")
    assert [name for name, script in SCRIPTS.items() if named.search(script)] == [FACTS.name]


def test_an_emote_is_its_word_in_every_language() -> None:
    for language in LANGUAGES:
        worded = [key.removeprefix("page.emote.") for key in catalogue(language) if key.startswith("page.emote.")]
        assert sorted(worded) == sorted(EMOTES), language
