"""What every store promises, in a browser: the contract's own test, on the files that a site's worker keeps.

Beside a site lies a page of the test's, with a worker that starts the site's Python with all of its library, mounts
files as the site's worker does, and runs `tests/test_store.py` with pytest. The site itself has nothing of it.
"""

import shutil
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tools.scenes import visits
from tools.served import PLACE, ServedSite

from davidgoliath.site.build import parts

ROOT = Path(__file__).parents[2]
BESIDE = "contract"
PATIENCE = 120_000
ELSEWHERE = ("process", "kill", "announced", "cancelled")
"""Tests of what there isn't in a worker: other processes, a server that is announced (tabs have a lock of the browser's
for that), and writing that waits and could be called off. Tabs that crash are in `test_site`."""
WORKER = """
import {{ startPython }} from "{scripts}/python.js";
import {{ folderOf, mountFiles, openFiles }} from "{scripts}/files.js";

const names = Array.from({{ length: 80 }}, (_, number) => [`${{number}}.db`, `${{number}}.db-journal`]).flat();
const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
try {{
  const kept = await openFiles(await folderOf("contract"), names);
  const python = await startPython(location.origin + "{python}/", {{ archive: "../../../../{beside}/library.zip" }});
  mountFiles(python.FS, "/kept", kept);
  python.unpackArchive(await bytes("tests.zip"), "zip", {{ extractDir: "/tests" }});
  postMessage((await python.runPythonAsync(await (await fetch("run.py")).text())).toJs());
}} catch (why) {{
  postMessage([-1, 0, String(why)]);
}}
"""
RUN = f"""
import io, itertools, os, sys
from contextlib import redirect_stdout
os.environ["DAVIDGOLIATH_LANG"] = "en"
os.chdir("/tests")
sys.path.insert(0, "/tests")
import pytest
from tests.stores import Place

class Kept:
    numbers = itertools.count()

    def __init__(self):
        self.passed = []

    @pytest.fixture
    def place(self):
        new = lambda: f"/kept/{{next(self.numbers)}}.db"
        return Place(new(), new)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.passed.append(report.nodeid)

kept, said = Kept(), io.StringIO()
with redirect_stdout(said):
    words = ["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--noconftest", "-c", "pytest.ini"]
    chosen = "not ({" or ".join(ELSEWHERE)})"
    status = pytest.main([*words, "-k", chosen, "tests/test_store.py"], plugins=[kept])
[int(status), len(kept.passed), said.getvalue()]
"""
PAGE = """<!doctype html><link rel="icon" href="data:,"><script>
const worker = new Worker("worker.js", { type: "module" });
window.ran = new Promise((ran, failed) => {
  Object.assign(worker, { onmessage: ({ data }) => ran(data), onerror: failed });
  setTimeout(failed, %d, "it takes too long");
});
</script>"""
PURE = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")


@pytest.mark.slow
def test_a_site_keeps_what_every_store_promises(browser: Browser, site: ServedSite, sites: Path) -> None:
    beside = sites / BESIDE
    beside.mkdir()
    (python,) = (sites / PLACE.strip("/") / "python").iterdir()
    (web,) = (sites / PLACE.strip("/") / "web").iterdir()
    places = {"scripts": f"{PLACE}web/{web.name}/js/site", "python": f"{PLACE}python/{python.name}", "beside": BESIDE}
    (beside / "worker.js").write_text(WORKER.format(**places))
    (beside / "run.py").write_text(RUN)
    (beside / "index.html").write_text(PAGE % PATIENCE)
    shutil.copy(parts() / "pyodide/python_stdlib.zip", beside / "library.zip")
    with zipfile.ZipFile(beside / "tests.zip", "w") as archive:
        archive.writestr("pytest.ini", "[pytest]\nmarkers = slow\n")
        for wheel in (parts() / "wheels").iterdir():
            with zipfile.ZipFile(wheel) as held:
                for name in held.namelist():
                    archive.writestr(name, held.read(name))
        for package in PURE:
            _pack(archive, Path(str(import_module(package).__file__)).parent, package)
        archive.write(str(import_module("py").__file__), "py.py")
        _pack(archive, ROOT / "src/davidgoliath", "davidgoliath")
        for file in (ROOT / "tests").glob("*.py"):
            archive.write(file, f"tests/{file.name}")
    with visits(browser, site) as visit:
        page = visit("/")
        page.goto(f"{site.origin}/{BESIDE}/")
        status, passed, said = page.evaluate("ran")
    assert status == 0, said
    assert passed > 20, said


def _pack(archive: zipfile.ZipFile, folder: Path, name: str) -> None:
    for file in folder.rglob("*"):
        if file.suffix in (".py", ".json", ".txt", ".typed") and "web" not in file.parts:
            archive.write(file, f"{name}/{file.relative_to(folder).as_posix()}")
