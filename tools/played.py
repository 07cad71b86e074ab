"""A match over the wire, or part of it, played by one person among bots, for tests and pictures of what comes after."""

import json
import os
import time
from collections.abc import Sequence
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

from tools.decode_message import decode_message
from tools.served import Person, Served

BETWEEN: Final = 0.3
"""Seconds until one asks again."""


def played(
    server: Served, host: Person, bots: Sequence[str], rules: str = "single", deals: int = 0, tricks: int | None = None
) -> str:
    """The id of a table whose match is over; or broken off, once so many deals are over; or left before a turn."""
    table = server.table(host, [None, *bots], rules).removeprefix("/t/")
    address = f"{server.address.replace('http', 'ws')}/api/tables/{table}/socket"
    with connect(address, proxy=None) as socket:
        _say(socket, "hello", protocol=1, build="", token=host.token, since=0)
        phase, turns = "", 0
        for text in socket:
            message = decode_message(text)
            match message:
                case {"type": "batch", "events": events}:
                    _say(socket, "start", expect=len(events))
                case {"type": "turn"} if turns == tricks:
                    break
                case {"type": "turn", "seq": seq, "legal": legal}:
                    turns += 1
                    _say(socket, "play", expect=seq, card=legal[seq % len(legal)])
                case {"type": "happened", "seq": seq, "event": event}:
                    phase = message.get("stand", {}).get("phase", phase)
                    if phase == "over" and event["type"] in ("opened", "ended"):
                        break
                    if event["type"] == "committed":
                        _say(socket, "share", deal=event["deal"], share=os.urandom(16).hex())
                    elif event["type"] == "opened":
                        _say(socket, "end" if event["deal"] == deals else "goon", expect=seq)
    return table


def await_review(server: Served, person: Person, table: str, deal: int = 1, seat: int = 0) -> dict[str, Any]:
    """The final review of a hand, as its person gets it."""
    while True:
        shown = server.ask(f"/api/tables/{table}/reviews", {"deal": deal, "seat": seat}, person.token)
        if shown["stage"] == "final":
            review: dict[str, Any] = shown["review"]
            return review
        time.sleep(BETWEEN)


def _say(socket: ClientConnection, kind: str, **fields: object) -> None:
    socket.send(json.dumps({"type": kind, **fields}))
