"""What rooms refuse, besides what their tables do."""

from davidgoliath.rules import ReasonCode


class RoomReason(ReasonCode):
    """Why somebody isn't let in, or a wish comes too late."""

    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_CODE = "no_such_code"
    TABLE_CLOSED = "table_closed"
    STALE = "stale"
    NO_OPEN_SEAT = "no_open_seat"
    NO_JUDGE = "no_judge"
    TOO_MANY_REVIEWS = "too_many_reviews"

    TOKEN_UNKNOWN = "token_unknown"  # noqa: S105
    TOO_MANY_TOKENS = "too_many_tokens"
    TOO_MANY_DEVICES = "too_many_devices"
    TOO_MANY_WATCHERS = "too_many_watchers"
