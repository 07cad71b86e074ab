"""What a bot says of a trick, now and then, by its temperament.

It follows from what everyone sees, a trick and the piles that it changed, and from a chance that anyone could work out:
of cards in hands it can tell nothing. Seldom: of few tricks, one bot each.
"""

import hashlib
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import Final, NamedTuple

from davidgoliath.match.effects import Took
from davidgoliath.rules import CardSet, Colour, Seat, TrickResult, deck
from davidgoliath.rules.scoring import points
from davidgoliath.server.table.table import Phase, Table

BIG: Final = 0.75
"""A prize of so much of the highest value is a big one."""
PAUSE: Final = 4
"""After a reaction bots say nothing of so many tricks."""


class Occasion(Enum):
    """What a bot may speak of."""

    OWN_FALL = auto()
    """A third card has brought down a pile of its own."""
    OWN_PRIZE = auto()
    """As David it has a big prize, which counts in full."""
    FALL = auto()
    """The same for a person: of each other bots say nothing."""
    PRIZE = auto()
    END = auto()
    """The match is over."""


class Reaction(NamedTuple):
    """A bot's word."""

    seat: Seat
    emote: str


OWN: Final = (Occasion.OWN_FALL, Occasion.OWN_PRIZE)
Temperament = Mapping[Occasion, tuple[str, int]]
"""What is said, and of how many occasions in a hundred."""
TEMPERAMENTS: Final[Mapping[str, Temperament]] = MappingProxyType(
    {
        "beginner": {  # all heart
            Occasion.OWN_FALL: ("oops", 50),
            Occasion.OWN_PRIZE: ("wow", 50),
            Occasion.FALL: ("wow", 12),
            Occasion.PRIZE: ("wow", 20),
            Occasion.END: ("thanks", 50),
        },
        "casual": {  # kind
            Occasion.OWN_FALL: ("oops", 30),
            Occasion.OWN_PRIZE: ("thanks", 30),
            Occasion.FALL: ("sorry", 15),
            Occasion.PRIZE: ("well_played", 20),
            Occasion.END: ("good_game", 60),
        },
        "regular": {  # quick
            Occasion.OWN_FALL: ("oops", 40),
            Occasion.OWN_PRIZE: ("wow", 20),
            Occasion.PRIZE: ("wow", 12),
            Occasion.END: ("good_game", 60),
        },
        "club": {  # correct
            Occasion.OWN_FALL: ("oops", 12),
            Occasion.PRIZE: ("well_played", 25),
            Occasion.END: ("good_game", 80),
        },
        "adept": {  # serene
            Occasion.OWN_FALL: ("wow", 8),
            Occasion.FALL: ("sorry", 10),
            Occasion.PRIZE: ("well_played", 15),
            Occasion.END: ("good_game", 60),
        },
        "expert": {  # dry
            Occasion.OWN_FALL: ("wow", 15),
            Occasion.PRIZE: ("well_played", 10),
            Occasion.END: ("good_game", 50),
        },
        "master": {Occasion.PRIZE: ("well_played", 5), Occasion.END: ("good_game", 40)},  # of few words
    }
)
"""By bot. Others say nothing."""


def reaction(name: str, before: Table, after: Table, took: Took) -> Reaction | None:
    """What a bot at the table of this name says of the trick that has just been taken."""
    bots = {seat: chair.bot for seat, chair in enumerate(after.chairs) if chair.bot and not chair.person}
    for occasion, seat in _occasions(before, after, took) if bots else ():
        for speaker, bot in bots.items():
            is_concerned = occasion not in OWN or speaker == seat
            emote, chance = TEMPERAMENTS.get(bot, {}).get(occasion, ("", 0))
            if is_concerned and _draw(name, after.seq, speaker) < chance:
                return Reaction(speaker, emote)
    return None


def number_of_trick(table: Table) -> int:
    """Of the last one that was taken in this match."""
    return sum(len(deal.results) for deal in table.match.deals)


def _occasions(before: Table, after: Table, took: Took) -> Iterator[tuple[Occasion, Seat | None]]:
    """What there is to speak of, the most touching first, and whom it happened to."""
    piles, result = before.match.deals[-1].piles, after.match.deals[-1].results[-1]
    if after.phase is Phase.OVER:
        yield Occasion.END, None
    for seat in (result.goliath, result.david):
        if any(cell.seat == seat and _fell(piles[seat], Colour(cell.colour), cell.worth) for cell in took.cells):
            yield (Occasion.FALL if after.chairs[seat].person else Occasion.OWN_FALL), seat
    if _is_big(result, before.players) and not any(
        cell.seat == result.david and cell.colour == result.prize.colour and cell.next == 1 for cell in took.cells
    ):
        yield (Occasion.PRIZE if after.chairs[result.david].person else Occasion.OWN_PRIZE), result.david


def _fell(pile: CardSet, colour: Colour, worth: int) -> bool:
    return worth < points(pile.of_colour(colour))


def _is_big(result: TrickResult, players: int) -> bool:
    return result.goliath != result.david and result.prize.value >= BIG * max(deck(players)).value


def _draw(name: str, seq: int, seat: Seat) -> int:
    """A number below 100, from what everyone knows."""
    digest = hashlib.sha256(f"{name} {seq} {seat}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % 100
