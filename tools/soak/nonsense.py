"""What a server hears from those who wish it no good: frames that are broken, lie, come too late or too often.

All chance is an argument, so a seed repeats the nonsense, if not the moments at which it arrives.
"""

import json
from collections.abc import Callable
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

import msgspec

from davidgoliath.rules import deck
from davidgoliath.server.protocol import messages as m

KINDS: tuple[type[msgspec.Struct], ...] = get_args(m.AnyFromClient)
WEIGHTS = [
    {m.Play: 12, m.Start: 3, m.Sit: 3, m.End: 0.05, m.Remove: 0.2, m.Leave: 0.3, m.Lock: 0.3}.get(kind, 1)
    for kind in KINDS
]
"""What ends a match or somebody's part in it is said seldom, or nothing would happen after it."""
CARDS = [str(card) for card in deck(6)]
HUGE = 70_000
"""Bytes: more than the server takes."""
WEIRD: tuple[Any, ...] = (
    *(None, True, False, [], {}, [[]], {"a": {}}, 1.5, 1e308, -0.0),
    *(-1, 0, 1, 2, 6, 99, 2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30, -(10**30), -(2**63)),
    *("", " ", "-", "\x00", "R9", "r9", "R09", "R٣", "R9 ", "X1", "R-1", "R1,2", "V99999999999999999999"),
    *("bot:random", "bot:", "casual", "../../x", "'; DROP TABLE events; --", "%s%n{0}", "\u202eolleh", "😀" * 20),
    *("\ud800", "\udfff\ud800", "é" * 200, "x" * 5000, "00" * 16, "zz" * 16, "０" * 32, "NaN", "null"),
)
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def frame(payload: bytes, opcode: int = TEXT, *, first: int = 0x80, mask: bytes = bytes(4)) -> bytes:
    """A frame from a client, with a mask of zeros unless there is none."""
    masked = 0x80 if mask else 0
    size = len(payload)
    if size < 126:
        head = bytes([first | opcode, masked | size])
    elif size < 1 << 16:
        head = bytes([first | opcode, masked | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([first | opcode, masked | 127]) + size.to_bytes(8, "big")
    return head + mask + payload


class Nonsense:
    """An endless supply, from somebody who knows some things."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.is_broken = False
        """Whether the server may still be waiting for the rest of a frame."""
        self.seq = 0
        """The number of the last event."""
        self.deal = 1
        self.is_time_to_share = False
        self.persons: list[str] = ["nobody"]
        self.overheard: list[bytes] = []
        """What others have said."""
        self.legal: list[str] = []
        """The cards that may be played, if it is the sender's turn."""

    def learn(self, message: dict[str, Any]) -> None:
        """From what the server says."""
        self.legal = []
        match message:
            case {"type": "batch", "first": first, "events": events}:
                self.seq = first + len(events) - 1
            case {"type": "happened", "seq": seq, "event": event}:
                self.seq, self.is_time_to_share = seq, event["type"] == "committed"
                self.deal = event.get("deal", self.deal)
            case {"type": "turn", "seq": seq, "legal": legal}:
                self.seq, self.legal = seq, legal
            case {"type": "refused", "seq": seq} if seq:
                self.seq = seq

    def decent(self) -> bytes:
        """A message that ends no connection: most get further so."""
        if self.is_time_to_share:
            return frame(json.dumps(self._message(m.Share)).encode())
        return frame(self.replayed() if self.rng.random() < 0.15 else self.valid())

    def frames(self) -> bytes:
        """One message, whole or broken, in one frame or several, or a frame that no message has."""
        choices: tuple[tuple[int, Callable[[], bytes]], ...] = (
            (40, lambda: frame(self.valid())),
            (15, lambda: frame(self.mistyped())),
            (10, lambda: frame(self.mangled())),
            (8, lambda: frame(self.replayed())),
            (3, lambda: frame(self.garbage())),
            (3, lambda: frame(self.deep())),
            (3, lambda: frame(self.valid(), BINARY)),
            (3, lambda: self.in_pieces(self.valid())),
            (3, lambda: frame(self.rng.randbytes(self.rng.randrange(300)), BINARY)),
            (3, lambda: frame(self.rng.randbytes(self.rng.randrange(100)), self.rng.choice((PING, PONG)))),
            (1, lambda: frame(b"x" * HUGE)),
            (4, self.broken_frame),
        )
        weights, makers = zip(*choices, strict=True)
        make: Callable[[], bytes] = self.rng.choices(makers, weights)[0]
        return make()

    def hello(self, token: str | None, since: int) -> bytes:
        """As it should be, since who isn't let in sees little."""
        hello = {"type": "hello", "protocol": m.PROTOCOL, "build": "", "token": token, "since": since}
        return json.dumps(hello).encode()

    def valid(self) -> bytes:
        """A message of the right form, whoever may say it."""
        return json.dumps(self._message()).encode()

    def mistyped(self, kind: type[msgspec.Struct] | None = None) -> bytes:
        """One field is of another type, out of range, too much, or missing."""
        message = self._message(kind)
        key = self.rng.choice([*message, "extra"])
        if self.rng.random() < 0.2:
            message.pop(key, None)
        else:
            message[key] = self.rng.choice(WEIRD)
        return json.dumps(message).encode()

    def mangled(self) -> bytes:
        """A message with a part missing, doubled, or changed."""
        text = bytearray(self.valid())
        start, end = sorted(self.rng.randrange(len(text) + 1) for _ in range(2))
        match self.rng.randrange(4):
            case 0:
                del text[start:]
            case 1:
                del text[start:end]
            case 2:
                text[start:start] = text[start:end]
            case _:
                text[start:end] = self.rng.randbytes(end - start)
        return bytes(text)

    def replayed(self) -> bytes:
        """What somebody else has said before."""
        return self.rng.choice(self.overheard or [b"{}"])

    def garbage(self) -> bytes:
        if self.rng.random() < 0.5:
            return self.rng.randbytes(self.rng.randrange(2000))
        return "".join(chr(self.rng.randrange(32, 0xD7FF)) for _ in range(self.rng.randrange(500))).encode()

    def deep(self) -> bytes:
        opening = self.rng.choice((b"[", b'{"type":', b'{"a":[', b'{"type":"play","expect":['))
        return opening * self.rng.randrange(1, 60_000 // len(opening))

    def in_pieces(self, message: bytes) -> bytes:
        """A message in several frames, perhaps with a ping between them, perhaps without its end."""
        cut = self.rng.randrange(len(message))
        parts = [frame(message[:cut], first=0), frame(b"", PING)]
        if self.rng.random() < 0.7:
            parts.append(frame(message[cut:], 0))
        return b"".join(parts)

    def broken_frame(self) -> bytes:
        """Against the rules of WebSockets. What comes after it may count as a part of it."""
        self.is_broken = True
        return self.rng.choice(
            (
                frame(self.valid(), mask=b""),
                frame(self.valid(), first=0xF0),
                frame(self.valid(), self.rng.choice((3, 5, 7, 11, 15))),
                frame(b"x" * 200, PING),
                frame(b"\xff\xfe\xc0"),
                frame(self.valid(), 0),
                frame(b"\x00", CLOSE),
                frame((999).to_bytes(2, "big") + b"\xff", CLOSE),
                b"\x81\xff" + (2**63 - 1).to_bytes(8, "big") + bytes(4),
                self.rng.randbytes(self.rng.randrange(1, 60)),
            )
        )

    def token(self, real: str) -> str:
        """Not somebody's token, but near it."""
        place = self.rng.randrange(len(real))
        wrong = chr(ord(real[place]) ^ 1)
        return self.rng.choice((real[:place] + wrong + real[place + 1 :], real[:-1], real + "x", real.swapcase() + "-"))

    def _message(self, kind: type[msgspec.Struct] | None = None) -> dict[str, Any]:
        kind = kind or self.rng.choices(KINDS, WEIGHTS)[0]
        message = {"type": kind.__struct_config__.tag}
        for field in msgspec.structs.fields(kind):
            if field.required or self.rng.random() < 0.5:
                message[field.encode_name] = self._value(field.encode_name, field.type)
        return message

    def _value(self, name: str, kind: Any) -> Any:
        """What a field may hold: often what fits the moment."""
        rng = self.rng
        known: dict[str, Callable[[], Any]] = {
            "expect": lambda: max(0, self.seq + rng.choice((0, 0, 0, 0, 0, 0, -1, 1, -5, 1000))),
            "since": lambda: rng.choice((0, self.seq, self.seq // 2, self.seq + 7)),
            "protocol": lambda: rng.choice((1, 1, 1, 0, 2)),
            "token": lambda: rng.choice((None, "", self.token("0" * 32))),
            "seat": lambda: rng.choice((0, 1, 2, 2, -1, 3, 6)),
            "bot": lambda: rng.choice(("random", "random", "bot:random", "master", "")),
            "fill": lambda: rng.choice(("random", None, "x")),
            "card": lambda: rng.choice(self.legal if self.legal and rng.random() < 0.8 else CARDS),
            "person": lambda: rng.choice(self.persons),
            "deal": lambda: self.deal + rng.choice((0, 0, 0, 1, -1)),
            "share": lambda: rng.randbytes(rng.choice((16, 16, 16, 0, 15, 40))).hex(),
        }
        if name in known:
            return known[name]()
        choices = get_args(kind) if get_origin(kind) in (Literal, UnionType) else (kind,)
        choice = rng.choice(choices)
        plain: dict[Any, Callable[[], Any]] = {
            bool: lambda: rng.random() < 0.5,
            int: lambda: rng.randrange(-2, 100),
            float: rng.random,
            str: lambda: rng.choice(("", "x", "random")),
            NoneType: lambda: None,
        }
        return plain[choice]() if choice in plain else choice
