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

from davidgoliath.art import Form, Rim
from davidgoliath.bots import BotReason
from davidgoliath.match.effects import Cell, Now, Preview, Took
from davidgoliath.match.shuffle import Shuffle
from davidgoliath.match.turning_points import TurningPoint
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Reason
from davidgoliath.server.asgi.app import ENDPOINTS, SOCKET
from davidgoliath.server.asgi.reasons import RequestReason
from davidgoliath.server.ops.failures import FailureReason
from davidgoliath.server.people.stones import Stone
from davidgoliath.server.protocol import http_types
from davidgoliath.server.protocol import messages as m
from davidgoliath.server.protocol import study_types as s
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.server.table import events as e
from davidgoliath.server.table.outcome import Stand
from davidgoliath.server.table.table import Denial, Phase
from davidgoliath.study.values import Grade, ReasonKind
from davidgoliath.study.wording import Sentence
from davidgoliath.texts import Texts

TABLE, ANNA, BEN = "k3f9m2xw7hqp", "anna4tz8rj6c", "ben2vd7kxq9s"
FRESH: Final = Shuffle.fresh(TABLE, 1, dealer=2, players=3, source=bytes)
SHUFFLE: Final = FRESH.with_share(0, bytes(range(16)))
HANDS: Final = tuple(map(str, SHUFFLE.deal().hands))
STONE: Final = Stone(Form.FLAT, Rim.CYAN)

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
    m.Hint(9),
    m.AllowHints(2, True),
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
    e.HintsAllowed(True),
    e.Hinted(0),
    e.Locked(True),
    e.Watching(False),
    e.Removed(BEN),
    e.HostIs(BEN),
    e.Ended(),
    e.Rematch("w7hqpk3f9m2x"),
)
TOOK: Final = Took("G2,9", "G12", (Cell(0, 2, 11, -8), Cell(2, 2, 12, None)), None)
RED_LED: Final = [Preview(1, 0, "R7", [(1, 0, 2), (0, 0, 7)]), Preview(0, 1, "R9", [(0, 0, 7), (1, 0, 9)])]
JUDGE: Final = "master 1"
WORTHS: Final = [
    s.Worth("R9", -0.8, -1.6, 0.0, 0.0, 0.0, 0.0, Grade.BEST),
    s.Worth("R2", -3.2, -4.0, -2.4, 2.4, 1.1, 3.6, Grade.MISTAKE),
]
SAID: Final = Sentence(
    "study.reason.third_card", {"card": "R2", "other": "R9", "colour": "V", "colours": "V", "often": 62, "less": 31}
)
WHY: Final = s.Why(
    ReasonKind.THIRD_CARD, -1.7, -2.4, -1.0, share=0.62, best_share=0.31, key=SAID.key, arguments=dict(SAID.arguments)
)
CHOICE: Final = s.ChoiceShown(3, "R2", "R9", 2.4, 1.1, 3.6, Grade.MISTAKE, WORTHS, [WHY])
REVIEW: Final = s.ReviewBody(1, 0, [CHOICE], s.LedgerShown(4.2, -6.1, 3.0, 1.1, (4.2, 1.1)), 0.31, 0.2, 0.42, JUDGE)
SERVER: Final[tuple[m.AnyFromServer, ...]] = (
    m.Welcome(m.PROTOCOL, "4f1c09d2a7be", TABLE, ANNA, 9, 3, None),
    m.Batch(1, [m.Told(msgspec.Raw(e.encode(event))) for event in EVENTS[:2]]),
    m.Happened(57, msgspec.Raw(e.encode(e.Played(2, "G2"))), Now(0, 0, 2), TOOK),
    m.Turn(6, ["R2", "R9"], RED_LED, 60.0),
    m.Advice(7, "R9", "R2", WORTHS, [WHY], JUDGE),
    m.Hand(6, HANDS[0]),
    m.Names({ANNA: "Anna", BEN: "Ben"}, {ANNA: STONE}),
    m.Present([ANNA, BEN], 1),
    m.Warming(False),
    m.Saving(False),
    m.Said(1, "well_played"),
    m.Refused("stale", {}, 8),
)

EXAMPLES: Final[dict[type, msgspec.Struct]] = {
    type(example): example
    for example in (
        http_types.Health("0.1.0"),
        http_types.Readiness(True),
        http_types.ServerShown(
            version="0.1.0",
            bots=["random", "beginner", "casual", "club"],
            public_list=False,
            ready=True,
            unstarted_days=1.0,
            idle_days=30.0,
            pace=1000,
            scores_seconds=30.0,
            answer_seconds=60.0,
            study=True,
            figures_days=365.0,
        ),
        http_types.NewPerson("Anna"),
        STONE,
        http_types.PersonMade(ANNA, "p9Xk…"),
        http_types.Me(
            ANNA,
            "Anna",
            1.79e9,
            (1.79e9,),
            [
                http_types.MyTable(
                    TABLE,
                    f"/t/{TABLE}",
                    1.79e9,
                    1.79e9,
                    "running",
                    http_types.Game(
                        ["Anna", "Ben", "bot:club"],
                        0,
                        "classic",
                        Phase.PLAYING,
                        (21, 25, 24),
                        True,
                        (3, 1, 2),
                        None,
                        False,
                        [STONE, Stone(Form.ROUND, Rim.INK), None],
                    ),
                )
            ],
            STONE,
        ),
        http_types.TokenMade("w3Tz…"),
        http_types.Revoked(2),
        http_types.TableList([http_types.ListedTable(TABLE, "Anna", 4, 2, "classic", 1.79e9, False)]),
        http_types.NewTable([None, None, "club"], "classic deals=2", 60),
        http_types.TableMade(TABLE),
        http_types.TableShown(3, "classic", Phase.PLAYING, (21, 25, 24), 60, False, False),
        http_types.Link(f"http://192.168.1.5:8642/t/{TABLE}", http_types.Reach.NETWORK, "KPRTXW"),
        http_types.Code("kpr txw"),
        http_types.TableFound(TABLE),
        http_types.PersonalLink("http://192.168.1.5:8642/#me=w3Tz…", http_types.Reach.NETWORK, "<svg …"),
        s.ReviewList([s.ReviewState(1, 0, s.ReviewStage.FINAL, True)], False, {"club": s.Between(0.52, 0.45, 0.58)}),
        s.ReviewWanted(1, 0),
        s.ReviewShown(s.ReviewStage.IMPROVING, 0.25, REVIEW),
        s.Sharing(True),
        s.KnowledgeWanted(1, 2, 7),
        s.KnowledgeShown(HANDS[2], [s.Guess(0, [2.1, 3.4, 2.0, 4.5, 3.0])], WORTHS, JUDGE),
        s.Figures(
            [
                s.WeekShown(
                    week="2026-W47",
                    company="club",
                    deals=s.Sum(3, -4.0),
                    choices=s.Sum(38, 19.4),
                    squares=60.2,
                    dealt=2.1,
                    own=-9.0,
                    others=2.9,
                    grades={"best": s.Sum(30, 0.0), "mistake": s.Sum(8, 19.4)},
                    reasons={"third_card": s.Sum(5, 11.2)},
                )
            ],
            365.0,
        ),
        http_types.Replay(
            m.Welcome(m.PROTOCOL, "4f1c09d2a7be", TABLE, None, 9, 3, None),
            {ANNA: "Anna", BEN: "Ben"},
            [
                m.Told(
                    msgspec.Raw(e.encode(EVENTS[0])), stand=Stand(Phase.GATHERING, 0, (0, 0, 0), (1, 1, 1), True, True)
                )
            ],
            {ANNA: STONE, BEN: Stone(Form.ROUND, Rim.INK)},
        ),
    )
}
"""What HTTP carries, by type."""
PARTS: Final[dict[type | None, tuple[tuple[str, type], ...]]] = {
    http_types.Me: (("One of `tables`", http_types.MyTable), ("Its `game`", http_types.Game)),
    http_types.TableList: (("One of `tables`", http_types.ListedTable),),
    s.ReviewList: (("One of `reviews`", s.ReviewState),),
    s.ReviewShown: (
        ("Its `review`", s.ReviewBody),
        ("One of `choices`", s.ChoiceShown),
        ("Its `ledger`", s.LedgerShown),
    ),
    s.KnowledgeShown: (("One of `guesses`", s.Guess),),
    s.Figures: (("One of `weeks`", s.WeekShown),),
}
"""What is within other types."""
REFUSED: Final = http_types.Refusal("no_such_table", {}, "there is no such table")
REASONS: Final = (
    RoomReason.STALE,
    *Denial,
    Reason.NOT_YOUR_TURN,
    Reason.NOT_IN_HAND,
    Reason.MUST_FOLLOW,
    Reason.NO_SUCH_CARD,
    Reason.NO_SUCH_SEAT,
    BotReason.NO_SUCH_BOT,
    NotationReason.NO_DEAL,
    NotationReason.MATCH_IS_OVER,
    RoomReason.TABLE_CLOSED,
    FailureReason.NOT_STORED,
    RequestReason.HOST_UNKNOWN,
    RequestReason.TOO_MANY_REQUESTS,
    RequestReason.TOO_MANY_SOCKETS,
    RequestReason.TOO_MANY_MESSAGES,
    RequestReason.TOO_MANY_JOINS,
    RoomReason.NO_SUCH_CODE,
    RequestReason.TOO_MANY_CODES,
    RoomReason.TOO_MANY_WATCHERS,
    RoomReason.TOO_MANY_DEVICES,
    RequestReason.HELLO_MISSING,
    RequestReason.PROTOCOL_DIFFERS,
    RequestReason.TOO_MANY_HINTS,
    RequestReason.REVIEWS_USED_UP,
    RoomReason.TOO_MANY_REVIEWS,
    RoomReason.NO_JUDGE,
    RoomReason.TOKEN_UNKNOWN,
    RequestReason.TOKEN_MISSING,
    RoomReason.TOO_MANY_TOKENS,
    RoomReason.NO_SUCH_TABLE,
    RequestReason.NO_PUBLIC_LIST,
    RequestReason.REQUEST_UNFIT,
)


def page() -> str:
    """The page: the prose of `tools/protocol.md`, filled in."""
    prose = Template(Path(__file__).with_suffix(".md").read_text(encoding="utf-8"))
    objects = (
        ("A told event", m.Told),
        ("A standing", Stand),
        ("A stone", Stone),
        ("What a card is worth", s.Worth),
        ("A reason", s.Why),
        ("A range", s.Between),
        ("A sum", s.Sum),
    )
    lists = (
        ("A preview", Preview),
        ("Whose turn", Now),
        ("A trick taken", Took),
        ("A cell", Cell),
        ("A turning point", TurningPoint),
    )
    parts = [f"### {title}\n\n{docstring(kind)}\n\n{_fields(kind)}" for title, kind in objects]
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
    return f"### {title}\n\n{docstring(kind)} A list of these, in this order:\n\n{_fields(kind)}"


def _http() -> str:
    parts = [_sample(REFUSED), _fields(http_types.Refusal)]
    for endpoint in ENDPOINTS:
        parts += [f"### `{endpoint.address}`\n", f"{endpoint.sentence}\n"]
        for title, kind in (("Request", endpoint.body), ("Answer", endpoint.answer)):
            if kind in EXAMPLES:
                parts += [f"{title}: {docstring(kind)}\n", _sample(EXAMPLES[kind]), _fields(kind)]
            for name, part in PARTS.get(kind, ()):
                parts += [f"{name}: {docstring(part)}\n", _fields(part)]
    parts += [f"### `WEBSOCKET {SOCKET}`\n", "The table itself: see [the flow](#the-flow).\n"]
    return "\n".join(parts)


def _message(message: msgspec.Struct) -> str:
    kind = type(message)
    parts = [f"### `{kind.__struct_config__.tag}`\n", f"{docstring(kind)}\n", _fields(kind), _sample(message)]
    return "\n".join(part for part in parts if part)


def docstring(kind: type) -> str:
    """What a type is, on one line."""
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
    rows = []
    for name, node, sentence in _annotated(kind):
        words = _type(node.annotation)
        if node.value is not None:
            words += f", default {_literal(node.value)}"
        rows.append(f"| `{name}` | {words} | {sentence} |")
    return rows


def sentences(kind: type) -> dict[str, str]:
    """What is said of each field of a type itself; nothing of most."""
    return {name: sentence for name, _, sentence in _annotated(kind)}


def _annotated(kind: type) -> list[tuple[str, ast.AnnAssign, str]]:
    """The fields of a type in its source, each with its docstring."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(tree, ast.ClassDef)
    return [
        (node.target.id, node, _sentence(tree.body[place + 1 :]))
        for place, node in enumerate(tree.body)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]


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
    "Reach": "reach",
    "Welcome": "`welcome`",
    "Took": "trick taken",
    "Cell": "cell",
    "TurningPoint": "turning point",
    "Told": "told event",
    "Tie": "`highest`, `lowest`, `both`, `all`",
    "MyTable": "table",
    "ListedTable": "table",
    "Game": "game",
    "Raw": "event",
    "Stone": "stone",
    "Form": ", ".join(f"`{form}`" for form in Form),
    "Worth": "what a card is worth",
    "Why": "reason",
    "Between": "range",
    "Sum": "sum",
    "Guess": "guess",
    "ChoiceShown": "choice",
    "LedgerShown": "ledger",
    "ReviewBody": "review",
    "ReviewState": "review",
    "WeekShown": "week",
    "ReviewStage": ", ".join(f"`{stage}`" for stage in s.ReviewStage),
    "Grade": ", ".join(f"`{grade}`" for grade in Grade),
    "ReasonKind": ", ".join(f"`{kind}`" for kind in ReasonKind),
    "Rim": ", ".join(f"`{rim}`" for rim in Rim),
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
