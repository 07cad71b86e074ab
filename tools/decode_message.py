"""What a client hears, for tests and tools: each message as an object, those that are written as lists too."""

import json
from typing import Any

import msgspec

from davidgoliath.server.protocol.messages import Happened


def decode_message(text: str | bytes) -> dict[str, Any]:
    """A message of the server. An event comes as a list, since it is the message that everyone gets for every card."""
    message = json.loads(text)
    if isinstance(message, list):
        names = ("type", *(field.name for field in msgspec.structs.fields(Happened)))
        return {name: value for name, value in zip(names, message, strict=True) if value is not None}
    told: dict[str, Any] = message
    return told
