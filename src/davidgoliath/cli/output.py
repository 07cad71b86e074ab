"""How commands write, by one rule: what exists is replaced only with `--force`, and `-` is standard output."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import click

from davidgoliath.cli.reader import TEXTS, CommandReason, option
from davidgoliath.files import check_output, whole_file
from davidgoliath.rules import Refusal
from davidgoliath.terminal import fit, terminal_width, wrapped

T = TypeVar("T")

STANDARD: Final = Path("-")
"""Standard input or output, in the place of a file."""


class _OnDisk(click.Path):
    """A file, and no stream."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == str(STANDARD):
            self.fail(TEXTS("error.no_stream"), param, ctx)
        return super().convert(value, param, ctx)


FILE: Final = click.Path(path_type=Path)
ON_DISK: Final = _OnDisk(path_type=Path)
FORCE: Final = option("--force", text="cli.force", is_flag=True)

_BAR: Final = 36
_BESIDE_BAR: Final = len("  []    10d 00:00:00 ")
"""What a bar has around it, but for a label and what is done; the last column stays free, or some terminals wrap."""


def say(text: str, *, err: bool = False) -> None:
    """Writes for people: lines wrap between words. What programs read is echoed as it is.

    A program may read errors too, a line each: so on standard error lines wrap in a terminal only.
    """
    click.echo(text if err and not sys.stderr.isatty() else wrapped(text), err=err)


def progress(length: int, steps: Iterable[T] | None = None, *, label: str = "", counts: bool = False) -> Any:
    """A bar on one line of the terminal, on standard error; where that is none, nothing."""
    told = 2 * len(str(length)) + 1 if counts else len("100%")
    room = terminal_width() - told - _BESIDE_BAR
    shown = fit(label, max(0, room // 2))
    return click.progressbar(
        steps,
        length,
        shown,
        show_pos=counts,
        width=max(1, min(_BAR, room - len(shown))),
        update_min_steps=max(1, length // 200),
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    )


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
