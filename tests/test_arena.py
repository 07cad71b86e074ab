"""The arena: who sits where, the figures, the results file, the ladder, and the command over them."""

import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from davidgoliath import Refusal, RuleSet
from davidgoliath.bots import bots as known_bots
from davidgoliath.cli import main
from davidgoliath.match import arena as arena_module
from davidgoliath.match.arena import Arena, Game, load_bots, play_games
from davidgoliath.match.comparison import Comparison, bootstrap, intervals
from davidgoliath.match.rating import POINTS, PRIOR, draws, finishing_order, fit, ladder_summary, ratings
from davidgoliath.match.results import Results
from tests.marks import slow
from tests.refusals import refuses

BOTS = """
import os
from davidgoliath.rules import deck

class Highest:
    def choose(self, view, rng, budget=None):
        return max(view.legal_cards, key=lambda card: card.value)

class Cheat:
    def choose(self, view, rng, budget=None):
        return next(iter(view.unseen or deck(view.players)))

class Dies:
    def choose(self, view, rng, budget=None):
        os._exit(1)

class Counts:
    def choose(self, view, rng, budget=None):
        cards = list(view.legal_cards)
        return cards[budget.iterations % len(cards)]

class Deciding:
    def choose(self, view, rng, budget=None):
        assert view.standing.deals == 1 and not any(view.standing.totals) and view.standing.target_score is None
        return min(view.legal_cards)
"""


@pytest.fixture
def _more_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with bots is installed, for worker processes too."""
    names = ("Highest", "Cheat", "Dies", "Counts", "Deciding")
    (tmp_path / "more_bots.py").write_text(BOTS, encoding="utf-8")
    info = tmp_path / "more_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: more-bots\nVersion: 1\n", encoding="utf-8")
    entries = "".join(f"{name.lower()} = more_bots:{name}\n" for name in names)
    (info / "entry_points.txt").write_text(f"[davidgoliath.bots]\n{entries}", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    known_bots.cache_clear()
    arena_module._bot.cache_clear()
    yield
    known_bots.cache_clear()
    arena_module._bot.cache_clear()
    sys.modules.pop("more_bots", None)


def names_of(arena: Arena) -> list[str]:
    return ["".join(name[0] for name in seating.names) for seating in arena.seatings]


def played(arena: Arena, deals: int, jobs: int = 1) -> Comparison:
    return Comparison(arena, list(play_games(arena, 0, arena.games(deals), jobs)))


def figures(summary: dict[str, Any]) -> dict[str, Any]:
    """All but the times."""
    key = "bots" if "bots" in summary else "ratings"
    rows = [{name: value for name, value in row.items() if not name.startswith("ms")} for row in summary[key]]
    return {**summary, key: rows}


@pytest.mark.parametrize(
    ("bots", "players", "seatings"),
    [
        ("AB", 4, "ABAB BABA"),
        ("ARRR", 4, "ARRR RRRA RRAR RARR"),
        ("AB", 3, "ABA BAA AAB BAB ABB BBA"),
        ("ABC", 3, "ABC BCA CAB"),
        ("AAB", 3, "AAB ABA BAA"),
        ("A", 4, "AAAA AAAA"),
        ("AAA", 3, "AAA AAA AAA"),
    ],
)
def test_seatings(bots: str, players: int, seatings: str) -> None:
    assert names_of(Arena.of(list(bots), players)) == seatings.split()


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("bots", ["AB", "ABC", "AABC", "ABCDE"])
def test_every_bot_has_every_seat_equally_often(bots: str, players: int) -> None:
    if len(bots) > players:
        with refuses("too_many_bots"):
            Arena.of(list(bots), players)
    else:
        seatings = names_of(Arena.of(list(bots), players))
        for bot in set(bots):
            assert len({sum(seating[seat] == bot for seating in seatings) for seat in range(players)}) == 1


def test_a_ladder_has_a_table_for_every_two() -> None:
    arena = Arena.ladder(["A", "B", "C", "A"], 4)
    assert arena.tables == (("A", "B"), ("A", "C"), ("B", "C"))
    assert names_of(arena) == ["ABAB", "BABA", "ACAC", "CACA", "BCBC", "CBCB"]
    with refuses("ladder_too_short"):
        Arena.ladder(["A", "A"], 4)


def example() -> Comparison:
    """One deal, worked out by hand."""
    slow = (1.0,) * 13 + (8.0, 8.0)
    return Comparison(
        Arena.of(["a", "b"], 4),
        [
            Game(0, ("a", "b", "a", "b"), (10, 20, 30, 30), ((1.0,) * 15, slow, (1.0,) * 15, slow)),
            Game(0, ("b", "a", "b", "a"), (40, 10, 10, 5), (slow, (3.0,) * 15, slow, (3.0,) * 15)),
        ],
    )


def test_figures_by_hand() -> None:
    a, b = example().bots()
    assert a == {
        "name": "a",
        "seats": 2,
        "games": 4,
        "win_share": 0.5 / 4,
        "score": (10 + 30 + 10 + 5) / 4,
        "score_ci": [13.75, 13.75],
        "rank": (4 + 1.5 + 2.5 + 4) / 4,
        "ms_per_move": 2,
        "ms_p95": 3,
    }
    assert (b["win_share"], b["score"], b["rank"]) == (1.5 / 4, 25, (3 + 1.5 + 1 + 2.5) / 4)
    assert b["ms_per_move"] == pytest.approx((13 + 16) / 15)
    assert b["ms_p95"] == 8
    (pair,) = example().pairs()
    assert (pair["a"], pair["b"], pair["difference"], pair["win_difference"]) == ("a", "b", -11.25, -0.25)
    assert pair["ci"] == [-11.25, -11.25]
    assert not pair["separated"], "one deal tells nothing"


def test_seats_are_a_mean_where_they_vary() -> None:
    comparison = played(Arena.of(["random", "reference"], 3), 2)
    assert [row["seats"] for row in comparison.bots()] == [1.5, 1.5]
    assert [row["games"] for row in comparison.bots()] == [18, 18]


@pytest.mark.parametrize("players", [4, *slow(3, 6)])
@pytest.mark.parametrize("bots", [["random"], ["reference"] * 3])
def test_a_bot_makes_no_difference_to_itself(players: int, bots: list[str]) -> None:
    comparison = played(Arena.of(bots, players), 4)
    (pair,) = comparison.pairs()
    nothing = {"difference": 0, "ci": [0, 0], "win_difference": 0, "win_ci": [0, 0], "separated": False}
    assert pair == {"a": bots[0], "b": bots[0], **nothing}
    (row,) = comparison.bots()
    assert row["win_share"] == pytest.approx(1 / players, abs=1e-15)
    assert row["rank"] == pytest.approx((players + 1) / 2, abs=1e-12)


def test_a_deal_is_the_same_in_every_arena_and_only_there() -> None:
    one, two = Arena.of(["random"], 4), Arena.of(["random", "reference"], 4)
    assert one.play(6).scores == one.play(7).scores
    assert one.play(6).scores != one.play(8).scores
    assert one.play(6).scores != Arena.of(["random"], 4, seed=1).play(6).scores
    together = {two.play(number).scores for number in (0, 1)}
    assert len(together) == 2, "here the seating matters"


def test_the_rules_count() -> None:
    by_rules = {
        rules: Arena.of(["random"], 4, rules=RuleSet.parse(rules)).play(0).scores for rules in ("classic", "manual")
    }
    assert by_rules["classic"] != by_rules["manual"]


@pytest.mark.usefixtures("_more_bots")
def test_a_game_is_a_match_of_one_deal() -> None:
    Arena.of(["deciding"], 3, rules=RuleSet(deals=5, target_score=10)).play(0)


@pytest.mark.usefixtures("_more_bots")
def test_the_budget_is_handed_on() -> None:
    scores = [Arena.of(["counts"], 3, iterations=iterations).play(0).scores for iterations in (4, 5, 4)]
    assert scores[0] == scores[2] != scores[1]


@pytest.mark.usefixtures("_more_bots")
def test_who_is_better_comes_out_ahead() -> None:
    comparison = played(Arena.ladder(["highest", "random", "reference"], 4), 24)
    rated = ratings(comparison)
    assert rated[0]["name"] == "reference"
    assert next(row for row in rated if row["name"] == "random")["rating_ci"] == [0, 0]
    ahead = {(pair["a"], pair["b"]): pair for pair in comparison.pairs()}
    assert ahead["highest", "reference"]["difference"] < 0
    assert ahead["random", "reference"]["separated"]


def test_intervals_hold_what_they_promise() -> None:
    rng = np.random.default_rng(5)
    samples = rng.exponential(size=(60, 300))
    held = [low <= 1 <= high for low, high in intervals(bootstrap(samples, 400))]
    assert 0.86 < np.mean(held) < 0.98
    for column, (low, high) in zip(samples.T, intervals(bootstrap(samples, 400)), strict=True):
        assert low < column.mean() < high


def test_draws_of_shared_places() -> None:
    assert finishing_order([0, 1, 2, 1], [9, 7, 9, 1]) == ((0, 2), (1,), (1,))
    assert draws(((0, 2), (1,), (1,)), 3) == {
        ((1, 2, 1), 0): 0.5,
        ((0, 2, 1), 2): 0.5,
        ((1, 2, 1), 2): 0.5,
        ((1, 2, 0), 0): 0.5,
    }


def test_two_bots_are_rated_by_their_odds() -> None:
    deals = [[draws(((0,), (1,)), 2)]] * 300 + [[draws(((1,), (0,)), 2)]] * 100
    found, resampled = fit(deals, 2)
    assert found[0] - found[1] == pytest.approx(math.log((300 + PRIOR) / (100 + PRIOR)), abs=1e-6)
    assert resampled.shape == (400, 2)


def test_one_who_never_wins_has_a_rating() -> None:
    found, _ = fit([[draws(((0,), (1,)), 2)]] * 20, 2)
    assert found[0] - found[1] == pytest.approx(math.log(20.5 / 0.5), abs=1e-6)


@pytest.mark.parametrize("players", [3, 4])
def test_known_strengths_are_found(players: int) -> None:
    """Scores with noise of the Gumbel kind finish in the order of the model."""
    strengths, rng = {"A": 0.0, "B": 0.6, "C": 1.5}, np.random.default_rng(3)
    arena, games = Arena.ladder(list(strengths), players), []
    for number in range(arena.games(300)):
        deal, seating = arena.place_of(number)
        scores = 1e6 * (np.array([strengths[name] for name in seating.names]) + rng.gumbel(size=players))
        games.append(Game(deal, seating.names, tuple(scores.astype(int).tolist()), ((0.0,) * 15,) * players))
    rated = ratings(Comparison(arena, games))
    assert [row["name"] for row in rated] == ["C", "B", "A"]
    for row in rated:
        wanted = POINTS * strengths[row["name"]]
        assert row["rating"] == pytest.approx(wanted, abs=25)
        assert row["rating_ci"][0] <= row["rating"] <= row["rating_ci"][1]


def test_processes_make_no_difference() -> None:
    for arena in (Arena.of(["reference", "random"], 4), Arena.ladder(["random", "reference"], 3)):
        one, two = (played(arena, 8, jobs) for jobs in (1, 2))
        assert figures(one.summary()) == figures(two.summary())
        assert [game.seats for game in one.games] == [game.seats for game in two.games]
    assert list(play_games(arena, 5, 5, jobs=2)) == []


@pytest.mark.usefixtures("_more_bots")
def test_what_a_process_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_module, "_leave_with_parent", lambda lifeline: None)
    for bot, told in (("random", [0, 1, 1]), ("cheat", "bot_illegal")):
        theirs, ours = Pipe()
        process = threading.Thread(target=arena_module._work, args=(Arena.of([bot], 3), theirs, theirs))
        process.start()
        ours.send(range(5, 8))
        chunk, games = ours.recv()
        assert chunk == range(5, 8)
        assert (games.reason if isinstance(games, Refusal) else [game.deal for game in games]) == told
        ours.close()
        process.join(10)
        assert not process.is_alive()


def test_a_process_leaves_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    left, ignored = threading.Event(), []
    monkeypatch.setattr(os, "_exit", lambda status: left.set())
    monkeypatch.setattr(signal, "signal", lambda number, action: ignored.append(number))
    theirs, ours = Pipe(duplex=False)
    arena_module._leave_with_parent(theirs)
    assert ignored == [signal.SIGINT]
    assert not left.wait(0.05)
    ours.close()
    assert left.wait(10)


@pytest.mark.usefixtures("_more_bots")
def test_a_process_that_dies_is_told() -> None:
    with refuses("worker_died"):
        list(play_games(Arena.of(["dies"], 3), 0, 4, jobs=2))


@pytest.mark.usefixtures("_more_bots")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_breaks_the_rules_is_named(jobs: int) -> None:
    with pytest.raises(Refusal) as refused:
        list(play_games(Arena.of(["cheat"], 3), 0, 4, jobs))
    assert refused.value.reason == "bot_illegal"
    assert (refused.value.arguments["text"], refused.value.arguments["seat"]) == ("cheat", 0)


def test_an_unknown_bot_is_refused() -> None:
    with refuses("no_such_bot"):
        load_bots(Arena.of(["random", "nobody"], 4))


def fill(arena: Arena, file: Path, deals: int) -> list[Game]:
    with Results(arena, file) as results:
        for game in play_games(arena, len(results.games), arena.games(deals)):
            results.add(game)
    return results.games


SMALL = Arena.of(["random", "reference"], 3, seed=4)


def test_results_through_links_and_into_pipes(tmp_path: Path) -> None:
    link, pipe, got = tmp_path / "link", tmp_path / "pipe", list[bytes]()
    link.symlink_to("results.jsonl")
    fill(SMALL, link, 1)
    fill(SMALL, link, 2)
    assert link.is_symlink()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    fill(SMALL, pipe, 2)
    reader.join()
    assert got[0].count(b"\n") == (tmp_path / "results.jsonl").read_bytes().count(b"\n") > 2
    with pytest.raises(OSError, match="/dev/full"):
        fill(SMALL, Path("/dev/full"), 1)


def test_results_that_have_no_room_at_all_leave_nothing_behind(tmp_path: Path) -> None:
    file, before = tmp_path / "results.jsonl", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(OSError, match=file.name):
            fill(SMALL, file, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not file.exists()


def test_results_go_on_wherever_the_file_ends(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    whole = fill(SMALL, file, 2)
    data = file.read_bytes()
    assert data.count(b"\n") == 1 + SMALL.games(2)
    for end in (
        0,
        1,
        50,
        data.index(b"\n"),
        data.index(b"\n") + 1,
        *range(200, len(data), 311),
        len(data) - 1,
        len(data),
    ):
        file.write_bytes(data[:end])
        again = fill(SMALL, file, 2)
        assert [(game.deal, game.seats, game.scores) for game in again] == [
            (game.deal, game.seats, game.scores) for game in whole
        ]
        assert file.read_bytes().count(b"\n") == 1 + SMALL.games(2)


def test_nothing_is_played_twice_and_more_deals_extend(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    fill(SMALL, file, 2)
    before = file.read_bytes()
    assert len(fill(SMALL, file, 1)) == SMALL.games(2)
    assert file.read_bytes() == before
    fill(SMALL, file, 3)
    assert file.read_bytes().startswith(before)
    with Results(SMALL) as unkept:
        assert unkept.games == []
        unkept.add(SMALL.play(0))


def test_a_torn_last_line_is_played_again_even_with_its_end(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    fill(SMALL, file, 1)
    data = file.read_bytes()
    file.write_bytes(data[:-30] + b"\n")
    assert len(fill(SMALL, file, 1)) == SMALL.games(1)
    assert file.read_bytes().count(b"\n") == 1 + SMALL.games(1)


@pytest.mark.parametrize(
    ("other", "field"),
    [
        (Arena.of(["random", "reference"], 3, seed=5), "seed"),
        (Arena.of(["random", "reference"], 4, seed=4), "players"),
        (Arena.of(["reference", "random"], 3, seed=4), "tables"),
        (Arena.of(["random", "reference"], 3, seed=4, rules=RuleSet.parse("manual")), "rules"),
        (Arena.of(["random", "reference"], 3, seed=4, iterations=9), "iterations"),
    ],
)
def test_results_of_another_arena_are_refused(tmp_path: Path, other: Arena, field: str) -> None:
    file = tmp_path / "results.jsonl"
    fill(SMALL, file, 1)
    before = file.read_bytes()
    with pytest.raises(Refusal) as refused:
        fill(other, file, 1)
    assert (refused.value.reason, refused.value.arguments["field"]) == ("results_differ", field)
    assert file.read_bytes() == before


@pytest.mark.parametrize("data", [b"my diary", b"my diary\n", b"[]\n", b'{"format": "davidgoliath/1"}\n', b"\n"])
def test_another_file_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "diary"
    file.write_bytes(data)
    with refuses("not_results"):
        fill(SMALL, file, 1)
    assert file.read_bytes() == data


@pytest.mark.parametrize(
    "damage",
    [(b'"deal":0', b'"deal":1'), (b'"scores":[', b'"scores":[1,'), (b'"ms":[[', b'"ms":[[1,'), (b'"deal"', b"'deal'")],
)
def test_a_damaged_file_is_refused(tmp_path: Path, damage: tuple[bytes, bytes]) -> None:
    file = tmp_path / "results.jsonl"
    fill(SMALL, file, 1)
    file.write_bytes(file.read_bytes().replace(*damage, 1))
    before = file.read_bytes()
    with refuses("results_damaged") as refused:
        fill(SMALL, file, 1)
    assert refused.value.arguments["line"] == 2
    assert file.read_bytes() == before


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str) -> tuple[int, str, str]:
        return main(["arena", *arguments]), *capsys.readouterr()

    return run


def test_command_json(run: Any) -> None:
    one, two = (run("reference", "random", "--deals", "12", "--seed", "3", "--jobs", jobs, "--json") for jobs in "12")
    summary = json.loads(one[1])
    assert (one[0], one[2]) == (0, "")
    assert figures(summary) == figures(json.loads(two[1]))
    assert (summary["players"], summary["deals"], summary["seed"]) == (4, 12, 3)
    assert [row["name"] for row in summary["bots"]] == ["reference", "random"]
    wanted = {"name", "seats", "games", "win_share", "score", "score_ci", "rank", "ms_per_move", "ms_p95"}
    assert all(set(row) == wanted for row in summary["bots"])
    assert sum(row["win_share"] * row["seats"] for row in summary["bots"]) == pytest.approx(1)


def test_command_table(run: Any) -> None:
    status, out, err = run("random", "reference", "--deals", "60", "--jobs", "1")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "60 deals · 4 players · 2 seatings · rules: classic · seed 0"
    assert re.findall(r"^  (reference|random) .*%", out, re.M) == ["reference", "random"]
    assert "reference is ahead of random: +" in out
    assert "random against itself: 0.00" in run("random", "--deals", "2", "--jobs", "1")[1]
    assert "can’t be told apart" in run("random", "reference", "--deals", "3", "--jobs", "1")[1]


def test_command_ladder(run: Any, tmp_path: Path) -> None:
    call = ["ladder", "random", "reference", "--players", "3", "--deals", "15", "--jobs", "1"]
    kept = [*call, "--results", str(tmp_path / "ladder.jsonl")]
    status, out, _ = run(*kept, "--json")
    summary = json.loads(out)
    assert status == 0
    assert {row["name"] for row in summary["ratings"]} == {"random", "reference"}
    assert next(row["rating"] for row in summary["ratings"] if row["name"] == "random") == 0
    assert [(pair["a"], pair["b"]) for pair in summary["cross"]] == [("random", "reference")]
    status, out, _ = run(*kept)
    assert "400 rating points" in out
    assert figures(json.loads(run(*kept, "--json")[1])) == figures(summary)
    assert figures(ladder_summary(played(Arena.ladder(["random", "reference"], 3), 15))) == figures(summary)


@pytest.mark.parametrize("first", [[], ["ladder"]])
@pytest.mark.parametrize(("name", "start"), [("plot.png", b"\x89PNG"), ("plot.svg", b"<?xml")])
def test_command_plots(run: Any, tmp_path: Path, first: list[str], name: str, start: bytes) -> None:
    file = tmp_path / name
    assert run(*first, "random", "reference", "--deals", "5", "--jobs", "1", "--plot", str(file))[0] == 0
    assert file.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "BOT is missing; --help says more"),
        (["nobody"], 1, "there is no bot ‘nobody’"),
        (["random"] * 5, 1, "more bots (5) than seats at the table (4); ‘arena ladder’ lets every two of them meet"),
        (["ladder", "random"], 1, "a ladder needs at least two different bots"),
        (["random", "--deals", "0"], 2, "--deals: ‘0’ is not a whole number"),
        (["random", "--plot", "plot.pdf"], 1, "plot.pdf: a plot is a .png or an .svg file"),
    ],
)
def test_wrong_calls(run: Any, tmp_path: Path, arguments: list[str], status: int, message: str) -> None:
    got, out, err = run(*arguments, "--results", str(tmp_path / "results.jsonl"))
    assert (got, out) == (status, "")
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_command_with_results_of_another_arena(run: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "results.jsonl")
    assert run("random", "--deals", "1", "--results", file)[0] == 0
    status, _, err = run("random", "--deals", "1", "--seed", "1", "--results", file)
    assert status == 1
    assert err == f"davidgoliath: {file} belongs to another arena (seed: 0 there, 1 here); nothing was changed\n"


@pytest.mark.parametrize("kept", [False, True])
def test_stopping_is_told_in_one_line(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool) -> None:
    def interrupted(arena: Arena, first: int, last: int, jobs: int) -> Iterator[Game]:
        yield arena.play(first)
        raise KeyboardInterrupt

    monkeypatch.setattr(arena_module, "play_games", interrupted)
    file = tmp_path / "results.jsonl"
    status, out, err = run("random", "--deals", "4", *(["--results", str(file)] if kept else []))
    assert (status, out) == (130, "")
    told = f"Stopped: 1 of 8 games are in {file}; the same command goes on from there." if kept else "Stopped. With "
    assert err.strip().startswith(told)
    assert err.count("\n") == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_an_interrupt_leaves_a_file_that_goes_on_and_no_process(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    call = ["reference", "random", "--players", "3", "--jobs", "2", "--results", str(file), "--json", "--deals"]
    command = [sys.executable, "-m", "davidgoliath", "arena", *call, "100000"]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, preexec_fn=heed) as process:
        try:
            wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") > 20)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            _, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert b"the same command goes on from there" in err
    wait_until(lambda: not group_is_alive(process.pid))
    status, out, _ = run(*call, "5")
    assert status == 0
    assert figures(json.loads(out)) == figures(played(Arena.of(["reference", "random"], 3), 5).summary())


def heed() -> None:
    """A test that runs in the background of a shell would hand on that interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_until(condition: Any) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def group_is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
