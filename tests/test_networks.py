"""The networks: compiled code, NumPy and plain Python give the same numbers, and nothing overflows."""

from array import array
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from davidgoliath import DealState
from davidgoliath.kernel import plain, value, weights
from davidgoliath.kernel.convert import sets_to_array
from davidgoliath.kernel.features import LISTS, LONGEST, policy_features
from davidgoliath.kernel.layout import MOST_PLAYERS
from davidgoliath.kernel.network import evaluate, make_rooms, to_array
from davidgoliath.kernel.policy import appeals_of, policy_arrays
from davidgoliath.kernel.position import position_of
from davidgoliath.kernel.shape import POINT
from tests.games import randoms, states, swapped
from tests.marks import slow
from tests.networks import random_states, random_weights
from tests.processes import in_a_process


def compiled_values(state: DealState, network: weights.Weights) -> list[int]:
    position = position_of(state.rules, state.trick, len(state.tricks))
    found = np.zeros(MOST_PLAYERS, np.int64)
    hands, piles = sets_to_array(state.hands), sets_to_array(state.piles)
    evaluate(position, hands, piles, to_array(network), *make_rooms(), found)
    return [int(value) for value in found[: state.players]]


@pytest.mark.parametrize(
    ("players", "number"),
    [(3, 500), (4, 500), (5, 500), (6, 500), *slow(*((players, 25_000) for players in range(3, 7)))],
)
def test_plain_python_says_what_compiled_code_says(players: int, number: int) -> None:
    value_network, policy_network = (random_weights(kind, players, 1) for kind in weights.KINDS)
    value_plain, policy_plain, policy_array = (
        plain.Network(value_network),
        plain.Network(policy_network),
        to_array(policy_network),
    )
    for state in random_states(players, number, seed=7):
        assert state.to_play is not None
        view = state.view(state.to_play)
        appeals = plain.appeals_of(view, policy_plain)
        assert appeals == appeals_of(view, policy_array)
        if not state.table:
            values = plain.values(state.leader, len(state.tricks), state.hands, state.piles, value_plain)
            assert values == compiled_values(state, value_network)


@pytest.mark.parametrize("players", [4, *slow(3, 5, 6)])
def test_nothing_overflows_whatever_the_weights(players: int) -> None:
    """Even if every weight is as great as it may be, and all of one sign in the first step."""
    for seed in range(2):
        value_network, policy_network = (random_weights(kind, players, seed, 1.0) for kind in weights.KINDS)
        for network in (value_network, policy_network):
            for place in range(len(network.numbers) // 2):
                network.numbers[place] = abs(network.numbers[place])
        value_plain, policy_plain = plain.Network(value_network), plain.Network(policy_network)
        for state in random_states(players, 40, seed):
            assert state.to_play is not None
            view = state.view(state.to_play)
            assert plain.appeals_of(view, policy_plain) == appeals_of(view, to_array(policy_network))
            if not state.table:
                values = plain.values(state.leader, len(state.tricks), state.hands, state.piles, value_plain)
                assert values == compiled_values(state, value_network)


def test_a_trick_is_finished_by_the_policy_and_the_last_one_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    networks = {kind: random_weights(kind, 4, 2) for kind in weights.KINDS}
    monkeypatch.setattr(value, "network", lambda kind, players: to_array(networks[kind]))
    value_plain, policy_plain = (plain.Network(networks[kind]) for kind in ("value", "policy"))
    for state in random_states(4, 130, seed=3):
        after = state
        while after.table or (len(after.tricks) == 14 and not after.is_over):
            assert after.to_play is not None
            after = after.play(plain.chosen(plain.appeals_of(after.view(after.to_play), policy_plain)))
        values = (
            [score * POINT for score in after.scores]
            if after.is_over
            else plain.values(after.leader, len(after.tricks), after.hands, after.piles, value_plain)
        )
        assert value.expected_scores(state) == tuple(number / POINT for number in values)


def test_of_equals_the_first_card_is_chosen() -> None:
    view = next(random_states(3, 1, 1)).view(0)
    first, second, *_ = view.hand
    assert plain.chosen({second: 5, first: 5}) == first
    assert plain.chosen({second: 6, first: 5}) == second


@given(states(), randoms)
def test_the_policy_sees_nothing_that_the_seat_does_not(state: DealState, rng: Random) -> None:
    """Its inputs are the same, to the last number, if other hands are exchanged."""
    assume(state.to_play is not None)
    assert state.to_play is not None
    other = swapped(state, state.to_play, rng)
    assume(other.deal != state.deal)
    seen = []
    for each in (state, other):
        found, counts = np.zeros((LISTS, LONGEST), np.int64), np.zeros(LISTS, np.int64)
        policy_features(*policy_arrays(each.view(state.to_play)), found, counts)
        seen.append((found.tolist(), counts.tolist()))
    assert seen[0] == seen[1]


@given(states(), st.data())
def test_the_policy_looks_at_the_own_hand_alone(state: DealState, data: st.DataObject) -> None:
    """Whatever stands in the arrays for other hands."""
    assume(state.to_play is not None)
    assert state.to_play is not None
    found, counts = np.zeros((2, LISTS, LONGEST), np.int64), np.zeros((2, LISTS), np.int64)
    arrays = policy_arrays(state.view(state.to_play))
    policy_features(*arrays, found[0], counts[0])
    hands = arrays[1].reshape(state.players, -1)
    hands[[seat for seat in range(state.players) if seat != state.to_play]] = data.draw(st.integers(0, 2**18 - 1))
    policy_features(*arrays, found[1], counts[1])
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(counts[0], counts[1])


SAME = """
import sys
from davidgoliath.kernel.compiled import IS_COMPILED
from davidgoliath.kernel import value
from davidgoliath.kernel.network import to_array
from davidgoliath.kernel.policy import appeals_of
from tests.networks import random_states, random_weights
networks = {kind: to_array(random_weights(kind, 3, 4)) for kind in ("value", "policy")}
value.network = lambda kind, players: networks[kind]
print(IS_COMPILED, file=sys.stderr)
for state in random_states(3, 45, 5):
    print(value.expected_scores(state), appeals_of(state.view(state.to_play), networks["policy"]))
"""


def test_the_kernel_as_plain_python_gives_the_same() -> None:
    assert in_a_process(SAME, DAVIDGOLIATH_KERNEL="python") == in_a_process(SAME)


def test_the_plain_policy_needs_neither_numpy_nor_numba() -> None:
    """As in a browser."""
    program = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
from davidgoliath.kernel import plain
from tests.networks import random_states, random_weights
network = plain.Network(random_weights("policy", 3, 4))
for state in random_states(3, 45, 5):
    print(plain.appeals_of(state.view(state.to_play), network))
"""
    network = plain.Network(random_weights("policy", 3, 4))
    told = [plain.appeals_of(state.view(state.to_play), network) for state in random_states(3, 45, 5)]
    assert in_a_process(program).splitlines() == list(map(str, told))


def test_a_file_of_weights_is_read_as_it_was_written() -> None:
    network = random_weights("value", 3, 1)._replace(made={"seed": 7})
    assert weights.read(bytes(network), "a file") == network
    assert bytes(network) == bytes(network)


def test_a_damaged_file_is_refused_by_name() -> None:
    network = random_weights("value", 3, 1)
    data = bytes(network)
    line, _, rest = data.partition(b"\n")
    too_great = network._replace(numbers=array("h", [2000] * len(network.numbers)))
    for wrong, reason in [
        (b"", "no head"),
        (b"[]\n", "no head"),
        (data[:-9], ""),
        (data[:-40] + bytes(8) + data[-32:], ""),
        (line.replace(b'"format": 1', b'"format": 2') + b"\n" + rest, "its format is 2, not 1"),
        (line.replace(b'"players": 3', b'"players": 4') + b"\n" + rest, "its size isn't that of a value network of 4"),
        (line.replace(b'"kind"', b'"kin"') + b"\n" + rest, "kind"),
        (bytes(too_great), "a weight is beyond 885"),
    ]:
        with pytest.raises(weights.NoWeights, match=f"^value-3.net is damaged: .*{reason}"):
            weights.read(wrong, "value-3.net")


def test_a_network_that_is_not_there_is_named() -> None:
    with pytest.raises(weights.NoWeights, match="there is no value network for 9 players yet"):
        weights.weights_of("value", 9)


def test_all_weights_of_the_package_are_small_and_whole() -> None:
    networks = list(Path(weights.__file__).with_name("networks").iterdir())
    assert {file.name for file in networks} >= {"value-4.net", "policy-4.net"}
    assert sum(file.stat().st_size for file in networks) < 1_000_000
    for file in networks:
        kind, players = file.stem.split("-")
        assert (
            weights.weights_of(kind, int(players)).made["command"].startswith(f"./dg train {kind} --players {players}")
        )


FIXED = [
    [30.808, 34.876, 33.842, 39.845],
    [26.697, 33.365, 36.243, 42.984],
    [32.486, 45.677, 35.76, 50.117],
    [36.662, 58.729, 41.555, 55.488],
    [32.0, 66.0, 30.0, 66.0],
]


def test_the_value_function_is_fixed() -> None:
    """If it says something else on purpose, its version is another."""
    chosen = 0, 17, 34, 51, 59
    said = [value.expected_scores(state) for number, state in enumerate(random_states(4, 60, 9)) if number in chosen]
    assert (value.VERSION, [[round(score, 3) for score in scores] for scores in said]) == (3, FIXED)
    assert said[-1] == tuple(map(int, said[-1])), "the last trick is exact"
