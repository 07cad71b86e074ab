"""The files with the networks' weights: small, versioned, and read with a clear error if they are damaged.

A file is a line of JSON, which says what the weights are and where they come from, and then the rows, packed. It is
read without NumPy. The networks of the package are in `networks/`; `./dg train` makes them.
"""

import hashlib
import json
import sys
import zlib
from array import array
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from davidgoliath.kernel.shape import FIRST_LIMIT, LIMIT, WIDTH, height, inputs

FORMAT: Final = 1
"""Of the files, and of what the weights mean: a change of `shape` or `features` makes a new one."""
KINDS: Final = ("value", "policy")


class NoWeights(Exception):
    """There is no such network, or its file is damaged."""


class Weights(NamedTuple):
    """A network."""

    kind: str
    players: int
    numbers: "array[int]"
    """The rows, one after another."""
    made: Mapping[str, Any]
    """Where they come from: version, commands, seeds."""

    @property
    def rows(self) -> list[list[int]]:
        """For plain Python."""
        return [list(self.numbers[start : start + WIDTH]) for start in range(0, len(self.numbers), WIDTH)]

    def __bytes__(self) -> bytes:
        head = {"format": FORMAT, "kind": self.kind, "players": self.players, "made": dict(self.made)}
        packed = _little(self.numbers)
        head["sha256"] = hashlib.sha256(packed).hexdigest()
        return json.dumps(head, sort_keys=True).encode() + b"\n" + zlib.compress(packed, 9)


def read(data: bytes, name: str) -> Weights:
    """The network in a file.

    >>> read(b"", "value-4.net")
    Traceback (most recent call last):
    davidgoliath.kernel.weights.NoWeights: value-4.net is damaged: no head
    """
    try:
        line, _, rest = data.partition(b"\n")
        head = json.loads(line) if line else None
        if not isinstance(head, dict):
            raise ValueError("no head")
        if head.get("format") != FORMAT:
            raise ValueError(f"its format is {head.get('format')}, not {FORMAT}")
        kind, players, packed = head["kind"], int(head["players"]), zlib.decompress(rest)
        if hashlib.sha256(packed).hexdigest() != head["sha256"]:
            raise ValueError("its weights aren't those that were written")
        numbers = array("h", packed)
        if sys.byteorder == "big":
            numbers.byteswap()
        check_limits(kind, players, numbers)
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise NoWeights(f"{name} is damaged: {error}") from error
    return Weights(kind, players, numbers, head["made"])


def check_limits(kind: str, players: int, numbers: "array[int]") -> None:
    """Refuses what could overflow, or has another size."""
    if kind not in KINDS or len(numbers) != height(kind, players) * WIDTH:
        raise ValueError(f"its size isn't that of a {kind} network of {players} players")
    first = inputs(kind, players) * WIDTH
    for part, limit in ((numbers[:first], FIRST_LIMIT), (numbers[first:], LIMIT)):
        if max(map(abs, part)) > limit:
            raise ValueError(f"a weight is beyond {limit}")


@lru_cache
def weights_of(kind: str, players: int) -> Weights:
    """A network of the package."""
    file = files(__package__).joinpath("networks", f"{kind}-{players}.net")
    if not file.is_file():
        raise NoWeights(f"there is no {kind} network for {players} players yet")
    found = read(file.read_bytes(), file.name)
    if (found.kind, found.players) != (kind, players):
        raise NoWeights(f"{file.name} is a {found.kind} network of {found.players} players")
    return found


def _little(numbers: "array[int]") -> bytes:
    if sys.byteorder == "big":
        numbers = array("h", numbers)
        numbers.byteswap()
    return numbers.tobytes()
