"""The bot client of `examples/`, as somebody would run it: in a process of its own, over a line that breaks."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.app_server import Site, hear, play_match, say, serve

CLIENT = Path(__file__).parent.parent / "examples/bot_client.py"
BREAKS_AFTER = 1_500
"""So many bytes from the server come through, the first time."""


class Line:
    """A line to the server that breaks once, in the middle of the match."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.breaks = 0

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(*self.site.address.split(":"))
        most = None if self.breaks else BREAKS_AFTER
        await asyncio.gather(self._copy(reader, far_writer), self._copy(far_reader, writer, most))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int | None = None) -> None:
        carried = 0
        with suppress(ConnectionError):
            while data := await reader.read(256):
                carried += len(data)
                if most is not None and carried > most:
                    self.breaks += 1
                    break
                writer.write(data)
                await writer.drain()
            writer.close()
            await writer.wait_closed()


def test_the_bot_client_plays_a_match_over_a_line_that_breaks(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, None, "random"], rules="classic deals=2")
        line = Line(site)
        relay = await asyncio.start_server(line.carry, "127.0.0.1")
        port = relay.sockets[0].getsockname()[1]
        link = f"http://127.0.0.1:{port}/t/{table}"
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await hear(socket, "batch")
            bot = await asyncio.create_subprocess_exec(sys.executable, str(CLIENT), link, "Robin")
            event = (await hear(socket, "happened"))["event"]
            assert (event["type"], event["seat"]) == ("sat", 1)
            await say(socket, type="start", expect=2)
            events: list[dict[str, Any]] = await play_match(socket)
            events += await play_match(socket)
            assert await asyncio.wait_for(bot.wait(), 20) == 0
        relay.close()
        cards = [event for event in events if event["type"] == "played" and event["seat"] == 1]
        assert len(cards) == 30
        assert line.breaks == 1
        assert (await site.ask(f"/api/tables/{table}"))[1]["phase"] == "over"

    serve(scenario, tmp_path)
