"""Commands about records: show, check, verify, convert."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import click
import msgspec

from davidgoliath.cli.output import FILE, FORCE, STANDARD, output, say
from davidgoliath.cli.reader import JSON, JSON_LINES, TEXTS, CommitmentText, Group, OneOf, option
from davidgoliath.match.shuffle import Verdict, missing, verdicts
from davidgoliath.notation import DealRecord, Entry, matches, read_stream, results, to_json
from davidgoliath.rules import NotationError
from davidgoliath.terminal import columns, deal_transcript
from davidgoliath.terminal.company import called
from davidgoliath.terminal.transcript import names_in

_ENCODER: Final = msgspec.json.Encoder()


@click.group(cls=Group, help=TEXTS("cli.record"))
def record() -> None:
    pass


@record.command(help=TEXTS("cli.record.show"))
@click.argument("file")
@JSON_LINES
def show(file: str, as_json: bool) -> int:
    status = 0
    for number, (line, deal) in enumerate(read_records(file)):
        if isinstance(deal, NotationError):
            status = 1
            complain(file, deal)
            if as_json:
                print_json({"line": line, "error": TEXTS.error(deal, with_line=False)})
        elif as_json:
            print_json(to_json(deal) | results(deal))
        else:
            click.echo(("\n\n" if number else "") + deal_transcript(deal, TEXTS))
    return status


@record.command(help=TEXTS("cli.record.check"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@JSON_LINES
def check(files: tuple[str, ...], as_json: bool) -> int:
    return max([_check(file, as_json) for file in files])


def _check(file: str, as_json: bool) -> int:
    try:
        entries = list(read_records(file))
    except OSError as unread:
        why = TEXTS.trouble(unread)
        say(f"davidgoliath: {why}", err=True)
        if as_json:
            print_json({"file": file, "deals": 0, "matches": 0, "errors": [{"line": None, "error": why}]})
        return 1
    found = list(matches(entries))
    deals = sum(isinstance(deal, DealRecord) for _, deal in entries)
    errors = [error for _, error in (*entries, *found) if isinstance(error, NotationError)]
    for error in errors:
        complain(file, error)
    if as_json:
        worded = [{"line": error.line, "error": TEXTS.error(error, with_line=False)} for error in errors]
        print_json({"file": file, "deals": deals, "matches": len(found), "errors": worded})
    elif errors:
        click.echo(TEXTS("check.bad", file=file, deals=_count("deals", deals), errors=_count("errors", len(errors))))
    else:
        in_matches = _count("matches", len(found))
        click.echo(TEXTS("check.good", file=file, deals=_count("deals", deals), matches=in_matches))
    return 1 if errors else 0


@record.command(help=TEXTS("cli.record.verify"))
@click.argument("file")
@option("--commitment", "commitments", text="cli.record.verify.commitment", type=CommitmentText(), multiple=True)
@JSON
def verify(file: str, commitments: tuple[str, ...], as_json: bool) -> int:
    found = []
    for verdict in verdicts(read_records(file)):
        found.append(verdict)
        unread = [flaw for flaw in verdict.flaws if isinstance(flaw, NotationError)]
        for error in unread:
            complain(file, error)
        if not unread and not as_json:
            say("\n".join(_verdict_lines(verdict, commitments)))
    sound = {verdict.shuffle.commitment for verdict in found if verdict.shuffle and not verdict.flaws}
    strays = [TEXTS("verify.stray", commitment=commitment) for commitment in commitments if commitment not in sound]
    errors = [*(TEXTS.error(refusal) for refusal in missing(found)), *strays]
    bad = sum(1 for verdict in found if verdict.flaws) + len(errors)
    verified = bool(sound) and not bad
    if as_json:
        told = [_verdict_json(verdict) for verdict in found]
        print_json({"file": file, "verified": verified, "deals": told, "errors": errors})
    else:
        say("\n".join([*errors, _verdict_summary(file, found, bad)]))
    return 0 if verified else 1


def _verdict_lines(verdict: Verdict, commitments: Sequence[str]) -> list[str]:
    """What came of a deal; and what its players saw of the shuffle, so that they can compare."""
    deal, shuffle = verdict.record, verdict.shuffle
    word = "verify.differs" if verdict.flaws else "verify.agrees" if shuffle else "verify.nothing"
    lines = [TEXTS("place.line", line=verdict.line) + TEXTS(word)]
    lines += [f"  {TEXTS.error(flaw)}" for flaw in verdict.flaws]
    if not deal or not shuffle:
        return lines
    given = f"  {TEXTS('verify.as_given')}" if shuffle.commitment in commitments else ""
    rows = [[TEXTS("verify.commitment"), shuffle.commitment + given]]
    for name, share in zip(called(names_in(deal, TEXTS), TEXTS), shuffle.shares, strict=False):
        rows.append([name, share.hex() if share else TEXTS("verify.left_out")])
    return lines + columns(rows)


def _verdict_summary(file: str, found: Sequence[Verdict], bad: int) -> str:
    deals = _count("deals", len(found))
    checked = sum(1 for verdict in found if verdict.shuffle)
    if bad:
        return TEXTS("check.bad", file=file, deals=deals, errors=_count("errors", bad))
    if not checked:
        return TEXTS("verify.none", file=file, deals=deals)
    if checked < len(found):
        return TEXTS("verify.some", file=file, deals=deals, checked=checked, unchecked=len(found) - checked)
    return TEXTS("verify.all", file=file, deals=deals)


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    line, deal, shuffle, flaws = verdict
    told: dict[str, Any] = {"line": line, "deal": deal.number if deal else None, "agrees": None}
    if flaws or shuffle:
        told |= {"agrees": not flaws, "flaws": [TEXTS.error(flaw, with_line=False) for flaw in flaws]}
    if shuffle:
        shares = [share.hex() if share else None for share in shuffle.shares]
        told |= {"match": shuffle.match, "shuffle": shuffle.number, "commitment": shuffle.commitment}
        told |= {"shares": shares, "left_out": shuffle.left_out}
    return told


@record.command(help=TEXTS("cli.record.convert"))
@click.argument("file")
@option("--to", text="cli.record.convert.to", type=OneOf(["dgn", "json"]), required=True)
@option("--out", text="cli.out", type=FILE, default=STANDARD)
@FORCE
def convert(file: str, to: str, out: Path, force: bool) -> int:
    status = 0
    with suppress(_Unconverted), output(out, force=force) as stream:
        status = _convert(file, to, stream)
        if status and out != STANDARD:
            raise _Unconverted
    return status


class _Unconverted(Exception):
    """Something of a file was bad, and has been told: then no file is made."""


def _convert(file: str, to: str, stream: BinaryIO) -> int:
    status, separator = 0, ""
    for _, deal in read_records(file):
        if isinstance(deal, NotationError):
            status = 1
            complain(file, deal)
        elif to == "json":
            stream.write(_ENCODER.encode(to_json(deal)) + b"\n")
        else:
            stream.write(f"{separator}{deal}".encode())
            separator = "\n"
    return status


def read_records(file: str) -> Iterator[Entry]:
    """The deals of a file, or of standard input, and what is wrong with those that can't be read."""
    stdin = cast("BufferedReader", sys.stdin.buffer)
    with nullcontext(stdin) if file == "-" else Path(file).open("rb") as stream:
        yield from read_stream(_lines(stream))


def _lines(stream: BufferedReader) -> Iterator[bytes]:
    """The lines as they come in; what we have to say goes out before we wait for more."""
    rest = b""
    while chunk := stream.read1(1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        sys.stdout.flush()
    if rest:
        yield rest


def complain(file: str, error: NotationError) -> None:
    """One line about a record that can't be read."""
    sys.stdout.flush()
    source = "" if file == "-" else f"{file}: "
    say(f"davidgoliath: {source}{TEXTS.error(error)}", err=True)


def print_json(value: object) -> None:
    """A line of JSON."""
    sys.stdout.buffer.write(_ENCODER.encode(value) + b"\n")


def _count(what: str, count: int) -> str:
    return TEXTS(f"count.{what}", count=count)
