"""The command line.

Each command returns its exit status. What it can't do is one line on standard error: status 1 where the
input is at fault, 2 where the call is.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

import click

from davidgoliath import __version__
from davidgoliath.cli.arena import arena
from davidgoliath.cli.bots import bots
from davidgoliath.cli.game import deal, rules
from davidgoliath.cli.output import say
from davidgoliath.cli.paper import print_
from davidgoliath.cli.reader import TEXTS, Group, worded
from davidgoliath.cli.record import record
from davidgoliath.cli.score import score
from davidgoliath.cli.serve import play, serve
from davidgoliath.cli.simulate import simulate
from davidgoliath.cli.site import site
from davidgoliath.cli.study import hint, review
from davidgoliath.cli.tables import tables
from davidgoliath.cli.terminal import terminal
from davidgoliath.rules import Refusal


@click.group(
    cls=Group,
    help=TEXTS("cli.main"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="davidgoliath %(version)s", help=TEXTS("cli.version"))
def commands() -> None:
    pass


for command in (
    play,
    terminal,
    serve,
    site,
    tables,
    bots,
    rules,
    score,
    deal,
    print_,
    record,
    review,
    hint,
    simulate,
    arena,
):
    commands.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and gives its exit status."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        status = commands.main(arguments, prog_name="davidgoliath", standalone_mode=False)
        sys.stdout.flush()
        return status or 0
    except click.exceptions.NoArgsIsHelpError as help_page:
        help_page.show()
        return help_page.exit_code
    except click.ClickException as error:
        return _fail(worded(error), error.exit_code)
    except Refusal as refusal:
        return _fail(TEXTS.error(refusal), 1)
    except OSError as error:
        if error.filename is None and not _can_flush(sys.stdout) and isinstance(error, BrokenPipeError):
            return 1  # the reader has seen enough
        return _fail(TEXTS.trouble(error), 1)
    except (click.Abort, KeyboardInterrupt):
        return 130


def _fail(message: str, status: int) -> int:
    with suppress(OSError):
        say(f"davidgoliath: {message}", err=True)
    _can_flush(sys.stderr)
    return status


def _open_closed_streams() -> None:
    """Who closes a standard stream wants to say or hear nothing; and no other file may get its number."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


def _can_flush(stream: TextIO) -> bool:
    """Whether a stream takes what it was given; one that doesn't is left alone from then on."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return False
    return True
