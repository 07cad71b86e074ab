"""Somebody at a table over the wire, who does nothing but what they are told, for tests and pictures of the page."""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from websockets.sync.client import connect

from tools.decode_message import decode_message
from tools.served import Person, Served

PATIENCE = 20.0
"""Seconds until whatever is awaited has to be there, on a busy computer."""


class Friend:
    """A person's line to a table. It sends shares for the shuffle by itself."""

    def __init__(self, server: Served, path: str, person: Person) -> None:
        self.person, self.path, self.seq = person, path, 0
        self.seat: int | None = None
        self.events: list[dict[str, Any]] = []
        self._turn: dict[str, Any] | None = None
        table = path.removeprefix("/t/")
        self._line = ExitStack()
        address = f"{server.address.replace('http', 'ws')}/api/tables/{table}/socket"
        socket = connect(address, proxy=None, max_queue=None, close_timeout=1, ping_interval=None)  # the server pings
        self._socket = self._line.enter_context(socket)
        self._say("hello", protocol=1, build="", token=person.token, since=0)
        while self._hear()["type"] != "present":
            pass

    def close(self) -> None:
        self._line.close()

    def wish(self, kind: str, gets: str, **fields: object) -> dict[str, Any]:
        """Wishes until it comes true as an event of this kind, whoever is quicker with something else."""
        while True:
            while self._has_more():
                pass
            self._say(kind, expect=self.seq, **fields)
            for message in self._answers():
                event: dict[str, Any] = message.get("event", {})
                if event.get("type") == gets and self._is_mine(event, fields):
                    return event
                if message["type"] == "refused":
                    assert message["reason"] == "stale", message["reason"]
                    break

    def _is_mine(self, event: dict[str, Any], fields: dict[str, object]) -> bool:
        """Whether that came of a wish of ours with these fields, and not of another's like it."""
        wanted = {"seat": self.seat, **fields}
        return all(event.get(name, value) == value for name, value in wanted.items())

    def await_event(self, kind: str, **fields: object) -> dict[str, Any]:
        """The next event of a kind, with these fields."""
        for message in self._answers():
            event: dict[str, Any] = message.get("event", {})
            if event.get("type") == kind and fields.items() <= event.items():
                return event
        raise AssertionError

    def play(self) -> str:
        """Plays the first legal card, once it is their turn."""
        while self._turn is None or self._turn["seq"] != self.seq:
            self._hear()
        card: str = self._turn["legal"][0]
        self.wish("play", "played", card=card)
        return card

    def play_if_due(self) -> bool:
        """The same, if it is."""
        while self._has_more():
            pass
        is_due = self._turn is not None and self._turn["seq"] == self.seq
        if is_due:
            self.play()
        return is_due

    def emote(self, emote: str) -> None:
        self._say("say", emote=emote)

    def _answers(self) -> Iterator[dict[str, Any]]:
        while True:
            message = self._hear()
            if message["type"] in ("happened", "refused"):
                yield message

    def _has_more(self) -> bool:
        try:
            self._take(self._socket.recv(timeout=0))
        except TimeoutError:
            return False
        return True

    def _hear(self) -> dict[str, Any]:
        return self._take(self._socket.recv(timeout=PATIENCE))

    def _take(self, text: str | bytes) -> dict[str, Any]:
        message = decode_message(text)
        match message:
            case {"type": "batch", "first": first, "events": events}:
                self.seq = first - 1 + len(events)
            case {"type": "happened", "seq": seq, "event": event}:
                self.seq = seq
                self.events.append(event)
                if event["type"] == "committed":
                    self._say("share", deal=event["deal"], share=os.urandom(16).hex())
            case {"type": "turn"}:
                self._turn = message
        return message

    def _say(self, kind: str, **fields: object) -> None:
        self._socket.send(json.dumps({"type": kind, **fields}))


def friends(server: Served, path: str, *people: Person, fill: str = "club") -> list[Friend]:
    """The host and others, who take the seats after the host's, at a match that has begun; bots fill the others."""
    lines = [Friend(server, path, person) for person in people]
    for seat, friend in enumerate(lines):
        friend.seat = seat
        if seat:
            friend.wish("sit", "sat", seat=seat)
    lines[0].wish("start", "started", fill=fill)
    for friend in lines:
        friend.await_event("dealt")
    return lines
