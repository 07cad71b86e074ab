"""The command that introduces the bots. None of them is loaded for it."""

import json
from collections.abc import Sequence
from importlib.metadata import EntryPoint

import click

from davidgoliath.bots import LADDER
from davidgoliath.bots import bots as all_bots
from davidgoliath.cli.output import say
from davidgoliath.cli.reader import JSON, LANG, TEXTS, Command
from davidgoliath.terminal import columns
from davidgoliath.terminal.company import bot_character, bot_name
from davidgoliath.texts import Texts

BESIDE = "reference"
"""Ours too, but no rung of the ladder."""


@click.command(cls=Command, help=TEXTS("cli.bots"))
@LANG
@JSON
def bots(lang: str, as_json: bool) -> None:
    texts = Texts(lang)
    ours = [(name, bot_name(texts, name), bot_character(texts, name)) for name in (*LADDER, BESIDE)]
    others = {name: _package(entry) for name, entry in all_bots().items() if name not in (*LADDER, BESIDE)}
    if as_json:
        *ladder, beside = [dict(zip(("name", "called", "character"), bot, strict=True)) for bot in ours]
        packages = [{"name": name, "package": package} for name, package in others.items()]
        click.echo(json.dumps({"ladder": ladder, "beside": [beside], "others": packages}))
        return
    parts: dict[str, Sequence[Sequence[str]]] = {"bots.ladder": ours[:-1], "bots.beside": ours[-1:]}
    if others:
        parts["bots.others"] = list(others.items())
    say("\n\n".join("\n".join([texts(head), *columns(rows)]) for head, rows in parts.items()))


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module
