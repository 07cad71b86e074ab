"""All catalogues are complete, with the right plural forms and placeholders, and every text is used."""

import errno
import re

import pytest
from babel import Locale
from babel.numbers import format_decimal, format_percent

from davidgoliath import CardSet, Colour, NotationError, Refusal
from davidgoliath.rules import Reason
from davidgoliath.texts import LANGUAGES, Texts, catalogue, plural_category, preferred_language
from tests.wording import ROOT, SOURCES, forms, placeholders

FORMED = (
    "colour.",
    "error.",
    "simulate.",
    "study.",
    "arena.",
    "bot.",
    "cli.serve.",
    "learn.",
    "print.card.",
    "print.score.",
    "privacy.",
    "page.bot.",
    "page.bot_a.",
    "page.emote.",
    "page.form",
    "page.rim",
    "page.option.",
    "page.phase.",
    "page.preset.",
    "page.preset_hint.",
    "page.reach.",
    "page.refused.",
    "page.speed.",
    "page.stay.",
    "page.story_",
    "page.theme.",
    "page.why_tie_",
    "page.david",
    "page.goliath",
)
"""Keys that the program puts together."""


def test_languages_are_those_that_have_files_and_nobody_else_lists_them() -> None:
    folder = ROOT / "src/davidgoliath/texts"
    assert len(LANGUAGES) >= 5
    assert sorted(f"{language}.json" for language in LANGUAGES) == sorted(file.name for file in folder.glob("*.json"))
    assert {f"rules.{language}.md" for language in LANGUAGES} == {file.name for file in folder.glob("rules.*.md")}
    assert len({Texts(language)("language") for language in LANGUAGES}) == len(LANGUAGES)
    listing = re.compile(r"""(["'](de|en|fr|it|pl)["'],\s*){3}""")
    kinds = (".py", ".js", ".html", ".toml")
    read = [file for part in ("src", "tools", "tests") for file in (ROOT / part).rglob("*.*") if file.suffix in kinds]
    listed = {file.name for file in read if listing.search(file.read_text(encoding="utf-8"))}
    assert listed == {"facts.js"}, "which ./dg docs writes"


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_keys_in_the_same_order(language: str) -> None:
    assert list(catalogue(language)) == list(catalogue("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_agree(language: str) -> None:
    for key, text in catalogue(language).items():
        english = catalogue("en")[key]
        assert isinstance(text, str) == isinstance(english, str), key
        wanted = set().union(*map(placeholders, forms(english).values()))
        for form in forms(text).values():
            assert placeholders(form) == wanted, key
            assert form.strip() if key not in ("cli.usage", "number.group") else form


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_are_those_of_cldr(language: str) -> None:
    rule = Locale(language).plural_form
    for key, text in catalogue(language).items():
        if not isinstance(text, str):
            assert set(text) == set(rule.tags) | {"other"}, key
            assert "{count}" in text["other"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_categories_agree_with_cldr(language: str) -> None:
    rule = Locale(language).plural_form
    for count in (*range(2000), 10**6, 10**6 + 1, 2 * 10**6, 123 * 10**6):
        assert plural_category(language, count) == rule(count)


def test_every_key_that_the_program_uses_exists_and_no_other() -> None:
    code = "\n".join(SOURCES)
    code = re.sub(r'_count\("(\w+)"', r'"count.\1"', code)
    unused = {key for key in catalogue("en") if f'"{key}"' not in code and f"'{key}'" not in code}
    assert {key for key in unused if not key.startswith(FORMED)} == {"cli.options", "cli.commands"}
    asked = set(re.findall(r'(?:TEXTS|texts)\(\s*"([a-z_.]+)"', code)) | set(re.findall(r'text="([a-z_.]+)"', code))
    asked |= set(re.findall(r'\b(?:t|rich)\("([a-z0-9_.]+)"', code))
    assert asked <= set(catalogue("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_those_of_cldr(language: str) -> None:
    texts = Texts(language)
    assert texts.number(12345.678, ",.2f") == format_decimal(12345.68, format="#,##0.00", locale=language)
    form = Locale(language).percent_formats[None].pattern.replace("#,##0", "0.0")
    assert texts.number(0.125, ".1%") == format_percent(0.125, format=form, locale=language)
    assert texts.figures("{0} {score[mean]:+.1f}", "R1,9", score={"mean": 0.5}).startswith("R1,9 +0")
    assert texts.number(10**6, ",d") in texts("count.deals", count=10**6)


@pytest.mark.parametrize("language", LANGUAGES)
def test_trouble_with_files_is_worded(language: str) -> None:
    texts = Texts(language)
    for number in (errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.EROFS, errno.ENOSPC, errno.EFBIG):
        said = texts.trouble(OSError(number, "in the system's words", "out.pdf"))
        assert said.startswith("out.pdf")
        assert "system" not in said
    assert "rare" in texts.trouble(OSError(errno.EXDEV, "rare", "out.pdf"))
    assert texts.trouble(OSError(errno.ENOSPC, "")).startswith(texts("error.stream"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_are_one_line_with_their_place(language: str) -> None:
    texts = Texts(language)
    in_text = NotationError(Reason.CARD_TWICE, card="R9", line=3, column=7)
    assert re.search(r"\b3\b.*\b7\b.*R9", texts.error(in_text))
    in_json = NotationError(Reason.CARD_TWICE, card="R9", line=3, path="hands[0][3]")
    assert re.search(r"\b3\b.*hands\[0\]\[3\]: .*R9", texts.error(in_json))
    assert texts.error(in_json, with_line=False).startswith("hands[0][3]: ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_colours_are_worded(language: str) -> None:
    refusal = Refusal(Reason.MUST_FOLLOW, card="R9", colour=Colour.GREEN, legal=CardSet.parse("G2,5"))
    text = Texts(language).error(refusal)
    assert Texts(language)("colour.G") in text
    assert "G2,5" in text


def test_what_somebody_typed_is_shortened_and_made_visible() -> None:
    text = Texts("en").error(NotationError(Reason.NO_SUCH_CARD, text="\x00\n" + "x" * 10_000))
    assert "��xxx" in text
    assert len(text) < 200


def test_our_own_sentences_are_not() -> None:
    inner = Texts("fr").error(Refusal(Reason.OPTION_VALUE, option="deals", value="0", allowed="x" * 150))
    assert inner in Texts("fr")("error.argument_unfit", name="--rules", why=inner)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_complete_in_every_language(language: str) -> None:
    rules, english = Texts(language).rules(), Texts("en").rules()
    assert re.findall(r"^\d+\. \*\*", rules, re.M) == [f"{number}. **" for number in range(1, 15)]
    assert re.findall(r"^\d+\. \*(?!\*)", rules, re.M) == [f"{number}. *" for number in range(1, 7)]
    for pattern in (r"^#+ ", r"^\|", r"`[a-z_]+`"):
        assert sorted(re.findall(pattern, rules, re.M)) == sorted(re.findall(pattern, english, re.M)), pattern
    assert "3 + 8 + 14 + 5 + 22 = 52" in rules


LOCK = {"de": "sperr", "en": "lock", "fr": "verrouill", "it": "blocc", "pl": "blok"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_to_lock_to_close_and_to_make_a_table_are_three_things(language: str) -> None:
    texts = Texts(language)
    for key in ("page.lock", "page.unlock", "page.lobby_locked", "error.table_locked"):
        assert LOCK[language] in texts(key).lower(), key
    for key in ("page.friends_make", "error.table_closed", "page.refused.table_closed", "tables.over"):
        assert LOCK[language] not in texts(key).lower(), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_in_german_there_is_a_space_before_an_ellipsis(language: str) -> None:
    wrong = r"[^\W\d_]…" if language == "de" else r"\s…"
    everything = {"rules": Texts(language).rules(), **catalogue(language)}
    for key, text in everything.items():
        for form in forms(text).values():
            assert not re.search(wrong, form), key


def test_french_says_tu_and_keeps_its_marks_on_the_line() -> None:
    everything = {"rules": Texts("fr").rules(), **catalogue("fr")}
    for key, text in everything.items():
        for form in forms(text).values():
            assert not re.search("« | [:;!?»]", form), key
            polite = re.findall(r"\b(?:vous|votre|vos|(?!chez|assez)\w+ez)\b", form, re.I)
            assert not polite, (key, polite)


def test_polish_counts_in_plural_forms() -> None:
    """A noun right behind or before a number has a form of its own for it."""
    nouns = r"kart\w*|punkt\w*|lew\w*|rozda\w*|sekund\w*|miejsc\w*|osób|osob\w*|gracz\w*|stron\w*|wiersz\w*"
    for key, text in catalogue("pl").items():
        if isinstance(text, str):
            assert not re.search(rf"\{{count\}} ({nouns})\b|\b({nouns}) \{{count\}}", text), key


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_AT.UTF-8", "LC_ALL": "fr_FR"}, "fr"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({"DAVIDGOLIATH_LANG": "pl", "LC_ALL": "it_IT"}, "pl"),
        ({"LANGUAGE": "it:en"}, "it"),
    ],
)
def test_the_language_comes_from_the_environment(environ: dict[str, str], language: str) -> None:
    assert preferred_language(environ) == language
