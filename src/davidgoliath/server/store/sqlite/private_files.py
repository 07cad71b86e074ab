"""A new file that holds secrets: nobody else sees it, it has its name only when it is whole, and it replaces nothing.

It may be made in a folder that others write to as well, where anything may have been put in its place beforehand: a
file, or a link that leads elsewhere. So it is made in a folder of its own, and then gets a name that must be free.
"""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from davidgoliath.files import BESIDE, name_new, named_in_errors
from davidgoliath.rules import Refusal
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.store.contract import StoreReason


@contextmanager
def new_file(file: Path) -> Iterator[Path]:
    """Where to make it, for its owner alone. At the end it is there, unless something went wrong."""
    if os.path.lexists(file):
        raise Refusal(StoreReason.BACKUP_EXISTS, file=file)
    with private_folder(file.parent) as folder, named_in_errors(file):
        beside = folder / "new"
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        yield beside
        flush(beside)
        try:
            name_new(beside, file)
        except FileExistsError:
            raise Refusal(StoreReason.BACKUP_EXISTS, file=file) from None
    flush_folder(file.parent)


@contextmanager
def private_folder(parent: Path) -> Iterator[Path]:
    """A folder for a while that nobody else can look into or change, on the same disk as its parent's files."""
    try:
        parent.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(dir=parent, prefix=BESIDE, ignore_cleanup_errors=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise Refusal(StoreFailure.STORE_FULL, file=parent) from None
        raise Refusal(StoreFailure.STORE_NO_FOLDER, folder=parent) from None
    with folder as name:
        yield Path(name)


def flush(file: Path) -> None:
    """Waits until the disk has what is in a file."""
    with file.open("r+b") as stream:
        os.fsync(stream.fileno())


def flush_folder(folder: Path) -> None:
    """Waits until the disk has the names in a folder, where a system lets us."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
