"""What Unicode knows of signs that names must know too: which show nothing, where those are needed, which look alike.

The tables are Unicode's (`confusables.txt`, made by `tools/confusables.py`). How alike two texts look follows UTS 39:
each has a skeleton, and those of texts that look alike are equal. Where its section on text that runs both ways would
lay out every line, we are more careful and simpler: there the same signs in any order are alike.
"""

import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

JOINER: Final = "\u200d"
NON_JOINER: Final = "\u200c"
VIRAMA: Final = 9
"""The combining class of the sign that takes a consonant's vowel: behind it a joiner is spelling."""
STYLES: Final = "\ufe0e\ufe0f"
"""Whether a picture is drawn as text or in colour."""
SKIN: Final = "".join(map(chr, range(0x1F3FB, 0x1F400)))
KEYCAP: Final = "\u20e3"
MONGOLIAN_FORMS: Final = "\u180b\u180c\u180d\u180f"
BLANK: Final = "\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
"""Signs that show nothing although Unicode has them among those that do."""


class Tables(NamedTuple):
    """Sets of signs, and the shape of each that looks like something else."""

    unseen: frozenset[str]
    pictures: frozenset[str]
    joins_next: frozenset[str]
    joins_last: frozenset[str]
    between: frozenset[str]
    """Marks that letters join across."""
    shapes: dict[int, str]


@cache
def tables() -> Tables:
    """Unicode's, read when they are first wanted."""
    lines = files(__package__).joinpath("confusables.txt").read_text(encoding="utf-8").splitlines()
    sets: dict[str, frozenset[str]] = {}
    shapes: dict[int, str] = {}
    for line in lines:
        shape, is_shape, signs = line.partition(": ")
        if line.startswith("#"):
            continue
        if is_shape:
            shapes |= dict.fromkeys(_points(signs), "".join(chr(int(part, 16)) for part in shape.split()))
        else:
            name, _, signs = line.partition(" ")
            sets[name] = frozenset(map(chr, _points(signs)))
    return Tables(**sets, shapes=shapes)


def _points(text: str) -> list[int]:
    """The code points in a text such as `41 61-7A`."""
    spans = [[int(end, 16) for end in part.split("-")] for part in text.split()]
    return [point for span in spans for point in range(span[0], span[-1] + 1)]


def is_unseen(sign: str) -> bool:
    """Whether it shows nothing by itself."""
    return sign in tables().unseen


def is_idle(text: str, place: int) -> bool:
    """Whether a sign shows nothing, and neither spelling nor a picture needs it there.

    >>> is_idle("b\u200dot", 1), is_idle("👩‍🚀", 1), is_idle("ا\u200cب", 1), is_idle("ب\u200cب", 1)
    (True, False, True, False)
    """
    known, sign, before, after = tables(), text[place], text[:place], text[place + 1 :]
    if sign in BLANK:
        return True
    if not is_unseen(sign):
        return False
    if not before:
        return True
    last = before[-1]
    if sign in (JOINER, NON_JOINER) and unicodedata.combining(last) == VIRAMA:
        return False  # CONTEXTJ of RFC 5892, as the next one
    if sign == NON_JOINER:
        last, following = before.rstrip(_between())[-1:], after.lstrip(_between())[:1]
        return not (last in known.joins_next and following in known.joins_last)
    if sign == JOINER:
        last, following = before.rstrip(STYLES + SKIN)[-1:], after[:1]
        return not (last in known.pictures and following in known.pictures)
    if sign in STYLES:
        return not (last in known.pictures or (last in "0123456789#*" and after.startswith(KEYCAP)))
    if sign in MONGOLIAN_FORMS:
        return not "\u1820" <= last <= "\u18aa"
    is_form = "\U000e0100" <= sign <= "\U000e01ef"  # of an ideograph, as families write theirs
    return not (is_form and unicodedata.name(last, "").startswith("CJK "))


@cache
def _between() -> str:
    return "".join(tables().between)


def skeleton(text: str) -> str:
    """What texts that look alike have in common (UTS 39); not for reading.

    >>> skeleton("\u0410nn\u0430") == skeleton("Anna"), skeleton("Zoë") == skeleton("Zoe"), skeleton("I1l")
    (True, False, 'lll')
    """
    known = tables()
    seen = "".join(sign for sign in unicodedata.normalize("NFKD", text) if sign not in known.unseen)
    return unicodedata.normalize("NFD", seen.translate(known.shapes))


def looks(text: str) -> tuple[str, ...]:
    """Its skeletons as it stands, in small letters and in capitals: case alone tells nobody apart."""
    return skeleton(text), skeleton(text.casefold()), skeleton(text.upper())


def runs(text: str) -> str:
    """Which way a text runs: `right`, `left`, or `both`, where signs may stand in another order than they are written.

    >>> runs("Anna 2"), runs("דוד"), runs("דוד 2")
    ('right', 'left', 'both')
    """
    kinds = {unicodedata.bidirectional(sign) for sign in text}
    if not kinds & {"R", "AL", "AN"}:
        return "right"
    return "both" if kinds & {"L", "EN", "AN"} else "left"


def signs_of(look: str) -> str:
    """The signs of a skeleton in no order, and brackets whichever way they face."""
    return "".join(sorted("(" if unicodedata.mirrored(sign) else sign for sign in look))
