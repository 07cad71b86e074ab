"""Reading records from a text or a stream, in whichever form they are."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Final, TypeAlias

from davidgoliath.notation.dgn import read_dgn
from davidgoliath.notation.jsonform import parse_json
from davidgoliath.notation.reasons import NotationReason
from davidgoliath.notation.record import DealRecord, MatchRecord
from davidgoliath.rules import NotationError
from davidgoliath.rules.checks import TEXT, check_kind, wrong_kind

Entry: TypeAlias = tuple[int, DealRecord | NotationError]
"""The line on which a deal starts, and the deal, or what is wrong with it."""

_WIDE: Final = re.compile(rb"([^\0]\0){2}|(\0[^\0]){2}")
_FOREIGN: Final = re.compile("[\udc80-\udcff]")
_TAG_START: Final = re.compile(r"\s*\[[A-Za-z]")


def read_text(text: str) -> Iterator[Entry]:
    """The records of a text: one at the least, or an error."""
    check_kind(text, str, f"{TEXT} in DGN or JSON")
    return _read(iter(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")))


def read_stream(stream: Iterable[bytes]) -> Iterator[Entry]:
    """The records of a binary stream, as they come in: one at the least, or an error.

    An error takes the place of its deal, and the others go on. Bytes that are not UTF-8 become
    characters that no record may hold.
    """
    lines = iter(stream)
    first = next(lines, b"")
    if is_utf_16(first):
        yield 1, NotationError(NotationReason.TEXT_UTF_16, line=1)
        return
    if b"\0" in first:
        yield 1, NotationError(NotationReason.NO_TEXT, line=1)
        return
    foreign: list[int] = []
    for start, entry in _read(_decoded_lines(chain([first], lines), foreign)):
        if isinstance(entry, NotationError) and foreign:
            yield start, NotationError(NotationReason.TEXT_NOT_UTF_8, line=foreign[0])
        else:
            yield start, entry
        foreign.clear()


def decoded(data: bytes) -> str:
    """A whole file's text, which is UTF-8."""
    if is_utf_16(data):
        raise NotationError(NotationReason.TEXT_UTF_16, line=1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotationError(NotationReason.TEXT_NOT_UTF_8, line=line) from None


def is_utf_16(data: bytes) -> bool:
    """As some editors save it; without a mark at its beginning, every other byte of our signs is zero."""
    return data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or bool(_WIDE.match(data))


def _decoded_lines(stream: Iterable[bytes], foreign: list[int]) -> Iterator[str]:
    """The lines as text, and into `foreign` the numbers of those that aren't UTF-8."""
    number = 0
    for some in stream:
        text = some.decode("utf-8", "surrogateescape").removesuffix("\n").removesuffix("\r")
        for line in text.split("\r"):  # where lines end in nothing else
            number += 1
            if _FOREIGN.search(line):
                foreign.append(number)
            yield line.removeprefix("\ufeff")


def _read(lines: Iterator[str]) -> Iterator[Entry]:
    blank = []
    for first in lines:
        if first.strip() and not first.lstrip().startswith(";"):
            break
        blank.append("")
    else:
        yield 1, NotationError(NotationReason.NO_DEAL, line=1)
        return
    lines = chain(blank, [first], lines)
    if _TAG_START.match(first):
        yield from read_dgn(lines)
    elif first.lstrip().startswith("{") and not first.rstrip().endswith("}"):
        yield from _read_spread_json(list(lines), len(blank) + 1)
    else:
        yield from _read_json_lines(lines)


def _read_json_lines(lines: Iterable[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            if not line.lstrip().startswith("{"):
                raise NotationError(NotationReason.NOT_A_RECORD, column=1)
            yield number, parse_json(line)
        except NotationError as error:
            yield number, error.at(line=number)


def _read_spread_json(lines: list[str], start: int) -> Iterator[Entry]:
    """One object over several lines; or else JSON Lines whose first is broken."""
    try:
        yield start, parse_json("\n".join(lines))
    except NotationError as error:
        if any(line.startswith("{") for line in lines[start:]):
            yield from _read_json_lines(lines)
        else:
            yield start, error if error.line else error.at(line=start)


def load(path: str | PathLike[str]) -> list[MatchRecord]:
    """The matches of a file of records, in DGN or JSON Lines; a deal that belongs to none is a match of its own.

    A file that isn't wholly sound is refused, with the line. For one that is larger than memory, or to go on
    after an error, see `davidgoliath.notation.read_stream`.
    """
    if not isinstance(path, str | PathLike):
        raise wrong_kind("the path of a file", path)
    with Path(path).open("rb") as file:
        entries = list(read_stream(file))
    found = list(matches(entries))
    for _, record in (*entries, *found):
        if isinstance(record, NotationError):
            raise record
    return [match for _, match in found if isinstance(match, MatchRecord)]


def matches(entries: Iterable[Entry]) -> Iterator[tuple[int, MatchRecord | NotationError]]:
    """The matches among deals: neighbours with one `match` id, or numbered one after another."""
    group: list[tuple[int, DealRecord]] = []
    for line, record in entries:
        if group and not (isinstance(record, DealRecord) and _belong_together(group[-1][1], record)):
            yield _match(group)
            group = []
        if isinstance(record, DealRecord):
            group.append((line, record))
    if group:
        yield _match(group)


def _belong_together(before: DealRecord, record: DealRecord) -> bool:
    if before.match is not None or record.match is not None:
        return before.match == record.match
    return before.number is not None and record.number == before.number + 1


def _match(group: list[tuple[int, DealRecord]]) -> tuple[int, MatchRecord | NotationError]:
    try:
        return group[0][0], MatchRecord.of_entries(group)
    except NotationError as error:
        return group[0][0], error
