"""A race of many clients for one move: the same person, connected many times to whichever worker, plays at once."""

import asyncio
import json
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

from tools.decode_message import decode_message

CLIENTS = 16
LONGEST = 20.0


async def race(address: str, rounds: int) -> set[str]:
    """At each of so many tables, which it gives: one acknowledgement, and a clear refusal for all others."""
    tables = set()
    token = (await _ask(address, "/api/people", {"name": "Racer"}))["token"]
    for _ in range(rounds):
        async with asyncio.timeout(LONGEST):
            table = (await _ask(address, "/api/tables", {"seats": [None, "random", "random"]}, token))["table"]
            tables.add(table)
            await _race(f"{address.replace('http', 'ws')}/api/tables/{table}/socket", token)
    return tables


async def _race(where: str, token: str) -> None:
    sockets = [await connect(where, compression=None, proxy=None) for _ in range(CLIENTS)]
    try:
        for socket in sockets:
            await _say(socket, type="hello", protocol=1, build="", token=token)
        await _say(sockets[0], type="start", expect=1)
        turns = await asyncio.gather(*(_turn(socket) for socket in sockets))
        assert all(turn == turns[0] for turn in turns), "clients were told different turns"
        legal = turns[0]["legal"]
        for number, socket in enumerate(sockets):
            await _say(socket, type="play", expect=turns[0]["seq"], card=legal[number % len(legal)])
        outcomes = await asyncio.gather(*(_outcome(socket, turns[0]["seq"]) for socket in sockets))
        assert len({card for card, _ in outcomes}) == 1, "clients heard of different cards"
        refused = [is_refused for _, is_refused in outcomes].count(True)
        assert refused == CLIENTS - 1, f"{CLIENTS - refused} of {CLIENTS} moves weren't refused"
    finally:
        for socket in sockets:
            await socket.close()


async def _turn(socket: ClientConnection) -> dict[str, Any]:
    while True:
        message = decode_message(await socket.recv())
        if message["type"] == "happened" and message["event"]["type"] == "committed":
            await _say(socket, type="share", deal=1, share="00" * 16)
        assert message["type"] != "refused", f"who wanted to race was refused: {message['reason']}"
        if message["type"] == "turn":
            return {"seq": message["seq"], "legal": message["legal"]}


async def _outcome(socket: ClientConnection, seq: int) -> tuple[str, bool]:
    """The card that counts, and whether this client's own was refused.

    What it then says is no message at all, and the refusal of that comes after all else.
    """
    card, is_refused = "", False
    await socket.send("that was all")
    while True:
        message = decode_message(await socket.recv())
        if message["type"] == "happened" and message["seq"] == seq + 1:
            card = message["event"]["card"]
        if message["type"] == "refused":
            if message["reason"] == "request_unfit":
                return card, is_refused
            assert message["reason"] == "stale", message
            is_refused = True


async def _say(socket: ClientConnection, **message: object) -> None:
    await socket.send(json.dumps(message))


async def _ask(address: str, path: str, body: object, token: str = "") -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = Request(f"{address}{path}", json.dumps(body).encode(), headers)  # noqa: S310

    def answer() -> dict[str, Any]:
        with urlopen(request, timeout=LONGEST) as response:  # noqa: S310
            answered: dict[str, Any] = json.load(response)
            return answered

    return await asyncio.to_thread(answer)
