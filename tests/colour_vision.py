"""How people see colours: contrast as WCAG has it, distance in OKLab, and colours as colour-blind people see them."""

from math import dist
from typing import Final

Rgb = tuple[float, float, float]
"""Linear light, 0 to 1."""

# Machado, Oliveira and Fernandes 2009, complete deficiency, on linear light.
PROTANOPIA: Final = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTERANOPIA: Final = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
TRITANOPIA: Final = ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))
ALL: Final = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
"""Eyes that see all colours."""

# Björn Ottosson 2020.
_TO_CONES: Final = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB: Final = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def light(tone: str) -> Rgb:
    """`#cf3e2a` as linear light."""
    red, green, blue = (int(tone[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(_luminance(light(tone)) for tone in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(rgb: Rgb) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def distance(one: str, other: str, eyes: tuple[Rgb, Rgb, Rgb] = ALL) -> float:
    """In OKLab, where 0.02 is just noticed and black is 1 from white."""
    return dist(oklab(one, eyes), oklab(other, eyes))


def oklab(tone: str, eyes: tuple[Rgb, Rgb, Rgb] = ALL) -> Rgb:
    """Lightness, then green to red, then blue to yellow."""
    red, green, blue = _times(eyes, light(tone))
    seen = min(1, max(0, red)), min(1, max(0, green)), min(1, max(0, blue))
    long, middle, short = _times(_TO_CONES, seen)
    return _times(_TO_LAB, (long ** (1 / 3), middle ** (1 / 3), short ** (1 / 3)))


def _times(matrix: tuple[Rgb, Rgb, Rgb], vector: Rgb) -> Rgb:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third
