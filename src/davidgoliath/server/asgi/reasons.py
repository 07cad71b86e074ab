"""What is refused at the edge, and all that a client may be refused."""

from typing import Final

from davidgoliath.bots import BotReason
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.rules import Reason, ReasonCode
from davidgoliath.server.ops.failures import FailureReason
from davidgoliath.server.people.names import NameReason
from davidgoliath.server.rooms.reasons import RoomReason
from davidgoliath.server.store.contract import StoreReason
from davidgoliath.server.table.events import EventReason
from davidgoliath.server.table.table import Denial


class RequestReason(ReasonCode):
    """Why a request is refused before anybody looks at what it wants."""

    HOST_UNKNOWN = "host_unknown"
    FOREIGN_ORIGIN = "foreign_origin"
    TOKEN_MISSING = "token_missing"  # noqa: S105
    NO_PUBLIC_LIST = "no_public_list"

    REQUEST_TOO_LONG = "request_too_long"
    REQUEST_UNFIT = "request_unfit"
    HELLO_MISSING = "hello_missing"
    PROTOCOL_DIFFERS = "protocol_differs"

    TOO_MANY_REQUESTS = "too_many_requests"
    TOO_MANY_NEW = "too_many_new"
    TOO_MANY_JOINS = "too_many_joins"
    TOO_MANY_CODES = "too_many_codes"
    TOO_MANY_HINTS = "too_many_hints"
    REVIEWS_USED_UP = "reviews_used_up"
    TOO_MANY_SOCKETS = "too_many_sockets"
    TOO_MANY_MESSAGES = "too_many_messages"


REASONS: Final[tuple[type[ReasonCode], ...]] = (
    Reason,
    NotationReason,
    BotReason,
    Denial,
    RoomReason,
    RequestReason,
    NameReason,
    EventReason,
    StoreReason,
    FailureReason,
)
"""Why a client may be refused something."""
