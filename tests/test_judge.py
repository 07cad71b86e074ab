"""The judge of bots: fair values, errors in the right words, the same figures every time."""

import json
import sys
from random import Random

import pytest
from tools.judge import Error, Move, Terms, as_table, error_of, judge, judge_move, main, summary, value_of

from davidgoliath import Card, CardSet, Deal, DealState, Trick, View
from davidgoliath.bots.search import Tree

START = DealState.start(Deal.shuffled(4, Random(7), dealer=3))
TERMS = Terms(players=3, iterations=20)


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


def test_a_card_gets_all_the_iterations_whatever_it_is_worth() -> None:
    """The search's own mean of a bad card rests on few tries."""
    position = START.view(0)
    tree = Tree(position, 1, 4000)
    tree.grow(4000)
    verdicts = tree.verdicts
    best, worst = tree.best, min(verdicts, key=lambda card: verdicts[card].visits)
    assert verdicts[worst].visits < 100
    assert abs(value_of(position, best, 2, 4000) - verdicts[best].value) < 1.5
    assert value_of(position, worst, 2, 4000) < value_of(position, best, 2, 4000)


def test_the_last_card_is_worth_the_scores() -> None:
    state = START
    while len(state.plays) < 59:
        state = state.play(min(state.legal_cards))
    last, card = state.view(state.to_play), min(state.legal_cards)
    scores = list(state.play(card).scores)
    own = scores.pop(last.seat or 0)
    assert value_of(last, card, seed=1, iterations=10) == pytest.approx(own - sum(scores) / 3)


def test_the_best_card_loses_nothing() -> None:
    position, rng = START.view(0), Random(1)
    tree = Tree(position, Random(1).getrandbits(64), 500)
    tree.grow(500)
    assert judge_move(position, tree.best, rng, 500) == Move(0.0, None)


def test_figures_by_hand() -> None:
    deals = [[Move(3.0, Error.TAKES), Move(0.0, None)], [Move(1.0, Error.DUCKS), Move(0.5, Error.LEADS_TOO_LOW)]]
    row = summary("mine", deals)
    assert (row["name"], row["moves"], row["lost"], row["costly"]) == ("mine", 4, 1.125, 0.5)
    assert row["lost_ci"] == [0.75, 1.5]
    assert row["errors"] == [
        {"kind": "takes where it should duck", "moves": 1, "points": 3.0, "share": 0.75},
        {"kind": "ducks where it should take", "moves": 1, "points": 1.0, "share": 0.25},
    ]
    assert as_table({"bots": [row, summary("best", [[Move(0.0, None)]])]}).splitlines()[2:] == [
        "| `mine` | 1.12 | 0.75 to 1.50 | 50 % | takes where it should duck 75 %, ducks where it should take 25 % |",
        "| `best` | 0.00 | 0.00 to 0.00 | 0 % | none |",
    ]


@pytest.mark.slow
def test_the_same_figures_every_time_and_in_any_number_of_processes() -> None:
    once = judge(["random", "beginner"], TERMS, deals=1)
    assert once == judge(["random", "beginner"], TERMS, deals=1, jobs=2)
    assert [row["name"] for row in once["bots"]] == ["random", "beginner"]
    assert once["bots"][0]["lost"] > 0
    assert once != judge(["random", "beginner"], TERMS._replace(seed=1), deals=1)


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    terms = ["--players", "3", "--deals", "1", "--iterations", "20", "--jobs", "1"]
    monkeypatch.setattr(sys, "argv", ["judge", "random", *terms, "--json"])
    assert main() == 0
    report = json.loads(capsys.readouterr().out)
    assert report["iterations"] == 20
    assert report["bots"][0]["moves"] > 20
    monkeypatch.setattr(sys, "argv", ["judge", "nobody"])
    with pytest.raises(SystemExit):
        main()
    assert "there is no bot 'nobody'" in capsys.readouterr().err
