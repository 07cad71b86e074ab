"""What those who write programs hand in by mistake: each public door says in a sentence what it needs instead.

A thing of the wrong kind is a `TypeError`, as everywhere in Python; a number out of bounds is a `ValueError`. What the
game itself refuses is a `Refusal`, which is worded in every language.
"""

from operator import index
from reprlib import repr as shortened
from typing import Any

from davidgoliath.rules.refusal import Reason, Refusal

CARD = "a Card, such as Card.parse('R9'),"
CARD_SET = "a CardSet, such as CardSet.parse('R1,9 V12'),"
RANDOM = "a random.Random"
RULE_SET = "a RuleSet, such as RuleSet.parse('classic deals=2'),"
TEXT = "a text"


def wrong_kind(needed: str, given: object) -> TypeError:
    """
    >>> wrong_kind(CARD, "R9")
    TypeError("a Card, such as Card.parse('R9'), is needed here, not 'R9'")
    """
    return TypeError(f"{needed} is needed here, not {shortened(given)}")


def check_kind(given: object, kind: type[Any], needed: str) -> None:
    if not isinstance(given, kind):
        raise wrong_kind(needed, given)


def check_tuple(given: object, kind: type[Any], needed: str) -> None:
    """Refuses all but a tuple of such things: a list could change behind a value's back."""
    if not isinstance(given, tuple) or not all(isinstance(each, kind) for each in given):
        raise wrong_kind(f"a tuple of {needed}", given)


def whole_number(name: str, given: Any, low: int, high: int) -> int:
    """The number as an int; NumPy's will do.

    >>> whole_number("threads", 0, 1, 64)
    Traceback (most recent call last):
    ValueError: threads is a whole number from 1 to 64, not 0
    """
    try:
        number = index(given)
    except TypeError:
        raise wrong_kind(f"a whole number for {name}", given) from None
    if not low <= number <= high:
        raise ValueError(f"{name} is a whole number from {low} to {high}, not {shortened(number)}")
    return number


def check_seat(seat: Any, players: int, **where: Any) -> None:
    try:
        exists = 0 <= index(seat) < players
    except TypeError:
        raise wrong_kind("the number of a seat", seat) from None
    if not exists:
        raise Refusal(Reason.NO_SUCH_SEAT, seat=seat, players=players, **where)
