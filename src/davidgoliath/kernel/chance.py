"""Random numbers as an argument: a stream of its own for every deal.

The stream of deal k counts up from a start, by a step, which both come from the seed and k; so a
deal has the same cards whoever computes it, in whatever order and on however many threads. Start and step
are mixed as in SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), and
each number of the stream is made by one folded multiplication, as in Wang Yi's wyrand: half the work.
"""

import numpy as np

from davidgoliath.kernel.bits import fold
from davidgoliath.kernel.compiled import compiled

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
ONE = np.uint64(1)
LOW_HALF = np.uint64(32)
MANTISSA = np.uint64(11)
SCRAMBLE = np.uint64(0xE7037ED1A0B428DB)


@compiled("uint64(uint64)")
def mixed(z: np.uint64) -> np.uint64:
    """SplitMix64's finaliser: every bit of the result depends on every bit of `z`."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled("uint64(uint64, int64)")
def stream_start(seed: np.uint64, deal: int) -> np.uint64:
    """Where the stream of a deal starts."""
    return mixed(mixed(seed) + np.uint64(deal) * GOLDEN)


@compiled("uint64(uint64)")
def stream_step(start: np.uint64) -> np.uint64:
    """What a stream that starts there adds each time: an odd number."""
    return mixed(start + GOLDEN) | ONE


@compiled("uint64(uint64)")
def number(state: np.uint64) -> np.uint64:
    """The number of a state: 64 even bits, from the state by itself, scrambled and folded."""
    return fold(state, state ^ SCRAMBLE)


@compiled("int64(uint64, int64)")
def below(state: np.uint64, limit: int) -> int:
    """A number from 0 up to the limit."""
    return int(((number(state) >> LOW_HALF) * np.uint64(limit)) >> LOW_HALF)


@compiled("float64(uint64)")
def fraction(state: np.uint64) -> float:
    """A number from 0 up to 1."""
    return float(number(state) >> MANTISSA) * 2.0**-53
