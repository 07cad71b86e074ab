"""The command `score`: what a pile is worth, and the score pad for the real table."""

import json
import sys
from contextlib import nullcontext, redirect_stdout
from pathlib import Path

import click
from click.core import ParameterSource

from davidgoliath.cli.output import FILE, FORCE, STANDARD, check_files, say
from davidgoliath.cli.reader import JSON, LANG, RULES, TEXTS, Command, WholeNumber, option, read_line
from davidgoliath.cli.record import complain
from davidgoliath.notation import ScorePad, decoded, pad_results, pad_to_json
from davidgoliath.rules import CardSet, Colour, NotationError, Reason, Refusal, RuleSet, deck, score_by_colour
from davidgoliath.terminal import KeptFile, choose, score_transcript
from davidgoliath.terminal.pad import PlainPad, ask_pad
from davidgoliath.terminal.pad_transcript import pad_text, points_transcript
from davidgoliath.terminal.padfile import new_pad_file, read_pad, unfinished_pads
from davidgoliath.texts import Texts


@click.command(cls=Command, help=TEXTS("cli.score"))
@click.argument("cards", nargs=-1)
@option("--interactive", "-i", text="cli.score.interactive", is_flag=True)
@option("--pad", "file", text="cli.score.pad", type=FILE, metavar="FILE")
@option("--new", text="cli.score.new", is_flag=True)
@FORCE
@option("--players", text="cli.score.players", type=WholeNumber(3, 6))
@RULES
@JSON
@LANG
@click.pass_context
def score(
    ctx: click.Context,
    cards: tuple[str, ...],
    interactive: bool,
    file: Path | None,
    new: bool,
    force: bool,
    players: int | None,
    rule_set: RuleSet,
    as_json: bool,
    lang: str,
) -> None:
    texts = Texts(lang)
    if cards and (interactive or file):
        raise _contradiction("CARDS", "--interactive" if interactive else "--pad")
    if interactive and file == STANDARD:
        raise _contradiction("--interactive", "--pad -")
    if interactive:
        if new:
            check_files(file, force=force)
        with redirect_stdout(sys.stderr) if as_json else nullcontext():  # which is for the result alone
            asks = players is not None or ctx.get_parameter_source("rule_set") is ParameterSource.COMMANDLINE
            pad = _run(file, new, asks, players, rule_set, texts)
        if as_json and pad:
            _show_pad(pad, texts, as_json=True)
    elif file:
        _show_pad(_read(file), texts, as_json)
    elif cards:
        _show_pile(CardSet.parse(" ".join(cards)), players, texts, as_json)
    else:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])


def _read(file: Path) -> ScorePad:
    """The pad of a file; what is wrong with it is told with its name."""
    try:
        return ScorePad.parse(decoded(sys.stdin.buffer.read())) if file == STANDARD else read_pad(file)
    except NotationError as error:
        complain(str(file), error)
        raise click.exceptions.Exit(1) from None


def _contradiction(a: str, b: str) -> click.UsageError:
    return click.UsageError(TEXTS("error.not_together", a=a, b=b))


def _show_pile(pile: CardSet, players: int | None, texts: Texts, as_json: bool) -> None:
    for card in pile - deck(players or 6):
        raise Refusal(Reason.NOT_IN_DECK, card=card, players=players)
    if as_json:
        points = dict(zip(map(str, Colour), score_by_colour(pile), strict=True))
        click.echo(json.dumps({"cards": [str(card) for card in pile], "points": points, "score": sum(points.values())}))
    else:
        say(score_transcript(pile, texts))


def _show_pad(pad: ScorePad, texts: Texts, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({**pad_to_json(pad), **pad_results(pad)}))
        return
    for deal in range(len(pad.deals)):
        say(f"{texts('page.deal_number', deal=deal + 1)} · {points_transcript(pad, deal, texts)}\n")
    say(pad_text(pad, texts))


def _run(
    file: Path | None, begins: bool, asks: bool, players: int | None, rules: RuleSet, texts: Texts
) -> ScorePad | None:
    """Goes on with a pad, or begins one, until the person leaves."""
    try:
        kept, pad = _begun(file, begins, asks, texts)
        say(texts("scoring.welcome"))
        pad = pad or ask_pad(players, rules, texts, read_line, say)
    except EOFError:
        click.echo()
        return None
    kept.save(f"{pad}\n")
    running = PlainPad(pad, texts, read=read_line, write=say, copy=click.echo, save=lambda pad: kept.save(f"{pad}\n"))
    running.run()
    say(texts("scoring.saved", file=kept.file))
    return running.pad


def _begun(file: Path | None, begins: bool, asks: bool, texts: Texts) -> tuple[KeptFile, ScorePad | None]:
    """The pad of this file; or the one of those not over that the person goes on with."""
    if file:
        return KeptFile(file), None if begins or not file.exists() else _read(file)
    found, damaged = unfinished_pads()
    for one in damaged:
        say(one.worded(texts), err=True)
    if begins or not found:
        return new_pad_file(), None
    chosen: int | None = 0
    if asks or len(found) > 1:
        rows = [[kept.when, ", ".join(kept.content.names)] for kept in found]
        chosen = choose(rows, texts("saved.pads"), texts, read_line, say)
    if chosen is None:
        return new_pad_file(), None
    return found[chosen].keeper, found[chosen].content
