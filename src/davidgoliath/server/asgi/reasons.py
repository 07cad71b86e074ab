"""What is refused at the edge."""

from davidgoliath.rules import ReasonCode


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
    TOO_MANY_SOCKETS = "too_many_sockets"
    TOO_MANY_MESSAGES = "too_many_messages"
