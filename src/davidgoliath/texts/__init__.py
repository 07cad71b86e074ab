"""Every text that people read, in every language that has files here: a JSON catalogue, and the rules as Markdown.

A catalogue maps keys to texts with `{placeholders}`. A text that depends on a number is an object
by CLDR plural category instead, chosen by the argument `count`. The browser reads the same files.
"""

import errno
import json
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final

from davidgoliath.rules import Colour, NotationError, Refusal

LANGUAGES: Final = tuple(sorted(file.name[:-5] for file in files(__name__).iterdir() if file.name.endswith(".json")))
"""Those of the catalogues; each says under `language` what it is called there."""
NO_BREAK: Final = "\u00a0\u202f"

_LONGEST: Final = {"text": 40, "why": 1000}
"""How much of an argument is shown: of what somebody typed not much, of our own sentences all."""


_COUNTS: Final = ("count", "done", "games")
"""Arguments that may be large, and are counted; other numbers are names."""
_TROUBLES: Final = {
    errno.ENOENT: "error.file_missing",
    errno.EACCES: "error.file_forbidden",
    errno.EPERM: "error.file_forbidden",
    errno.EISDIR: "error.file_is_folder",
    errno.ENOTDIR: "error.file_no_folder",
    errno.EROFS: "error.file_read_only",
    errno.ENOSPC: "error.file_disk_full",
    errno.EDQUOT: "error.file_disk_full",
    errno.EFBIG: "error.file_too_big",
}
"""What systems refuse most often; the rest is said in their own words."""


class Texts:
    """The texts of one language.

    >>> english = Texts("en")
    >>> english("colour.R"), english("count.deals", count=1), english("count.deals", count=3)
    ('red', '1 deal', '3 deals')
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.catalogue = catalogue(language)

    def __call__(self, key: str, /, **arguments: Any) -> str:
        text = self.catalogue[key]
        if not isinstance(text, str):
            text = text[plural_category(self.language, arguments["count"])]
        return text.format_map({name: self._shown(name, value) for name, value in arguments.items()})

    def error(self, refusal: Refusal, *, with_line: bool = True) -> str:
        """A refusal as one line: where, if it is about a text, and why."""
        why = self(f"error.{refusal.reason}", **refusal.arguments)
        return self._place(refusal, with_line) + why if isinstance(refusal, NotationError) else why

    def trouble(self, error: OSError) -> str:
        """What a file or a stream has refused, as one line."""
        key = _TROUBLES.get(error.errno or 0)
        why = self(key) if key else error.strerror or str(error)
        return self("error.file", file=error.filename or self("error.stream"), why=why)

    def number(self, value: float, form: str) -> str:
        """A number in one of Python's forms, as people write it in this language.

        >>> Texts("de").number(1234.5, ",.2f"), Texts("en").number(0.125, ".1%")
        ('1.234,50', '12.5%')
        """
        return self.numerals(format(value, form))

    def figures(self, form: str, *values: Any, **named: Any) -> str:
        """A form with numbers in it, each as people write it in this language."""
        return _Figures(self).vformat(form, values, named)

    def numerals(self, written: str) -> str:
        """A number as Python writes it, in this language's signs."""
        signs = {".": self("number.point"), ",": self("number.group"), "%": self("number.percent")}
        return "".join(signs.get(sign, sign) for sign in written)

    def rules(self) -> str:
        """The rules of the game, as Markdown."""
        return _read(f"rules.{self.language}.md")

    def _place(self, error: NotationError, with_line: bool) -> str:
        place = ""
        if error.line and with_line and error.path is None and error.column:
            place = self("place.line_column", line=error.line, column=error.column)
        elif error.line and with_line:
            place = self("place.line", line=error.line)
        return place + (f"{self._shown('path', error.path)}: " if error.path else "")

    def _shown(self, name: str, value: Any) -> str:
        if isinstance(value, Colour):
            return self(f"colour.{value}")
        if isinstance(value, Refusal):
            return self.error(value)
        if name in _COUNTS and isinstance(value, int):
            return self.number(value, ",d")
        text, most = str(value), _LONGEST.get(name, 160)
        text = text if len(text) <= most else text[: most - 1] + "…"
        return "".join(character if character.isprintable() or character in NO_BREAK else "�" for character in text)


class _Figures(Formatter):
    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def format_field(self, value: Any, form: str) -> str:
        return self.texts.number(value, form) if isinstance(value, int | float) else format(value, form)


@lru_cache
def catalogue(language: str) -> Mapping[str, str | dict[str, str]]:
    """All texts of a language by key."""
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    texts: dict[str, str | dict[str, str]] = json.loads(_read(f"{language}.json"))
    return texts


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def plural_category(language: str, count: int) -> str:
    """The CLDR plural category of a whole number.

    >>> [plural_category("pl", count) for count in (1, 2, 5, 22)]
    ['one', 'few', 'many', 'few']
    """
    return _PLURALS.get(language, _one_other)(abs(count))


def _one_other(count: int) -> str:
    return "one" if count == 1 else "other"


def _italian(count: int) -> str:
    return "many" if count and count % 1_000_000 == 0 else _one_other(count)


def _french(count: int) -> str:
    return "one" if count == 0 else _italian(count)


def _polish(count: int) -> str:
    if count == 1:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"


def _in_english(refusal: Refusal) -> str:
    """The sentence of an exception; that of somebody else's reason, which has no text here, is its code."""
    try:
        return Texts("en").error(refusal)
    except KeyError:
        return repr(refusal)


Refusal.wording = _in_english


_PLURALS: Final[Mapping[str, Callable[[int], str]]] = {"fr": _french, "it": _italian, "pl": _polish}
"""Where there is more than one and other."""


def accepted_language(header: str) -> str:
    """The best of our languages for a browser's `Accept-Language`; English if it wants none of them.

    >>> accepted_language("sv, pl;q=0.8, de-AT;q=0.9")
    'de'
    """
    wishes = []
    for place, part in enumerate(header.split(",")):
        code, _, quality = part.partition(";q=")
        try:
            wishes.append((-float(quality or 1), place, code.strip()[:2].lower()))
        except ValueError:
            continue
    return next((code for weight, _, code in sorted(wishes) if code in LANGUAGES and weight < 0), "en")


def preferred_language(environ: Mapping[str, str] = os.environ) -> str:
    """The reader's language, as the environment tells it; English if it is none of ours.

    >>> preferred_language({"LANG": "fr_CA.UTF-8"})
    'fr'
    """
    names = ("DAVIDGOLIATH_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    told = next((environ[name] for name in names if environ.get(name)), "")
    code = told[:2].lower()
    return code if code in LANGUAGES else "en"
