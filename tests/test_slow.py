"""Somebody who doesn't read what the server says delays nobody else, and is cut off."""

import asyncio
import os
import socket
from pathlib import Path

import pytest
from tools.decode_message import decode_message
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.app_server import Site, hear, say, serve

TOO_SLOW = 1013
SMALL = 4096
"""Bytes of a buffer of the system."""
SHORT = 32
"""Messages in a client's queue, so that it fills soon."""


async def play_until_nobody_watches(players: ClientConnection) -> int:
    """Gives the number of cards that were played until then."""
    cards = 0
    while True:
        message = decode_message(await asyncio.wait_for(players.recv(), 20))
        match message:
            case {"type": "turn", "seq": seq, "legal": [card, *_]}:
                await say(players, type="play", expect=seq, card=card)
            case {"type": "happened", "event": {"type": "played"}}:
                cards += 1
            case {"type": "happened", "event": {"type": "committed", "deal": deal}}:
                await say(players, type="share", deal=deal, share=os.urandom(16).hex())
            case {"type": "present", "spectators": 0}:
                return cards


def test_who_never_reads_delays_nobody_and_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody watches on a device that is stuck."""

    async def scenario(site: Site) -> None:
        tokens = [await site.person(name) for name in ("Anna", "Ben")]
        table = await site.table(tokens[0], [None, None, "random"], rules="classic deals=20")
        host, port = site.address.split(":")
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        narrow.setblocking(False)
        await asyncio.get_running_loop().sock_connect(narrow, (host, int(port)))
        async with (
            site.socket(table) as anna,
            site.socket(table) as ben,
            site.socket(table, sock=narrow, max_queue=1, ping_interval=None, close_timeout=1) as stuck,
        ):
            for client, token in ((stuck, None), (anna, tokens[0]), (ben, tokens[1])):
                await say(client, type="hello", protocol=1, build="", token=token)
                await hear(client, "present")
            await say(ben, type="sit", expect=1, seat=1)
            for client in (ben, anna):
                await hear(client, "happened")
            await say(anna, type="start", expect=2)
            cards = await asyncio.wait_for(asyncio.gather(*map(play_until_nobody_watches, (anna, ben))), 60)
            assert min(cards) > 100
            with pytest.raises(ConnectionClosed) as closed:
                await hear(stuck, "nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == TOO_SLOW

    monkeypatch.setattr("davidgoliath.server.asgi.websocket.QUEUE", SHORT)
    monkeypatch.setattr("davidgoliath.server.asgi.uvicorn_websocket.LARGEST_BACKLOG", SMALL)
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        serve(scenario, tmp_path, door)
