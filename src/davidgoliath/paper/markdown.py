"""The Markdown of the rules: headings, paragraphs, numbered items and tables. Emphasis stays for the typesetter."""

import re
from typing import NamedTuple


class Paragraph(NamedTuple):
    """Lines that belong together, as one."""

    text: str


class Item(NamedTuple):
    """An entry of a list, with its number or dash."""

    label: str
    text: str


class Table(NamedTuple):
    """Rows of cells, the heads first."""

    rows: tuple[tuple[str, ...], ...]


Block = Paragraph | Item | Table


class Section(NamedTuple):
    """What stands under a heading."""

    title: str
    blocks: tuple[Block, ...]


def sections(text: str) -> list[Section]:
    """
    >>> sections("# Title\\n\\nA *word*\\non it.\\n\\n## Rules\\n\\n1. First.\\n2. Second\\n   goes on.\\n")[1].blocks
    (Item(label='1.', text='First.'), Item(label='2.', text='Second goes on.'))
    """
    found = re.split(r"^#+ (.+)\n", text, flags=re.M)[1:]
    return [Section(title, tuple(_blocks(body))) for title, body in zip(found[::2], found[1::2], strict=True)]


def _blocks(body: str) -> list[Block]:
    found: list[Block] = []
    for part in re.split(r"\n{2,}", body.strip()):
        if part.startswith("|"):
            rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in part.splitlines()]
            found.append(Table((rows[0], *rows[2:])))
        elif re.match(r"(\d+\.|-) ", part):
            entries = re.split(r"^(\d+\.|-) ", part, flags=re.M)[1:]
            found += [Item(label, _line(text)) for label, text in zip(entries[::2], entries[1::2], strict=True)]
        else:
            found.append(Paragraph(_line(part)))
    return found


def _line(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text.strip())
