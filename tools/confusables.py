"""What names need of Unicode's tables, as one small file: `python -m tools confusables FOLDER`.

The folder has Unicode's own files of one version: `confusables.txt`, `DerivedCoreProperties.txt`,
`DerivedJoiningType.txt` and `emoji-data.txt`. Debian has the first in the source of `icu` and the others in
`unicode-data`. Left out is what a name can't hold, and what compatibility forms (NFKD) say already.
"""

import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src" / "davidgoliath" / "server" / "people" / "confusables.txt"
NEVER = ("Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp")
"""Kinds of signs that no name has; what this Python doesn't know yet, another may."""
HEAD = """\
# What names need of Unicode {version}, made by tools/confusables.py from Unicode's own tables, in another form.
# © Unicode, Inc.; the licence is in confusables.LICENSE. Ranges of code points in hexadecimal; at the end a shape in
# each line, and behind the colon all signs that look like it.
"""


def main() -> int:
    folder = Path(sys.argv[1])
    confusables = (folder / "confusables.txt").read_text(encoding="utf-8-sig")
    found = re.search(r"^# Version: (\S+)$", confusables, re.MULTILINE)
    unseen = set(_having(folder / "DerivedCoreProperties.txt", "Default_Ignorable_Code_Point"))
    joining = {kind: set(_having(folder / "DerivedJoiningType.txt", kind)) for kind in "DLRT"}
    lines = [
        HEAD.format(version=found[1] if found else "?"),
        f"unseen {_ranges(unseen)}\n",
        f"pictures {_ranges(set(_having(folder / 'emoji-data.txt', 'Extended_Pictographic')))}\n",
        f"joins_next {_ranges(joining['D'] | joining['L'])}\n",
        f"joins_last {_ranges(joining['D'] | joining['R'])}\n",
        f"between {_ranges(joining['T'] - unseen)}\n",
    ]
    alike = defaultdict(list)
    for sign, shape in _shapes(confusables, {chr(number) for number in unseen}).items():
        alike[shape].append(sign)
    for shape, signs in sorted(alike.items()):
        lines.append(f"{' '.join(f'{ord(part):X}' for part in shape)}: {_ranges(set(map(ord, signs)))}\n")
    TARGET.write_text("".join(lines), encoding="utf-8", newline="\n")
    print(TARGET, len("".join(lines).encode()))
    return 0


def _having(file: Path, value: str) -> Iterator[int]:
    """The code points that have a value, in a table of Unicode's."""
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        points, _, found = line.partition("#")[0].partition(";")
        if found.split(";")[0].strip() == value:
            first, _, last = points.strip().partition("..")
            yield from range(int(first, 16), int(last or first, 16) + 1)


def _shapes(confusables: str, unseen: set[str]) -> dict[str, str]:
    """The shape of each sign that looks like something else: a text whose own shape is itself."""
    table = {}
    for line in confusables.splitlines():
        if line and not line.startswith("#"):
            sign, shape, *_ = line.split(";")
            table[int(sign, 16)] = "".join(chr(int(part, 16)) for part in shape.split())

    def shape_of(text: str) -> str:
        shaped = "".join(sign for sign in unicodedata.normalize("NFKD", text) if sign not in unseen).translate(table)
        return text if shaped == text else shape_of(shaped)

    signs = [chr(number) for number in table]
    fit = [sign for sign in signs if sign not in unseen and unicodedata.category(sign) not in NEVER]
    shapes = {sign: shape_of(sign) for sign in fit if unicodedata.normalize("NFKD", sign) == sign}
    return {sign: shape for sign, shape in shapes.items() if shape != sign}


def _ranges(points: set[int]) -> str:
    """Code points as `41 61-7A`.

    >>> _ranges({0x41, 0x61, 0x62, 0x63})
    '41 61-63'
    """
    placed = enumerate(sorted(points))
    runs = [[point for _, point in run] for _, run in groupby(placed, lambda pair: pair[1] - pair[0])]
    return " ".join(f"{run[0]:X}" + (f"-{run[-1]:X}" if run[-1] > run[0] else "") for run in runs)
