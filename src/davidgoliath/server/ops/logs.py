"""What the operator reads: lines for people, or a JSON object each for programs, on standard error.

A record is the name of an event and its fields: numbers, and ids of requests, tables and persons. Nothing here is ever
a card, a hand, a token, a name, an address, or the message of an error, which might hold any of them: of an error the
log gets its kind and the lines of code that it came through.
"""

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from itertools import count
from os import getpid
from typing import Any, Final

from davidgoliath.server.config import LogForm

_REQUESTS: Final = count(1)
_ABOUT: Final[ContextVar[Mapping[str, object]]] = ContextVar("about")


def note(log: logging.Logger, level: int, event: str, error: BaseException | None = None, **fields: object) -> None:
    """Logs an event, and the error that it came from."""
    if log.isEnabledFor(level):
        log.log(level, event, extra={"fields": {**fields, **_way(error)}})


def new_request() -> int:
    """The number of a request or a connection, of this process alone."""
    return next(_REQUESTS)


def about(**fields: object) -> None:
    """Whatever the task that runs now, and those that it starts, will log is about these."""
    _ABOUT.set(fields)


def set_up(form: LogForm, level: str) -> None:
    """Everything in this process logs so, libraries included."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(level.upper())
    handler.setFormatter(Json() if form is LogForm.JSON else Text())
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.WARNING)
    logging.getLogger("davidgoliath").setLevel(level.upper())  # libraries say at lower levels who connects from where


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """What a record says besides its event."""
    error = record.exc_info[1] if record.exc_info else None
    return {**_ABOUT.get({}), **getattr(record, "fields", {}), **_way(error)}


def _way(error: BaseException | None) -> dict[str, object]:
    """The kind of an error and the lines of code that it came through, without its message."""
    if error is None:
        return {}
    frames = traceback.extract_tb(error.__traceback__)
    return {
        "kind": type(error).__name__,
        "trace": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }


class Json(logging.Formatter):
    """An object a line."""

    def format(self, record: logging.LogRecord) -> str:
        head = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "pid": getpid(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        return json.dumps(head | fields_of(record), ensure_ascii=False, default=str)


class Text(logging.Formatter):
    """A line that people read, and the way of an error below it."""

    def format(self, record: logging.LogRecord) -> str:
        fields = fields_of(record)
        way = fields.pop("trace", [])
        said = " ".join(f"{name}={value}" for name, value in fields.items())
        line = f"{self.formatTime(record)} {record.levelname} {record.getMessage()} {said}".rstrip()
        return "\n".join([line, *(f"    {place}" for place in way)])
