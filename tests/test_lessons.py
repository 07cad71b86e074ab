"""The tutorial's lessons: real positions, every outcome by the rules, an aim that can be reached and is worth it."""

import json
import re
from importlib.resources import files

import pytest

from davidgoliath.notation import DealRecord, read_text
from davidgoliath.rules import Card, CardSet, DealState, Trick, settle
from davidgoliath.rules.scoring import score
from davidgoliath.texts import LANGUAGES, catalogue
from davidgoliath.tutorial.lessons import STEPS, YOU, Fall, Lesson, Play, as_json, lessons

LESSONS = lessons()
RECORDS = [
    record
    for _, record in read_text(files("davidgoliath.tutorial").joinpath("lessons.dgn").read_text(encoding="utf-8"))
    if isinstance(record, DealRecord)
]
each = pytest.mark.parametrize(("lesson", "record"), [*zip(LESSONS, RECORDS, strict=True)], ids=list(STEPS))


def state_of(record: DealRecord) -> DealState:
    """The position, card by card."""
    state = DealState.start(record.deal, record.rules)
    for card in record.plays:
        state = state.play(card)
    return state


def cards(falls: list[Fall]) -> tuple[Card, ...]:
    return tuple(Card.parse(fall.card) for fall in falls)


def scores(play: Play) -> tuple[int, ...]:
    """Everyone's points after it."""
    assert play.falls[-1].taken is not None
    return play.falls[-1].taken.scores


@each
def test_a_lesson_is_a_position_of_a_deal_with_the_learner_to_play(lesson: Lesson, record: DealRecord) -> None:
    state = state_of(record)
    assert record.match == lesson.id
    assert state.to_play == YOU
    assert 2 <= len(lesson.hand) <= 4
    assert lesson.hand == [str(card) for card in state.hands[YOU]] == [play.card for play in lesson.plays]
    assert lesson.legal == [str(card) for card in state.legal_cards]
    assert cards(lesson.trick) == state.table
    assert lesson.leader == lesson.trick[0].seat == state.leader
    assert lesson.scores == state.scores


@each
def test_every_card_has_the_outcome_that_the_rules_give_it(lesson: Lesson, record: DealRecord) -> None:
    state = state_of(record)
    for play in lesson.plays:
        assert (play.refused is None) == (play.card in lesson.legal)
        if play.refused:
            assert play.refused.legal == lesson.legal
            assert not play.right
            assert not play.falls
            continue
        after = state.play_all(cards(play.falls))
        assert play.falls[0].card == play.card
        assert not after.table
        trick = Trick(state.players, lesson.leader, (*state.table, *cards(play.falls))[: state.players])
        result = settle(trick, record.rules)
        last = play.falls[state.players - len(state.table) - 1]
        assert last.taken is not None
        assert (last.goliath, last.david) == (result.goliath, result.david)
        assert last.taken.to_david == [str(result.prize)]
        assert set(last.taken.to_goliath) == {str(card) for card in result.spoils}
        assert last.taken.scores == state.play_all(trick.cards[len(state.table) :]).scores
        assert scores(play) == tuple(score(pile) for pile in after.piles)
        worths = [sum(pile.worth for pile in piles) for piles in play.piles]
        assert worths == list(scores(play))


@each
def test_the_aim_can_be_reached_and_is_the_best_for_the_learner(lesson: Lesson, record: DealRecord) -> None:
    played = [play for play in lesson.plays if not play.refused]
    right, wrong = ([play for play in played if play.right is aim] for aim in (True, False))
    assert right
    assert wrong or lesson.id == "follow"

    def ahead(play: Play) -> int:
        return len(scores(play)) * scores(play)[YOU] - sum(scores(play))

    for play in wrong:
        assert ahead(play) < min(map(ahead, right)), play.card


@each
@pytest.mark.parametrize("language", LANGUAGES)
def test_who_gets_the_card_that_the_task_names_is_right(lesson: Lesson, record: DealRecord, language: str) -> None:
    if "{high}" not in str(catalogue(language)[f"learn.{lesson.id}.task"]):
        return
    high = next(fall.card for fall in lesson.trick if fall.seat == lesson.trick[-1].goliath)
    for play in lesson.plays:
        gets = next((fall for fall in play.falls if fall.taken), None)
        if gets and gets.taken:
            mine = {gets.goliath: gets.taken.to_goliath, gets.david: gets.taken.to_david}.get(YOU, [])
            assert play.right == (high in mine), play.card


def test_lessons_offer_illegal_cards_and_ties_and_an_end() -> None:
    by_id = {lesson.id: lesson for lesson in LESSONS}
    assert list(by_id) == list(STEPS)
    assert any(play.refused for play in by_id["follow"].plays)
    assert [play.falls[0].taken.tie for play in by_id["ties"].plays if play.right and play.falls[0].taken] == ["lowest"]
    assert [pile.worth for pile in by_id["third"].examples] == [9, 21, 3]
    for play in by_id["match"].plays:
        assert CardSet.parse("V2,9") <= CardSet.of(cards(play.falls))
        assert play.places[YOU] == 1 if play.right else play.places[YOU] > 1


def test_lessons_are_json() -> None:
    assert [lesson["id"] for lesson in json.loads(as_json())] == list(STEPS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_lessons_exists(language: str) -> None:
    asked = {play.why for lesson in LESSONS for play in lesson.plays}
    asked |= {f"learn.{name}.{part}" for name in STEPS for part in ("name", "title", "text", "task")}
    texts = catalogue(language)
    assert asked <= set(texts)
    of_lessons = {key for key in texts if re.match(rf"learn\.({'|'.join(STEPS)})\.", key)}
    captions = {"learn.third.one", "learn.third.two", "learn.third.three", "learn.third.before", "learn.third.after"}
    assert of_lessons - asked == captions | {"learn.match.last"}
    assert all(len(str(texts[f"learn.{name}.title"]).split()) <= 5 for name in STEPS)
