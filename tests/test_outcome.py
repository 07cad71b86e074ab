"""What clients are told of a card: it must be what the rules say, and nothing that a seat may not know."""

import json
from random import Random

import msgspec
import pytest

from davidgoliath import Card, CardSet, Colour, Deal, DealState, RuleSet, score_by_colour
from davidgoliath.match.effects import played, previews
from davidgoliath.match.shuffle import Shuffle
from davidgoliath.rules import Reason, Refusal
from davidgoliath.rules.scoring import next_card
from davidgoliath.server.protocol.messages import Told, refused
from davidgoliath.server.rooms.history import History, steps
from davidgoliath.server.store.contract import Stored
from davidgoliath.server.table.events import (
    VERSION,
    Aborted,
    AnyEvent,
    Committed,
    Created,
    Dealt,
    Ended,
    Opened,
    Played,
    Started,
    Undone,
    encode,
)

OPTIONS = ["classic", "classic lowest_card_to=david", "classic all_equal=sweep"]


@pytest.mark.parametrize("rules", OPTIONS)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_piles_kept_by_what_is_told_are_those_of_the_rules(players: int, rules: str) -> None:
    rng = Random(players)
    state = DealState.start(Deal.shuffled(players, rng), RuleSet.parse(rules))
    piles = [CardSet()] * players
    worths = [[0] * 5 for _ in range(players)]
    while not state.is_over:
        seat = state.to_play
        assert seat is not None
        shown = previews(state.view(seat))
        legal = list(state.legal_cards)
        assert len(shown) == (len(legal) if state.table else 0)
        place = rng.randrange(len(legal))
        preview = shown[place] if shown else None
        state = state.play(legal[place])
        now, took = played(state)
        assert (now.goliath, now.david) == ((preview.goliath, preview.david) if preview else (None, None))
        assert now.to_play == state.to_play
        if took:
            goliath, david = now.goliath, now.david
            assert goliath is not None
            assert david is not None
            piles[goliath] |= CardSet.parse(took.to_goliath)
            piles[david] |= CardSet.parse(took.to_david)
            assert preview is not None
            assert took.to_david == preview.to_david
            assert [(cell.seat, cell.colour, cell.worth) for cell in took.cells] == list(preview.worths)
            for cell in took.cells:
                worths[cell.seat][cell.colour] = cell.worth
                assert cell.next == next_card(state.piles[cell.seat].of_colour(Colour(cell.colour)))
            assert tuple(piles) == state.piles
            assert [tuple(worth) for worth in worths] == [score_by_colour(pile) for pile in piles]


@pytest.mark.parametrize(
    ("plays", "tie"),
    [("R1 R2 R3", None), ("R2 Y2 R1", "highest"), ("R1 Y1 R2", "lowest"), ("R1 Y1 G1", "all"), ("R1 Y2 G1 B2", "both")],
)
def test_ties_are_told(plays: str, tie: str | None) -> None:
    cards = plays.split()
    rest = [f"{colour}{value}" for value in range(1, 3 * len(cards) + 1) for colour in "VBGYR"]
    free = [card for card in rest if card not in cards]
    hands = []
    for place, card in enumerate(cards):  # nobody but the leader holds red, so that everything may be played
        fit = [other for other in free if place == 0 or other[0] != "R"][: 14 if place else 0]
        fit = fit or [other for other in free if other[0] == "R"] + [other for other in free if other[0] != "R"]
        hands.append([card, *fit[:14]])
        free = [other for other in free if other not in hands[-1]]
    state = DealState.start(Deal(len(cards) - 1, tuple(CardSet.parse(" ".join(hand)) for hand in map(_grouped, hands))))
    for card in cards:
        state = state.play(next(legal for legal in state.legal_cards if str(legal) == card))
    _, took = played(state)
    assert took is not None
    assert took.tie == tie


def _grouped(cards: list[str]) -> list[str]:
    groups = [(colour, [card[1:] for card in cards if card[0] == colour]) for colour in "RYGBV"]
    return [colour + ",".join(values) for colour, values in groups if values]


def _events(finished: int) -> list[AnyEvent]:
    """A table with two deals, of which so many are over."""
    events: list[AnyEvent] = [Created("ann", ("ann", "bot:club", "bot:club"), "classic deals=2"), Started()]
    for number in (1, 2):
        shuffle = Shuffle.fresh("t", number, number, 3, bytes)
        deal = shuffle.deal()
        events.append(Committed(number, shuffle.commitment, str(shuffle)))
        events.append(Dealt(number, deal.dealer, tuple(map(str, deal.hands)), str(shuffle)))
        state = DealState.start(deal)
        while not state.is_over and (number <= finished or len(state.plays) < 20):
            card = min(state.legal_cards)
            assert state.to_play is not None
            events.append(Played(state.to_play, str(card)))
            state = state.play(card)
        if state.is_over:
            events.append(Opened(number, str(shuffle)))
    return events


def _past(events: list[AnyEvent]) -> History:
    begun, *others = steps(None, (Stored(VERSION, 0.0, encode(event)) for event in events))
    history = History(begun)
    for step in others:
        history.add(step)
    return history


def read(events: list[Told]) -> list[Told]:
    """What was written, as whoever gets it reads it."""
    return msgspec.json.decode(msgspec.json.encode(events), type=list[Told])


def told(events: list[AnyEvent], seat: int | None, since: int = 0) -> list[Told]:
    return read(_past(events).told(seat, since))


def replayed(events: list[AnyEvent]) -> list[Told]:
    return read(_past(events).replayed())


def test_a_replay_has_all_hands_of_the_deals_that_are_over_and_nothing_of_the_other() -> None:
    events = _events(1)
    replay = [json.loads(bytes(event.event)) for event in replayed(events)]
    hands = [event["hands"] for event in replay if event["type"] == "dealt"]
    assert hands == [list(event.hands) for event in events if isinstance(event, Dealt) and event.deal == 1]
    assert replay[-1]["type"] == "opened"
    assert len(replay) < len(events)
    assert not any(event.get("shuffle") for event in replay if event["type"] != "opened")
    assert replayed(events[:10]) == []


def test_what_a_seat_is_told_hides_other_hands_and_secrets_but_says_what_cards_did() -> None:
    events = _events(2)
    for seat in (None, 0, 1, 2):
        everything = told(events, seat)
        for event, shown in zip(events, everything, strict=True):
            if isinstance(event, Dealt):
                own = ["-"] * 3
                if seat is not None:
                    own[seat] = event.hands[seat]
                assert json.loads(bytes(shown.event)) == {
                    "type": "dealt",
                    "deal": event.deal,
                    "dealer": event.dealer,
                    "hands": own,
                }
        for since in (1, 2, 3, 30, len(events)):
            assert told(events, seat, since) == everything[since:]
    assert sum(shown.took is not None for shown in told(events, None)) == 30


def test_the_standing_is_told_whenever_the_phase_changes() -> None:
    stands = [shown.stand for shown in told(_events(2), None) if shown.stand]
    assert [stand.phase for stand in stands] == [
        "gathering", "dealing", "playing", "scores", "dealing", "playing", "over"
    ]  # fmt: skip
    scores, over = stands[3], stands[-1]
    assert scores.deal == 1
    assert over.deal == 2
    assert sum(over.totals) > sum(scores.totals) > 0
    assert over.places[over.totals.index(max(over.totals))] == 1
    assert len(over.turning_points) == 3
    assert scores.turning_points == ()


def test_the_end_of_a_match_that_was_broken_off_has_its_turning_points_in_a_replay_too() -> None:
    events = [*_events(1), Aborted(2), Opened(2, "sha256/2"), Ended()]
    last = replayed(events)[-1].stand
    assert last is not None
    assert last.phase == "over"
    assert {point.deal for point in last.turning_points} == {1}


def test_it_is_told_when_a_win_no_longer_counts() -> None:
    stands = [shown.stand for shown in told([*_events(1), Undone(3)], 0)]
    assert stands[-1] is not None
    assert [stand.counts for stand in stands if stand] == [True] * 6 + [False]


def test_a_refusal_names_colours_by_their_letter() -> None:
    refusal = Refusal(Reason.MUST_FOLLOW, card=Card.parse("R9"), colour=Colour.GREEN, legal=CardSet.parse("G1,2"))
    assert refused(refusal, 7).arguments == {"card": "R9", "colour": "G", "legal": "G1,2"}
