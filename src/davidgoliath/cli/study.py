"""The commands that look back at deals and give hints. The judge is imported only when one of them runs."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from davidgoliath.cli.output import progress, say
from davidgoliath.cli.reader import JSON_LINES, TEXTS, Command, CommandReason, Seconds, WholeNumber, option
from davidgoliath.cli.record import complain, print_json, read_records
from davidgoliath.notation import DealRecord
from davidgoliath.rules import NotationError, Reason, Refusal, Seat
from davidgoliath.terminal.company import bots_at, called
from davidgoliath.terminal.transcript import names_in

if TYPE_CHECKING:
    from davidgoliath.study.values import Review


@click.command(cls=Command, help=TEXTS("cli.review"))
@click.argument("file")
@option("--seat", text="cli.review.seat", type=WholeNumber(0, 5))
@option("--all", "everyone", text="cli.review.all", is_flag=True)
@option("--seconds", text="cli.review.seconds", type=Seconds())
@JSON_LINES
def review(file: str, seat: Seat | None, everyone: bool, seconds: float | None, as_json: bool) -> int:
    if everyone and seat is not None:
        raise Refusal(CommandReason.SEAT_OR_ALL)

    of_each: dict[tuple[int, str], list[Review]] = {}

    def answers(deal: DealRecord) -> Iterator[Any]:
        for wanted in _seats(deal, seat, everyone):
            found = _reviewed(deal, wanted, seconds)
            of_each.setdefault((deal.players, _names(deal)[wanted]), []).append(found)
            yield _shown(deal, found, as_json)

    status, told = _tell(file, answers, as_json)
    if told and not as_json:
        _sum_up(of_each)
    return status


@click.command(cls=Command, help=TEXTS("cli.hint"))
@click.argument("file")
@JSON_LINES
def hint(file: str, as_json: bool) -> int:
    status, told = _tell(file, lambda deal: _hints(deal, as_json), as_json)
    if not told and not status:
        raise Refusal(CommandReason.NOBODY_TO_PLAY, file=file)
    return status


def _tell(file: str, answers: Callable[[DealRecord], Iterator[Any]], as_json: bool) -> tuple[int, int]:
    """Says what there is to say of each deal, and what is wrong with those that can't be read.

    Gives the exit status, and how many answers there were.
    """
    from davidgoliath.kernel.compiled import announce

    announce(lambda: say(TEXTS("kernel.compiling"), err=True))
    status = told = 0
    for line, deal in read_records(file):
        try:
            if isinstance(deal, NotationError):
                raise deal
            for answer in answers(deal):
                if as_json:
                    print_json(answer)
                else:
                    say(("\n\n" if told else "") + answer)
                told += 1
                sys.stdout.flush()
        except NotationError as error:
            status = 1
            complain(file, error.at(line=error.line or line))
            if as_json:
                print_json({"line": line, "error": TEXTS.error(error, with_line=False)})
    return status, told


def _seats(deal: DealRecord, seat: Seat | None, everyone: bool) -> list[Seat]:
    """Whose deal it is about: people's, or everyone's where there are none."""
    if seat is not None:
        if seat >= deal.players:
            raise NotationError(Reason.NO_SUCH_SEAT, seat=seat, players=deal.players)
        return [seat]
    people = [place for place, bot in enumerate(bots_at(deal.names or ())) if not bot]
    return list(range(deal.players)) if everyone or not people else people


def _reviewed(deal: DealRecord, seat: Seat, seconds: float | None) -> "Review":
    """The final review, or the best that there is after so many seconds."""
    from davidgoliath.study.analysis import LEVELS
    from davidgoliath.study.review import explained, moments, review

    until = None if seconds is None else time.monotonic() + seconds
    steps = 1 + (len(LEVELS) - 1) * len(list(moments(deal.state, seat)))
    with progress(steps, label=_names(deal)[seat]) as bar:
        for done, found in enumerate(review(deal.state, seat), 1):
            is_over = until is not None and time.monotonic() >= until
            bar.update(1 + steps - done if is_over else 1)
            if is_over:
                return explained(found, deal.state)
    return found


def _shown(deal: DealRecord, found: "Review", as_json: bool) -> Any:
    from davidgoliath.study.jsonform import review_to_json
    from davidgoliath.terminal.look_back import look_back

    if as_json:
        return review_to_json(found)
    return look_back(found, deal.state.standing.deals, _names(deal), TEXTS)


def _sum_up(of_each: "dict[tuple[int, str], list[Review]]") -> None:
    """How strong everyone was in all their deals, and what the parts of a result are."""
    from davidgoliath.terminal.look_back import sum_up

    for (players, name), reviews in of_each.items():
        if len(reviews) > 1:
            say("\n\n" + sum_up(reviews, name, players, TEXTS))
    if any(found.ledger for reviews in of_each.values() for found in reviews):
        say("\n\n" + TEXTS("study.page.parts_what"))


def _hints(deal: DealRecord, as_json: bool) -> Iterator[Any]:
    """One for the seat that is to play, if there is one."""
    from davidgoliath.study.hints import hint
    from davidgoliath.study.jsonform import hint_to_json
    from davidgoliath.terminal.look_back import hint_table

    state = deal.state
    if state.to_play is None:
        return
    view = state.view(state.to_play)
    where = {"deal": state.standing.deal, "seat": state.to_play, "trick": len(state.tricks) + 1}
    found = hint(view)
    yield where | hint_to_json(found) if as_json else hint_table(found, view, _names(deal), TEXTS)


def _names(deal: DealRecord) -> tuple[str, ...]:
    return called(names_in(deal, TEXTS), TEXTS)
