import pickle

from davidgoliath import CardSet, IllegalPlay, NotationError
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Reason


def test_refusals_travel_between_processes() -> None:
    refusal = IllegalPlay(Reason.NOT_IN_HAND, legal=CardSet.parse("R1"))
    copy = pickle.loads(pickle.dumps(refusal))  # noqa: S301
    assert type(copy) is IllegalPlay
    assert (copy.reason, copy.arguments) == (refusal.reason, refusal.arguments)


def test_refusals_read_like_values() -> None:
    refusal = NotationError(Reason.NO_SUCH_CARD, text="X1", column=3)
    assert str(refusal) == "no_such_card text=X1 column=3"
    assert repr(refusal) == "NotationError('no_such_card', text='X1', column=3)"


def test_places_add_up() -> None:
    error = NotationError(Reason.NO_SUCH_CARD, text="X1", column=3).at(column=10).at(line=4)
    assert (error.line, error.column, error.path) == (4, 12, None)
    assert NotationError(NotationReason.NO_DEAL).at(column=5).column == 5
