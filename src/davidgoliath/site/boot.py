"""The first that Python runs in a browser. It needs what is written there, in `worker.js`, and nothing else.

All modules come in one archive. Only what was compiled for the browser, of msgspec, is a file of its own.
"""

import json
import logging
import secrets
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING

from davidgoliath.bots import LADDER, make_bot

if TYPE_CHECKING:
    from davidgoliath.server.inline import InlineServer

EXTENSION = ("msgspec._core", "/msgspec_core.so")


class _Extensions:
    """Finds what is compiled."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return spec_from_file_location(*EXTENSION) if name == EXTENSION[0] else None


def open_judge() -> Callable[[str], str]:
    """What does the work that servers have done elsewhere."""
    sys.meta_path.insert(0, _Extensions())

    from davidgoliath.server.ops.away import done

    return done


def open_server(
    database: str, settings: str, tell: Callable[[str], object], send: Callable[[int, str], object]
) -> "InlineServer":
    """A server on a database, as the site was built (`settings.json`), which tells its pages what it has to say.

    Hints and reviews are worked out elsewhere: it sends what is to be done there, by number.
    """
    sys.meta_path.insert(0, _Extensions())

    from davidgoliath.server.asgi.app import make_app
    from davidgoliath.server.config import LogForm, Timing
    from davidgoliath.server.inline import InlineServer, NoPage
    from davidgoliath.server.ops import logs
    from davidgoliath.server.ops.away import Away
    from davidgoliath.server.rooms.bot_pool import BotPool
    from davidgoliath.server.rooms.registry import Registry
    from davidgoliath.server.store.sqlite.store import SqliteStore

    chosen = json.loads(settings)
    logs.set_up(LogForm.TEXT, logging.getLevelName(logging.WARNING))
    away = Away(send)
    bot_pool = BotPool(playable(), 1, lambda: Random(secrets.randbits(64)), away)
    registry = Registry(SqliteStore(Path(database)), bot_pool, timing=Timing(bot=chosen["pace"] / 1000))
    return InlineServer(make_app(registry, NoPage(chosen["build"])), tell, away)


def playable() -> tuple[str, ...]:
    """The bots that can be loaded here: some need what compiles them."""
    return tuple(name for name in LADDER if _is_here(name))


def _is_here(name: str) -> bool:
    try:
        make_bot(name)
    except ImportError:
        return False
    return True
