"""The command that plays, resumes or replays a match in the terminal: as an app, or in plain lines."""

import os
import sys
from random import Random

import click
from click.core import ParameterSource

from davidgoliath.bots import APART, BOT, bots
from davidgoliath.cli.reader import LANG, PLAYERS, RULES, SEED, TEXTS, Command, OneOf, option, read_line
from davidgoliath.cli.record import complain, read_records
from davidgoliath.match import Match
from davidgoliath.notation import DealRecord
from davidgoliath.rules import NotationError, Refusal, RuleSet
from davidgoliath.terminal import PACES, Choices, PlainGame, SavedMatch, Solo, newest_unfinished, replay_transcript
from davidgoliath.texts import Texts


@click.command(cls=Command, help=TEXTS("cli.terminal"))
@PLAYERS
@RULES
@option("--bot", text="cli.terminal.bot", type=OneOf(bots()), default="casual")
@SEED
@option("--new", text="cli.terminal.new", is_flag=True)
@option("--replay", text="cli.terminal.replay", metavar="FILE")
@option("--pace", text="cli.terminal.pace", type=OneOf(PACES))
@option("--plain", text="cli.terminal.plain", is_flag=True)
@LANG
@click.pass_context
def terminal(
    ctx: click.Context,
    players: int,
    rule_set: RuleSet,
    bot: str,
    seed: int | None,
    new: bool,
    replay: str | None,
    pace: str | None,
    plain: bool,
    lang: str,
) -> int:
    asked = any(
        ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        for name in ("players", "rule_set", "bot", "seed", "new")
    )
    plain = plain or replay == "-" or not _can_show()
    choices = Choices() if plain else Choices.kept(tuple(bots()))
    if ctx.get_parameter_source("lang") is ParameterSource.COMMANDLINE or not choices.language:
        choices.language = lang
    if asked:
        choices.players, choices.bot = players, bot
    choices.pace = pace or choices.pace
    texts = Texts(choices.language)
    film: list[DealRecord] = []
    for _, deal in read_records(replay) if replay else ():
        if isinstance(deal, NotationError):
            complain(str(replay), deal)
            return 1
        film.append(deal)
    if plain and film:
        click.echo("\n\n".join(replay_transcript(record, texts) for record in film))
        return 0
    unfinished = None if asked or film else _unfinished(texts)
    if plain:
        return _play_plain(choices, rule_set, unfinished, Random(seed), texts)
    return _play_app(choices, rule_set if asked else None, unfinished, Random(seed), film)


def _can_show() -> bool:
    """Whether there is a person at a terminal that can be painted on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _unfinished(texts: Texts) -> tuple[SavedMatch, Match] | None:
    try:
        return newest_unfinished(bots())
    except Refusal as refusal:
        click.echo(texts("play.damaged", why=texts.error(refusal)), err=True)
        return None


def _play_app(
    choices: Choices,
    rule_set: RuleSet | None,
    unfinished: tuple[SavedMatch, Match] | None,
    rng: Random,
    film: list[DealRecord],
) -> int:
    from davidgoliath.terminal.app import TerminalApp  # here, because Textual takes a while to load

    offered = [name for name in bots() if name not in APART or name == choices.bot]
    app = TerminalApp(choices, offered, rng=rng, unfinished=unfinished, rules=rule_set, film=film)
    said = app.run()
    if said:
        click.echo(said, err=bool(app.return_code))
    return app.return_code or 0


def _play_plain(
    choices: Choices,
    rule_set: RuleSet,
    unfinished: tuple[SavedMatch, Match] | None,
    rng: Random,
    texts: Texts,
) -> int:
    names = (texts("page.you"), *[BOT + choices.bot] * (choices.players - 1))
    saved, match = unfinished or (SavedMatch.new(names), Match(choices.players, rule_set))
    game = PlainGame(Solo(match, saved, rng), texts, read=read_line, write=click.echo)
    table = texts("count.players", count=match.players)
    deals = texts("count.deals", count=match.standing.deals)
    click.echo(texts("play.welcome", players=table, deals=deals, rules=match.rules))
    if unfinished:
        click.echo(texts("play.resumed"))
    click.echo(texts("play.intro"))
    if game.run():
        click.echo(texts("play.record", file=saved.file))
    return 0
