"""The kernel says what the rules say, move by move, and its chances are even."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tools import differential

from davidgoliath import Card, CardSet, RuleSet
from davidgoliath.kernel.batch import Batch
from davidgoliath.kernel.bits import nth
from davidgoliath.kernel.chance import below, stream_start, stream_step
from davidgoliath.kernel.convert import card_of, code_of, options_of, set_of, sets_to_array, words_of
from davidgoliath.kernel.play import capture_trick, nth_card, score
from davidgoliath.match.simulation import Simulation, simulate, simulated_records
from davidgoliath.rules import Trick
from davidgoliath.rules import settle as rules_settle
from davidgoliath.rules.cards import CARDS
from tests.marks import slow
from tests.processes import in_a_process

OPTIONS = product(("goliath", "david"), ("split", "sweep"))
ALL_RULES = [RuleSet.of(lowest_card_to=to, all_equal=equal) for to, equal in OPTIONS]
SOME = list(zip((3, 4, 5, 6), ALL_RULES, strict=True))
"""Each number of players, and each rule, once."""
CASES = [*SOME, *slow(*(case for case in product((3, 4, 5, 6), ALL_RULES) if case not in SOME))]


@pytest.mark.parametrize(("players", "rules"), CASES, ids=str)
def test_kernel_and_rules_agree_move_by_move(players: int, rules: RuleSet) -> None:
    assert differential.compare(players, rules, deals=250, seed=players) == 250


@pytest.mark.parametrize("other", ["classic lowest_card_to=david", "classic all_equal=sweep"])
def test_the_comparison_notices_a_difference(monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    def wrong(size: int, players: int, rules: RuleSet, *, seed: int) -> Batch:
        return Batch(size, players, RuleSet.parse(other), seed=seed)

    monkeypatch.setattr(differential, "Batch", wrong)
    with pytest.raises(AssertionError):
        differential.compare(3, RuleSet(), deals=300, seed=1)


def test_cards_and_sets_convert() -> None:
    assert [card_of(code_of(card)) for card in CARDS] == list(CARDS)
    for text in ("-", "R1", "V18", "R1,9,18 Y5 G18 B1 V3,12"):
        cards = CardSet.parse(text)
        assert set_of(words_of(cards)) == cards
        assert set_of(sets_to_array([cards])) == cards


def test_the_nth_of_a_colour_and_of_a_hand() -> None:
    for mask in (1, 0b1011, 1 << 17, 0x3FFFF, 0b100000000_000000001, 0b111_000000000):
        bits = [bit for bit in range(18) if mask >> bit & 1]
        assert [nth(mask, n) for n in range(len(bits))] == bits
    hand = CardSet.parse("R2,18 G5 V1,9,10")
    hands = sets_to_array([CardSet(), hand])
    assert [card_of(nth_card(hands, 1, n)) for n in range(6)] == list(hand)


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_every_trick_of_three_low_cards(rules: RuleSet) -> None:
    """All orders of all small tricks, ties and all: who is who, and who takes what."""
    few = [Card.parse(f"{colour}{value}") for colour in "RYG" for value in (1, 2, 3)]
    keeps, sweeps = options_of(rules)
    for a in few:
        for b in few:
            for c in few:
                if len({a, b, c}) == 3:
                    result = rules_settle(Trick(3, 1, (a, b, c)), rules)
                    plays = np.array([code_of(card) for card in (a, b, c)], np.int64)
                    piles = np.zeros(24, np.int64)
                    assert capture_trick(piles, plays, 0, 3, 1, keeps, sweeps) == result.goliath
                    assert [set_of(pile) for pile in piles.reshape(3, 8)] == [
                        result.captured_by(seat) for seat in range(3)
                    ]


def test_scores() -> None:
    piles = sets_to_array([CardSet.parse("R4,10,11 Y8 G5,9 B2,3,6,10,12 V10,12"), CardSet(), CardSet.parse("B17,18")])
    assert [score(piles, seat) for seat in range(3)] == [52, 0, 35]


def chi_square(observed: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]", expected: float) -> float:
    """How many standard deviations a chi-square statistic lies above its mean."""
    freedom = observed.size - 1
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return (statistic - freedom) / float(np.sqrt(2 * freedom))


@pytest.mark.parametrize("players", [3, 6])
def test_shuffles_are_uniform(players: int) -> None:
    """Every card is in every hand equally often, and so is every pair of neighbours."""
    deals = 20_000
    batch = Batch(deals, players, seed=5)
    words = batch.hands.reshape(deals, players, 8)[:, :, :5, np.newaxis]
    bits = words >> np.arange(3 * players) & 1
    held = bits.sum(axis=0).reshape(players, -1)
    assert abs(chi_square(held, deals / players) * np.sqrt(players / (players - 1))) < 5
    together = (bits[:, 0, 0, 0] & bits[:, 0, 4, -1]).sum() / deals
    assert abs(together - 15 * 14 / (15 * players * (15 * players - 1))) < 0.01


def test_random_numbers_below_a_limit_are_even() -> None:
    for limit in (3, 7, 15, 60):
        counts = np.zeros(limit, np.int64)
        state = stream_start(np.uint64(1), limit)
        step = stream_step(state)
        for _ in range(300 * limit):
            state = np.uint64((int(state) + int(step)) % 2**64)
            counts[below(state, limit)] += 1
        assert abs(chi_square(counts, 300)) < 5


@pytest.mark.uncounted
def test_random_legal_cards_are_even() -> None:
    """Seat 0 leads each of its fifteen cards equally often, and seat 1 follows with each card that it may."""
    leads, follows = np.zeros(15, np.int64), np.zeros((16, 16), np.int64)
    for record in simulated_records(3, 6000, seed=3):
        hands = record.deal.hands
        leads[list(hands[0]).index(record.plays[0])] += 1
        legal = list(Trick(3, 0, record.plays[:1]).legal_cards(hands[1]))
        follows[len(legal), legal.index(record.plays[1])] += 1
    assert abs(chi_square(leads, 400)) < 5
    for count in range(2, 6):
        assert abs(chi_square(follows[count, :count], follows[count].sum() / count)) < 5


def test_a_summary_has_the_figures_of_the_deals() -> None:
    simulation = simulate(4, 500, seed=7)
    summary = simulation.summary()
    assert summary["all"]["score"]["mean"] == pytest.approx(simulation.scores.mean())
    assert [seat["won"] for seat in summary["seats"]] == pytest.approx(simulation.wins / 500)
    assert sum(seat["captured"]["mean"] for seat in summary["seats"]) == pytest.approx(60)
    assert summary["equal_tricks"]["total"] == simulation.equal_tricks.sum()


def same(left: Simulation, right: Simulation) -> bool:
    names = ("scores", "captured", "crowded", "equal_tricks", "choices")
    return all(np.array_equal(getattr(left, name), getattr(right, name)) for name in names)


def test_a_seed_gives_the_same_on_any_number_of_threads() -> None:
    one = simulate(4, 3000, seed=7)
    assert same(one, simulate(4, 3000, seed=7, threads=2))
    assert same(one, simulate(4, 3000, seed=7, threads=5))
    assert not same(one, simulate(4, 3000, seed=8))
    assert np.array_equal(one.scores[:1000], simulate(4, 1000, seed=7).scores)
    two = Batch(500, 4, seed=7, threads=2)
    assert np.array_equal(two.hands, Batch(500, 4, seed=7).hands)


@pytest.mark.parametrize(("players", "rules"), CASES, ids=str)
def test_a_simulation_is_what_its_records_say(players: int, rules: RuleSet) -> None:
    result = simulate(players, 60, rules, seed=2)
    choices = [0] * 16
    for number, record in enumerate(simulated_records(players, 60, rules, seed=2)):
        state = record.state
        assert tuple(result.scores[number]) == state.scores
        assert tuple(result.captured[number]) == tuple(map(len, state.piles))
        crowded = [sum(len(pile.of_colour(card.colour)) > 2 for card in CARDS[::18]) for pile in state.piles]
        assert list(result.crowded[number]) == crowded
        equal = sum(len({card.value for card in trick.cards}) == 1 for trick in state.tricks)
        assert result.equal_tricks[number] == equal
        hands = list(record.deal.hands)
        for trick in state.tricks:
            for place, card in enumerate(trick.cards):
                seat = trick.seat_of(place)
                choices[len(Trick(players, trick.leader, trick.cards[:place]).legal_cards(hands[seat]))] += 1
                hands[seat] = hands[seat].without(card)
    assert list(result.choices) == choices
    best = result.scores.max(axis=1)
    assert result.wins.sum() + (result.winners > 1).sum() == 60
    assert result.shared_wins.sum() == result.winners[result.winners > 1].sum()
    assert (result.scores == best[:, np.newaxis]).sum() == result.wins.sum() + result.shared_wins.sum()


def test_a_batch_refuses_what_is_illegal_and_nothing_changes() -> None:
    batch = Batch(50, 3, seed=1)
    legal = batch.legal_mask()
    assert legal.sum(axis=1).tolist() == [15] * 50
    hands, wrong = batch.hands.copy(), legal.argmax(axis=1)
    wrong[31] = int(np.flatnonzero(~legal[31])[0])
    for actions, message in [
        (wrong, "is not legal in deal 31"),
        (wrong * 0 - 1, "action -1 is not legal in deal 0"),
        (wrong * 0 + 90, "action 90 is not legal in deal 0"),
        (wrong[:-1], "one action for each of the 50 deals"),
    ]:
        with pytest.raises(ValueError, match=message):
            batch.step(actions)
    assert np.array_equal(batch.hands, hands)
    assert batch.played == 0


def test_a_batch_ends_and_starts_again() -> None:
    batch = Batch(20, 5, RuleSet(all_equal="sweep"), seed=1, threads=2)
    while not batch.is_over:
        assert batch.to_play.min() >= 0
        batch.step(batch.legal_mask().argmax(axis=1))
    assert not batch.legal_mask().any()
    assert (batch.scores() > 0).any()
    assert sorted(card for seat in range(5) for card in batch.pile(3, seat)) == sorted(
        CARDS[i] for i in range(90) if i % 18 < 15
    )
    with pytest.raises(ValueError, match="all deals are over"):
        batch.step(np.zeros(20, np.int64))
    batch.reset(2)
    assert len(batch.hand(3, 4)) == 15
    assert batch.scores().sum() == 0


SAME = """
import numpy as np
from davidgoliath import RuleSet
from davidgoliath.kernel.compiled import IS_COMPILED
from davidgoliath.match.simulation import simulate
print(IS_COMPILED)
for players in (3, 4, 5, 6):
    result = simulate(players, 12, RuleSet(lowest_card_to="david", all_equal="sweep"), seed=9)
    print(result.scores.tolist(), result.captured.tolist(), result.crowded.tolist(), result.choices.tolist())
"""


def test_plain_python_gives_the_same() -> None:
    compiled, plain = in_a_process(SAME), in_a_process(SAME, DAVIDGOLIATH_KERNEL="python")
    assert compiled.splitlines()[0] == "True"
    assert plain.splitlines()[0] == "False"
    assert compiled.splitlines()[1:] == plain.splitlines()[1:]


@pytest.mark.slow
def test_a_processor_without_pdep_gives_the_same(tmp_path: Path) -> None:
    environment = {"DAVIDGOLIATH_KERNEL": "portable", "XDG_CACHE_HOME": str(tmp_path)}
    assert in_a_process(SAME, **environment) == in_a_process(SAME)


def test_compilation_is_announced_once_and_cached() -> None:
    program = """
from davidgoliath.kernel import compiled
compiled.announce(lambda: print("compiling"))
import davidgoliath.kernel.chance
"""
    assert in_a_process(program).count("compiling") <= 1
    assert in_a_process(program) == ""


def test_without_a_cache_it_compiles_all_the_same() -> None:
    program = """
from davidgoliath.kernel import compiled
compiled._cache_folder = lambda: None
compiled.announce(lambda: print("compiling"))
from davidgoliath.kernel.chance import below
import numpy as np
print(below(np.uint64(1), 10) < 10)
"""
    assert in_a_process(program) == "compiling\nTrue\n"


def test_importing_the_game_pulls_neither_numpy_nor_numba() -> None:
    program = "import sys, davidgoliath, davidgoliath.cli; print({'numpy', 'numba'} & set(sys.modules))"
    assert in_a_process(program) == "set()\n"
