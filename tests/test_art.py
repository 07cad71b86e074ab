"""The cards as drawings: what they are made of, that they are all there, and that everyone can tell them apart."""

import gzip
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.pens.pointInsidePen import PointInsidePen
from fontTools.svgLib.path import parse_path

from davidgoliath.art import DAY, NIGHT, PAGE, Form, Palette, Rim, back, card, common, emotes, icon, sprite, stylesheet
from davidgoliath.art.own_stone import BAND, BOX, EDGE, RADII
from davidgoliath.art.palette import BOT_TONES, BOTS, GREY_DAY, GREY_NIGHT, NEUTRALS, RIMS
from davidgoliath.art.shapes import SHAPES
from davidgoliath.art.sprite import ALONE
from davidgoliath.art.stone import form, oval
from davidgoliath.rules import Card, Colour
from davidgoliath.rules.cards import CARDS
from davidgoliath.server.protocol.messages import EMOTES
from tests.colour_vision import ALL, DEUTERANOPIA, PROTANOPIA, TRITANOPIA, Rgb, contrast, distance, oklab

DECKS = (9, 12, 15, 18)
THEMES = pytest.mark.parametrize("suits", [DAY, NIGHT], ids=["day", "night"])
DRAWN = {"g", "path", "circle", "ellipse"}
LOOK = {"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "fill-opacity", "transform"}
GEOMETRY = {"d", "cx", "cy", "r", "rx", "ry"}
DOCUMENT = {"id", "viewBox", "href"}


def parts(svg: str) -> list[tuple[str, dict[str, str]]]:
    """Name and attributes of every element, the root first."""
    return [(part.tag.rpartition("}")[2], part.attrib) for part in ElementTree.fromstring(svg).iter()]  # noqa: S314


def everything() -> list[str]:
    drawn = [card(which, 18, DAY[which.colour]) for which in CARDS] + [back(GREY_DAY)]
    return [*map(sprite, DECKS), common(), emotes(), icon(), *(f"<svg>{inside}</svg>" for inside in drawn)]


def test_drawings_are_paths_circles_ellipses_and_groups() -> None:
    for svg in everything():
        for name, attributes in parts(svg):
            assert name in DRAWN | {"svg", "symbol", "defs", "use"}
            assert set(attributes) <= LOOK | GEOMETRY | DOCUMENT


def test_two_opacities() -> None:
    opacities = {attributes.get("fill-opacity") for svg in everything() for _, attributes in parts(svg)}
    assert opacities == {None, ".38", ".55"}


def test_numbers_have_two_decimals_at_most() -> None:
    for svg in everything():
        assert not re.search(r"\.\d{3}|\de[+-]?\d|nan|inf\b", re.sub("#[0-9a-f]{6}", "", svg))


@pytest.mark.parametrize("highest", DECKS)
def test_a_sprite_has_every_card_once(highest: int) -> None:
    names = Counter(attributes["id"] for name, attributes in parts(sprite(highest)) if name == "symbol")
    values = range(1, highest + 1)
    cards = [Card(colour, value) for colour in Colour for value in values]
    assert names == Counter([f"face-{value}" for value in values] + [f"index-{which}" for which in cards])


def test_common_has_suits_roles_stones_and_the_back() -> None:
    names = [attributes["id"] for name, attributes in parts(common()) if name == "symbol"]
    suits, stones = [f"suit-{colour}" for colour in Colour], [f"stone-{value}" for value in ALONE]
    assert names == [*suits, "goliath", "david", *stones, *(f"own-{form}" for form in Form), "back"]


def test_pages_show_no_stone_that_is_not_there() -> None:
    folder = files("davidgoliath").joinpath("web/js")
    scripts = [script.read_text(encoding="utf-8") for script in Path(str(folder)).rglob("*.js")]
    wanted = {
        int(value)
        for script in scripts
        for value in re.findall(r"stone\((\d+)|#stone-(\d+)", script)
        for value in value
        if value
    }
    assert wanted
    assert wanted <= set(ALONE)


def test_lids_alone_are_arcs_so_that_the_page_can_open_eyes() -> None:
    for symbol in re.findall(r'<symbol id="(?:own|stone)-.*', common()):
        assert len(re.findall(r' d="M[^"]*a', symbol)) == 2, symbol[:40]


def test_every_emote_has_a_face() -> None:
    names = [attributes["id"] for name, attributes in parts(emotes()) if name == "symbol"]
    assert names == [f"emote-{name}" for name in EMOTES]
    assert len(gzip.compress(emotes().encode())) < 2_000


@pytest.mark.parametrize("highest", DECKS)
def test_a_page_can_hold_a_sprite_and_common_at_once(highest: int) -> None:
    both = parts(sprite(highest)) + parts(common())
    names = Counter(attributes["id"] for _, attributes in both if "id" in attributes)
    assert max(names.values()) == 1
    for svg in (sprite(highest), common()):
        own = {attributes.get("id") for _, attributes in parts(svg)}
        assert {attributes["href"][1:] for name, attributes in parts(svg) if name == "use"} <= own


def test_symbols_leave_their_tones_to_the_page() -> None:
    eyes = {"#fffaf0", "#1c1512"}
    paints = {
        attributes[key]
        for svg in (sprite(18), common())
        for _, attributes in parts(svg)
        for key in ("fill", "stroke")
        if key in attributes
    }
    assert paints <= {*PAGE, *eyes, "none", "currentColor"}


def test_sprites_are_small() -> None:
    assert len(gzip.compress(sprite(12).encode())) < 11_000
    assert len(gzip.compress(sprite(18).encode())) < 15_000
    assert len(gzip.compress(common().encode())) < 13_500


def test_drawings_are_the_same_in_every_process() -> None:
    code = "from davidgoliath.art import common, sprite; print(sprite(9) + common(), end='')"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": "7"})
    assert other.stdout.decode() == sprite(9) + common()


EYES = pytest.mark.parametrize("eyes", [ALL, PROTANOPIA, DEUTERANOPIA, TRITANOPIA])


@EYES
def test_everyone_tells_rims_apart(eyes: tuple[Rgb, Rgb, Rgb]) -> None:
    assert set(RIMS) == set(Rim)
    for one, other in combinations(RIMS.values(), 2):
        assert distance(one, other, eyes) >= 0.15


def test_rims_are_no_suits_and_no_stone() -> None:
    suits = [tones.stone for tones in (*DAY.values(), *NIGHT.values())]
    for rim in RIMS.values():
        assert min(distance(rim, tone) for tone in [*suits, GREY_DAY.stone]) >= 0.1
        for grey in (GREY_DAY, GREY_NIGHT):
            assert max(contrast(rim, grey.stone), contrast(grey.line, grey.stone)) >= 3
    for ground in ("paper", "paper-2", "sand"):  # whatever its colour, a rim has an edge
        for grey, tone in zip((GREY_DAY, GREY_NIGHT), NEUTRALS[ground], strict=True):
            assert contrast(grey.ink, tone) >= 3


@EYES
def test_everyone_tells_what_bots_are_made_of_apart(eyes: tuple[Rgb, Rgb, Rgb]) -> None:
    for one, other in combinations(BOTS.values(), 2):
        assert distance(one[0], other[0], eyes) >= 0.07
    for stone, _, light, line in BOTS.values():
        assert contrast(line, stone) >= 2.4
        assert contrast(light, stone) >= 1.15
        _, green, blue = oklab(stone)
        assert abs(complex(green, blue)) < 0.06  # a suit has at least twice as much


def test_forms_differ_and_fit_their_box() -> None:
    half = -float(BOX.split()[0])
    shapes = {form: oval(size, radius=radius, corners=90) for form, (size, radius) in RADII.items()}
    assert set(shapes) == set(Form)
    for outline in shapes.values():
        for point in outline:
            assert max(abs(point.real), abs(point.imag)) + BAND + EDGE <= half
    for one, other in combinations(shapes.values(), 2):
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) > 4


def test_the_icon_is_a_square_that_needs_nothing_from_a_page() -> None:
    assert parts(icon())[0][1]["viewBox"].split() == ["0", "0", "100", "100"]
    assert "var(" not in icon()


@pytest.mark.parametrize("highest", DECKS)
def test_a_stone_grows_with_its_value(highest: int) -> None:
    stones = [form(value, highest) for value in range(1, highest + 1)]
    for small, large in pairwise(stones):
        assert small.rx < large.rx
        assert small.ry < large.ry
        assert small.lift > large.lift
    assert stones[-1].rx > 50  # wider than the card


def test_the_index_stays_in_the_left_36_and_above_the_sand() -> None:
    """So that a covered card can be read from a strip."""
    wide = card(Card.parse("R18"), 18, DAY[Colour.RED])
    scale, last = re.findall(r"translate\(6\.5 6\.5\)scale\(([\d.]+)\).*?translate\(([\d.]+) 0\)", wide)[-1]
    assert 6.5 + float(scale) * (float(last) + 8.6 + 3.3 / 2) < 36


@THEMES
def test_numbers_and_texts_have_contrast(suits: Mapping[Colour, Palette]) -> None:
    for tones in [*suits.values(), GREY_DAY, GREY_NIGHT]:
        assert contrast(tones.ink, tones.sky) >= 4.5
        assert contrast(tones.on, tones.stone) >= 4.5


@THEMES
def test_faces_stand_out_from_their_stones(suits: Mapping[Colour, Palette]) -> None:
    for tones in suits.values():
        assert contrast(tones.line, tones.stone) >= 2.4
        assert contrast(tones.light, tones.stone) >= 1.2
        assert max(contrast(tones.line, tones.sky), contrast(tones.stone, tones.sky)) >= 3


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_the_page_has_contrast(theme: int) -> None:
    tone = {name: both[theme] for name, both in NEUTRALS.items()}
    for ground in ("paper", "paper-2", "sand", "tray"):
        assert contrast(tone["text"], tone[ground]) >= 7
        assert contrast(tone["text-2"], tone[ground]) >= 4.5
        assert contrast(tone["focus"], tone[ground]) >= 3
    assert contrast(tone["on-act"], tone["act"]) >= 7
    assert min(contrast(tone["edge"], tone[ground]) for ground in ("paper", "sand")) >= 3


@THEMES
@pytest.mark.parametrize("eyes", [PROTANOPIA, DEUTERANOPIA, TRITANOPIA], ids=["protan", "deutan", "tritan"])
def test_colour_blind_people_tell_the_stones_apart(suits: Mapping[Colour, Palette], eyes: tuple[Rgb, Rgb, Rgb]) -> None:
    for one, other in combinations(suits.values(), 2):
        assert distance(one.stone, other.stone, eyes) >= 0.08


@THEMES
def test_without_any_colour_most_stones_differ_in_lightness(suits: Mapping[Colour, Palette]) -> None:
    """Red and blue, and red and violet by night, are told by their shapes alone."""
    alike = {
        f"{one}{other}"
        for one, other in combinations(suits, 2)
        if abs(oklab(suits[one].stone)[0] - oklab(suits[other].stone)[0]) < 0.07
    }
    assert alike <= {"RB", "RV"}


def test_shapes_differ() -> None:
    """At 12 × 12 pixels, and however laid over each other, two differ in a fifth of what they cover."""
    covered = {colour: pixels(path) for colour, path in SHAPES.items()}
    for one, other in combinations(covered.values(), 2):
        moved = ({(x + dx, y + dy) for x, y in other} for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        assert min(len(one ^ there) / len(one | there) for there in moved) >= 0.2


def pixels(path: str) -> set[tuple[int, int]]:
    """Those of 12 × 12 whose middle is inside."""
    inside = set()
    for x in range(12):
        for y in range(12):
            pen = PointInsidePen(None, (2 * x + 1, 2 * y + 1))
            parse_path(path, pen)
            if pen.getResult():
                inside.add((x, y))
    return inside


def test_the_stylesheet_has_every_tone_in_both_themes() -> None:
    rules = dict(re.findall(r"^(.+?)\{(.*)\}$", stylesheet(), re.MULTILINE))
    light, dark = (
        dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6})", rules[name])) for name in (":root", '[data-theme="dark"]')
    )
    alike = {f"{rim}-rim" for rim in RIMS} | {f"{bot}-{tone}" for bot in BOTS for tone in BOT_TONES}
    assert set(light) == set(dark) | alike
    for colour in Colour:
        for name in Palette._fields:
            assert light[f"{colour}-{name}"] == getattr(DAY[colour], name)
            assert dark[f"{colour}-{name}"] == getattr(NIGHT[colour], name)
    assert {name: (light[name], dark[name]) for name in NEUTRALS} == NEUTRALS
    assert set(rules) == {":root", '[data-theme="dark"]', ".R", ".Y", ".G", ".B", ".V", ".grey"}
    for suit in ("R", "grey"):
        assert rules[f".{suit}"] == ";".join(f"--{name}:var(--{suit}-{name})" for name in Palette._fields)


def test_a_sheet_to_look_at(tmp_path: Path) -> None:
    file = tmp_path / "cards.svg"
    subprocess.run([sys.executable, "-m", "davidgoliath.art", file, "night"], check=True)
    assert len([name for name, _ in parts(file.read_text()) if name == "svg"]) == 1 + 90 + 1
    command = [sys.executable, "-m", "davidgoliath.art"]
    for arguments, said in (([], "All cards on one sheet"), ([tmp_path, "dusk"], "All cards"), ([tmp_path], "[Errno")):
        refused = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
        assert refused.returncode == 1
        assert refused.stderr.startswith(said)
