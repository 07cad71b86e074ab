"""Every public door says in a sentence what it needs, and compiled code gets nothing that wasn't checked."""

import datetime
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import davidgoliath
from davidgoliath import (
    Batch,
    Card,
    CardSet,
    Colour,
    Deal,
    DealRecord,
    DealState,
    IllegalPlay,
    Match,
    MatchRecord,
    Refusal,
    RuleSet,
    Standing,
    Trick,
    art,
    deck,
    load,
    make_bot,
    notation,
    paper,
    play_out,
    ranking,
    score,
    score_by_colour,
)
from davidgoliath.bots import LADDER, Budget, RandomBot
from davidgoliath.bots.search import MOST_ITERATIONS, Tree
from davidgoliath.match.arena import Arena, play_games
from davidgoliath.match.simulation import simulate, simulated_records
from davidgoliath.rules import settle
from davidgoliath.texts import Texts

ROOT = Path(__file__).parent.parent
DEAL = Deal.shuffled(3, Random(7), dealer=2)
STATE = DealState.start(DEAL)
RECORD = DealRecord(RuleSet(), DEAL)
R9 = Card.parse("R9")
BOT = RandomBot()
BATCH = Batch(20, 3)

Door = Callable[[Any], object]

NUMBERS: dict[str, tuple[Door, list[Any]]] = {
    "deck": (deck, [2, 7, -3]),
    "Trick": (lambda n: Trick(n, 0), [2, 7]),
    "Trick.leader": (lambda n: Trick(3, n), [3, -1]),
    "Deal.shuffled": (lambda n: Deal.shuffled(n, Random(7)), [2, 7]),
    "Deal.dealer": (lambda n: Deal(n, DEAL.hands), [-1, 3]),
    "DealState.view": (STATE.view, [-1, 3]),
    "DealState.cards_since": (STATE.cards_since, [-1, 3]),
    "TrickResult.captured_by": (settle(Trick(3, 0, (R9, Card.parse("R8"))), RuleSet()).captured_by, [-1, 6]),
    "Standing.at_start": (lambda n: Standing.at_start(RuleSet(), n), [2, 7]),
    "Match": (Match, [2, 7, -1]),
    "Match.take_back": (Match(3).begin(DEAL).take_back, [-1, 1]),
    "DealRecord.number": (lambda n: DealRecord(RuleSet(), DEAL, number=n), [0, 21]),
    "Batch.size": (lambda n: Batch(n, 3), [0, -1, 10**30]),
    "Batch.players": (lambda n: Batch(20, n), [0, 1, 2, 7, -1, 10**30]),
    "Batch.seed": (lambda n: Batch(20, 3, seed=n), [-1, 2**64]),
    "Batch.threads": (lambda n: Batch(20, 3, threads=n), [0, -1, 10**9]),
    "Batch.reset": (BATCH.reset, [-1, 2**64]),
    "Batch.hand": (lambda n: BATCH.hand(n, 0), [-1, 20]),
    "Batch.pile": (lambda n: BATCH.pile(0, n), [-1, 3]),
    "simulate.players": (lambda n: simulate(n, 10), [2, 7]),
    "simulate.deals": (lambda n: simulate(3, n), [0, -1]),
    "simulate.seed": (lambda n: simulate(3, 10, seed=n), [-1, 2**64]),
    "simulate.threads": (lambda n: simulate(3, 10, threads=n), [0, -1]),
    "simulated_records": (lambda n: simulated_records(n, 10), [2, 7]),
    "Arena": (lambda n: Arena.of(["random"], n), [2, 7]),
    "print_scoresheet": (lambda n: paper.print_scoresheet("a4", n, "en"), [2, 7]),
    "DeckPlan": (lambda n: paper.DeckPlan(players=n), [2, 7]),
    "play_games": (lambda n: next(play_games(Arena.of(["random"], 3), 0, 1, n)), [0, -1]),
    "make_bot.choose": (lambda n: make_bot("expert").choose(STATE.view(0), Random(1), Budget(iterations=n)), [-1]),
}
"""Doors for numbers, each with some that are out of bounds."""

THINGS: dict[str, Door] = {
    "CardSet.mask": CardSet,
    "CardSet.of": lambda thing: CardSet.of([thing]),
    "CardSet.parse": CardSet.parse,
    "CardSet.in": lambda thing: thing in CardSet(),
    "CardSet.without": CardSet().without,
    "CardSet.of_colour": CardSet().of_colour,
    "CardSet.or": lambda thing: CardSet() | thing,
    "CardSet.and": lambda thing: CardSet() & thing,
    "CardSet.sub": lambda thing: CardSet() - thing,
    "CardSet.le": lambda thing: CardSet() <= thing,
    "Card.lt": lambda thing: thing > R9,
    "Deal.hands": lambda thing: Deal(0, thing),
    "Deal.rng": lambda thing: Deal.shuffled(3, thing),
    "DealState.start": DealState.start,
    "DealState.rules": lambda thing: DealState.start(DEAL, thing),
    "DealState.standing": lambda thing: DealState.start(DEAL, None, thing),
    "DealState.play": STATE.play,
    "DealState.play_all": lambda thing: STATE.play_all([thing]),
    "RuleSet.parse": RuleSet.parse,
    "score": score,
    "score_by_colour": score_by_colour,
    "Standing.rules": lambda thing: Standing.at_start(thing, 3),
    "Trick.cards": lambda thing: Trick(3, 0, (thing,)),
    "Trick.with_card": Trick(3, 0).with_card,
    "Trick.legal_cards": Trick(3, 0).legal_cards,
    "View.preview": STATE.view(0).preview,
    "Match.rules": lambda thing: Match(3, thing),
    "Match.deals": lambda thing: Match(3, deals=(thing,)),
    "Match.begin": Match(3).begin,
    "Match.shuffle_and_begin": Match(3).shuffle_and_begin,
    "Match.play": Match(3).begin(DEAL).play,
    "Match.replay": Match.replay,
    "play_out.match": lambda thing: play_out(thing, [BOT] * 3, Random(1)),
    "play_out.players": lambda thing: play_out(Match(3), [BOT, BOT, thing], Random(1)),
    "play_out.rng": lambda thing: play_out(Match(3), [BOT] * 3, thing),
    "ranking": ranking,
    "DealRecord.rules": lambda thing: DealRecord(thing, DEAL),
    "DealRecord.deal": lambda thing: DealRecord(RuleSet(), thing),
    "DealRecord.plays": lambda thing: DealRecord(RuleSet(), DEAL, (thing,)),
    "DealRecord.names": lambda thing: DealRecord(RuleSet(), DEAL, names=(thing, "Ben", "Cleo")),
    "DealRecord.match": lambda thing: DealRecord(RuleSet(), DEAL, match=thing),
    "DealRecord.date": lambda thing: DealRecord(RuleSet(), DEAL, date=thing),
    "DealRecord.totals": lambda thing: DealRecord(RuleSet(), DEAL, totals=(thing, 1, 2)),
    "DealRecord.hints": lambda thing: DealRecord(RuleSet(), DEAL, hints=((thing,), (), ())),
    "DealRecord.parse": DealRecord.parse,
    "DealRecord.of": DealRecord.of,
    "to_json": notation.to_json,
    "results": notation.results,
    "write_dgn": notation.write_dgn,
    "read_text": notation.read_text,
    "pad_to_json": notation.pad_to_json,
    "pad_results": notation.pad_results,
    "Tally.parse": notation.Tally.parse,
    "art.card": lambda thing: art.card(thing, 18, art.DAY[Colour.RED]),
    "DeckPlan.offset": lambda thing: paper.DeckPlan(offset=thing),
    "print_deck": lambda thing: paper.print_deck(thing, Texts("en")),
    "MatchRecord": lambda thing: MatchRecord((thing,)),
    "MatchRecord.parse": MatchRecord.parse,
    "load": load,
    "Batch.rules": lambda thing: Batch(20, 3, thing),
    "Batch.step": lambda thing: BATCH.step([thing] * 20),  # type: ignore[arg-type]
    "simulate.rules": lambda thing: simulate(3, 10, thing),
    "Arena.rules": lambda thing: Arena.of(["random"], 3, rules=thing),
    "Arena.tables": lambda thing: Arena(3, thing),
    **{f"{name}.view": lambda thing, name=name: make_bot(name).choose(thing, Random(1)) for name in LADDER},  # type: ignore[misc]
    "expert.budget": lambda thing: make_bot("expert").choose(STATE.view(0), Random(1), thing),
    "reference.rng": lambda thing: make_bot("reference").choose(STATE.view(0), thing),
}
"""Doors for things of one kind, each of which is given others."""

TEXTS = {
    *("CardSet.parse", "RuleSet.parse", "DealRecord.parse", "MatchRecord.parse", "Tally.parse"),
    *("DealRecord.match", "load", "read_text"),
}
"""Doors for texts."""
ODD: list[Any] = [1.5, object(), {}, "R9", datetime.datetime(2026, 11, 18, tzinfo=datetime.UTC)]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_out_of_bounds_are_refused_in_a_sentence(name: str) -> None:
    door, numbers = NUMBERS[name]
    for number in numbers:
        with pytest.raises(ValueError, match=r"\w+ \w+ \w+") as refused:
            door(number)
        assert not re.search("argument|index|dimension", str(refused.value)), number
    for odd in ODD[1:]:
        with pytest.raises(TypeError, match="is needed here, not"):
            door(odd)


@pytest.mark.parametrize("name", THINGS)
def test_things_of_another_kind_are_refused_in_a_sentence(name: str) -> None:
    for odd in ODD:
        if not (name in TEXTS | {"DealRecord.names"} and isinstance(odd, str)):
            with pytest.raises(TypeError, match=r"is needed here, not|not supported between"):
                THINGS[name](odd)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Card(Colour.RED, 19),
        lambda: Card(7, 3),  # type: ignore[arg-type]
        lambda: Card(-1, 3),  # type: ignore[arg-type]
        lambda: Card("R", 9),  # type: ignore[arg-type]
        lambda: Card(Colour.RED, "9"),  # type: ignore[arg-type]
        lambda: Card.parse("Q9"),
        lambda: Card.parse(9),  # type: ignore[arg-type]
        lambda: Card.parse([]),  # type: ignore[arg-type]
        lambda: Colour.parse(None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_card_is_told_what_one_is(make: Callable[[], object]) -> None:
    with pytest.raises(Refusal, match="is not a card; a card is"):
        make()


def test_a_mask_is_ninety_bits() -> None:
    for mask in (-1, 1 << 90, True, np.int64(5)):
        with pytest.raises(TypeError, match="a mask of 90 bits is needed here"):
            CardSet(mask)  # type: ignore[arg-type]


def test_numbers_of_numpy_will_do() -> None:
    assert STATE.view(np.int64(1)) == STATE.view(1)  # type: ignore[arg-type]
    assert Batch(np.int64(20), np.int64(3)).players == 3  # type: ignore[arg-type]
    assert Card(np.int64(0), np.int64(9)) is R9  # type: ignore[arg-type]


def test_everyone_at_the_table_needs_a_player() -> None:
    with pytest.raises(Refusal, match="one for each of the 3 seats is needed, not 2"):
        play_out(Match(3), [BOT, BOT], Random(1))
    for wrong in (BOT, iter([BOT] * 3)):
        with pytest.raises(TypeError, match="a list of players is needed here"):
            play_out(Match(3), wrong, Random(1))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a player with a method `choose`"):
        play_out(Match(3), [RandomBot] * 3, Random(1))  # type: ignore[list-item]
    with pytest.raises(Refusal, match="more bots"):
        Arena.of(["random"] * 4, 3)
    with pytest.raises(Refusal, match="players: not as in the deal before"):
        Match(4, deals=(STATE,))


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(ValueError, match="a standing of 3 totals is needed here, not of 4"):
        DealState.start(DEAL, None, Standing.at_start(RuleSet(), 4))
    with pytest.raises(ValueError, match="3 scores are needed here, not 2"):
        STATE.standing.after((1, 2))
    with pytest.raises(ValueError, match="settled from its second card on, and this has 1"):
        settle(Trick(3, 0, (R9,)), RuleSet())
    with pytest.raises(Refusal, match="there is no deal here"):
        Match(3).take_back(1)
    with pytest.raises(Refusal, match="there is no preset"):
        RuleSet.of([])  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="there is no bot ‘7’; there are random, "):
        make_bot(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no language 'xx'; there are de, en, "):
        Texts("xx")
    for seconds in (-1, float("nan")):
        with pytest.raises(ValueError, match="seconds is a number from 0 on, not"):
            make_bot("expert").choose(STATE.view(0), Random(1), Budget(seconds=seconds))
    with pytest.raises(Refusal, match="bots"):
        Arena(3, ((),))
    with pytest.raises(ValueError, match="there is no paper 'a5'; there are a4, letter, card"):
        paper.DeckPlan(paper="a5")
    with pytest.raises(ValueError, match="there is no paper 'card'; there are a4, letter"):
        paper.print_rules("card", "en")
    with pytest.raises(ValueError, match="there is no language 'xx'"):
        paper.DeckPlan(instructions=("xx",))


@pytest.mark.parametrize("name", [*LADDER, "reference"])
def test_a_bot_that_is_not_to_play_is_refused(name: str) -> None:
    bot, over = make_bot(name), STATE
    while not over.is_over:
        over = over.play(min(over.legal_cards))
    for state, seat, message in (
        (STATE, 1, "seat 0 plays next"),
        (STATE, None, "seat 0 plays next"),
        (over, 0, "over"),
    ):
        with pytest.raises(IllegalPlay, match=message):
            bot.choose(state.view(seat), Random(1))


def test_no_bot_searches_more_than_its_tables_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def is_decided(tree: Tree, left: int) -> bool:
        asked.append(left)
        return tree.iterations > 0

    monkeypatch.setattr(Tree, "is_decided", is_decided)
    assert make_bot("expert").choose(STATE.view(0), Random(1), Budget(iterations=10**9)) in STATE.legal_cards
    assert asked[0] == MOST_ITERATIONS


def test_nobody_writes_into_the_arrays_of_a_batch() -> None:
    for array in (BATCH.hands, BATCH.piles, BATCH.leaders):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 10**9
    for name in ("size", "players", "played", "hands"):
        with pytest.raises(AttributeError):
            setattr(BATCH, name, 7)


def test_nonsense_in_a_batch_is_refused_and_crashes_nothing() -> None:
    program = [sys.executable, "-m", "tests.nonsense", "1", "150"]
    done = subprocess.run(program, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    made, refused = map(int, re.findall(r"\d+", done.stdout))
    assert made > 30
    assert refused > 1000


def test_the_front_door_has_all_that_it_names_and_teaches() -> None:
    assert set(davidgoliath.__all__) <= set(dir(davidgoliath))
    for name in davidgoliath.__all__:
        assert getattr(davidgoliath, name).__doc__, name
        assert name in (davidgoliath.__doc__ or "") or name not in ("Batch", "Match", "View", "load", "make_bot")
    with pytest.raises(AttributeError, match="has no attribute 'Bach'"):
        _ = davidgoliath.Bach
    done = subprocess.run(
        [sys.executable, "-c", "import davidgoliath; help(davidgoliath)"], capture_output=True, text=True, check=True
    )
    assert all(f"\n    class {name}" in done.stdout for name in ("Batch", "Card", "Match", "View"))
    assert "make_bot(name: str)" in done.stdout
