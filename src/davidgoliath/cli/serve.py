"""The commands that serve tables: `play` for people, `serve` for operators. They import the server when they run."""

import os
import sys
import threading
import webbrowser
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from davidgoliath.bots import bots
from davidgoliath.cli.reader import TEXTS, Command, NetworkText, OneOf, WholeNumber, option

if TYPE_CHECKING:
    from davidgoliath.server.run import Served

PORT: Final = option("--port", text="cli.serve.port", type=WholeNumber(0, 65535), default=8642)
DATABASE: Final = option("--database", text="cli.serve.database")
BOTS: Final = option("--bot", "allowed", text="cli.serve.bot", type=OneOf(bots()), multiple=True)


@click.command(cls=Command, help=TEXTS("cli.play"))
@option("--lan", text="cli.play.lan", is_flag=True)
@option("--no-browser", text="cli.play.no_browser", is_flag=True)
@PORT
@DATABASE
@BOTS
def play(lan: bool, no_browser: bool, allowed: tuple[str, ...], **settings: Any) -> None:
    from davidgoliath.server.run import Settings, run

    def say(served: "Served") -> None:
        _say(served, "serve.game")
        if lan and not served.network:
            click.echo(TEXTS("serve.other_stays" if served.is_other else "serve.no_network"), err=True)
        if not no_browser and has_display():
            # in a thread, since some browsers answer only when they are closed
            threading.Thread(target=webbrowser.open, args=[served.address], daemon=not served.is_other).start()

    host = "0.0.0.0" if lan else "127.0.0.1"  # noqa: S104
    run(Settings(_in_order(allowed), host, **settings), say)


@click.command(cls=Command, help=TEXTS("cli.serve"))
@option("--host", text="cli.serve.host", default="127.0.0.1")
@PORT
@DATABASE
@option("--listen-database", text="cli.serve.listen_database")
@option("--workers", text="cli.serve.workers", type=WholeNumber(1, 1000), default=1)
@BOTS
@option("--public-list", text="cli.serve.public_list", is_flag=True)
@option("--pace", text="cli.serve.pace", type=WholeNumber(0, 60_000), default=1000)
@option("--unstarted-days", text="cli.serve.unstarted_days", type=WholeNumber(1, 36_500), default=1)
@option("--idle-days", text="cli.serve.idle_days", type=WholeNumber(1, 36_500), default=30)
@option("--most-connections", "connections", text="cli.serve.connections", type=WholeNumber(0, 10**6), default=400)
@option("--most-requests", "requests", text="cli.serve.requests", type=WholeNumber(0, 10**6), default=60)
@option("--most-sockets", "sockets", text="cli.serve.sockets", type=WholeNumber(0, 10**6), default=200)
@option("--most-new", "new", text="cli.serve.new", type=WholeNumber(0, 10**6), default=60)
@option("--most-messages", "messages", text="cli.serve.messages", type=WholeNumber(0, 10**6), default=30)
@option("--most-joins", "joins", text="cli.serve.joins", type=WholeNumber(0, 10**6), default=240)
@option("--trusted-proxy", "proxies", text="cli.serve.proxy", type=NetworkText(), multiple=True)
@option("--allowed-host", "hosts", text="cli.serve.hosts", multiple=True)
@option("--log", text="cli.serve.log", type=OneOf(("text", "json")), default="text")
@option("--log-level", text="cli.serve.log_level", type=OneOf(("debug", "info", "warning", "error")), default="warning")
@option("--drain", text="cli.serve.drain", type=WholeNumber(0, 3600), default=0)
@option("--metrics", text="cli.serve.metrics", type=WholeNumber(0, 65535))
@option("--metrics-host", text="cli.serve.metrics_host", default="127.0.0.1")
def serve(
    allowed: tuple[str, ...],
    pace: int,
    connections: int,
    requests: int,
    sockets: int,
    new: int,
    messages: int,
    joins: int,
    proxies: tuple[Any, ...],
    log: str,
    **settings: Any,
) -> None:
    from davidgoliath.server.limits import Limits
    from davidgoliath.server.logs import Form
    from davidgoliath.server.room import Pace
    from davidgoliath.server.run import Settings, run

    limits = Limits(sockets, new, messages, proxies, requests, connections, joins)
    chosen = Settings(_in_order(allowed), pace=Pace(bot=pace / 1000), limits=limits, log=Form(log), **settings)
    run(chosen, partial(_say, here="serve.here"))


def _in_order(allowed: Iterable[str]) -> tuple[str, ...]:
    """All bots, or those that are allowed, from the weakest to the strongest."""
    names = set(allowed) or set(bots())
    return tuple(name for name in bots() if name in names)


def _say(served: "Served", here: str) -> None:
    click.echo(TEXTS("serve.other" if served.is_other else here, address=served.address))
    if served.network:
        click.echo(TEXTS("serve.network", address=served.network))


def has_display(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a browser has somewhere to show a page; one that was chosen by `BROWSER` knows for itself.

    >>> has_display({}, "linux"), has_display({"DISPLAY": ":0"}, "linux"), has_display({}, "win32")
    (False, True, True)
    """
    named = any(environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"))
    return named or platform in ("darwin", "win32")
