"""What the operator reads, and what nobody must be able to read there."""

import asyncio
import json
import logging
import re
from pathlib import Path

import pytest

from davidgoliath.server.config import LogForm
from davidgoliath.server.ops.logs import Json, Text, about, note, set_up
from tests.app_server import Site, play_match, say, serve

LOG = logging.getLogger("davidgoliath.test")
NAME = "Annegret Leisegang"
HINT = "Anna has R9"


def failed() -> Exception:
    """An error with a past."""
    try:
        raise ValueError(HINT)
    except ValueError as error:
        return error


def test_the_log_of_a_whole_match_tells_no_card_name_or_token(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    secrets: list[str] = [NAME, *NAME.split()]

    async def scenario(site: Site) -> None:
        token = await site.person(NAME)
        table = await site.table(token, [None, "random", "random"], rules="single")
        async with site.socket(table) as socket:
            await say(socket, type="hello", protocol=1, build="", token=token)
            await say(socket, type="start", expect=1)
            events = await play_match(socket)
            await say(socket, type="play", expect=1, card="V9")  # refused
        for event in events:
            secrets.extend(str(event[key]) for key in ("commitment", "shuffle", "secret") if event.get(key))
        secrets.append(token)
        assert (await site.ask("/api/me/link", b"", token))[0] == 200
        code = (await site.ask(f"/api/tables/{await site.table(token, [None, None, None])}/link"))[1]["code"]
        assert (await site.ask("/api/codes", {"code": code}))[0] == 200
        secrets.append(code)
        assert (await site.ask("/api/me", token="wrong" + token))[0] == 401

    caplog.set_level(logging.DEBUG, "davidgoliath")
    serve(scenario, tmp_path)
    lines = [Json().format(record) for record in caplog.records]
    happened = [json.loads(line)["event"] for line in lines]
    assert {"person_made", "table_made", "joined", "heard", "left", "answered", "refused"} <= set(happened)
    assert happened.count("heard") > 15
    everything = "\n".join(lines)
    assert len(secrets) > 4
    for secret in secrets:
        assert secret not in everything
    assert not re.search(r"\b[RYGBV]\d{1,2}\b", everything)


@pytest.mark.parametrize("form", [Json(), Text()])
def test_of_an_error_the_log_has_its_kind_and_its_way_and_not_its_message(
    form: logging.Formatter, caplog: pytest.LogCaptureFixture
) -> None:
    note(LOG, logging.ERROR, "failed", failed())
    LOG.error("Exception in ASGI application\n", exc_info=failed())  # as libraries do
    for record in caplog.records:
        line = form.format(record)
        assert "ValueError" in line
        assert "test_logs.py" in line
        assert HINT not in line


def test_what_a_task_logs_is_about_its_request(caplog: pytest.LogCaptureFixture) -> None:
    async def ask(number: int) -> None:
        about(request=number)
        await asyncio.sleep(0)
        note(LOG, logging.ERROR, "asked", status=200)
        lines.append(Text().format(caplog.records[-1]))

    async def main() -> None:
        await asyncio.gather(ask(1), ask(2))
        note(LOG, logging.ERROR, "asked")
        lines.append(Text().format(caplog.records[-1]))

    lines: list[str] = []
    asyncio.run(main())
    assert [line.partition(" ERROR ")[2] for line in lines] == [
        "asked request=1 status=200",
        "asked request=2 status=200",
        "asked",
    ]


def test_the_level_counts_for_us_and_libraries_only_warn(capsys: pytest.CaptureFixture[str]) -> None:
    root, ours = logging.root, logging.getLogger("davidgoliath")
    before = root.handlers[:], root.level, ours.level
    try:
        set_up(LogForm.JSON, "info")
        note(LOG, logging.INFO, "started", address="http://[::1]:80")
        note(LOG, logging.DEBUG, "hidden")
        logging.getLogger("library").info("hidden")
        logging.getLogger("library").warning("Invalid HTTP request received.")
    finally:
        root.handlers[:] = before[0]
        root.setLevel(before[1])
        ours.setLevel(before[2])
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert first.items() >= {"level": "info", "event": "started", "address": "http://[::1]:80"}.items()
    assert second.items() >= {"level": "warning", "event": "Invalid HTTP request received."}.items()
