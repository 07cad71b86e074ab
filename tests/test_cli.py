"""The command line as people and programs use it: output, one clear line for bad input, exit status."""

import json
import os
import re
import select
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from davidgoliath import DealRecord, MatchRecord, RuleSet, __version__
from davidgoliath.bots import LADDER, bots
from davidgoliath.notation import results, to_json
from davidgoliath.terminal import Choices
from davidgoliath.texts import LANGUAGES, Texts
from tests.marks import slow

SAMPLE = Path(__file__).parent / "sample.dgn"
TEXT = SAMPLE.read_text(encoding="utf-8")
RECORD = DealRecord.parse(TEXT)


def in_a_process(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "davidgoliath", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env={**os.environ, **environment})


def test_version(run: Any) -> None:
    assert run("--version").out == f"davidgoliath {__version__}\n"


def test_show(run: Any) -> None:
    ran = run("record", "show", str(SAMPLE))
    assert ran.status == 0
    assert "  11  >G8    V8-    B8+" in ran.out
    assert "  Onyx, a Boulder  R5 Y1,3 G3,4 B2,4,5 V1,2,3,6,7,8,9\n" in ran.out
    assert "  Onyx  R1,3,4,8,9 Y5,7,8,9 G1,5,7,9 B3,8,9 V4,5  5 + 4 + 4 + 3 + 9 = 25" in ran.out
    assert "bot:" not in ran.out


def test_show_unplayed(run: Any) -> None:
    ran = run("record", "show", "-", stdin=str(DealRecord(RuleSet(), RECORD.deal)))
    assert ran.status == 0
    assert "Seat 2  R4,8" in ran.out
    assert "Tricks" not in ran.out


def test_show_swept_and_unfinished(run: Any) -> None:
    swept = TEXT.replace('"classic"', '"classic all_equal=sweep"').replace("V8-  B8+", "V8   B8±")
    ran = run("record", "show", "-", stdin=swept[: swept.index("V2-")].rstrip().replace("Y9+", "Y9"))
    assert ran.status == 0
    assert "B8+-" in ran.out
    assert "  12   R2          >Y9\n" in ran.out


def test_show_json(run: Any) -> None:
    for text in (TEXT, json.dumps(to_json(RECORD)), json.dumps(to_json(RECORD), indent=1)):
        ran = run("record", "show", "-", "--json", stdin=text)
        assert ran.status == 0
        assert json.loads(ran.out) == {**to_json(RECORD), **results(RECORD)}


def test_show_json_lines_streams_and_errors_take_their_place(run: Any) -> None:
    line = json.dumps(to_json(RECORD))
    bad = line.replace('"Y1", "Y2"', '"V1", "Y2"', 1).replace('"plays": ["Y5", "Y1"', '"plays": ["Y5", "V1"', 1)
    ran = run("record", "show", "-", "--json", stdin=f"{line}\n{bad}\nrubbish\n{line}\n")
    first, second, third, fourth = map(json.loads, ran.out.splitlines())
    assert first == fourth == {**to_json(RECORD), **results(RECORD)}
    assert second == {"line": 2, "error": "plays[1]: trick 1, seat 1: V1 does not follow yellow; legal: Y1,3"}
    assert third["line"] == 3
    assert ran.status == 1
    assert ran.err.count("\n") == 2


def test_whoever_feeds_us_line_by_line_is_answered_line_by_line() -> None:
    command = [sys.executable, "-m", "davidgoliath", "record", "show", "-", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(json.dumps(to_json(RECORD)).encode() + b"\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], 30)
            assert ready, "no answer in 30 s"
            assert json.loads(process.stdout.readline())["scores"] == [21, 25, 24]
        process.stdin.close()


def test_a_play_that_breaks_a_rule(run: Any) -> None:
    ran = run("record", "show", "-", stdin=TEXT.replace("Y1-", "V1-", 1))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "davidgoliath: line 14, column 13: trick 1, seat 1: V1 does not follow yellow; legal: Y1,3\n"


HANDS = to_json(RECORD)["hands"]
DEEP = "[" * 100_000


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        bytes(range(256)) * 20,
        TEXT.replace("R1,2,3", "R1,2,3,4", 1),
        TEXT.replace("R1,2,3", "R1,2,2", 1),
        TEXT.replace("R1,2,3", "R1,2,", 1),
        TEXT.replace("R1,2,3", "R1,2,10", 1),
        TEXT.replace(" 2. 0:", " 2. 1:", 1),
        TEXT.replace("Y1-", "V1-", 1),
        TEXT.replace("Y1-", "Y2", 1),
        json.dumps({**to_json(RECORD), "players": "3"}),
        json.dumps({**to_json(RECORD), "hands": [[*HANDS[0], "V4"], *HANDS[1:]]}),
        json.dumps({**to_json(RECORD), "plays": ["R10"]}),
        json.dumps({**to_json(RECORD), "plays": ["Y1"]}),
        '{"hands": ' + DEEP,
        '{"hands": ' + DEEP + "]" * 100_000 + "}",
        DEEP,
        "x" * 10_000_000,
        '{"format": "' + "x" * 10_000_000 + '"}',
        '[Format "DGN 1"]\n1. 0: ' + "R1 " * 3_000_000,
    ],
    ids=lambda bad: f"{bad[:20]!r}",
)
@pytest.mark.parametrize(
    "command", [["show", "-"], ["show", "-", "--json"], ["check", "-"], ["convert", "-", "--to", "json"]]
)
def test_bad_input_is_one_clear_line(run: Any, command: list[str], bad: str | bytes) -> None:
    ran = run("record", *command, stdin=bad)
    assert ran.status == 1
    assert ran.err.startswith("davidgoliath: line ")
    assert len(ran.err.splitlines()) == 1 or isinstance(bad, bytes)
    assert all(len(line) < 400 for line in ran.err.splitlines())


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["nonsense"], 2, "there is no command ‘nonsense’; --help lists them all"),
        (["deal", "--nonsense"], 2, "there is no option ‘--nonsense’; --help lists them all"),
        (["deal", "--players", "7"], 2, "--players: ‘7’ is not a whole number from 3 to 6"),
        (["deal", "--players", "x"], 2, "--players: ‘x’ is not a whole number from 3 to 6"),
        (["deal", "--players"], 2, "--players: a value is missing, or there is one too many"),
        (["deal", "--dealer", "4"], 1, "there is no seat 4 among 4 players; seats count from 0"),
        (["deal", "--rules", "chess"], 2, "--rules: there is no preset ‘chess’; there are classic, single, manual"),
        (["rules", "--lang", "eo"], 2, "--lang: ‘eo’ is none of de, en, fr, it, pl"),
        (["score"], 2, "CARDS is missing; --help says more"),
        (["score", "R1", "R1"], 1, "R1 appears twice"),
        (["score", "R13", "--players", "4"], 1, "R13 is not in the deck for 4 players"),
        (["record", "show", "nowhere.dgn"], 1, "nowhere.dgn: there is no such file or folder"),
        (["record", "convert", "-"], 2, "--to is missing; --help says more"),
        (["record", "convert", "-", "--to", "xml"], 2, "--to: ‘xml’ is none of dgn, json"),
    ],
)
def test_wrong_calls(run: Any, arguments: list[str], status: int, message: str) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_too_many_arguments(run: Any) -> None:
    ran = run("rules", "now")
    assert ran.status == 2
    assert "--help shows how" in ran.err


def test_no_command_shows_the_help(run: Any) -> None:
    ran = run()
    assert ran.status == 2
    assert "Commands:" in ran.err


def test_check(run: Any, tmp_path: Path) -> None:
    assert run("record", "check", str(SAMPLE)).out == f"{SAMPLE}: 1 deal, 1 match, no error\n"
    bad = tmp_path / "bad.dgn"
    bad.write_text(TEXT + "\n" + TEXT.replace('[Deal "1"]', '[Deal "2"]'), encoding="utf-8")
    ran = run("record", "check", str(SAMPLE), str(bad))
    assert ran.status == 1
    assert f"{bad}: 2 deals, 1 error\n" in ran.out
    assert "line 34: seat 2 deals here; the deal passes to the left, to seat 0" in ran.err
    ran = run("record", "check", str(bad), "--json")
    assert json.loads(ran.out)["errors"][0]["line"] == 34
    assert ran.status == 1


def test_convert_there_and_back(run: Any, tmp_path: Path) -> None:
    there, back = tmp_path / "deal.jsonl", tmp_path / "deal.dgn"
    assert run("record", "convert", str(SAMPLE), "--to", "json", "--out", str(there)).status == 0
    assert run("record", "convert", str(there), "--to", "dgn", "--out", str(back)).status == 0
    assert back.read_text(encoding="utf-8") == TEXT
    assert run("record", "convert", "-", "--to", "dgn", stdin=TEXT + "\n" + TEXT).out == TEXT + "\n" + TEXT


def test_convert_loses_nothing(run: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.dgn"
    out.write_text("precious", encoding="utf-8")
    ran = run("record", "convert", str(SAMPLE), "--to", "json", "--out", str(out))
    assert (ran.status, ran.err) == (1, f"davidgoliath: {out} exists already; --force replaces it\n")
    ran = run("record", "convert", "-", "--to", "json", "--out", str(out), "--force", stdin="rubbish")
    assert ran.status == 1
    assert out.read_text(encoding="utf-8") == "precious"
    assert list(tmp_path.iterdir()) == [out]
    assert run("record", "convert", str(SAMPLE), "--to", "json", "--out", str(out), "--force").status == 0
    assert DealRecord.parse(out.read_text(encoding="utf-8")) == RECORD


def test_a_check_goes_on_after_a_file_that_is_not_there(run: Any) -> None:
    ran = run("record", "check", str(SAMPLE), "nowhere.dgn", str(SAMPLE))
    assert ran.status == 1
    assert ran.out.count("no error") == 2
    assert ran.err == "davidgoliath: nowhere.dgn: there is no such file or folder\n"
    told = [json.loads(line) for line in run("record", "check", "nowhere.dgn", str(SAMPLE), "--json").out.splitlines()]
    assert [len(each["errors"]) for each in told] == [1, 0]


def test_other_encodings_get_one_sentence_and_any_line_ends_do(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "deal.dgn"
    for encoding, said in (("utf-16", "UTF-16"), ("latin-1", "Latin-1")):
        file.write_bytes(TEXT.replace("Ben", "Jürgen").encode(encoding))
        ran = run("record", "show", str(file))
        assert (ran.status, ran.err.count("\n")) == (1, 1)
        assert said in ran.err
    file.write_bytes(TEXT.replace("\n", "\r").encode())
    assert run("record", "check", str(file)).status == 0


def test_records_have_standard_output_to_themselves(run: Any) -> None:
    ran = run("simulate", "--deals", "3", "--records", "-")
    assert len([DealRecord.parse(line) for line in ran.out.splitlines()]) == 3
    assert "deals a second" in ran.err
    assert run("record", "convert", str(SAMPLE), "--to", "dgn", "--out", "-").out == TEXT


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("deal >/dev/full", 1, "davidgoliath: standard output: the disk is full\n"),
        ("print scoresheet --out /dev/full", 1, "davidgoliath: /dev/full: the disk is full\n"),
        ("deal --players 9 2>/dev/full", 2, ""),
    ],
)
def test_what_is_full_gets_one_sentence(command: str, status: int, said: str) -> None:
    shell = f"{shlex.quote(sys.executable)} -m davidgoliath {command}"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert (done.returncode, done.stderr) == (status, said)


@pytest.mark.parametrize(
    ("command", "closed", "status"),
    [
        (["deal"], ">&-", 0),
        (["deal", "--players", "9"], "2>&-", 2),
        (["record", "check", "-"], "<&-", 1),
        (["terminal"], "<&-", 0),
        (["score", "-i"], "<&- >&- 2>&-", 0),
        (["rules"], "<&- >&-", 0),
    ],
)
def test_closed_standard_streams_are_no_trouble(command: list[str], closed: str, status: int) -> None:
    words = shlex.join([sys.executable, "-m", "davidgoliath", *command])
    done = subprocess.run(f"{words} {closed}", shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr


def test_json_lines_are_called_so() -> None:
    for language in LANGUAGES:
        texts = Texts(language)
        for key in ("json_lines", "record", "record.convert", "record.convert.to", "simulate.records"):
            assert "JSON Lines" in texts(f"cli.{key}"), (language, key)


def test_numbers_are_written_as_in_the_readers_language(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["davidgoliath.cli.simulate"], "TEXTS", Texts("de"))
    out = run("simulate", "--players", "3", "--deals", "2000", "--seed", "7").out
    assert out.startswith("2.000 Durchgänge · 3 Spieler")
    assert re.search(r" \d\d,\d\d ", out)
    assert re.search("\\d,\\d\\d\u00a0%", out)
    assert not re.search(r"\d\.\d\d?\b", out)


def test_score(run: Any) -> None:
    ran = run("score", "R4,10,11", "y8", "G5,9", "B2,3,6,10,12", "V10,12")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()[1:]] == [
        "red",
        "yellow",
        "green",
        "blue",
        "violet",
        "total",
    ]
    assert "violet  V10,12        22  the sum of the values" in ran.out
    assert "total                 52" in ran.out
    ran = run("score", "-")
    assert "no card" in ran.out
    ran = run("score", "R4,10,11 Y8", "--json")
    assert json.loads(ran.out) == {
        "cards": ["R4", "R10", "R11", "Y8"],
        "points": {"R": 3, "Y": 8, "G": 0, "B": 0, "V": 0},
        "score": 11,
    }


def test_deal(run: Any) -> None:
    first = run("deal", "--players", "5", "--seed", "7").out
    assert first == run("deal", "--players", "5", "--seed", "7").out
    assert first != run("deal", "--players", "5", "--seed", "8").out
    assert DealRecord.parse(first).players == 5
    as_json = run("deal", "--players", "5", "--seed", "7", "--json").out
    assert DealRecord.parse(as_json) == DealRecord.parse(first)
    several = run("deal", "--count", "3", "--dealer", "2", "--rules", "single").out
    assert run("record", "check", "-", stdin=several).out == "-: 3 deals, 3 matches, no error\n"
    assert several.count('[Dealer "2"]') == several.count('[Rules "single"]') == 3


def test_deals_of_a_seed_never_change(run: Any) -> None:
    deal = DealRecord.parse(run("deal", "--players", "3", "--seed", "1").out).deal
    assert str(deal.hands[0]) == "R1,9 Y1,5,8 G2,3,7,9 B1,5,6,9 V4,7"


def test_bots_are_introduced_from_the_weakest_to_the_strongest(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    lines = run("bots").out.splitlines()
    assert lines[0] == "From the weakest to the strongest"
    assert [line.split()[0] for line in lines[1 : len(LADDER) + 1]] == list(LADDER)
    assert lines[2] == "  beginner  Chip      Grabs the big card, and forgets that it is the third of its colour."
    assert lines[len(LADDER) + 2] == "Beside the ladder"
    assert lines[-1].startswith("  reference  Yardstick  ")


def test_the_environment_s_language_beats_the_saved_one(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    Choices(language="fr").keep()
    opened: list[str] = []

    def play_app(choices: Choices, *_: object) -> int:
        opened.append(choices.language)
        return 0

    command = sys.modules["davidgoliath.cli.terminal"]
    monkeypatch.setattr(command, "_can_show", lambda: True)
    monkeypatch.setattr(command, "_play_app", play_app)
    run("terminal")
    run("terminal", "--lang", "it")
    monkeypatch.delenv("DAVIDGOLIATH_LANG")
    run("terminal")
    assert opened == ["en", "it", "fr"]


def test_a_bot_is_typed_by_either_name(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("casual", "Pebble", "PEBBLE"):
        run("terminal", "--new", "--players", "3", "--bot", name, stdin="q\n")
    for file in Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn"):
        assert MatchRecord.parse(file.read_text(encoding="utf-8")).deals[0].names == ("You", *["bot:casual"] * 2)
    ran = run("arena", "Chip", "Dice", "--deals", "1", "--jobs", "1")
    assert re.search(r"^  beginner \(Chip\) ", ran.out, re.M)
    assert "casual (Pebble)" in " ".join(run("terminal", "--help").out.split())
    for wrong in (["terminal", "--bot", "Rock"], ["arena", "Rock"]):
        assert "there is no bot ‘Rock’; there are random (Dice), beginner (Chip), " in run(*wrong).err


@pytest.mark.parametrize("language", LANGUAGES)
def test_bots_for_programs(run: Any, language: str) -> None:
    told = json.loads(run("bots", "--lang", language, "--json").out)
    assert [bot["name"] for bot in told["ladder"]] == list(LADDER)
    assert [bot["name"] for bot in told["beside"]] == ["reference"]
    assert told["ladder"][2]["character"] == Texts(language)("bot.casual")
    assert told["ladder"][2]["called"] == Texts(language)("page.bot.casual")


def test_bots_of_other_packages_come_last(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "guests-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest-bots\nVersion: 1\n", encoding="utf-8")
    entries = "[davidgoliath.bots]\nguest = guests:Guest\nrandom = guests:Random\n"
    (info / "entry_points.txt").write_text(entries, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    bots.cache_clear()
    try:
        assert run("bots").out.endswith("\n\nFrom other packages\n  guest  guest-bots\n")
        assert json.loads(run("bots", "--json").out)["others"] == [{"name": "guest", "package": "guest-bots"}]
    finally:
        bots.cache_clear()


EVERY_CARD = "".join(f"{colour}{value}\n" for colour in "RYGBV" for value in range(1, 10))


def saved_match() -> MatchRecord:
    (file,) = Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn")
    return MatchRecord.parse(file.read_text(encoding="utf-8"))


def test_a_match_in_the_terminal_from_a_script(run: Any) -> None:
    ran = run("terminal", "--players", "3", "--seed", "7", stdin=EVERY_CARD * 45)
    assert ran.status == 0
    assert ran.out.count("Trick 15 of 15") == 3
    assert "\nThe match is won by: " in ran.out
    match = saved_match()
    assert [deal.state.is_over for deal in match.deals] == [True] * 3
    assert match.deals[0].names == ("You", "bot:casual", "bot:casual")


def test_leave_the_terminal_and_come_back(run: Any) -> None:
    ran = run("terminal", "--players", "3", "--rules", "single", "--bot", "random", "--seed", "7", stdin=EVERY_CARD * 2)
    assert ran.status == 0
    assert ran.out.endswith("Your match is saved: davidgoliath terminal goes on with it.\n")
    plays = len(saved_match().deals[0].plays)
    assert plays > 0
    ran = run("terminal", stdin="?\np\nt\ns\nr\nR\nq\n")
    assert "goes on where you left it" in ran.out
    for said in ("play the red 9", "Piles", "Goliath (", "Totals", "The rules in full", "‘R’ is not a card"):
        assert said in ran.out
    assert len(saved_match().deals[0].plays) == plays
    assert run("terminal", stdin=EVERY_CARD * 15).out.count("The deal is over") == 1
    assert saved_match().deals[0].state.is_over


def test_a_new_match_in_the_terminal_keeps_the_old_one(run: Any) -> None:
    for arguments in (["--new"], ["--new"], ["--players", "5"]):
        run("terminal", *arguments, stdin="\n")
    files = sorted(Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn"))
    assert [file.name for file in files] == ["0001.dgn", "0002.dgn", "0003.dgn"]


def test_unfinished_matches_are_a_list_to_choose_from(run: Any) -> None:
    folder = Path(os.environ["DAVIDGOLIATH_DATA"]) / "matches"
    for number, (players, rules) in enumerate([("3", "single"), ("4", "classic"), ("5", "classic")], 1):
        run("terminal", "--players", players, "--rules", rules, "--seed", "7", stdin="q\n")
        os.utime(folder / f"{number:04}.dgn", (number, number))
    (folder / "0004.dgn").write_text("rubbish", encoding="utf-8")
    ran = run("terminal", stdin="9\n3\nq\n")
    assert ran.err.startswith("0004.dgn can’t be read, and stays as it is: line 1"), "and hides none of the others"
    heading, *rows = ran.out.splitlines()[:4]
    assert heading == "Unfinished matches"
    assert [row.split()[3] for row in rows] == ["5", "4", "3"], "the last one first"
    assert "deal 1 of 1" in rows[2]
    assert "There is no ‘9’ in this list." in ran.out
    assert "David & Goliath · 3 players · 1 deal" in ran.out
    assert "goes on where you left it" in ran.out
    for nothing in ("", "q\n"):
        assert run("terminal", stdin=nothing).status == 0, "who says nothing has changed nothing"
    assert len(list(folder.iterdir())) == 4


def test_a_new_match_says_that_others_wait(run: Any) -> None:
    run("terminal", "--players", "3", stdin="q\n")
    asked = run("terminal", "--players", "6", stdin="\nq\n").out
    assert "Unfinished matches" in asked
    assert "6 players" in asked
    assert "1 unfinished match stays saved: davidgoliath terminal goes on with it." in asked
    assert "2 unfinished matches stay saved" in run("terminal", "--new", stdin="q\n").out
    assert len(list(Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn"))) == 3


def test_the_terminal_with_a_damaged_save(run: Any) -> None:
    run("terminal", stdin="")
    (file,) = Path(os.environ["DAVIDGOLIATH_DATA"]).glob("matches/*.dgn")
    file.write_text("rubbish", encoding="utf-8")
    ran = run("terminal", stdin="")
    assert ran.status == 0
    assert ran.err.startswith("0001.dgn can’t be read, and stays as it is: line 1")
    assert file.read_text(encoding="utf-8") == "rubbish"


def test_the_terminal_before_the_first_trick_is_over(run: Any) -> None:
    ran = run("terminal", "--seed", "3", stdin="t\nq\n")
    assert "There is no finished trick yet." in ran.out


def test_swept_tricks_are_told(run: Any) -> None:
    table = ["--players", "3", "--rules", "single all_equal=sweep", "--bot", "random", "--seed", "25"]
    assert "All equal. David and Goliath (" in run("terminal", *table, stdin=EVERY_CARD * 15).out


def test_simulate(run: Any) -> None:
    ran = run("simulate", "--players", "3", "--deals", "2000", "--seed", "7")
    assert ran.status == 0
    assert ran.out.startswith("2,000 deals · 3 players · rules: classic · seed 7")
    assert ran.out.splitlines()[-1].endswith("deals a second")


def test_simulate_json_is_the_same_on_any_number_of_threads(run: Any) -> None:
    one, two = (
        run("simulate", "--deals", "500", "--rules", "manual", "--threads", threads, "--json").out for threads in "12"
    )
    assert one == two
    summary = json.loads(one)
    assert summary["rules"] == {"preset": "manual"}
    assert [seat["seat"] for seat in summary["seats"]] == [0, 1, 2, 3]
    assert sum(seat["captured"]["mean"] for seat in summary["seats"]) == pytest.approx(60)
    assert sum(seat["won"] for seat in summary["seats"]) + summary["shared_deals"] == pytest.approx(1)
    for figures in (summary["all"]["score"], summary["choices"], summary["equal_tricks"]):
        assert sum(figures["distribution"]) == pytest.approx(1)
        mean = sum(value * share for value, share in enumerate(figures["distribution"]))
        assert figures["mean"] == pytest.approx(mean)
        square = sum(value**2 * share for value, share in enumerate(figures["distribution"]))
        assert figures["deviation"] == pytest.approx((square - mean**2) ** 0.5)


def test_simulate_records_are_the_deals_of_the_simulation(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    summary = json.loads(run("simulate", "--deals", "20", "--records", str(file), "--json").out)
    records = [DealRecord.parse(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(records) == 20
    mean = sum(record.state.scores[1] for record in records) / 20
    assert summary["seats"][1]["score"]["mean"] == pytest.approx(mean)


@pytest.mark.parametrize(("name", "start"), [("plot.png", b"\x89PNG"), ("plot.svg", b"<?xml")])
def test_simulate_plots(run: Any, tmp_path: Path, name: str, start: bytes) -> None:
    assert run("simulate", "--deals", "200", "--players", "6", "--plot", str(tmp_path / name)).status == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_simulate_refuses_before_it_works(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("simulate", "--plot", "plot.pdf")
    assert (ran.status, ran.err) == (1, "davidgoliath: plot.pdf: a plot is a .png or an .svg file\n")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = run("simulate", "--plot", "plot.png")
    assert (ran.status, ran.err) == (1, 'davidgoliath: a plot needs matplotlib: pip install "davidgoliath[plot]"\n')


@pytest.mark.parametrize("language", ["de", *slow(*(language for language in LANGUAGES if language != "de"))])
def test_every_language_end_to_end(language: str) -> None:
    texts = Texts(language)
    done = in_a_process("--help", DAVIDGOLIATH_LANG=language)
    assert texts("cli.commands") in done.stdout.decode()
    assert texts("cli.usage") in done.stdout.decode()
    done = in_a_process(
        "terminal", "--players", "3", "--seed", "7", stdin=EVERY_CARD.encode() * 15, DAVIDGOLIATH_LANG=language
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert texts("play.deal_over") in done.stdout.decode()
    done = in_a_process("record", "show", "-", stdin=TEXT.replace("Y1-", "V1-", 1).encode(), DAVIDGOLIATH_LANG=language)
    assert done.returncode == 1
    assert texts("colour.Y") in done.stderr.decode()


def test_a_reader_that_has_seen_enough() -> None:
    command = f"{sys.executable} -m davidgoliath deal --count 3000 | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert done.stdout == '[Format "DGN 1"]\n'
    assert done.stderr == ""


def test_output_is_utf_8_whatever_the_locale_says() -> None:
    done = in_a_process("record", "show", "-", stdin=TEXT.replace("Ben", "Żółć").encode(), PYTHONIOENCODING="ascii")
    assert "Żółć" in done.stdout.decode("utf-8")
