"""The page's types of what it and the server say, `protocol.d.ts`, and of lessons: made from those of the program.

A tagged union becomes a discriminated one, and a struct that is written as a list becomes a tuple with labels. What a
client says may leave out what has a default; what the server says has every field, unless it leaves out defaults.
"""

import textwrap
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import inspect

from davidgoliath.server.asgi.app import ENDPOINTS
from davidgoliath.server.asgi.reasons import REASONS
from davidgoliath.server.protocol import http_types
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.table import events as e
from davidgoliath.tutorial.demonstration import Demonstration
from davidgoliath.tutorial.lessons import Lesson
from tools.protocol import docstring, kinds, sentences

UNIONS: Final[dict[str, tuple[str, Any]]] = {
    "AnyFromClient": ("What a client says.", m.AnyFromClient),
    "AnyFromServer": ("What the server says.", m.AnyFromServer),
    "AnyEvent": ("What happens at a table.", e.AnyEvent),
}
LESSONS_HEAD: Final = "// Made from the program's own types by `./dg docs`: the lessons of the tutorial.\n"
HEAD: Final = "// Made from the server's own types by `./dg docs`: what it and the page say to each other.\n"
REFUSED: Final = (m.Refused, http_types.Refusal)
"""Their reason is one of these, whatever enumeration has it."""
WIDTH: Final = 120


def declarations() -> str:
    """The whole file."""
    bodies = (body for endpoint in ENDPOINTS for body in (endpoint.body, endpoint.answer) if body not in (None, str))
    said = [*kinds(m.AnyFromClient), *kinds(m.AnyFromServer), *kinds(e.AnyEvent), *bodies, http_types.Refusal]
    unions = [_union(name, sentence, kinds(union)) for name, (sentence, union) in UNIONS.items()]
    wishes = [kind for kind in kinds(m.AnyFromClient) if issubclass(kind, m.Wish)]
    unions.append(_union("AnyWish", "What a client says to change the table.", wishes))
    unions.append(_declared("Why something is refused.", "Reason", [_literal(why) for kind in REASONS for why in kind]))
    return "\n".join([HEAD, *unions, _endpoints(), *_declarations(said)])


def lesson_declarations() -> str:
    """The same for the lessons of the tutorial, which the page reads as a file."""
    return "\n".join([LESSONS_HEAD, *_declarations([Lesson, Demonstration])])


def _declarations(kinds: Iterable[Any]) -> list[str]:
    """Types, and all that are within them."""
    found: dict[Any, inspect.Type] = {}
    for kind in kinds:
        _find(inspect.type_info(kind), found)
    assert len(found) == len({kind.__name__ for kind in found}), "two types share a name"
    return [_declaration(kind) for kind in found.values()]


def _find(kind: Any, found: dict[Any, inspect.Type]) -> None:
    """All structs and enumerations of a type, each once, those within it behind it."""
    if isinstance(kind, inspect.StructType | inspect.EnumType):
        if kind.cls in found:
            return
        found[kind.cls] = kind
    for name in ("fields", "type", "types", "item_type", "item_types", "value_type"):
        part = getattr(kind, name, ())
        for inner in part if isinstance(part, tuple) else (part,):
            _find(inner, found)


def _declaration(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.EnumType):
        return _declared(docstring(kind.cls), kind.cls.__name__, [_literal(member.value) for member in kind.cls])
    return _struct(kind)


def _union(name: str, sentence: str, members: Iterable[type]) -> str:
    return _declared(sentence, name, [kind.__name__ for kind in members])


def _declared(sentence: str, name: str, choices: list[str]) -> str:
    line = f"export type {name} = {' | '.join(choices)};"
    if len(line) > WIDTH:
        line = "\n".join([f"export type {name} =", *(f"  | {choice}" for choice in choices)]) + ";"
    return f"/** {sentence} */\n{line}\n"


def _endpoints() -> str:
    """What is asked and answered at each address. An answer that isn't JSON is a text; null is none."""
    rows = ["/** What is asked at each address, and what is answered. */", "export interface Endpoints {"]
    for endpoint in ENDPOINTS:
        body, answer = _named(endpoint.body) or "undefined", _named(endpoint.answer) or "null"
        rows += [*_comment(endpoint.sentence), f'  "{endpoint.address}": {{ body: {body}; answer: {answer} }};']
    return "\n".join([*rows, "}\n"])


def _named(kind: type | None) -> str:
    return "" if kind is None else "string" if kind is str else kind.__name__


def _struct(shown: inspect.Type) -> str:
    assert isinstance(shown, inspect.StructType)
    head = f"/** {docstring(shown.cls)} */"
    notes = {name: text for kind in shown.cls.__mro__ if _is_ours(kind) for name, text in sentences(kind).items()}
    can_lack = shown.forbid_unknown_fields or shown.cls.__struct_config__.omit_defaults
    tag = [(shown.tag_field, _literal(shown.tag), "", "")] if shown.tag_field else []
    fields = [
        (field.encode_name, _field(shown.cls, field), "?" if can_lack and not field.required else "", notes[field.name])
        for field in shown.fields
    ]
    opening, closing = ("type {} = [", "];") if shown.array_like else ("interface {} {{", "}")
    end = "," if shown.array_like else ";"
    rows = [
        row for name, kind, mark, note in (*tag, *fields) for row in (*_comment(note), f"  {name}{mark}: {kind}{end}")
    ]
    return "\n".join([*_wrapped(head), f"export {opening.format(shown.cls.__name__)}", *rows, f"{closing}\n"])


def _field(kind: type, field: inspect.Field) -> str:
    return "Reason" if kind in REFUSED and field.name == "reason" else _type(field.type)


def _is_ours(kind: type) -> bool:
    return issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct


def _comment(note: str) -> list[str]:
    return [f"  {row}" for row in _wrapped(f"/** {note} */", WIDTH - 2)] if note else []


def _wrapped(comment: str, width: int = WIDTH) -> list[str]:
    """A comment on one line, or on several."""
    if len(comment) <= width:
        return [comment]
    inner = comment.removeprefix("/** ").removesuffix(" */")
    return ["/**", *(f" * {line}" for line in textwrap.wrap(inner, width - 3)), " */"]


def _type(kind: inspect.Type) -> str:
    """A type as TypeScript writes it."""
    match kind:
        case inspect.StrType():
            return "string"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.RawType():
            return "AnyEvent"
        case inspect.StructType(cls=cls) | inspect.EnumType(cls=cls):
            return cls.__name__
        case inspect.LiteralType(values=values):
            return " | ".join(map(_literal, values))
        case inspect.UnionType(types=types):
            return " | ".join(map(_type, types))
        case inspect.TupleType(item_types=types):
            return f"[{', '.join(map(_type, types))}]"
        case inspect.DictType(key_type=key, value_type=value):
            return f"Record<{_type(key)}, {_type(value)}>"
        case inspect.CollectionType(item_type=item):
            inner = _type(item)
            return f"({inner})[]" if " " in inner and not inner.endswith("]") else f"{inner}[]"
    raise TypeError(repr(kind))


def _literal(value: object) -> str:
    return msgspec.json.encode(value).decode()
