"""The commands that look back at a deal and give a hint."""

import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from davidgoliath import Card, Deal, DealRecord, DealState, RuleSet
from davidgoliath.study.hints import Hint
from davidgoliath.study.values import Analysis, Estimate, Grade, ReasonKind
from davidgoliath.terminal.bars import bars
from davidgoliath.terminal.look_back import hint_table
from davidgoliath.texts import Texts
from tests.games import play_at_random, swapped
from tests.marks import slow

SAMPLE = Path(__file__).parent / "sample.dgn"


def record(players: int, plays: int, rules: str = "classic", names: tuple[str, ...] | None = None) -> DealRecord:
    start = DealState.start(Deal.shuffled(players, Random(7)), RuleSet.parse(rules))
    return DealRecord.of(play_at_random(start, Random(5), plays), names=names)


def lines(ran: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.out.splitlines()]


def test_a_review_for_programs(run: Any) -> None:
    ran = run("review", str(SAMPLE), "--seat", "2", "--seconds", "0", "--json")
    assert (ran.status, ran.err) == (0, "")
    (told,) = lines(ran)
    assert list(told) == ["deal", "seat", "choices", "lost_per_choice", "low", "high", "ledger", "judge"]
    assert (told["deal"], told["seat"]) == (1, 2)
    state = DealRecord.parse(SAMPLE.read_text(encoding="utf-8")).state
    for choice in told["choices"]:
        assert list(choice) == ["trick", "played", "best", "loss", "low", "high", "grade", "reasons"]
        trick = state.tricks[choice["trick"] - 1]
        assert choice["played"] == str(trick.cards[(2 - trick.leader) % 3])
        assert choice["low"] <= choice["loss"] <= choice["high"]
        assert (choice["grade"] == Grade.BEST) == (choice["played"] == choice["best"])
    assert 10 < len(told["choices"]) < 15, "the last card is none"
    ledger = told["ledger"]
    errors = [choice for choice in told["choices"] if choice["grade"] not in ("best", "fine")]
    costliest = sorted(errors, key=lambda choice: -choice["loss"])[:3]
    assert all(bool(choice["reasons"]) <= (choice in costliest) for choice in told["choices"])
    assert any(choice["reasons"] for choice in costliest)
    assert round(ledger["dealt"] + ledger["own"] + ledger["others"], 1) == ledger["result"]
    assert ledger["result"] == 1.0, "24 less the mean of 21 and 25"


def test_people_are_reviewed_unless_somebody_else_is_wanted(run: Any, tmp_path: Path) -> None:
    def seats(names: tuple[str, ...] | None, *options: str) -> list[int]:
        file = tmp_path / "deal.json"
        text = str(record(3, 0, names=names))
        file.write_text(text, encoding="utf-8")
        return [told["seat"] for told in lines(run("review", str(file), "--json", "--seconds", "0", *options))]

    assert seats(("Ann", "bot:casual", "Ben")) == [0, 2]
    assert seats(("Ann", "bot:casual", "Ben"), "--all") == [0, 1, 2]
    assert seats(("Ann", "bot:casual", "Ben"), "--seat", "1") == [1]
    assert seats(("bot:casual",) * 3) == [0, 1, 2]
    assert seats(None) == [0, 1, 2]


def test_a_review_says_why(run: Any) -> None:
    """All that it takes, of a single choice, and that the worst."""
    start = record(4, 0).state
    (told,) = lines(run("hint", "-", "--json", stdin=str(DealRecord.of(start))))
    worst = max(told["cards"], key=lambda card: told["cards"][card][-1])
    text, seat = str(DealRecord.of(start.play(Card.parse(worst)))), str(start.to_play)
    (review,) = lines(run("review", "-", "--seat", seat, "--json", stdin=text))
    (choice,) = review["choices"]
    assert (choice["trick"], choice["played"]) == (1, worst)
    assert choice["grade"] in ("mistake", "blunder")
    assert choice["low"] > 0
    assert {reason["reason"] for reason in choice["reasons"]} <= {str(kind) for kind in ReasonKind}
    assert sum(reason["points"] for reason in choice["reasons"]) < 0, "they speak against it"
    assert (review["lost_per_choice"], review["ledger"]) == (None, None), "too few choices, and no result yet"
    assert "(+" in run("review", "-", "--seat", seat, stdin=text).out


@pytest.mark.parametrize("players", [3, *slow(4, 5, 6)])
def test_a_review_and_a_hint_for_people(run: Any, players: int) -> None:
    names = ("Ann", *["bot:casual"] * (players - 1))
    whole = record(players, 90, "single all_equal=sweep lowest_card_to=david", names)
    said = run("review", "-", "--seconds", "0", stdin=str(whole)).out
    assert said.startswith("Deal 1 of 1 · Ann\n")
    assert "95 %" in said
    assert "█" in said
    assert "The own points less the mean of the others’" in said
    assert all(len(line) <= 80 for line in said.splitlines())
    dealer = whole.deal.dealer
    open_ = record(players, 0, "single", names)
    said = run("hint", "-", stdin=str(open_)).out
    assert f"Trick 1 · {'Ann' if dealer == players - 1 else ''}" in said
    assert re.search(r"^Play the \w+ \d+\.$", said, re.M)


def test_deals_of_a_match_are_summed_up(run: Any) -> None:
    first = record(3, 2, names=("Ann", "bot:casual", "bot:casual"))
    said = run("review", "-", "--seconds", "0", stdin=f"{first}\n{replace(first, number=2)}").out
    assert "Deal 2 of 3 · Ann" in said
    assert "2 deals · Ann" in said


def test_a_hint_for_programs(run: Any) -> None:
    unfinished = record(3, 31)
    (told,) = lines(run("hint", "-", "--json", stdin=str(unfinished)))
    state = unfinished.state
    assert (told["deal"], told["seat"], told["trick"]) == (1, state.to_play, 11)
    assert set(told["cards"]) == {str(card) for card in state.legal_cards}
    assert told["best"] in told["cards"]
    for value, low, high, _ in told["cards"].values():
        assert low <= value <= high
    assert told["cards"][told["best"]][-1] == 0.0


def test_the_best_card_stands_first_even_if_another_was_luckier() -> None:
    """It was chosen in other worlds than those that price it."""
    view = record(3, 0).state.view(0)
    best, other = sorted(view.hand)[:2]
    cards = {other: Estimate(2.1, 2.0, 2.2), best: Estimate(2.0, 2.0, 2.0)}
    losses = {other: Estimate(-0.1, -0.2, 0.0), best: Estimate(0.0, 0.0, 0.0)}
    said = hint_table(Hint(Analysis(cards, losses, best, 4), other, ()), view, ("Ann", "Ben", "Cleo"), Texts("en"))
    assert [line.split()[0] for line in said.splitlines()[-2:]] == [str(best), str(other)]


def test_a_hint_knows_only_what_its_seat_does(run: Any) -> None:
    state = record(4, 41).state
    other = swapped(state, state.to_play, Random(3))
    assert other.hands != state.hands
    for options in ([], ["--json"]):
        said = [run("hint", "-", *options, stdin=str(DealRecord.of(each))).out for each in (state, other)]
        assert said[0] == said[1]
        assert said[0]


def test_what_cant_be_read_takes_its_place(run: Any) -> None:
    good = json.dumps({"format": "davidgoliath/1"})
    ran = run("review", "-", "--json", "--seconds", "0", stdin=f"{good}\nnonsense\n")
    assert ran.status == 1
    assert [told["line"] for told in lines(ran)] == [1, 2]
    assert len(ran.err.splitlines()) == 2
    ran = run("review", "-", "--json", "--seat", "3", stdin=str(record(3, 2)))
    assert (ran.status, ran.err) == (
        1,
        "davidgoliath: line 1: there is no seat 3 among 3 players; seats count from 0\n",
    )
    ran = run("hint", "-", stdin="nonsense")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("davidgoliath: line 1")


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["review"], 2, "FILE"),
        (["review", "none.dgn"], 1, "none.dgn"),
        (["review", str(SAMPLE.parent)], 1, "a folder, not a file"),
        (["review", sys.executable], 1, "no text file"),
        (["hint", sys.executable], 1, "no text file"),
        (["review", str(SAMPLE), "--seat", "6"], 2, "6"),
        (["review", str(SAMPLE), "--seconds", "nan"], 2, "nan"),
        (["review", str(SAMPLE), "--seconds", "-1"], 2, "-1"),
        (["review", str(SAMPLE), "--seat", "0", "--all"], 1, "either --seat or --all"),
        (["hint", str(SAMPLE)], 1, "nobody is to play"),
    ],
)
def test_wrong_calls_get_one_sentence(run: Any, arguments: list[str], status: int, said: str) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_ctrl_c_ends_a_review_without_another_word(tmp_path: Path) -> None:
    file = tmp_path / "deal.dgn"
    file.write_text(str(record(6, 6)), encoding="utf-8")
    command = [sys.executable, "-m", "davidgoliath", "review", str(file), "--all", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["seat"] in range(6)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert not process.stderr.read().strip()


def test_a_chart_has_the_sign_of_its_numbers() -> None:
    assert bars([0, 0], 3, str) == ["0.0 ─────"]
    assert [line[-2:] for line in bars([-1.0], 1, str)] == ["──", "██"]
    for values in ([5.0, -3.0], [1.0, 2.0], [-4.0, -1.0]):
        chart = bars(values, 4, str)
        zero = next(row for row, line in enumerate(chart) if "─" in line)
        assert any("█" in line for line in chart[:zero]) == (max(values) > 0)
        assert any("█" in line for line in chart[zero + 1 :]) == (min(values) < 0)
