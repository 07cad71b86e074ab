"""The JSON form: the same content as DGN, for programs. One deal is an object, a match JSON Lines."""

import datetime
import json
from collections.abc import Callable
from typing import Any, Final, TypeVar

from davidgoliath.notation.dgn import parse_date
from davidgoliath.notation.record import DealRecord
from davidgoliath.rules import Card, CardSet, Deal, NotationError, Reason, Refusal, RuleSet, Trick, TrickResult, deck
from davidgoliath.rules.cards import CARDS_BY_NAME

FORMAT: Final = "davidgoliath/1"
REQUIRED_KEYS: Final = ("format", "rules", "players", "dealer", "hands", "plays")
OPTIONAL_KEYS: Final = ("deal", "names", "match", "date", "totals", "shuffle")
RESULT_KEYS: Final = ("tricks", "piles", "scores", "complete")
"""What follows from the rest: `results` writes it, and `from_json` checks it where it is present."""
KEYS: Final = (*REQUIRED_KEYS, *OPTIONAL_KEYS, *RESULT_KEYS)

Json = dict[str, Any]
T = TypeVar("T")


def to_json(record: DealRecord) -> Json:
    """A deal as JSON values."""
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
        "hands": [_names(hand) for hand in record.deal.hands],
        "plays": _names(record.plays),
    }
    return {key: value for key, value in values.items() if value is not None}


def results(record: DealRecord) -> Json:
    """What became of a deal: who took each trick, the piles and their scores."""
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
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotationError(Reason.JSON_SYNTAX, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise NotationError(Reason.JSON_DEPTH, line=1, column=1) from None
    except NotationError:
        raise
    except ValueError:  # an integer of thousands of digits
        raise NotationError(Reason.JSON_SYNTAX, line=1, column=1) from None
    return from_json(value)


def from_json(value: Any) -> DealRecord:
    """The deal in JSON values, checked. Errors name the path: `hands[0][3]`."""
    items = _object_of(value)
    for key in items:
        if key not in KEYS:
            raise NotationError(Reason.NO_SUCH_KEY, key=key, keys=", ".join(KEYS), path="")
    for key in REQUIRED_KEYS:
        if key not in items:
            raise NotationError(Reason.KEY_MISSING, key=key, path="")
    if items["format"] != FORMAT:
        raise NotationError(Reason.NO_SUCH_FORMAT, text=str(items["format"]), expected=FORMAT, path="format")
    try:
        players = _read(items, "players", _players)
        hands = _read(items, "hands", _list_of(_hand))
        if len(hands) != players:
            raise Refusal(Reason.ONE_PER_SEAT, field="hands", count=len(hands), players=players)
        record = DealRecord(
            _read(items, "rules", _rules),
            Deal(_read(items, "dealer", _number), hands),
            _read(items, "plays", _cards),
            _read_optional(items, "deal", _number),
            _read_optional(items, "names", _list_of(_text)),
            _read_optional(items, "match", _text),
            _read_optional(items, "date", _date),
            _read_optional(items, "totals", _list_of(_number)),
            _read_optional(items, "shuffle", _text),
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
            raise NotationError(Reason.RESULT_DISAGREES, expected=json.dumps(expected), path=key)


def _path(refusal: Refusal) -> str:
    """Where the value stands that a refusal is about."""
    if "play" in refusal.arguments:
        return f"plays[{refusal.arguments['play']}]"
    about, seat = refusal.arguments["field"], refusal.arguments.get("seat")
    path = "deal" if about == "number" else about
    return path if seat is None or about == "dealer" else f"{path}[{seat}]"


def _read(items: Json, key: str, read: Callable[[Any], T]) -> T:
    try:
        return read(items[key])
    except NotationError as error:
        raise error.within(key) from None


def _read_optional(items: Json, key: str, read: Callable[[Any], T]) -> T | None:
    return _read(items, key, read) if key in items else None


def _list_of(read: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    def read_list(value: Any) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise NotationError(Reason.NOT_A_LIST)
        items: list[T] = []
        try:
            for item in value:
                items.append(read(item))  # noqa: PERF401
        except NotationError as error:
            raise error.within(f"[{len(items)}]") from None
        return tuple(items)

    return read_list


def _rules(value: Any) -> RuleSet:
    options = dict(_object_of(value))
    preset = _read({"preset": "classic", **options}, "preset", _text)
    options.pop("preset", None)
    try:
        return RuleSet.of(preset, **options)
    except Refusal as refusal:
        where = "preset" if refusal.reason == Reason.NO_SUCH_PRESET else refusal.arguments["option"]
        raise NotationError(refusal.reason, **refusal.arguments, path=where) from None


def _hand(value: Any) -> CardSet:
    cards = _cards(value)
    hand = CardSet.of(cards)
    if len(hand) != len(cards):
        twice = next(index for index, card in enumerate(cards) if card in cards[:index])
        raise NotationError(Reason.CARD_TWICE, card=cards[twice], path=f"[{twice}]")
    return hand


def _card(value: Any) -> Card:
    return Card.parse(_text(value))


def _cards(value: Any) -> tuple[Card, ...]:
    """A list of cards: the fast way, and if that fails the one that says why."""
    if isinstance(value, list):
        try:
            return tuple([CARDS_BY_NAME[name] for name in value])
        except (KeyError, TypeError):
            pass
    return _list_of(_card)(value)


def _players(value: Any) -> int:
    players = _number(value)
    try:
        deck(players)
    except Refusal as refusal:
        raise NotationError(refusal.reason, **refusal.arguments) from None
    return players


def _date(value: Any) -> datetime.date:
    return parse_date(_text(value))


def _number(value: Any) -> int:
    if type(value) is not int:
        raise NotationError(Reason.NOT_A_NUMBER, text=str(value))
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise NotationError(Reason.NOT_A_TEXT)
    return value


def _object_of(value: Any) -> Json:
    if not isinstance(value, dict):
        raise NotationError(Reason.NOT_AN_OBJECT, path="")
    return value


def _object(pairs: list[tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise NotationError(Reason.KEY_TWICE, key=next(key for key in keys if keys.count(key) > 1), path="")
    return value


def _no_constant(name: str) -> Any:
    raise NotationError(Reason.NOT_A_NUMBER, text=name, path="")
