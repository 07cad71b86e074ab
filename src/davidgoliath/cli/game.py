"""Commands about the game itself: terminal, rules, score, deal."""

import json
import sys
from random import Random

import click
from click.core import ParameterSource

from davidgoliath.bots import bots, make_bot
from davidgoliath.cli.reader import (
    JSON,
    LANG,
    PLAYERS,
    RULES,
    SEED,
    TEXTS,
    Command,
    OneOf,
    WholeNumber,
    option,
)
from davidgoliath.match import Match
from davidgoliath.notation import DealRecord, to_json
from davidgoliath.rules import CardSet, Colour, Deal, Reason, Refusal, RuleSet, deck, score_by_colour
from davidgoliath.terminal import PlainGame, SavedMatch, newest_unfinished, score_sheet
from davidgoliath.texts import Texts


@click.command(cls=Command, help=TEXTS("cli.rules"))
@LANG
def rules(lang: str) -> None:
    click.echo_via_pager(Texts(lang).rules())


@click.command(cls=Command, help=TEXTS("cli.score"))
@click.argument("cards", nargs=-1, required=True)
@option("--players", text="cli.score.players", type=WholeNumber(3, 6))
@JSON
def score(cards: tuple[str, ...], players: int | None, as_json: bool) -> None:
    pile = CardSet.parse(" ".join(cards))
    for card in pile - deck(players or 6):
        raise Refusal(Reason.NOT_IN_DECK, card=card, players=players)
    if as_json:
        points = dict(zip(map(str, Colour), score_by_colour(pile), strict=True))
        click.echo(json.dumps({"cards": [str(card) for card in pile], "points": points, "score": sum(points.values())}))
    else:
        click.echo(score_sheet(pile, TEXTS))


@click.command(cls=Command, help=TEXTS("cli.deal"))
@PLAYERS
@SEED
@option("--dealer", text="cli.dealer", type=WholeNumber(0, 5))
@RULES
@option("--count", text="cli.deal.count", type=WholeNumber(1, 10**9), default=1)
@JSON
def deal(players: int, seed: int | None, dealer: int | None, rule_set: RuleSet, count: int, as_json: bool) -> None:
    rng = Random(seed)
    for number in range(count):
        record = DealRecord(rule_set, Deal.shuffled(players, rng, dealer))
        if as_json:
            click.echo(json.dumps(to_json(record)))
        else:
            click.echo(("\n" if number else "") + str(record), nl=False)


@click.command(cls=Command, help=TEXTS("cli.terminal"))
@PLAYERS
@RULES
@option("--bot", text="cli.terminal.bot", type=OneOf(bots()), default="casual")
@SEED
@option("--new", text="cli.terminal.new", is_flag=True)
@LANG
@click.pass_context
def terminal(
    ctx: click.Context, players: int, rule_set: RuleSet, bot: str, seed: int | None, new: bool, lang: str
) -> None:
    texts = Texts(lang)
    asked = [ctx.get_parameter_source(name) for name in ("players", "rule_set", "bot", "seed")]
    saved = None if new or ParameterSource.COMMANDLINE in asked else _unfinished(texts)
    if saved is None:
        match = Match(players, rule_set)
        file = SavedMatch.new((texts("play.you"), *[f"bot:{bot}"] * (players - 1)))
    else:
        file, match = saved
    opponents = {seat: make_bot(name[4:]) for seat, name in enumerate(file.names) if name.startswith("bot:")}
    game = PlainGame(match, opponents, texts, read=_read_line, write=click.echo, save=file.save)
    table = texts("count.players", count=match.players)
    deals = texts("count.deals", count=match.standing.deals)
    click.echo(texts("play.welcome", players=table, deals=deals, rules=match.rules))
    if saved:
        click.echo(texts("play.resumed"))
    click.echo(texts("play.intro"))
    if game.run(Random(seed)):
        click.echo(texts("play.record", file=file.file))


def _unfinished(texts: Texts) -> tuple[SavedMatch, Match] | None:
    try:
        return newest_unfinished(bots())
    except Refusal as refusal:
        click.echo(texts("play.damaged", why=texts.error(refusal)), err=True)
        return None


def _read_line(prompt: str) -> str:
    try:
        line = input(prompt)
    except KeyboardInterrupt:
        raise EOFError from None
    if not sys.stdin.isatty():
        click.echo(line)  # a terminal shows what is typed, a pipe doesn't
    return line
