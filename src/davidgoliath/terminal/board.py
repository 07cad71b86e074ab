"""The table in the terminal: everyone's piles, the trick, the narrator, the hand. Each shows a scene."""

from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive

from davidgoliath.rules import Card, CardSet, Colour, Seat
from davidgoliath.rules.cards import HAND_SIZE
from davidgoliath.rules.scoring import FEW, points
from davidgoliath.terminal.company import bot_name
from davidgoliath.terminal.cramped import is_cramped
from davidgoliath.terminal.lines import fit
from davidgoliath.terminal.narrator import Line, card_of, says, story
from davidgoliath.terminal.paint import beside, centred, rows
from davidgoliath.terminal.scene import Scene
from davidgoliath.terminal.scene_widget import SceneWidget

LONGEST_NAME = 14


class Ledger(SceneWidget):
    """All piles as a table: what lies there, what it is worth, and what would change."""

    def draw(self, scene: Scene, width: int) -> Content:
        named = min(LONGEST_NAME, width // 5, max(map(len, (*scene.names, *self._levels(scene)))))
        score, total = self.texts("page.points_short"), self.texts("page.match")
        sums = [max(4, len(score) + 1), max(5, len(total) + 1)]
        cell = (width - named - 3 - sum(sums)) // 5
        led = scene.trick.led
        heads = [self.paint.letter(colour, cell, led=colour == led) for colour in Colour]
        ends = [self.paint.still(text.rjust(room)) for text, room in zip((score, total), sums, strict=True)]
        lines = [Content.assemble(" " * (named + 3), *heads, *ends)]
        for seat in scene.order:
            lines += self._row(scene, seat, named, cell, sums)
        return rows(lines)

    @property
    def row_height(self) -> int:
        scene = self.scene
        return max(1, (self.size.height - 1) // scene.view.players) if scene else 1

    def _levels(self, scene: Scene) -> list[str]:
        """What stands below the names, as in the page, where there is room for it."""
        return [bot_name(self.texts, bot) if self.row_height > 1 else "" for bot in scene.bots]

    def _row(self, scene: Scene, seat: Seat, named: int, cell: int, sums: list[int]) -> list[Content]:
        height, view = self.row_height, scene.view
        mark = "▶" if scene.turn == seat else " "
        style = "bold" if seat in (view.seat, scene.turn) else ""
        name = Content.styled(f"{mark} {fit(scene.names[seat], named).ljust(named)} ", style)
        score, total = str(view.scores[seat]).rjust(sums[0]), str(scene.total(seat)).rjust(sums[1])
        below = [self.paint.still(f"  {fit(self._levels(scene)[seat], named).ljust(named)} ")]
        first = [name, *below, *[Content(" " * (named + 3))] * (height - 2)][:height]
        last = [Content.assemble((score, "bold"), total), *[Content(" " * sum(sums))] * (height - 1)]
        return beside([first, *(self._cell(scene, seat, colour, cell) for colour in Colour), last])

    def _cell(self, scene: Scene, seat: Seat, colour: Colour, width: int) -> list[Content]:
        cards = scene.view.piles[seat].of_colour(colour)
        change = scene.swings.get((seat, colour))
        style = self.paint.pile(cards, colour)
        room = width - 1
        swing, height = _swing(change), self.row_height
        if height == 1:
            texts = [_both(_short(cards), swing or _worth(cards), room)]
        else:
            texts = _values(cards, room, height - 1)
            if len(cards) > 1 or swing:
                texts.append(_both(_worth(cards), swing, room))
        lines = [Content.styled(text, style) for text in texts]
        if swing:
            lines[-1] = lines[-1].stylize("bold underline", room - len(swing), room)
        lines += [Content(" " * room)] * (height - len(lines))
        return [line.pad_right(1) for line in lines]


def _short(cards: CardSet) -> str:
    if len(cards) > FEW:
        return f"{len(cards)}×1"
    return "+".join(str(card.value) for card in cards) or "·"


def _worth(cards: CardSet) -> str:
    return f"={points(cards)}" if len(cards) > 1 else ""


def _swing(change: int | None) -> str:
    if change is None:
        return ""
    return f"▲{change}" if change > 0 else f"▼{-change}" if change else "±0"


def _both(left: str, right: str, width: int) -> str:
    """What changes is more worth knowing where there is no room for both."""
    return (
        left + right.rjust(width - len(left)) if len(left + right) <= width else fit(right or left, width).rjust(width)
    )


def _values(cards: CardSet, width: int, height: int) -> list[str]:
    """The values in so many lines at the most; what has no room is counted."""
    lines, values = [""], [str(card.value) for card in cards] or ["·"]
    for place, value in enumerate(values):
        more = f" +{len(values) - place}"
        last = len(lines) == height
        room = width - (len(more) if last and place < len(values) - 1 else 0)
        if len(lines[-1]) + len(value) + 1 > room:
            if last:
                lines[-1] += more
                break
            lines.append("")
        lines[-1] += f" {value}" if lines[-1] else value
    return [line.ljust(width) for line in lines]


class TrickRow(SceneWidget):
    """A place for each player in the order of play, with David and Goliath as they are so far."""

    CARD = 6

    def draw(self, scene: Scene, width: int) -> Content:
        slot = min(16, width // scene.view.players)
        slots = [self._slot(scene, scene.trick.seat_of(place), slot) for place in range(scene.view.players)]
        return rows(centred(line, width) for line in beside(slots))

    def _slot(self, scene: Scene, seat: Seat, width: int) -> list[Content]:
        trick, me = scene.trick, scene.view.seat
        played = (seat - trick.leader) % trick.players < len(trick.cards)
        if played:
            card = self.paint.brick(card_of(trick, seat), self.CARD)
        elif seat == me and scene.preview:
            inside = Content.styled(str(scene.preview), self.paint.stone(scene.preview.colour))
            card = self.paint.frame(inside, self.CARD)
        else:
            waiting = self.texts("page.you_slot") if seat == me else "…"
            card = self.paint.frame(Content(waiting if scene.turn == seat else ""), self.CARD)
        shown = played or (seat == me and scene.preview is not None)
        role = Content.styled(fit(self._role(scene, seat), width) if shown else "", "bold")
        name = Content.styled(fit(scene.names[seat], width - 1), "bold" if seat == me else "")
        return [centred(line, width) for line in (role, *card, name)]

    def _role(self, scene: Scene, seat: Seat) -> str:
        if not scene.result:
            return ""
        goliath, david = seat == scene.result.goliath, seat == scene.result.david
        if goliath and david:
            return f"▲▼ {self.texts('page.goliath')}"
        return f"▲ {self.texts('page.goliath')}" if goliath else f"▼ {self.texts('page.david')}" if david else ""


class Say(SceneWidget):
    """The narrator's sentences, why a card was refused, and the last trick in a sentence."""

    note: reactive[Line | None] = reactive(None)

    def render(self) -> Content:
        return super().render() if self.scene else Content(self.texts("page.loading"))

    def draw(self, scene: Scene, width: int) -> Content:
        lines = list(map(self.paint.line, says(scene, self.texts)))
        if self.note:
            lines.insert(0, self.paint.line(self.note))
        elif scene.view.tricks and not scene.held and not is_cramped(self.app.size):
            last = story(scene.view, scene.names, self.texts)[-1]
            lines.append(Content.assemble(self.paint.still(f"{len(scene.view.tricks)} "), self.paint.line(last)))
        return rows(lines)


class Hand(SceneWidget):
    """The person's own cards. The picked one is lifted; those that can't be played now lie flat.

    In a terminal that is too small they are in as many lines as it takes, and the picked one is pointed at.
    """

    class Tapped(Message):
        """A card was clicked on."""

        def __init__(self, card: Card) -> None:
            super().__init__()
            self.card = card

    def places(self) -> list[tuple[int, int, Card]]:
        """Where each card lies: its row, and where it begins."""
        return self._places(self.size.width)

    def _card_size(self, width: int) -> tuple[int, int]:
        return (5, 1) if is_cramped(self.app.size) else (max(4, min(6, (width - 4) // HAND_SIZE - 1)), 4)

    def _places(self, width: int) -> list[tuple[int, int, Card]]:
        wide, high = self._card_size(width)
        row = column = 0
        found: list[tuple[int, int, Card]] = []
        for card in self.scene.view.hand if self.scene else ():
            if found:
                column += wide + (high > 1) + (found[-1][2].colour != card.colour)
            if column + wide > width:
                row, column = row + 1, 0
            found.append((row, column, card))
        left = max(0, (width - max((column + wide for _, column, _ in found), default=0)) // 2)
        return [(row, left + column, card) for row, column, card in found]

    def draw(self, scene: Scene, width: int) -> Content:
        legal = scene.view.legal_cards if scene.can_play else scene.view.hand
        (wide, high), places = self._card_size(width), self._places(width)
        lines = [Content()] * (high * (1 + max((row for row, _, _ in places), default=0)))
        for row, column, card in places:
            block = self._block(card, wide, high, flat=card not in legal, picked=card == scene.pick)
            for place, part in enumerate(block, row * high):
                lines[place] = Content.assemble(lines[place], " " * (column - len(lines[place])), part)
        return rows(lines)

    def _block(self, card: Card, wide: int, high: int, *, flat: bool, picked: bool) -> list[Content]:
        if high == 1:
            style = self.paint.bare(card.colour) if flat else self.paint.stone(card.colour)
            mark, line = ("▸", " underline") if picked else (" ", "")
            return [Content.styled(f"{mark}{card}".ljust(wide), style + line)]
        brick, blank = self.paint.brick(card, wide, flat=flat), Content(" " * wide)
        return [*brick, blank] if picked else [blank, *brick]

    def on_click(self, event: Click) -> None:
        wide, high = self._card_size(self.size.width)
        for row, column, card in self.places():
            if row == event.y // high and column <= event.x < column + wide:
                self.post_message(self.Tapped(card))


class Hands(SceneWidget):
    """All hands, one a line: for a replay."""

    hands: reactive[tuple[CardSet, ...]] = reactive(())

    def draw(self, scene: Scene, width: int) -> Content:
        named = min(LONGEST_NAME - 4, max(map(len, scene.names)))
        lines = []
        for seat in scene.order:
            cards = [
                Content.styled(f" {colour} {' '.join(str(card.value) for card in own)} ", self.paint.sky(colour))
                for colour in Colour
                if (own := self.hands[seat].of_colour(colour))
            ]
            lines.append(Content.assemble(f"  {fit(scene.names[seat], named).ljust(named)} ", Content(" ").join(cards)))
        return rows(lines)
