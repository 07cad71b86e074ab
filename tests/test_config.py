"""What an operator may choose: the command line says it as the program does."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from ipaddress import ip_network

import pytest

from davidgoliath.bots import bots
from davidgoliath.cli import main
from davidgoliath.cli.serve import serve
from davidgoliath.server.config import NO_LIMITS, Limits, LogForm, Offer, Settings, Timing
from davidgoliath.texts import catalogue

DEFAULT = Settings(bots=tuple(bots()))


def chosen(monkeypatch: pytest.MonkeyPatch, *words: str) -> Settings:
    """The settings that a command line comes to."""
    taken: list[Settings] = []
    monkeypatch.setattr("davidgoliath.server.run.run", lambda settings, _: taken.append(settings))
    assert main([*words]) == 0
    return taken[0]


def names(of: object) -> Iterator[str]:
    """The fields in their order, with those of the parts; of the timing an operator chooses the pace."""
    for field in fields(of):  # type: ignore[arg-type]
        value = getattr(of, field.name)
        if isinstance(value, Timing):
            yield "pace"
        else:
            yield from names(value) if is_dataclass(value) else [field.name]


def test_without_an_option_everything_is_as_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(monkeypatch, "serve") == DEFAULT
    assert chosen(monkeypatch, "play", "--no-browser") == DEFAULT


def test_each_field_is_an_option_in_the_same_order_with_a_text() -> None:
    assert [option.name for option in serve.params] == list(names(DEFAULT))
    texts = {key.removeprefix("cli.serve.") for key in catalogue("en") if key.startswith("cli.serve.")}
    assert texts == set(names(DEFAULT))


def test_what_is_chosen_arrives_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "--host ::1 --port 0 --pace 250 --public-list --idle-days 7 --bot casual --bot random --log json --drain 5"
    proxies = "--most-new 9 --trusted-proxy 10.0.0.0/8 --allowed-host a.example --allowed-host b.example"
    assert chosen(monkeypatch, "serve", *words.split(), *proxies.split()) == replace(
        DEFAULT,
        host="::1",
        port=0,
        timing=Timing(bot=0.25),
        offer=Offer(public_list=True, idle_days=7),
        bots=("random", "casual"),
        log=LogForm.JSON,
        drain=5,
        limits=Limits(new=9, proxies=(ip_network("10.0.0.0/8"),)),
        hosts=("a.example", "b.example"),
    )


def test_no_limits_are_none_of_any_kind() -> None:
    assert {getattr(NO_LIMITS, name) for name in names(NO_LIMITS)} == {0, ()}


def test_the_settings_need_no_library() -> None:
    code = "import json, sys; import davidgoliath.server.config; print(json.dumps(list(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(run.stdout)}
    assert not loaded & {"uvicorn", "starlette", "psycopg", "prometheus_client", "click", "numpy", "numba"}
