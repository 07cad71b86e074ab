"""All cards on one sheet, to look at: `python -m davidgoliath.art FILE.svg [night]`."""

import sys
from pathlib import Path

from davidgoliath.art.back import back
from davidgoliath.art.card import card
from davidgoliath.art.palette import DAY, GREY_DAY, GREY_NIGHT, NIGHT
from davidgoliath.art.pen import element
from davidgoliath.files import write_whole
from davidgoliath.rules import Refusal
from davidgoliath.rules.cards import CARDS, HIGHEST_VALUE


def sheet(night: bool = False) -> str:
    suits, grey = (NIGHT, GREY_NIGHT) if night else (DAY, GREY_DAY)
    drawn = [card(which, HIGHEST_VALUE, suits[which.colour]) for which in CARDS] + [back(grey)]
    cards = (
        element("svg", inside, x=110 * (place % HIGHEST_VALUE), y=150 * (place // HIGHEST_VALUE), width=100, height=140)
        for place, inside in enumerate(drawn)
    )
    return element("svg", *cards, xmlns="http://www.w3.org/2000/svg", viewBox=f"-10 -10 {110 * HIGHEST_VALUE + 10} 910")


if __name__ == "__main__":
    file, theme = (*sys.argv[1:], "day")[:2] if 2 <= len(sys.argv) <= 3 else ("", "")
    if theme not in ("day", "night"):
        sys.exit(__doc__)
    try:
        write_whole(Path(file), sheet(theme == "night").encode(), replace=False)
    except (OSError, Refusal) as error:
        sys.exit(str(error))
