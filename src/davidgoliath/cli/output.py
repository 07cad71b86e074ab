"""How commands write, by one rule: what exists is replaced only with `--force`, and `-` is standard output."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import click

from davidgoliath.cli.reader import CommandReason, option
from davidgoliath.files import check_output, whole_file
from davidgoliath.rules import Refusal
from davidgoliath.terminal import wrapped

FILE: Final = click.Path(path_type=Path)
FORCE: Final = option("--force", text="cli.force", is_flag=True)
STANDARD: Final = Path("-")
"""Standard input or output, in the place of a file."""


def say(text: str, *, err: bool = False) -> None:
    """Writes for people: lines wrap between words. What programs read is echoed as it is.

    A program may read errors too, a line each: so on standard error lines wrap in a terminal only.
    """
    click.echo(text if err and not sys.stderr.isatty() else wrapped(text), err=err)


def check_files(*files: Path | None, force: bool) -> None:
    """Refuses before the work, not after it, what couldn't be written."""
    for file in files:
        if file and file != STANDARD:
            check_output(file, replace=force)


@contextmanager
def output(file: Path, *, force: bool) -> Iterator[BinaryIO]:
    """A stream into a file, or to standard output."""
    if file != STANDARD:
        with whole_file(file, replace=force) as stream:
            yield stream
        return
    sys.stdout.flush()
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


def check_plot(file: Path) -> None:
    """Refuses a picture that can't be drawn."""
    if file.suffix not in (".png", ".svg"):
        raise Refusal(CommandReason.PLOT_FORMAT, file=file)
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        raise Refusal(CommandReason.NO_MATPLOTLIB) from None
