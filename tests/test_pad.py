"""The score pad: no card belongs to two players, and the page reckons as the rules do. Scripts keep a pad, too."""

import errno
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import playwright
import pytest
from hypothesis import given
from hypothesis import strategies as st

from davidgoliath.cli import main
from davidgoliath.match import ranking
from davidgoliath.notation import ScorePad, Tally, pad_results
from davidgoliath.notation.pad import told_apart
from davidgoliath.notation.record import LONGEST_TEXT
from davidgoliath.rules import Card, CardSet, Colour, NotationError, Refusal, RuleSet, deck, score
from davidgoliath.terminal.kept import KeptFile
from davidgoliath.texts import LANGUAGES
from tests.marks import slow
from tests.refusals import refuses

SCORING = (Path(__file__).parent.parent / "src/davidgoliath/web/js/pad/scoring.js").read_text(encoding="utf-8")
NOTATION = (Path(__file__).parent.parent / "docs/notation.md").read_text(encoding="utf-8")
EXAMPLE = "R4,10,11 Y8 G5,9 B2,3,6,10,12 V10,12"
PILES = ("R1,2,3 Y*4 G4,9", "R4,5 Y1 G*3 B*9 V7", "R*4 Y*4 G1,2,3,5 V*8")
NAMES = ("Ann", "Ben", "Cleo")
WHOLE = ScorePad(NAMES, RuleSet(deals=2), 2, (tuple(map(Tally.parse, PILES)),))


def reckoned_by_the_page(pads: list[ScorePad]) -> Any:
    """What the page's scoring says of pads, in any Node: the system's, or the one that Playwright brings along."""
    node = shutil.which("node") or str(Path(playwright.__file__).parent / "driver/node")
    script = f"{SCORING}\nconst pads = {json.dumps([for_the_page(pad) for pad in pads])};\n"
    script += "process.stdout.write(JSON.stringify(pads.map(reckon)));"
    command = [node, "--input-type=module", "-"]
    return json.loads(subprocess.run(command, input=script, capture_output=True, check=True, text=True).stdout)


def for_the_page(pad: ScorePad) -> dict[str, Any]:
    """A pad as the page holds it: in each colour the values, and 0 for a card whose value wasn't noted."""
    preset, options = pad.rules.preset_and_options()
    deals = [
        [
            [[card.value for card in tally.cards.of_colour(colour)] + [0] * tally.unnoted[colour] for colour in Colour]
            for tally in tallies
        ]
        for tallies in pad.deals
    ]
    return {"names": pad.names, "rules": {"preset": preset, **options}, "dealer": pad.dealer, "deals": deals}


def reckoned_by_the_rules(pad: ScorePad) -> dict[str, Any]:
    deals, totals = range(len(pad.deals)), pad.standing.totals
    return {
        "highest": max(deck(pad.players)).value,
        "most": pad.rules.deals_for(pad.players),
        "deals": [
            {
                "dealer": pad.dealer_of(deal),
                "leader": pad.leader_of(deal),
                "points": [list(worths) for worths in pad.points(deal)],
                "scores": list(pad.scores(deal)),
                "left": list(pad.left(deal)),
                "complete": pad.is_complete(deal),
            }
            for deal in deals
        ],
        "next": {"dealer": pad.dealer_of(len(pad.deals)), "leader": pad.leader_of(len(pad.deals))},
        "totals": list(totals),
        "places": list(ranking(totals)),
        "over": pad.is_over,
    }


def any_pad(rng: Random) -> ScorePad:
    """A pad with all that can be on one: few cards of a colour and many, noted or not, given away or not yet."""
    players = rng.randint(3, 6)
    options: dict[str, Any] = {"lowest_card_to": rng.choice(["goliath", "david"])}
    if rng.random() < 0.5:
        options["deals"] = rng.choice(["players", 1, 2, 3, 20])
    if rng.random() < 0.5:
        options["target_score"] = rng.randint(10, 120)
    rules = RuleSet.of(rng.choice(["classic", "single", "manual"]), **options)
    deals = tuple(any_deal(players, rng) for _ in range(rng.randint(0, 5)))
    return ScorePad(tuple(f"P{seat}" for seat in range(players)), rules, rng.randrange(players), deals)


def any_deal(players: int, rng: Random) -> tuple[Tally, ...]:
    greed = [rng.random() ** 3 + 0.02 for _ in range(players)]
    unfinished = rng.random() < 0.3
    piles: list[list[Card]] = [[] for _ in range(players)]
    for card in deck(players):
        if not unfinished or rng.random() < 0.9:
            piles[rng.choices(range(players), greed)[0]].append(card)
    tallies = []
    for pile in piles:
        cards, unnoted = CardSet.of(pile), [0] * len(Colour)
        for colour in Colour:
            own = list(cards.of_colour(colour))
            if rng.random() < 0.4 and (len(own) > 2 or rng.random() < 0.1):
                for card in rng.sample(own, rng.randint(0, len(own))):
                    cards = cards.without(card)
                    unnoted[colour] += 1
        tallies.append(Tally(cards, tuple(unnoted)))
    return tuple(tallies)


@pytest.mark.uncounted
@pytest.mark.parametrize("piles", [1000, *slow(10_000)])
def test_the_page_reckons_as_the_rules_do(piles: int) -> None:
    rng = Random(13)
    pads: list[ScorePad] = []
    while sum(len(pad.deals) * pad.players for pad in pads) < piles:
        pads.append(any_pad(rng))
    expected = [reckoned_by_the_rules(pad) for pad in pads]
    assert reckoned_by_the_page(pads) == expected
    deals = [deal for pad in expected for deal in pad["deals"]]
    assert {deal["complete"] for deal in deals} == {pad["over"] for pad in expected} == {True, False}
    assert any(None in worths for deal in deals for worths in deal["points"])


def test_the_worked_example() -> None:
    ways = [Tally.parse(notes) for notes in (EXAMPLE, "R*3 Y8 G5,9 B*5 V10,12", "R4 R*2 Y8 G5,9 B*5 V10,12")]
    assert {tally.points for tally in ways} == {(3, 8, 14, 5, 22)}
    pads = [ScorePad(tuple("ABCD"), deals=((tally, Tally(), Tally(), Tally()),)) for tally in ways]
    for reckoned in reckoned_by_the_page(pads):
        assert reckoned["deals"][0]["points"][0] == [3, 8, 14, 5, 22]
        assert reckoned["deals"][0]["scores"] == [52, 0, 0, 0]


@given(st.sets(st.sampled_from(list(deck(6)))))
def test_a_pile_that_is_noted_card_by_card_scores_by_the_rules(cards: set[Card]) -> None:
    pile = CardSet.of(cards)
    worths = Tally(pile).points
    assert sum(worth for worth in worths if worth is not None) == score(pile)
    assert Tally.parse(str(Tally(pile))) == Tally(pile)


def test_a_deal_counts_once_every_card_belongs_to_someone() -> None:
    assert WHOLE.is_complete(0)
    assert WHOLE.scores(0) == (20, 29, 20)
    assert WHOLE.standing.totals == (20, 29, 20)
    assert not WHOLE.is_over
    less = WHOLE.take(0, 1, Tally.parse("V7"))
    assert not less.is_complete(0)
    assert less.standing.totals == (0, 0, 0)
    assert less.left(0) == (0, 0, 0, 0, 1)
    assert less.give(0, 1, Tally.parse("V7")) == WHOLE


def test_one_or_two_cards_without_values_are_worth_nothing_yet() -> None:
    tally = Tally.parse("R*2 Y8 Y*1 G*3")
    assert tally.points == (None, None, 3, 0, 0)
    assert not WHOLE.take(0, 0, Tally.parse("G4,9")).give(0, 0, Tally.parse("G9 G*1")).is_complete(0)


def test_a_match_ends_on_the_pad_as_by_the_rules() -> None:
    twice = ScorePad(NAMES, WHOLE.rules, 2, WHOLE.deals * 2)
    assert twice.is_over
    with refuses("match_is_over"):
        twice.begin()
    assert ScorePad(NAMES, RuleSet(target_score=29), 2, WHOLE.deals).is_over
    assert not ScorePad(NAMES, RuleSet(target_score=30), 2, WHOLE.deals).is_over
    assert [WHOLE.dealer_of(deal) for deal in range(4)] == [2, 0, 1, 2]
    assert [WHOLE.leader_of(deal) for deal in range(4)] == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("seat", "notes", "reason"),
    [
        (1, "R1", "card_taken"),
        (0, "R1", "card_twice"),
        (1, "R10", "not_in_deck"),
        (1, "Y*5", "too_many"),
    ],
)
def test_a_card_belongs_to_one_player_only(seat: int, notes: str, reason: str) -> None:
    pad = ScorePad(NAMES).begin().give(0, 0, Tally.parse("R1 Y*5"))
    with pytest.raises(Refusal) as refused:
        pad.give(0, seat, Tally.parse(notes))
    assert refused.value.reason == reason


@pytest.mark.parametrize("notes", ["R2", "Y*6"])
def test_what_nobody_has_cannot_be_taken_away(notes: str) -> None:
    pad = ScorePad(NAMES).begin().give(0, 0, Tally.parse("R1 Y*5"))
    with refuses("not_captured"):
        pad.take(0, 0, Tally.parse(notes))


@pytest.mark.parametrize(
    ("notes", "reason", "column"),
    [("R*", "no_such_card", 1), ("Y1 R*3 X9", "no_such_card", 8), ("", "no_cards", 1), ("R1,1", "card_twice", 4)],
)
def test_notes_that_make_no_sense(notes: str, reason: str, column: int) -> None:
    with pytest.raises(NotationError) as refused:
        Tally.parse(notes)
    assert (refused.value.reason, refused.value.column) == (reason, column)


def test_nineteen_cards_of_a_colour_do_not_exist() -> None:
    with refuses("too_many", NotationError):
        Tally.parse("R*19")


def test_a_pad_is_read_back_with_and_without_its_results() -> None:
    assert ScorePad.parse(str(WHOLE)) == WHOLE
    items = json.loads(str(WHOLE))
    assert ScorePad.parse(json.dumps({**items, **pad_results(WHOLE)})) == WHOLE
    with pytest.raises(NotationError) as refused:
        ScorePad.parse(json.dumps({**items, "totals": [1, 2, 3]}))
    assert (refused.value.reason, refused.value.path) == ("result_disagrees", "totals")


@pytest.mark.parametrize(
    ("change", "reason", "path"),
    [
        ({"format": "x"}, "no_such_format", "format"),
        ({"names": ["A", "B"]}, "players_range", "names"),
        ({"names": ["A", "B", ""]}, "text_unfit", "names[2]"),
        ({"dealer": 3}, "no_such_seat", "dealer"),
        ({"deals": [["R1", "R1", "-"]]}, "card_taken", "deals[0]"),
        ({"deals": [["R1", "-"]]}, "one_per_seat", "deals[0]"),
        ({"deals": [["R1", "R99", "-"]]}, "no_such_card", "deals[0][1]"),
        ({"deals": [["-", "-", "-"]] * 21}, "number_range", "deals"),
        ({"more": 1}, "no_such_key", ""),
    ],
)
def test_a_file_that_is_no_pad(change: dict[str, Any], reason: str, path: str) -> None:
    with pytest.raises(NotationError) as refused:
        ScorePad.parse(json.dumps({**json.loads(str(WHOLE)), **change}))
    assert (refused.value.reason, refused.value.path) == (reason, path)


def test_the_sample_of_the_notation_page_is_a_pad() -> None:
    (sample,) = re.findall(r"^## Score pad$.*?^```text\n(.*?)^```", NOTATION, re.M | re.S)
    assert ScorePad.parse(sample).scores(0)[0] == 52


@pytest.fixture
def keep(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Types lines into a pad of its own, and gives what it said."""
    monkeypatch.setenv("DAVIDGOLIATH_DATA", str(tmp_path))

    def keep(*lines: str, options: tuple[str, ...] = ()) -> str:
        text = "".join(f"{line}\n" for line in lines)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        assert main(["score", "--interactive", "--lang", "en", *options]) == 0
        return capsys.readouterr().out

    return keep


@pytest.fixture
def pads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where pads are kept that have no file of their own."""
    monkeypatch.setenv("DAVIDGOLIATH_DATA", str(tmp_path))
    return tmp_path / "pads"


START = ("3", "Ann", "Ben", "Cleo", "Cleo")
LINES = (PILES[0], "", PILES[1], "", PILES[2])


def test_a_match_in_plain_lines(keep: Any) -> None:
    said = keep(*START, *LINES, *LINES, "t", "", options=("--rules", "classic deals=2"))
    assert "Deal 1 of 2. Cleo deals, Ann leads." in said
    assert "Deal 2 of 2. Ann deals, Ben leads." in said
    assert "  R 3×1=3, Y 4×1=4, G 4+9=13, total 20" in said
    assert re.search(r"^  Ben +4\+5=9 +1 +3×1=3 +9×1=9 +7 +29$", said, re.M)
    assert "The match is won by: Ben" in said
    assert "1. Ben: 58 (29 + 29)\n2. Ann: 40 (20 + 20)\n2. Cleo: 40 (20 + 20)" in said
    assert "Ben captured" not in keep(*START, "q"), "a match that is over makes room for a new one"


def test_json_has_standard_output_to_itself(run: Any) -> None:
    typed = "".join(f"{line}\n" for line in (*START, *LINES, "q"))
    ran = run("score", "-i", "--json", stdin=typed)
    assert json.loads(ran.out)["totals"] == [20, 29, 20]
    assert ScorePad.parse(ran.out).names == ("Ann", "Ben", "Cleo")
    for said in ("How many players", "Ann: ", "Totals", "The pad is in "):
        assert said in ran.err


@pytest.mark.parametrize(
    ("arguments", "a", "b"),
    [
        (["R4", "-i"], "CARDS", "--interactive"),
        (["R4", "--pad", "x"], "CARDS", "--pad"),
        (["-i", "--pad", "-"], "--interactive", "--pad -"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Any, arguments: list[str], a: str, b: str) -> None:
    ran = run("score", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert f"{a} and {b} don’t go together" in ran.err


def test_a_new_pad_never_replaces_one_unasked(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "mypad.json"
    file.write_text(str(WHOLE), encoding="utf-8")
    ran = run("score", "-i", "--pad", str(file), "--new", stdin="3\n")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == f"davidgoliath: {file} exists already; --force replaces it\n"
    assert ScorePad.parse(file.read_text(encoding="utf-8")) == WHOLE
    typed = "".join(f"{line}\n" for line in START)
    assert run("score", "-i", "--pad", str(file), "--new", "--force", stdin=typed).status == 0
    assert ScorePad.parse(file.read_text(encoding="utf-8")).deals == ()
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["mypad.json"]


def test_of_several_pads_one_is_chosen_and_a_damaged_one_hides_none(keep: Any, pads: Path) -> None:
    keep(*START, "R1")
    keep("3", "Dora", "Emil", "Finn", "", "R2", options=("--new",))
    (pads / "0003.json").write_text("{", encoding="utf-8")
    os.utime(pads / "0001.json", (1, 1))
    said = keep("7", "x", "2", "1", "q")
    assert re.search(r"^Unfinished pads\n +1 +\S+ \S+ +Dora, Emil, Finn\n +2 +1970.*Ann, Ben, Cleo$", said, re.M)
    assert said.count("in this list") == 2
    assert "So far: R1" in said
    assert "Name of player 1" in keep("", "3")
    assert "Unfinished pads" in keep("1", options=("--players", "5")), "which may be for a new one"


def test_where_nothing_can_be_saved_the_pad_goes_on(run: Any, pads: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = KeptFile.save
    times = iter([True, False, True])

    def save(self: KeptFile, text: str) -> None:
        if not next(times):
            raise OSError(errno.ENOSPC, "full", str(self.file))
        saved(self, text)

    monkeypatch.setattr(KeptFile, "save", save)
    ran = run("score", "-i", stdin="".join(f"{line}\n" for line in (*START, "R1", "R2", "q")))
    assert f"Not saved. {pads / '0001.json'}: the disk is full." in " ".join(ran.out.split())
    pad = ScorePad.parse((pads / "0001.json").read_text(encoding="utf-8"))
    assert str(pad.deals[0][0].cards) == "R1,2"


def test_two_of_one_name_are_told_apart(keep: Any, run: Any, tmp_path: Path) -> None:
    said = keep("4", "Ann", "ann", "Ben", "Ann", "ann (2)", "R1", "t")
    assert "There is one ann already, so this one is ann (2)." in said
    assert "Deal 1 of 4. ann (2) deals, Ben leads." in said
    assert all(f" {name}: 0" in said for name in ("Ann (3)", "ann (2)", "Ben"))
    twins = tmp_path / "twins.json"
    twins.write_text(str(replace(WHOLE, names=("Ann", "Ben", "Ann"))), encoding="utf-8")
    shown = run("score", "--pad", str(twins)).out
    assert re.findall(r"^\d\. (.*):", shown, re.M) == ["Ben", "Ann", "Ann (2)"]
    assert told_apart(["A" * LONGEST_TEXT] * 2)[1] == "A" * (LONGEST_TEXT - 4) + " (2)"


@pytest.mark.parametrize(
    ("encoding", "reason"), [("utf-16", "UTF-16"), ("utf-16-be", "UTF-16"), ("latin-1", "Latin-1")]
)
def test_a_pad_in_another_encoding(run: Any, tmp_path: Path, encoding: str, reason: str) -> None:
    file = tmp_path / "pad.json"
    file.write_bytes(str(replace(WHOLE, names=("Ann", "Jürgen", "Cleo"))).encode(encoding))
    ran = run("score", "--pad", str(file))
    assert ran.status == 1
    assert re.fullmatch(rf"davidgoliath: {re.escape(str(file))}: line 1: .*{reason}.* as UTF-8.*\n", ran.err)


def test_slips_are_one_sentence_and_change_nothing(keep: Any) -> None:
    typed = (
        "2",
        "x",
        *START[:4],
        "Dora",
        "2",
        "R1 Y2",
        "",
        "R1",
        "R10",
        "Y*2",
        "-R5",
        "R5 R5",
        "9",
        "d 7",
        "u",
        "u",
        "d",
    )
    said = keep(*typed)
    for sentence in (
        "the game is for 3 to 6 players, not for 2",
        "There is no player ‘Dora’; players have the numbers 1 to 3.",
        "R1 already belongs to Ann",
        "R10 is not in the deck for 3 players",
        "yellow: one or two cards of a colour count their values, so name them",
        "R5 is not in this pile",
        "R5 appears twice",
        "There is no player ‘9’; players have the numbers 1 to 3.",
        "There is no deal ‘7’ on this pad yet; 1 have begun.",
        "There is nothing to take back.",
    ):
        assert sentence in said
    assert said.count("45 cards left over") == 1


def test_left_over_cards_are_counted_and_an_earlier_deal_is_corrected(keep: Any) -> None:
    almost = "R*4 Y*4 G1,2,3,5 V*7"
    said = keep(*START, *LINES[:4], almost, "l", "s", "V*1", "d 1", "2", "-V7", "1", "V7", "j", "?")
    assert "  1 card left over\n" in said, "which one it is can't be told, as seven values weren't noted"
    assert "So far: R4,5 Y1 G*3 B*9 V7" in said
    assert "R1,2,3 Y*4 G4,9 V7" in said
    assert "takes the last step back" in said
    (pad,) = [line for line in said.splitlines() if line.startswith("{")]
    assert ScorePad.parse(pad).scores(0) == (27, 22, 20)


def test_few_left_over_cards_have_names(keep: Any) -> None:
    cards = [str(card) for card in deck(3)]
    assert "  2 cards left over: V8,9" in keep(*START, " ".join(cards[:43]))


def test_a_damaged_pad_does_not_keep_anybody_from_a_new_one(
    keep: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pads").mkdir()
    (tmp_path / "pads/0001.json").write_text("{", encoding="utf-8")
    assert "Deal 1 of 3" in keep(*START)
    assert [file.name for file in sorted((tmp_path / "pads").iterdir())] == ["0001.json", "0002.json"]
    assert "Name of player 1" in keep(options=("--players", "4", "--new"))


def test_a_killed_pad_goes_on_where_it_was(keep: Any, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "davidgoliath", "score", "-i", "--lang", "en"]
    environment = {**os.environ, "DAVIDGOLIATH_DATA": str(tmp_path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{line}\n" for line in (*START, "R1,9 Y5", "l")))
        process.stdin.flush()
        while "42 cards left over" not in process.stdout.readline():
            pass
        while "42 cards left over" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGKILL)
    said = keep("1", "q")
    assert "So far: R1,9 Y5" in said
    assert "2 Ben: " in said


def test_a_pad_in_a_file_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pad.json"
    file.write_text(str(WHOLE), encoding="utf-8")
    assert main(["score", "--pad", str(file)]) == 0
    assert "David & Goliath, after deal 1 of 2\n1. Ben: 29" in capsys.readouterr().out
    assert main(["score", "--pad", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"] == [[20, 29, 20]]
    assert main(["score", "--pad", str(tmp_path / "none.json")]) == 1
    assert capsys.readouterr().err.endswith("none.json: there is no such file or folder\n")
    shown = subprocess.run(
        [sys.executable, "-m", "davidgoliath", "score", "--pad", "-"], input=file.read_bytes(), capture_output=True
    )
    assert b"1. Ben: 29" in shown.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pad_in_every_language(keep: Any, language: str) -> None:
    said = keep(
        *START, *LINES, "R1", "", "R1", "Y*1", "?", "t", "d 1", "d 9", "u", "u", "u", options=("--lang", language)
    )
    assert "{" not in said
