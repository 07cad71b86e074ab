"""All that an operator may choose, and what is chosen for those who don't: each default stands here, and nowhere else.

The command line takes its defaults from these values. They need nothing but the standard library, so that tables can
be kept where there is no server.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Final, TypeAlias

from davidgoliath.rules import ReasonCode

Network: TypeAlias = IPv4Network | IPv6Network
LOOPBACK: Final = "127.0.0.1"
LOG_LEVELS: Final = ("debug", "info", "warning", "error")


class StartReason(ReasonCode):
    """Why a server can't run with its settings."""

    NO_PORT = "no_port"
    NO_SITE = "no_site"
    NO_METRICS_PORT = "no_metrics_port"
    NO_WORKERS_HERE = "no_workers_here"
    WORKERS_NEED_POSTGRESQL = "workers_need_postgresql"


class LogForm(StrEnum):
    """For whom the log is: people, or programs."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Timing:
    """How long things take, in seconds."""

    bot: float = 1.0
    """A bot's card, thinking included."""
    shares: float = 3.0
    """How long the players' browsers have for their shares in the shuffle."""
    scores: float = 30.0
    """How long scores stay at most."""
    grace: float = 10.0
    """How long after their time a bot plays for somebody; and after how long without a connection somebody is away."""
    answer: float = 60.0
    """How long somebody has to answer the host's question whether they are there."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server is to those who come by."""

    public_list: bool = False
    """Whether everyone may see the tables that want to be found."""
    unstarted_days: float = 1
    """After so many days a table that never started goes."""
    idle_days: float = 30
    """After so many days without an event any table goes."""
    figures_days: float = 365
    """So many days after somebody's last visit their figures go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one address may ask. 0 is no limit."""

    connections: int = 400
    """At once, of any kind: a browser opens some six besides its socket. For each process."""
    requests: int = 60
    """In a second; `rate_limits.BURST` times as many at once. For each process."""
    sockets: int = 200
    """At once."""
    new: int = 60
    """People, and tables as well, in a minute."""
    messages: int = 30
    """In a second, on one socket, and `rate_limits.VOICES` times as many on all; twice as many in a burst."""
    joins: int = 240
    """In a minute, to any tables, and to one table by people without a seat. For each process."""
    codes: int = 10
    """Wrong codes of tables in a minute, and `rate_limits.GUESSERS` times as many of all addresses together."""
    hints: int = 30
    """In a minute, of one person; `rate_limits.HOUSEHOLD` times as many of one address."""
    reviews: int = 200
    """Hands in a day, by one person; and from one address as above."""
    proxies: tuple[Network, ...] = ()
    """Whose `X-Forwarded-For` is believed."""


NO_LIMITS: Final = Limits(connections=0, requests=0, sockets=0, new=0, messages=0, joins=0, codes=0, hints=0, reviews=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A server."""

    host: str = LOOPBACK
    port: int = 8642
    database: str | None = None
    """A file, or the address of a PostgreSQL database. None: in the user's data directory."""
    listen_database: str | None = None
    """Another address of the same database, past a pooler that can't let a server listen."""
    workers: int = 1
    """So many processes share the port."""
    bots: Sequence[str]
    """The bots that tables may have: a server runs no others."""
    timing: Timing = Timing()
    offer: Offer = Offer()
    limits: Limits = Limits()
    site: Path | None = None
    """A folder with a static site, which browsers may keep."""
    hosts: Sequence[str] = ()
    """Names by which people come, besides this computer's own; "*" is any."""
    log: LogForm = LogForm.TEXT
    log_level: str = "warning"
    drain: float = 0
    """So many seconds it serves on after it was told to stop, and says that it isn't ready."""
    metrics: int | None = None
    """The port where Prometheus finds figures; None: nowhere."""
    metrics_host: str = LOOPBACK
