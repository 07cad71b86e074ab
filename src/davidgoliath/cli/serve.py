"""The command that serves tables. The server is imported only when it runs."""

import asyncio
from pathlib import Path
from typing import Any

import click

from davidgoliath.bots import bots
from davidgoliath.cli.reader import TEXTS, Command, NetworkText, OneOf, WholeNumber, option


@click.command(cls=Command, help=TEXTS("cli.serve"))
@option("--host", text="cli.serve.host", default="127.0.0.1")
@option("--port", text="cli.serve.port", type=WholeNumber(0, 65535), default=8642)
@option("--database", text="cli.serve.database", type=click.Path(path_type=Path))
@option("--bot", "allowed", text="cli.serve.bot", type=OneOf(bots()), multiple=True)
@option("--pace", text="cli.serve.pace", type=WholeNumber(0, 60_000), default=1000)
@option("--unstarted-days", text="cli.serve.unstarted_days", type=WholeNumber(1, 36_500), default=1)
@option("--idle-days", text="cli.serve.idle_days", type=WholeNumber(1, 36_500), default=30)
@option("--most-sockets", "sockets", text="cli.serve.sockets", type=WholeNumber(0, 10**6), default=200)
@option("--most-new", "new", text="cli.serve.new", type=WholeNumber(0, 10**6), default=60)
@option("--most-messages", "messages", text="cli.serve.messages", type=WholeNumber(0, 10**6), default=30)
@option("--trusted-proxy", "proxies", text="cli.serve.proxy", type=NetworkText(), multiple=True)
def serve(
    host: str,
    port: int,
    database: Path | None,
    allowed: tuple[str, ...],
    pace: int,
    unstarted_days: int,
    idle_days: int,
    **limits: Any,
) -> None:
    from davidgoliath.server.limits import Limits
    from davidgoliath.server.room import Pace
    from davidgoliath.server.run import Settings, new_loop, serve

    def say(address: str, is_other: bool) -> None:
        click.echo(TEXTS("serve.other" if is_other else "serve.here", address=address))

    settings = Settings(
        allowed or tuple(bots()),
        host,
        port,
        database,
        Pace(bot=pace / 1000),
        unstarted_days,
        idle_days,
        Limits(**limits),
    )
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(serve(settings, say))
