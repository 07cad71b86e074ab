"""What is printed: every card once within its cut marks, backs behind their cards, and text that is found."""

import io
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from ctypes import c_float
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from fpdf import FPDF
from fpdf.svg import SVGObject
from PIL import Image, ImageChops, ImageStat

from davidgoliath.art import DAY, back, card, spare
from davidgoliath.art.palette import GREY_DAY
from davidgoliath.cli import main
from davidgoliath.paper import DeckPlan, Sheet, print_deck, print_rules, print_scoresheet
from davidgoliath.paper.deck import MARK_WIDTH, SPARES, TOLERANCE
from davidgoliath.paper.drawing import Box
from davidgoliath.paper.grid import HEIGHT, PAPERS, WIDTH, Grid, cut_marks
from davidgoliath.paper.instructions import EDGE, instructions
from davidgoliath.paper.sheet import POINT, Window
from davidgoliath.rules import Card, Colour, Refusal, deck
from davidgoliath.texts import LANGUAGES, Texts
from tests.marks import slow
from tests.refusals import refuses

LETTERS = "ąćęłńóśźż"
EN = Texts("en")
TONES = ("sky", "ground", "stone", "shade", "light", "line", "ink")
BLEEDS = {"a4": 3.0, "letter": 2.0}


@cache
def rules(paper: str, language: str) -> bytes:
    return bytes(print_rules(paper, language).output())


def opened(sheet: Sheet) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(bytes(sheet.output()))


@cache
def printed(plan: DeckPlan) -> pypdfium2.PdfDocument:
    return opened(print_deck(plan, EN))


def text(page: pypdfium2.PdfPage) -> str:
    return " ".join(page.get_textpage().get_text_range().split())


def found(page: pypdfium2.PdfPage, pattern: str) -> Iterator[tuple[str, Box]]:
    """Every match and its box, in millimetres from the upper left corner."""
    texts = page.get_textpage()
    for match in re.finditer(pattern, texts.get_text_range()):
        boxes = [texts.get_charbox(at) for at in range(*match.span())]
        left, low = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, top = max(box[2] for box in boxes), max(box[3] for box in boxes)
        high = page.get_height() - top
        yield match[0], Box(left * POINT, high * POINT, (right - left) * POINT, (top - low) * POINT)


def marks(page: pypdfium2.PdfPage) -> tuple[list[float], list[float]]:
    """Where to cut, as the marks on the page say: from the left, and from the top."""
    xs, ys = set(), set()
    for left, low, right, top in mark_bounds(page):
        if right - left < top - low:
            xs.add(round((left + right) / 2 * POINT, 1))
        else:
            ys.add(round((page.get_height() - (low + top) / 2) * POINT, 1))
    return sorted(xs), sorted(ys)


def mark_bounds(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float, float, float]]:
    """Left, low, right and top of each mark, in points."""
    for line in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=1):
        width = c_float()
        pdfium.FPDFPageObj_GetStrokeWidth(line.raw, width)
        if pdfium.FPDFPath_CountSegments(line.raw) == 2 and abs(width.value * POINT - MARK_WIDTH) < 0.01:
            yield line.get_bounds()


def cells(page: pypdfium2.PdfPage) -> list[Box]:
    """The cards' places by the marks alone, row by row."""
    xs, ys = marks(page)
    wide = [(start, end) for start, end in pairwise(xs) if abs(end - start - WIDTH) < 0.15]
    high = [(start, end) for start, end in pairwise(ys) if abs(end - start - HEIGHT) < 0.15]
    return [Box(left, top, right - left, low - top) for top, low in high for left, right in wide]


def inside(inner: Box, outer: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


def touches(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def picture(page: pypdfium2.PdfPage, scale: float = 1.0) -> Image.Image:
    drawn: Image.Image = page.render(scale=scale).to_pil()
    return drawn.convert("RGB")


def cut(drawn: Image.Image, box: Box, scale: float = 1.0) -> Image.Image:
    """What a picture of a page shows within a box in millimetres."""
    per = scale / POINT
    right, low = box.x + box.width, box.y + box.height
    return drawn.crop((round(box.x * per), round(box.y * per), round(right * per), round(low * per)))


def tones(drawn: Image.Image) -> Counter[str]:
    """How often each colour occurs."""
    counted = drawn.getcolors(drawn.width * drawn.height) or []
    return Counter({"#" + bytes(tone).hex(): count for count, tone in counted if isinstance(tone, tuple)})


PLANS = [
    DeckPlan(),
    DeckPlan(players=3, paper="letter"),
    DeckPlan(players=4, bleed=3.0),
    DeckPlan(players=5, paper="letter", bleed=2.0, backs=False),
]


@pytest.mark.parametrize("plan", [PLANS[1], *slow(PLANS[0], *PLANS[2:])])
def test_every_card_is_there_once_within_its_cut_marks(plan: DeckPlan) -> None:
    document = printed(plan)
    seen: Counter[Card] = Counter()
    for page in list(document)[:: 2 if plan.backs else 1]:
        places = cells(page)
        for name, box in found(page, r"\b[RYGBV]\d+\b"):
            (place,) = (place for place in places if inside(box, place))
            places.remove(place)
            seen[Card.parse(name)] += 1
    assert seen == Counter(deck(plan.players))


@pytest.mark.parametrize("plan", PLANS)
def test_nine_on_a_page_and_the_rest_on_the_last(plan: DeckPlan) -> None:
    fronts = list(printed(plan))[:: 2 if plan.backs else 1]
    cards = len(deck(plan.players)) + 5 + 12
    assert len(fronts) == -(-cards // 9)
    assert all(len(cells(page)) == 9 for page in fronts[:-1])


@pytest.mark.parametrize("plan", PLANS)
def test_paper_has_its_size_and_cards_its_middle(plan: DeckPlan) -> None:
    page = printed(plan)[0]
    size = tuple(length * POINT for length in page.get_size())
    assert size == pytest.approx(PAPERS[plan.paper], abs=0.05)
    for edges, length in zip(marks(page), size, strict=True):
        assert edges[0] == pytest.approx(length - edges[-1], abs=0.2)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("bled", [False, True])
def test_no_mark_lies_on_a_card(paper: str, bled: bool) -> None:
    grid = Grid.fitting(paper, BLEEDS[paper] if bled else 0)
    places = grid.fronts(9)
    lines = list(cut_marks(places, grid.bleed))
    assert len(lines) == (6 if bled else 4) * 2 * 2
    for x1, y1, x2, y2 in lines:
        for box in (Box(*place, WIDTH, HEIGHT).grown(grid.bleed) for place in places):
            beside = x2 <= box.x or x1 >= box.x + box.width
            above = y2 <= box.y or y1 >= box.y + box.height
            assert beside or above
        assert min(x2, PAPERS[paper][0]) - max(x1, 0) >= 1 or min(y2, PAPERS[paper][1]) - max(y1, 0) >= 1


@pytest.mark.parametrize("plan", [DeckPlan(players=3, bleed=3.0), DeckPlan(players=3)])
def test_marks_are_not_printed_over_the_bleed_or_what_backs_have_of_it(plan: DeckPlan) -> None:
    for page, over in zip(printed(plan), (plan.bleed or 0, max(plan.bleed or 0, TOLERANCE)), strict=False):
        printed_on = {Box(left, top, WIDTH, HEIGHT).grown(over) for left, top, *_ in cells(page)}
        lines = [
            Box(left * POINT, (page.get_height() - top) * POINT, (right - left) * POINT, (top - low) * POINT)
            for left, low, right, top in mark_bounds(page)
        ]
        assert len(lines) == (24 if plan.bleed else 16)
        assert not any(touches(line, box) for line in lines for box in printed_on)


def test_without_bleed_nothing_but_marks_and_a_caption_is_outside_the_cards() -> None:
    drawn, (left, top) = picture(printed(DeckPlan())[0]), Grid("a4").fronts(1)[0]
    for margin in (
        Box(0, 0, 210, top - 0.5),
        Box(0, 0, left - 0.5, 297),
        Box(210 - left + 0.5, 0, left - 0.5, 297),
        Box(0, 297 - top + 0.5, 210, top - 0.5),
    ):
        counted = tones(cut(drawn, margin))
        assert counted["#ffffff"] / counted.total() > 0.97


def test_bleed_runs_over_the_cut() -> None:
    drawn, (left, top) = picture(printed(DeckPlan(players=4, bleed=3.0))[0], 4), Grid("a4", 3.0).fronts(1)[0]

    def tone(x: float, y: float) -> str:
        ((found, _),) = tones(cut(drawn, Box(x, y, 0.2, 0.2), 4)).items()
        return found

    assert tone(left - 2.7, top + 20) == tone(left + 30, top - 2.7) == tone(left + 1, top + 1) == DAY[Colour.RED].sky
    assert tone(left - 3.5, top + 20) == tone(left + 30, top - 3.5) == "#ffffff"


@pytest.mark.parametrize("count", [9, 8, 4, 1])
@pytest.mark.parametrize("bleed", [0.0, 2.0])
def test_backs_lie_behind_their_cards(count: int, bleed: float) -> None:
    grid = Grid("a4", bleed)
    for front, behind in zip(grid.fronts(count), grid.backs(count), strict=True):
        assert behind.x == pytest.approx(210 - front.x - WIDTH)
        assert behind.y == front.y
    moved = [(x + 0.5, y - 1.0) for x, y in grid.backs(count)]
    assert grid.backs(count, (0.5, -1.0)) == moved


def test_backs_are_printed_mirrored_and_moved() -> None:
    plan = DeckPlan(players=3, offset=(1.5, -0.5))  # the last sheet has 8 of 9
    *_, front, behind = printed(plan)
    xs, ys = marks(front)
    moved_xs, moved_ys = marks(behind)
    assert moved_xs == pytest.approx([x + 1.5 for x in xs], abs=0.15)
    assert moved_ys == pytest.approx([y - 0.5 for y in ys], abs=0.15)
    drawn = picture(behind)
    pebbles = [GREY_DAY.line in tones(cut(drawn, cell)) for cell in cells(behind)]
    assert pebbles == [True] * 6 + [False, True, True]


@pytest.mark.slow
def test_without_backs_there_are_half_as_many_pages() -> None:
    assert (len(printed(DeckPlan())), len(printed(DeckPlan(backs=False)))) == (24, 12)


def test_instruction_cards_in_five_languages() -> None:
    page = printed(DeckPlan())[20]
    told = text(page)
    for language in LANGUAGES:
        texts = Texts(language)
        for key in ("david", "goliath", "lead", "ties", "match"):
            assert " ".join(texts(f"print.card.{key}").replace("**", "").split()) in told
    assert "Dokładaj do koloru, jeśli możesz" in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_instruction_card_keeps_to_its_middle(language: str) -> None:
    sheet, place = Sheet("a4", "", language), Box(20, 30, WIDTH, HEIGHT)
    sheet.add_page()
    instructions(sheet, place, 0, language)
    letters = [box for _, box in found(opened(sheet)[0], r"\S")]
    assert len(letters) > 250
    assert all(inside(box, place.grown(0.4 - EDGE)) for box in letters)


SHOP = DeckPlan(players=3, paper="card")
CARDS = 45 + 5 + 12


def test_a_print_shop_gets_a_page_a_card_with_its_boxes_and_no_marks() -> None:
    document = printed(SHOP)
    assert len(document) == 2 * CARDS
    for page in document:
        assert not list(mark_bounds(page))
        millimetres = [tuple(edge * POINT for edge in box) for box in (page.get_mediabox(), page.get_trimbox())]
        assert millimetres == [pytest.approx((0, 0, 69, 94), abs=0.01), pytest.approx((3, 3, 66, 91), abs=0.01)]
        assert page.get_bleedbox() == page.get_mediabox()
    names = [name for page in list(document)[::2] for name, _ in found(page, r"\b[RYGBV]\d+\b")]
    assert [Card.parse(name) for name in names] == list(deck(3))


@pytest.mark.parametrize("bleed", [3.0, 1.5])
def test_the_bleed_of_a_print_shop_runs_to_the_edge_on_every_side(bleed: float) -> None:
    document = printed(DeckPlan(players=3, paper="card", bleed=bleed))
    for page in (document[0], document[1], document[90], document[len(document) - 2]):
        drawn = picture(page, 3)
        right, low = drawn.width - 2, drawn.height - 2
        edges = [*product(range(1, right), (1, low)), *product((1, right), range(1, low))]
        assert (255, 255, 255) not in {drawn.getpixel(at) for at in edges}


@pytest.mark.slow
def test_backs_for_a_print_shop_come_behind_each_card_once_or_not_at_all() -> None:
    def backs(plan: DeckPlan) -> list[int]:
        pages = [tones(picture(page)) for page in printed(plan)]
        return [number for number, page in enumerate(pages) if page[GREY_DAY.sky] > page.total() / 3]

    assert backs(SHOP) == list(range(1, 2 * CARDS, 2))
    assert backs(replace(SHOP, one_back=True)) == [CARDS]
    assert backs(replace(SHOP, backs=False)) == []
    with refuses("one_back"):
        DeckPlan(one_back=True)


def test_cards_are_read_from_either_end() -> None:
    index = Box(3 + 4, 3 + 4, 13, 28)
    other = Box(69 - 3 - 14, 94 - 3 - 22, 11, 19)
    for page, which in zip(list(printed(SHOP))[::2], deck(3), strict=False):
        drawn, palette = picture(page, 4), DAY[which.colour]
        for corner in (index, other):
            told = tones(cut(drawn, corner, 4))
            assert told[palette.ink] > told.total() / 40, which
            assert palette.stone in told


def test_the_printing_page_has_the_tones_in_cmyk() -> None:
    page = (Path(__file__).parent.parent / "docs" / "printing.md").read_text(encoding="utf-8")
    told = {tone: tuple(map(int, inks.split())) for tone, inks in re.findall(r"(#[0-9a-f]{6}) ([\d ]+?) \|", page)}
    shown = [getattr(palette, name) for palette in (*DAY.values(), GREY_DAY) for name in TONES]
    assert set(told) == set(shown)
    for tone, (*inks, black) in told.items():
        assert sum(inks) + black <= 260
        light = [round(255 * (1 - ink / 100) * (1 - black / 100)) for ink in inks]
        assert light == pytest.approx([int(tone[at : at + 2], 16) for at in (1, 3, 5)], abs=2)


def test_spares() -> None:
    names = [name for page in printed(DeckPlan(backs=False)) for name, _ in found(page, "[RYGBV]_")]
    assert Counter(name[0] for name in names) == {"B": 3, "Y": 3, "G": 2, "R": 2, "V": 2}
    assert all("#fffaf0" in spare(colour, DAY[colour]) for colour in Colour)


def test_what_is_left_out() -> None:
    document = printed(DeckPlan(backs=False, instructions=(), spares=False))
    assert len(document) == 10
    assert not any(list(found(page, "[RYGBV]_")) or "Goliath" in text(page) for page in list(document))


@pytest.mark.slow
def test_art_is_vectors_and_fonts_are_embedded() -> None:
    data = bytes(print_deck(DeckPlan(players=3, backs=False), EN).output())
    kinds = {thing.type for page in pypdfium2.PdfDocument(data) for thing in page.get_objects()}
    assert kinds == {pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_TEXT}
    assert data.count(b"/FontFile2") == data.count(b"/Type /FontDescriptor") >= 3


@pytest.mark.parametrize(
    "drawn",
    [
        card(Card(Colour.RED, 1), 18, DAY[Colour.RED]),
        card(Card(Colour.GREEN, 18), 18, DAY[Colour.GREEN]),
        back(GREY_DAY),
    ],
    ids=["pebble", "boulder", "back"],
)
def test_art_looks_as_an_svg_reader_draws_it(drawn: str) -> None:
    ours = Sheet("a4", "", "en")
    ours.add_page()
    ours.draw(drawn, 20, 20, 1, Window(Box(0, 0, 100, 140)))
    theirs = FPDF()
    theirs.add_page()
    drawn = re.sub(r"(?<=\d)-", " -", drawn)  # the other reader wants numbers apart
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140" width="100mm" height="140mm">{drawn}</svg>'
    )
    SVGObject(document).draw_to_page(theirs, 20, 20)
    window = (60, 60, 335, 450)
    pictures = [picture(pypdfium2.PdfDocument(bytes(sheet.output()))[0]).crop(window) for sheet in (ours, theirs)]
    difference = ImageStat.Stat(ImageChops.difference(*pictures))
    assert max(difference.mean) < 0.5
    assert ImageStat.Stat(pictures[0]).stddev[0] > 20


@pytest.mark.parametrize(("paper", "language"), [*(("a4", language) for language in LANGUAGES), ("letter", "fr")])
def test_rules_are_two_pages(paper: str, language: str) -> None:
    document = pypdfium2.PdfDocument(rules(paper, language))
    assert len(document) == 2
    told = re.sub(r"\s+", "", "".join(map(text, list(document))))
    markdown = Texts(language).rules()
    *sections, program = markdown.split("\n## ")
    for line in "\n## ".join(sections).replace("|---", "").splitlines():
        for part in re.split(r"[*`|#]+|^\d+\. ", line):
            assert re.sub(r"\s+", "", part) in told, part
    assert re.sub(r"\s+", "", program.splitlines()[0]) not in told
    for page in list(document):
        for _, box in found(page, r"\S"):
            assert inside(box, Box(0, 0, *PAPERS[paper]).grown(-5))


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_name_what_is_in_the_box_and_in_our_deck(language: str) -> None:
    about, box, *_ = Texts(language).rules().split("\n## ")
    assert "20 " in about
    assert "Berliner Spielkarten" in box
    told = Counter(map(int, re.findall(r"\d+", box)))
    assert told == Counter([1997, len(deck(6)), len(LANGUAGES), sum(SPARES.values()), *SPARES.values()])


def test_rules_in_polish_are_found() -> None:
    told = " ".join(map(text, list(pypdfium2.PdfDocument(rules("a4", "pl")))))
    assert "Goliat zdobywa resztę." in told
    assert set(LETTERS) <= set(told)


@pytest.mark.parametrize(("players", "paper"), [(3, "a4"), (4, "letter"), (5, "a4"), (6, "letter")])
def test_score_sheet(players: int, paper: str) -> None:
    (page,) = opened(print_scoresheet(paper, players, "en"))
    told = text(page)
    assert told.count("dealer") == players
    assert told.count("Total") == players
    assert all(told.count(EN(f"colour.{colour}")) == players for colour in Colour)
    boxes = [box for _, box in found(page, r"\bdealer\b")]
    assert [round(box.x) for box in boxes] == sorted({round(box.x) for box in boxes})
    for _, box in found(page, r"\S"):
        assert inside(box, Box(0, 0, *PAPERS[paper]).grown(-5))


@pytest.mark.parametrize("language", LANGUAGES)
def test_documents_say_what_they_are(language: str) -> None:
    data = rules("a4", language)
    document = pypdfium2.PdfDocument(data)
    assert document.get_metadata_dict()["Title"] == Texts(language).rules().splitlines()[0].strip("# ")
    assert document.get_metadata_dict()["Author"] == "davidgoliath"
    assert f"/Lang ({language})".encode() in data


@pytest.mark.parametrize(("paper", "bleed"), [("a4", 3.1), ("letter", 2.1), ("a4", -0.1), ("card", 3.1)])
def test_bleed_that_does_not_fit(paper: str, bleed: float) -> None:
    with pytest.raises(Refusal) as refused:
        print_deck(DeckPlan(paper=paper, bleed=bleed), EN)
    assert EN.error(refused.value) == f"on {paper} the bleed is 0 to {BLEEDS.get(paper, 3):g}\u00a0mm"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_have_names_of_their_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "rules", "--lang", "pl", "--paper", "letter"]) == 0
    assert main(["print", "scoresheet", "--players", "5", "--lang", "de"]) == 0
    assert main(["print", "deck", "--players", "3", "--no-spares", "--no-instructions", "--no-backs"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "davidgoliath-rules-pl-letter.pdf: 2 pages",
        "davidgoliath-scoresheet-5-de-a4.pdf: 1 page",
        "davidgoliath-deck-a4.pdf: 5 pages",
    ]
    assert len(list(folder.iterdir())) == 3


def test_nothing_is_overwritten_unless_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "sheet.pdf"
    file.write_text("mine")
    assert main(["print", "scoresheet", "--out", "sheet.pdf"]) == 1
    assert capsys.readouterr().err == "davidgoliath: sheet.pdf exists already; --force replaces it\n"
    assert file.read_text() == "mine"
    assert main(["print", "scoresheet", "--out", "sheet.pdf", "--force"]) == 0
    assert file.read_bytes().startswith(b"%PDF")


def test_standard_output() -> None:
    command = [sys.executable, "-m", "davidgoliath", "print", "scoresheet", "--out", "-"]
    ran = subprocess.run(command, capture_output=True, check=True)
    assert len(pypdfium2.PdfDocument(io.BytesIO(ran.stdout))) == 1
    assert ran.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["deck", "--bleed", "thick"], "--bleed: ‘thick’ is not a number of millimetres from 0 to 3"),
        (["deck", "--bleed", "nan"], "--bleed: ‘nan’ is not a number of millimetres from 0 to 3"),
        (["deck", "--bleed", "3", "--paper", "letter"], "on letter the bleed is 0 to 2\u00a0mm"),
        (["deck", "--one-back"], "one back for all cards is for --paper card"),
        (["deck", "--offset", "1"], "--offset: ‘1’ is not an offset"),
        (["deck", "--offset", "1,inf"], "--offset: ‘1,inf’ is not an offset"),
        (["deck", "--offset", "11,0"], "--offset: ‘11,0’ is not an offset"),
        (["deck", "--players", "7"], "--players: "),
        (["deck", "--paper", "a5"], "--paper: "),
        (["deck", "--lang", "sv"], "--lang: "),
        (["rules", "--lang", "all"], "--lang: "),
        (["scoresheet", "--out", "no/such/folder/sheet.pdf"], "no/such/folder/sheet.pdf"),
        (["tarot"], "tarot"),
    ],
)
def test_bad_input_gets_one_sentence(
    arguments: list[str], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", *arguments]) in (1, 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("davidgoliath: ")
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert list(folder.iterdir()) == []
