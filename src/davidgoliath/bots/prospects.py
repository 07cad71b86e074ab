"""What a pile may expect: the points that its cards of a colour will be worth in the end.

That depends on what the pile has of the colour (nothing, one card, two, or more) and on how many cards of it are still
to be captured: early on, two high cards are worth little, since a third one will come. The numbers are learnt by play
(`./dg tune`): for each count of cards that are out, a straight line by the value of one card and by the sum of two.
"""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from davidgoliath.kernel.arrays import ints
from davidgoliath.kernel.compiled import compiled
from davidgoliath.kernel.features import form
from davidgoliath.kernel.layout import VALUES, Ints

POINT: Final = 64
"""Prospects are whole numbers: so many make a point."""
FORMS: Final = 128
TWO: Final = VALUES
MANY: Final = 3 * VALUES


@lru_cache
def learnt(players: int) -> Any:
    """What was learnt from games of so many players: `prospects` and the `weights` of `club`."""
    return json.loads(files(__package__).joinpath("learnt.json").read_text(encoding="utf-8"))[str(players)]


@lru_cache
def prospects_for(players: int) -> Ints:
    """`table[out * FORMS + form]`, from the lines."""
    table = [0.0] * ((VALUES + 1) * FORMS)
    for out, (none, slope, start, slope_of_two, start_of_two, more) in enumerate(learnt(players)["prospects"]):
        row = out * FORMS
        table[row] = none
        for one in range(1, VALUES + 1):
            table[row + one] = start + slope * one
        for two in range(3, 2 * VALUES):
            table[row + TWO + two] = start_of_two + slope_of_two * two
        for many in range(3, VALUES + 1):
            table[row + MANY + many] = many + more
    return ints(round(points * POINT) for points in table)


@compiled("int64(int64[::1], int64, int64, int64)")
def gain(prospects: Ints, mask: int, out: int, bit: int) -> int:
    """What one card more would bring, with so many of its colour out."""
    row = out * FORMS
    return int(prospects[row + form(mask | bit, VALUES)] - prospects[row + form(mask, VALUES)])
