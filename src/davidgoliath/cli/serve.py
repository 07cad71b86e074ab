"""The commands that serve tables: `play` for people, `serve` for operators. They import the server when they run."""

import os
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from davidgoliath.bots import bots
from davidgoliath.cli.output import say
from davidgoliath.cli.reader import BOT_NAMES, TEXTS, BotText, Command, NetworkText, OneOf, WholeNumber, option
from davidgoliath.server.config import LOG_LEVELS, LOOPBACK, Limits, LogForm, Offer, Settings, Timing

if TYPE_CHECKING:
    from davidgoliath.server.run import Served

T = TypeVar("T")


def setting(name: str, of: object = Settings(bots=()), flag: str = "", **how: Any) -> Callable[[Any], Any]:
    """An option for a field of the settings, or of a part of them, with the default that it has there."""
    switch = flag or f"--{name.replace('_', '-')}"
    return option(switch, name, text=f"cli.serve.{name}", default=getattr(of, name), **how)


def limit(name: str) -> Callable[[Any], Any]:
    return setting(name, Limits(), f"--most-{name}", type=WholeNumber(0, 10**6))


PORT: Final = setting("port", type=WholeNumber(0, 65535))
DATABASE: Final = setting("database")
BOTS: Final = setting("bots", flag="--bot", type=BotText(bots()), told=BOT_NAMES, multiple=True)
MILLISECONDS: Final = 1000
PACE: Final = option(
    "--pace", text="cli.serve.pace", type=WholeNumber(0, 60_000), default=round(Timing().bot * MILLISECONDS)
)


@click.command(cls=Command, help=TEXTS("cli.play"))
@option("--lan", text="cli.play.lan", is_flag=True)
@option("--no-browser", text="cli.play.no_browser", is_flag=True)
@PORT
@DATABASE
@BOTS
def play(lan: bool, no_browser: bool, **settings: Any) -> None:
    from davidgoliath.server.run import run

    def welcome(served: "Served") -> None:
        _tell(served, "serve.game")
        if lan and not served.network:
            say(TEXTS("serve.other_stays" if served.is_other else "serve.no_network"), err=True)
        if not no_browser and has_display():
            # in a thread, since some browsers answer only when they are closed
            threading.Thread(target=webbrowser.open, args=[served.address], daemon=not served.is_other).start()

    host = "0.0.0.0" if lan else LOOPBACK  # noqa: S104
    run(Settings(host=host, bots=_in_order(settings.pop("bots")), **settings), welcome)


@click.command(cls=Command, help=TEXTS("cli.serve"))
@setting("host")
@PORT
@DATABASE
@setting("listen_database")
@setting("workers", type=WholeNumber(1, 1000))
@BOTS
@PACE
@setting("public_list", Offer(), is_flag=True)
@setting("unstarted_days", Offer(), type=WholeNumber(1, 36_500))
@setting("idle_days", Offer(), type=WholeNumber(1, 36_500))
@setting("figures_days", Offer(), type=WholeNumber(1, 36_500))
@limit("connections")
@limit("requests")
@limit("sockets")
@limit("new")
@limit("messages")
@limit("joins")
@limit("codes")
@limit("hints")
@limit("reviews")
@setting("proxies", Limits(), flag="--trusted-proxy", type=NetworkText(), multiple=True)
@setting("site", type=click.Path(path_type=Path))
@setting("hosts", flag="--allowed-host", multiple=True)
@setting("log", type=OneOf(LogForm))
@setting("log_level", type=OneOf(LOG_LEVELS))
@setting("drain", type=WholeNumber(0, 3600))
@setting("metrics", type=WholeNumber(0, 65535))
@setting("metrics_host")
def serve(pace: int, **chosen: Any) -> None:
    from davidgoliath.server.run import run

    settings = Settings(
        bots=_in_order(chosen.pop("bots")),
        timing=Timing(bot=pace / MILLISECONDS),
        offer=_part(Offer, chosen),
        limits=_part(Limits, chosen),
        log=LogForm(chosen.pop("log")),
        **chosen,
    )
    run(settings, partial(_tell, here="serve.here"))


def _part(kind: Callable[..., T], chosen: dict[str, Any]) -> T:
    """A part of the settings, taken out of all that was chosen."""
    return kind(**{field.name: chosen.pop(field.name) for field in fields(kind)})  # type: ignore[arg-type]


def _in_order(allowed: Iterable[str]) -> tuple[str, ...]:
    """All bots, or those that are allowed, from the weakest to the strongest."""
    names = set(allowed) or set(bots())
    return tuple(name for name in bots() if name in names)


def _tell(served: "Served", here: str) -> None:
    say(TEXTS("serve.other" if served.is_other else here, address=served.address))
    if served.network:
        say(TEXTS("serve.network", address=served.network))


def has_display(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a browser has somewhere to show a page; one that was chosen by `BROWSER` knows for itself.

    >>> has_display({}, "linux"), has_display({"DISPLAY": ":0"}, "linux"), has_display({}, "win32")
    (False, True, True)
    """
    named = any(environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"))
    return named or platform in ("darwin", "win32")
