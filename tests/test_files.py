"""The writer of all files: nothing of anybody's is lost, whatever a name leads to and whatever goes wrong."""

import errno
import os
import resource
import secrets
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from davidgoliath import Refusal
from davidgoliath.files import BESIDE, check_output, name_new, whole_file, write_whole

NEW, OLD = b"new", b"precious"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "out.pdf"
    file.write_bytes(OLD)
    return file


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_new_file_has_the_mode_that_others_have(tmp_path: Path) -> None:
    write_whole(tmp_path / "ours", NEW, replace=False)
    (tmp_path / "theirs").write_bytes(NEW)
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode
    assert names(tmp_path) == ["ours", "theirs"]


def test_what_exists_is_refused_before_the_work(file: Path) -> None:
    with pytest.raises(Refusal, match="exists already"):
        check_output(file, replace=False)
    with pytest.raises(Refusal, match="exists already"), whole_file(file, replace=False):
        pytest.fail("no work is wanted")
    assert file.read_bytes() == OLD


def test_what_came_meanwhile_is_refused_too(tmp_path: Path) -> None:
    file = tmp_path / "out.pdf"
    with pytest.raises(Refusal, match="exists already"), whole_file(file, replace=False):
        file.write_bytes(OLD)
    assert (file.read_bytes(), names(tmp_path)) == (OLD, ["out.pdf"])


def test_until_it_is_whole_the_old_one_is_there(file: Path) -> None:
    with whole_file(file, replace=True) as stream:
        stream.write(NEW)
        stream.flush()
        assert file.read_bytes() == OLD
    assert file.read_bytes() == NEW


@pytest.mark.parametrize("trouble", [ValueError, KeyboardInterrupt, Refusal])
def test_whatever_goes_wrong_nothing_is_left_behind(file: Path, trouble: type[BaseException]) -> None:
    with pytest.raises(trouble), whole_file(file, replace=True):
        raise trouble("oh")
    assert (file.read_bytes(), names(file.parent)) == (OLD, ["out.pdf"])


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_the_mode_stays_and_nobody_looks_in_before(file: Path, mode: int) -> None:
    file.chmod(mode)
    with whole_file(file, replace=True):
        (beside,) = file.parent.glob(f"{BESIDE}*")
        assert not stat.S_IMODE(beside.stat().st_mode) & ~mode
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_stays(file: Path) -> None:
    os.chown(file, 12345, 12345)
    write_whole(file, NEW, replace=True)
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 12345)


def test_links_are_followed(file: Path) -> None:
    elsewhere = file.parent / "elsewhere"
    elsewhere.mkdir()
    link = elsewhere / "link.pdf"
    link.symlink_to(Path("..") / file.name)
    with pytest.raises(Refusal, match="exists already"):
        write_whole(link, NEW, replace=False)
    write_whole(link, NEW, replace=True)
    assert link.is_symlink()
    assert (file.read_bytes(), names(elsewhere)) == (NEW, ["link.pdf"])


def test_a_link_to_nothing_yet(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("new")
    write_whole(link, NEW, replace=False)
    assert link.is_symlink()
    assert (tmp_path / "new").read_bytes() == NEW


def test_links_in_a_circle_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match=r"a'$") as refused:
        write_whole(tmp_path / "a", NEW, replace=True)
    assert refused.value.errno == errno.ELOOP
    assert (tmp_path / "a").is_symlink()
    assert names(tmp_path) == ["a", "b"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_pipe_is_written_to(tmp_path: Path, replace: bool) -> None:
    pipe, got = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, NEW, replace=replace)
    reader.join()
    assert got == [NEW]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["pipe"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_device_is_written_to(replace: bool) -> None:
    write_whole(Path(os.devnull), NEW, replace=replace)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_device_that_is_full_is_named() -> None:
    with pytest.raises(OSError, match="/dev/full") as refused:
        write_whole(Path("/dev/full"), NEW, replace=False)
    assert refused.value.errno == errno.ENOSPC


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such name here")
@pytest.mark.parametrize("how", [">", ">>", "|"])
def test_standard_output_by_its_name(tmp_path: Path, how: str) -> None:
    """Where it leads to a file, what was in there stays."""
    log = tmp_path / "log"
    log.write_bytes(OLD)
    code = "from davidgoliath.files import *; write_whole(Path('/dev/stdout'), b'new', replace=False)"
    end = f"| cat >> {log}" if how == "|" else f"{how} {log}"
    subprocess.run(f'{sys.executable} -c "{code}" {end}', shell=True, check=True)  # noqa: S602
    assert log.read_bytes() == (NEW if how == ">" else OLD + NEW)


def test_a_folder_is_an_error_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        check_output(tmp_path, replace=True)
    with pytest.raises(FileNotFoundError, match=r"none.out\.pdf"):
        check_output(tmp_path / "none" / "out.pdf", replace=True)


UNPRIVILEGED = """
import os, sys
from pathlib import Path
from davidgoliath.files import write_whole
os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    write_whole(Path(sys.argv[1]), b"new", replace=True)
except OSError as error:
    print(type(error).__name__, error.filename)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="becomes somebody else")
@pytest.mark.parametrize(("folder", "mode"), [(0o755, 0o666), (0o777, 0o444)])
def test_what_is_read_only_stays(folder: int, mode: int) -> None:
    """A folder that can't be written to, or a file that somebody made read-only in one that can."""
    base = Path("/tmp") / f"dg-{secrets.token_hex(8)}"  # noqa: S108 - others reach it
    base.mkdir()
    try:
        file = base / "out.pdf"
        file.write_bytes(OLD)
        file.chmod(mode)
        base.chmod(folder)
        ran = subprocess.run(
            [sys.executable, "-c", UNPRIVILEGED, str(file)], capture_output=True, text=True, check=False
        )
        assert ran.stdout == f"PermissionError {file}\n", ran.stderr
        assert (file.read_bytes(), names(base)) == (OLD, ["out.pdf"])
    finally:
        for each in base.iterdir():
            each.unlink()
        base.rmdir()


def test_a_full_disk_keeps_the_old_file_and_nothing_else(small_disk: Path) -> None:
    file = small_disk / "out.pdf"
    file.write_bytes(OLD)
    with pytest.raises(OSError, match=r"out\.pdf") as refused:
        write_whole(file, bytes(100_000), replace=True)
    assert (refused.value.errno, refused.value.filename) == (errno.ENOSPC, str(file))
    assert (file.read_bytes(), names(small_disk)) == (OLD, ["out.pdf"])


def test_a_file_that_may_not_get_so_big(file: Path) -> None:
    """As where nothing can be mounted: the system stops in the middle of it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        with pytest.raises(OSError, match=r"out\.pdf") as refused:
            write_whole(file, bytes(100_000), replace=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert refused.value.errno == errno.EFBIG
    assert (file.read_bytes(), names(file.parent)) == (OLD, ["out.pdf"])


def test_names_that_are_taken_stay_as_they_are(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = [file.with_name(f"{BESIDE}{word}") for word in ("one", "two")]
    taken[0].write_bytes(OLD)
    taken[1].symlink_to(file)
    (file.parent / "out.pdf.new").write_bytes(OLD)
    words = iter(["one", "two", "free"])
    monkeypatch.setattr(secrets, "token_hex", lambda _: next(words))
    write_whole(file, NEW, replace=True)
    assert next(words, None) is None
    assert (file.read_bytes(), taken[0].read_bytes(), taken[1].is_symlink()) == (NEW, OLD, True)
    assert file.with_name("out.pdf.new").read_bytes() == OLD
    assert len(names(file.parent)) == 4


def test_disks_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    write_whole(tmp_path / "out", NEW, replace=False)
    assert (tmp_path / "out").read_bytes() == NEW
    (tmp_path / "whole").write_bytes(OLD)
    with pytest.raises(FileExistsError):
        name_new(tmp_path / "whole", tmp_path / "out")


def test_an_error_that_is_about_another_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="input"), whole_file(tmp_path / "out", replace=False):
        (tmp_path / "input").read_bytes()
