import pickle
import re
from random import Random

from davidgoliath import CardSet, Deal, DealState, IllegalPlay, NotationError, Refusal, deck
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Reason
from davidgoliath.texts import Texts


def test_refusals_travel_between_processes() -> None:
    refusal = IllegalPlay(Reason.NOT_IN_HAND, legal=CardSet.parse("R1"))
    copy = pickle.loads(pickle.dumps(refusal))  # noqa: S301
    assert type(copy) is IllegalPlay
    assert (copy.reason, copy.arguments) == (refusal.reason, refusal.arguments)


def test_refusals_read_like_values() -> None:
    refusal = NotationError(Reason.NO_SUCH_CARD, text="X1", column=3)
    assert refusal.reason == "no_such_card"
    assert repr(refusal) == "NotationError('no_such_card', text='X1', column=3)"


def test_refusals_read_like_what_the_command_line_says() -> None:
    refusal = NotationError(Reason.NO_SUCH_CARD, text="X1", column=3).at(line=7)
    assert str(refusal).startswith("line 7, column 3: ‘X1’ is not a card; a card is")
    assert str(refusal) == Texts("en").error(refusal)


def test_refusals_of_others_have_no_words_but_their_code() -> None:
    assert str(Refusal("moon", phase="full")) == "Refusal('moon', phase='full')"  # type: ignore[arg-type]
    assert str(Refusal(Reason.HAND_SIZE)) == "Refusal('hand_size')"  # it lacks what its sentence would show


def test_no_sentence_names_a_card_that_the_refusal_does_not_carry() -> None:
    rng, told = Random(7), 0
    for _ in range(30):
        state = DealState.start(Deal.shuffled(4, rng))
        for _ in range(rng.randrange(59)):
            state = state.play(rng.choice(list(state.legal_cards)))
        for card in deck(4):
            for seat in (None, 0, 1, 2, 3):
                try:
                    state.play(card, seat)
                except IllegalPlay as refusal:
                    carried = {str(card)} | {str(each) for each in refusal.legal or ()}
                    words = re.findall(r"\b([RYGBV])(\d[\d,]*)", str(refusal))
                    assert {f"{letter}{value}" for letter, values in words for value in values.split(",")} <= carried
                    assert refusal.legal is None or seat in (None, state.to_play)
                    told += 1
    assert told > 1000


def test_places_add_up() -> None:
    error = NotationError(Reason.NO_SUCH_CARD, text="X1", column=3).at(column=10).at(line=4)
    assert (error.line, error.column, error.path) == (4, 12, None)
    assert NotationError(NotationReason.NO_DEAL).at(column=5).column == 5
