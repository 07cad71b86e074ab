"""The page `docs/protocol.md`: what clients and the server say, from the types that the server itself uses.

Fields, types, defaults and sentences come from the sources; the examples are instances, written as the server writes
them. A test reads each of them, so the page can't drift.
"""

import ast
import inspect
import textwrap
import typing
from pathlib import Path
from string import Template
from typing import Any, Final

import msgspec

from davidgoliath.match.shuffle import Shuffle
from davidgoliath.rules import Reason
from davidgoliath.server import bodies
from davidgoliath.server import events as e
from davidgoliath.server import messages as m
from davidgoliath.server import outcome as o
from davidgoliath.server.table import Denial, Phase
from davidgoliath.texts import Texts

TABLE, ANNA, BEN = "k3f9m2xw7hqp", "anna4tz8rj6c", "ben2vd7kxq9s"
FRESH: Final = Shuffle.fresh(TABLE, 1, dealer=2, players=3, source=bytes)
SHUFFLE: Final = FRESH.with_share(0, bytes(range(16)))
HANDS: Final = tuple(map(str, SHUFFLE.deal().hands))

CLIENT: Final[tuple[m.AnyFromClient, ...]] = (
    m.Hello(m.PROTOCOL, "", "p9Xk…", 7),
    m.Sit(1, 1),
    m.Leave(2),
    m.Back(9),
    m.PlaceBot(2, 2, "club"),
    m.Free(3, 2),
    m.Start(3, "club"),
    m.Play(7, "R9"),
    m.Undo(9),
    m.DealAgain(9),
    m.GoOn(52),
    m.Pause(9),
    m.Resume(10),
    m.SetPace(9, 300),
    m.Lock(9, True),
    m.LetWatch(9, False),
    m.Ask(9, 1),
    m.ReplaceAbsent(9, 1),
    m.Remove(9, BEN),
    m.End(9),
    m.PlayAgain(120),
    m.Share(1, bytes(range(16)).hex()),
    m.Say("well_played"),
)
EVENTS: Final[tuple[e.AnyEvent, ...]] = (
    e.Created(ANNA, (ANNA, None, "bot:club"), "classic", 60),
    e.Sat(1, BEN),
    e.Stood(1),
    e.Reserved(2, BEN),
    e.Asked(1),
    e.Away(1, "silent"),
    e.StoodIn(1, "club"),
    e.CameBack(1),
    e.Started(),
    e.Committed(1, FRESH.commitment),
    e.Dealt(1, 2, (HANDS[0], "-", "-")),
    e.Opened(1, str(SHUFFLE)),
    e.Aborted(1),
    e.Played(2, "R9", "bot"),
    e.Undone(3),
    e.WentOn(0),
    e.Paused(False),
    e.Resumed(),
    e.PaceSet(300),
    e.Locked(True),
    e.Watching(False),
    e.Removed(BEN),
    e.HostIs(BEN),
    e.Ended(),
    e.Rematch("w7hqpk3f9m2x"),
)
TOOK: Final = o.Took("G2,9", "G12", (o.Cell(0, 2, 11, -8), o.Cell(2, 2, 12, None)), None)
RED_LED: Final = [o.Preview(1, 0, "R7", [(1, 0, 2), (0, 0, 7)]), o.Preview(0, 1, "R9", [(0, 0, 7), (1, 0, 9)])]
SERVER: Final[tuple[m.AnyFromServer, ...]] = (
    m.Welcome(m.PROTOCOL, "4f1c09d2a7be", TABLE, ANNA, 9, 3, None),
    m.Batch(1, [m.Told(msgspec.Raw(e.encode(event))) for event in EVENTS[:2]]),
    m.Happened(57, msgspec.Raw(e.encode(e.Played(2, "G2"))), o.Now(0, 0, 2), TOOK),
    m.Turn(6, ["R2", "R9"], RED_LED, 60.0),
    m.Hand(6, HANDS[0]),
    m.Names({ANNA: "Anna", BEN: "Ben"}),
    m.Present([ANNA, BEN], 1),
    m.Warming(False),
    m.Saving(False),
    m.Said(1, "well_played"),
    m.Refused("stale", {}, 8),
)

ENDPOINTS: Final[tuple[tuple[str, str, Any, Any], ...]] = (
    ("GET /healthz", "Whether the server runs.", None, bodies.Health("0.1.0")),
    ("GET /readyz", "Whether people may be sent here; for whoever spreads them.", None, bodies.Readiness(True)),
    (
        "GET /api/server",
        "What the server offers.",
        None,
        bodies.ServerShown("0.1.0", ["random", "beginner", "casual", "club"], False, True, 1.0, 30.0),
    ),
    ("POST /api/people", "Somebody new.", bodies.NewPerson("Anna"), bodies.PersonMade(ANNA, "p9Xk…")),
    (
        "GET /api/me",
        "Your data, as the server holds it. Needs a token.",
        None,
        bodies.Me(
            ANNA,
            "Anna",
            1.79e9,
            (1.79e9,),
            [
                bodies.MyTable(
                    TABLE,
                    f"/t/{TABLE}",
                    1.79e9,
                    1.79e9,
                    "running",
                    bodies.Game(["Anna", "Ben", "bot:club"], 0, "classic", "playing", (21, 25, 24), True),
                )
            ],
        ),
    ),
    (
        "DELETE /api/me",
        "Deletes your name, tokens and history: 204, and no body. Needs a token. Bots get your seats; records say `?`.",
        None,
        None,
    ),
    (
        "POST /api/me/name",
        "Another name for you. Needs a token. The answer has the name as it is shown.",
        bodies.NewPerson("Anna"),
        bodies.NewPerson("Anna"),
    ),
    (
        "POST /api/me/tokens",
        "Another token for you, up to ten at a time: 201. Needs a token, which goes on until it is taken back.",
        None,
        bodies.TokenMade("w3Tz…"),
    ),
    (
        "DELETE /api/me/tokens",
        "Takes back all your tokens but the one by which you ask. What is connected by them is refused, and closed.",
        None,
        bodies.Revoked(2),
    ),
    (
        "GET /api/tables",
        "The tables that want to be found, if the server has such a list; else 404 and the reason `no_public_list`.",
        None,
        bodies.TableList([bodies.ListedTable(TABLE, "Anna", 4, 2, "classic", 1.79e9)]),
    ),
    (
        "POST /api/tables",
        "A new table. Needs a token.",
        bodies.NewTable([None, None, "club"], "classic deals=2", 60),
        bodies.TableMade(TABLE),
    ),
    (
        "GET /api/tables/{table}",
        "A table, for anyone who has its id. Its match is over when `phase` is `over`.",
        None,
        bodies.TableShown(3, "classic", "playing", (21, 25, 24), 60, False),
    ),
    (
        "GET /api/tables/{table}/link",
        "The table's link as others can open it, made from the address by which you came (`Host`).",
        None,
        bodies.Link(f"http://192.168.1.5:8642/t/{TABLE}", "network"),
    ),
    ("GET /api/tables/{table}/qr.svg", "The same link as a QR code.", None, None),
    (
        "GET /api/tables/{table}/record.{form}",
        "The deals that are over, as `record.dgn` or `record.json` (JSON Lines): [notation.md](notation.md).",
        None,
        None,
    ),
    (
        "GET /api/tables/{table}/replay",
        "The deals that are over, event by event.",
        None,
        bodies.Replay(
            m.Welcome(m.PROTOCOL, "4f1c09d2a7be", TABLE, None, 9, 3, None),
            {ANNA: "Anna", BEN: "Ben"},
            [m.Told(msgspec.Raw(e.encode(EVENTS[0])), stand=o.Stand(Phase.GATHERING, 0, (0, 0, 0), (1, 1, 1), True))],
        ),
    ),
    (
        "WEBSOCKET /api/tables/{table}/socket",
        "The table itself: see [the flow](#the-flow).",
        None,
        None,
    ),
)
PARTS: Final[dict[type, tuple[tuple[str, type], ...]]] = {
    bodies.Me: (("One of `tables`", bodies.MyTable), ("Its `game`", bodies.Game)),
    bodies.TableList: (("One of `tables`", bodies.ListedTable),),
}
"""What is within other types."""
REFUSED: Final = bodies.Refusal("no_such_table", {}, "there is no such table")
REASONS: Final = (
    "stale",
    *Denial,
    Reason.NOT_YOUR_TURN,
    Reason.NOT_IN_HAND,
    Reason.MUST_FOLLOW,
    Reason.NO_SUCH_CARD,
    Reason.NO_SUCH_SEAT,
    Reason.NO_SUCH_BOT,
    Reason.NO_DEAL,
    Reason.MATCH_IS_OVER,
    "table_closed",
    "not_stored",
    "host_unknown",
    "too_many_requests",
    "too_many_sockets",
    "too_many_messages",
    "too_many_joins",
    "too_many_watchers",
    "too_many_devices",
    "hello_missing",
    "protocol_differs",
    "token_unknown",
    "token_missing",
    "too_many_tokens",
    "no_such_table",
    "no_public_list",
    "request_unfit",
)


def page() -> str:
    """The page: the prose of `tools/protocol.md`, filled in."""
    prose = Template(Path(__file__).with_suffix(".md").read_text(encoding="utf-8"))
    objects = (("A told event", m.Told), ("A standing", o.Stand))
    lists = (("A preview", o.Preview), ("Whose turn", o.Now), ("A trick taken", o.Took), ("A cell", o.Cell))
    parts = [f"### {title}\n\n{_docstring(kind)}\n\n{_fields(kind)}" for title, kind in objects]
    parts += [_listed(title, kind) for title, kind in lists]
    return prose.substitute(
        protocol=m.PROTOCOL,
        http=_http(),
        client="\n".join(map(_message, CLIENT)),
        server="\n".join([*map(_message, SERVER), *parts]),
        events="\n".join(map(_message, EVENTS)),
        reasons=_reasons(),
    )


def _listed(title: str, kind: type[Any]) -> str:
    """A part of a message that is written as a list of its fields."""
    return f"### {title}\n\n{_docstring(kind)} A list of these, in this order:\n\n{_fields(kind)}"


def _http() -> str:
    parts = [_sample(REFUSED), _fields(bodies.Refusal)]
    for address, sentence, request, answer in ENDPOINTS:
        parts += [f"### `{address}`\n", f"{sentence}\n"]
        for title, body in (("Request", request), ("Answer", answer)):
            if body is not None:
                parts += [f"{title}: {_docstring(type(body))}\n", _sample(body), _fields(type(body))]
            for name, part in PARTS.get(type(body), ()):
                parts += [f"{name}: {_docstring(part)}\n", _fields(part)]
    return "\n".join(parts)


def _message(message: msgspec.Struct) -> str:
    kind = type(message)
    parts = [f"### `{kind.__struct_config__.tag}`\n", f"{_docstring(kind)}\n", _fields(kind), _sample(message)]
    return "\n".join(part for part in parts if part)


def _docstring(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split())


def _sample(value: object) -> str:
    return f"```json\n{msgspec.json.format(msgspec.json.encode(value), indent=-1).decode()}\n```\n"


def _fields(kind: type) -> str:
    """The fields of a type and of those that it extends, as a table."""
    rows = [row for part in reversed(kind.__mro__) if _is_ours(part) for row in _rows(part)]
    return "\n".join(["| field | type | |", "|---|---|---|", *rows, ""]) if rows else ""


def _is_ours(kind: type) -> bool:
    return issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct


def _rows(kind: type) -> list[str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(tree, ast.ClassDef)
    rows = []
    for place, node in enumerate(tree.body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            words = _type(node.annotation)
            if node.value is not None:
                words += f", default {_literal(node.value)}"
            rows.append(f"| `{node.target.id}` | {words} | {_sentence(tree.body[place + 1 :])} |")
    return rows


def _sentence(rest: list[ast.stmt]) -> str:
    """The docstring of a field, if one follows it."""
    match rest:
        case [ast.Expr(value=ast.Constant(value=str(text))), *_]:
            return " ".join(text.split())
    return ""


def _literal(node: ast.expr) -> str:
    return f"`{msgspec.json.encode(ast.literal_eval(node)).decode()}`"


NAMES: Final = {
    "str": "text",
    "int": "integer",
    "bool": "true or false",
    "float": "number",
    "Any": "anything",
    "Seat": "seat",
    "Person": "person",
    "Preview": "preview",
    "Now": "whose turn",
    "Stand": "standing",
    "Phase": "phase",
    "Welcome": "`welcome`",
    "Took": "trick taken",
    "Cell": "cell",
    "Told": "told event",
    "Tie": "`highest`, `lowest`, `both`, `all`",
    "MyTable": "table",
    "ListedTable": "table",
    "Game": "game",
    "Raw": "event",
}


def _type(node: ast.expr) -> str:
    """A type in words."""
    match node:
        case ast.BinOp(left=left, right=right):
            return f"{_type(left)} or {_type(right)}"
        case ast.Constant(value=None):
            return "null"
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return NAMES[name]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Name(id=name)):
            return ", ".join(f"`{word}`" for word in getattr(m, name))
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=words)):
            return ", ".join(f"`{ast.literal_eval(word)}`" for word in words)
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[key, value])):
            return f"object: {_type(value)} by {_type(key)}"
        case ast.Subscript(slice=ast.Tuple(elts=[part, *_])) | ast.Subscript(slice=part):
            return f"list of {_type(part)}"
    raise TypeError(ast.dump(node))


def _reasons() -> str:
    catalogue = Texts("en").catalogue
    rows = ["| reason | text |", "|---|---|"]
    for reason in REASONS:
        text = catalogue[f"error.{reason}"]
        rows.append(f"| `{reason}` | {text if isinstance(text, str) else text['other']} |")
    return "\n".join([*rows, ""])


def kinds(union: Any) -> list[type]:
    """The types of a union, in their order."""
    return list(typing.get_args(union))
