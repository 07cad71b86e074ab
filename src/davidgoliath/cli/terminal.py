"""The command that plays, resumes or replays a match in the terminal: as an app, or in plain lines."""

import os
import sys
from random import Random
from typing import Final

import click
from click.core import ParameterSource

from davidgoliath.bots import APART, BOT, bots
from davidgoliath.cli.output import say
from davidgoliath.cli.reader import (
    BOT_NAMES,
    LANG,
    PLAYERS,
    RULES,
    SEED,
    TEXTS,
    BotText,
    Command,
    OneOf,
    option,
    read_line,
)
from davidgoliath.cli.record import complain, read_records
from davidgoliath.match import Match
from davidgoliath.notation import DealRecord
from davidgoliath.rules import NotationError, RuleSet
from davidgoliath.terminal import (
    PACES,
    Choices,
    Damaged,
    Kept,
    PlainGame,
    SavedMatch,
    Solo,
    Unfinished,
    choose,
    replay_transcript,
    unfinished_matches,
)
from davidgoliath.texts import Texts

BEGIN: Final = {"new", "seed"}
"""Who gives one of these wants a new match: a seed is of no use to another."""
TABLE: Final = {"players", "rule_set", "bot"}
"""Who gives one of these may mean a match that is unfinished."""


@click.command(cls=Command, help=TEXTS("cli.terminal"))
@PLAYERS
@RULES
@option("--bot", text="cli.terminal.bot", told=BOT_NAMES, type=BotText(bots()), default="casual")
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
    asked = {name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    plain = plain or replay == "-" or not _can_show()
    choices = Choices() if plain else Choices.kept(tuple(bots()))
    if "lang" in asked or not choices.language or os.environ.get("DAVIDGOLIATH_LANG"):
        choices.language = lang
    if asked & TABLE:
        choices.players, choices.bot, choices.rules = players, bot, str(rule_set)
    choices.pace = pace or choices.pace
    texts = Texts(choices.language)
    film: list[DealRecord] = []
    for _, deal in read_records(replay) if replay else ():
        if isinstance(deal, NotationError):
            complain(str(replay), deal)
            return 1
        film.append(deal)
    if plain and film:
        say("\n\n".join(replay_transcript(record, texts) for record in film))
        return 0
    unfinished, damaged = unfinished_matches(bots())
    asks = bool(asked & TABLE)
    begins = bool(asked & BEGIN) or (asks and not unfinished)
    if plain:
        for one in damaged:
            say(one.worded(texts), err=True)
        return _play_plain(choices, unfinished, begins, asks, Random(seed), texts)
    return _play_app(
        choices, rule_set if begins else None, unfinished, damaged, bool(asked & TABLE), Random(seed), film
    )


def _can_show() -> bool:
    """Whether there is a person at a terminal that can be painted on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _play_app(
    choices: Choices,
    rule_set: RuleSet | None,
    unfinished: list[Kept[Unfinished]],
    damaged: list[Damaged],
    prefers_new: bool,
    rng: Random,
    film: list[DealRecord],
) -> int:
    from davidgoliath.terminal.app import TerminalApp  # here, because Textual takes a while to load

    offered = [name for name in bots() if name not in APART or name == choices.bot]
    app = TerminalApp(
        choices,
        offered,
        rng=rng,
        unfinished=unfinished,
        damaged=damaged,
        prefers_new=prefers_new,
        rules=rule_set,
        film=film,
    )
    said = app.run()
    if said:
        say(said, err=bool(app.return_code))
    return app.return_code or 0


def _play_plain(
    choices: Choices, unfinished: list[Kept[Unfinished]], begins: bool, asks: bool, rng: Random, texts: Texts
) -> int:
    try:
        kept = None if begins else _resumed(unfinished, asks, texts)
    except EOFError:
        click.echo()
        return 0
    if kept:
        match, names, hints = kept.content
        saved = SavedMatch(kept.keeper, names, hints)
    else:
        match = Match(choices.players, RuleSet.parse(choices.rules))
        saved = SavedMatch.new((texts("page.you"), *[BOT + choices.bot] * (choices.players - 1)))
    game = PlainGame(Solo(match, saved, rng), texts, read=read_line, write=say)
    table = texts("count.players", count=match.players)
    deals = texts("count.deals", count=match.standing.deals)
    say(texts("play.welcome", players=table, deals=deals, rules=match.rules))
    if kept:
        say(texts("play.resumed"))
    elif unfinished:
        say(texts("saved.stay", count=len(unfinished)))
    say(texts("play.intro"))
    if game.run():
        say(texts("play.record", file=saved.file))
        say(texts("play.review_with", file=saved.file))
    return 0


def _resumed(unfinished: list[Kept[Unfinished]], asks: bool, texts: Texts) -> Kept[Unfinished] | None:
    """The match to go on with: the only one, unless another table was asked for; or the one that is chosen."""
    if not asks and len(unfinished) < 2:
        return unfinished[0] if unfinished else None
    rows = [kept.content.row(kept, texts) for kept in unfinished]
    chosen = choose(rows, texts("saved.matches"), texts, read_line, say)
    return None if chosen is None else unfinished[chosen]
