"""The one way in which this program writes a file: whole or not at all, and nothing else is lost for it.

A file is made under a name of its own in the same folder, and gets its name when the disk has all of it: after a power
cut the old one is there, or the new one. Links are followed, and what was there keeps its mode and, where that may be,
its owner. A pipe or a device can't be replaced: it is written to as it is.
"""

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from davidgoliath.rules import ReasonCode, Refusal

BESIDE: Final = ".davidgoliath-"
"""How the names of files begin that aren't whole yet."""
OPEN_ALREADY: Final = re.compile(r"/dev/(std(in|out|err)|fd/\d+)|/proc/(self|\d+)/fd/\d+")
"""Names that stand for a stream, whatever it leads to."""


class FileReason(ReasonCode):
    """Why a file isn't written, although it could be."""

    FILE_EXISTS = "file_exists"


def check_output(file: Path, *, replace: bool) -> None:
    """Refuses what `whole_file` would refuse, as far as that can be known: before the work, not after it."""
    if file.is_dir():
        raise _error(errno.EISDIR, file)
    if not _target(file).parent.is_dir():
        raise _error(errno.ENOENT, file)
    if _is_precious(file) and not replace:
        raise Refusal(FileReason.FILE_EXISTS, file=file)


@contextmanager
def whole_file(file: Path, *, replace: bool) -> Iterator[BinaryIO]:
    """A stream into a file that has its name only if nothing goes wrong.

    Without `replace` a file that is there already, or that came meanwhile, is refused. An `OSError` names the file.
    """
    check_output(file, replace=replace)
    with named_in_errors(file), _open_stream(file) if _is_stream(file) else _beside(file, replace) as stream:
        yield stream


def write_whole(file: Path, data: bytes, *, replace: bool) -> None:
    """Makes a file of these bytes, as `whole_file` does."""
    with whole_file(file, replace=replace) as stream:
        stream.write(data)


@contextmanager
def named_in_errors(file: Path) -> Iterator[None]:
    """An `OSError` that names nothing, or what isn't whole yet, names the file that it is about."""
    try:
        yield
    except OSError as error:
        if error.filename is None or BESIDE in os.fsdecode(error.filename):
            raise _error(error.errno or errno.EIO, file) from error
        raise


@contextmanager
def _beside(file: Path, replace: bool) -> Iterator[BinaryIO]:
    target = _target(file)
    there = target.stat() if target.exists() else None
    if there:
        os.close(os.open(file, os.O_WRONLY))  # what is read-only stays; the system says why
    handle, beside = _unused(target.parent, 0o600 if there else 0o666)
    try:
        with open(handle, "wb") as stream:  # noqa: PTH123 - a handle has no path
            if there:
                _keep(target, there, beside)
            yield stream
            stream.flush()
            os.fsync(handle)
        if replace:
            beside.replace(target)
        else:
            name_new(beside, target)
    except FileExistsError:
        raise Refusal(FileReason.FILE_EXISTS, file=target) from None
    finally:
        beside.unlink(missing_ok=True)


def _target(file: Path) -> Path:
    """Where links lead. In a circle that is nowhere, which Python says differently from version to version."""
    target = Path(os.path.realpath(file))
    if target.is_symlink():
        raise _error(errno.ELOOP, file)
    return target


def _unused(folder: Path, mode: int) -> tuple[int, Path]:
    """A new file under a name that nothing has."""
    while True:
        beside = folder / f"{BESIDE}{secrets.token_hex(8)}"
        with suppress(FileExistsError):
            return os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), mode), beside


def _keep(target: Path, there: os.stat_result, beside: Path) -> None:
    """Owner, mode and the rest, but for the times. The owner first: to change it may take from the mode."""
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(beside, there.st_uid, there.st_gid)
    shutil.copystat(target, beside)
    os.utime(beside)


def name_new(whole: Path, file: Path) -> None:
    """Gives a whole file its name; `FileExistsError` if anything has it."""
    try:
        os.link(whole, file)
    except FileExistsError:
        raise
    except OSError:  # a disk without links, as memory sticks are: first the name is ours
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        whole.replace(file)
    else:
        whole.unlink()


@contextmanager
def _open_stream(file: Path) -> Iterator[BinaryIO]:
    """At its end: what standard output leads to may have a beginning."""
    with open(os.open(file, os.O_WRONLY | os.O_APPEND), "wb") as stream:  # noqa: PTH123
        yield stream


def _is_stream(file: Path) -> bool:
    """What can only be written to as it is."""
    return file.exists() and (not file.is_file() or bool(OPEN_ALREADY.fullmatch(str(file))))


def _is_precious(file: Path) -> bool:
    """A disk is as precious as a file; pipes, terminals and `/dev/null` keep nothing."""
    return file.exists() and (stat.S_ISBLK(file.stat().st_mode) or not _is_stream(file))


def _error(number: int, file: Path) -> OSError:
    return OSError(number, os.strerror(number), str(file))
