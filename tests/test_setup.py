"""`./dg` sets itself up from the lock and from nothing else, and what was cut off half-way mends itself.

The real program, on a small project of its own, with an index on loopback that notes what it is asked for.
"""

import hashlib
import http.server
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import metadata
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import chain, product
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tools.lock import GROUPS

HERE: Final = Path(__file__).parents[1]
PYPROJECT: Final = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "davidgoliath"
version = "1"
"""
BACKEND: Final = """
import shutil

def build_editable(folder, config_settings=None, metadata_directory=None):
    return shutil.copy("davidgoliath-1-py3-none-any.whl", folder).rpartition("/")[2].rpartition("\\\\")[2]
"""
NOBODY: Final = "http://127.0.0.1:9/"
PROGRAM: Final = """
from importlib.metadata import distributions
print(*sorted(f"{one.name}=={one.version}" for one in distributions() if one.name not in ("pip", "setuptools")))
"""


def wheel(name: str, version: str, *requires: str, **files: str) -> bytes:
    """A package of nothing but its wishes."""
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nProvides-Extra: extra\n"
    about += "".join(f"Requires-Dist: {wish}\n" for wish in requires)
    info = f"{name}-{version}.dist-info"
    content = {
        **{f"{module}.py": text for module, text in files.items()},
        f"{info}/METADATA": about,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{path},,\n" for path in [*content, f"{info}/RECORD"]))
    return packed.getvalue()


class Index(http.server.ThreadingHTTPServer):
    """A registry on loopback that notes what it is asked for, and can keep people waiting for a file."""

    daemon_threads = True

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.goes_on = threading.Event()
        self.goes_on.set()
        super().__init__(("127.0.0.1", 0), IndexHandler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def add(self, name: str, version: str, *requires: str) -> str:
        """Offers a wheel, and says how a lock would name it."""
        packed = wheel(name, version, *requires)
        self.files[f"{name}-{version}-py3-none-any.whl"] = packed
        return f"{name}=={version} --hash=sha256:{hashlib.sha256(packed).hexdigest()}"


class IndexHandler(http.server.BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        word = self.path.strip("/")
        self.server.asked.append(word)
        body, kind = self.server.files.get(word), "application/octet-stream"
        if body is not None:
            self.server.goes_on.wait(60)
        else:
            offered = [file for file in self.server.files if file.startswith(f"{word}-")]
            body, kind = "".join(f'<a href="/{file}">{file}</a>\n' for file in offered).encode(), "text/html"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *words: object) -> None:  # noqa: A002 - its name in the standard library
        pass


@pytest.fixture
def index() -> Iterator[Index]:
    with Index() as index:
        threading.Thread(target=index.serve_forever, daemon=True).start()
        yield index
        index.goes_on.set()
        index.shutdown()


class Clone:
    """A small project with the real `dg`, on a machine that knows of one index only."""

    def __init__(self, folder: Path, index: str, *lock: str) -> None:
        self.folder = folder
        (folder / "lock").mkdir(parents=True)
        shutil.copy(HERE / "dg", folder / "dg")
        self.lock(*lock)
        (folder / "pyproject.toml").write_text(PYPROJECT)
        (folder / "backend.py").write_text(BACKEND)
        (folder / "tools.py").write_text(PROGRAM)
        (folder / "davidgoliath-1-py3-none-any.whl").write_bytes(wheel("davidgoliath", "1", davidgoliath=PROGRAM))
        mine = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
        own = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": index, "PIP_RETRIES": "0", "PIP_NO_CACHE_DIR": "1"}
        self.environment = {**mine, **own}

    def lock(self, *lines: str, kinds: tuple[str, ...] = ("run", "dev", "bench")) -> None:
        for kind in kinds:
            (self.folder / "lock" / f"{kind}.txt").write_text("\n".join(lines))

    def dg(self, *words: str) -> subprocess.CompletedProcess[str]:
        with self.started(*words) as process:
            out, err = process.communicate(timeout=300)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def started(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(self.folder / "dg"), *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )

    def resolve(self) -> None:
        """Installs from the lock as one shouldn't."""
        install = [sys.executable, "-m", "pip", "install", "--target", "elsewhere", "--require-hashes"]
        command = [*install, "-r", "lock/run.txt"]
        subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, check=False)


def test_nothing_is_asked_for_that_the_lock_does_not_name(tmp_path: Path, index: Index) -> None:
    """As it happened: cov wishes for coverage[extra], the lock had it without, and then a newer one came out."""
    lock = [index.add("cov", "1", "coverage[extra]>=7"), index.add("coverage", "7", "toml; extra == 'extra'")]
    lock.append(index.add("toml", "2"))
    for name in ("cov", "coverage", "toml"):
        index.add(name, "99", "stranger")
    index.add("stranger", "1")
    clone = Clone(tmp_path, index.address, *lock)
    done = clone.dg("play")
    assert (done.returncode, done.stdout) == (0, "cov==1 coverage==7 davidgoliath==1 toml==2\n"), done.stderr
    pinned = {f"{line.split(' ')[0].replace('==', '-')}-py3-none-any.whl" for line in lock}
    assert set(index.asked) == {"cov", "coverage", "toml"} | pinned
    assert done.stderr.splitlines()[1:] == ["  fetching 3 packages …", "  installing 3 packages …"]
    index.asked.clear()
    assert clone.dg("play").stderr == ""
    assert not index.asked, "the second time it needs nobody"


@pytest.mark.slow
def test_a_lock_that_lacks_something_is_refused_and_nobody_else_asked(tmp_path: Path, index: Index) -> None:
    whole, lacking = index.add("coverage", "7"), index.add("cov", "1", "coverage")
    clone = Clone(tmp_path, index.address, whole)
    assert clone.dg("play").stdout == "coverage==7 davidgoliath==1\n"
    index.asked.clear()
    clone.lock(lacking)
    done = clone.dg("play")
    assert done.returncode == 1
    *_, why, sentence = done.stderr.splitlines()
    assert why == "cov 1 requires coverage, which is not installed."
    assert sentence == f"./dg can't use lock{os.sep}run.txt, because it doesn't name all that is needed."
    assert set(index.asked) == {"cov", "cov-1-py3-none-any.whl"}
    clone.resolve()
    assert "coverage" in index.asked, "whoever resolves asks on"
    index.asked.clear()
    clone.lock(whole)
    assert clone.dg("play").stdout == "coverage==7 davidgoliath==1\n", "the one before is back"
    assert not index.asked


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals there")
def test_a_terminal_shows_how_far_it_is(tmp_path: Path, index: Index) -> None:
    clone = Clone(tmp_path, index.address, index.add("cov", "1"), index.add("toml", "2"))
    index.goes_on.clear()
    master, slave = os.openpty()
    command = [sys.executable, str(clone.folder / "dg"), "play"]
    with subprocess.Popen(command, cwd=clone.folder, env=clone.environment, stdout=slave, stderr=slave) as process:
        os.close(slave)
        said = b""
        while b"fetching 1 of 2 packages: cov" not in said:
            said += os.read(master, 1 << 16)
        index.goes_on.set()
        with suppress(OSError):  # at its end
            while more := os.read(master, 1 << 16):
                said += more
    os.close(master)
    assert process.returncode == 0
    assert said.replace(b"\r", b"").endswith(b"\x1b[Kcov==1 davidgoliath==1 toml==2\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_standard_streams_are_no_trouble(closed: str) -> None:
    command = f"{sys.executable} {HERE / 'dg'} clean --nonsense {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


@pytest.mark.slow
def test_whoever_plays_can_go_on_without_a_network_for_the_tests(tmp_path: Path, index: Index) -> None:
    run = index.add("click", "1")
    clone = Clone(tmp_path, index.address, run)
    clone.lock(run, index.add("cov", "1"), kinds=("dev",))
    assert clone.dg("play").stdout == "click==1 davidgoliath==1\n"
    clone.environment["PIP_INDEX_URL"] = NOBODY
    assert clone.dg("docs").returncode == 1
    assert clone.dg("play").stdout == "click==1 davidgoliath==1\n"
    clone.environment["PIP_INDEX_URL"] = index.address
    everything = "click==1 cov==1 davidgoliath==1\n"
    assert clone.dg("docs").stdout == everything
    assert (clone.dg("play").stdout, clone.dg("docs").stderr) == (everything, "")


def test_a_repaired_python_needs_no_new_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a bare Debian the package with `venv` brings the newest repairs of Python along."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = SourceFileLoader("dg", str(HERE / "dg"))
    spec = spec_from_loader("dg", loader)
    assert spec is not None
    dg = module_from_spec(spec)
    loader.exec_module(dg)
    before = dg.fingerprint("run")
    monkeypatch.setattr(sys, "version", "3.11.99 (repaired)")
    assert dg.fingerprint("run") == before
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399")
    assert dg.fingerprint("run") != before


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="an interrupt there is for everyone at the terminal")
def test_a_set_up_that_was_cut_off_is_made_anew(tmp_path: Path, index: Index) -> None:
    clone = Clone(tmp_path, NOBODY, index.add("cov", "1"))
    offline = clone.dg("play")
    assert offline.returncode == 1
    sentence = "./dg couldn't install what lock/run.txt names, which needs a network; the next run tries again."
    assert offline.stderr.splitlines()[-1] == sentence
    assert "Traceback" not in offline.stderr
    clone.environment["PIP_INDEX_URL"] = index.address
    index.goes_on.clear()
    with clone.started("play") as process:
        while "cov-1-py3-none-any.whl" not in index.asked:
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.endswith("\n./dg was interrupted, and the next run starts afresh.\n")
    assert "Traceback" not in err
    index.goes_on.set()
    (clone.folder / ".venv/bin").mkdir(parents=True)
    (clone.folder / ".venv/bin/python").symlink_to(sys.executable)  # as if it had been killed early
    assert clone.dg("play").stdout == "cov==1 davidgoliath==1\n"


SYSTEMS: Final = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
MACHINES: Final = [
    {
        "python_version": f"3.{minor}",
        "python_full_version": f"3.{minor}.4",
        "sys_platform": platform,
        "platform_system": SYSTEMS[platform],
        "os_name": "nt" if platform == "win32" else "posix",
        "platform_machine": "AMD64" if platform == "win32" else "x86_64",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for minor, platform in product(range(11, 15), SYSTEMS)
]


@pytest.mark.parametrize("kind", GROUPS)
def test_a_lock_names_whatever_its_packages_wish_for(kind: str) -> None:
    """With extras, on every system and Python; as far as packages are here to say what they wish for."""
    text = (HERE / "lock" / f"{kind}.txt").read_text(encoding="utf-8")
    assert "://" not in text, "a lock names no registry"
    lock = [Requirement(line) for line in re.findall(r"^(\S+==.*) \\$", text, re.MULTILINE)]
    for machine in MACHINES:
        named = {canonicalize_name(one.name): one for one in lock if holds(one, machine)}
        wishes, heard = direct_wishes(kind), set[Requirement]()
        while wishes:
            wish = wishes.pop()
            if wish in heard or not holds(wish, machine):
                continue
            heard.add(wish)
            one = named.get(canonicalize_name(wish.name))
            assert one is not None, (str(wish), machine)
            assert wish.extras <= one.extras, (str(wish), str(one))
            assert wish.specifier.contains(version_of(one), prereleases=True), (str(wish), str(one), machine)
            wishes += [found for found in wishes_of(one) if holds(found, machine, *wish.extras)]


def holds(requirement: Requirement, machine: dict[str, str], *extras: str) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**machine, "extra": extra}) for extra in ("", *extras))


def version_of(locked: Requirement) -> str:
    (pin,) = locked.specifier
    return pin.version


def direct_wishes(kind: str) -> list[Requirement]:
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))

    def group(name: str) -> Iterator[str]:
        for entry in project["dependency-groups"][name]:
            yield from group(entry["include-group"]) if isinstance(entry, dict) else [entry]

    optional = project["project"]["optional-dependencies"].values()
    return [Requirement(wish) for wish in chain(project["project"]["dependencies"], *optional, group(GROUPS[kind]))]


@cache
def wishes_of(locked: Requirement) -> list[Requirement]:
    """What a package says itself, if it is here in the version that is locked."""
    try:
        here = metadata.distribution(locked.name)
    except metadata.PackageNotFoundError:
        return []
    return [Requirement(wish) for wish in here.requires or [] if here.version == version_of(locked)]
