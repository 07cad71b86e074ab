"""Plays a match as pages would, in the browser's Python, when a site is built: what that takes is what a site needs."""

import asyncio
import json
import sys
from typing import Any

from davidgoliath.bots import LADDER, make_bot
from davidgoliath.server.ops.away import done
from davidgoliath.site.boot import open_server
from davidgoliath.study import plain
from davidgoliath.texts import LANGUAGES

PATIENCE = 60


def playable() -> list[str]:
    """The bots that can be loaded here: some need what compiles them."""
    return [name for name in LADDER if is_here(name)]


def is_here(name: str) -> bool:
    try:
        make_bot(name)
    except ImportError:
        return False
    return True


class Page:
    """A page that says what is expected of it."""

    def __init__(self, folder: str) -> None:
        settings = json.dumps({"pace": 0, "build": "rehearsal", "bots": playable()})
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.server = open_server(f"{folder}/tables.db", settings, self.take, self.judge)
        self.number, self.token = 0, ""

    def take(self, text: str) -> None:
        self.heard.put_nowait(json.loads(text))

    def judge(self, number: int, asked: str) -> None:
        """In a site another worker does."""
        asyncio.get_running_loop().call_soon(lambda: self.server.away.hear(number, done(asked)))

    def tell(self, kind: str, **said: Any) -> int:
        self.number += 1
        self.server.hear(json.dumps({"type": kind, "page": "page", "number": self.number, **said}))
        return self.number

    async def hear(self, kind: str) -> dict[str, Any]:
        while (said := await asyncio.wait_for(self.heard.get(), PATIENCE))["type"] != kind:
            pass
        return said

    async def ask(self, address: str, body: object = None, status: int = 200, language: str = "en") -> Any:
        """What is answered, with that status."""
        method, path = address.split()
        headers = {"accept-language": language, **({"authorization": f"Bearer {self.token}"} if self.token else {})}
        text = body if isinstance(body, str) else "" if body is None else json.dumps(body)
        self.tell("ask", method=method, path=path, headers=headers, body=text)
        answer = await self.hear("answer")
        if answer["status"] != status:
            raise RuntimeError(f"{address}: {answer}")
        return json.loads(answer["body"]) if answer["kind"] == "application/json" else answer["body"]

    async def play(self, table: str) -> None:
        """A whole match."""
        from davidgoliath.server.protocol.messages import PROTOCOL  # what it needs is there once the server is

        line = self.tell("open", path=f"/api/tables/{table}/socket")

        def say(**message: Any) -> None:
            self.server.hear(json.dumps({"type": "say", "page": "page", "number": line, "text": json.dumps(message)}))

        say(type="hello", protocol=PROTOCOL, build="rehearsal", token=self.token, since=0)
        has_begun = is_over = is_advised = False
        while not is_over:
            message = json.loads((await self.hear("heard"))["text"])
            if isinstance(message, list):
                event = message[2]
                is_over = event["type"] == "opened"
                if event["type"] == "committed":
                    say(type="share", deal=event["deal"], share="00" * 16)
            elif message["type"] == "batch" and not has_begun:
                has_begun = True
                say(type="start", expect=message["first"] + len(message["events"]) - 1)
            elif message["type"] == "advice":
                is_advised = True
                say(type="play", expect=message["seq"], card=message["best"])
            elif message["type"] == "turn" and not is_advised and len(message["legal"]) > 1:
                say(type="hint", expect=message["seq"])
            elif message["type"] == "turn":
                say(type="say", emote="hello")
                say(type="play", expect=message["seq"], card="none")
                say(type="play", expect=message["seq"], card=message["legal"][-1])
        self.server.hear(json.dumps({"type": "close", "page": "page", "number": line}))
        await self.hear("ended")


async def rehearse(folder: str) -> list[str]:
    """Gives the bots that could be loaded."""
    page = Page(folder)
    vars(plain).update(POOL=1, WORLDS=1)  # a judge needs the same modules for less
    offer = await page.ask("GET /api/server")
    for language in LANGUAGES:
        await page.ask("GET /api/me", status=401, language=language)
    made = await page.ask("POST /api/people", {"name": "Ännchen"}, 201)
    page.token = made["token"]
    await page.ask("POST /api/me/name", {"name": "Anna"})
    await page.ask("POST /api/me/stone", {"form": "round", "rim": "orange"})
    await page.ask("POST /api/tables", "nonsense", 400)
    for bot in offer["bots"]:
        table = (await page.ask("POST /api/tables", {"seats": [None, bot, bot], "rules": "manual"}, 201))["table"]
    await page.play(table)
    for name in ("", "/record.dgn", "/record.json", "/replay"):
        await page.ask(f"GET /api/tables/{table}{name}")
    await page.ask(f"GET /api/tables/{table}/reviews")
    review: dict[str, Any] = {"stage": "none"}
    while review["stage"] != "final":
        review = await page.ask(f"POST /api/tables/{table}/reviews", {"deal": 1, "seat": 0})
        await asyncio.sleep(0)
    await page.ask(f"POST /api/tables/{table}/knowledge", {"deal": 1, "seat": 1, "place": 9})
    await page.ask("GET /api/me/figures")
    await page.ask("GET /api/tables/nowhere", status=404)
    await page.ask("GET /api/me")
    games = await page.ask("GET /games")
    await page.ask("DELETE /api/me", status=204)
    await page.ask("POST /games", games)
    await page.server.close()
    return list(offer["bots"])


async def show_needs(folder: str) -> str:
    """The bots, the modules that are loaded in the end, and the texts that were compiled (`quick_start`)."""
    bots = await rehearse(folder)
    texts = sys.modules["sitecustomize"].compiled.texts
    return json.dumps({"bots": bots, "modules": sorted(sys.modules), "texts": texts})
