"""The command `score`: what a pile is worth, and the score pad for the real table."""

import json
from pathlib import Path

import click

from davidgoliath.cli.reader import JSON, LANG, RULES, TEXTS, Command, WholeNumber, option, read_line
from davidgoliath.notation import ScorePad, pad_results, pad_to_json
from davidgoliath.rules import CardSet, Colour, Reason, Refusal, RuleSet, deck, score_by_colour
from davidgoliath.terminal import score_transcript
from davidgoliath.terminal.pad import PlainPad, ask_pad
from davidgoliath.terminal.pad_transcript import pad_text, points_transcript
from davidgoliath.terminal.padfile import newest_pad, next_file, read_pad, save_pad
from davidgoliath.texts import Texts


@click.command(cls=Command, help=TEXTS("cli.score"))
@click.argument("cards", nargs=-1)
@option("--interactive", "-i", text="cli.score.interactive", is_flag=True)
@option("--pad", "file", text="cli.score.pad", type=click.Path(path_type=Path), metavar="FILE")
@option("--new", text="cli.score.new", is_flag=True)
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
    players: int | None,
    rule_set: RuleSet,
    as_json: bool,
    lang: str,
) -> None:
    texts = Texts(lang)
    if interactive:
        pad = _run(file, new, players, rule_set, texts)
        if as_json and pad:
            _show_pad(pad, texts, as_json=True)
    elif file:
        _show_pad(read_pad(file), texts, as_json)
    elif cards:
        _show_pile(CardSet.parse(" ".join(cards)), players, texts, as_json)
    else:
        raise click.MissingParameter(ctx=ctx, param=ctx.command.params[0])


def _show_pile(pile: CardSet, players: int | None, texts: Texts, as_json: bool) -> None:
    for card in pile - deck(players or 6):
        raise Refusal(Reason.NOT_IN_DECK, card=card, players=players)
    if as_json:
        points = dict(zip(map(str, Colour), score_by_colour(pile), strict=True))
        click.echo(json.dumps({"cards": [str(card) for card in pile], "points": points, "score": sum(points.values())}))
    else:
        click.echo(score_transcript(pile, texts))


def _show_pad(pad: ScorePad, texts: Texts, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({**pad_to_json(pad), **pad_results(pad)}))
        return
    for deal in range(len(pad.deals)):
        click.echo(f"{texts('page.deal_number', deal=deal + 1)} · {points_transcript(pad, deal, texts)}\n")
    click.echo(pad_text(pad, texts))


def _run(file: Path | None, new: bool, players: int | None, rules: RuleSet, texts: Texts) -> ScorePad | None:
    """Goes on with a pad, or begins one, until the person leaves."""
    found, pad = (None, None) if new else _begun(file, texts)
    click.echo(texts("scoring.welcome"))
    if pad is None:
        try:
            pad = ask_pad(players, rules, texts, read_line, click.echo)
        except EOFError:
            click.echo()
            return None
    target = file or found or next_file()
    running = PlainPad(pad, texts, read=read_line, write=click.echo, save=lambda pad: save_pad(target, pad))
    running.save(pad)
    running.run()
    click.echo(texts("scoring.saved", file=target))
    return running.pad


def _begun(file: Path | None, texts: Texts) -> tuple[Path | None, ScorePad | None]:
    """The pad of this file; or the one that was begun last, unless it is over or can't be read."""
    if file:
        return (file, read_pad(file)) if file.exists() else (file, None)
    newest = newest_pad()
    try:
        pad = read_pad(newest) if newest else None
    except Refusal as refusal:
        click.echo(texts("scoring.damaged", why=texts.error(refusal)), err=True)
        return None, None
    return (None, None) if pad is None or pad.is_over else (newest, pad)
