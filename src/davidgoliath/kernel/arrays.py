"""Arrays: NumPy's, or lists where there is no NumPy, as in a browser. Code that takes numbers one by one can't tell."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from davidgoliath.kernel.layout import Floats, Ints

if TYPE_CHECKING:
    import numpy as np
else:
    try:
        import numpy as np
    except ImportError:
        np = None

__all__ = ["floats", "ints", "np"]


def ints(numbers: Iterable[int]) -> Ints:
    """
    >>> int(sum(ints([1, 2])))
    3
    """
    found = list(numbers)
    return found if np is None else np.array(found, np.int64)


def floats(numbers: Iterable[float]) -> Floats:
    """
    >>> float(sum(floats([0.5, 1])))
    1.5
    """
    found = list(numbers)
    return found if np is None else np.array(found, np.float64)
