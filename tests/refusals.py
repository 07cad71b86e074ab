"""What is refused, by its code: sentences are for people."""

import re

import pytest

from davidgoliath.rules import Refusal


def refuses(reason: str, kind: type[Refusal] = Refusal) -> "pytest.RaisesExc[Refusal]":
    """`reason` is a pattern, for where the system decides which of several it is."""
    return pytest.raises(kind, check=lambda refusal: re.fullmatch(reason, refusal.reason) is not None)
