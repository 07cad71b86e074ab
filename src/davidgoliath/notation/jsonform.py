"""The JSON form: the same content as DGN, for programs. One deal is an object, a match JSON Lines."""

import json
from collections.abc import Callable
from typing import Any, Final, TypeVar

from davidgoliath.notation.dgn import parse_date
from davidgoliath.notation.record import DealRecord
from davidgoliath.rules import Card, CardSet, Deal, NotationError, Reason, Refusal, RuleSet, Trick, TrickResult, deck

FORMAT: Final = "davidgoliath/1"
REQUIRED_KEYS: Final = ("format", "rules", "players", "dealer", "hands", "plays")
OPTIONAL_KEYS: Final = ("deal", "names", "match", "date", "totals", "shuffle")
RESULT_KEYS: Final = ("tricks", "piles", "scores", "complete")
"""What follows from the rest: `results` writes it, and `from_json` checks it where it is present."""

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
    for seat in (result.goliath, result.david):
        cards = result.captured_by(seat)
        captured[seat] = [card.name for card in trick.cards if card in cards]
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
    items = _items(value, "", (*REQUIRED_KEYS, *OPTIONAL_KEYS, *RESULT_KEYS))
    for key in REQUIRED_KEYS:
        if key not in items:
            raise NotationError(Reason.KEY_MISSING, key=key, path="")
    if items["format"] != FORMAT:
        raise NotationError(Reason.NO_SUCH_FORMAT, text=str(items["format"]), expected=FORMAT, path="format")
    players = _number(items["players"], "players")
    hands = _list(items["hands"], "hands", _hand)
    try:
        deck(players)
        if len(hands) != players:
            raise Refusal(Reason.ONE_PER_SEAT, field="hands", count=len(hands), players=players)
        record = DealRecord(
            _rules(items["rules"]),
            Deal(_number(items["dealer"], "dealer"), tuple(hands)),
            tuple(_list(items["plays"], "plays", _card)),
            _optional(items, "deal", _number),
            _optional(items, "names", lambda names, path: tuple(_list(names, path, _text))),
            _optional(items, "match", _text),
            _optional(items, "date", lambda text, path: parse_date(_text(text, path))),
            _optional(items, "totals", lambda totals, path: tuple(_list(totals, path, _number))),
            _optional(items, "shuffle", _text),
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
    about, seat = refusal.arguments.get("field", ""), refusal.arguments.get("seat")
    if refusal.reason == Reason.PLAYERS_RANGE:
        return "players"
    path = "deal" if about == "number" else about
    return path if seat is None or about == "dealer" else f"{path}[{seat}]"


def _rules(value: Any) -> RuleSet:
    options = _items(value, "rules", None)
    preset = _text(options.pop("preset", "classic"), "rules.preset")
    try:
        return RuleSet.of(preset, **options)
    except Refusal as refusal:
        where = "preset" if refusal.reason == Reason.NO_SUCH_PRESET else refusal.arguments["option"]
        raise NotationError(refusal.reason, **refusal.arguments, path=f"rules.{where}") from None


def _hand(value: Any, path: str) -> CardSet:
    cards = _list(value, path, _card)
    hand = CardSet.of(cards)
    if len(hand) != len(cards):
        twice = next(index for index, card in enumerate(cards) if card in cards[:index])
        raise NotationError(Reason.CARD_TWICE, card=cards[twice], path=f"{path}[{twice}]")
    return hand


def _card(value: Any, path: str) -> Card:
    try:
        return Card.parse(_text(value, path))
    except NotationError as error:
        raise NotationError(error.reason, text=value, path=path) from None


def _optional(items: Json, key: str, read: Callable[[Any, str], T]) -> T | None:
    return read(items[key], key) if key in items else None


def _items(value: Any, path: str, keys: tuple[str, ...] | None) -> Json:
    if not isinstance(value, dict):
        raise NotationError(Reason.NOT_AN_OBJECT, path=path)
    for key in value:
        if keys and key not in keys:
            raise NotationError(Reason.NO_SUCH_KEY, key=key, keys=", ".join(keys), path=path)
    return dict(value)


def _list(value: Any, path: str, read: Callable[[Any, str], T]) -> list[T]:
    if not isinstance(value, list):
        raise NotationError(Reason.NOT_A_LIST, path=path)
    return [read(item, f"{path}[{index}]") for index, item in enumerate(value)]


def _number(value: Any, path: str) -> int:
    if type(value) is not int:
        raise NotationError(Reason.NOT_A_NUMBER, text=str(value), path=path)
    return value


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise NotationError(Reason.NOT_A_TEXT, path=path)
    return value


def _object(pairs: list[tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise NotationError(Reason.KEY_TWICE, key=next(key for key in keys if keys.count(key) > 1), path="")
    return value


def _no_constant(name: str) -> Any:
    raise NotationError(Reason.NOT_A_NUMBER, text=name, path="")
