"""What is beside the table where there is room, and else in a dialog: radar, standings, points, tricks, story."""

from textual.content import Content
from textual.reactive import reactive

from davidgoliath.match import ranking
from davidgoliath.rules import Colour, Seat, View
from davidgoliath.rules.cards import HAND_SIZE
from davidgoliath.rules.scoring import points
from davidgoliath.terminal.lines import fit
from davidgoliath.terminal.narrator import how_counted, next_one, outcome, ranked, signed, story, why
from davidgoliath.terminal.paint import beside, centred, rows
from davidgoliath.terminal.scene import Scene, gains
from davidgoliath.terminal.scene_widget import SceneWidget

NAMED = 12
CELL = 6


def name_room(scene: Scene, room: int) -> int:
    """How many columns names get, with a space behind them."""
    return 1 + min(NAMED, room - 1, max(map(len, scene.names)))


class Title(SceneWidget):
    """Which trick of which deal this is, and whatever else there is room for."""

    def draw(self, scene: Scene, width: int) -> Content:
        view, texts = scene.view, self.texts
        number = min(HAND_SIZE, len(view.tricks) + (0 if scene.held or view.is_over else 1))
        standing = view.standing
        trick = texts("page.trick_number", number=number) + texts("page.of_tricks", count=HAND_SIZE)
        where = [
            Content.styled(trick, "bold"),
            self.paint.still(texts("page.deal_of", deal=standing.deal, deals=standing.deals)),
            self.paint.still(texts("transcript.dealer", name=scene.names[view.dealer])),
        ]
        name = texts("page.title")
        place = Content("  ·  ").join(where)
        if len(name) + len(place) + 4 > width:
            name = ""
        while len(place) + 4 > width and len(where) > 1:
            where.pop()
            place = Content("  ·  ").join(where)
        return Content.assemble((f" {name}", "bold"), " " * max(0, width - len(name) - 2 - len(place)), place, " ")


class Radar(SceneWidget):
    """What the next card of a colour would do to each pile."""

    heading = "page.radar"

    def draw(self, scene: Scene, width: int) -> Content:
        named = name_room(scene, width - 5 * CELL)
        letters = [self.paint.letter(colour, CELL - 1).pad_right(1) for colour in Colour]
        lines = [Content.assemble(" " * named, *letters)]
        for seat in scene.order:
            cells = []
            for colour in Colour:
                cards = scene.view.piles[seat].of_colour(colour)
                cells.append(Content.styled(next_one(cards).center(CELL - 1), self.paint.pile(cards, colour)))
            lines.append(
                Content.assemble(fit(scene.names[seat], named - 1).ljust(named), Content(" ").join(cells).pad_right(1))
            )
        keys = (("▼18", "page.radar_two"), ("9 ▲", "page.radar_one"), ("+1", "page.radar_rubble"))
        notes = [
            Content.assemble((sign.ljust(5), "bold"), self.paint.still(self.texts(key, count=18))) for sign, key in keys
        ]
        return rows([*lines, Content(), *notes])


class Standings(SceneWidget):
    """Everyone's total in the match as it would be now, the best first."""

    heading = "page.match"

    def draw(self, scene: Scene, width: int) -> Content:
        totals = [scene.total(seat) for seat in range(scene.view.players)]
        named = name_room(scene, width)
        most, room = max(1, *totals), width - named - 5
        lines = []
        for _, seat in ranked(totals):
            now = round(room * totals[seat] / most)
            before = round(room * scene.view.standing.totals[seat] / most)
            bar = Content.assemble("█" * before, self.paint.still("▓" * (now - before)), " " * (room - now))
            style = "bold" if seat == scene.view.seat else ""
            lines.append(
                Content.assemble((fit(scene.names[seat], named - 1).ljust(named), style), bar, f"{totals[seat]:5}")
            )
        return rows(lines)


class Story(SceneWidget):
    """All tricks of the deal in a sentence each, the newest first."""

    heading = "page.story"

    def draw(self, scene: Scene, width: int) -> Content:
        told = story(scene.view, scene.names, self.texts)
        if not told:
            return self.paint.still(self.texts("page.no_trick_yet"))
        lines = [
            Content.assemble(self.paint.still(f"{number:2} "), self.paint.line(line))
            for number, line in enumerate(told, 1)
        ]
        return rows(reversed(lines))


class Points(SceneWidget):
    """A seat's points that explain themselves."""

    seat: reactive[Seat] = reactive(0, layout=True)

    def draw(self, scene: Scene, width: int) -> Content:
        pile = scene.view.piles[self.seat]
        lines = []
        for colour in Colour:
            cards = pile.of_colour(colour)
            name = Content.styled(f" {colour} ", self.paint.stone(colour))
            values = " ".join(str(card.value) for card in cards) or "·"
            how = self.paint.still(how_counted(cards, self.texts))
            head = Content.assemble(
                name, f" {self.texts(f'colour.{colour}')}".ljust(14), (f"{points(cards):3}", "bold")
            )
            lines += [Content.assemble(head, "   ", values), Content.assemble(" " * 23, how)]
        score = Content.assemble(" " * 17, (f"{scene.view.scores[self.seat]:3}", "bold"))
        total = self.paint.still(self.texts("page.match_total", count=scene.total(self.seat)))
        return rows([*lines, Content.assemble(score, "   ", total)])


class OneTrick(SceneWidget):
    """A finished trick: who played what, who took what, and why."""

    number: reactive[int] = reactive(0, layout=True)

    def draw(self, scene: Scene, width: int) -> Content:
        view, names = scene.view, scene.names
        if not view.tricks:
            return Content(self.texts("page.no_trick_yet"))
        trick, result = view.tricks[self.number], view.results[self.number]
        slot = min(12, width // view.players)
        slots = []
        for place, card in enumerate(trick.cards):
            seat = trick.seat_of(place)
            role = ("▲" if seat == result.goliath else "") + ("▼" if seat == result.david else "")
            lines = [Content.styled(role, "bold"), *self.paint.brick(card, 6), Content(fit(names[seat], slot - 1))]
            slots.append([centred(line, slot) for line in lines])
        told = [why(trick, result, names, self.texts)]
        changes = gains(view)[self.number]
        return rows(
            [
                *beside(slots),
                Content(),
                *map(Content, told),
                self.paint.line(outcome(result, changes, names, self.texts)),
            ]
        )


class Scores(SceneWidget):
    """The deals so far and the totals, the best first."""

    views: reactive[tuple[View, ...]] = reactive((), layout=True)
    """The last moment of each deal; of the one that is being played, this one."""

    def draw(self, scene: Scene, width: int) -> Content:
        deals = [view.scores for view in self.views]
        totals = [sum(scores[seat] for scores in deals) for seat in range(scene.view.players)]
        places = ranking(totals)
        lines = []
        for _, seat in ranked(totals):
            style = "bold" if seat == scene.view.seat else ""
            last = signed(deals[-1][seat]) if deals else ""
            sums = " + ".join(str(scores[seat]) for scores in deals) if len(deals) > 1 else ""
            name = fit(scene.names[seat], NAMED).ljust(NAMED)
            lines.append(
                Content.assemble(
                    (f"{places[seat]}. {name} {totals[seat]:4} ", style), f"{last:>5}   ", self.paint.still(sums)
                )
            )
        return rows(lines)
