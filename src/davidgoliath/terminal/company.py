"""Who sits at a table, as people say it: bots have the page's names, and files keep `bot:casual`."""

from collections.abc import Sequence
from typing import Final

from davidgoliath.bots import BOT
from davidgoliath.rules import Seat
from davidgoliath.texts import Texts

STONES: Final = ("Flint", "Onyx", "Agate", "Slate", "Opal", "Jade")
"""What bots are called, by their seat, as in the page."""


def called(names: Sequence[str], texts: Texts, me: Seat | None = None) -> tuple[str, ...]:
    """Who sits where."""
    return tuple(
        texts("page.you") if seat == me else STONES[seat] if name.startswith(BOT) else name
        for seat, name in enumerate(names)
    )


def introduced(names: Sequence[str], texts: Texts) -> tuple[str, ...]:
    """Who sits where, bots with their level.

    >>> introduced(["Ann", "bot:casual", "bot:mybot"], Texts("en"))
    ('Ann', 'Onyx, a Pebble', 'Agate (mybot)')
    """
    return tuple(introduction(name, bot, texts) for name, bot in zip(called(names, texts), bots_at(names), strict=True))


def introduction(name: str, bot: str, texts: Texts) -> str:
    """Somebody by name; a bot by its level too."""
    level = f"page.bot_a.{bot}"
    if level in texts.catalogue:
        return texts("page.bot_is", name=name, level=texts(level))
    return f"{name} ({bot})" if bot else name


def bots_at(names: Sequence[str]) -> tuple[str, ...]:
    """Which bot sits where; nothing where a person does."""
    return tuple(name.removeprefix(BOT) if name.startswith(BOT) else "" for name in names)


def bot_name(texts: Texts, bot: str) -> str:
    """What the page calls a bot; those of other packages have their own names."""
    return texts(f"page.bot.{bot}") if f"page.bot.{bot}" in texts.catalogue else bot


def bot_character(texts: Texts, bot: str) -> str:
    """Its temperament in a sentence, if we know it."""
    return texts(f"bot.{bot}") if f"bot.{bot}" in texts.catalogue else ""


def both_names(texts: Texts, bot: str) -> str:
    """What one types for a bot, and what the page calls it.

    >>> both_names(Texts("en"), "casual"), both_names(Texts("en"), "mybot")
    ('casual (Pebble)', 'mybot')
    """
    name = bot_name(texts, bot)
    return bot if name == bot else f"{bot} ({name})"
