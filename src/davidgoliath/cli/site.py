"""The commands that make the game a site without a server. They import what they need when they run."""

import re
import tempfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import click

from davidgoliath.cli.output import FILE, say
from davidgoliath.cli.reader import TEXTS, Command, Group, option
from davidgoliath.cli.serve import PACE, PORT
from davidgoliath.server.config import LOOPBACK

MEGABYTE: Final = 1_000_000
ADDRESS: Final = re.compile(r"(https?://(?:[\w.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?)/?", re.I)


class ServerText(click.ParamType[str]):
    """The address of a server: its pages stand at its top, so there is no path."""

    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        found = ADDRESS.fullmatch(str(value))
        if found is None:
            self.fail(TEXTS("error.not_a_server", text=value), param, ctx)
        return found[1]


SERVER: Final = option("--server", text="cli.site.server", type=ServerText())


@click.group(cls=Group, help=TEXTS("cli.site"))
def site() -> None:
    pass


@site.command(cls=Command, help=TEXTS("cli.site.build"))
@click.argument("folder", type=FILE)
@SERVER
@PACE
def build(folder: Path, server: str | None, pace: int) -> None:
    from davidgoliath.site.build import build_site

    size = build_site(folder, pace, server or "")
    say(TEXTS("site.built", folder=folder, megabytes=f"{size / MEGABYTE:.1f}"))


@site.command(cls=Command, help=TEXTS("cli.site.serve"))
@PORT
@SERVER
@PACE
def serve(port: int, server: str | None, pace: int) -> None:
    from davidgoliath.site.build import build_site

    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, "site")
        build_site(folder, pace, server or "")
        with ThreadingHTTPServer((LOOPBACK, port), partial(_Quiet, directory=str(folder))) as host:
            say(TEXTS("site.here", address=f"http://{LOOPBACK}:{host.server_port}"))
            host.serve_forever()


class _Quiet(SimpleHTTPRequestHandler):
    """Gives files, as any host does."""

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - as it is called there
        pass
