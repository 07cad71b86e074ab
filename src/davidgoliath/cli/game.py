"""Commands about the game itself: rules, deal."""

import json
import sys
from random import Random

import click

from davidgoliath.cli.reader import (
    JSON_LINES,
    LANG,
    PLAYERS,
    RULES,
    SEED,
    TEXTS,
    Command,
    WholeNumber,
    option,
)
from davidgoliath.notation import DealRecord, to_json
from davidgoliath.rules import Deal, RuleSet
from davidgoliath.texts import Texts


@click.command(cls=Command, help=TEXTS("cli.rules"))
@option("--markdown", text="cli.rules.markdown", is_flag=True)
@LANG
def rules(markdown: bool, lang: str) -> None:
    texts = Texts(lang)
    if markdown:
        click.echo(texts.rules(), nl=False)
        return
    from davidgoliath.terminal.rules_transcript import rules_transcript  # here, because Rich takes a while to load

    click.echo_via_pager(rules_transcript(texts, styled=sys.stdout.isatty()))


@click.command(cls=Command, help=TEXTS("cli.deal"))
@PLAYERS
@SEED
@option("--dealer", text="cli.dealer", type=WholeNumber(0, 5))
@RULES
@option("--count", text="cli.deal.count", type=WholeNumber(1, 10**9), default=1)
@JSON_LINES
def deal(players: int, seed: int | None, dealer: int | None, rule_set: RuleSet, count: int, as_json: bool) -> None:
    rng = Random(seed)
    for number in range(count):
        record = DealRecord(rule_set, Deal.shuffled(players, rng, dealer))
        if as_json:
            click.echo(json.dumps(to_json(record)))
        else:
            click.echo(("\n" if number else "") + str(record), nl=False)
