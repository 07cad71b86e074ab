"""What the game refuses, as values: a reason code and its arguments.

Nothing here is worded. `davidgoliath.texts` turns a refusal into a sentence in the reader's language,
so a reason is also the key of a text; as soon as it is imported, `str` gives the English one.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from davidgoliath.rules.cards import CardSet


class ReasonCode(StrEnum):
    """Why something is refused. Each layer enumerates what it refuses, and has a text for it in every catalogue."""


class Reason(ReasonCode):
    """Why the rules refuse something: `error.must_follow` and so on are its texts."""

    DEAL_IS_OVER = "deal_is_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_HAND = "not_in_hand"
    MUST_FOLLOW = "must_follow"

    NO_SUCH_CARD = "no_such_card"
    NO_CARDS = "no_cards"
    CARD_TWICE = "card_twice"
    NOT_IN_DECK = "not_in_deck"
    PLAYERS_RANGE = "players_range"
    HAND_SIZE = "hand_size"
    NO_SUCH_SEAT = "no_such_seat"

    NO_SUCH_PRESET = "no_such_preset"
    NO_SUCH_OPTION = "no_such_option"
    OPTION_TWICE = "option_twice"
    OPTION_VALUE = "option_value"


class Refusal(ValueError):
    """A reason and its arguments; as a text it is the sentence that the command line would say.

    >>> refusal = Refusal(Reason.HAND_SIZE, seat=2, count=16)
    >>> refusal
    Refusal('hand_size', seat=2, count=16)
    >>> str(refusal)
    'the hand of seat 2 has 16 cards; it takes 15'
    """

    wording: ClassVar[Callable[["Refusal"], str]] = repr
    """Makes the sentence: whoever has words for reasons takes this over."""
    reason: ReasonCode
    arguments: dict[str, Any]

    def __init__(self, reason: ReasonCode, /, **arguments: Any) -> None:
        super().__init__(reason, arguments)
        self.reason = reason
        self.arguments = arguments

    def __str__(self) -> str:
        return Refusal.wording(self)

    def __repr__(self) -> str:
        arguments = "".join(f", {name}={value!r}" for name, value in self.arguments.items())
        return f"{type(self).__name__}({str(self.reason)!r}{arguments})"

    def __reduce__(self) -> tuple[Callable[..., "Refusal"], tuple[Any, ...]]:
        return _rebuild, (type(self), self.reason, self.arguments)


def _rebuild(kind: type[Refusal], reason: ReasonCode, arguments: dict[str, Any]) -> Refusal:
    return kind(reason, **arguments)


class IllegalPlay(Refusal):
    """A card that may not be played now. Nothing has changed.

    A refusal must not tell anyone about another hand, so it names the legal cards
    only to the seat whose turn it is.
    """

    @property
    def legal(self) -> "CardSet | None":
        """The cards that were legal, if the seat whose turn it is asked."""
        legal: CardSet | None = self.arguments.get("legal")
        return legal


class NotationError(Refusal):
    """A text or JSON value that is not what it should be.

    `line` and `column` count from 1 and say where in a text; `path` says where in a JSON value.
    """

    @property
    def line(self) -> int | None:
        line: int | None = self.arguments.get("line")
        return line

    @property
    def column(self) -> int | None:
        column: int | None = self.arguments.get("column")
        return column

    @property
    def path(self) -> str | None:
        path: str | None = self.arguments.get("path")
        return path

    def at(self, *, line: int | None = None, column: int | None = None) -> "NotationError":
        """The same error at a place that only the caller knows; `column` is where the faulty text starts."""
        place: dict[str, Any] = {}
        if line is not None:
            place["line"] = line
        if column is not None:
            place["column"] = column + (self.column or 1) - 1
        return NotationError(self.reason, **{**self.arguments, **place})

    def within(self, path: str) -> "NotationError":
        """The same error in a part of a JSON value: `hands` or `[3]`."""
        inner = self.path or ""
        joined = f"{path}.{inner}" if inner and not inner.startswith("[") else path + inner
        arguments = {name: value for name, value in self.arguments.items() if name != "column"}
        return NotationError(self.reason, **{**arguments, "path": joined})
