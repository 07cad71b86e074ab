"""What an operator can watch: figures for Prometheus, and whether a server is alive and ready."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from tools.served import served

from davidgoliath import Refusal
from davidgoliath.server.ops.failures import StoreFailure
from davidgoliath.server.ops.metrics import REGISTRY, measured
from davidgoliath.server.store.sqlite.store import SqliteStore
from tests.app_server import Site, hear, play_match, say, serve
from tests.refusals import refuses

DOCS = Path(__file__).parent.parent / "docs"
LOGGED = ("--log", "json", "--log-level", "info", "--bot", "random")


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(f"davidgoliath_{name}", labels) or 0.0


def test_a_match_is_counted(tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        token = await site.person("Anna")
        table = await site.table(token, [None, "random", "casual"], rules="single")
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await hear(socket, "welcome")
            assert figure("sockets") == 1
            await say(socket, type="start", expect=1)
            await play_match(socket)

    names = [("moves_total", {"by": "person"}), ("moves_total", {"by": "bot"}), ("play_seconds_count", {})]
    names += [("bot_seconds_count", {"bot": bot}) for bot in ("random", "casual")]
    before = [figure(name, **labels) for name, labels in names]
    serve(scenario, tmp_path)
    counted = [figure(name, **labels) - history for (name, labels), history in zip(names, before, strict=True)]
    assert counted == [15, 30, 15, 15, 15]
    assert figure("sockets") == 0


def test_the_stores_calls_are_timed_and_its_failures_counted(tmp_path: Path) -> None:
    async def main() -> None:
        store = measured(SqliteStore(tmp_path / "tables.db"))
        assert await store.table("none") is None
        await store.close()
        with refuses("store_closed"):
            await store.rename("nobody", "Anna")

    before = figure("store_seconds_count", call="table"), figure("store_errors_total", why="store_closed")
    asyncio.run(main())
    after = figure("store_seconds_count", call="table"), figure("store_errors_total", why="store_closed")
    assert (after[0] - before[0], after[1] - before[1]) == (1, 1)


def test_a_server_is_ready_as_long_as_its_store_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> None:
        raise Refusal(StoreFailure.STORE_FULL, file="/somewhere/tables.db")

    async def silent(*_: object) -> None:
        await asyncio.sleep(60)

    async def scenario(site: Site) -> None:
        assert await site.ask("/readyz") == (200, {"ready": True, "reason": None})
        for trouble in (full, silent):
            monkeypatch.setattr(SqliteStore, "table", trouble)
            assert await site.ask("/readyz") == (503, {"ready": False, "reason": "store"})
            assert (await site.ask("/healthz"))[0] == 200

    monkeypatch.setattr("davidgoliath.server.asgi.app.STORE_SECONDS", 0.05)
    serve(scenario, tmp_path)


def test_figures_have_a_port_of_their_own(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as errors, served(tmp_path, *LOGGED, "--metrics", "0", log=errors) as server:
        table = server.table(server.person("Annegret"), [None, "random", "random"])
        (started,) = [line for line in map(json.loads, log.read_text().splitlines()) if line["event"] == "metrics"]
        with urlopen(f"http://127.0.0.1:{started['port']}/metrics", timeout=20) as answer:
            figures = answer.read().decode()
        with pytest.raises(HTTPError, match="404") as missing:
            urlopen(f"{server.address}/metrics", timeout=20)  # noqa: S310
        missing.value.close()
    assert re.search(r'^davidgoliath_build_info\{build="[0-9a-f]{12}",version=".+"\} 1.0$', figures, re.M)
    assert 'davidgoliath_store_seconds_count{call="create_table"} 1.0' in figures
    assert "process_resident_memory_bytes" in figures
    assert table.rpartition("/")[2] not in figures
    assert "Annegret" not in figures


def test_the_hosting_page_names_every_figure_and_only_options_that_there_are() -> None:
    page = (DOCS / "hosting.md").read_text(encoding="utf-8")
    figures = {metric.name for metric in REGISTRY.collect() if metric.name.startswith("davidgoliath")}
    named = set(re.findall(r"davidgoliath_[a-z_]+", page))
    assert {re.sub("_(total|info)$", "", name) for name in named} == figures
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", (DOCS / "commands.md").read_text(encoding="utf-8")))
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page)) - {"--now"} <= options  # which is systemd's


def test_a_port_for_figures_that_is_taken_is_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "davidgoliath", "serve", "--metrics", "1", "--metrics-host", "192.0.2.1"]
    done = subprocess.run(
        [*command, "--database", str(tmp_path / "tables.db")], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("davidgoliath: port 1 on 192.0.2.1 can’t be used for metrics")
    assert done.stderr.count("\n") == 1
