"""Commands about the game itself: rules, score, deal."""

import json
from random import Random

import click

from davidgoliath.cli.reader import (
    JSON,
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
from davidgoliath.rules import CardSet, Colour, Deal, Reason, Refusal, RuleSet, deck, score_by_colour
from davidgoliath.terminal import score_sheet
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
