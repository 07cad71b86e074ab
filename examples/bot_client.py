"""A bot that plays at a table of a davidgoliath server, written from docs/protocol.md alone.

    python bot_client.py http://127.0.0.1:8642/t/TABLE [NAME]

It sits down in the first open seat, and plays the card that leaves its pile worth most after the trick as it lies.
"""

import asyncio
import json
import secrets
import sys
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


def ask(address, body=None):
    """The answer to a GET, or to a POST of a body."""
    request = Request(address, None if body is None else json.dumps(body).encode())
    with urlopen(request) as answer:
        return json.load(answer)


class Bot:
    def __init__(self, link, name):
        self.site, self.table = urlsplit(link).netloc, urlsplit(link).path.rsplit("/", 1)[-1]
        self.api = f"http://{self.site}/api/tables/{self.table}"
        self.token = ask(f"http://{self.site}/api/people", {"name": name})["token"]
        self.me = self.seat = self.socket = None
        self.seq, self.open, self.over = 0, set(), False
        self.worth = {}

    async def play(self):
        """Plays until the match is over; `connect` connects again when the line breaks."""
        async for socket in connect(f"ws://{self.site}/api/tables/{self.table}/socket"):
            self.socket = socket
            try:
                await self.say(type="hello", protocol=1, build="", token=self.token, since=self.seq)
                async for message in socket:
                    await self.hear(json.loads(message))
                    if self.over:
                        return
            except ConnectionClosed:
                pass

    async def say(self, **message):
        await self.socket.send(json.dumps(message))

    async def hear(self, message):
        match message:
            case {"type": "welcome", "you": me}:
                self.me = me
            case {"type": "batch", "first": first, "events": events}:
                for seq, told in enumerate(events, first):
                    self.note(seq, told)
                await self.move_on()
            case ["happened", seq, event, _now, took, _stand]:
                self.note(seq, {"event": event, "took": took})
                if event["type"] == "committed":
                    await self.say(type="share", deal=event["deal"], share=secrets.token_hex(16))
                if event["type"] in ("opened", "ended"):
                    await self.move_on()
            case {"type": "turn", "seq": seq, "legal": legal, "previews": previews}:
                gains = [self.gain(preview) for preview in previews] or [0]
                await self.say(type="play", expect=seq, card=legal[gains.index(max(gains))])
            case {"type": "refused", "reason": "stale"}:  # somebody was quicker: look again
                await self.move_on()

    async def move_on(self):
        """Whatever is to be done besides playing cards: sit down, or go on after the scores."""
        phase = ask(self.api)["phase"]
        self.over = phase == "over"
        if self.seat is None and self.open:
            await self.say(type="sit", expect=self.seq, seat=min(self.open))
        elif phase == "scores":
            await self.say(type="goon", expect=self.seq)

    def gain(self, preview):
        """What our own pile would gain if the trick ended with a card."""
        _goliath, _david, _to_david, worths = preview
        return sum(worth - self.worth.get(colour, 0) for seat, colour, worth in worths if seat == self.seat)

    def note(self, seq, told):
        """What an event changes for us: the seats, and what the colours of our own pile are worth."""
        self.seq = seq
        if told.get("took"):
            _to_goliath, _to_david, cells, _tie = told["took"]
            self.worth |= {colour: worth for seat, colour, worth, more in cells if seat == self.seat}
        match told["event"]:
            case {"type": "dealt"}:
                self.worth = {}
            case {"type": "created", "seats": seats}:
                self.open = {seat for seat, player in enumerate(seats) if player is None}
            case {"type": "sat", "seat": seat, "player": player}:
                self.open.discard(seat)
                self.seat = seat if player == self.me else None if seat == self.seat else self.seat
            case {"type": "stood", "seat": seat}:
                self.open.add(seat)


if __name__ == "__main__":
    asyncio.run(Bot(sys.argv[1], *(sys.argv[2:] or ["Robin"])).play())
