"""What JSON values are read with, whatever they are about. Errors name the path: `hands[0][3]`."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import NotationError, Reason, Refusal, RuleSet

Json = dict[str, Any]
T = TypeVar("T")


def parse_value(text: str) -> Any:
    """The value of a JSON text."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotationError(NotationReason.JSON_SYNTAX, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise NotationError(NotationReason.JSON_DEPTH, line=1, column=1) from None
    except NotationError:
        raise
    except ValueError:  # an integer of thousands of digits
        raise NotationError(NotationReason.JSON_SYNTAX, line=1, column=1) from None


def items_of(value: Any, expected: str, required: Sequence[str], keys: Sequence[str]) -> Json:
    """An object in a format of ours: with the keys that it needs, and no others than it may have."""
    items = _object_of(value)
    for key in items:
        if key not in keys:
            raise NotationError(NotationReason.NO_SUCH_KEY, key=key, keys=", ".join(keys), path="")
    for key in required:
        if key not in items:
            raise NotationError(NotationReason.KEY_MISSING, key=key, path="")
    if items["format"] != expected:
        raise NotationError(NotationReason.NO_SUCH_FORMAT, text=str(items["format"]), expected=expected, path="format")
    return items


def read(items: Json, key: str, reader: Callable[[Any], T]) -> T:
    try:
        return reader(items[key])
    except NotationError as error:
        raise error.within(key) from None


def read_optional(items: Json, key: str, reader: Callable[[Any], T]) -> T | None:
    return read(items, key, reader) if key in items else None


def list_of(reader: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    def read_list(value: Any) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise NotationError(NotationReason.NOT_A_LIST)
        items: list[T] = []
        try:
            for item in value:
                items.append(reader(item))  # noqa: PERF401
        except NotationError as error:
            raise error.within(f"[{len(items)}]") from None
        return tuple(items)

    return read_list


def rules_of(value: Any) -> RuleSet:
    options = dict(_object_of(value))
    preset = read({"preset": "classic", **options}, "preset", text_of)
    options.pop("preset", None)
    try:
        return RuleSet.of(preset, **options)
    except Refusal as refusal:
        where = "preset" if refusal.reason == Reason.NO_SUCH_PRESET else refusal.arguments["option"]
        raise NotationError(refusal.reason, **refusal.arguments, path=where) from None


def number_of(value: Any) -> int:
    if type(value) is not int:
        raise NotationError(NotationReason.NOT_A_NUMBER, text=str(value))
    return value


def text_of(value: Any) -> str:
    if not isinstance(value, str):
        raise NotationError(NotationReason.NOT_A_TEXT)
    return value


def _object_of(value: Any) -> Json:
    if not isinstance(value, dict):
        raise NotationError(NotationReason.NOT_AN_OBJECT, path="")
    return value


def _object(pairs: list[tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise NotationError(NotationReason.KEY_TWICE, key=next(key for key in keys if keys.count(key) > 1), path="")
    return value


def _no_constant(name: str) -> Any:
    raise NotationError(NotationReason.NOT_A_NUMBER, text=name, path="")
