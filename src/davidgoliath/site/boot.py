"""The server of a site, as a browser's Python runs it (`worker.js`).

Once this module is there, all is loaded that a server needs; the browser keeps what is in memory then (`memory.js`).
"""

import json
import logging
import random
import secrets
from collections.abc import Callable
from pathlib import Path
from random import Random

from davidgoliath.server.asgi.app import make_app
from davidgoliath.server.config import LogForm, Timing
from davidgoliath.server.inline import InlineServer, NoPage
from davidgoliath.server.ops import logs
from davidgoliath.server.ops.away import Away
from davidgoliath.server.rooms.bot_pool import BotPool
from davidgoliath.server.rooms.registry import Registry
from davidgoliath.server.store.sqlite.store import SqliteStore


def open_server(
    database: str, settings: str, tell: Callable[[str], object], send: Callable[[int, str], object]
) -> InlineServer:
    """A server on a database, as the site was built (`settings.json`), which tells its pages what it has to say.

    Hints and reviews are worked out elsewhere: it sends what is to be done there, by number.
    """
    random.seed()  # memory that was kept has had its chances
    chosen = json.loads(settings)
    logs.set_up(LogForm.TEXT, logging.getLevelName(logging.WARNING))
    away = Away(send)
    bot_pool = BotPool(chosen["bots"], 1, lambda: Random(secrets.randbits(64)), away)
    registry = Registry(SqliteStore(Path(database)), bot_pool, timing=Timing(bot=chosen["pace"] / 1000))
    return InlineServer(make_app(registry, NoPage(chosen["build"])), tell, away)
