"""What is refused of records and pads, in any form."""

from davidgoliath.rules import ReasonCode


class NotationReason(ReasonCode):
    """Why a record, a score pad or their text is refused."""

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

    NO_DEAL = "no_deal"
    ONE_DEAL = "one_deal"
    NOT_A_RECORD = "not_a_record"
    TEXT_UTF_16 = "text_utf_16"
    TEXT_NOT_UTF_8 = "text_not_utf_8"
    NO_TEXT = "no_text"
    NO_SUCH_FORMAT = "no_such_format"
    NOT_A_DATE = "not_a_date"
    RESULT_DISAGREES = "result_disagrees"

    CARD_TAKEN = "card_taken"
    NOT_CAPTURED = "not_captured"
    TOO_MANY = "too_many"

    LINE_SYNTAX = "line_syntax"
    TAG_SYNTAX = "tag_syntax"
    NO_SUCH_TAG = "no_such_tag"
    TAG_TWICE = "tag_twice"
    TAG_MISSING = "tag_missing"
    NOT_A_NUMBER = "not_a_number"
    NOT_HINTS = "not_hints"
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
