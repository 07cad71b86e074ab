"""`./dg docs`: writes the pages that are made from the program; `--check` only says which have drifted."""

import os
import sys
from pathlib import Path

os.environ["DAVIDGOLIATH_LANG"] = "en"
os.environ["COLUMNS"] = "100"

import click

from davidgoliath.cli import commands
from davidgoliath.texts import LANGUAGES, Texts
from tools import protocol
from tools.declarations import declarations, lesson_declarations
from tools.facts import facts

ROOT = Path(__file__).parent.parent
WEB = "src/davidgoliath/web/js"


def main() -> int:
    drifted = [name for name, text in pages().items() if _now(ROOT / name) != text]
    if "--check" in sys.argv:
        for name in drifted:
            print(f"{name} has drifted: run ./dg docs")
        return 1 if drifted else 0
    for name in drifted:
        (ROOT / name).write_text(pages()[name], encoding="utf-8", newline="\n")
        print(name)
    return 0


def pages() -> dict[str, str]:
    """The pages by name, and what the page in the browser has of the program."""
    rules = {
        f"docs/rules{'' if language == 'en' else f'.{language}'}.md": Texts(language).rules() for language in LANGUAGES
    }
    told = {
        f"{WEB}/base/protocol.d.ts": declarations(),
        f"{WEB}/base/facts.js": facts(),
        f"{WEB}/learn/lessons.d.ts": lesson_declarations(),
    }
    return {**rules, "docs/commands.md": _command_page(), "docs/protocol.md": protocol.page(), **told}


def _command_page() -> str:
    parts = ["# Commands\n", "What `davidgoliath --help` says, for every command. `./dg` runs the same commands.\n"]
    parts += [f"## `{name}`\n\n```text\n{text}\n```\n" for name, text in _helps(commands)]
    return "\n".join(parts)


def _helps(command: click.Command, above: click.Context | None = None) -> list[tuple[str, str]]:
    """What each command says of itself, with the settings that it runs with."""
    name = command.name if above else "davidgoliath"
    context = command.context_class(command, above, info_name=name, **command.context_settings)
    helps = [(context.command_path, command.get_help(context))]
    if isinstance(command, click.Group):
        for part in command.commands.values():
            helps += _helps(part, context)
    return helps


def _now(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.exists() else None
