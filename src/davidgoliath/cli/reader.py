"""Who reads and types at the command line: help, errors and values in the reader's language.

Click's own words are English, so the few that people see are replaced here by texts of the catalogues.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import IPv4Network, IPv6Network, ip_network
from types import MappingProxyType
from typing import Any, Final

import click

from davidgoliath.bots import BotReason, bots
from davidgoliath.rules import ReasonCode, Refusal, RuleSet
from davidgoliath.terminal import wrapped
from davidgoliath.terminal.company import bot_name, both_names
from davidgoliath.texts import LANGUAGES, Texts, preferred_language

TEXTS: Final = Texts(preferred_language())


class CommandReason(ReasonCode):
    """Why a command refuses what it is told, where nothing below it does."""

    SEAT_OR_ALL = "seat_or_all"
    NOBODY_TO_PLAY = "nobody_to_play"

    PLOT_FORMAT = "plot_format"
    NO_MATPLOTLIB = "no_matplotlib"

    TABLE_UNKNOWN = "table_unknown"
    SERVER_RUNS = "server_runs"
    BACKUP_ELSEWHERE = "backup_elsewhere"
    RESTORE_ELSEWHERE = "restore_elsewhere"


class _Formatter(click.HelpFormatter):
    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or TEXTS("cli.usage"))

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        with super().section(TEXTS(f"cli.{name.lower()}")):
            yield


class _Context(click.Context):
    formatter_class = _Formatter


class Command(click.Command):
    """A command whose help is in the reader's language."""

    context_class = _Context

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option:
            option.help = TEXTS("cli.help")
        return option

    def get_short_help_str(self, limit: int = 0) -> str:
        """A whole sentence, which wraps."""
        return (self.help or "").partition("\n\n")[0]


class Group(Command, click.Group):
    """Commands under one name."""

    command_class = Command
    group_class = type


class OneOf(click.ParamType[str]):
    """A word out of a few."""

    name = "word"

    def __init__(self, words: Iterable[str]) -> None:
        self.words = list(words)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "|".join(self.words)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.words:
            self.fail(TEXTS("error.not_a_choice", text=value, choices=", ".join(self.words)), param, ctx)
        return str(value)


def typed_bot(word: str) -> str:
    """The name that files have for a bot, where somebody typed either; who types neither is told both."""
    for bot in bots():
        if word == bot or word.casefold() == bot_name(TEXTS, bot).casefold():
            return bot
    raise Refusal(BotReason.NO_SUCH_BOT, text=word, choices=", ".join(both_names(TEXTS, bot) for bot in bots()))


class BotText(OneOf):
    """A bot by either name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return typed_bot(str(value))
        except Refusal as refusal:
            self.fail(TEXTS.error(refusal), param, ctx)


class WholeNumber(click.ParamType[int]):
    """A whole number within limits."""

    name = "n"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            self.fail(TEXTS("error.not_in_range", text=value, low=self.low, high=self.high), param, ctx)
        return number


class Seconds(click.ParamType[float]):
    """A time, which may be a part of a second."""

    name = "s"
    MOST = 86_400

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= self.MOST:
            self.fail(TEXTS("error.not_in_range", text=value, low=0, high=self.MOST), param, ctx)
        return seconds


class RuleSetText(click.ParamType[RuleSet]):
    """A rule set in its notation."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> RuleSet:
        try:
            return RuleSet.parse(str(value))
        except Refusal as refusal:
            self.fail(TEXTS.error(refusal), param, ctx)


class CommitmentText(click.ParamType[str]):
    """A commitment as the server published it, in small letters or capitals."""

    name = "hex"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch("[0-9A-Fa-f]{64}", str(value)):
            self.fail(TEXTS("error.not_a_commitment", text=value), param, ctx)
        return str(value).lower()


class NetworkText(click.ParamType[IPv4Network | IPv6Network]):
    """An address, or a network of them."""

    name = "address"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> IPv4Network | IPv6Network:
        try:
            return ip_network(str(value))
        except ValueError:
            self.fail(TEXTS("error.not_an_address", text=value), param, ctx)


def option(
    *names: str, text: str, told: Mapping[str, str] = MappingProxyType({}), **settings: Any
) -> Callable[[Any], Any]:
    """An option whose help is a text of the catalogue, with what is `told` in it, and the default if there is one."""
    default = settings.get("default")
    is_shown = default is not False and default not in (None, ())
    shown = f" [{TEXTS('cli.default', value=default)}]" if is_shown else ""
    return click.option(*names, help=TEXTS(text, **told) + shown, **settings)


BOT_NAMES: Final = {"bots": ", ".join(both_names(TEXTS, bot) for bot in bots() if f"page.bot.{bot}" in TEXTS.catalogue)}
"""For helps that tell who there is."""
LANG: Final = option("--lang", text="cli.lang", type=OneOf(LANGUAGES), default=TEXTS.language)
JSON: Final = option("--json", "as_json", text="cli.json", is_flag=True)
JSON_LINES: Final = option("--json", "as_json", text="cli.json_lines", is_flag=True)
SEED: Final = option("--seed", text="cli.seed", type=WholeNumber(0, 2**63 - 1))
PLAYERS: Final = option("--players", text="cli.players", type=WholeNumber(3, 6), default=4)
RULES: Final = option("--rules", "rule_set", text="cli.rule_set", type=RuleSetText(), default="classic")


def read_line(prompt: str) -> str:
    """The next line of somebody who types, or of a script; EOFError where there is none."""
    try:
        line = input(wrapped(prompt.rstrip()) + " ")
    except KeyboardInterrupt:
        raise EOFError from None
    if not sys.stdin.isatty():
        click.echo(line)  # a terminal shows what is typed, a pipe doesn't
    return line


def worded(error: click.ClickException) -> str:
    """A refusal by Click as a sentence in the reader's language."""
    match error:
        case click.NoSuchOption():
            return TEXTS("error.no_such_switch", text=error.option_name)
        case click.exceptions.NoSuchCommand():
            return TEXTS("error.no_such_command", text=error.command_name)
        case click.MissingParameter(param=click.Parameter() as parameter):
            return TEXTS("error.argument_missing", name=_shown(parameter))
        case click.BadParameter(param=click.Parameter() as parameter):
            return TEXTS("error.argument_unfit", name=_shown(parameter), why=error.message)
        case click.BadOptionUsage():
            return TEXTS("error.value_missing", name=error.option_name)
        case _:
            return TEXTS("error.usage", why=error.format_message())


def _shown(parameter: click.Parameter) -> str:
    return parameter.opts[0] if isinstance(parameter, click.Option) else (parameter.name or "").upper()
