"""All values from pebble to boulder in a row, and which of them so many players use."""

from itertools import cycle
from typing import Final

from davidgoliath.art import DAY, placed
from davidgoliath.art.stone import form
from davidgoliath.paper.drawing import Box
from davidgoliath.paper.setting import Piece, put
from davidgoliath.paper.sheet import INK, SOFT, Sheet
from davidgoliath.rules import Colour
from davidgoliath.rules.cards import FEWEST_PLAYERS, HIGHEST_VALUE, MOST_PLAYERS
from davidgoliath.texts import Texts

GAP: Final = 1.4
STEP: Final = 4.4
SIZE: Final = 8.0


def stones(sheet: Sheet, box: Box, texts: Texts) -> None:
    forms = {value: form(value, HIGHEST_VALUE) for value in range(1, HIGHEST_VALUE + 1)}
    scale = (box.width - GAP * (HIGHEST_VALUE - 1)) / sum(2 * at.rx for at in forms.values())
    floor = box.y + box.height - STEP * (MOST_PLAYERS - FEWEST_PLAYERS + 1) - 2
    x = box.x
    ends = {}
    for (value, at), colour in zip(forms.items(), cycle(Colour), strict=False):
        middle = complex(x + at.rx * scale, floor - at.ry * scale)
        corner = middle - at.centre * scale
        sheet.draw(placed(at, DAY[colour], at.centre, 1), corner.real, corner.imag, scale)
        x += 2 * at.rx * scale
        ends[value] = x
        x += GAP
    for place, players in enumerate(range(FEWEST_PLAYERS, MOST_PLAYERS + 1)):
        end, y = ends[3 * players], floor + 3.2 + STEP * place
        told = f"{texts('count.players', count=players)}: 1–{3 * players}"
        wide = sheet.measure(told, "bold") * SIZE
        put(sheet, [Piece(told, "bold")], end - wide, y + 1, SIZE, INK)
        sheet.rule(box.x, y, end - wide - 2, y, SOFT, 0.25)
        sheet.rule(box.x, y - 1, box.x, y + 1, SOFT, 0.25)
