"""Marks for some of a test's parameters."""

from typing import Any

import pytest


def slow(*parameters: Any) -> list[Any]:
    """Parameters, each a value or a tuple of them, that are left to `./dg test all`."""
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.slow) for each in parameters
    ]
