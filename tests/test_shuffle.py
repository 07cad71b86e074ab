"""The fair deal: the shuffle is even, follows from all that went into it, and anyone can check it."""

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from davidgoliath import Card, Deal, DealRecord, DealState, Match, NotationError, Refusal, RuleSet
from davidgoliath.match.shuffle import Shuffle, ShuffleReason, missing, verdicts
from davidgoliath.notation import read_text, to_json
from davidgoliath.notation.record import LONGEST_SHUFFLE
from tests.games import play_at_random

PAGE = (Path(__file__).parent.parent / "docs/fairness.md").read_text(encoding="utf-8")
NAMES = ("Ann", "bot:expert", "Ben")


def chance(seed: int) -> Callable[[int], bytes]:
    return Random(seed).randbytes


def fresh(number: int = 1, seed: int = 0, dealer: int = 2, players: int = 3, match: str = "m7") -> Shuffle:
    """A shuffle to which everyone but seat 1 has a share."""
    source = chance(seed)
    shuffle = Shuffle.fresh(match, number, dealer, players, source)
    for seat in range(players):
        shuffle = shuffle if seat == 1 else shuffle.with_share(seat, source(16))
    return shuffle


@st.composite
def shuffles(draw: st.DrawFn) -> Shuffle:
    players = draw(st.integers(3, 6))
    match = draw(st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True))
    shares = draw(st.tuples(*[st.none() | st.binary(min_size=16, max_size=16)] * players))
    secret = draw(st.binary(min_size=32, max_size=32))
    return Shuffle(match, draw(st.integers(1, 9999)), draw(st.integers(0, players - 1)), shares, secret)


def stream_of(shuffle: Shuffle) -> Iterator[int]:
    """The stream, from the page's words."""
    seed = sha256(str(shuffle).encode("ascii")).hexdigest()
    for block in range(1000):
        yield from sha256(bytes.fromhex(f"{seed}{block:08x}")).digest()


def naive_hands(shuffle: Shuffle) -> list[set[str]]:
    """The deal by a list of all multiples, without arithmetic on remainders."""
    left = [f"{colour}{value}" for colour in "RYGBV" for value in range(1, 3 * shuffle.players + 1)]
    stream, order = stream_of(shuffle), []
    while len(left) > 1:
        whole = [place for _ in range(256 // len(left)) for place in range(len(left))]
        byte = next(stream)
        while byte >= len(whole):
            byte = next(stream)
        place = whole[byte]
        left[place], left[-1] = left[-1], left[place]
        order.append(left.pop())
    order = [*left, *reversed(order)]
    return [set(order[15 * seat : 15 * seat + 15]) for seat in range(shuffle.players)]


@given(shuffles())
def test_the_deal_is_that_of_a_slow_shuffle(shuffle: Shuffle) -> None:
    deal = shuffle.deal()
    assert deal.dealer == shuffle.dealer
    assert [{card.name for card in hand} for hand in deal.hands] == naive_hands(shuffle)


def chi_square(counts: Counter[Any], cells: int, expected: float, freedom: int) -> float:
    """How many standard deviations a chi-square statistic lies above its mean."""
    statistic = sum((count - expected) ** 2 / expected for count in counts.values())
    statistic += expected * (cells - len(counts))
    return (statistic - freedom) / float((2 * freedom) ** 0.5)


@pytest.mark.parametrize("players", [3, 6])
def test_every_card_is_at_every_place_equally_often(players: int) -> None:
    rng, times, size = Random(players), 6000 // players, 15 * players
    places: Counter[tuple[int, Card]] = Counter()
    peers: Counter[tuple[Card, Card]] = Counter()
    for _ in range(times):
        cards = Shuffle.fresh("m", 1, 0, players, rng.randbytes).cards
        places.update(enumerate(cards))
        peers[cards[0], cards[-1]] += 1
    assert abs(chi_square(places, size**2, times / size, (size - 1) ** 2)) < 5
    pairs = size * (size - 1)
    assert abs(chi_square(peers, pairs, times / pairs, pairs - 1)) < 5


def test_the_secure_source_is_the_default() -> None:
    one, other = (Shuffle.fresh("m7", 1, 0, 4) for _ in range(2))
    assert one.secret != other.secret
    assert len(one.secret) == 32
    assert one.left_out == (0, 1, 2, 3)


CHANGES: dict[str, Callable[[Shuffle], Shuffle]] = {
    "match": lambda shuffle: replace(shuffle, match="m8"),
    "number": lambda shuffle: replace(shuffle, number=2),
    "dealer": lambda shuffle: replace(shuffle, dealer=0),
    "secret": lambda shuffle: replace(shuffle, secret=shuffle.secret[:-1] + bytes([shuffle.secret[-1] ^ 1])),
    "share": lambda shuffle: replace(shuffle, shares=(b"sixteen of bytes", *shuffle.shares[1:])),
    "left out": lambda shuffle: replace(shuffle, shares=(None, *shuffle.shares[1:])),
    "no longer left out": lambda shuffle: shuffle.with_share(1, bytes(16)),
    "exchanged": lambda shuffle: replace(shuffle, shares=shuffle.shares[::-1]),
    "moved": lambda shuffle: replace(shuffle, shares=(shuffle.shares[0], shuffle.shares[2], None)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_everything_changes_the_deal(change: str) -> None:
    shuffle = fresh()
    other = CHANGES[change](shuffle)
    assert other.deal().hands != shuffle.deal().hands
    bound = change in ("match", "number", "dealer", "secret")
    assert (other.commitment != shuffle.commitment) == bound


@given(shuffles())
def test_the_text_gives_the_shuffle_back(shuffle: Shuffle) -> None:
    """So no two shuffles have one text; and the text is all that is hashed."""
    text = str(shuffle)
    assert Shuffle.parse(text) == shuffle
    assert eval(repr(shuffle)) == shuffle  # noqa: S307
    assert text.isascii()
    assert len(text) <= LONGEST_SHUFFLE
    record = DealRecord(RuleSet(), shuffle.deal(), shuffle=text)
    assert DealRecord.parse(str(record)) == DealRecord.parse(json.dumps(to_json(record))) == record
    assert shuffle.flaws(record) == ()


@given(shuffles(), shuffles())
def test_what_is_committed_is_never_what_is_dealt_from(one: Shuffle, other: Shuffle) -> None:
    committed = str(one).replace(re.findall(r"shares=\S+ ", str(one))[0], "")
    assert one.commitment == sha256(committed.encode()).hexdigest()
    assert not str(other).startswith(committed)
    with pytest.raises(NotationError):
        Shuffle.parse(committed)


GOOD = str(fresh())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_such_format"),
        ("by hand", "no_such_format"),
        (GOOD.replace("sha256/1", "sha256/2"), "no_such_format"),
        ("sha256/1", "shuffle_syntax"),
        (GOOD + " ", "shuffle_syntax"),
        (GOOD + "\n", "shuffle_syntax"),
        (GOOD + "00", "shuffle_syntax"),
        (GOOD[:-2], "shuffle_syntax"),
        (GOOD[:-64] + GOOD[-64:].upper(), "shuffle_syntax"),
        (GOOD.replace("m7", ""), "shuffle_syntax"),
        (GOOD.replace("m7", "m 7"), "shuffle_syntax"),
        (GOOD.replace("m7", "ḿ7"), "shuffle_syntax"),
        (GOOD.replace("m7", "m" * 41), "shuffle_syntax"),
        (GOOD.replace("shuffle=1", "shuffle=0"), "shuffle_syntax"),
        (GOOD.replace("shuffle=1", "shuffle=01"), "shuffle_syntax"),
        (GOOD.replace("shuffle=1", "shuffle=١"), "shuffle_syntax"),
        (GOOD.replace(" dealer", "  dealer"), "shuffle_syntax"),
        (GOOD.replace(",-,", ",,"), "shuffle_syntax"),
        (GOOD.replace(",-,", ",--,"), "shuffle_syntax"),
        (GOOD.replace(",-,", ",ab,"), "shuffle_syntax"),
        (GOOD.replace("dealer=2", "dealer=3"), "no_such_seat"),
        (GOOD.replace(",-,", ","), "players_range"),
        (GOOD.replace(",-,", ",-,-,-,-,-,"), "players_range"),
    ],
)
def test_other_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        Shuffle.parse(text)
    assert (refused.value.reason, refused.value.column) == (reason, 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda shuffle: replace(shuffle, match="m7 shuffle=2"), "shuffle_syntax"),
        (lambda shuffle: replace(shuffle, number=10_000), "shuffle_syntax"),
        (lambda shuffle: replace(shuffle, dealer=-1), "shuffle_syntax"),
        (lambda shuffle: replace(shuffle, secret=b"short"), "shuffle_syntax"),
        (lambda shuffle: shuffle.with_share(1, b"short"), "shuffle_syntax"),
        (lambda shuffle: shuffle.with_share(1, b""), "shuffle_syntax"),
        (lambda shuffle: shuffle.with_share(0, bytes(16)), "seat_twice"),
        (lambda shuffle: shuffle.with_share(3, bytes(16)), "no_such_seat"),
        (lambda shuffle: shuffle.with_share(-2, bytes(16)), "no_such_seat"),
        (lambda shuffle: replace(shuffle, dealer=3), "no_such_seat"),
        (lambda shuffle: replace(shuffle, shares=()), "players_range"),
    ],
)
def test_other_values_are_refused(change: Callable[[Shuffle], Shuffle], reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        change(fresh())
    assert refused.value.reason == reason


def record_of(shuffle: Shuffle, **changes: Any) -> DealRecord:
    """A finished deal from a shuffle."""
    state = play_at_random(DealState.start(shuffle.deal()), Random(1))
    record = DealRecord(state.rules, state.deal, state.plays, 1, NAMES, shuffle.match, shuffle=str(shuffle))
    return replace(record, **changes)


def match_of(numbers: tuple[int, ...], match: str = "m7") -> list[DealRecord]:
    """The deals of a match from the shuffles with these numbers."""
    running, records = Match(3), []
    for number in numbers:
        shuffle = fresh(number, dealer=2 if running.next_dealer is None else running.next_dealer, match=match)
        running = running.begin(shuffle.deal())
        while running.state:
            running = running.play(min(running.state.legal_cards))
        records.append(DealRecord.of(running.deals[-1], names=NAMES, match=match, shuffle=str(shuffle)))
    return records


def text_of(*records: DealRecord) -> str:
    return "\n".join(map(str, records))


def reasons(shuffle: Shuffle, record: DealRecord) -> list[str]:
    return [flaw.reason for flaw in shuffle.flaws(record)]


def test_what_does_not_agree() -> None:
    shuffle = fresh()
    record = record_of(shuffle)
    assert reasons(shuffle, record) == []
    assert reasons(fresh(number=2), record) == [ShuffleReason.SHUFFLE_HAND] * 3
    assert reasons(shuffle, replace(record, match=None, number=None)) == []
    assert reasons(shuffle, replace(record, match="m8")) == [ShuffleReason.SHUFFLE_MATCH]
    assert reasons(shuffle, replace(record, number=2)) == [ShuffleReason.SHUFFLE_NUMBER]
    assert reasons(shuffle, replace(record, deal=Deal(0, record.deal.hands), plays=())) == [
        ShuffleReason.SHUFFLE_DEALER
    ]
    first, second, third = record.deal.hands
    a, b = min(first), min(second)
    swapped = (first.without(a) | type(first).of([b]), second.without(b) | type(first).of([a]), third)
    flaws = shuffle.flaws(replace(record, deal=Deal(2, swapped), plays=()))
    assert [(flaw.arguments["seat"], flaw.arguments["hand"]) for flaw in flaws] == [(0, first), (1, second)]
    assert reasons(fresh(players=4), record) == [ShuffleReason.SHUFFLE_PLAYERS]


def gone(*records: DealRecord) -> list[tuple[str, str]]:
    found = missing(verdicts(read_text(text_of(*records))))
    return [(refusal.arguments["match"], refusal.arguments["numbers"]) for refusal in found]


def test_deals_that_somebody_hid() -> None:
    one, two, three = match_of((1, 4, 5))
    other = match_of((1, 2), match="m8")
    assert gone(one, two, three) == [("m7", "2, 3")]
    assert gone(two, three, *other) == []
    assert gone(match_of((3,))[0]) == [("m7", "1, 2")]
    assert gone(*match_of((1, 2, 3)), *other) == []
    assert gone(replace(one, shuffle=None), replace(two, shuffle="by hand")) == []
    aborted = [record_of(fresh(number), plays=()) for number in (1, 2)]
    assert gone(*aborted, match_of((3,))[0]) == []


def test_verify_a_deal(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shuffle = fresh()
    file = tmp_path / "deal.dgn"
    file.write_text(str(record_of(shuffle)), encoding="utf-8")
    ran = run("record", "verify", str(file))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "line 1: the hands are those that the shuffle gives",
        f"  commitment  {shuffle.commitment}",
        f"  Ann         {shuffle.shares[0].hex()}",  # type: ignore[union-attr]
        "  Onyx        no share: left out",
        f"  Ben         {shuffle.shares[2].hex()}",  # type: ignore[union-attr]
        f"{file}: 1 deal, every shuffle agrees",
    ]


@pytest.mark.parametrize("as_json", [False, True])
def test_verify_a_match_in_either_form(run: Any, as_json: bool) -> None:
    deals = match_of((1, 2, 3))
    text = "\n".join(json.dumps(to_json(deal)) for deal in deals) if as_json else text_of(*deals)
    ran = run("record", "verify", "-", stdin=text)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "-: 3 deals, every shuffle agrees")


def test_verify_the_commitment(run: Any) -> None:
    deals = match_of((1, 2))
    seen = [Shuffle.parse(str(deal.shuffle)).commitment for deal in deals]
    both = ["--commitment", seen[1].upper(), "--commitment", seen[0]]
    ran = run("record", "verify", "-", *both, stdin=text_of(*deals))
    assert ran.status == 0
    assert ran.out.count("(as given)") == 2
    ran = run("record", "verify", "-", *both, stdin=text_of(deals[0]))
    assert ran.status == 1
    assert f"no deal here that agrees has the commitment\n{seen[1]}\n-: 1 deal, 1 error\n" in ran.out
    ran = run("record", "verify", "-", "--commitment", seen[0][1:], stdin=text_of(*deals))
    assert (ran.status, ran.out) == (2, "")
    assert "is not a commitment, which has 64 hexadecimal digits" in ran.err


def test_verify_what_does_not_agree(run: Any) -> None:
    deals = match_of((1, 2))
    lie = replace(deals[1], shuffle=str(fresh(2, seed=9, dealer=1)))
    ran = run("record", "verify", "-", stdin=text_of(deals[0], lie))
    assert ran.status == 1
    assert "this does not agree with the shuffle\n  by the shuffle, the dealer is at seat 1\n" in ran.out
    assert f"  by the shuffle, seat 2 has {fresh(2, seed=9, dealer=1).deal().hands[2]}\n" in ran.out
    assert ran.out.endswith("-: 2 deals, 1 error\n")
    seen = fresh(2, seed=9, dealer=1).commitment
    assert run("record", "verify", "-", "--commitment", seen, stdin=text_of(deals[0], lie)).status == 1
    four = replace(deals[0], shuffle=str(fresh(players=4)))
    assert "  the shuffle is for 4 players\n" in run("record", "verify", "-", stdin=text_of(four)).out


def test_verify_when_deals_are_missing(run: Any) -> None:
    ran = run("record", "verify", "-", stdin=text_of(*match_of((1, 3))))
    assert ran.status == 1
    assert "match m7: deals are missing from this file; the numbers of their shuffles: 2\n" in ran.out


def test_verify_without_a_shuffle(run: Any) -> None:
    one, two = match_of((1, 2))
    ran = run("record", "verify", "-", stdin=text_of(one, replace(two, shuffle=None)))
    assert ran.status == 0
    assert "there is no shuffle to check\n" in ran.out
    assert ran.out.endswith("-: 2 deals; recomputed: 1, and all of that agrees; without a shuffle: 1\n")
    ran = run("record", "verify", "-", stdin=text_of(replace(one, shuffle="by hand", names=None)))
    assert ran.status == 1
    assert ran.out.endswith("-: 1 deal, and nothing that could be checked\n")


def test_verify_what_can_not_be_read(run: Any) -> None:
    one, two = match_of((1, 2))
    broken = text_of(one, replace(two, shuffle=str(two.shuffle)[:-1]))
    ran = run("record", "verify", "-", stdin=broken)
    assert ran.status == 1
    line = str(one).count("\n") + 2
    assert ran.err.startswith(f"davidgoliath: line {line}: shuffle: a shuffle is written as ‘sha256/1 match=")
    assert ran.err.count("\n") == 1
    assert ran.out.endswith("-: 2 deals, 1 error\n")
    ran = run("record", "verify", "-", stdin="rubbish")
    assert (ran.status, ran.err.count("\n")) == (1, 1)


def test_verify_for_programs(run: Any) -> None:
    one, two, three = match_of((1, 2, 3))
    shuffle = Shuffle.parse(str(one.shuffle))
    lines = [to_json(one), to_json(replace(two, shuffle=None)), to_json(replace(three, shuffle=one.shuffle))]
    text = "\n".join(map(json.dumps, lines)) + "\nrubbish\n"
    ran = run("record", "verify", "-", "--json", stdin=text)
    assert ran.status == 1
    told = json.loads(ran.out)
    assert (told["file"], told["verified"], told["errors"]) == ("-", False, [])
    first, second, third, fourth = told["deals"]
    assert first == {
        "line": 1,
        "deal": 1,
        "agrees": True,
        "flaws": [],
        "match": "m7",
        "shuffle": 1,
        "commitment": shuffle.commitment,
        "shares": [share and share.hex() for share in shuffle.shares],
        "left_out": [1],
    }
    assert second == {"line": 2, "deal": 2, "agrees": None}
    assert third["flaws"][0] == "this is deal 3, which can’t come from shuffle 1 of its match"
    assert (fourth["agrees"], fourth["deal"]) == (False, None)
    assert json.loads(run("record", "verify", "-", "--json", stdin=text_of(one)).out)["verified"] is True


SAMPLE = re.findall(r"^```dgn\n(.*?)^```", PAGE, re.M | re.S)[0]
VECTOR = dict(re.findall(r"^\| ([a-z ]+) \| `([^`]+)` \|$", PAGE, re.M))


def test_the_vector_of_the_page() -> None:
    record = DealRecord.parse(SAMPLE)
    shuffle = Shuffle.parse(str(record.shuffle))
    assert shuffle.flaws(record) == ()
    assert VECTOR["shuffle"] == str(shuffle)
    assert VECTOR["commitment"] == shuffle.commitment == sha256(VECTOR["committed text"].encode()).hexdigest()
    assert VECTOR["seed"] == shuffle.seed.hex()
    assert VECTOR["block"] == sha256(shuffle.seed + bytes(4)).hexdigest()
    assert VECTOR["cards"] == " ".join(map(str, shuffle.cards))


def test_the_page_commands_say_what_the_page_says(run: Any) -> None:
    ran = run("record", "verify", "-", "--commitment", VECTOR["commitment"], stdin=SAMPLE)
    assert ran.status == 0


@pytest.mark.skipif(not shutil.which("node"), reason="there is no node to run JavaScript")
def test_the_javascript_of_the_page() -> None:
    (code,) = re.findall(r"^```js\n(.*?)^```", PAGE, re.M | re.S)
    texts = [str(fresh(seed=seed, players=3 + seed % 4)) for seed in range(40)]
    call = f"Promise.all({json.dumps(texts)}.map(recompute)).then((all) => console.log(JSON.stringify(all)));"
    node = str(shutil.which("node"))
    done = subprocess.run([node, "-e", code + call], capture_output=True, text=True, check=True)
    for text, told in zip(texts, json.loads(done.stdout), strict=True):
        shuffle = Shuffle.parse(text)
        assert told["commitment"] == shuffle.commitment
        assert [set(hand) for hand in told["hands"]] == [{c.name for c in hand} for hand in shuffle.deal().hands]
