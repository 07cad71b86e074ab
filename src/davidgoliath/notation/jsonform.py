"""The JSON form: the same content as DGN, for programs. One deal is an object, a match JSON Lines."""

import datetime
import json
from typing import Any, Final

from davidgoliath.notation.dgn import parse_date
from davidgoliath.notation.jsonvalues import (
    Json,
    items_of,
    list_of,
    number_of,
    parse_value,
    read,
    read_optional,
    rules_of,
    text_of,
)
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.notation.record import DealRecord
from davidgoliath.rules import Card, CardSet, Deal, NotationError, Reason, Refusal, Trick, TrickResult, deck
from davidgoliath.rules.cards import CARDS_BY_NAME
from davidgoliath.rules.checks import check_kind

FORMAT: Final = "davidgoliath/1"
REQUIRED_KEYS: Final = ("format", "rules", "players", "dealer", "hands", "plays")
OPTIONAL_KEYS: Final = ("deal", "names", "match", "date", "totals", "shuffle", "hints")
RESULT_KEYS: Final = ("tricks", "piles", "scores", "complete")
"""What follows from the rest: `results` writes it, and `from_json` checks it where it is present."""
KEYS: Final = (*REQUIRED_KEYS, *OPTIONAL_KEYS, *RESULT_KEYS)


def to_json(record: DealRecord) -> Json:
    """A deal as JSON values."""
    check_kind(record, DealRecord, "a DealRecord")
    preset, options = record.rules.preset_and_options()
    values = {
        "format": FORMAT,
        "rules": {"preset": preset, **options},
        "players": record.players,
        "deal": record.number,
        "dealer": record.deal.dealer,
        "names": list(record.names) if record.names else None,
        "match": record.match,
        "date": str(record.date) if record.date else None,
        "totals": list(record.totals) if record.totals else None,
        "shuffle": record.shuffle,
        "hints": [list(tricks) for tricks in record.hints] if record.hints else None,
        "hands": [_names(hand) for hand in record.deal.hands],
        "plays": _names(record.plays),
    }
    return {key: value for key, value in values.items() if value is not None}


def results(record: DealRecord) -> Json:
    """What became of a deal: who took each trick, the piles and their scores."""
    check_kind(record, DealRecord, "a DealRecord")
    state = record.state
    return {
        "tricks": [_trick(trick, result) for trick, result in zip(state.tricks, state.results, strict=True)],
        "piles": [_names(pile) for pile in state.piles],
        "scores": list(state.scores),
        "complete": state.is_over,
    }


def _trick(trick: Trick, result: TrickResult) -> Json:
    captured: list[list[str]] = [[] for _ in trick.cards]
    for card in trick.cards:
        taker = result.david if card is result.prize or card is result.kept else result.goliath
        captured[taker].append(card.name)
    return {
        "leader": trick.leader,
        "goliath": result.goliath,
        "david": result.david,
        "prize": result.prize.name,
        "spoils": _names(result.spoils),
        "captured": captured,
    }


def _names(cards: "CardSet | tuple[Card, ...]") -> list[str]:
    return [card.name for card in cards]


def parse_json(text: str) -> DealRecord:
    """The deal of a JSON text."""
    return from_json(parse_value(text))


def from_json(value: Any) -> DealRecord:
    """The deal in JSON values, checked. Errors name the path: `hands[0][3]`."""
    items = items_of(value, FORMAT, REQUIRED_KEYS, KEYS)
    try:
        players = read(items, "players", _players)
        hands = read(items, "hands", list_of(_hand))
        if len(hands) != players:
            raise Refusal(NotationReason.ONE_PER_SEAT, field="hands", count=len(hands), players=players)
        record = DealRecord(
            rules=read(items, "rules", rules_of),
            deal=Deal(read(items, "dealer", number_of), hands),
            plays=read(items, "plays", _cards),
            number=read_optional(items, "deal", number_of),
            names=read_optional(items, "names", list_of(text_of)),
            match=read_optional(items, "match", text_of),
            date=read_optional(items, "date", _date),
            totals=read_optional(items, "totals", list_of(number_of)),
            shuffle=read_optional(items, "shuffle", text_of),
            hints=read_optional(items, "hints", list_of(list_of(number_of))),
        )
    except NotationError:
        raise
    except Refusal as refusal:
        raise NotationError(refusal.reason, **refusal.arguments, path=_path(refusal)) from None
    _check_results(record, items)
    return record


def _check_results(record: DealRecord, items: Json) -> None:
    if not any(key in items for key in RESULT_KEYS):
        return
    for key, expected in results(record).items():
        if key in items and items[key] != expected:
            raise NotationError(NotationReason.RESULT_DISAGREES, expected=json.dumps(expected), path=key)


def _path(refusal: Refusal) -> str:
    """Where the value stands that a refusal is about."""
    if "play" in refusal.arguments:
        return f"plays[{refusal.arguments['play']}]"
    about, seat = refusal.arguments["field"], refusal.arguments.get("seat")
    path = "deal" if about == "number" else about
    return path if seat is None or about == "dealer" else f"{path}[{seat}]"


def _hand(value: Any) -> CardSet:
    cards = _cards(value)
    hand = CardSet.of(cards)
    if len(hand) != len(cards):
        twice = next(index for index, card in enumerate(cards) if card in cards[:index])
        raise NotationError(Reason.CARD_TWICE, card=cards[twice], path=f"[{twice}]")
    return hand


def _card(value: Any) -> Card:
    return Card.parse(text_of(value))


def _cards(value: Any) -> tuple[Card, ...]:
    """A list of cards: the fast way, and if that fails the one that says why."""
    if isinstance(value, list):
        try:
            return tuple([CARDS_BY_NAME[name] for name in value])
        except (KeyError, TypeError):
            pass
    return list_of(_card)(value)


def _players(value: Any) -> int:
    players = number_of(value)
    try:
        deck(players)
    except Refusal as refusal:
        raise NotationError(refusal.reason, **refusal.arguments) from None
    return players


def _date(value: Any) -> datetime.date:
    return parse_date(text_of(value))
