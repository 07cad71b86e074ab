"""What the game refuses, as values: a reason code and its arguments.

Nothing here is worded. `davidgoliath.texts` turns a refusal into a sentence in the reader's language,
so a reason is also the key of a text.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from davidgoliath.rules.cards import CardSet


class Reason(StrEnum):
    """Why something is refused. Each has a text in every catalogue: `error.must_follow` and so on."""

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

    CARD_TAKEN = "card_taken"
    NOT_CAPTURED = "not_captured"
    TOO_MANY = "too_many"
    VALUES_MISSING = "values_missing"

    NO_SUCH_PRESET = "no_such_preset"
    NO_SUCH_OPTION = "no_such_option"
    OPTION_TWICE = "option_twice"
    OPTION_VALUE = "option_value"

    ILLEGAL_PLAY = "illegal_play"
    TEXT_UNFIT = "text_unfit"
    NUMBER_RANGE = "number_range"
    ONE_PER_SEAT = "one_per_seat"
    MATCH_IS_OVER = "match_is_over"
    MATCH_DIFFERS = "match_differs"
    MATCH_NUMBER = "match_number"
    MATCH_DEALER = "match_dealer"
    MATCH_TOTALS = "match_totals"
    DEAL_UNFINISHED = "deal_unfinished"

    SHUFFLE_SYNTAX = "shuffle_syntax"
    SHUFFLE_PLAYERS = "shuffle_players"
    SHUFFLE_MATCH = "shuffle_match"
    SHUFFLE_NUMBER = "shuffle_number"
    SHUFFLE_DEALER = "shuffle_dealer"
    SHUFFLE_HAND = "shuffle_hand"
    SHUFFLE_MISSING = "shuffle_missing"

    NO_SUCH_BOT = "no_such_bot"
    BOT_UNFIT = "bot_unfit"

    NO_DEAL = "no_deal"
    ONE_DEAL = "one_deal"
    NOT_A_RECORD = "not_a_record"
    NO_SUCH_FORMAT = "no_such_format"
    NOT_A_DATE = "not_a_date"
    RESULT_DISAGREES = "result_disagrees"

    LINE_SYNTAX = "line_syntax"
    TAG_SYNTAX = "tag_syntax"
    NO_SUCH_TAG = "no_such_tag"
    TAG_TWICE = "tag_twice"
    TAG_MISSING = "tag_missing"
    NOT_A_NUMBER = "not_a_number"
    SEAT_TWICE = "seat_twice"
    HAND_MISSING = "hand_missing"
    TRICK_NUMBER = "trick_number"
    TRICK_LEADER = "trick_leader"
    TRICK_LENGTH = "trick_length"
    MARK_DISAGREES = "mark_disagrees"
    NO_MARK_HERE = "no_mark_here"

    JSON_SYNTAX = "json_syntax"
    JSON_DEPTH = "json_depth"
    KEY_MISSING = "key_missing"
    NO_SUCH_KEY = "no_such_key"
    KEY_TWICE = "key_twice"
    NOT_AN_OBJECT = "not_an_object"
    NOT_A_LIST = "not_a_list"
    NOT_A_TEXT = "not_a_text"


class Refusal(ValueError):
    """A reason and its arguments.

    >>> Refusal(Reason.HAND_SIZE, seat=2, count=16)
    Refusal('hand_size', seat=2, count=16)
    """

    def __init__(self, reason: str, /, **arguments: Any) -> None:
        super().__init__(reason, arguments)
        self.reason = reason
        self.arguments = arguments

    def __str__(self) -> str:
        return " ".join([self.reason, *(f"{name}={value}" for name, value in self.arguments.items())])

    def __repr__(self) -> str:
        arguments = "".join(f", {name}={value!r}" for name, value in self.arguments.items())
        return f"{type(self).__name__}({str(self.reason)!r}{arguments})"

    def __reduce__(self) -> tuple[Callable[..., "Refusal"], tuple[Any, ...]]:
        return _rebuild, (type(self), self.reason, self.arguments)


def _rebuild(kind: type[Refusal], reason: str, arguments: dict[str, Any]) -> Refusal:
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
