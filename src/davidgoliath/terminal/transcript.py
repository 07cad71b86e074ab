"""A deal, and a score, written out for people to read."""

from collections.abc import Iterable, Sequence
from typing import Final

from davidgoliath.notation import DealRecord
from davidgoliath.rules import CardSet, Colour, DealState, TrickResult, score_by_colour
from davidgoliath.terminal.company import called, introduced
from davidgoliath.terminal.lines import GAP, columns, fit, terminal_width, wrapped
from davidgoliath.texts import Texts

TRICK_COLUMN: Final = 6
"""How wide the cards of a seat are in the table of tricks, with all marks."""


def names_in(record: DealRecord, texts: Texts) -> tuple[str, ...]:
    """Who is who in a record; seats have numbers where it doesn't say."""
    return record.names or tuple(texts("transcript.seat", seat=seat) for seat in range(record.players))


def deal_transcript(record: DealRecord, texts: Texts) -> str:
    """Hands, tricks, and piles with their scores. Bots are introduced with their hands."""
    known = names_in(record, texts)
    names = called(known, texts)
    hands = _sets(texts("transcript.hands"), introduced(known, texts), record.deal.hands)
    blocks = [[wrapped(_title(record, names, texts)), *_hints(record, names, texts)], hands]
    if record.plays:
        blocks += [_tricks(record.state, names, texts), [pile_transcript(record.state.piles, names, texts)]]
    return "\n\n".join("\n".join(block) for block in blocks)


def pile_transcript(piles: Sequence[CardSet], names: Sequence[str], texts: Texts) -> str:
    """Everyone's captured cards, and what they are worth by colour."""
    return "\n".join(_sets(texts("transcript.piles"), names, piles, [_sum(pile) for pile in piles]))


def score_transcript(pile: CardSet, texts: Texts) -> str:
    """A pile's score, explained colour by colour."""
    rows = []
    points = score_by_colour(pile)
    for colour in Colour:
        cards = pile.of_colour(colour)
        why = "score.none" if not cards else "score.few" if len(cards) <= 2 else "score.many"
        rows.append([texts(f"colour.{colour}"), str(cards), str(points[colour]), texts(why)])
    rows.append([texts("score.total"), "", str(sum(points)), ""])
    return "\n".join([texts("score.title"), *columns(rows, right={2})])


def _title(record: DealRecord, names: Sequence[str], texts: Texts) -> str:
    parts = [texts("transcript.deal", number=record.number)] if record.number else []
    parts += [texts("count.players", count=record.players), texts("transcript.rules", rules=record.rules)]
    parts += [texts("transcript.dealer", name=names[record.deal.dealer])]
    parts += [str(part) for part in (record.date, record.match) if part]
    return " · ".join(parts)


def _hints(record: DealRecord, names: Sequence[str], texts: Texts) -> list[str]:
    shown = [(name, tricks) for name, tricks in zip(names, record.hints or (), strict=False) if tricks]
    return [wrapped(texts("transcript.hints", name=name, tricks=", ".join(map(str, tricks)))) for name, tricks in shown]


def _sets(title: str, names: Sequence[str], sets: Iterable[CardSet], notes: Sequence[str] | None = None) -> list[str]:
    rows = [[name, str(cards)] for name, cards in zip(names, sets, strict=True)]
    if notes:
        rows = [[*row, note] for row, note in zip(rows, notes, strict=True)]
    return [title, *columns(rows)]


def _tricks(state: DealState, names: Sequence[str], texts: Texts) -> list[str]:
    """A row a trick, a column a seat. Names that have no room are cut: the hands above have them whole."""
    room = max(TRICK_COLUMN, (terminal_width() - 4) // state.players - GAP) - 1
    rows = [["", *(f" {fit(name, room)}" for name in names)]]
    tricks = zip((*state.tricks, state.trick), (*state.results, None), strict=True)
    for number, (trick, result) in enumerate(tricks, 1):
        row = [""] * state.players
        for place, card in enumerate(trick.cards):
            seat = trick.seat_of(place)
            row[seat] = f"{'>' if place == 0 else ' '}{card}{_marks(seat, result)}"
        if trick.cards:
            rows.append([str(number), *row])
    legend = wrapped(f"{texts('transcript.tricks')}  ({texts('transcript.legend')})")
    return [legend, *columns(rows, right={0})]


def _marks(seat: int, result: TrickResult | None) -> str:
    if result is None:
        return ""
    return ("+" if seat == result.goliath else "") + ("-" if seat == result.david else "")


def _sum(pile: CardSet) -> str:
    points = score_by_colour(pile)
    return f"{' + '.join(map(str, points))} = {sum(points)}"
