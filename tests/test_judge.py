"""The judge of bots: fair values, errors in the right words, the same figures every time."""

import json
import sys
from pathlib import Path
from random import Random

import pytest
from tools.judge import Error, Move, Terms, as_table, error_of, judge, judge_move, keep, main, steps, summary

from davidgoliath import Card, CardSet, Deal, DealState, Trick, View
from davidgoliath.study.analysis import Analyst
from davidgoliath.study.values import Estimate, Grade

START = DealState.start(Deal.shuffled(4, Random(7), dealer=3))
TERMS = Terms(players=3, blocks=4)
NOTHING = Estimate(0.0, 0.0, 0.0)


def move(lost: float, error: Error | None, grade: Grade) -> Move:
    return Move(Estimate(lost, lost, lost), grade, error)


def view(table: str, hand: str, pile: str = "-") -> View:
    """Seat 0 of four is to play, after these cards."""
    cards = tuple(map(Card.parse, table.split()))
    trick = Trick(4, -len(cards) % 4, cards)
    piles = (CardSet.parse(pile), CardSet(), CardSet(), CardSet())
    return START.view(0)._replace(hand=CardSet.parse(hand), trick=trick, piles=piles)


@pytest.mark.parametrize(
    ("table", "pile", "card", "best", "error"),
    [
        ("", "-", "R9", "R3", Error.LEADS_TOO_HIGH),
        ("", "-", "R9", "Y5", Error.LEADS_TOO_HIGH),
        ("", "-", "R3", "R9", Error.LEADS_TOO_LOW),
        ("", "-", "R9", "Y6", Error.LEADS_WRONG_COLOUR),
        ("G4 G9 R2", "G3,11", "G10", "G5", Error.TAKES_THIRD_CARD),
        ("G4 G9 R2", "G3,11", "G10", "G12", Error.PLAYS_TOO_LOW),
        ("G4 G9 R2", "-", "G10", "G5", Error.TAKES),
        ("G4 G9 R2", "-", "G5", "G10", Error.DUCKS),
        ("G4 G9 R2", "-", "G1", "G10", Error.DUCKS),
        ("G4 G9 R2", "-", "G10", "G1", Error.TAKES),
        ("G4 G9 R2", "-", "G1", "G5", Error.TAKES_PRIZE),
        ("G4 G9 R2", "-", "G5", "G1", Error.LEAVES_PRIZE),
        ("G4 G9 R2", "G10,11", "G1", "G5", Error.TAKES_THIRD_CARD),
        ("G4 G9 R2", "-", "G7", "G5", Error.PLAYS_TOO_HIGH),
        ("G4 G9 R2", "-", "Y8", "V4", Error.PLAYS_TOO_HIGH),
        ("G4 G9 R2", "-", "Y8", "V5", Error.DISCARDS_WRONG_COLOUR),
    ],
)
def test_errors_have_names(table: str, pile: str, card: str, best: str, error: Error) -> None:
    hand = f"{card} {best}" if card[0] != best[0] else f"{card},{best[1:]}"
    assert error_of(view(table, hand, pile), Card.parse(card), Card.parse(best)) is error


def test_the_best_card_loses_nothing() -> None:
    best = Analyst(START.view(0)).best(4)
    assert judge_move(START.view(0), best, 4) == Move(NOTHING, Grade.BEST, None)


def test_figures_by_hand() -> None:
    deals = [
        [move(3.0, Error.TAKES, Grade.MISTAKE), move(-0.5, None, Grade.BEST)],
        [move(1.0, Error.DUCKS, Grade.INACCURACY), move(1.0, Error.LEADS_TOO_LOW, Grade.FINE)],
    ]
    row = summary("mine", deals)
    assert (row["name"], row["moves"], row["lost"]) == ("mine", 4, 1.125)
    assert row["lost_ci"] == [1.0, 1.25]
    assert row["grades"] == {"best": 0.25, "fine": 0.25, "inaccuracy": 0.25, "mistake": 0.25, "blunder": 0.0}
    assert row["errors"] == [
        {"kind": "takes where it should duck", "moves": 1, "points": 3.0, "share": 0.6},
        {"kind": "leads too low", "moves": 1, "points": 1.0, "share": 0.2},
        {"kind": "ducks where it should take", "moves": 1, "points": 1.0, "share": 0.2},
    ]
    best = [[move(0.0, None, Grade.BEST)]] * 2
    (step,) = steps({"best": best, "mine": deals})
    assert step == {"from": "best", "to": "mine", "more": -1.125, "ci": [-1.25, -1.0]}
    lines = as_table({"bots": [row, summary("best", best)], "steps": [step]}).splitlines()
    kinds = "takes where it should duck 60 %, leads too low 20 %, ducks where it should take 20 %"
    assert lines[2] == f"| `mine` | 1.12 | 1.00 to 1.25 | 25.0 % | 25.0 % | 0.0 % | {kinds} |"
    assert lines[3] == "| `best` | 0.00 | 0.00 to 0.00 | 0.0 % | 0.0 % | 0.0 % | none |"
    assert lines[5] == "`best` loses -1.12 more than `mine` (-1.25 to -1.00) **(the wrong order)**"


@pytest.mark.slow
def test_the_same_figures_every_time_and_in_any_number_of_processes() -> None:
    once = judge(["random", "copy"], TERMS, deals=2)
    assert once == judge(["random", "copy"], TERMS, deals=2, jobs=2)
    assert [row["name"] for row in once["bots"]] == ["random", "copy"]
    assert once["bots"][0]["lost"] > 0
    assert once != judge(["random", "copy"], TERMS._replace(seed=1), deals=2)


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setattr("tools.judge.LADDER_FILE", tmp_path / "ladder.json")
    terms = ["--players", "3", "--deals", "1", "--blocks", "4", "--jobs", "1"]
    monkeypatch.setattr(sys, "argv", ["judge", "random", *terms, "--json"])
    assert main() == 0
    report = json.loads(capsys.readouterr().out)
    assert report["blocks"] == 4
    assert report["bots"][0]["moves"] > 5
    monkeypatch.setattr(sys, "argv", ["judge", "nobody"])
    with pytest.raises(SystemExit):
        main()
    assert "there is no bot 'nobody'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir()), "kept only on request"


def test_what_is_kept_of_the_ladder(tmp_path: Path) -> None:
    rows = [summary(name, [[move(1.0, None, Grade.FINE)]]) for name in ("random", "copy")]
    report = {"players": 5, "deals": 9, "blocks": 4, "judge": "me", "bots": rows}
    file = tmp_path / "ladder.json"
    keep(report, file)
    keep({**report, "players": 3}, file)
    kept = json.loads(file.read_text())
    assert list(kept) == ["3", "5"]
    command = "./dg judge --players 5 --deals 9 --blocks 4 --keep"
    assert kept["5"] == {"command": command, "judge": "me", "lost": {"random": [1.0, 1.0, 1.0]}}
