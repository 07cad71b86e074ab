"""DGN: deals as text for people (`docs/notation.md`).

The reader plays a deal along as it reads, so that every error is found at its own line and column.
"""

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from davidgoliath.notation.reasons import NotationReason
from davidgoliath.notation.record import DealRecord, illegal_play
from davidgoliath.rules import (
    Card,
    CardSet,
    Deal,
    DealState,
    IllegalPlay,
    NotationError,
    Reason,
    Refusal,
    RuleSet,
    Seat,
    TrickResult,
    deck,
)
from davidgoliath.rules.checks import check_kind

FORMAT: Final = "DGN 1"
SEAT_TAGS: Final = tuple(f"Seat{seat}" for seat in range(6))
TAGS: Final = (
    "Format",
    "Rules",
    "Players",
    "Deal",
    "Dealer",
    *SEAT_TAGS,
    "Match",
    "Date",
    "Totals",
    "Shuffle",
    "Hints",
)
REQUIRED_TAGS: Final = ("Format", "Rules", "Players", "Dealer")

_TAG: Final = re.compile(r'\[([A-Za-z0-9]+)\s+"((?:[^"\\]|\\["\\])*)"\s*\]\s*(?:;.*)?$')
_TRICK: Final = re.compile(r"([0-9]{1,3})\s*\.\s*([0-9]{1,3})\s*:")
_SEAT: Final = re.compile(r"([0-9]{1,3})\s+")
_WORD: Final = re.compile(r"\S+")
_HINTS: Final = re.compile(r"([0-9]{1,3}):([0-9]{1,3}(?:,[0-9]{1,3})*)")


def write_dgn(record: DealRecord) -> str:
    """A deal as text; its last line ends too."""
    check_kind(record, DealRecord, "a DealRecord")
    blocks = [_tag_lines(record), _set_lines(record.deal.hands), _trick_lines(record.state)]
    if record.state.is_over:
        scores = record.state.scores
        blocks.append([f"{line} = {score}" for line, score in zip(_set_lines(record.state.piles), scores, strict=True)])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)


def _tag_lines(record: DealRecord) -> list[str]:
    totals = " ".join(map(str, record.totals)) if record.totals else None
    hints = [f"{seat}:{','.join(map(str, tricks))}" for seat, tricks in enumerate(record.hints or ()) if tricks]
    values = {"Format": FORMAT, "Rules": record.rules, "Players": record.players, "Deal": record.number}
    values |= {"Dealer": record.deal.dealer, **dict(zip(SEAT_TAGS, record.names or (), strict=False))}
    values |= {"Match": record.match, "Date": record.date, "Totals": totals, "Shuffle": record.shuffle}
    values |= {"Hints": " ".join(hints) or None}
    return [f'[{tag} "{_escape(str(value))}"]' for tag, value in values.items() if value is not None]


def _set_lines(sets: Sequence[CardSet]) -> list[str]:
    return [f"{seat}  {cards}" for seat, cards in enumerate(sets)]


def _trick_lines(state: DealState) -> list[str]:
    lines = []
    tricks = zip((*state.tricks, state.trick), (*state.results, None), strict=True)
    for number, (trick, result) in enumerate(tricks, 1):
        cards = [f"{card}{_mark(trick.seat_of(place), result)}" for place, card in enumerate(trick.cards)]
        line = "".join(f"{card:<5}" for card in cards).rstrip()
        lines.append(f"{number:>2}. {trick.leader}: {line}")
    return lines if state.trick.cards else lines[:-1]


def _mark(seat: Seat, result: TrickResult | None) -> str:
    if result is None or seat not in (result.goliath, result.david):
        return ""
    return "±" if result.goliath == result.david else "+" if seat == result.goliath else "-"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _unescape(text: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", text)


def read_dgn(lines: Iterable[str]) -> Iterator[tuple[int, DealRecord | NotationError]]:
    """The deals of a text, each with the line on which it starts. An error takes its deal's place."""
    for block in _blocks(lines):
        start = line = block[0][0]
        reader = _DealReader(start)
        try:
            for line, text in block:
                reader.read(line, text)
            yield start, reader.record()
        except NotationError as error:
            yield start, error if error.line else error.at(line=line)


def _blocks(lines: Iterable[str]) -> Iterator[list[tuple[int, str]]]:
    """The numbered lines of one deal after another, without blank ones: a tag behind cards starts the next."""
    block: list[tuple[int, str]] = []
    behind_cards = False
    for number, line in enumerate(lines, 1):
        is_tag = line.lstrip().startswith("[")
        text = line.rstrip() if is_tag else line.partition(";")[0].rstrip()
        if not text:
            continue
        if is_tag and behind_cards:
            yield block
            block = []
        block.append((number, text))
        behind_cards = not is_tag
    if block:
        yield block


class _DealReader:
    """Reads one deal, line by line."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.tags: dict[str, Any] = {}
        self.lines: dict[str, int] = {}
        self.hands: dict[Seat, CardSet] = {}
        self.state: DealState | None = None
        self.piles: set[Seat] = set()

    def read(self, line: int, text: str) -> None:
        start = len(text) - len(text.lstrip())
        if text[start] == "[":
            self._read_tag(line, text, start)
        elif found := _TRICK.match(text, start):
            self._read_trick(found, text)
        elif found := _SEAT.match(text, start):
            self._read_set(line, found, text)
        else:
            raise NotationError(NotationReason.LINE_SYNTAX, text=text[start:], column=start + 1)

    def record(self) -> DealRecord:
        state = self._started()
        tags = self.tags
        try:
            return DealRecord(
                rules=state.rules,
                deal=state.deal,
                plays=state.plays,
                number=tags.get("Deal"),
                names=self._names(state.players),
                match=tags.get("Match"),
                date=tags.get("Date"),
                totals=tags.get("Totals"),
                shuffle=tags.get("Shuffle"),
                hints=self._hints(state.players),
            )
        except Refusal as refusal:
            raise _error(refusal, line=self._line_of(refusal), column=1) from None

    def _read_tag(self, line: int, text: str, start: int) -> None:
        found = _TAG.match(text, start)
        if not found:
            raise NotationError(NotationReason.TAG_SYNTAX, text=text[start:], column=start + 1)
        tag, value = found.groups()
        if tag not in TAGS:
            raise NotationError(NotationReason.NO_SUCH_TAG, tag=tag, tags=", ".join(TAGS), column=found.start(1) + 1)
        if tag in self.tags:
            raise NotationError(NotationReason.TAG_TWICE, tag=tag, column=found.start(1) + 1)
        try:
            self.tags[tag] = _tag_value(tag, _unescape(value))
        except Refusal as refusal:
            raise _error(refusal, column=found.start(2) + 1) from None
        self.lines[tag] = line

    def _read_set(self, line: int, found: re.Match[str], text: str) -> None:
        players = self._required("Players")
        seat = int(found[1])
        if seat >= players:
            raise NotationError(Reason.NO_SUCH_SEAT, seat=seat, players=players, column=found.start() + 1)
        is_pile = self.state is not None or len(self.hands) == players
        if seat in (self.piles if is_pile else self.hands):
            raise NotationError(NotationReason.SEAT_TWICE, seat=seat, column=found.start() + 1)
        cards, equals, score = text[found.end() :].partition("=")
        column = found.end() + 1
        if not is_pile and equals:
            raise NotationError(NotationReason.LINE_SYNTAX, text="=" + score, column=column + len(cards))
        try:
            card_set = CardSet.parse(cards)
        except NotationError as error:
            raise error.at(column=column) from None
        if is_pile:
            self._check_pile(seat, card_set, score.strip() if equals else None, column)
        else:
            self.hands[seat] = card_set
            self.lines[f"hand {seat}"] = line

    def _check_pile(self, seat: Seat, pile: CardSet, score: str | None, column: int) -> None:
        state = self._started()
        self.piles.add(seat)
        expected = f"{state.piles[seat]} = {state.scores[seat]}"
        if pile != state.piles[seat] or score not in (None, str(state.scores[seat])):
            raise NotationError(NotationReason.RESULT_DISAGREES, expected=expected, column=column)

    def _read_trick(self, found: re.Match[str], text: str) -> None:
        state = self._started()
        number, leader = len(state.tricks) + 1, state.trick.leader
        if self.piles:
            raise NotationError(NotationReason.LINE_SYNTAX, text=text[found.start() :], column=found.start() + 1)
        if state.trick.cards:
            raise NotationError(
                NotationReason.TRICK_LENGTH, trick=number, count=len(state.trick.cards), column=found.start() + 1
            )
        if int(found[1]) != number:
            raise NotationError(
                NotationReason.TRICK_NUMBER, number=int(found[1]), expected=number, column=found.start(1) + 1
            )
        if int(found[2]) != leader and not state.is_over:
            raise NotationError(
                NotationReason.TRICK_LEADER, seat=int(found[2]), expected=leader, column=found.start(2) + 1
            )
        marks = []
        for word in _WORD.finditer(text, found.end()):
            name = word[0].rstrip("+-±")
            marks.append((word[0][len(name) :], word.start() + len(name) + 1))
            try:
                card = Card.parse(name)
                if len(marks) > state.players:
                    raise NotationError(NotationReason.TRICK_LENGTH, trick=number, count=len(marks), column=1)
                state = state.play(card)
            except IllegalPlay as why:
                raise _error(illegal_play(state, len(state.plays), why), column=word.start() + 1) from None
            except NotationError as error:
                raise error.at(column=word.start() + 1) from None
        if not marks:
            raise NotationError(NotationReason.LINE_SYNTAX, text=text[found.start() :], column=found.start() + 1)
        _check_marks(state, leader, marks)
        self.state = state

    def _started(self) -> DealState:
        """The deal as far as it was read: from here on, hands and rules are known."""
        if self.state is None:
            for tag in REQUIRED_TAGS:
                self._required(tag)
            players = self.tags["Players"]
            for seat in range(players):
                if seat not in self.hands:
                    raise NotationError(NotationReason.HAND_MISSING, seat=seat, column=1)
            try:
                deal = Deal(self.tags["Dealer"], tuple(self.hands[seat] for seat in range(players)))
            except Refusal as refusal:
                raise _error(refusal, line=self._line_of(refusal), column=1) from None
            self.state = DealState.start(deal, self.tags["Rules"])
        return self.state

    def _required(self, tag: str) -> Any:
        if tag not in self.tags:
            raise NotationError(NotationReason.TAG_MISSING, tag=tag, line=self.start, column=1)
        return self.tags[tag]

    def _names(self, players: int) -> tuple[str, ...] | None:
        if not any(tag in self.tags for tag in SEAT_TAGS):
            return None
        for seat in range(players, len(SEAT_TAGS)):
            if line := self.lines.get(SEAT_TAGS[seat]):
                raise NotationError(Reason.NO_SUCH_SEAT, seat=seat, players=players, line=line, column=1)
        return tuple(self._required(tag) for tag in SEAT_TAGS[:players])

    def _hints(self, players: int) -> tuple[tuple[int, ...], ...] | None:
        hints: dict[Seat, tuple[int, ...]] = self.tags.get("Hints", {})
        for seat in hints:
            if seat >= players:
                raise NotationError(Reason.NO_SUCH_SEAT, seat=seat, players=players, line=self.lines["Hints"], column=1)
        return tuple(hints.get(seat, ()) for seat in range(players)) if hints else None

    def _line_of(self, refusal: Refusal) -> int | None:
        """Which line said what a refusal is about."""
        about, seat = refusal.arguments.get("field"), refusal.arguments.get("seat")
        tags = {"number": "Deal", "names": f"Seat{seat}", "totals": "Totals", "match": "Match", "shuffle": "Shuffle"}
        tags |= {"hints": "Hints", "hands": f"hand {seat}", "dealer": "Dealer"}
        return self.lines.get(tags[about]) if about in tags else None


def _tag_value(tag: str, text: str) -> Any:
    match tag:
        case "Format":
            if text != FORMAT:
                raise Refusal(NotationReason.NO_SUCH_FORMAT, text=text, expected=FORMAT)
            return text
        case "Rules":
            return RuleSet.parse(text)
        case "Players":
            players = _number(text)
            deck(players)
            return players
        case "Deal" | "Dealer":
            return _number(text)
        case "Date":
            return parse_date(text)
        case "Totals":
            return tuple(_number(word) for word in text.replace(",", " ").split())
        case "Hints":
            return _shown(text)
        case _:
            return text


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refusal(NotationReason.NOT_A_NUMBER, text=text)
    return int(text)


def _shown(text: str) -> dict[Seat, tuple[int, ...]]:
    """By seat the tricks in which it was shown a hint: `0:1,4 2:3`."""
    hints: dict[Seat, tuple[int, ...]] = {}
    for word in text.split() or [text]:
        found = _HINTS.fullmatch(word)
        if not found:
            raise Refusal(NotationReason.NOT_HINTS, text=word)
        seat = int(found[1])
        if seat in hints:
            raise Refusal(NotationReason.SEAT_TWICE, seat=seat)
        hints[seat] = tuple(map(int, found[2].split(",")))
    return hints


def parse_date(text: str) -> datetime.date:
    """A date as YYYY-MM-DD, and in no other form."""
    try:
        date = datetime.date.fromisoformat(text)
        if str(date) == text:
            return date
    except ValueError:
        pass
    raise Refusal(NotationReason.NOT_A_DATE, field="date", text=text)


def _check_marks(state: DealState, leader: Seat, marks: Sequence[tuple[str, int]]) -> None:
    settled = not state.trick.cards
    for place, (mark, column) in enumerate(marks):
        seat = (leader + place) % state.players
        right = _mark(seat, state.results[-1]) if settled else ""
        if mark and not right:
            raise NotationError(NotationReason.NO_MARK_HERE, mark=mark, column=column)
        if mark not in ("", right):
            raise NotationError(NotationReason.MARK_DISAGREES, mark=mark, expected=right, column=column)


def _error(refusal: Refusal, *, line: int | None = None, column: int) -> NotationError:
    """A refusal by the rules as an error of the text, at its place."""
    error = refusal if isinstance(refusal, NotationError) else NotationError(refusal.reason, **refusal.arguments)
    return error.at(line=line, column=column)
