"""The command that introduces the bots. None of them is loaded for it."""

import json
from importlib.metadata import EntryPoint

import click

from davidgoliath.bots import LADDER
from davidgoliath.bots import bots as all_bots
from davidgoliath.cli.reader import JSON, LANG, TEXTS, Command
from davidgoliath.terminal import columns
from davidgoliath.texts import Texts

BESIDE = "reference"
"""Ours too, but no rung of the ladder."""


@click.command(cls=Command, help=TEXTS("cli.bots"))
@LANG
@JSON
def bots(lang: str, as_json: bool) -> None:
    texts = Texts(lang)
    ours = {name: texts(f"bot.{name}") for name in (*LADDER, BESIDE)}
    others = {name: _package(entry) for name, entry in all_bots().items() if name not in ours}
    if as_json:
        ladder = [{"name": name, "character": ours[name]} for name in LADDER]
        beside = [{"name": BESIDE, "character": ours[BESIDE]}]
        packages = [{"name": name, "package": package} for name, package in others.items()]
        click.echo(json.dumps({"ladder": ladder, "beside": beside, "others": packages}))
        return
    lines = columns([*ours.items(), *others.items()])
    parts = {"bots.ladder": lines[: len(LADDER)], "bots.beside": lines[len(LADDER) : len(ours)]}
    if others:
        parts["bots.others"] = lines[len(ours) :]
    click.echo("\n\n".join("\n".join([texts(head), *rows]) for head, rows in parts.items()))


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module
