"""The numbers on the cards: ten numerals of our own, one round stroke each, alike on every device and in print.

6 and 9 differ in form (a curved stem against a straight one), so that a turned card can't be misread.
"""

from typing import Final

from davidgoliath.art.pen import element

HEIGHT: Final = 16.0
GAP: Final = 1.6
NUMERALS: Final = (
    "M5 1.5C2.3 1.5 1.5 4.5 1.5 8S2.3 14.5 5 14.5 8.5 11.5 8.5 8 7.7 1.5 5 1.5Z",
    "M1 4.4 3.8 1.5v13",
    "M1.7 4.7C1.9 2.7 3.2 1.5 5 1.5c2 0 3.4 1.3 3.4 3.4 0 2.7-3.8 5-6.8 9.6h7.2",
    (
        "M1.8 3.5C2.4 2.2 3.6 1.5 5 1.5c2 0 3.2 1.2 3.2 3S6.8 7.5 4.6 7.5"
        "c2.6 0 4 1.4 4 3.5S7 14.5 4.9 14.5c-1.7 0-2.9-.8-3.5-2.2"
    ),
    "M6.7 14.5v-13L1.3 10.7H9",
    "M8.1 1.5H2.8L2.2 7.4C3 6.6 3.9 6.2 5 6.2c2.2 0 3.6 1.7 3.6 4.1S7 14.5 4.8 14.5c-1.6 0-2.8-.7-3.4-2",
    "M7.3 1.5C3.8 2.6 1.5 5.8 1.5 10.2c0 2.6 1.4 4.3 3.5 4.3s3.6-1.6 3.6-4S7.2 6.7 5.2 6.7C3.4 6.7 2 7.8 1.6 9.7",
    "M1.4 1.5h7.3C6.2 5.2 4.4 9.4 3.8 14.5",
    (
        "M5 7.4C3.2 7.4 1.9 6.2 1.9 4.5s1.3-3 3.1-3 3.1 1.2 3.1 3S6.8 7.4 5 7.4"
        "c-2.1 0-3.6 1.5-3.6 3.6s1.5 3.5 3.6 3.5S8.6 13.1 8.6 11 7.1 7.4 5 7.4Z"
    ),
    "M8.4 6.3c-.4 1.9-1.8 3-3.6 3-2 0-3.4-1.5-3.4-3.8s1.5-4 3.6-4 3.5 1.7 3.5 4.9v8.1",
)
"""On a grid 10 wide and 16 high; the one is half as wide."""


def number(value: int) -> str:
    """A whole number, 16 high, from 0, 0 on; whoever places it chooses the stroke's colour and width."""
    paths, x = [], 0.0
    for digit in str(value):
        place = {"transform": f"translate({x:.1f} 0)"} if x else {}
        paths.append(element("path", d=NUMERALS[int(digit)], **place))
        x += (4.9 if digit == "1" else 10.0) + GAP
    return element("g", *paths, fill="none", stroke_linecap="round", stroke_linejoin="round")
