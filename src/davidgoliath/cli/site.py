"""The commands that make the game a site without a server. They import what they need when they run."""

import tempfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import click

from davidgoliath.cli.output import FILE, say
from davidgoliath.cli.reader import TEXTS, Command, Group
from davidgoliath.cli.serve import PACE, PORT
from davidgoliath.server.config import LOOPBACK

MEGABYTE: Final = 1_000_000


@click.group(cls=Group, help=TEXTS("cli.site"))
def site() -> None:
    pass


@site.command(cls=Command, help=TEXTS("cli.site.build"))
@click.argument("folder", type=FILE)
@PACE
def build(folder: Path, pace: int) -> None:
    from davidgoliath.site.build import build_site

    size = build_site(folder, pace)
    say(TEXTS("site.built", folder=folder, megabytes=f"{size / MEGABYTE:.1f}"))


@site.command(cls=Command, help=TEXTS("cli.site.serve"))
@PORT
@PACE
def serve(port: int, pace: int) -> None:
    from davidgoliath.site.build import build_site

    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, "site")
        build_site(folder, pace)
        with ThreadingHTTPServer((LOOPBACK, port), partial(_Quiet, directory=str(folder))) as server:
            say(TEXTS("site.here", address=f"http://{LOOPBACK}:{server.server_port}"))
            server.serve_forever()


class _Quiet(SimpleHTTPRequestHandler):
    """Gives files, as any host does."""

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - as it is called there
        pass
