"""What commands say to people fits the terminal, in every language: at 80 columns, and at 60."""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from davidgoliath import Match, RuleSet, make_bot
from davidgoliath.match import play_out
from davidgoliath.notation import ScorePad, Tally
from davidgoliath.server.store.sqlite.store import SqliteStore
from davidgoliath.terminal.lines import columns, wrapped
from davidgoliath.texts import LANGUAGES, NO_BREAK, Texts
from tests.marks import slow
from tests.stores import GAME, fill

SAMPLE = str(Path(__file__).parent / "sample.dgn")
WIDTHS = (80, 60)
NAMES = ("Maximiliane von und zu", "bot:master", "bot:expert", "Bartholomäus", "bot:club", "Wilhelmina-Henriette")

RUNNER = """
import io, json, os, signal, sys, threading, time
from davidgoliath.cli import main

class Terminal(io.TextIOWrapper):
    def isatty(self):
        return True

def said(width, arguments, stdin):
    os.environ["COLUMNS"] = str(width)
    told = io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(told, encoding="utf-8", write_through=True)
    sys.stderr = Terminal(told, encoding="utf-8", write_through=True)
    if stdin == "^C":
        threading.Thread(target=interrupt, args=[told], daemon=True).start()
    status = main(arguments)
    return status, told.getvalue().decode()

def interrupt(told):
    while b"http" not in told.getvalue():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

calls = json.load(sys.stdin)
with open("said.json", "w") as file:
    json.dump([said(*call) for call in calls], file)
"""
"""One process for all commands of a language, since a language is chosen when a command is loaded.

It writes a file: where Python doesn't buffer, so much at once doesn't always get through a pipe whole.
"""


def match_file(folder: Path) -> str:
    """A match of six with long names."""
    *_, match = play_out(Match(6, RuleSet(deals=2)), [make_bot("random")] * 6, Random(3))
    file = folder / "m.dgn"
    file.write_text(str(match.record(names=NAMES)), encoding="utf-8")
    return os.path.relpath(file, folder)


def unfinished_file(folder: Path) -> str:
    """A deal of six in which somebody's last choices are judged quickly."""
    *_, match = islice(play_out(Match(6), [make_bot("random")] * 6, Random(3)), 76)
    file = folder / "u.dgn"
    file.write_text(str(match.record(names=NAMES)), encoding="utf-8")
    return os.path.relpath(file, folder)


def pad_file(folder: Path) -> str:
    """The same at a real table: a deal is complete, the next one isn't."""
    *_, match = play_out(Match(6, RuleSet(deals=2)), [make_bot("random")] * 6, Random(3))
    pad = ScorePad(NAMES).begin()
    for seat, pile in enumerate(match.deals[0].piles):
        pad = pad.give(0, seat, Tally(pile))
    file = folder / "p.json"
    file.write_text(f"{pad.begin()}\n", encoding="utf-8")
    return os.path.relpath(file, folder)


def fill_database(folder: Path) -> None:
    """Tables in the database that a server would have."""

    async def make() -> None:
        store = SqliteStore(folder / "tables.db")
        await fill(store, GAME)
        await store.close()

    asyncio.run(make())


def calls(folder: Path) -> list[tuple[list[str], str]]:
    """Everything that can be asked for, and what is typed then."""
    fill_database(folder)
    deals, pad, open_ = match_file(folder), pad_file(folder), unfinished_file(folder)
    typed = "?\np\nd\nR99\ns\nt\nR?\nu\nr\nq\n"
    noted = "\n".join(["6", *(name for name in NAMES), "nobody", "", "?", "R1,9", "R*3", "R9", "Q", "9", "d 7"]) + "\n"
    return [
        (["bots"], ""),
        (["rules"], ""),
        (["deal", "--players", "6"], ""),
        (["score", "R4,10,11", "Y8", "G5,9", "B2,3,6,10,12", "V10,12"], ""),
        (["score", "--pad", pad], ""),
        (["score", "-i", "--pad", "new.json"], noted + "l\nu\ns\nt\nq\n"),
        (["score", "-i", "--pad", pad], "?\nl\ns\nt\nd 1\nq\n"),
        (["record", "show", deals], ""),
        (["record", "check", deals], ""),
        (["record", "verify", deals], ""),
        (["review", deals, "--seat", "0", "--seconds", "0"], ""),
        (["hint", open_], ""),
        (["terminal", "--replay", deals, "--plain"], ""),
        (["terminal", "--plain", "--new", "--players", "6", "--seed", "7"], typed),
        (["terminal", "--plain", "--players", "5"], f"8\n\n{typed}"),
        (["simulate", "--players", "6", "--deals", "200"], ""),
        (["arena", "random", "beginner", "casual", "--players", "6", "--deals", "1", "--jobs", "1"], ""),
        (["arena", "ladder", "random", "beginner", "casual", "--players", "3", "--deals", "1", "--jobs", "1"], ""),
        (["print", "scoresheet", "--out", "sheet.pdf"], ""),
        (["print", "rules", "--out", "rules.pdf"], ""),
        (["play", "--no-browser", "--port", "0"], "^C"),
        (["serve", "--port", "0", "--log-level", "warning"], "^C"),
        *((["tables", *words], "") for words in (["list"], ["close", "t1"], ["backup", "b.db"], ["restore", "b.db"])),
        *((["tables", *words], "") for words in (["export", "e.jsonl"], ["import", "e.jsonl"], ["delete", "t2"])),
        (["tables", "copy", "c.db"], ""),
        *((words, "") for words in WRONG),
    ]


WRONG = [
    ["nonsense"],
    ["deal", "--nonsense"],
    ["deal", "--players", "9"],
    ["deal", "--rules", "classic all_equal=nonsense"],
    ["score", "Q9"],
    ["record", "check", "none.dgn", "tables.db"],
    ["terminal", "--bot", "nonsense"],
    ["arena", *["random"] * 9],
    ["simulate", "--plot", "p.pdf"],
    ["print", "deck", "--bleed", "9"],
    ["print", "deck", "--one-back"],
    ["tables", "list", "--database", "none.db"],
    ["tables", "close", "nonsense"],
    ["serve", "--workers", "2"],
    ["serve", "--database", "postgresql://nobody:x@[nonsense/none"],
]
"""What can't be done, and is told why."""


def helps(run: Any) -> list[tuple[list[str], str]]:
    """The help of every command."""
    wanted: list[list[str]] = [[]]
    for words in wanted:
        commands = run(*words, "--help").out.partition("\nCommands:\n")[2]
        wanted += [[*words, line.split()[0]] for line in commands.splitlines() if line[2:3].strip()]
    return [([*words, "--help"], "") for words in wanted]


def test_no_command_is_left_out(run: Any, tmp_path: Path) -> None:
    asked = [words for words, _ in calls(tmp_path)]
    named = [words[:-1] for words, _ in helps(run)]
    groups = [words[:-1] for words in named if words]
    missing = [words for words in named if words not in [*groups, *(each[: len(words)] for each in asked)]]
    assert missing == [
        ["record", "convert"],  # what it writes is a record, whose lines are as they are
        ["site", "build"],  # these need npm, and say one line
        ["site", "serve"],
    ]


def too_long(said: str, width: int) -> list[str]:
    """Lines that don't fit, unless one word of them alone is too long: a file, or what a shuffle promised."""
    lines = said.splitlines()
    return [line for line in lines if len(line) > width and max(map(len, line.split(" "))) <= width - 8]


@pytest.mark.parametrize("language", ["de", *slow(*(language for language in LANGUAGES if language != "de"))])
def test_every_command_fits(run: Any, tmp_path: Path, language: str) -> None:
    asked = [*helps(run), *calls(tmp_path)]
    told = [(width, *call) for width in WIDTHS for call in asked]
    subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(told),
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "DAVIDGOLIATH_LANG": language, "DAVIDGOLIATH_DATA": str(tmp_path)},
    )
    heard = json.loads((tmp_path / "said.json").read_text(encoding="utf-8"))
    for (width, arguments, stdin), (status, said) in zip(told, heard, strict=True):
        assert status in ((1, 2) if arguments in WRONG else (130,) if stdin == "^C" else (0, 1)), (arguments, said)
        assert len(said) > 15, arguments
        assert not too_long(said, width), (width, arguments, too_long(said, width))


def bare(line: str) -> Counter[str]:
    """The words of rules, without what Markdown or a table adds to them."""
    line = line.translate({ord(sign): None for sign in "*`#"} | {ord(sign): " " for sign in "|•─"})
    return Counter(word.rstrip(".") for word in line.split() if word.strip("-."))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_set_and_no_word_is_broken(
    run: Any, monkeypatch: pytest.MonkeyPatch, language: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    said, markdown = run("rules", "--lang", language).out, Texts(language).rules()
    assert not any(len(line) > width for line in said.splitlines())
    assert bare(said) == bare(markdown)
    assert not {"**", "`", "##", "|--"} & {sign for sign in ("**", "`", "##", "|--") if sign in said}
    assert sum(map(said.count, NO_BREAK)) == sum(map(markdown.count, NO_BREAK))
    assert not any(line.strip().startswith((":", ";", "?", "!", "»")) for line in said.splitlines())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_as_markdown(run: Any, language: str) -> None:
    assert run("rules", "--markdown", "--lang", language).out == Texts(language).rules()


def test_lines_wrap_where_they_began() -> None:
    assert wrapped("short", 10) == "short"
    assert wrapped("  one two three", 10) == "  one two\n  three"
    assert wrapped("t  the last trick", 12) == "t  the last\n   trick"
    assert wrapped("a/very/long/file/name is here", 10) == "a/very/long/file/name\nis here"


def test_a_table_takes_the_room_there_is() -> None:
    rows = [["", "points a deal", "wins"], ["a bot of ours", "12.5", "3"]]
    for width in (80, 30, 24, 20):
        assert max(map(len, columns(rows, {1, 2}, width))) <= width
    assert columns([["a", "bb"], ["ccc", "d"]]) == ["  a    bb", "  ccc  d"]
